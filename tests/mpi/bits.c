// The ranks give the bits of one call over all elements, wherever the elements are cut.
#include "mpi/mpi_test.h"

// --- The calls ---

static void check_reduce(const struct subject *subject, clred_partial *mine) {
  const int root = here.size / 2;
  unsigned char result[RESULT_MAX] = {0};
  GIVES(clred_mpi_reduce(subject->handle, mine, root, here.rank == root ? result : NULL), CL_SUCCESS);
  if (here.rank == root)
    check_result(subject, result, "clred_mpi_reduce");
}

static void check_split(const struct subject *subject, clred_partial *mine, bool waits) {
  unsigned char result[RESULT_MAX] = {0};
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

// This rank has the elements `first` to `first + count`. Each cut is used by one more call, by turns.
static void check_cut(const struct subject *subject, cl_ulong first, cl_ulong count, int turn) {
  unsigned char result[RESULT_MAX] = {0};
  clred_partial *mine = make_partial(subject, first, count);
  GIVES(clred_mpi_allreduce(subject->handle, mine, result), CL_SUCCESS);
  check_result(subject, result, "clred_mpi_allreduce");
  if (turn % 3 == 0)
    check_reduce(subject, mine);
  else if (turn % 3 == 1)
    check_whole(subject, mine);
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
    solve(subject, counts[i]);
    GIVES(clred_mpi_share(MPI_COMM_WORLD, subject->plan, subject->count, &first, &count), CL_SUCCESS);
    check_cut(subject, first, count, i);
    check_random_cut(subject, 100 + (uint64_t)i, i + 1);
    check_random_cut(subject, 200 + (uint64_t)i, i + 2);
  }
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
  check_each(subjects, sizeof subjects / sizeof *subjects, check_counts);
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
