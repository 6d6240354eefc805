// Loops over devices, types, operators and sizes. For each of them all plans run alternately, so that other work on the
// machine slows all of them alike. Every result is compared with the library's reference on the host.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/progress.h"
#include "base/value.h"
#include "bench/bench.h"
#include "input/generate.h"
#include "operator/operation.h"
#include "verify/measure.h"
#include "verify/verify.h"

enum { USUAL_FIRST = 1 << 10, USUAL_FACTOR = 4, WARM_UP = 3, ENOUGH_RUNS = 5, CALLS_MAX = 1000, PAGE = 4096 };

static const double run_seconds = 2e-3;  // how long one run by the wall clock takes
static const double side_seconds = 2;    // a side that had ENOUGH_RUNS ends after this time

// A device, and the elements on it.
struct fixture {
  struct session session;       // its queue has profiling, for the device's clock
  cl_command_queue wall_queue;  // without profiling, which costs time on the host: for the wall clock
  cl_mem in;                    // the elements
  void *elements;               // the same in host memory
};

// A plan for each clock, and its times.
struct side {
  struct bench_row *row;
  const struct fixture *fixture;
  clred_op op;
  clred_type type;
  clred_plan *plans[BENCH_CLOCKS];
  clred_plan_info info;
  clred_call call;
  unsigned char *result, *right;  // the last result; the reference, set if `checked`
  bool checked;
  double *seconds[BENCH_CLOCKS];
  size_t count[BENCH_CLOCKS];
  double spent;
};

struct measuring {
  struct bench_report *report;
  const struct bench_request *request;
  struct progress progress;
  uint64_t done, total;  // cases
  const struct device *device;
  const clred_type_info *type;
  struct bench_sizes sizes;
  struct fixture fixture;
};

static int failed(cl_int status, const char *call) {
  return status ? fail_opencl(call, status, "the results of a timed call") : EXIT_DONE;
}

// ---- The check of each run

// Compares part by part, because the padding between parts is undefined.
static bool same_parts(const struct side *side) {
  clred_part part;
  for (size_t i = 0; clred_plan_part(side->plans[BENCH_WALL], i, &part) == CL_SUCCESS; i++)
    if (!value_same(part.type, side->right + part.offset, side->result + part.offset))
      return false;
  return true;
}

// True if the result is within the bounds of docs/numerics.md. It checks operators whose bits may differ.
static bool within_bounds(const struct side *side) {
  const struct samples samples = {
    .type = side->type, .stride = side->info.element_size, .x = side->fixture->elements, .count = side->call.count};
  const clred_type_info result = type_info(side->info.result_type);
  struct measured measured;
  const bool fixed = strcmp(side->info.order, "any") != 0 && side->info.portable;
  if (fixed || result.components != 1 || type_info(side->type).components != 1)
    return false;
  const double value = number_as_double(result.type, side->result);
  return measure(side->op, "", &samples, result.type, value, verify_depth(&side->info, samples.count), &measured) &&
         measure_allows(&measured, result.type, value);
}

static int check(struct side *side) {
  const clred_host_call call = {.in = side->fixture->elements, .count = side->call.count, .out = side->right};
  cl_int status = CL_SUCCESS;
  if (!side->checked)
    status = clred_plan_reference(side->plans[BENCH_WALL], &call);
  side->checked = true;
  side->row->correct = side->row->correct && (same_parts(side) || within_bounds(side));
  return status ? fail_library(status, NULL) : EXIT_DONE;
}

// ---- Runs

static int time_calls(const struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct session *session = &side->fixture->session;
  cl_command_queue queue = clock == BENCH_DEVICE ? session->queue : side->fixture->wall_queue;
  cl_int finished = clFinish(queue), status = CL_SUCCESS;
  const double begun = seconds_now();
  for (uint64_t i = 0; i < calls && status == CL_SUCCESS; i++)
    status = clred_enqueue(queue, side->plans[clock], &side->call, 0, NULL, NULL);
  if (finished == CL_SUCCESS)
    finished = clFinish(queue);
  *seconds = (seconds_now() - begun) / (double)calls;
  if (status == CL_SUCCESS && finished != CL_SUCCESS)
    return failed(finished, "clFinish");
  if (status == CL_SUCCESS && clock == BENCH_DEVICE)
    status = session_kernel_seconds(side->plans[clock], seconds);
  return session_check(session, status);
}

// Sets all bits of the result before the run. So a run that writes nothing has a wrong result.
static int side_run(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  cl_command_queue queue = side->fixture->wall_queue;
  const size_t size = side->info.result_size;
  memset(side->result, 0xff, size);
  int code = failed(clEnqueueWriteBuffer(queue, side->call.out, CL_TRUE, 0, size, side->result, 0, NULL, NULL),
                    "clEnqueueWriteBuffer");
  code = code ? code : time_calls(side, clock, calls, seconds);
  if (!code)
    code = failed(clEnqueueReadBuffer(queue, side->call.out, CL_TRUE, 0, size, side->result, 0, NULL, NULL),
                  "clEnqueueReadBuffer");
  return code ? code : check(side);
}

// ---- Opening and closing

static void side_close(struct side *side) {
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    clred_plan_release(side->plans[clock]);
  buffer_release(side->call.out);
  free(side->result);
}

// Any failure but a refusal ends the run.
static int make_plans(struct side *side, clred_problem problem) {
  const struct session *session = &side->fixture->session;
  struct bench_row *row = side->row;
  for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
    problem.profile = clock == BENCH_DEVICE;
    const cl_int status = session_plan(session, &problem, &side->plans[clock]);
    if (status == CLRED_STRATEGY_REFUSED || status == CLRED_TYPE_NOT_SUPPORTED || status == CLRED_OPERATOR_TEXT) {
      snprintf(row->refused, sizeof row->refused, "%s", clred_last_error(session->runtime));
      return EXIT_DONE;
    }
    if (status != CL_SUCCESS)
      return session_check(session, status);
  }
  const cl_int status = clred_plan_inspect(side->plans[BENCH_WALL], side->call.count, &side->info);
  if (status != CL_SUCCESS)
    return session_check(session, status);
  snprintf(row->strategy, sizeof row->strategy, "%s", side->info.strategy);
  snprintf(row->finish, sizeof row->finish, "%s", side->info.finish == NULL ? "" : side->info.finish);
  snprintf(row->order, sizeof row->order, "%s", side->info.order);
  return EXIT_DONE;
}

static int make_results(struct side *side) {
  side->result = calloc(2, side->info.result_size);
  if (side->result == NULL)
    return fail_memory();
  side->right = side->result + side->info.result_size;
  return session_room(&side->fixture->session, NULL, side->info.result_size, "the result", &side->call.out);
}

static int side_open(struct side *side, const struct fixture *fixture, const struct bench_request *request, clred_op op,
                     clred_type type, const struct bench_strategy *strategy) {
  struct bench_row *row = side->row;
  const clred_problem problem = {.type = type,
                                 .op = op,
                                 .count_max = problem_count_max(row->count),
                                 .strategy = strategy->name,
                                 .finish = *strategy->finish == '\0' ? NULL : strategy->finish,
                                 .order = strategy->order,
                                 .groups = request->args->groups.value,
                                 .group_size = request->args->group_size.value};
  *side = (struct side){
    .row = row, .fixture = fixture, .op = op, .type = type, .call = {.in = fixture->in, .count = row->count}};
  snprintf(row->name, sizeof row->name, "%s", strategy->spelt);
  row->correct = true;
  int code = make_plans(side, problem);
  return code || *row->refused != '\0' ? code : make_results(side);
}

// ---- Alternate runs of some sides

static bool runs(const struct side *side) {
  return *side->row->refused == '\0';
}

static uint64_t enough_calls(double seconds) {
  return (uint64_t)fmin(fmax(ceil(run_seconds / fmax(seconds, 1e-9)), 1), CALLS_MAX);
}

// The fastest call decides how many calls make a run, because other work on the machine only makes calls slower.
static int warm_up(struct side *side, uint64_t calls) {
  double fastest = INFINITY, seconds;
  int code = EXIT_DONE;
  for (int i = 0; i < WARM_UP && !code; i++) {
    code = side_run(side, BENCH_WALL, 1, &seconds);
    fastest = fmin(seconds, fastest);
    code = code ? code : side_run(side, BENCH_DEVICE, 1, &seconds);
  }
  side->row->calls = calls > 0 ? calls : enough_calls(fastest);
  return code;
}

// A device without times gives NaN, which is left out.
static int measure_once(struct side *side) {
  int code = EXIT_DONE;
  if (side->count[BENCH_WALL] >= ENOUGH_RUNS && side->spent > side_seconds)
    return EXIT_DONE;
  for (int clock = 0; clock < BENCH_CLOCKS && !code; clock++) {
    const uint64_t calls = clock == BENCH_WALL ? side->row->calls : 1;
    double seconds = NAN;
    code = side_run(side, (enum bench_clock)clock, calls, &seconds);
    if (code || isnan(seconds))
      continue;
    side->seconds[clock][side->count[clock]++] = seconds;
    side->spent += seconds * (double)calls;
  }
  return code;
}

static void write_times(const struct side *side) {
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    if (side->count[clock] > 0) {
      double *seconds = side->seconds[clock];
      const size_t count = side->count[clock];
      side->row->times[clock] =
        (struct spread){median(seconds, count), quantile(seconds, count, 0.25), quantile(seconds, count, 0.75), count};
    }
}

static int alternate(struct side sides[], size_t count, const struct bench_request *request) {
  double *times = calloc(1 + count * BENCH_CLOCKS * request->runs, sizeof *times);
  int code = times == NULL ? fail_memory() : EXIT_DONE;
  for (size_t i = 0; i < count && !code; i++) {
    for (size_t clock = 0; clock < BENCH_CLOCKS; clock++)
      sides[i].seconds[clock] = times + (i * BENCH_CLOCKS + clock) * request->runs;
    code = runs(&sides[i]) ? warm_up(&sides[i], request->args->calls.value) : EXIT_DONE;
  }
  // The side before it changes caches and clock rates. So every second round is in reverse order.
  for (uint64_t round = 0; round < request->runs && !code; round++)
    for (size_t i = 0; i < count && !code; i++) {
      struct side *side = &sides[round % 2 == 0 ? i : count - 1 - i];
      code = runs(side) ? measure_once(side) : EXIT_DONE;
    }
  for (size_t i = 0; i < count && !code; i++)
    write_times(&sides[i]);
  free(times);
  return code;
}

// ---- One case

// Appends empty rows without times and returns the first. It is valid until more are added. NULL if memory is short.
static struct bench_row *add_rows(struct bench_report *report, size_t count) {
  static const struct spread none = {NAN, NAN, NAN, 0};
  struct bench_row *rows = realloc(report->rows, (report->count + count) * sizeof *rows);
  if (rows == NULL)
    return NULL;
  report->rows = rows;
  for (size_t i = 0; i < count; i++)
    rows[report->count + i] = (struct bench_row){.times = {none, none}};
  report->count += count;
  return rows + report->count - count;
}

static int measure_case(struct measuring *m, const clred_op_info *op, uint64_t elements) {
  const struct bench_request *request = m->request;
  const size_t count = request->strategy_count;
  struct side sides[BENCH_LIST_MAX] = {{.row = NULL}};
  struct bench_row *rows = add_rows(m->report, count);
  int code = rows == NULL ? fail_memory() : EXIT_DONE;
  for (size_t i = 0; i < count && !code; i++) {
    struct bench_row *row = sides[i].row = &rows[i];
    row->device = m->device;
    snprintf(row->op, sizeof row->op, "%s", op->name);
    row->type = m->type->name;
    row->count = elements;
    row->bytes = elements * m->type->size;
    code = side_open(&sides[i], &m->fixture, request, op->op, m->type->type, &request->strategies[i]);
  }
  code = code ? code : alternate(sides, count, request);
  for (size_t i = 0; i < count; i++)
    side_close(&sides[i]);
  return code;
}

static int measure_sizes(struct measuring *m, const clred_op_info *op) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < m->sizes.count && !code; i++) {
    progress_show(&m->progress, op->name, m->done++, m->total);
    code = measure_case(m, op, m->sizes.list[i]);
  }
  return code;
}

// ---- The elements

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static uint64_t host_memory(void) {
#ifdef _SC_PHYS_PAGES
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0)
    return (uint64_t)pages * (uint64_t)size;
#endif
  return UINT64_MAX;
}

static int check_largest(const struct measuring *m) {
  const struct session *session = &m->fixture.session;
  const unsigned long long count = m->sizes.list[m->sizes.count - 1], bytes = count * m->type->size;
  const uint64_t most = session_fact(session, "max_alloc", UINT64_MAX);
  if (bytes > host_memory() / 2)
    return fail(EXIT_WORK_FAILED, "--sizes: %llu elements of %s take more than half of the host's memory", count,
                m->type->name);
  if (bytes > most)
    return fail(EXIT_WORK_FAILED, "--sizes: %llu elements of %s are %llu bytes, one buffer of %s holds at most %llu",
                count, m->type->name, bytes, session->device.name, (unsigned long long)most);
  return EXIT_DONE;
}

// Takes the requested sizes, or powers of 4 up to a quarter of the device's and of the host's memory.
static int choose_sizes(struct measuring *m) {
  const struct session *session = &m->fixture.session;
  cl_ulong memory = 0;
  clGetDeviceInfo(session->device.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  const uint64_t most = least(session_fact(session, "max_alloc", memory), least(memory, host_memory()) / 4);
  m->sizes = m->request->sizes;
  if (m->sizes.count == 0)
    for (uint64_t size = USUAL_FIRST; m->sizes.count == 0 || size <= most / m->type->size; size *= USUAL_FACTOR)
      m->sizes.list[m->sizes.count++] = size;
  return check_largest(m);
}

// Each size uses the first elements of the same array.
static int make_elements(struct measuring *m) {
  struct fixture *fixture = &m->fixture;
  const uint64_t count = m->sizes.list[m->sizes.count - 1];
  const size_t bytes = (size_t)(count * m->type->size);
  struct recipe recipe;
  char spec[64];
  fixture->elements = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
  if (fixture->elements == NULL)
    return fail_memory();
  snprintf(spec, sizeof spec, "uniform:%llu", (unsigned long long)count);
  int code = generate_parse(spec, m->type, &recipe);
  if (code)
    return code;
  generate_piece(&recipe, fixture->elements, 0, recipe.count, &m->progress);
  return session_buffer(&fixture->session, fixture->elements, bytes, "the elements", &fixture->in);
}

// Waits for calls that may still use the buffers after a failure.
static void release_elements(struct fixture *fixture) {
  clFinish(fixture->wall_queue);
  clFinish(fixture->session.queue);
  buffer_release(fixture->in);
  free(fixture->elements);
  fixture->in = NULL;
  fixture->elements = NULL;
}

static int measure_type(struct measuring *m) {
  const struct bench_request *request = m->request;
  int code = choose_sizes(m);
  code = code ? code : make_elements(m);
  m->total = m->sizes.count * request->op_count * request->type_count * m->report->devices.count;
  for (size_t i = 0; i < request->op_count && !code; i++)
    code = measure_sizes(m, &request->ops[i]);
  release_elements(&m->fixture);
  return code;
}

// ---- Devices

static int open_fixture(struct fixture *fixture, const struct device *device, const struct args *args) {
  cl_int status;
  *fixture = (struct fixture){.in = NULL};
  int code = session_open_on(&fixture->session, device, args, true);
  if (code)
    return code;
  fixture->wall_queue = clCreateCommandQueue(fixture->session.context, device->id, 0, &status);
  return status ? fail_opencl("clCreateCommandQueue", status, "without profiling") : EXIT_DONE;
}

static void close_fixture(struct fixture *fixture) {
  if (fixture->wall_queue != NULL)
    clReleaseCommandQueue(fixture->wall_queue);
  session_close(&fixture->session);
}

int bench_measure(struct bench_report *report) {
  struct measuring m = {.report = report, .request = report->request};
  int code = EXIT_DONE;
  progress_begin(&m.progress, report->request->args->quiet);
  for (size_t i = 0; i < report->devices.count && !code; i++) {
    m.device = &report->devices.list[i];
    code = open_fixture(&m.fixture, m.device, report->request->args);
    for (size_t j = 0; j < report->request->type_count && !code; j++) {
      m.type = &report->request->types[j];
      code = measure_type(&m);
    }
    close_fixture(&m.fixture);
  }
  progress_end(&m.progress);
  return code;
}
