// One problem on the device: see run.h. Each failure is one line with all that is needed to repeat it.

#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"

#define OUT_BYTES 4096        // bytes of the output buffer; a call writes one result at some place in it
#define RESULT_BYTES 256      // room for one result
#define REFERENCE_COUNT 1100  // the most elements for the library's reference

// ---------------------------------------------------------------- The data of an operator and type

static void release_data(struct run *run) {
  data_release(&run->data);
  image_release(&run->in);
  image_release(&run->other);
}

static const char *upload(struct run *run, struct image *image, const void *elements, uint64_t count) {
  const char *trouble = image_create(image, run->device, count * run->data.size);
  if (trouble)
    return trouble;
  memcpy(image->bytes, elements, image->size);
  return image_upload(image, run->device);
}

static const char *load(struct run *run, const clred_problem *problem) {
  const char *trouble;
  if (run->data.elements && run->data.op == problem->op && run->data.type == problem->type &&
      run->data.nan == problem->nan)
    return NULL;
  release_data(run);
  run->answered = (clred_problem){0};
  data_create_for(&run->data, problem, run->sizes, run->size_count);
  trouble = upload(run, &run->in, run->data.elements, run->data.length);
  if (!trouble && run->data.others)
    trouble = upload(run, &run->other, run->data.others, run->data.length + DATA_OTHER_LEAD);
  return trouble;
}

static void solve(struct run *run, const clred_problem *problem, size_t stretch, const oracle_tree *tree) {
  const struct stretch *at = &run->data.stretches[stretch];
  oracle_solve(problem, data_at(&run->data, at), data_other_at(&run->data, at), at->count, tree,
               &run->answers[stretch]);
}

static bool same_answers(const clred_problem *a, const clred_problem *b) {
  return a->op == b->op && a->type == b->type && a->state == b->state && a->nan == b->nan &&
         a->overflow == b->overflow && a->result_bits == b->result_bits;
}

// Solves all stretches if the order of combination does not change the results.
static void solve_all(struct run *run, const clred_problem *problem) {
  static const oracle_tree none = {.strategy = "host_serial"};
  if (oracle_order_matters(problem) || same_answers(&run->answered, problem))
    return;
  for (size_t i = 0; i < run->data.stretch_count; i++)
    solve(run, problem, i, &none);
  run->answered = *problem;
}

static const oracle_result *answer_for(struct run *run, const clred_problem *problem, size_t stretch,
                                       const oracle_tree *tree) {
  if (oracle_order_matters(problem)) {
    solve(run, problem, stretch, tree);
    run->answered = (clred_problem){0};
  }
  return &run->answers[stretch];
}

// ---------------------------------------------------------------- Calls

// The bytes that a call wrote, and its error.
struct outcome_of_call {
  unsigned char bytes[RESULT_BYTES];
  char trouble[700];
};

static void set_trouble(struct outcome_of_call *to, const char *what, const char *why) {
  snprintf(to->trouble, sizeof to->trouble, "%s%s%s", what, why ? ": " : "", why ? why : "");
}

static cl_int enqueue(struct run *run, clred_plan *plan, clred_call call) {
  const cl_ulong other_offset = call.in_offset + DATA_OTHER_LEAD;
  cl_event event = NULL, *const wanted = run->calls % 2 ? &event : NULL;
  cl_command_queue queue = run->device->queue;
  cl_int err;
  call.in = run->in.mem;
  call.inputs = run->data.others ? &run->other.mem : NULL;
  call.input_offsets = run->data.others ? &other_offset : NULL;
  if (run->data.others || call.result || run->calls % 3)
    err = clred_enqueue(queue, plan, &call, 0, NULL, wanted);
  else
    err = clred_enqueue_reduce(queue, plan, call.in, call.out, call.in_offset, call.out_offset, call.count, 0, NULL,
                               wanted);
  if (event) {
    const cl_int waited = clWaitForEvents(1, &event);
    clReleaseEvent(event);
    return err == CL_SUCCESS ? waited : err;
  }
  return err;
}

// A call may report an overflow only if the sum overflows. It must report it if it waits for the result.
static bool is_right_status(cl_int err, const oracle_result *expected, bool waits) {
  const bool detects = expected->count == 2 && strcmp(expected->parts[1].name, "overflow") == 0;
  const bool overflows = detects && expected->parts[1].bits[0];
  return err == CL_SUCCESS ? !(overflows && waits) : err == CLRED_OVERFLOW && overflows;
}

// The result in host memory, between bytes that must not change.
static void call_to_memory(struct run *run, clred_plan *plan, const struct stretch *stretch,
                           const oracle_result *expected, struct outcome_of_call *to) {
  unsigned char memory[RESULT_BYTES + 128], fresh[sizeof memory];
  const size_t size = oracle_offset(expected, expected->count);
  image_pattern(fresh, sizeof fresh);
  memcpy(memory, fresh, sizeof memory);
  const clred_call call = {
    .in_offset = stretch->offset, .count = stretch->count, .result = memory + 64, .blocking = CL_TRUE};
  const cl_int err = enqueue(run, plan, call);
  memcpy(to->bytes, memory + 64, size);
  memcpy(memory + 64, fresh + 64, size);
  if (!is_right_status(err, expected, true))
    set_trouble(to, clred_status_name(err), clred_last_error(run->device->runtime));
  else if (memcmp(memory, fresh, sizeof memory) != 0)
    set_trouble(to, "bytes beside the result in host memory were changed", NULL);
}

// The result in a buffer. The whole buffer is read back.
static void call_to_buffer(struct run *run, clred_plan *plan, const struct stretch *stretch, uint64_t out_offset,
                           const oracle_result *expected, struct outcome_of_call *to) {
  const size_t size = oracle_offset(expected, expected->count);
  const clred_call call = {
    .in_offset = stretch->offset, .count = stretch->count, .out = run->out.mem, .out_offset = out_offset};
  const char *trouble = image_upload(&run->out, run->device);
  const cl_int err = trouble ? CL_SUCCESS : enqueue(run, plan, call);
  if (!trouble && !is_right_status(err, expected, false))
    set_trouble(to, clred_status_name(err), clred_last_error(run->device->runtime));
  if (!trouble)
    trouble = image_check_except(&run->out, run->device, out_offset * size, size, to->bytes);
  if (trouble)
    set_trouble(to, trouble, NULL);
}

static void compare(struct run *run, const clred_problem *problem, size_t index, const oracle_result *expected,
                    struct outcome_of_call *got) {
  const struct stretch *at = &run->data.stretches[index];
  if (!got->trouble[0] && oracle_same(expected, got->bytes, got->trouble, sizeof got->trouble) && run->thorough)
    oracle_near(problem, data_at(&run->data, at), data_other_at(&run->data, at), at->count, got->bytes, got->trouble,
                sizeof got->trouble);
}

static void call_reference(struct run *run, clred_plan *plan, const struct stretch *at, const oracle_result *expected,
                           struct outcome_of_call *to) {
  const void *elements = at->count ? data_at(&run->data, at) : NULL;
  char text[300];
  const cl_int err =
    clred_plan_reference(plan, &(clred_host_call){.in = elements, .count = at->count, .out = to->bytes});
  if (err != CL_SUCCESS)
    set_trouble(to, "clred_plan_reference", clred_status_name(err));
  else if (!oracle_same(expected, to->bytes, text, sizeof text))
    set_trouble(to, "clred_plan_reference", text);
}

static void show(const struct combination *one, const struct stretch *at, uint64_t out_offset, const char *trouble) {
  printf("FAILED %s count %" PRIu64 " offset %" PRIu64 " out %" PRIu64 " (%s) %.*s\n", one->name, at->count, at->offset,
         out_offset, flavour_names[at->flavour], (int)strcspn(trouble, "\n"), trouble);
}

// The sum of extremes overflows in one order and not in another, so an open order has no expected result.
static bool has_answer(const clred_problem *problem, const struct stretch *stretch) {
  return stretch->flavour != EXTREMES || !is_open_order(problem) || !oracle_order_matters(problem);
}

// True if the stretch passes; a failure is printed if `shown`.
static bool check_stretch(struct run *run, const struct combination *one, clred_plan *plan, size_t index, bool shown) {
  static const uint64_t out_offsets[] = {1, 0, 7, 255, 3};
  const struct stretch *stretch = &run->data.stretches[index];
  struct outcome_of_call got = {.trouble = ""};
  oracle_tree tree;
  uint64_t out_offset = out_offsets[run->calls++ % 5];
  const char *trouble = device_tree(run->device, plan, stretch->count, &tree);
  if (trouble) {
    set_trouble(&got, "clred_plan_inspect", trouble);
  } else {
    const oracle_result *expected = answer_for(run, &one->problem, index, &tree);
    out_offset %= OUT_BYTES / oracle_offset(expected, expected->count);
    if (run->calls % 7 == 0)
      call_to_memory(run, plan, stretch, expected, &got);
    else
      call_to_buffer(run, plan, stretch, out_offset, expected, &got);
    compare(run, &one->problem, index, expected, &got);
    if (run->thorough && !got.trouble[0] && !run->data.others && stretch->count <= REFERENCE_COUNT)
      call_reference(run, plan, stretch, expected, &got);
  }
  if (got.trouble[0] && shown)
    show(one, stretch, out_offset, got.trouble);
  return !got.trouble[0];
}

static unsigned check_stretches(struct run *run, const struct combination *one, clred_plan *plan) {
  unsigned failures = 0;
  solve_all(run, &one->problem);
  for (size_t i = 0; i < run->data.stretch_count; i++)
    if (has_answer(&one->problem, &run->data.stretches[i]))
      failures += !check_stretch(run, one, plan, i, failures < RUN_LINES_MAX);
  return failures;
}

static bool may_refuse(const struct run *run, const clred_problem *problem, cl_int status, const char *message) {
  return expect_refusal(run->device, problem, status) && *message != '\0';
}

const struct run_kind run_reductions = {may_refuse, check_stretches, .own_data = false};

// ---------------------------------------------------------------- One problem

static uint64_t greatest(const uint64_t *sizes, size_t count) {
  uint64_t most = 0;
  for (size_t i = 0; i < count; i++)
    most = sizes[i] > most ? sizes[i] : most;
  return most;
}

static unsigned check_plan(struct run *run, const struct run_kind *kind, const struct combination *one,
                           clred_plan *plan) {
  char text[300] = "";
  if (kind->own_data)
    return kind->check(run, one, plan);
  const char *trouble = load(run, &one->problem);
  if (trouble) {
    printf("FAILED %s: %s\n", one->name, trouble);
    release_data(run);
    return 1;
  }
  const bool expected = expect_plan(&one->problem, plan, text, sizeof text);
  if (!expected)
    printf("FAILED %s: %s\n", one->name, text);
  const unsigned failures = kind->check(run, one, plan);
  if (failures > RUN_LINES_MAX)
    printf("FAILED %s at %u more\n", one->name, failures - RUN_LINES_MAX);
  trouble = image_check(&run->in, run->device);
  if (!trouble && run->data.others)
    trouble = image_check(&run->other, run->device);
  if (trouble)
    printf("FAILED %s changed its input: %s\n", one->name, trouble);
  return failures + !expected + (trouble != NULL);
}

enum outcome run_combination(struct run *run, const struct run_kind *kind, const struct combination *one) {
  clred_problem problem = one->problem;
  clred_plan *plan = NULL;
  if (!kind->own_data)
    problem.count_max = greatest(run->sizes, run->size_count);
  const cl_int err = clred_plan_create(run->device->runtime, &problem, &plan);
  const char *message = clred_last_error(run->device->runtime);
  // No device could do it.
  const bool anywhere = err == CLRED_OPERATOR_TYPE || strstr(message, "does not commute");
  if (err != CL_SUCCESS && anywhere && kind->may_refuse(run, &problem, err, message))
    return PASSED;
  if (err != CL_SUCCESS && kind->may_refuse(run, &problem, err, message)) {
    printf("skipped %s: %.*s\n", one->name, (int)strcspn(message, "\n"), message);
    return SKIPPED;
  }
  const bool right = err == CL_SUCCESS && (problem.custom || problem.list || oracle_defined(&problem));
  if (!right)
    printf("FAILED %s: clred_plan_create gave %s: %.*s\n", one->name, clred_status_name(err),
           (int)strcspn(message, "\n"), message);
  const unsigned failures = right ? check_plan(run, kind, one, plan) : 1;
  clred_plan_release(plan);
  return failures ? FAILED : PASSED;
}

void run_begin(struct run *run, struct device *device, const uint64_t *sizes, size_t size_count) {
  memset(run, 0, sizeof *run);
  run->device = device;
  run->sizes = sizes;
  run->size_count = size_count;
  const char *trouble = image_create(&run->out, device, OUT_BYTES);
  if (trouble)
    printf("FAILED to make the output buffer: %s\n", trouble);
}

void run_end(struct run *run) {
  release_data(run);
  image_release(&run->out);
}
