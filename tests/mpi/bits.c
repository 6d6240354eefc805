// The ranks give the bits of one call over all elements, wherever the elements are cut.
#include "mpi/mpi_test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROOM 256

struct subject {
  const char *name;
  const clred_problem *problem;
  clred_plan *plan;
  clred_mpi *handle;
  cl_ulong count;
  size_t size;  // of the result
  unsigned char expected[ROOM];
};

static void reduce_at_once(struct subject *subject) {
  const void *input = here.input, *parameter = &decay;
  const bool is_double = subject->problem->type == CLRED_TYPE_DOUBLE;
  const clred_host_call call = {.in = is_double ? (const void *)here.doubles : here.elements,
                                .inputs = subject->problem->op == CLRED_OP_DOT ? &input : NULL,
                                .parameters = subject->problem->custom ? &parameter : NULL,
                                .count = subject->count,
                                .out = subject->expected};
  memset(subject->expected, 0, ROOM);
  GIVES(clred_plan_run_host(here.device.queue, subject->plan, &call), CL_SUCCESS);
}

static void check_result(const struct subject *subject, const unsigned char *result, const char *by) {
  EXPECT(memcmp(result, subject->expected, subject->size) == 0, "%s of %llu elements by %s: other bits", subject->name,
         (unsigned long long)subject->count, by);
}

// --- The calls ---

static void check_reduce(const struct subject *subject, clred_partial *mine) {
  const int root = here.size / 2;
  unsigned char result[ROOM] = {0};
  GIVES(clred_mpi_reduce(subject->handle, mine, root, here.rank == root ? result : NULL), CL_SUCCESS);
  if (here.rank == root)
    check_result(subject, result, "clred_mpi_reduce");
}

static void check_split(const struct subject *subject, clred_partial *mine, bool waits) {
  unsigned char result[ROOM] = {0};
  cl_bool done = CL_FALSE;
  GIVES(clred_mpi_iallreduce(subject->handle, mine, result), CL_SUCCESS);
  GIVES(clred_mpi_allreduce(subject->handle, mine, result), CLRED_INVALID_ARGUMENT);
  GIVES(clred_partial_reset(mine, 0), CL_SUCCESS);
  if (waits)
    GIVES(clred_mpi_wait(subject->handle), CL_SUCCESS);
  while (!waits && !done) {
    const cl_int err = clred_mpi_test(subject->handle, &done);
    GIVES(err, CL_SUCCESS);
    if (err)
      break;
  }
  check_result(subject, result, waits ? "clred_mpi_wait" : "clred_mpi_test");
  GIVES(clred_mpi_wait(subject->handle), CLRED_INVALID_ARGUMENT);
}

static void check_partial(const struct subject *subject, clred_partial *mine) {
  clred_partial *whole = make_partial(subject->plan, subject->problem, 0, subject->count);
  const size_t room = clred_partial_bytes(subject->plan);
  unsigned char *bytes = calloc(2, room), result[ROOM] = {0};
  size_t size = 0, again = 0;
  GIVES(clred_mpi_allreduce_partial(subject->handle, mine), CL_SUCCESS);
  GIVES(clred_partial_pack(mine, bytes, room, &size), CL_SUCCESS);
  GIVES(clred_partial_pack(whole, bytes + room, room, &again), CL_SUCCESS);
  EXPECT(size == again && (subject->count == 0 || memcmp(bytes, bytes + room, size) == 0),
         "%s of %llu elements: another partial of the whole", subject->name, (unsigned long long)subject->count);
  if (subject->count) {
    GIVES(clred_partial_result(mine, result), CL_SUCCESS);
    check_result(subject, result, "clred_mpi_allreduce_partial");
  }
  free(bytes);
  clred_partial_release(whole);
}

// This rank has the elements `first` to `first + count`. Each cut is used by one more call, by turns.
static void check_cut(const struct subject *subject, cl_ulong first, cl_ulong count, int turn) {
  unsigned char result[ROOM] = {0};
  clred_partial *mine = make_partial(subject->plan, subject->problem, first, count);
  GIVES(clred_mpi_allreduce(subject->handle, mine, result), CL_SUCCESS);
  check_result(subject, result, "clred_mpi_allreduce");
  if (turn % 3 == 0)
    check_reduce(subject, mine);
  else if (turn % 3 == 1)
    check_partial(subject, mine);
  else
    check_split(subject, mine, turn % 2);
  clred_partial_release(mine);
}

// A rank without elements may say anything about where it begins.
static void check_random_cut(const struct subject *subject, uint64_t seed, int turn) {
  cl_ulong first, count;
  cut_at_random(subject->count, seed, &first, &count);
  check_cut(subject, count || here.rank % 2 ? first : 0, count, turn);
}

static void check_counts(struct subject *subject) {
  const cl_ulong counts[] = {0, 1, 3, 777, 5000, MOST};
  for (int i = 0; i < 6; i++) {
    cl_ulong first = 0, count = 0;
    subject->count = counts[i];
    reduce_at_once(subject);
    GIVES(clred_mpi_share(MPI_COMM_WORLD, subject->plan, subject->count, &first, &count), CL_SUCCESS);
    check_cut(subject, first, count, i);
    check_random_cut(subject, 100 + (uint64_t)i, i + 1);
    check_random_cut(subject, 200 + (uint64_t)i, i + 2);
  }
}

// Rank 0 builds each program first; the others find it in the driver's cache.
static void check_subject(const char *name, const clred_problem *problem) {
  struct subject subject = {.name = name, .problem = problem, .count = 5000};
  clred_plan_info info = {0};
  for (int turn = 0; turn < 2; turn++) {
    if ((here.rank == 0) == (turn == 0)) {
      subject.plan = make_plan(problem);
      reduce_at_once(&subject);
      clred_partial_release(make_partial(subject.plan, problem, 1, 4000));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
  GIVES(clred_plan_inspect(subject.plan, 1, &info), CL_SUCCESS);
  subject.size = info.result_size;
  GIVES(clred_mpi_open(MPI_COMM_WORLD, subject.plan, &subject.handle), CL_SUCCESS);
  check_counts(&subject);
  clred_mpi_close(subject.handle);
  clred_plan_release(subject.plan);
}

void check_bits(void) {
  static const struct {
    const char *name;
    clred_problem problem;
  } rows[] = {
    {"sum of floats", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD}},
    {"sum of doubles", {.type = CLRED_TYPE_DOUBLE, .op = CLRED_OP_ADD}},
    {"mean", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_MEAN}},
    {"variance", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_VAR}},
    {"dot product", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_DOT}},
    {"argmin", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ARGMIN}},
    {"affine maps", {.custom = &affine}},
    {"affine maps joined on the device", {.custom = &affine_on_device}},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].problem.type != CLRED_TYPE_DOUBLE || device_has_fp64(&here.device))
      check_subject(rows[i].name, &rows[i].problem);
}

// --- Shares ---

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

void check_shares(void) {
  const cl_ulong counts[] = {0, 1, 1024, 1025, 777777, 1ull << 33, (1ull << 40) + 5, CL_ULONG_MAX};
  clred_plan *plan = make_plan(&(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD});
  for (int i = 0; i < 8; i++)
    check_share(plan, counts[i]);
  clred_plan_release(plan);
}
