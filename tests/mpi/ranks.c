// Reductions and scans over the ranks of MPI: mpirun -n RANKS mpi_ranks. Prints one line for each check that fails, and
// a summary. Every rank runs the same checks. A check that fails on one rank does not stop that rank, so no other rank
// waits for it in vain.
#include <clreduce_mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/callbacks.h"
#include "support/device.h"
#include "support/random.h"

#define MOST 300017u

static struct {
  struct device device;
  int rank, size;
  int failures;
  float *elements, *input;  // MOST of each, the same on all ranks
  double *doubles;          // the same as `elements`
  cl_mem buffer, input_buffer, double_buffer;
} here;

#define EXPECT(condition, ...) expect(condition, #condition, __LINE__, __VA_ARGS__)
static void expect(bool condition, const char *text, int line, const char *format, ...) {
  char message[400];
  va_list values;
  if (condition)
    return;
  va_start(values, format);
  vsnprintf(message, sizeof message, format, values);
  va_end(values);
  here.failures++;
  printf("%s:%d: rank %d of %d: %s: %s\n", __FILE__, line, here.rank, here.size, text, message);
}

// The status must be this one.
#define GIVES(call, status) gives((call), status, #call, __LINE__)
static void gives(cl_int got, cl_int wanted, const char *text, int line) {
  expect(got == wanted, text, line, "%s, not %s: %s", clred_status_name(got), clred_status_name(wanted),
         clred_last_error(here.device.runtime));
}

// All ranks must have the same last message, with these words in it.
static void same_message(const char *words) {
  char mine[512], first[512];
  clred_copy_error(here.device.runtime, mine, sizeof mine);
  memcpy(first, mine, sizeof first);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT(strcmp(mine, first) == 0, "'%s', but rank 0 says '%s'", mine, first);
  EXPECT(strstr(mine, words) != NULL, "'%s' lacks '%s'", mine, words);
}

// ---------------------------------------------------------------- An operator that does not commute

// The affine map of an element: v -> -v + x, or v -> decay v + x. It does not commute, and its floats round.
struct map {
  float m, c;
};

IDENTITY(affine, struct map, {1, 0})
LIFT(affine, float, struct map, {x < 0 ? -1.0f : *(const float *)parameters[0], x})
COMBINE(affine, struct map, {b.m * a.m, (b.m * a.c) + b.c})
HOST(affine, struct map);
static const clred_operand affine_parameter = {.name = "decay", .type = "float", .size = sizeof(float)};
static const float decay = 0.99999f;

#define AFFINE \
  .name = "affine", .element = "float", .state = "{ float m; float c; }", .state_size = sizeof(struct map), \
  .identity = "{ 1, 0 }", .lift = "MAKE(x < 0 ? -1.0f : decay, x)", .combine = "MAKE(b.m * a.m, b.m * a.c + b.c)", \
  .parameters = &affine_parameter, .parameter_count = 1
static const clred_operator affine = {AFFINE, .host = &affine_host};
static const clred_operator affine_on_device = {AFFINE};

// ---------------------------------------------------------------- Functions of MPI that fail

// The name of the MPI function that fails on this rank; NULL: none fails.
static const char *failing;

// A program may define MPI's functions itself; the library's own are then called by their names with a P.
#define MAY_FAIL(name, parameters, arguments) \
  int name parameters { \
    return failing && strcmp(failing, #name) == 0 ? MPI_ERR_OTHER : P##name arguments; \
  }
#define REDUCED const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm
MAY_FAIL(MPI_Allreduce, (REDUCED), (from, to, count, type, op, comm))
MAY_FAIL(MPI_Iallreduce, (REDUCED, MPI_Request *request), (from, to, count, type, op, comm, request))
MAY_FAIL(MPI_Iexscan, (REDUCED, MPI_Request *request), (from, to, count, type, op, comm, request))
MAY_FAIL(MPI_Type_set_attr, (MPI_Datatype type, int key, void *value), (type, key, value))
MAY_FAIL(MPI_Type_get_attr, (MPI_Datatype type, int key, void *value, int *is_set), (type, key, value, is_set))

// ---------------------------------------------------------------- Subjects

#define RESULT_MAX 256

// A problem, what the library makes of it, and the results of one call.
struct subject {
  const char *name;
  clred_problem problem;
  clred_plan *scan;  // NULL: the problem is a reduction
  clred_plan *plan;  // makes partials
  clred_mpi *handle;
  size_t size;  // of a result
  cl_ulong count;
  unsigned char *expected;  // of the first `count` elements
};

static void *claim(size_t size) {
  void *memory = calloc(1, size);
  if (!memory)
    MPI_Abort(MPI_COMM_WORLD, 2);
  return memory;
}

static cl_mem upload(void *bytes, size_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(here.device.context, CL_MEM_COPY_HOST_PTR, size, bytes, &err);
  GIVES(err, CL_SUCCESS);
  return buffer;
}

static void open_all(void) {
  const char *trouble = device_open(&here.device);
  if (trouble) {
    printf("%s\n", trouble);
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  here.elements = random_elements(CLRED_TYPE_FLOAT, MOST, 24, 8, 0);
  here.input = random_elements(CLRED_TYPE_FLOAT, MOST, 25, 8, 0);
  here.doubles = random_elements(CLRED_TYPE_DOUBLE, MOST, 26, 8, 0);
  here.buffer = upload(here.elements, MOST * sizeof(float));
  here.input_buffer = upload(here.input, MOST * sizeof(float));
  here.double_buffer = upload(here.doubles, MOST * sizeof(double));
}

static void close_all(void) {
  RELEASE(here.buffer, here.input_buffer, here.double_buffer, here.elements, here.input, here.doubles);
  device_close(&here.device);
}

static clred_plan *make_plan(const clred_problem *problem) {
  clred_plan *plan = NULL;
  GIVES(clred_plan_create(here.device.runtime, problem, &plan), CL_SUCCESS);
  if (!plan)
    MPI_Abort(MPI_COMM_WORLD, 2);
  return plan;
}

// Computes what one call gives over the first `count` elements.
static void solve(struct subject *subject, cl_ulong count) {
  const void *input = here.input, *parameter = &decay;
  const bool is_double = subject->problem.type == CLRED_TYPE_DOUBLE;
  const clred_host_call call = {.in = is_double ? (const void *)here.doubles : here.elements,
                                .inputs = subject->problem.op == CLRED_OP_DOT ? &input : NULL,
                                .parameters = subject->problem.custom ? &parameter : NULL,
                                .count = count,
                                .out = subject->expected};
  subject->count = count;
  memset(subject->expected, 0, subject->size);
  GIVES(clred_plan_run_host(here.device.queue, subject->scan ? subject->scan : subject->plan, &call), CL_SUCCESS);
}

// A partial of elements `first` to `first + count`, folded from the buffer.
static clred_partial *make_partial(const struct subject *subject, cl_ulong first, cl_ulong count) {
  const void *parameter = &decay;
  const clred_partial_options options = {.first = first, .parameters = &parameter};
  const bool is_dot = subject->problem.op == CLRED_OP_DOT;
  const clred_call call =
    CALL(.in = subject->problem.type == CLRED_TYPE_DOUBLE ? here.double_buffer : here.buffer, .in_offset = first,
         .inputs = is_dot ? &here.input_buffer : NULL, .input_offsets = is_dot ? &first : NULL, .count = count);
  clred_partial *partial = NULL;
  GIVES(clred_partial_create(subject->plan, &options, &partial), CL_SUCCESS);
  if (partial && count)
    GIVES(clred_partial_fold(here.device.queue, partial, &call, 0, NULL, NULL), CL_SUCCESS);
  return partial;
}

// Also builds the programs.
static void make_plans(struct subject *subject) {
  clred_plan_info info = {0};
  clred_plan *plan = subject->plan = make_plan(&subject->problem);
  if (subject->problem.scan) {
    subject->scan = plan;
    GIVES(clred_plan_create_scan_partials(plan, &subject->plan), CL_SUCCESS);
  }
  GIVES(clred_plan_inspect(plan, 1, &info), CL_SUCCESS);
  subject->size = info.result_size;
  subject->expected = claim((subject->scan ? MOST : 1) * subject->size);
  solve(subject, 5000);
  clred_partial_release(make_partial(subject, 1, 4000));
}

// Rank 0 builds each program first; the others find it in the driver's cache.
static void open_subject(struct subject *subject) {
  for (int turn = 0; turn < 2; turn++) {
    if ((here.rank == 0) == (turn == 0))
      make_plans(subject);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  GIVES(clred_mpi_open(MPI_COMM_WORLD, subject->plan, &subject->handle), CL_SUCCESS);
}

// Opens one subject after the other, calls `check` and closes the subject. Leaves out types that the device lacks.
static void check_each(struct subject *subjects, size_t count, void (*check)(struct subject *subject)) {
  for (struct subject *subject = subjects; subject < subjects + count; subject++) {
    if (subject->problem.type == CLRED_TYPE_DOUBLE && !device_has_fp64(&here.device))
      continue;
    open_subject(subject);
    check(subject);
    clred_mpi_close(subject->handle);
    RELEASE(subject->plan, subject->scan, subject->expected);
  }
}

// Collective calls on partials. Those of results come first, and TESTED ones end by clred_mpi_test, not clred_mpi_wait.
enum call { REDUCE_ALL, REDUCE_ONE, REDUCE_LATER, REDUCE_TESTED, WHOLE, SCAN_NOW, SCAN_LATER, SCAN_TESTED, CALLS };
#define ROOT (here.size / 2)  // of REDUCE_ONE

// The result must have the expected bits.
static void check_result(const struct subject *subject, const unsigned char *result, enum call call) {
  EXPECT(memcmp(result, subject->expected, subject->size) == 0, "%s of %llu elements by call %d: other bits",
         subject->name, (unsigned long long)subject->count, (int)call);
}

// A partial without elements, for the elements before those of this rank.
static clred_partial *make_before(const struct subject *subject) {
  const void *parameter = &decay;
  clred_partial *before = NULL;
  GIVES(clred_partial_create(subject->plan, &(clred_partial_options){.first = 7, .parameters = &parameter}, &before),
        CL_SUCCESS);
  return before;
}

// The partial must still be as make_before made it.
static void check_unchanged(clred_partial *before) {
  clred_partial_info info = {0};
  GIVES(clred_partial_inspect(before, &info), CL_SUCCESS);
  EXPECT(info.first == 7 && info.count == 0, "%s", "a call that failed changed the partial");
}

// ---------------------------------------------------------------- Calls

static cl_int finish(enum call call, clred_mpi *handle) {
  float sum = 0;
  cl_int err = CL_SUCCESS;
  cl_bool done = CL_FALSE;
  GIVES(clred_reduce_host(here.device.runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, here.elements, 1000, &sum), CL_SUCCESS);
  if (call == REDUCE_LATER || call == SCAN_LATER)
    return clred_mpi_wait(handle);
  while (!err && !done)
    err = clred_mpi_test(handle, &done);
  return err;
}

// Begins and ends a call. Meanwhile kernels run.
static cl_int call_ranks(enum call call, clred_mpi *handle, clred_partial *mine, clred_partial *before, void *result) {
  cl_int err;
  switch (call) {
  case REDUCE_ALL:
    return clred_mpi_allreduce(handle, mine, result);
  case REDUCE_ONE:
    return clred_mpi_reduce(handle, mine, ROOT, here.rank == ROOT ? result : NULL);
  case WHOLE:
    return clred_mpi_allreduce_partial(handle, mine);
  case SCAN_NOW:
    return clred_mpi_exscan(handle, mine, before);
  case REDUCE_LATER:
  case REDUCE_TESTED:
    err = clred_mpi_iallreduce(handle, mine, result);
    break;
  default:
    err = clred_mpi_iexscan(handle, mine, before);
  }
  return err ? err : finish(call, handle);
}

// The share of this rank in a random cut of `count` elements. The last ranks may have none, and a rank without elements
// may begin anywhere.
static void cut_at_random(cl_ulong count, uint64_t seed, cl_ulong *first, cl_ulong *share) {
  random_state random = random_seed(seed);
  cl_ulong cuts[65];
  const int pieces = here.size - (int)random_below(&random, (uint64_t)here.size);
  random_cuts(&random, count, (size_t)pieces, cuts);
  for (int i = pieces; i < here.size; i++)
    cuts[i + 1] = count;
  *share = cuts[here.rank + 1] - cuts[here.rank];
  *first = *share || here.rank % 2 ? cuts[here.rank] : 0;
}

// ---------------------------------------------------------------- Bits: those of one call, wherever elements are cut

// The union of all ranks' partials is the partial of all elements.
static void check_whole(const struct subject *subject, clred_partial *mine) {
  clred_partial *whole = make_partial(subject, 0, subject->count);
  const size_t room = clred_partial_bytes(subject->plan);
  unsigned char *bytes = calloc(2, room), result[RESULT_MAX] = {0};
  size_t size = 0, again = 0;
  if (!bytes)
    MPI_Abort(MPI_COMM_WORLD, 2);
  GIVES(clred_partial_pack(mine, bytes, room, &size), CL_SUCCESS);
  GIVES(clred_partial_pack(whole, bytes + room, room, &again), CL_SUCCESS);
  EXPECT(size == again && (subject->count == 0 || memcmp(bytes, bytes + room, size) == 0),
         "%s of %llu elements: another partial of the whole", subject->name, (unsigned long long)subject->count);
  if (subject->count) {
    GIVES(clred_partial_result(mine, result), CL_SUCCESS);
    check_result(subject, result, WHOLE);
  }
  RELEASE(bytes, whole);
}

// This rank has the elements `first` to `first + count`. Each cut is used by two calls.
static void check_reduced(const struct subject *subject, cl_ulong first, cl_ulong count, int turn) {
  const enum call calls[] = {REDUCE_ALL, (enum call)(REDUCE_ONE + turn % 4)};
  clred_partial *mine = make_partial(subject, first, count);
  for (int i = 0; i < 2; i++) {
    unsigned char result[RESULT_MAX] = {0};
    GIVES(call_ranks(calls[i], subject->handle, mine, NULL, result), CL_SUCCESS);
    if (calls[i] == WHOLE)
      check_whole(subject, mine);
    else if (calls[i] != REDUCE_ONE || here.rank == ROOT)
      check_result(subject, result, calls[i]);
  }
  clred_partial_release(mine);
}

static void check_results(const struct subject *subject, cl_mem out, cl_ulong first, cl_ulong count) {
  unsigned char *results = malloc((size_t)count * subject->size + 1);
  size_t wrong = 0;
  if (!results)
    MPI_Abort(MPI_COMM_WORLD, 2);
  GIVES(clEnqueueReadBuffer(here.device.queue, out, CL_TRUE, 0, (size_t)count * subject->size, results, 0, NULL, NULL),
        CL_SUCCESS);
  for (cl_ulong i = 0; i < count; i++)
    wrong += memcmp(results + i * subject->size, subject->expected + (first + i) * subject->size, subject->size) != 0;
  EXPECT(wrong == 0, "%s, elements %llu to %llu of %llu: %zu results have other bits", subject->name,
         (unsigned long long)first, (unsigned long long)(first + count), (unsigned long long)subject->count, wrong);
  free(results);
}

static void check_scanned(const struct subject *subject, cl_ulong first, cl_ulong count, int turn) {
  cl_int err;
  clred_partial *mine = make_partial(subject, first, count);
  clred_partial *before = make_before(subject);
  GIVES(call_ranks((enum call)(SCAN_NOW + turn % 3), subject->handle, mine, before, NULL), CL_SUCCESS);
  if (count) {
    cl_mem out = clCreateBuffer(here.device.context, CL_MEM_READ_WRITE, (size_t)count * subject->size, NULL, &err);
    const clred_call call = {.in = here.buffer, .in_offset = first, .count = count, .out = out};
    GIVES(err, CL_SUCCESS);
    GIVES(clred_partial_scan(here.device.queue, subject->scan, before, mine, &call, 0, NULL, NULL), CL_SUCCESS);
    check_results(subject, out, first, count);
    clReleaseMemObject(out);
  }
  RELEASE(mine, before);
}

// The shares of this rank for several numbers of elements: even ones, and random cuts.
static void check_cuts(struct subject *subject) {
  const cl_ulong counts[] = {0, 1, 3, 777, 5000, MOST};
  for (int i = 0; i < 24; i++) {
    const int cut = i % 4, turn = i / 4;
    cl_ulong first = 0, count = 0;
    if (cut == 0) {
      solve(subject, counts[turn]);
      GIVES(clred_mpi_share(MPI_COMM_WORLD, subject->plan, subject->count, &first, &count), CL_SUCCESS);
    } else {
      cut_at_random(subject->count, (uint64_t)(100 * cut + turn), &first, &count);
    }
    (subject->scan ? check_scanned : check_reduced)(subject, first, count, turn + cut);
  }
}

static void check_bits(void) {
  struct subject subjects[] = {
    {.name = "sum of floats", .problem = {OP(SUM, FLOAT)}},
    {.name = "sum of doubles", .problem = {OP(SUM, DOUBLE)}},
    {.name = "mean", .problem = {OP(MEAN, FLOAT)}},
    {.name = "variance", .problem = {OP(VAR, FLOAT)}},
    {.name = "dot product", .problem = {OP(DOT, FLOAT)}},
    {.name = "argmin", .problem = {OP(ARGMIN, FLOAT)}},
    {.name = "exact sum of floats", .problem = {OP(SUM, FLOAT), .order = CLRED_ORDER_EXACT}},
    {.name = "exact mean of floats", .problem = {OP(MEAN, FLOAT), .order = CLRED_ORDER_EXACT}},
    {.name = "exact sum of doubles", .problem = {OP(SUM, DOUBLE), .order = CLRED_ORDER_EXACT}},
    {.name = "affine maps", .problem = {.custom = &affine}},
    {.name = "affine maps joined on the device", .problem = {.custom = &affine_on_device}},
    {.name = "scan of floats", .problem = {OP(SUM, FLOAT), SCAN(INCLUSIVE)}},
    {.name = "scan of affine maps", .problem = {.custom = &affine, SCAN(INCLUSIVE)}},
  };
  check_each(subjects, sizeof subjects / sizeof *subjects, check_cuts);
}

// ---------------------------------------------------------------- Shares

static void check_share(clred_plan *plan, cl_ulong n) {
  const cl_ulong tile = clred_partial_tile(plan);
  unsigned long long mine[2], all[2 * 64], end = 0, least = ~0ull, most = 0;
  cl_ulong first = 1, count = 1;
  GIVES(clred_mpi_share(MPI_COMM_WORLD, plan, n, &first, &count), CL_SUCCESS);
  mine[0] = first;
  mine[1] = count;
  MPI_Allgather(mine, 2, MPI_UNSIGNED_LONG_LONG, all, 2, MPI_UNSIGNED_LONG_LONG, MPI_COMM_WORLD);
  for (int i = 0; i < here.size; i++) {
    EXPECT(all[2 * i] == end, "rank %d begins at %llu of %llu", i, all[2 * i], (unsigned long long)n);
    EXPECT(end == n || end % tile == 0, "rank %d begins within a tile", i);
    end += all[2 * i + 1];
    least = all[2 * i + 1] < least ? all[2 * i + 1] : least;
    most = all[2 * i + 1] > most ? all[2 * i + 1] : most;
  }
  EXPECT(end == n, "the shares end at %llu of %llu", end, (unsigned long long)n);
  EXPECT(most - least <= 2 * tile || most - least <= least / 16, "%llu to %llu elements each", least, most);
}

static void check_shares(void) {
  const cl_ulong counts[] = {0, 1, 1024, 1025, 777777, 1ull << 33, (1ull << 40) + 5, CL_ULONG_MAX};
  clred_plan *plan = make_plan(&(clred_problem){OP(SUM, FLOAT)});
  for (int i = 0; i < 8; i++)
    check_share(plan, counts[i]);
  clred_plan_release(plan);
}

// ---------------------------------------------------------------- Failures
//
// Whatever fails on one rank: all ranks return the same status and message, none hangs, and the next call works.

static struct subject *sum;  // of floats

static int last(void) {
  return here.size - 1;
}

// 100 elements for each rank; `shift` moves them.
static clred_partial *take(cl_ulong shift) {
  return make_partial(sum, (cl_ulong)here.rank * 100 + shift, 100);
}

static void check_works(void) {
  unsigned char total[RESULT_MAX] = {0};
  clred_partial *partial = take(0);
  solve(sum, (cl_ulong)here.size * 100);
  GIVES(clred_mpi_allreduce(sum->handle, partial, total), CL_SUCCESS);
  check_result(sum, total, REDUCE_ALL);
  clred_partial_release(partial);
}

// The calls before `end` must fail the same way and write nothing. `prepare`, if any, runs on each rank before each.
static void check_fail(enum call end, clred_partial *partial, cl_int status, int rank, const char *words,
                       void (*prepare)(clred_partial *partial, int rank)) {
  char text[200];
  float total = 7;
  clred_partial *before = make_before(sum);
  snprintf(text, sizeof text, "rank %d: %s", rank, words);
  for (enum call call = 0; call < end; call++) {
    if (prepare)
      prepare(partial, rank);
    GIVES(call_ranks(call, sum->handle, partial, before, &total), status);
    same_message(text);
  }
  EXPECT(total == 7, "the result was written: %g", (double)total);
  check_unchanged(before);
  clred_partial_release(before);
}

// ---------------------------------------------------------------- Ranks that fail

// On the ranks from `rank` on, the fold reads past the end of the buffer. The message of the lowest such rank counts.
static void fold_past_the_end(clred_partial *partial, int rank) {
  const clred_call call = {.in = here.buffer, .in_offset = MOST - 50, .count = 100};
  const cl_int err =
    here.rank < rank ? CL_SUCCESS : clred_partial_fold(here.device.queue, partial, &call, 0, NULL, NULL);
  clred_mpi_fail(sum->handle, err, NULL);
}

static void folds_that_fail(clred_partial *partial, int rank) {
  check_fail(CALLS, partial, CLRED_OUT_OF_RANGE, rank, "in", fold_past_the_end);
}

// A fold whose wait list fails, so that it fails on the device, after it was enqueued.
static void a_kernel_that_fails(clred_partial *partial, int rank) {
  const clred_call call = {.in = here.buffer, .count = 5000};
  cl_int err;
  float total;
  cl_event never = clCreateUserEvent(here.device.context, &err);
  GIVES(err, CL_SUCCESS);
  if (here.rank == rank) {
    GIVES(clred_partial_fold(here.device.queue, partial, &call, 1, &never, NULL), CL_SUCCESS);
    GIVES(clSetUserEventStatus(never, -5), CL_SUCCESS);
  }
  const cl_int got = clred_mpi_allreduce(sum->handle, partial, &total);
  EXPECT(got != CL_SUCCESS, "%s", "a failed kernel was not noticed");
  same_message("rank ");
  clReleaseEvent(never);
}

static void missing_partials(clred_partial *partial, int rank) {
  check_fail(CALLS, here.rank == rank ? NULL : partial, CLRED_INVALID_ARGUMENT, rank, "partial is NULL", NULL);
}

static void missing_results(clred_partial *partial, int rank) {
  float total;
  clred_partial *before = make_before(sum);
  GIVES(clred_mpi_allreduce(sum->handle, partial, here.rank == rank ? NULL : &total), CLRED_INVALID_ARGUMENT);
  same_message("result is NULL");
  GIVES(clred_mpi_reduce(sum->handle, partial, here.size, &total), CLRED_INVALID_ARGUMENT);
  same_message("rank 0: root is no rank of the communicator");
  for (enum call call = SCAN_NOW; call < CALLS; call++) {
    GIVES(call_ranks(call, sum->handle, partial, here.rank == rank ? NULL : before, NULL), CLRED_INVALID_ARGUMENT);
    same_message("before is NULL");
    GIVES(call_ranks(call, sum->handle, partial, here.rank == rank ? partial : before, NULL), CLRED_INVALID_ARGUMENT);
    same_message("before and partial are the same");
  }
  check_unchanged(before);
  clred_partial_release(before);
}

// Two ranks fail with a message of the caller; the message of the lower rank counts.
static void say_own_words(clred_partial *partial, int rank) {
  (void)partial;
  if (here.rank == rank || here.rank == last())
    clred_mpi_fail(sum->handle, CL_DEVICE_NOT_AVAILABLE - here.rank, here.rank ? "later" : "the cable is out");
  clred_mpi_fail(sum->handle, CL_SUCCESS, "no failure");
}

static void own_words(clred_partial *partial, int rank) {
  check_fail(CALLS, partial, CL_DEVICE_NOT_AVAILABLE, rank, "the cable is out", say_own_words);
}

// ---------------------------------------------------------------- Ranks that disagree when they open

static void handles_that_do_not_open(clred_plan *other) {
  clred_plan *plan = sum->plan, *without = make_plan(&(clred_problem){OP(SUM, FLOAT), .strategy = "host_serial"});
  clred_mpi *opened = sum->handle;
  if (last()) {
    GIVES(clred_mpi_open(MPI_COMM_WORLD, here.rank == last() ? other : plan, &opened), CLRED_PARTIAL_MISMATCH);
    same_message("rank 0 reduces sum of float, and rank ");
    same_message("max of float");
    EXPECT(opened == NULL, "%s", "there is a handle");
  }
  GIVES(clred_mpi_open(MPI_COMM_WORLD, here.rank == last() ? without : plan, &opened), CLRED_INVALID_ARGUMENT);
  same_message("has no partials");
  GIVES(clred_mpi_open(MPI_COMM_WORLD, plan, here.rank == last() ? NULL : &opened), CLRED_INVALID_ARGUMENT);
  same_message("handle is NULL");
  GIVES(clred_mpi_open(MPI_COMM_NULL, plan, &opened), CLRED_INVALID_ARGUMENT);
  GIVES(clred_mpi_share(MPI_COMM_WORLD, without, 5, &(cl_ulong){0}, &(cl_ulong){0}), CLRED_INVALID_ARGUMENT);
  clred_plan_release(without);
  check_works();
}

// ---------------------------------------------------------------- Partials that do not fit

// The ranks from `rank` on begin an element too late, or too early. The message names the first of them.
static void gaps(int rank, bool overlap) {
  const cl_ulong shift = here.rank >= rank ? (cl_ulong)(here.rank - rank + 1) : 0;
  clred_partial *partial = take(overlap ? 0 - shift : shift);
  check_fail(CALLS, partial, CLRED_PARTIAL_GAP, rank, "it begins at element ", NULL);
  same_message(overlap ? "they overlap" : "the elements between them are missing");
  clred_partial_release(partial);
  check_works();
}

// The last rank has the first elements.
static void another_order(struct subject *subject) {
  clred_partial *partial = make_partial(subject, (cl_ulong)(last() - here.rank) * 100, 100);
  unsigned char result[RESULT_MAX] = {7};
  GIVES(clred_mpi_allreduce(subject->handle, partial, result), CLRED_PARTIAL_GAP);
  same_message("they overlap; give each rank the elements behind those of the rank before it");
  GIVES(call_ranks(REDUCE_LATER, subject->handle, partial, NULL, result), CLRED_PARTIAL_GAP);
  EXPECT(result[0] == 7, "%s", "a refused result was written");
  clred_partial_release(partial);
}

// All ranks begin an element too late. A partial of the whole may begin there, but a result may not.
static void a_missing_beginning(void) {
  clred_partial *partial = take(1);
  clred_partial_info info = {0};
  check_fail(WHOLE, partial, CLRED_PARTIAL_GAP, 0, "it begins at element 1, but no rank has the elements before it",
             NULL);
  GIVES(clred_mpi_allreduce_partial(sum->handle, partial), CL_SUCCESS);
  GIVES(clred_partial_inspect(partial, &info), CL_SUCCESS);
  EXPECT(info.first == 1 && info.count == (cl_ulong)here.size * 100, "%llu elements from %llu",
         (unsigned long long)info.count, (unsigned long long)info.first);
  clred_partial_release(partial);
  check_works();
}

// No rank has an element, and each begins elsewhere: the result is the identity.
static void nothing(void) {
  clred_partial *partial = make_partial(sum, 5 + (cl_ulong)here.rank, 0);
  float total = 7;
  GIVES(clred_mpi_allreduce(sum->handle, partial, &total), CL_SUCCESS);
  EXPECT(total == 0, "%g", (double)total);
  clred_partial_release(partial);
}

static void another_problem(struct subject *greatest) {
  clred_partial *partial = here.rank == last() ? make_partial(greatest, (cl_ulong)here.rank * 100, 100) : take(0);
  check_fail(CALLS, partial, CLRED_PARTIAL_MISMATCH, last(), "the partial is of another problem", NULL);
  clred_partial_release(partial);
  check_works();
  partial = take(0);
  clred_partial *before = make_before(greatest);
  GIVES(clred_mpi_exscan(sum->handle, partial, before), CLRED_PARTIAL_MISMATCH);
  same_message("rank 0: before is of another problem than the plan of clred_mpi_open");
  RELEASE(partial, before);
  handles_that_do_not_open(greatest->plan);
}

static void other_parameters(struct subject *maps) {
  const float given = here.rank == last() ? 0.5f : decay;
  const void *parameter = &given;
  clred_partial *partial = NULL;
  float result[2];
  GIVES(clred_partial_create(maps->plan, &(clred_partial_options){.parameters = &parameter}, &partial), CL_SUCCESS);
  GIVES(clred_mpi_allreduce(maps->handle, partial, result), last() ? CLRED_PARTIAL_MISMATCH : CL_SUCCESS);
  if (last())
    same_message("its parameters have other values than those of rank");
  clred_partial_release(partial);
}

// ---------------------------------------------------------------- MPI itself

static void mpi_that_fails(clred_partial *partial, int rank) {
  clred_mpi *opened = NULL;
  clred_partial *before = make_before(sum);
  float total = 7;
  failing = "MPI_Allreduce";
  GIVES(clred_mpi_allreduce(sum->handle, partial, &total), CLRED_MPI_FAILED);
  same_message("MPI_Allreduce: ");
  GIVES(clred_mpi_open(MPI_COMM_WORLD, sum->plan, &opened), CLRED_MPI_FAILED);
  failing = "MPI_Iallreduce";
  GIVES(clred_mpi_iallreduce(sum->handle, partial, &total), CLRED_MPI_FAILED);
  same_message("MPI_Iallreduce: ");
  failing = here.rank == rank ? "MPI_Type_set_attr" : NULL;
  GIVES(clred_mpi_open(MPI_COMM_WORLD, sum->plan, &opened), CLRED_MPI_FAILED);
  same_message("MPI_Type_set_attr: ");
  failing = "MPI_Type_get_attr";
  if (rank)
    GIVES(clred_mpi_allreduce(sum->handle, partial, &total), CLRED_MPI_FAILED);
  failing = "MPI_Iexscan";
  if (rank == 0)
    GIVES(clred_mpi_exscan(sum->handle, partial, before), CLRED_MPI_FAILED);
  failing = "MPI_Iallreduce";
  GIVES(clred_mpi_iexscan(sum->handle, partial, before), CLRED_MPI_FAILED);
  failing = NULL;
  GIVES(clred_mpi_wait(sum->handle), CLRED_INVALID_ARGUMENT);
  clred_partial_release(before);
  EXPECT(total == 7, "%g", (double)total);
}

// While a call is under way, its handle rejects other calls, but this rank may use its partial.
static void one_at_a_time(clred_partial *partial, int rank) {
  float total = 7;
  clred_partial *before = make_before(sum);
  for (int scans = 0; scans < 2; scans++) {
    if (here.rank == rank && scans)
      clred_mpi_fail(sum->handle, CL_OUT_OF_RESOURCES, "the kernel failed");
    GIVES(scans ? clred_mpi_iexscan(sum->handle, partial, before) : clred_mpi_iallreduce(sum->handle, partial, &total),
          CL_SUCCESS);
    GIVES(clred_mpi_iexscan(sum->handle, partial, before), CLRED_INVALID_ARGUMENT);
    GIVES(clred_mpi_allreduce(sum->handle, partial, &total), CLRED_INVALID_ARGUMENT);
    same_message("handle: a nonblocking call is under way");
    GIVES(clred_partial_reset(partial, (cl_ulong)here.rank * 100), CL_SUCCESS);
    GIVES(clred_mpi_wait(sum->handle), scans ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
    GIVES(clred_mpi_wait(sum->handle), CLRED_INVALID_ARGUMENT);
  }
  check_unchanged(before);
  clred_partial_release(before);
}

// Two handles on one communicator: the second call is finished first.
static void two_at_a_time(clred_partial *partial, int rank) {
  clred_mpi *second = NULL;
  float one = 1, two = 2;
  (void)rank;
  GIVES(clred_mpi_open(MPI_COMM_WORLD, sum->plan, &second), CL_SUCCESS);
  GIVES(clred_mpi_iallreduce(sum->handle, partial, &one), CL_SUCCESS);
  GIVES(clred_mpi_iallreduce(second, partial, &two), CL_SUCCESS);
  GIVES(clred_mpi_wait(second), CL_SUCCESS);
  GIVES(clred_mpi_wait(sum->handle), CL_SUCCESS);
  EXPECT(memcmp(&one, &two, sizeof one) == 0, "%g and %g", (double)one, (double)two);
  GIVES(clred_mpi_iallreduce(second, partial, &two), CL_SUCCESS);
  clred_mpi_close(second);
}

// Each row gets a partial with 100 elements of its rank, and the rank on which something fails.
static void check_each_failure(void) {
  const struct {
    void (*check)(clred_partial *partial, int rank);
    int rank;
  } rows[] = {{folds_that_fail, 0},       {folds_that_fail, last()}, {a_kernel_that_fails, last()},
              {missing_partials, last()}, {missing_results, last()}, {own_words, 0},
              {mpi_that_fails, last()},   {one_at_a_time, last()},   {two_at_a_time, last()}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    clred_partial *partial = take(0);
    rows[i].check(partial, rows[i].rank);
    clred_partial_release(partial);
    check_works();
  }
}

static void check_sum(struct subject *subject) {
  struct subject greatest = {.name = "maximum", .problem = {OP(MAX, FLOAT)}};
  struct subject least = {.name = "argmin", .problem = {OP(ARGMIN, FLOAT)}};
  struct subject maps = {.name = "affine maps", .problem = {.custom = &affine}};
  sum = subject;
  check_works();
  check_each_failure();
  a_missing_beginning();
  if (last()) {
    gaps(1, false);
    gaps(last(), true);
    another_order(subject);
    check_each(&least, 1, another_order);
  }
  nothing();
  check_each(&greatest, 1, another_problem);
  check_each(&maps, 1, other_parameters);
  clred_mpi_close(NULL);
}

static void check_failures(void) {
  check_each(&(struct subject){.name = "sum", .problem = {OP(SUM, FLOAT)}}, 1, check_sum);
}

int main(int argc, char **argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &here.size);
  open_all();
  check_bits();
  check_shares();
  check_failures();
  close_all();
  MPI_Allreduce(&here.failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (here.rank == 0)
    printf("%d ranks: %d checks failed\n", here.size, all);
  MPI_Finalize();
  return all != 0;
}
