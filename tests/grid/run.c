// One problem on the device: see run.h.

#include "run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "oracle/tree.h"

#define LINES_SHOWN 5     // failures of one problem
#define OUT_BEHIND 5      // results behind those of the call
#define FEW_RUNS 10       // room for results of runs, if that is to be too little
#define MEMORY 64         // bytes around a result in host memory
#define HOST_BYTES 20000  // results that are also computed by the host
#define HOST_COUNT 2000000
#define SHORT 1100
#define SMALL 3500  // elements of calls that the host computes

// What a call needs on the device.
struct attempt {
  struct layout_case of;
  struct image in, other, marks, start, out, keys, outcome;
  clred_call call;
  cl_ulong other_offset;
  bool in_place;
  uint64_t lead;        // results before those of the call
  uint64_t lines;       // that have room
  clred_outcome given;  // what the call writes of itself
  unsigned char memory[MEMORY + STATE_MAX + MEMORY];
  unsigned char on_host[MEMORY + HOST_BYTES + MEMORY];
  size_t result_size;
  char text[700];
};

bool is_open_order(const clred_problem *problem) {
  return (problem->strategy && strcmp(problem->strategy, "atomic") == 0) ||
         (problem->finish && strcmp(problem->finish, "atomic") == 0);
}

static bool fail(struct attempt *attempt, const char *what, const char *why) {
  snprintf(attempt->text, sizeof attempt->text, "%s%s%s", what, why ? ": " : "", why ? why : "");
  return false;
}

static bool has_outcome(const clred_problem *problem) {
  return problem->layout >= CLRED_LAYOUT_SEGMENTS || problem->selection;
}

static bool finds_runs(const clred_problem *problem) {
  return problem->layout >= CLRED_LAYOUT_HEADS;
}

static bool has_keys(const clred_problem *problem) {
  return problem->layout == CLRED_LAYOUT_KEYS && !problem->scan;
}

// One result of a built-in operator.
static bool is_single(const struct attempt *attempt) {
  const clred_problem *problem = attempt->of.problem;
  return layout_is_builtin(problem) && !layout_is_exact(problem) && !problem->scan &&
         problem->layout <= CLRED_LAYOUT_STRIDED;
}

// ---------------------------------------------------------------- Before the call

static const char *upload_inputs(struct run *run, struct attempt *attempt) {
  const struct layout_case *of = &attempt->of;
  const char *trouble = image_create_of(&attempt->in, run->device, of->elements, of->length * of->size);
  if (!trouble && of->others)
    trouble =
      image_create_of(&attempt->other, run->device, of->others, (of->length + LAYOUT_OTHER_LEAD) * of->other_size);
  if (!trouble && of->marks)
    trouble = image_create_of(&attempt->marks, run->device, of->marks, of->mark_count * of->mark_size);
  return trouble;
}

// Of every three calls with runs one has room for just as many, and one for fewer. A plan for calls in place takes
// others, too.
static void make_room(struct attempt *attempt, uint64_t turn) {
  static const uint64_t leads[] = {1, 0, 7, 255, 3};
  const struct layout_case *of = &attempt->of;
  attempt->in_place = of->problem->in_place && turn / 3 % 3 != 2;
  attempt->lead = attempt->in_place ? of->call.in_offset : leads[turn % 5];
  attempt->lines = of->line_count;
  attempt->given = (clred_outcome){of->kept ? of->kept_count : of->line_count, 0};
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
  const uint64_t apart = of->call.out_stride ? of->call.out_stride : 1;
  if (of->problem->selection || of->problem->histogram)
    return of->kept ? of->call.count : of->problem->histogram->bins;
  if (of->problem->scan)
    return of->length - of->call.in_offset + of->call.count * apart;
  return finds_runs(of->problem) && attempt->call.rows == 0 ? of->call.count : attempt->lines;
}

// The whole memory that the call writes to, as it must be afterwards.
static const char *make_outputs(struct run *run, struct attempt *attempt) {
  struct layout_case *of = &attempt->of;
  const size_t results = attempt->lead + results_of(attempt) + OUT_BEHIND, size = attempt->result_size;
  const char *trouble = NULL;
  image_pattern(attempt->memory, sizeof attempt->memory);
  if (!attempt->in_place)
    trouble = image_create(&attempt->out, run->device, results * size);
  if (!trouble && has_keys(of->problem))
    trouble = image_create(&attempt->keys, run->device, results * of->mark_size);
  return trouble || !has_outcome(of->problem) ? trouble
                                              : image_create(&attempt->outcome, run->device, 3 * sizeof(clred_outcome));
}

static const char *make_start(struct run *run, struct attempt *attempt, size_t state_size, bool on_device) {
  unsigned char states[2 * STATE_MAX] = {0};
  if (!attempt->of.start)
    return NULL;
  attempt->call.initial = on_device ? NULL : attempt->of.start;
  attempt->call.initial_offset = on_device;
  memcpy(states + state_size, attempt->of.start, state_size);
  return on_device ? image_create_of(&attempt->start, run->device, states, 2 * state_size) : NULL;
}

// ---------------------------------------------------------------- What is expected

// Writes the expected results into the images.
static void expect(struct attempt *attempt, const clred_plan *plan, const oracle_tree *tree) {
  struct layout_case *of = &attempt->of;
  struct image *out = attempt->in_place ? &attempt->in : &attempt->out;
  layout_case_solve(of, plan, tree, attempt->lines, attempt->result_size,
                    out->bytes + attempt->lead * attempt->result_size);
  for (uint64_t l = 0; attempt->keys.mem && l < attempt->lines; l++)
    memcpy(attempt->keys.bytes + (attempt->lead + l) * of->mark_size,
           of->marks + (LAYOUT_MARKS_LEAD + of->lines[l].first - of->call.in_offset) * of->mark_size, of->mark_size);
  if (attempt->outcome.mem)
    memcpy(attempt->outcome.bytes + sizeof attempt->given, &attempt->given, sizeof attempt->given);
}

static const unsigned char *expected_at(const struct attempt *attempt) {
  return (attempt->in_place ? attempt->in : attempt->out).bytes + attempt->lead * attempt->result_size;
}

// Results whose bits are not fixed, one in all.
static bool is_open(const struct attempt *attempt) {
  bool open = false;
  for (size_t i = 0; is_single(attempt) && i < attempt->of.result.count; i++)
    open = open || attempt->of.result.parts[i].open;
  return open;
}

// ---------------------------------------------------------------- The call

// A single result may be in host memory: the call waits for it, or the event does.
static bool is_in_memory(const struct attempt *attempt, uint64_t turn) {
  const clred_problem *problem = attempt->of.problem;
  return turn / 2 % 3 == 1 && !problem->scan && !has_outcome(problem) && !problem->histogram &&
         attempt->of.line_count == 1;
}

static void complete(struct attempt *attempt, bool in_memory, uint64_t turn) {
  const struct layout_case *of = &attempt->of;
  clred_call *call = &attempt->call;
  attempt->other_offset = call->in_offset + LAYOUT_OTHER_LEAD;
  call->in = attempt->in.mem;
  call->inputs = of->others ? &attempt->other.mem : NULL;
  call->input_offsets = of->others ? &attempt->other_offset : NULL;
  call->parameters = of->kept ? choice_parameters : of->sample && of->sample->parameter ? &of->sample->parameter : NULL;
  call->segments = attempt->marks.mem;
  call->out = attempt->in_place ? attempt->in.mem : in_memory ? NULL : attempt->out.mem;
  call->out_offset = in_memory ? 0 : attempt->lead;
  call->result = in_memory ? attempt->memory + MEMORY : NULL;
  call->initial_buffer = attempt->start.mem;
  call->keys_out = attempt->keys.mem;
  call->keys_out_offset = attempt->keys.mem ? attempt->lead : 0;
  call->outcome_buffer = attempt->outcome.mem;
  call->outcome_offset = attempt->outcome.mem ? 1 : 0;
  call->blocking = has_outcome(of->problem) || (in_memory && turn % 2);
}

// A call may report an overflow only if a sum overflows. It must report it if it waits for the result.
static bool is_right(const struct attempt *attempt, cl_int err, bool waits) {
  const bool detects = attempt->of.problem->overflow == CLRED_OVERFLOW_DETECT;
  const bool overflows = detects && (!is_single(attempt) || attempt->of.result.parts[1].bits[0]);
  if (attempt->given.fault)
    return err == CLRED_INVALID_SEGMENTS;
  return err == CL_SUCCESS ? !(waits && overflows && is_single(attempt)) : err == CLRED_OVERFLOW && overflows;
}

// Some calls by the functions with fewer arguments.
static cl_int enqueue_some(struct run *run, const struct attempt *attempt, clred_plan *plan, uint64_t turn,
                           cl_event *event) {
  const clred_call *call = &attempt->call;
  const bool is_plain = attempt->of.problem->layout == CLRED_LAYOUT_LINE && call->out && !call->inputs &&
                        !call->parameters && !attempt->of.start && !attempt->of.problem->histogram;
  if (turn % 3 || !is_plain)
    return clred_enqueue(run->device->queue, plan, call, 0, NULL, event);
  return (attempt->of.problem->scan ? clred_enqueue_scan : clred_enqueue_reduce)(
    run->device->queue, plan, call->in, call->out, call->in_offset, call->out_offset, call->count, 0, NULL, event);
}

static bool enqueue(struct run *run, struct attempt *attempt, clred_plan *plan, uint64_t turn) {
  clred_outcome outcome = {99, 99};
  cl_event event = NULL;
  attempt->call.outcome = has_outcome(attempt->of.problem) ? &outcome : NULL;
  const bool waits = attempt->call.blocking;
  const bool wants_event = turn / 2 % 2 || (attempt->call.result && !waits);
  const cl_int err = enqueue_some(run, attempt, plan, turn, wants_event ? &event : NULL);
  const cl_int waited = event ? clWaitForEvents(1, &event) : CL_SUCCESS;
  if (event)
    clReleaseEvent(event);
  if (waited || !is_right(attempt, err, waits))
    return fail(attempt, clred_status_name(waited ? waited : err), clred_last_error(run->device->runtime));
  if (attempt->call.outcome && (outcome.count != attempt->given.count || outcome.fault != attempt->given.fault)) {
    snprintf(attempt->text, sizeof attempt->text, "the outcome is %" PRIu64 ", %" PRIu64 ", not %" PRIu64 ", %" PRIu64,
             (uint64_t)outcome.count, (uint64_t)outcome.fault, (uint64_t)attempt->given.count,
             (uint64_t)attempt->given.fault);
    return false;
  }
  return true;
}

// ---------------------------------------------------------------- After the call

// Compares `bytes` of results, which lie between MEMORY bytes that must not change.
static bool same_memory(struct attempt *attempt, const unsigned char *memory, size_t bytes, const char *where) {
  unsigned char fresh[MEMORY + STATE_MAX + MEMORY];
  char text[400];
  image_pattern(fresh, MEMORY);
  if (is_open(attempt) && !oracle_same(&attempt->of.result, memory + MEMORY, text, sizeof text))
    return fail(attempt, where, text);
  if (memcmp(memory, fresh, MEMORY) != 0)
    return fail(attempt, where, "bytes before the result were changed");
  for (size_t i = 0; i < bytes && !is_open(attempt); i++)
    if (memory[MEMORY + i] != expected_at(attempt)[i]) {
      snprintf(text, sizeof text, "byte %zu is 0x%02x, not 0x%02x", i, memory[MEMORY + i], expected_at(attempt)[i]);
      return fail(attempt, where, text);
    }
  return true;
}

static bool compare_memory(struct attempt *attempt) {
  unsigned char fresh[sizeof attempt->memory];
  const size_t end = MEMORY + attempt->result_size;
  image_pattern(fresh, sizeof fresh);
  if (memcmp(attempt->memory + end, fresh + end, sizeof fresh - end) != 0)
    return fail(attempt, "host memory", "bytes behind the result were changed");
  return same_memory(attempt, attempt->memory, attempt->result_size, "host memory");
}

// Results with open bits are between others that must not change.
static bool compare_open(struct run *run, struct attempt *attempt) {
  unsigned char got[STATE_MAX];
  const char *trouble =
    image_check_except(&attempt->out, run->device, attempt->lead * attempt->result_size, attempt->result_size, got);
  if (trouble)
    return fail(attempt, "results", trouble);
  memcpy(attempt->memory + MEMORY, got, attempt->result_size);
  return same_memory(attempt, attempt->memory, attempt->result_size, "result");
}

static bool compare(struct run *run, struct attempt *attempt, bool in_memory) {
  static const char *const names[] = {"elements", "further input", "offsets, flags or keys", "start", "keys_out",
                                      "outcome",  "results"};
  struct image *const images[] = {&attempt->in,   &attempt->other,   &attempt->marks, &attempt->start,
                                  &attempt->keys, &attempt->outcome, &attempt->out};
  const bool apart = in_memory || is_open(attempt);
  if (in_memory ? !compare_memory(attempt) : is_open(attempt) && !compare_open(run, attempt))
    return false;
  for (size_t i = 0; i < sizeof images / sizeof *images - apart; i++) {
    const char *trouble = images[i]->mem ? image_check(images[i], run->device) : NULL;
    if (trouble)
      return fail(attempt, names[i], trouble);
  }
  return true;
}

// The call on host memory. `input` keeps the address of the further input.
static clred_host_call host_call(const struct attempt *attempt, const void **input, void *out) {
  const struct layout_case *of = &attempt->of;
  *input = of->others ? of->others + attempt->other_offset * of->other_size : NULL;
  return (clred_host_call)CALL(.in = of->elements + of->call.in_offset * of->size, .inputs = input,
                               .parameters = attempt->call.parameters, .count = of->call.count, .initial = of->start,
                               .out = out, .stride = of->call.stride, .rows = of->call.rows,
                               .row_stride = of->call.row_stride, .columns = of->call.columns);
}

// The library's reference of a line, and every fourth time a call on host memory.
static bool compare_host(struct run *run, struct attempt *attempt, clred_plan *plan, uint64_t turn) {
  const struct layout_case *of = &attempt->of;
  const bool called = turn % 4 == 0 && !of->start && !of->problem->reversed;
  const char *where = called ? "clred_plan_run_host" : "clred_plan_reference";
  const void *input;
  cl_ulong kept = of->kept_count;
  clred_host_call call = host_call(attempt, &input, attempt->on_host + MEMORY);
  const size_t results = of->kept                 ? of->kept_count
                         : of->problem->histogram ? of->problem->histogram->bins
                         : of->problem->scan      ? of->call.count
                                                  : 1;
  const size_t bytes = results * attempt->result_size;
  if (of->problem->layout != CLRED_LAYOUT_LINE || bytes > HOST_BYTES || of->call.count > HOST_COUNT ||
      (of->sample && !of->sample->op.host) ||
      (of->kept && (!called || of->call.count * attempt->result_size > HOST_BYTES)))
    return true;
  call.kept = of->kept ? &kept : NULL;
  image_pattern(attempt->on_host, sizeof attempt->on_host);
  const cl_int err = called ? clred_plan_run_host(run->device->queue, plan, &call) : clred_plan_reference(plan, &call);
  if (!is_right(attempt, err, called))
    return fail(attempt, where, clred_status_name(err));
  if (kept != of->kept_count)
    return fail(attempt, where, "the number of kept elements");
  return same_memory(attempt, attempt->on_host, bytes, where);
}

// A small call on host memory, in any layout, which the host computes. All memory must be as after the device's call.
static bool compare_small(struct run *run, struct attempt *attempt, clred_plan *plan) {
  const struct layout_case *of = &attempt->of;
  const void *input;
  if (!plan || attempt->in_place || is_open(attempt) || of->call.out_stride || of->length > SMALL)
    return true;
  unsigned char *got = oracle_claim(attempt->out.size, 1);
  image_pattern(got, attempt->out.size);
  const clred_host_call call = host_call(attempt, &input, got + attempt->lead * attempt->result_size);
  const cl_int err = clred_plan_run_host(run->device->queue, plan, &call);
  bool same = is_right(attempt, err, true) || fail(attempt, "by the host", clred_last_error(run->with_host));
  for (size_t i = 0; same && i < attempt->out.size; i++)
    same = got[i] == attempt->out.bytes[i] || fail(attempt, "by the host", "other bytes");
  free(got);
  return same;
}

static bool compare_near(struct run *run, struct attempt *attempt, bool in_memory) {
  const clred_problem *problem = attempt->of.problem;
  char text[400];
  if (!layout_is_builtin(problem) || layout_is_exact(problem) || problem->scan ||
      (!run->thorough && attempt->of.flavour != SCALED) || finds_runs(problem))
    return true;
  const unsigned char *results = in_memory || is_open(attempt) ? attempt->memory + MEMORY : expected_at(attempt);
  return layout_case_near(&attempt->of, attempt->result_size, results, text, sizeof text) ||
         fail(attempt, "exact values", text);
}

static const char *overwrite(struct run *run, struct image *out) {
  unsigned char *const expected = out->bytes;
  out->bytes = oracle_claim(out->size, 1);
  image_pattern(out->bytes, out->size);
  const char *trouble = image_upload(out, run->device);
  free(out->bytes);
  out->bytes = expected;
  return trouble;
}

// The same long call again and again. Results are overwritten before each.
static bool repeat(struct run *run, struct attempt *attempt, clred_plan *plan, uint64_t turn) {
  const time_t begun = time(NULL);
  bool passed = true;
  for (uint64_t i = 1; passed && i < run->runs && attempt->out.mem && 2 * attempt->call.count > run->sizes.most; i++) {
    if (run->repeat_seconds && difftime(time(NULL), begun) >= (double)run->repeat_seconds)
      break;
    const char *trouble = overwrite(run, &attempt->out);
    passed = trouble ? fail(attempt, "before the call", trouble)
                     : enqueue(run, attempt, plan, turn) && compare(run, attempt, false);
  }
  return passed;
}

// ---------------------------------------------------------------- Shapes

static void show(const struct run *run, const struct combination *named, const struct attempt *attempt,
                 const struct layout_shape *shape) {
  const clred_call *call = &attempt->call;
  const char *pattern =
    (const char *const[]){"empty",     "ones",         "few",   "sixteens",   "sixty-fours", "mixed",
                          "power law", "around tiles", "giant", "one of all", "no pattern"}[shape->pattern];
  printf("FAILED %s --full --filter \"%s\" count %" PRIu64 " offset %" PRIu64 " stride %" PRIu64 " rows %" PRIu64
         " by %" PRIu64 " columns %" PRIu64 " out %" PRIu64 " by %" PRIu64 ", %s, %s%s%s, results of %zu bytes: %.*s\n",
         run->program, named->name, (uint64_t)call->count, (uint64_t)call->in_offset, (uint64_t)call->stride,
         (uint64_t)call->rows, (uint64_t)call->row_stride, (uint64_t)call->columns, attempt->lead,
         (uint64_t)call->out_stride, pattern, flavour_names[shape->flavour], attempt->in_place ? ", in place" : "",
         attempt->of.start ? ", start" : "", attempt->result_size, (int)strcspn(attempt->text, "\n"), attempt->text);
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

static bool attempt_call(struct run *run, struct attempt *attempt, clred_plan *plan, clred_plan *with_host,
                         const clred_plan_info *info, uint64_t turn) {
  oracle_tree tree;
  make_room(attempt, turn);
  const bool in_memory = is_in_memory(attempt, turn);
  const char *trouble = upload_inputs(run, attempt);
  if (!trouble)
    trouble = make_outputs(run, attempt);
  if (!trouble)
    trouble = make_start(run, attempt, info->state_size, info->group_size && turn % 3 == 2);
  if (!trouble)
    trouble = tree_of(run, plan, attempt, info, &tree);
  if (trouble)
    return fail(attempt, "before the call", trouble);
  complete(attempt, in_memory, turn);
  expect(attempt, plan, &tree);
  return enqueue(run, attempt, plan, turn) && compare(run, attempt, in_memory) &&
         compare_near(run, attempt, in_memory) && compare_host(run, attempt, plan, turn) &&
         compare_small(run, attempt, with_host) && (in_memory || repeat(run, attempt, plan, turn));
}

static bool check_shape(struct run *run, const struct combination *named, clred_plan *plan, clred_plan *with_host,
                        const struct layout_shape *shape, bool shown) {
  static struct attempt attempt;
  clred_plan_info info = {0};
  const uint64_t turn = run->calls++;
  memset(&attempt, 0, sizeof attempt);
  layout_case_make(&attempt.of, &named->problem, shape, turn);
  clred_plan_inspect(plan, attempt.of.call.count, &info);
  attempt.result_size = info.result_size;
  const bool passed = attempt_call(run, &attempt, plan, with_host, &info, turn);
  if (!passed && shown)
    show(run, named, &attempt, shape);
  struct image *const images[] = {&attempt.in,  &attempt.other, &attempt.marks,  &attempt.start,
                                  &attempt.out, &attempt.keys,  &attempt.outcome};
  for (size_t i = 0; i < sizeof images / sizeof *images; i++)
    image_release(images[i]);
  layout_case_release(&attempt.of);
  return passed;
}

// Special values that the type has; for selections, patterns. The sum of extremes overflows in one order and not in
// another, so an open order has no expected result.
static bool has_flavour(const clred_problem *problem, const struct layout_shape *shape) {
  const clred_type type = oracle_component(layout_type(problem));
  if (problem->selection || problem->histogram)
    return problem->histogram ? shape->flavour <= ZEROS : (int)shape->flavour < CHOICE_PATTERNS;
  switch (shape->flavour) {
  case PLAIN:
    return true;
  case ZEROS:
    return layout_type(problem) != CLRED_TYPE_NONE;
  case EXTREMES:
    return layout_type(problem) && !layout_is_exact(problem) &&
           !(is_open_order(problem) && oracle_order_matters(problem));
  case SCALED:
    return layout_type(problem) && !layout_is_exact(problem) && !oracle_is_complex(problem->type) &&
           !is_open_order(problem) && problem->op != CLRED_OP_LOGSUMEXP;
  default:
    return oracle_is_floating(type) && !layout_is_exact(problem);
  }
}

// The oracle divides long integers for each prefix of these.
static bool is_slow(const clred_problem *problem) {
  return problem->scan && (problem->op == CLRED_OP_STATS || problem->op == CLRED_OP_MEAN) &&
         !oracle_is_floating(problem->type);
}

// Results of scans must not overlap, and those in place are where the elements are.
static bool is_allowed(const clred_problem *problem, struct layout_shape *shape) {
  clred_call *call = &shape->call;
  if (!problem->scan || problem->in_place)
    call->out_stride = 0;
  if (!shape->every_flavour && !has_flavour(problem, shape))
    shape->flavour = PLAIN;
  if (!has_flavour(problem, shape) || (is_slow(problem) && call->count > SHORT))
    return false;
  if (problem->layout == CLRED_LAYOUT_STRIDED)
    return call->stride || !problem->in_place;
  if (!problem->scan || call->count < 2)
    return true;
  return problem->layout == CLRED_LAYOUT_COLUMNS ? call->stride >= call->columns
                                                 : call->row_stride == 0 || call->row_stride >= call->count;
}

// Short scans of lines have three calls each: with each kind of start.
static unsigned check_shapes(struct run *run, const struct combination *one, clred_plan *plan, clred_plan *with_host) {
  struct layout_sizes sizes = run->sizes;
  struct layout_shape shape;
  unsigned failures = 0;
  run->calls = 0;
  if (one->problem.count_max && one->problem.count_max < sizes.most)
    sizes.most = one->problem.count_max;
  for (size_t i = 0; layout_shape_at(one->problem.layout, i, &sizes, &shape); i++) {
    const bool again = one->problem.scan && one->problem.layout <= CLRED_LAYOUT_STRIDED && shape.flavour == PLAIN &&
                       shape.call.count <= SHORT;
    for (int call = 0; call < (again ? 3 : 1); call++)
      if (shape.call.count <= sizes.most && is_allowed(&one->problem, &shape))
        failures += !check_shape(run, one, plan, with_host, &shape, failures < LINES_SHOWN);
  }
  if (failures > LINES_SHOWN)
    printf("FAILED %s at %u more\n", one->name, failures - LINES_SHOWN);
  return failures;
}

// ---------------------------------------------------------------- What a device may refuse

// Atomics work on one state of 4 bytes, or of 8 bytes if the device has such atomics. A product of floats has an
// exponent of the size of its value beside it.
static bool lacks_atomics(const struct device *device, const clred_problem *problem) {
  oracle_result result;
  oracle_parts(problem, &result);
  if (!is_open_order(problem))
    return false;
  if (result.count > 1 || result.parts[0].components > 1)
    return true;
  if (ORACLE_IS_ONE(problem->op, ORACLE_MOMENTS, CLRED_OP_NORM2, CLRED_OP_LOGSUMEXP))
    return true;
  const clred_type type = result.parts[0].type;
  const size_t bytes = oracle_size(type) * (problem->op == CLRED_OP_PROD && oracle_is_floating(type) ? 2 : 1);
  return bytes > 8 || (bytes == 8 && (!device_has_extension(device, "cl_khr_int64_base_atomics") ||
                                      !device_fact(device, "int64_atomics", 1)));
}

// Groups of one value leave as many partials as values, so relaunching would never end.
static bool never_ends(const struct device *device, const clred_problem *problem) {
  return strncmp(problem->strategy, "global_", 7) == 0 && problem->finish && strcmp(problem->finish, "relaunch") == 0 &&
         device_fact(device, "max_work_group_size", 2) == 1;
}

// Scans need local memory, groups that the device has, and in place a fence; if loops end early, groups must not wait
// for each other. Other strategies may permute elements, need a state that atomics can have, or their group size.
static bool is_reason(const struct device *device, const clred_problem *problem, const char *message) {
  static const char *const reasons[] = {"loop_trips",       "local_mem_size",      "group_size",
                                        "does not commute", "finish atomic needs", "atomic needs"};
  const size_t first = problem->scan ? 0 : 2, end = problem->scan ? 3 : problem->custom || problem->list ? 6 : 3;
  for (size_t i = first; i < end; i++)
    if (strstr(message, reasons[i]))
      return true;
  return problem->in_place && !device_fact(device, "device_fence", 1) && strstr(message, "device_fence");
}

// Whether the device may refuse the problem with this status and message.
static bool expect_refusal(const struct device *device, const clred_problem *problem, cl_int status,
                           const char *message) {
  const bool builtin = !problem->custom && !problem->list;
  switch (status) {
  case CLRED_OPERATOR_TYPE:
    return builtin && !oracle_defined(problem) && *message;
  case CLRED_TYPE_NOT_SUPPORTED:
    return (!builtin || oracle_needs_fp64(problem)) && !device_has_fp64(device) && *message;
  case CLRED_STRATEGY_REFUSED:
    if (!problem->strategy)  // auto finds one on any device, if its loops are long enough
      return strstr(message, "fact loop_trips") != NULL;
    return is_reason(device, problem, message) ||
           (builtin && *message && (lacks_atomics(device, problem) || never_ends(device, problem)));
  default:
    return false;
  }
}

// ---------------------------------------------------------------- What a plan must report

// A scalar of the result. A complex number may be one part or two.
struct scalar {
  clred_type type;
  size_t offset;
};

#define SCALARS_MAX 32

static size_t add_scalars(struct scalar *list, size_t count, clred_type type, size_t offset) {
  const clred_type one = oracle_component(type);
  for (unsigned i = 0; i < oracle_components(type) && count < SCALARS_MAX; i++)
    list[count++] = (struct scalar){one, offset + i * oracle_size(one)};
  return count;
}

static size_t scalars_expected(const oracle_result *result, struct scalar *list) {
  size_t count = 0;
  for (size_t i = 0; i < result->count; i++)
    count = add_scalars(list, count, result->parts[i].type, oracle_offset(result, i));
  return count;
}

static size_t scalars_reported(const clred_plan *plan, struct scalar *list) {
  clred_part part;
  size_t count = 0;
  for (size_t i = 0; clred_plan_part(plan, i, &part) == CL_SUCCESS; i++)
    count = add_scalars(list, count, part.type, part.offset);
  return count;
}

static bool same_scalars(const oracle_result *result, const clred_plan *plan) {
  struct scalar expected[SCALARS_MAX], reported[SCALARS_MAX];
  const size_t count = scalars_expected(result, expected);
  if (scalars_reported(plan, reported) != count)
    return false;
  for (size_t i = 0; i < count; i++)
    if (expected[i].type != reported[i].type || expected[i].offset != reported[i].offset)
      return false;
  return true;
}

static bool same_names(const clred_problem *problem, const oracle_result *result, const clred_plan *plan) {
  clred_part part;
  for (size_t i = 0; i < result->count && !oracle_is_complex(problem->type); i++)
    if (clred_plan_part(plan, i, &part) != CL_SUCCESS || strcmp(part.name, result->parts[i].name) != 0)
      return false;
  return true;
}

// If no name is wanted, the library chooses one.
static bool same_name(const char *reported, const char *wanted) {
  return !wanted || (reported && strcmp(reported, wanted) == 0);
}

// Whether the plan reports the strategy, the finish and the parts of this problem; otherwise a message is in `text`.
static bool expect_plan(const clred_problem *problem, const clred_plan *plan, char *text, size_t size) {
  oracle_result result;
  clred_plan_info info;
  const char *wrong = NULL;
  const cl_int err = clred_plan_inspect(plan, 1, &info);
  oracle_parts(problem, &result);
  if (err != CL_SUCCESS)
    wrong = clred_status_name(err);
  else if (!same_name(info.strategy, problem->strategy) || !same_name(info.finish, problem->finish))
    wrong = "strategy or finish is another";
  else if (info.result_type != (result.count == 1 ? result.parts[0].type : CLRED_TYPE_NONE))
    wrong = "result_type is another";
  else if (info.result_size != oracle_offset(&result, result.count) || info.element_size != oracle_size(problem->type))
    wrong = "the size of results or elements is another";
  else if (info.portable != (problem->op != CLRED_OP_LOGSUMEXP))
    wrong = "portable is another";
  else if (!same_scalars(&result, plan))
    wrong = "the parts have other types or places";
  else if (!same_names(problem, &result, plan))
    wrong = "the parts have other names";
  if (wrong)
    snprintf(text, size, "clred_plan_inspect or clred_plan_part: %s", wrong);
  return !wrong;
}

// ---------------------------------------------------------------- One problem

static bool check_plan(const struct combination *one, const clred_plan *plan) {
  char text[300] = "";
  const bool right = !layout_is_builtin(&one->problem) || layout_is_exact(&one->problem) ||
                     expect_plan(&one->problem, plan, text, sizeof text);
  if (!right)
    printf("FAILED %s: %s\n", one->name, text);
  return right;
}

// The host computes built-in operators over lines, rows and columns, if the problem names no strategy.
static clred_plan *plan_with_host(const struct run *run, const clred_problem *problem) {
  clred_plan *plan = NULL;
  const bool may = run->with_host && !problem->strategy && !problem->finish && !problem->custom &&
                   !problem->selection && !problem->histogram && problem->layout <= CLRED_LAYOUT_COLUMNS;
  return may && clred_plan_create(run->with_host, problem, &plan) == CL_SUCCESS ? plan : NULL;
}

enum outcome run_combination(struct run *run, const struct combination *one) {
  clred_problem problem = one->problem;
  clred_plan *plan = NULL;
  if (!problem.count_max)
    problem.count_max = run->sizes.most;
  const cl_int err = clred_plan_create(run->device->runtime, &problem, &plan);
  const char *message = clred_last_error(run->device->runtime);
  // No device could do it.
  const bool anywhere = err == CLRED_OPERATOR_TYPE || strstr(message, "does not commute");
  if (err != CL_SUCCESS && expect_refusal(run->device, &problem, err, message)) {
    if (!anywhere)
      printf("skipped %s: %.*s\n", one->name, (int)strcspn(message, "\n"), message);
    return anywhere ? PASSED : SKIPPED;
  }
  const bool right = err == CL_SUCCESS && (!layout_is_builtin(&problem) || oracle_defined(&problem));
  if (!right)
    printf("FAILED %s: clred_plan_create gave %s: %.*s\n", one->name, clred_status_name(err),
           (int)strcspn(message, "\n"), message);
  clred_plan *with_host = right ? plan_with_host(run, &problem) : NULL;
  const bool passed = right && check_plan(one, plan) && check_shapes(run, one, plan, with_host) == 0;
  RELEASE(plan, with_host);
  return passed ? PASSED : FAILED;
}
