// clreduce plan: prints the plan for this input on this device, and why the other strategies do not apply. It uses only
// the type and the count of the input.
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "device/session.h"
#include "run/job.h"
#include "verbs/steps.h"

static void add_info(cJSON *object, const struct job *job, const clred_plan_info *info) {
  json_add_plan(object, info);
  if (!job->operation.own)  // functions in the user's texts may differ between devices
    json_add_truth(object, "portable", info->portable);
  json_add_text(object, "result_type", type_name(info->result_type));
  json_add_truth(object, "tuned", info->tuned);
  json_add_count(object, "kernel_work_group_size", info->kernel_work_group_size);
  json_add_count(object, "element_size", info->element_size);
  json_add_count(object, "state_size", info->state_size);
  json_add_count(object, "result_size", info->result_size);
}

static void add_strategies(cJSON *object, const struct job *job) {
  char reason[512];
  clred_strategy_info row;
  cJSON *list = cJSON_AddArrayToObject(object, "strategies");
  for (size_t i = 0; clred_strategy_at(i, &row) == CL_SUCCESS; i++) {
    cJSON *item = json_add_item(list);
    *reason = '\0';
    cl_int status = clred_strategy_applies(job->session.runtime, row.name, &job->problem, reason, sizeof reason);
    json_add_text(item, "name", row.name);
    json_add_truth(item, "applies", status == CL_SUCCESS);
    json_add_text(item, "reason", status == CL_SUCCESS ? NULL : reason);
  }
}

static int print_json(const struct job *job, const clred_plan *plan, const clred_plan_info *info,
                      const struct steps *steps) {
  char *text = session_describe(plan, job->layout.call.count);
  cJSON *object = cJSON_CreateObject();
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "type", job->input.type.name);
  json_add_count(object, "count", job->layout.call.count);
  json_add_known_count(object, "results", !job->work.finds, job->work.results);
  json_add_text(object, "scan", problem_scan_name(&job->problem));
  json_add_truth(object, "reversed", job->problem.reversed);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  add_info(object, job, info);
  json_add_text(object, "description", text);
  add_strategies(object, job);
  if (job->args->explain)
    steps_add_json(object, steps);
  free(text);
  return json_print(object);
}

static int print_text(const struct job *job, const clred_plan *plan, const struct steps *steps) {
  const struct device *device = &job->session.device;
  char *text = session_describe(plan, job->layout.call.count), line[3 * DEVICE_TEXT_SIZE + 16];
  if (text == NULL)
    return fail_memory();
  snprintf(line, sizeof line, "on %s (%s, %s)\n", device->name, device->platform, device->driver);
  wrap_print_lines(line);
  wrap_print_lines(text);
  free(text);
  if (job->args->explain)
    steps_print(steps);
  return EXIT_DONE;
}

static int print_source(const clred_plan *plan) {
  size_t length = clred_plan_source(plan, NULL, 0);
  if (length == 0)
    return fail(EXIT_BAD_USE, "--source: the plan has no program, the host does the work; name another --strategy");
  char *text = malloc(length + 1);
  if (text == NULL)
    return fail_memory();
  clred_plan_source(plan, text, length + 1);
  fputs(text, stdout);
  free(text);
  return EXIT_DONE;
}

static int inspect_and_print(const struct job *job, const clred_plan *plan) {
  clred_plan_info info;
  struct steps steps = {0};
  int code = session_check(&job->session, clred_plan_inspect(plan, job->layout.call.count, &info));
  if (!code && job->args->explain)
    code = steps_take(&steps, plan, job->layout.call.count);
  if (!code)
    code = job->args->json ? print_json(job, plan, &info, &steps) : print_text(job, plan, &steps);
  steps_release(&steps);
  return code;
}

int cmd_plan(const struct args *args) {
  struct job job;
  clred_plan *plan = NULL;
  int code = job_open(&job, args, args_op(args));
  code = code ? code : job_count(&job);
  code = code ? code : job_plan(&job, &plan);
  if (!code)
    code = args->source ? print_source(plan) : inspect_and_print(&job, plan);
  clred_plan_release(plan);
  job_close(&job);
  return code;
}
