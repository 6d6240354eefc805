// Plans and calls: each strategy, layout, delivery and way to wait.
#include "scenario.h"

#include <stdio.h>
#include <string.h>

// No element, state or result has more bytes.
#define WIDEST 16
#define BEGIN 5

// ---------------------------------------------------------------- Data

static cl_uint is_wanted(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                         void *user_data) {
  (void)index, (void)inputs, (void)parameters, (void)user_data;
  return *(const cl_int *)element > 20;
}

const clred_selection larger = {.name = "larger", .keep = "x > 20", .host = is_wanted};

static const double edges[] = {0, 3, 10, 49};
const clred_histogram three_bins = {.bins = 3, .edges = edges};

static const clred_operand with_input[] = {{"weight", "int", 4}};
static const clred_operand with_parameter[] = {{"shift", "long", 8}};
const clred_operator weighted =
  OPERATOR(.name = "weighted", .element = "int", .state = "{ long sum; long weight; }", .result = "long",
           .identity = "{ 0, 0 }", .lift = "MAKE(x * weight + shift, weight)",
           .combine = "MAKE(a.sum + b.sum, a.weight + b.weight)", .lower = "s.sum * 1000 + s.weight",
           .inputs = with_input, .input_count = 1, .parameters = with_parameter, .parameter_count = 1,
           .commutative = CL_TRUE);
static const cl_long shift = 3;
const void *const weighted_parameters[] = {&shift};

void add_table(struct scenarios *all, const struct scenario *rows, size_t count) {
  memcpy(all->rows + all->count, rows, count * sizeof *rows);
  all->count += count;
}

static void fill_offsets(void *bytes, size_t size) {
  cl_uint *offsets = bytes;
  for (size_t i = 0; i < size / sizeof *offsets; i++)
    offsets[i] = (cl_uint)(i * 30 < NUMBERS ? i * 30 : NUMBERS);
}

static void fill_heads(void *bytes, size_t size) {
  for (size_t i = 0; i < size; i++)
    ((unsigned char *)bytes)[i] = i % 11 == 0;
}

static void fill_keys(void *bytes, size_t size) {
  cl_int *keys = bytes;
  for (size_t i = 0; i < size / sizeof *keys; i++)
    keys[i] = (cl_int)(i / 13);
}

static const char *make_images(struct bench *bench) {
  static void (*const fill[])(void *, size_t) = {NULL, fill_offsets, fill_heads, fill_keys};  // by segments_kind
  const struct scenario *row = bench->scenario;
  const size_t elements = (2 * NUMBERS + BEGIN) * sizeof(cl_int);
  const char *trouble = bench_image(bench, &bench->in, elements, fill_numbers);
  if (!trouble)
    trouble = bench_image(bench, &bench->second, elements, fill_numbers);
  if (!trouble && row->segments)
    trouble = bench_image(bench, &bench->segments, elements, fill[row->segments]);
  if (!trouble)
    trouble =
      bench_image(bench, &bench->out, (2 * NUMBERS + BEGIN) * WIDEST, row->flags & IN_PLACE ? fill_numbers : NULL);
  return trouble || !(row->flags & HAS_KEYS_OUT)
           ? trouble
           : bench_image(bench, &bench->keys, (NUMBERS + BEGIN) * sizeof(cl_int), NULL);
}

// Sets the bytes that a call may write.
static void mark_results(struct bench *bench, const clred_plan_info *info) {
  const struct scenario *row = bench->scenario;
  const size_t size = info->result_size * (row->results ? row->results : 1);
  bench->out_at = BEGIN * info->result_size;
  bench->out_size = row->flags & TO_RESULT ? 0 : size;
  bench->host_size = row->flags & TO_RESULT ? size : 0;
  bench->padding = row->flags & TO_RESULT && row->problem.overflow ? sizeof(cl_uint) : 0;
}

// ---------------------------------------------------------------- A plan

const char *open_queue(struct bench *bench) {
  const unsigned flags = bench->scenario->flags;
  const cl_command_queue_properties wanted = (flags & OUT_OF_ORDER ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
                                             (flags & PROFILES ? CL_QUEUE_PROFILING_ENABLE : 0);
  return wanted ? bench_open_queue(bench, wanted) : NULL;
}

static const char *open_row(struct bench *bench) {
  const char *trouble = make_images(bench);
  if (!trouble && bench->scenario->flags & ON_OTHER_QUEUE) {
    trouble = bench_open_queue(bench, 0);
    bench->other = bench->queue;
    bench->queue = bench->device.queue;
  }
  return trouble ? trouble : open_queue(bench);
}

const char *open_runtime(struct bench *bench) {
  return bench_open_runtime(bench, bench->scenario->assume);
}

const char *open_plan(struct bench *bench) {
  return bench_open_plan(bench, bench->scenario->assume, &bench->scenario->problem);
}

static cl_int make_plan(struct bench *bench) {
  clred_problem problem = bench->scenario->problem;
  problem.profile = (bench->scenario->flags & PROFILES) != 0;
  return clred_plan_create(bench->runtime, &problem, &bench->plan);
}

// ---------------------------------------------------------------- A call

static clred_call call_of(struct bench *bench, const cl_mem *inputs, const cl_long *initial) {
  const struct scenario *row = bench->scenario;
  clred_call call = row->call;
  call.in = row->flags & IN_PLACE ? bench->out.mem : bench->in.mem;
  call.in_offset = BEGIN;
  call.count = call.count ? call.count : NUMBERS;
  call.inputs = row->flags & HAS_INPUT ? inputs : NULL;
  call.segments = bench->segments.mem;
  call.keys_out = bench->keys.mem;
  call.blocking = (row->flags & BLOCKS) != 0;
  call.out = row->flags & TO_RESULT ? NULL : bench->out.mem;
  call.out_offset = row->flags & TO_RESULT ? 0 : BEGIN;
  call.result = row->flags & TO_RESULT ? bench->host.bytes + GUARD : NULL;
  call.initial = row->flags & HAS_INITIAL ? initial : NULL;
  call.initial_buffer = row->flags & HAS_INITIAL_BUFFER ? bench->second.mem : NULL;
  call.outcome = row->flags & HAS_OUTCOME ? &bench->outcome : NULL;
  return call;
}

// With a status that is not CL_QUEUED the event is complete, or has failed.
static cl_event user_event(struct bench *bench, cl_int status) {
  cl_int err;
  cl_event event;
  bench_pause(bench, true);
  event = clCreateUserEvent(bench->device.context, &err);
  if (status != CL_QUEUED)
    clSetUserEventStatus(event, status);
  bench_pause(bench, false);
  return event;
}

static void release_events(struct bench *bench, cl_event events[2]) {
  bench_pause(bench, true);
  for (int i = 0; i < 2 && events[i]; i++)
    clReleaseEvent(events[i]);
  bench_pause(bench, false);
}

// The call and the wait for its event.
static cl_int run_call(struct bench *bench, cl_command_queue queue, unsigned has) {
  const cl_long initial[2] = {1000, 0};
  cl_event event = NULL, events[2] = {NULL, NULL};
  clred_call call = call_of(bench, &bench->second.mem, initial);
  if (has & WAITS)
    events[0] = user_event(bench, CL_COMPLETE), events[1] = user_event(bench, CL_COMPLETE);
  cl_int status = clred_enqueue(queue, bench->plan, &call, has & WAITS ? 2 : 0, has & WAITS ? events : NULL,
                                has & ASKS_EVENT ? &event : NULL);
  const cl_int ended = bench_resolve(bench, event);
  release_events(bench, events);
  return status ? status : ended;
}

// CL_SUCCESS if the call ended in an error, as it must.
static cl_int call_in_vain(struct bench *bench) {
  const bool later = bench->scenario->flags & EVENT_FAILS_LATER;
  cl_event event = NULL, events[2] = {user_event(bench, later ? CL_QUEUED : CL_OUT_OF_RESOURCES), NULL};
  const clred_call call = call_of(bench, NULL, NULL);
  const cl_int status = clred_enqueue(bench->queue, bench->plan, &call, 1, events, &event);
  if (later)
    PAUSED(bench, clSetUserEventStatus(events[0], CL_OUT_OF_RESOURCES));
  const cl_int ended = bench_resolve(bench, event);
  release_events(bench, events);
  return status || ended ? CL_SUCCESS : CLRED_WRONG_RESULT;
}

static cl_int check_seconds(struct bench *bench) {
  double seconds = -1;
  const cl_int status = clred_plan_seconds(bench->plan, &seconds);
  bench->is_silent = true;
  return status || seconds >= 0 ? status : CLRED_WRONG_RESULT;
}

static cl_int call(struct bench *bench) {
  const unsigned has = bench->scenario->flags;
  cl_int status = CL_SUCCESS;
  if (has & ON_OTHER_QUEUE)
    status = run_call(bench, bench->other, has & ~(unsigned)(ASKS_EVENT | WAITS));
  if (has & (EVENT_HAS_FAILED | EVENT_FAILS_LATER))
    status = call_in_vain(bench);
  if (!status)
    status = run_call(bench, bench->queue, has);
  return status || !(has & PROFILES) ? status : check_seconds(bench);
}

// ---------------------------------------------------------------- The two scenarios of a row

static cl_int act_making(struct bench *bench) {
  clred_plan_info info;
  cl_int status = make_plan(bench);
  if (!status)
    status = clred_plan_inspect(bench->plan, NUMBERS, &info);
  if (!status)
    mark_results(bench, &info);
  if (!status)
    status = call(bench);
  bench_begin_release(bench);
  clred_plan_release(bench->plan);
  bench->plan = NULL;
  return status;
}

static const char *open_calling(struct bench *bench) {
  clred_plan_info info;
  const char *trouble = open_row(bench);
  if (!trouble)
    trouble = open_runtime(bench);
  if (!trouble && (make_plan(bench) || clred_plan_inspect(bench->plan, NUMBERS, &info)))
    return bench_say(bench, "no plan: %s", clred_last_error(bench->runtime));
  if (!trouble)
    mark_results(bench, &info);
  return trouble;
}

static struct scenario *add_named(struct scenarios *all, const struct scenario *row, const char *what) {
  struct scenario *added = &all->rows[all->count++];
  *added = *row;
  snprintf(added->name, sizeof added->name, "%.50s: %s", row->name, what);
  if (!(row->flags & (OUT_OF_ORDER | WAITS)) || row->flags & ON_OTHER_QUEUE)
    added->flags |= UNSEEN_LATE;
  return added;
}

// A lack of memory for the build log is no failure.
static void add_making(struct scenarios *all, const struct scenario *row) {
  struct scenario *making = add_named(all, row, "plan");
  making->forgives = "clGetProgramBuildInfo clGetEventInfo";
  making->forgives_memory = 2;
  making->open = open_row;
  making->before = open_runtime;
  making->act = act_making;
  making->after = bench_release;
}

// ---------------------------------------------------------------- The table

#define SUM SUM_OF_INTS, .count_max = NUMBERS
#define SUMS SUM, SCAN(EXCLUSIVE)
#define KEPT .type = CLRED_TYPE_INT, .selection = &larger, .count_max = NUMBERS
#define BY_OFFSETS LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT
#define BY_KEYS LAYOUT(KEYS), .segment_type = CLRED_TYPE_INT
#define FAILS_LATER .flags = EVENT_FAILS_LATER | TO_RESULT | ASKS_EVENT
#define HAS_FAILED .flags = EVENT_HAS_FAILED | TO_RESULT | ASKS_EVENT

static const clred_op listed[] = {CLRED_OP_SUM, CLRED_OP_ARGMIN};
static const clred_operator longest = {
  .name = "longest", .element = "int", .state = "int", .identity = "0", .combine = "max(a, b)"};
static const clred_histogram equal_bins = {.bins = 10, .low = 0, .high = 50};
static const clred_histogram weighted_bins = {.bins = 10, .low = 0, .high = 50, .weight_type = CLRED_TYPE_FLOAT},
                             two_axes = {.bins = 2, .low = 0, .high = 50, .next = &equal_bins};

static const struct scenario rows[] = {
  // Every finish, place of the result and way of waiting.
  ROW(.name = "chunked", .problem = {SUM}, .flags = TO_RESULT | BLOCKS),
  ROW(.name = "chunked, an event", .problem = {SUM}, .flags = ASKS_EVENT | WAITS),
  ROW(.name = "chunked, no event", .problem = {SUM}),
  ROW(.name = "chunked, read later", .problem = {SUM}, .flags = TO_RESULT | ASKS_EVENT),
  ROW(.name = "chunked, out of order", .problem = {SUM}, .flags = OUT_OF_ORDER | ASKS_EVENT | WAITS),
  ROW(.name = "chunked, two in flight", .problem = {SUM, .in_flight = 2}, .flags = TO_RESULT | BLOCKS | WAITS),
  ROW(.name = "chunked, two queues", .problem = {SUM}, .flags = ON_OTHER_QUEUE | ASKS_EVENT),
  ROW(.name = "chunked, two queues and a wait list", .problem = {SUM}, .flags = ON_OTHER_QUEUE | ASKS_EVENT | WAITS),
  ROW(.name = "chunked, times", .problem = {SUM}, .flags = PROFILES | ASKS_EVENT),
  ROW(.name = "chunked, relaunch", .problem = {SUM, .finish = "relaunch"}, .flags = ONLY_IN_FULL | TO_RESULT | BLOCKS),
  ROW(.name = "chunked, host", .problem = {SUM, .finish = "host"}, .flags = ASKS_EVENT | WAITS),
  ROW(.name = "wide", .assume = "cpu=0", .problem = {SUM}, .flags = ONLY_IN_FULL | TO_RESULT | BLOCKS),
  ROW(.name = "wide, relaunch", .assume = "cpu=0", .problem = {SUM, .finish = "relaunch"},
      .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "wide, host", .assume = "cpu=0", .problem = {SUM, .finish = "host"},
      .flags = TO_RESULT | BLOCKS | OUT_OF_ORDER | WAITS),
  ROW(.name = "host_serial", .problem = {SUM, .strategy = "host_serial"}, .flags = ASKS_EVENT | WAITS),
  ROW(.name = "bottom_up", .problem = {SUM, .strategy = "bottom_up"}, .call = {.count = 40},
      .flags = TO_RESULT | BLOCKS | OUT_OF_ORDER),
  ROW(.name = "hand_off", .problem = {SUM, .strategy = "hand_off"}, .flags = ONLY_IN_FULL | TO_RESULT | BLOCKS),
  ROW(.name = "atomic", .problem = {SUM, .strategy = "atomic"}, .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "local_sequential, last_group", .problem = {SUM, .strategy = "local_sequential", .finish = "last_group"},
      .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "a trial", .problem = {SUM, .strategy = "local_sequential", .group_size = 64}, .flags = ASKS_EVENT,
      .pretence = {.kernel_group_size = 1}),
  ROW(.name = "a trial that fails", .problem = {SUM, .strategy = "local_sequential"},
      .flags = ONLY_IN_FULL | ASKS_EVENT | TRIES, .pretence = {.kernel_group_size = 1}),
  ROW(.name = "dot", .problem = {OP(DOT, INT)}, .flags = TO_RESULT | BLOCKS | HAS_INPUT),
  ROW(.name = "overflow is detected", .problem = {SUM, .overflow = CLRED_OVERFLOW_DETECT}, .flags = TO_RESULT | BLOCKS),
  ROW(.name = "several operators", .problem = {.type = CLRED_TYPE_INT, .list = listed, .list_count = 2},
      .flags = TO_RESULT | BLOCKS),
  ROW(.name = "argmin", .problem = {OP(ARGMIN, INT)}, .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "a caller's operator", .problem = {.custom = &weighted}, .call = {.parameters = weighted_parameters},
      .flags = TO_RESULT | BLOCKS | HAS_INPUT),
  ROW(.name = "one that does not commute", .problem = {.custom = &longest}, .flags = ONLY_IN_FULL | ASKS_EVENT),
  // Rows, columns, strides, and histograms.
  ROW(.name = "strided", .problem = {SUM_OF_INTS, LAYOUT(STRIDED)}, .call = {.count = 1000, .stride = 3},
      .flags = ONLY_IN_FULL | ASKS_EVENT),
  ROW(.name = "rows", .problem = {SUM_OF_INTS, LAYOUT(ROWS)}, .call = {.count = 100, .rows = 30}, .flags = ASKS_EVENT,
      .results = 30),
  ROW(.name = "rows, wide", .assume = "cpu=0", .problem = {SUM_OF_INTS, LAYOUT(ROWS)},
      .call = {.count = 1500, .rows = 2}, .flags = ONLY_IN_FULL | ASKS_EVENT | WAITS, .results = 2),
  ROW(.name = "columns", .problem = {SUM_OF_INTS, LAYOUT(COLUMNS)},
      .call = {.count = 50, .rows = 1, .columns = 60, .stride = 60}, .flags = ASKS_EVENT, .results = 60),
  ROW(.name = "columns, wide", .assume = "cpu=0", .problem = {SUM_OF_INTS, LAYOUT(COLUMNS)},
      .call = {.count = 50, .rows = 1, .columns = 60, .stride = 60}, .flags = ONLY_IN_FULL | OUT_OF_ORDER | ASKS_EVENT,
      .results = 60),
  ROW(.name = "histogram", .problem = {.type = CLRED_TYPE_INT, .histogram = &equal_bins}, .flags = ASKS_EVENT,
      .results = 10),
  ROW(.name = "histogram, read", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins},
      .flags = ONLY_IN_FULL | TO_RESULT | BLOCKS, .results = 3),
  ROW(.name = "histogram_atomic",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &equal_bins, .strategy = "histogram_atomic"},
      .flags = ONLY_IN_FULL | ASKS_EVENT, .results = 10),
  ROW(.name = "histogram_local", .assume = "cpu=0", .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins},
      .flags = ONLY_IN_FULL | ASKS_EVENT | WAITS, .results = 3),
  ROW(.name = "histogram_host_serial",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &three_bins, .strategy = "histogram_host_serial"},
      .flags = ASKS_EVENT, .results = 3),
  ROW(.name = "histogram of weights", .problem = {.type = CLRED_TYPE_INT, .histogram = &weighted_bins},
      .flags = TO_RESULT | BLOCKS | HAS_INPUT, .results = 10),
  ROW(.name = "histogram of weights, host_serial",
      .problem = {.type = CLRED_TYPE_INT, .histogram = &weighted_bins, .strategy = "histogram_host_serial"},
      .flags = ASKS_EVENT | HAS_INPUT, .results = 10),
  ROW(.name = "histogram of two axes", .problem = {.type = CLRED_TYPE_INT, .histogram = &two_axes},
      .flags = ASKS_EVENT | HAS_INPUT, .results = 20),
  // Scans by every strategy, with every field of the call.
  ROW(.name = "scan_chunked", .problem = {SUMS}, .flags = ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan, initial state", .problem = {SUMS, .reversed = CL_TRUE},
      .flags = ONLY_IN_FULL | ASKS_EVENT | HAS_INITIAL, .results = NUMBERS),
  ROW(.name = "scan, initial buffer", .problem = {SUMS}, .flags = ASKS_EVENT | HAS_INITIAL_BUFFER | WAITS,
      .results = NUMBERS),
  ROW(.name = "scan_wide", .assume = "cpu=0", .problem = {SUMS}, .flags = ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan_wide, out of order", .assume = "cpu=0", .problem = {SUMS},
      .flags = ASKS_EVENT | WAITS | OUT_OF_ORDER, .results = NUMBERS),
  ROW(.name = "scan_wide, no event", .assume = "cpu=0", .problem = {SUMS}, .flags = ONLY_IN_FULL, .results = NUMBERS),
  ROW(.name = "scan_reduce_then_scan", .problem = {SUMS, .strategy = "scan_reduce_then_scan"}, .flags = ASKS_EVENT,
      .results = NUMBERS),
  ROW(.name = "scan_blelloch_recursive", .problem = {SUMS, .strategy = "scan_blelloch_recursive"},
      .flags = ONLY_IN_FULL | OUT_OF_ORDER | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan_host_serial", .problem = {SUMS, .strategy = "scan_host_serial"}, .flags = ASKS_EVENT | WAITS,
      .results = NUMBERS),
  ROW(.name = "scan in place", .problem = {OP(SUM, LONG), SCAN(INCLUSIVE), .in_place = CL_TRUE},
      .flags = ONLY_IN_FULL | IN_PLACE | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "scan of rows", .problem = {SUMS, LAYOUT(ROWS)}, .call = {.count = 100, .rows = 30}, .flags = ASKS_EVENT,
      .results = NUMBERS),
  ROW(.name = "scan of rows, wide", .assume = "cpu=0", .problem = {SUMS, LAYOUT(ROWS)},
      .call = {.count = 100, .rows = 30}, .flags = ONLY_IN_FULL | ASKS_EVENT, .results = NUMBERS),
  // Selections, segments, and runs by heads and keys: the device decides how many results there are.
  ROW(.name = "select", .problem = {KEPT}, .flags = BLOCKS | HAS_OUTCOME, .results = NUMBERS),
  ROW(.name = "select, an event", .problem = {KEPT, .indices = CL_TRUE}, .flags = ASKS_EVENT | HAS_OUTCOME | WAITS,
      .results = NUMBERS),
  ROW(.name = "select by look_back", .assume = "cpu=0", .problem = {KEPT},
      .flags = ONLY_IN_FULL | ASKS_EVENT | HAS_OUTCOME | OUT_OF_ORDER, .results = NUMBERS),
  ROW(.name = "select on the host", .problem = {KEPT, .strategy = "scan_host_serial"},
      .flags = BLOCKS | HAS_OUTCOME | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "segments", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 100}, .segments = OFFSETS,
      .flags = BLOCKS | HAS_OUTCOME, .results = 100),
  ROW(.name = "segments, wide", .assume = "cpu=0", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 100},
      .segments = OFFSETS, .flags = ONLY_IN_FULL | ASKS_EVENT | WAITS | OUT_OF_ORDER, .results = 100),
  ROW(.name = "no segments", .problem = {SUM, BY_OFFSETS}, .segments = OFFSETS, .flags = BLOCKS | HAS_OUTCOME | WAITS),
  ROW(.name = "one segment, read", .problem = {SUM, BY_OFFSETS}, .call = {.rows = 1}, .segments = OFFSETS,
      .flags = TO_RESULT | BLOCKS | HAS_OUTCOME),
  ROW(.name = "scan of segments", .problem = {SUM, SCAN(EXCLUSIVE), BY_OFFSETS}, .call = {.rows = 100},
      .segments = OFFSETS, .flags = ONLY_IN_FULL | ASKS_EVENT | HAS_OUTCOME, .results = NUMBERS),
  ROW(.name = "heads", .problem = {SUM, LAYOUT(HEADS)}, .segments = HEADS,
      .flags = ONLY_IN_FULL | BLOCKS | HAS_OUTCOME | ASKS_EVENT, .results = NUMBERS),
  ROW(.name = "keys", .problem = {SUM, BY_KEYS}, .segments = KEYS, .flags = HAS_OUTCOME | ASKS_EVENT | WAITS,
      .results = NUMBERS),
  ROW(.name = "keys, out of order", .problem = {SUM, BY_KEYS}, .segments = KEYS,
      .flags = HAS_OUTCOME | HAS_KEYS_OUT | ASKS_EVENT | OUT_OF_ORDER, .results = NUMBERS),
  ROW(.name = "keys, times", .problem = {SUM, BY_KEYS}, .segments = KEYS, .flags = ONLY_IN_FULL | PROFILES | ASKS_EVENT,
      .results = NUMBERS),
  // Events of the wait list that fail before or after the call, in every kind of queue.
  ROW(.name = "an event that fails later", .problem = {SUM}, FAILS_LATER),
  ROW(.name = "an event that fails later, out of order", .problem = {SUM}, FAILS_LATER | OUT_OF_ORDER),
  ROW(.name = "an event that has failed", .problem = {SUM}, HAS_FAILED | BLOCKS),
  ROW(.name = "an event that has failed, out of order", .problem = {SUM}, HAS_FAILED | OUT_OF_ORDER),
  ROW(.name = "an event that has failed, finish host", .problem = {SUM, .finish = "host"}, HAS_FAILED),
  ROW(.name = "an event that has failed, host_serial", .problem = {SUM, .strategy = "host_serial"}, HAS_FAILED),
  ROW(.name = "an event that has failed, bottom_up", .problem = {SUM, .strategy = "bottom_up"}, HAS_FAILED),
  ROW(.name = "an event that has failed, look_back", .assume = "cpu=0", .problem = {SUM, SCAN(EXCLUSIVE)},
      .flags = EVENT_HAS_FAILED | ASKS_EVENT, .results = NUMBERS),
};

// In the first scenario of a row, OpenCL calls fail while the plan is created; in the second one, while the plan is
// called. Rows with events that fail have the second one only.
void add_rows(struct scenarios *all) {
  for (const struct scenario *row = rows; row < rows + sizeof rows / sizeof *rows; row++) {
    const bool in_vain = row->flags & (EVENT_HAS_FAILED | EVENT_FAILS_LATER);
    if (!in_vain)
      add_making(all, row);
    struct scenario *calling = add_named(all, row, "call");
    calling->forgives = "clGetEventInfo";
    calling->flags &= ~(unsigned)TRIES;
    calling->open = open_calling;
    calling->act = call;
    calling->settles = row->problem.in_flight;
    // The first call fails anyway, so an injected failure in it may stay unreported. PoCL aborts if the library's
    // marker fails, too.
    if (in_vain)
      calling->flags |=
        DROPS | UNSEEN_LATE | (row->flags & OUT_OF_ORDER && row->flags & EVENT_FAILS_LATER ? UNDISTURBED : 0);
  }
}
