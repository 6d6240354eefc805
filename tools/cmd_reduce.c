// clreduce reduce: one result on standard output, or one JSON object that says how it came about.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "fail.h"
#include "job.h"
#include "json.h"
#include "verify.h"

static double gigabytes_per_second(const struct job *job, const struct outcome *outcome)
{
  return (double)input_bytes(&job->input) / outcome->kernel_seconds / 1e9;
}

static void add_plan(cJSON *object, const clred_plan_info *info)
{
  json_add_count(object, "group_size", info->group_size);
  json_add_count(object, "groups", info->groups);
  json_add_count(object, "local_bytes", info->local_bytes);
  json_add_count(object, "passes", info->passes);
  json_add_count(object, "elements", info->elements);
  json_add_count(object, "vector_width", info->vector_width);
  json_add_count(object, "scratch_bytes", info->scratch_bytes);
}

static void add_problem(cJSON *object, const struct job *job, const clred_plan_info *info)
{
  clred_type_info result_type;
  clred_type_describe(info->result_type, &result_type);
  json_add_text(object, "op", job->op.name);
  json_add_text(object, "type", job->input.type.name);
  json_add_text(object, "result_type", result_type.name);
  json_add_count(object, "count", job->input.count);
  json_add_text(object, "strategy", info->strategy);
  json_add_text(object, "finish", info->finish);
  json_add_text(object, "order", info->order);
  json_add_text(object, "device", job->session.device.name);
  json_add_text(object, "platform", job->session.device.platform);
  json_add_text(object, "driver", job->session.device.driver);
  json_add_text(object, "assumed", job->args->assume);
}

static int print_json(const struct job *job, const struct outcome *outcome, const struct verdict *verdict)
{
  cJSON *object = cJSON_CreateObject();
  json_add_number(object, "result", outcome->info.result_type, &outcome->result);
  add_problem(object, job, &outcome->info);
  add_plan(object, &outcome->info);
  json_add_measure(object, "kernel_seconds", outcome->kernel_seconds);
  json_add_measure(object, "wall_seconds", outcome->wall_seconds);
  json_add_measure(object, "gigabytes_per_second", gigabytes_per_second(job, outcome));
  if (job->args->verify)
    json_add_truth(object, "verified", verdict->correct);
  else
    cJSON_AddNullToObject(object, "verified");
  json_add_measure(object, "error_ulp", verdict->error_ulp);
  return json_print(object);
}

static int print_result(const struct outcome *outcome)
{
  char text[NUMBER_TEXT_SIZE];
  number_text(outcome->info.result_type, &outcome->result, text);
  puts(text);
  return EXIT_DONE;
}

static int explain(const struct job *job, const clred_plan *plan)
{
  if (!job->args->explain || job->args->quiet)
    return EXIT_DONE;
  char *text = job_describe(job, plan);
  if (text == NULL)
    return fail_memory();
  fputs(text, stderr);
  free(text);
  return EXIT_DONE;
}

static void say_what_is_wrong(const struct job *job, const struct outcome *outcome, const struct verdict *verdict)
{
  char expected[NUMBER_TEXT_SIZE];
  number_text(outcome->info.result_type, &verdict->reference, expected);
  fail(EXIT_WRONG, "--verify: %s of %llu elements by %s is wrong; the host's reference gives %s%s", job->op.name,
       (unsigned long long)job->input.count, outcome->info.strategy, expected,
       outcome->steady ? "" : ", and the calls differ from each other");
}

static int run(struct job *job, clred_plan *plan, struct outcome *outcome, struct verdict *verdict)
{
  cl_ulong       calls = job->args->repeat.given ? job->args->repeat.value : 1;
  struct repeats repeats = {.count = calls, .warm = calls > 1};
  int            code = run_plan(&job->session, plan, job->buffer, &job->input, repeats, outcome);
  if (code == EXIT_DONE && job->args->verify)
    code = verify_outcome(&job->session, plan, job->op.op, &job->input, outcome, true, verdict);
  return code == EXIT_DONE ? explain(job, plan) : code;
}

static int run_and_print(struct job *job, clred_plan *plan)
{
  struct outcome outcome;
  struct verdict verdict = {.correct = true, .error_ulp = NAN};
  int            code = run(job, plan, &outcome, &verdict);
  if (code == EXIT_DONE)
    code = job->args->json ? print_json(job, &outcome, &verdict) : print_result(&outcome);
  if (code == EXIT_DONE && !verdict.correct) {
    say_what_is_wrong(job, &outcome, &verdict);
    code = EXIT_WRONG;
  }
  return code;
}

int cmd_reduce(const struct args *args)
{
  struct job  job;
  clred_plan *plan = NULL;
  int         code = job_open(&job, args, args->operands[0]);
  if (code == EXIT_DONE)
    code = job_load(&job);
  if (code == EXIT_DONE)
    code = job_plan(&job, &plan);
  if (code == EXIT_DONE)
    code = run_and_print(&job, plan);
  clred_plan_release(plan);
  job_close(&job);
  return code;
}
