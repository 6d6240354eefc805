// One combination on the device: see run.h. Each failure is one line that says all that is needed to repeat it.

#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define RESULTS 320  // results the output buffer has room for: one is used at a time
#define LINES_MAX 5  // failures of one combination that are shown

static bool is_open_order(const struct combination *one) {
  return strcmp(one->way.strategy, "atomic") == 0 || (one->way.finish && strcmp(one->way.finish, "atomic") == 0);
}

static bool lacks_atomics(const struct run *run, const struct combination *one, clred_type result) {
  return is_open_order(one) && oracle_size(result) == 8 &&
         (!device_has_extension(run->device, "cl_khr_int64_base_atomics") ||
          !device_fact(run->device, "int64_atomics", 1));
}

// A group that takes one value shortens nothing, however often it is launched again.
static bool never_ends(const struct run *run, const struct combination *one) {
  return strncmp(one->way.strategy, "global_", 7) == 0 && strcmp(one->way.finish, "relaunch") == 0 &&
         device_fact(run->device, "max_work_group_size", 2) == 1;
}

// Whether docs and header let the device refuse this with that status.
static bool may_refuse(const struct run *run, const struct combination *one, cl_int status) {
  const clred_type result = oracle_result_type(one->op, one->type);
  switch (status) {
  case CLRED_OPERATOR_TYPE:
    return result == CLRED_TYPE_NONE;
  case CLRED_TYPE_NOT_SUPPORTED:
    return one->type == CLRED_TYPE_DOUBLE && !device_has_fp64(run->device);
  case CLRED_STRATEGY_REFUSED:
    return lacks_atomics(run, one, result) || never_ends(run, one);
  default:
    return false;
  }
}

// ---------------------------------------------------------------- The data of an operator and type

static const char *load_data(struct run *run, const struct combination *one) {
  static const oracle_tree none = {.strategy = "host_serial"};
  const char              *trouble;
  if (run->data.elements && run->data.op == one->op && run->data.type == one->type)
    return NULL;
  data_release(&run->data);
  image_release(&run->in);
  data_create(&run->data, one->op, one->type, run->sizes, run->size_count);
  trouble = image_create(&run->in, run->device, run->data.length * run->data.size);
  if (trouble)
    return trouble;
  memcpy(run->in.bytes, run->data.elements, run->in.size);
  for (size_t i = 0; i < run->data.stretch_count && !oracle_order_matters(one->op, one->type); i++) {
    const struct stretch *stretch = &run->data.stretches[i];
    run->answers[i] = oracle_reduce(one->op, one->type, data_at(&run->data, stretch), stretch->count, &none);
  }
  return image_upload(&run->in, run->device);
}

static oracle_answer answer_for(struct run *run, const struct combination *one, size_t stretch,
                                const oracle_tree *tree) {
  const struct stretch *at = &run->data.stretches[stretch];
  if (!oracle_order_matters(one->op, one->type))
    return run->answers[stretch];
  return oracle_reduce(one->op, one->type, data_at(&run->data, at), at->count, tree);
}

// ---------------------------------------------------------------- Calls

// Folds one stretch to out[out_offset] and reads the whole output buffer back.
static const char *call(struct run *run, clred_plan *plan, const struct stretch *stretch, uint64_t out_offset,
                        size_t result_size, uint64_t *bits) {
  cl_event    event = NULL;
  uint64_t    word = 0;
  cl_int      err;
  const char *trouble = image_upload(&run->out, run->device);
  if (trouble)
    return trouble;
  err = clred_enqueue_reduce(run->device->queue, plan, run->in.mem, run->out.mem, stretch->offset, out_offset,
                             stretch->count, 0, NULL, run->calls % 2 ? &event : NULL);
  if (err == CL_SUCCESS && event)
    err = clWaitForEvents(1, &event);
  if (event)
    clReleaseEvent(event);
  if (err != CL_SUCCESS) {
    static char sentence[600];
    snprintf(sentence, sizeof sentence, "%s: %s", clred_status_name(err), clred_last_error(run->device->runtime));
    return sentence;
  }
  trouble = image_check_except(&run->out, run->device, out_offset * result_size, result_size, &word);
  *bits = oracle_load(&word, result_size, 0);
  return trouble;
}

static bool check_stretch(struct run *run, const struct combination *one, clred_plan *plan, size_t index, bool show) {
  static const uint64_t out_offsets[] = {1, 0, 7, 255, 3};
  const struct stretch *stretch = &run->data.stretches[index];
  const uint64_t        out_offset = out_offsets[run->calls++ % 5];
  oracle_tree           tree;
  oracle_answer         answer = {0};
  uint64_t              got = 0;
  const char           *trouble = device_tree(run->device, plan, stretch->count, &tree);
  if (!trouble) {
    answer = answer_for(run, one, index, &tree);
    trouble = call(run, plan, stretch, out_offset, oracle_size(answer.result_type), &got);
  }
  if (!trouble && oracle_accepts(&answer, got))
    return true;
  if (show)
    printf("FAILED %s count %" PRIu64 " offset %" PRIu64 " out %" PRIu64 " (%s) expected 0x%" PRIx64 " got 0x%" PRIx64
           "%s%s\n",
           one->name, stretch->count, stretch->offset, out_offset, flavour_names[stretch->flavour], answer.bits, got,
           trouble ? ": " : "", trouble ? trouble : "");
  return false;
}

static unsigned check_stretches(struct run *run, const struct combination *one, clred_plan *plan) {
  unsigned    failures = 0;
  const char *trouble;
  for (size_t i = 0; i < run->data.stretch_count; i++)
    failures += !check_stretch(run, one, plan, i, failures < LINES_MAX);
  if (failures > LINES_MAX)
    printf("FAILED %s at %u more\n", one->name, failures - LINES_MAX);
  trouble = image_check(&run->in, run->device);
  if (trouble)
    printf("FAILED %s changed its input: %s\n", one->name, trouble);
  return failures + (trouble != NULL);
}

// What the plan says of itself must agree with what was asked.
static bool check_plan(const struct combination *one, const clred_plan *plan) {
  clred_plan_info info;
  const cl_int    err = clred_plan_inspect(plan, 1000, &info);
  const bool      right = err == CL_SUCCESS && strcmp(info.strategy, one->way.strategy) == 0 &&
                     !info.finish == !one->way.finish && (!info.finish || strcmp(info.finish, one->way.finish) == 0) &&
                     info.result_type == oracle_result_type(one->op, one->type);
  if (!right)
    printf("FAILED %s: clred_plan_inspect tells of another plan, or failed (%s)\n", one->name, clred_status_name(err));
  return right;
}

static uint64_t greatest(const uint64_t *sizes, size_t count) {
  uint64_t most = 0;
  for (size_t i = 0; i < count; i++)
    most = sizes[i] > most ? sizes[i] : most;
  return most;
}

enum outcome run_combination(struct run *run, const struct combination *one) {
  const clred_problem problem = {.type = one->type,
                                 .op = one->op,
                                 .strategy = one->way.strategy,
                                 .finish = one->way.finish,
                                 .count_max = greatest(run->sizes, run->size_count)};
  clred_plan         *plan = NULL;
  unsigned            failures;
  const char         *trouble;
  const cl_int        err = clred_plan_create(run->device->runtime, &problem, &plan);
  if (may_refuse(run, one, err) && *clred_last_error(run->device->runtime) != '\0')
    return SKIPPED;
  if (err != CL_SUCCESS || oracle_result_type(one->op, one->type) == CLRED_TYPE_NONE) {
    printf("FAILED %s: clred_plan_create gave %s: %s\n", one->name, clred_status_name(err),
           clred_last_error(run->device->runtime));
    clred_plan_release(plan);
    return FAILED;
  }
  trouble = load_data(run, one);
  if (trouble) {
    printf("FAILED %s: %s\n", one->name, trouble);
    data_release(&run->data);
  }
  failures = trouble ? 1 : !check_plan(one, plan) + check_stretches(run, one, plan);
  clred_plan_release(plan);
  return failures ? FAILED : PASSED;
}

void run_begin(struct run *run, struct device *device, const uint64_t *sizes, size_t size_count) {
  memset(run, 0, sizeof *run);
  run->device = device;
  run->sizes = sizes;
  run->size_count = size_count;
  const char *trouble = image_create(&run->out, device, RESULTS * sizeof(uint64_t));
  if (trouble)
    printf("FAILED to make the output buffer: %s\n", trouble);
}

void run_end(struct run *run) {
  data_release(&run->data);
  image_release(&run->in);
  image_release(&run->out);
}
