// The ranks give the bits of one call over all elements, wherever the elements are cut.
#include "mpi/mpi_test.h"

#include <stdlib.h>
#include <string.h>

// --- The calls ---

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
static void check_cut(const struct subject *subject, cl_ulong first, cl_ulong count, int turn) {
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

static void check_subject(struct subject *subject) {
  check_cuts(subject, check_cut);
}

void check_bits(void) {
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
  };
  check_each(subjects, sizeof subjects / sizeof *subjects, check_subject);
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
  clred_plan *plan = make_plan(&(clred_problem){OP(SUM, FLOAT)});
  for (int i = 0; i < 8; i++)
    check_share(plan, counts[i]);
  clred_plan_release(plan);
}
