// Reductions over the ranks of MPI: mpirun -n RANKS ranks. Prints one line for each check that fails, and a summary.
#include "mpi/mpi_test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/callbacks.h"

struct ranks here;

void expect(bool condition, const char *text, const char *file, int line, const char *format, ...) {
  char message[400];
  va_list values;
  if (condition)
    return;
  va_start(values, format);
  vsnprintf(message, sizeof message, format, values);
  va_end(values);
  here.failures++;
  printf("%s:%d: rank %d of %d: %s: %s\n", file, line, here.rank, here.size, text, message);
}

void gives(cl_int got, cl_int wanted, const char *text, const char *file, int line) {
  expect(got == wanted, text, file, line, "%s, not %s: %s", clred_status_name(got), clred_status_name(wanted),
         clred_last_error(here.device.runtime));
}

void same_message(const char *words) {
  char mine[512], first[512];
  clred_copy_error(here.device.runtime, mine, sizeof mine);
  memcpy(first, mine, sizeof first);
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  EXPECT(strcmp(mine, first) == 0, "'%s', but rank 0 says '%s'", mine, first);
  EXPECT(strstr(mine, words) != NULL, "'%s' lacks '%s'", mine, words);
}

// --- An operator that does not commute ---

struct map {
  float m, c;
};

IDENTITY(affine, struct map, {1, 0})
LIFT(affine, float, struct map, {x < 0 ? -1.0f : *(const float *)parameters[0], x})
COMBINE(affine, struct map, {b.m * a.m, (b.m * a.c) + b.c})
HOST(affine, struct map);
static const clred_operand affine_parameter = {.name = "decay", .type = "float", .size = sizeof(float)};
const float decay = 0.99999f;

#define AFFINE \
  .name = "affine", .element = "float", .state = "{ float m; float c; }", .state_size = sizeof(struct map), \
  .identity = "{ 1, 0 }", .lift = "MAKE(x < 0 ? -1.0f : decay, x)", .combine = "MAKE(b.m * a.m, b.m * a.c + b.c)", \
  .parameters = &affine_parameter, .parameter_count = 1
const clred_operator affine = {AFFINE, .host = &affine_host};
const clred_operator affine_on_device = {AFFINE};

// --- Functions of MPI that fail ---

const char *failing;

static bool fails(const char *name) {
  return failing && strcmp(failing, name) == 0;
}

// MPI lets a program put functions before the library's.
#define MAY_FAIL(name, parameters, arguments) \
  int name parameters { \
    return fails(#name) ? MPI_ERR_OTHER : P##name arguments; \
  }
#define REDUCED const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm
MAY_FAIL(MPI_Allreduce, (REDUCED), (from, to, count, type, op, comm))
MAY_FAIL(MPI_Iallreduce, (REDUCED, MPI_Request *request), (from, to, count, type, op, comm, request))
MAY_FAIL(MPI_Iexscan, (REDUCED, MPI_Request *request), (from, to, count, type, op, comm, request))
MAY_FAIL(MPI_Type_set_attr, (MPI_Datatype type, int key, void *value), (type, key, value))
MAY_FAIL(MPI_Type_get_attr, (MPI_Datatype type, int key, void *value, int *is_set), (type, key, value, is_set))

// --- Material ---

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

clred_plan *make_plan(const clred_problem *problem) {
  clred_plan *plan = NULL;
  GIVES(clred_plan_create(here.device.runtime, problem, &plan), CL_SUCCESS);
  if (!plan)
    MPI_Abort(MPI_COMM_WORLD, 2);
  return plan;
}

void solve(struct subject *subject, cl_ulong count) {
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

clred_partial *make_partial(const struct subject *subject, cl_ulong first, cl_ulong count) {
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

void check_each(struct subject *subjects, size_t count, void (*check)(struct subject *subject)) {
  for (struct subject *subject = subjects; subject < subjects + count; subject++) {
    if (subject->problem.type == CLRED_TYPE_DOUBLE && !device_has_fp64(&here.device))
      continue;
    open_subject(subject);
    check(subject);
    clred_mpi_close(subject->handle);
    RELEASE(subject->plan, subject->scan, subject->expected);
  }
}

void check_result(const struct subject *subject, const unsigned char *result, enum call call) {
  EXPECT(memcmp(result, subject->expected, subject->size) == 0, "%s of %llu elements by call %d: other bits",
         subject->name, (unsigned long long)subject->count, (int)call);
}

clred_partial *make_before(const struct subject *subject) {
  const void *parameter = &decay;
  clred_partial *before = NULL;
  GIVES(clred_partial_create(subject->plan, &(clred_partial_options){.first = 7, .parameters = &parameter}, &before),
        CL_SUCCESS);
  return before;
}

void check_unchanged(clred_partial *before) {
  clred_partial_info info = {0};
  GIVES(clred_partial_inspect(before, &info), CL_SUCCESS);
  EXPECT(info.first == 7 && info.count == 0, "%s", "a call that failed changed the partial");
}

// --- Calls and cuts ---

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

cl_int call_ranks(enum call call, clred_mpi *handle, clred_partial *mine, clred_partial *before, void *result) {
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

static int by_size(const void *a, const void *b) {
  const cl_ulong left = *(const cl_ulong *)a, right = *(const cl_ulong *)b;
  return left < right ? -1 : left > right;
}

// The share of this rank: a random cut of `count` elements. Boundaries may coincide. A rank without elements may say
// anything about where it begins.
static void cut_at_random(cl_ulong count, uint64_t seed, cl_ulong *first, cl_ulong *share) {
  random_state random = random_seed(seed);
  cl_ulong cuts[65] = {0};
  for (int i = 1; i < here.size; i++)
    cuts[i] = random_below(&random, 4) == 0 ? count : random_below(&random, count + 1);
  cuts[here.size] = count;
  qsort(cuts, (size_t)here.size + 1, sizeof *cuts, by_size);
  *share = cuts[here.rank + 1] - cuts[here.rank];
  *first = *share || here.rank % 2 ? cuts[here.rank] : 0;
}

void check_cuts(struct subject *subject,
                void (*check)(const struct subject *subject, cl_ulong first, cl_ulong count, int turn)) {
  const cl_ulong counts[] = {0, 1, 3, 777, 5000, MOST};
  for (int i = 0; i < 6; i++) {
    cl_ulong first = 0, count = 0;
    solve(subject, counts[i]);
    GIVES(clred_mpi_share(MPI_COMM_WORLD, subject->plan, subject->count, &first, &count), CL_SUCCESS);
    check(subject, first, count, i);
    for (int cut = 1; cut < 4; cut++) {
      cut_at_random(subject->count, (uint64_t)(100 * cut + i), &first, &count);
      check(subject, first, count, i + cut);
    }
  }
}

int main(int argc, char **argv) {
  int all = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &here.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &here.size);
  open_all();
  check_bits();
  check_scans();
  check_shares();
  check_failures();
  close_all();
  MPI_Allreduce(&here.failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (here.rank == 0)
    printf("%d ranks: %d checks failed\n", here.size, all);
  MPI_Finalize();
  return all != 0;
}
