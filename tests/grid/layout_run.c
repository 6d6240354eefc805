// One problem in its layout: see layout_run.h. Each failure is one line with all that is needed to repeat it.

#include "layout_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "layout_case.h"
#include "scan_case.h"

#define OUT_LEAD 3    // results before those of the call
#define OUT_BEHIND 5  // results behind them
#define FEW_RUNS 10   // room for results of runs, if that is to be too little
#define MEMORY 64     // bytes after a result in host memory

// What a call needs on the device.
struct attempt {
  struct layout_case of;
  struct image in, other, marks, start, out, keys, outcome;
  clred_call call;
  cl_ulong other_offset;
  uint64_t lines;       // that have room
  clred_outcome given;  // what the call writes of itself
  unsigned char memory[START_MAX + MEMORY];
  unsigned char reference[20000];  // of a few elements
  size_t result_size;
  char text[700];
};

static bool has_outcome(const clred_problem *problem) {
  return problem->layout >= CLRED_LAYOUT_SEGMENTS;
}

static bool finds_runs(const clred_problem *problem) {
  return problem->layout >= CLRED_LAYOUT_HEADS;
}

static bool wants_keys(const clred_problem *problem) {
  return problem->layout == CLRED_LAYOUT_KEYS && !problem->scan;
}

// ---------------------------------------------------------------- Before the call

// An image with these bytes; of at least one byte.
static const char *upload(struct run *run, struct image *image, const void *bytes, size_t size) {
  const char *trouble = image_create(image, run->device, size ? size : 1);
  if (!trouble && size)
    memcpy(image->bytes, bytes, size);
  return trouble ? trouble : image_upload(image, run->device);
}

static const char *upload_inputs(struct run *run, struct attempt *attempt) {
  const struct layout_case *of = &attempt->of;
  const char *trouble = upload(run, &attempt->in, of->elements, of->length * of->size);
  if (!trouble && of->others)
    trouble = upload(run, &attempt->other, of->others, (of->length + DATA_OTHER_LEAD) * of->other_size);
  if (!trouble && of->marks)
    trouble = upload(run, &attempt->marks, of->marks, of->mark_count * of->mark_size);
  return trouble;
}

// Of every three calls with runs one has room for just as many, and one for fewer.
static void make_room(struct attempt *attempt, uint64_t turn) {
  const struct layout_case *of = &attempt->of;
  attempt->lines = of->line_count;
  attempt->given = (clred_outcome){of->line_count, 0};
  attempt->call = of->call;
  if (!finds_runs(of->problem))
    return;
  attempt->call.rows = turn % 3 == 0 ? 0 : of->line_count;
  if (turn % 3 == 2 && of->line_count > 2 * FEW_RUNS) {
    attempt->call.rows = attempt->lines = FEW_RUNS;
    attempt->given.fault = 1 + FEW_RUNS;
  }
}

static uint64_t results_of(const struct attempt *attempt) {
  const struct layout_case *of = &attempt->of;
  if (of->problem->scan)
    return of->length - of->call.in_offset;
  return finds_runs(of->problem) && attempt->call.rows == 0 ? of->call.count : attempt->lines;
}

// The whole memory that the call writes to, as it must be afterwards.
static const char *make_outputs(struct run *run, struct attempt *attempt) {
  struct layout_case *of = &attempt->of;
  const size_t results = OUT_LEAD + results_of(attempt) + OUT_BEHIND, size = attempt->result_size;
  const char *trouble = NULL;
  if (!of->problem->in_place)
    trouble = image_create(&attempt->out, run->device, results * size);
  if (!trouble && wants_keys(of->problem))
    trouble = image_create(&attempt->keys, run->device, results * of->mark_size);
  return trouble || !has_outcome(of->problem) ? trouble
                                              : image_create(&attempt->outcome, run->device, 3 * sizeof(clred_outcome));
}

static const char *make_start(struct run *run, struct attempt *attempt, size_t state_size, bool on_device) {
  unsigned char states[2 * START_MAX] = {0};
  if (!attempt->of.start)
    return NULL;
  attempt->call.initial = on_device ? NULL : attempt->of.start;
  attempt->call.initial_offset = on_device;
  memcpy(states + state_size, attempt->of.start, state_size);
  return on_device ? upload(run, &attempt->start, states, 2 * state_size) : NULL;
}

// ---------------------------------------------------------------- The call

// A single result may be in host memory: the call waits for it, or the event does.
static bool is_in_memory(const struct attempt *attempt, uint64_t turn) {
  const clred_problem *problem = attempt->of.problem;
  return turn / 2 % 2 && !problem->scan && problem->layout < CLRED_LAYOUT_SEGMENTS && attempt->of.line_count == 1;
}

static void complete(struct attempt *attempt, bool in_memory, uint64_t turn) {
  const struct layout_case *of = &attempt->of;
  clred_call *call = &attempt->call;
  attempt->other_offset = call->in_offset + DATA_OTHER_LEAD;
  call->in = attempt->in.mem;
  call->inputs = of->others ? &attempt->other.mem : NULL;
  call->input_offsets = of->others ? &attempt->other_offset : NULL;
  call->parameters = of->sample && of->sample->parameter ? &of->sample->parameter : NULL;
  call->segments = attempt->marks.mem;
  call->out = of->problem->in_place ? attempt->in.mem : in_memory ? NULL : attempt->out.mem;
  call->out_offset = of->problem->in_place ? call->in_offset : in_memory ? 0 : OUT_LEAD;
  call->result = in_memory ? attempt->memory : NULL;
  call->initial_buffer = attempt->start.mem;
  call->keys_out = attempt->keys.mem;
  call->keys_out_offset = attempt->keys.mem ? OUT_LEAD : 0;
  call->outcome_buffer = attempt->outcome.mem;
  call->outcome_offset = attempt->outcome.mem ? 1 : 0;
  call->blocking = has_outcome(of->problem) || (in_memory && turn % 2);
}

static bool fail(struct attempt *attempt, const char *what, const char *why) {
  snprintf(attempt->text, sizeof attempt->text, "%s%s%s", what, why ? ": " : "", why ? why : "");
  return false;
}

// A sum that overflows may be reported.
static bool is_right(const struct attempt *attempt, cl_int err) {
  if (attempt->given.fault)
    return err == CLRED_INVALID_SEGMENTS;
  return err == CL_SUCCESS || (err == CLRED_OVERFLOW && attempt->of.problem->overflow == CLRED_OVERFLOW_DETECT);
}

static bool enqueue(struct run *run, struct attempt *attempt, clred_plan *plan) {
  clred_outcome outcome = {99, 99};
  cl_event event = NULL;
  attempt->call.outcome = has_outcome(attempt->of.problem) ? &outcome : NULL;
  const cl_int err = clred_enqueue(run->device->queue, plan, &attempt->call, 0, NULL, &event);
  if (event) {
    clWaitForEvents(1, &event);
    clReleaseEvent(event);
  }
  if (!is_right(attempt, err))
    return fail(attempt, clred_status_name(err), clred_last_error(run->device->runtime));
  if (attempt->call.outcome && (outcome.count != attempt->given.count || outcome.fault != attempt->given.fault)) {
    snprintf(attempt->text, sizeof attempt->text, "the outcome is %" PRIu64 ", %" PRIu64 ", not %" PRIu64 ", %" PRIu64,
             (uint64_t)outcome.count, (uint64_t)outcome.fault, (uint64_t)attempt->given.count,
             (uint64_t)attempt->given.fault);
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- After the call

// Writes the expected results into the images.
static void expect(struct attempt *attempt, const clred_plan *plan, const oracle_tree *tree) {
  struct layout_case *of = &attempt->of;
  struct image *out = of->problem->in_place ? &attempt->in : &attempt->out;
  const uint64_t lead = of->problem->in_place ? of->call.in_offset : OUT_LEAD;
  layout_case_solve(of, plan, tree, attempt->lines, attempt->result_size, out->bytes + lead * attempt->result_size);
  for (uint64_t l = 0; attempt->keys.mem && l < attempt->lines; l++)
    memcpy(attempt->keys.bytes + (OUT_LEAD + l) * of->mark_size,
           of->marks + (LAYOUT_MARKS_LEAD + of->lines[l].first - of->call.in_offset) * of->mark_size, of->mark_size);
  if (attempt->outcome.mem)
    memcpy(attempt->outcome.bytes + sizeof attempt->given, &attempt->given, sizeof attempt->given);
}

static bool compare_memory(struct attempt *attempt) {
  const unsigned char *expected = attempt->out.bytes + OUT_LEAD * attempt->result_size;
  for (size_t i = 0; i < attempt->result_size + MEMORY; i++)
    if (attempt->memory[i] != (i < attempt->result_size ? expected[i] : 0x5a)) {
      snprintf(attempt->text, sizeof attempt->text, "byte %zu of the result in host memory is 0x%02x", i,
               attempt->memory[i]);
      return false;
    }
  return true;
}

static bool compare(struct run *run, struct attempt *attempt, bool in_memory) {
  static const char *const names[] = {"elements", "further input", "offsets, flags or keys", "start", "keys_out",
                                      "outcome",  "results"};
  struct image *const images[] = {&attempt->in,   &attempt->other,   &attempt->marks, &attempt->start,
                                  &attempt->keys, &attempt->outcome, &attempt->out};
  if (in_memory && !compare_memory(attempt))
    return false;
  for (size_t i = 0; i < sizeof images / sizeof *images - in_memory; i++) {
    const char *trouble = images[i]->mem ? image_check(images[i], run->device) : NULL;
    if (trouble)
      return fail(attempt, names[i], trouble);
  }
  return true;
}

// The library's reference of a line.
static bool compare_reference(struct attempt *attempt, clred_plan *plan) {
  const struct layout_case *of = &attempt->of;
  const void *input = of->others ? of->others + attempt->other_offset * of->other_size : NULL;
  const clred_host_call call =
    CALL(.in = of->elements + of->call.in_offset * of->size, .inputs = &input, .parameters = attempt->call.parameters,
         .count = of->call.count, .initial = of->start, .out = attempt->reference);
  const size_t bytes = (of->problem->scan ? of->call.count : 1) * attempt->result_size;
  const unsigned char *expected = of->problem->in_place ? attempt->in.bytes + of->call.in_offset * attempt->result_size
                                                        : attempt->out.bytes + OUT_LEAD * attempt->result_size;
  if (of->problem->layout != CLRED_LAYOUT_LINE || bytes > sizeof attempt->reference)
    return true;
  const cl_int err = clred_plan_reference(plan, &call);
  if (!is_right(attempt, err))
    return fail(attempt, "clred_plan_reference", clred_status_name(err));
  return memcmp(attempt->reference, expected, bytes) == 0 || fail(attempt, "clred_plan_reference", "other bytes");
}

// ---------------------------------------------------------------- Shapes

static void show(const struct combination *named, const struct attempt *attempt, const struct layout_shape *shape) {
  const clred_call *call = &attempt->call;
  const char *pattern =
    (const char *const[]){"empty",     "ones",         "few",   "sixteens",   "sixty-fours", "mixed",
                          "power law", "around tiles", "giant", "one of all", "no pattern"}[shape->pattern];
  printf("FAILED %s count %" PRIu64 " offset %" PRIu64 " stride %" PRIu64 " rows %" PRIu64 " by %" PRIu64
         " columns %" PRIu64 ", %s%s, results of %zu bytes: %.*s\n",
         named->name, (uint64_t)call->count, (uint64_t)call->in_offset, (uint64_t)call->stride, (uint64_t)call->rows,
         (uint64_t)call->row_stride, (uint64_t)call->columns, pattern, attempt->of.start ? ", start" : "",
         attempt->result_size, (int)strcspn(attempt->text, "\n"), attempt->text);
}

// Strategies with the order fixed/1 have the tree of wide for each line. The plan must report the numbers of the
// problem.
static const char *tree_of(const struct run *run, const clred_plan *plan, const struct attempt *attempt,
                           const clred_plan_info *info, oracle_tree *tree) {
  const clred_problem *problem = attempt->of.problem;
  const char *trouble = device_tree(run->device, plan, attempt->of.call.count, tree);
  const bool is_fixed = strcmp(info->order, "fixed/1") == 0;
  if (problem->stop_at)
    tree->hand_over = problem->stop_at;
  if (is_fixed)
    *tree = (oracle_tree){.strategy = problem->scan ? "scan_chunked" : "wide"};
  if (!trouble && !is_fixed &&
      ((problem->group_size && tree->group_size != problem->group_size) ||
       (problem->groups && tree->groups > problem->groups) ||
       (problem->elements && tree->elements != problem->elements) ||
       (problem->stop_at && info->stop_at != problem->stop_at)))
    trouble = "the plan has other sizes than the problem";
  return trouble;
}

static bool attempt_call(struct run *run, struct attempt *attempt, clred_plan *plan, const clred_plan_info *info,
                         uint64_t turn) {
  const bool in_memory = is_in_memory(attempt, turn);
  oracle_tree tree;
  const char *trouble = upload_inputs(run, attempt);
  make_room(attempt, turn);
  memset(attempt->memory, 0x5a, sizeof attempt->memory);
  if (!trouble)
    trouble = make_outputs(run, attempt);
  if (!trouble)
    trouble = make_start(run, attempt, info->state_size, info->group_size && turn % 3 == 2);
  if (!trouble)
    trouble = tree_of(run, plan, attempt, info, &tree);
  if (trouble)
    return fail(attempt, "before the call", trouble);
  complete(attempt, in_memory, turn);
  if (!enqueue(run, attempt, plan))
    return false;
  expect(attempt, plan, &tree);
  return compare(run, attempt, in_memory) && compare_reference(attempt, plan);
}

static bool check_shape(struct run *run, const struct combination *named, clred_plan *plan,
                        const struct layout_shape *shape, bool shown) {
  static struct attempt attempt;
  clred_plan_info info = {0};
  const uint64_t turn = run->calls++;
  memset(&attempt, 0, sizeof attempt);
  layout_case_make(&attempt.of, &named->problem, shape, turn);
  clred_plan_inspect(plan, attempt.of.call.count, &info);
  attempt.result_size = info.result_size;
  const bool passed = attempt_call(run, &attempt, plan, &info, turn);
  if (!passed && shown)
    show(named, &attempt, shape);
  struct image *const images[] = {&attempt.in,  &attempt.other, &attempt.marks,  &attempt.start,
                                  &attempt.out, &attempt.keys,  &attempt.outcome};
  for (size_t i = 0; i < sizeof images / sizeof *images; i++)
    image_release(images[i]);
  layout_case_release(&attempt.of);
  return passed;
}

// Results of scans must not overlap.
static bool is_allowed(const clred_problem *problem, const clred_call *call) {
  if (!problem->scan || call->count < 2)
    return true;
  return problem->layout == CLRED_LAYOUT_COLUMNS ? call->stride >= call->columns
                                                 : call->row_stride == 0 || call->row_stride >= call->count;
}

static unsigned check_shapes(struct run *run, const struct combination *one, clred_plan *plan) {
  const uint64_t longest = run->sizes[run->size_count - 1], bound = one->problem.count_max;
  const uint64_t most = bound && bound < longest ? bound : longest;
  struct layout_shape shape;
  unsigned failures = 0;
  run->calls = 0;
  for (size_t i = 0; layout_shape_at(one->problem.layout, i, most, &shape); i++)
    if (shape.call.count <= most && is_allowed(&one->problem, &shape.call))
      failures += !check_shape(run, one, plan, &shape, failures < RUN_LINES_MAX);
  return failures;
}

// Strategies for lines may permute elements, need a state that atomics can have, or groups that the device has.
static bool may_refuse(const struct run *run, const clred_problem *problem, cl_int status, const char *message) {
  static const char *const reasons[] = {"does not commute", "finish atomic needs", "atomic needs", "group_size"};
  (void)problem;
  if (status == CLRED_TYPE_NOT_SUPPORTED)
    return !device_has_fp64(run->device);
  for (size_t i = 0; status == CLRED_STRATEGY_REFUSED && i < sizeof reasons / sizeof *reasons; i++)
    if (strstr(message, reasons[i]))
      return true;
  return false;
}

const struct run_kind run_layouts = {may_refuse, check_shapes, .own_data = true};
