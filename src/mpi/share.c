// Cuts the elements into shares of ranks.
#include "mpi/ranks.h"

// If there are enough elements, each rank gets at least this many runs of tiles. Then two shares differ by less than
// 1/32 of the larger one: by one run, and by what the last run lacks if it is incomplete.
#define RUNS_EACH 64

static cl_ulong run_of(cl_ulong tile, cl_ulong n, cl_ulong ranks) {
  cl_ulong run = tile;
  while (run <= n / ranks / RUNS_EACH / 2)
    run *= 2;
  return run;
}

// The first `more` ranks get one run more than the others. The number of runs before `rank` cannot overflow: it is at
// most n / run + 1.
static cl_ulong first_of(cl_ulong n, cl_ulong run, cl_ulong ranks, cl_ulong rank) {
  const cl_ulong runs = n / run + (n % run != 0), each = runs / ranks, more = runs % ranks;
  const cl_ulong before = rank * each + (rank < more ? rank : more);
  return before >= runs ? n : before * run;
}

cl_int clred_mpi_share(MPI_Comm comm, const clred_plan *plan, cl_ulong n, cl_ulong *first, cl_ulong *count) {
  struct clr_mpi_failure failure = {0};
  const cl_ulong tile = clred_partial_tile(plan);
  int rank = 0, ranks = 1;
  cl_int err = clr_mpi_check_running(&failure);
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  if (!err && (!first || !count))
    err = clr_mpi_failed(&failure, CLRED_INVALID_ARGUMENT, "%s is NULL", first ? "count" : "first");
  if (!err && comm == MPI_COMM_NULL)
    err = clr_mpi_failed(&failure, CLRED_INVALID_ARGUMENT, "comm is MPI_COMM_NULL");
  if (!err && !tile)
    err = clr_mpi_failed(&failure, CLRED_INVALID_ARGUMENT,
                         "plan: it has no partials; use wide or chunked, layout LINE or STRIDED, no host_calls");
  if (!err)
    err = clr_mpi_check(&failure, MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  if (!err)
    err = clr_mpi_check(&failure, MPI_Comm_size(comm, &ranks), "MPI_Comm_size");
  if (err)
    return clr_mpi_tell(clred_plan_runtime(plan), &failure);
  const cl_ulong run = run_of(tile, n, (cl_ulong)ranks);
  *first = first_of(n, run, (cl_ulong)ranks, (cl_ulong)rank);
  *count = first_of(n, run, (cl_ulong)ranks, (cl_ulong)rank + 1) - *first;
  return CL_SUCCESS;
}
