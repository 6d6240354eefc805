// The partials of everything before each rank, for scans.
//
// MPI_Iexscan gives a rank the blocks of the ranks before it. Errors of later ranks stay unknown to earlier ones, so
// MPI_Iallreduce joins the heads of all ranks to a verdict. Neither waits for the other.
#include "mpi/ranks.h"

#include <string.h>

static void check_before(clred_mpi *handle, const clred_partial *partial, clred_partial *before) {
  const clred_plan *plan = clred_partial_plan(before);
  if (!before)
    clred_mpi_fail(handle, CLRED_INVALID_ARGUMENT, "before is NULL");
  else if (before == partial)
    clred_mpi_fail(handle, CLRED_INVALID_ARGUMENT, "before and partial are the same; create another partial");
  else if (clred_partial_fingerprint(plan, NULL, 0) != clred_partial_fingerprint(handle->plan, NULL, 0))
    clred_mpi_fail(handle, CLRED_PARTIAL_MISMATCH, "before is of another problem than the plan of clred_mpi_open");
}

static void check_gaps(clred_mpi *handle, clred_partial *partial) {
  cl_ulong first = 0, count = 0;
  if (partial && !clred_partial_range(partial, 1, &first, &count) && count)
    clred_mpi_fail(handle, CLRED_PARTIAL_GAP, "the elements of its partial have gaps; a scan needs neighbours");
}

// The first rank has no ranks before it, so its block is empty.
static cl_int begin_exscan(clred_mpi *handle, struct clr_mpi_failure *failure) {
  memset(handle->whole, 0, handle->block);
  return clr_mpi_check(
    failure,
    MPI_Iexscan(handle->mine, handle->whole, 1, handle->type, handle->join, handle->comm, &handle->requests[0]),
    "MPI_Iexscan");
}

// Takes part also if MPI_Iexscan failed, and tells the other ranks.
static cl_int begin_verdict(clred_mpi *handle, const struct clr_mpi_failure *so_far, struct clr_mpi_failure *failure) {
  if (so_far->status)
    clr_mpi_block_fail(handle, handle->mine, so_far);
  memcpy(handle->mine_alone, handle->mine, CLR_MPI_VERDICT);
  return clr_mpi_check(failure,
                       MPI_Iallreduce(handle->mine_alone, handle->verdict, 1, handle->verdict_type, handle->judge,
                                      handle->comm, &handle->requests[1]),
                       "MPI_Iallreduce");
}

// Without elements before this rank, `before` gets the parameters of its own elements.
static cl_int give(clred_mpi *handle, clred_partial *before) {
  const bool is_empty = clr_mpi_head_of(handle->whole).begin.state == CLR_MPI_EMPTY;
  cl_int err = clr_mpi_check_whole(handle, handle->whole, true);
  if (!err)
    err = clr_mpi_read(handle, is_empty ? handle->mine : handle->whole, &before);
  return err || !is_empty ? err : clred_partial_reset(before, 0);
}

cl_int clr_mpi_finish_exscan(clred_mpi *handle) {
  cl_int err = clr_mpi_check_whole(handle, handle->verdict, true);
  return err ? err : give(handle, handle->before);
}

cl_int clred_mpi_iexscan(clred_mpi *handle, clred_partial *partial, clred_partial *before) {
  struct clr_mpi_failure first = {0}, second = {0};
  cl_int err = clr_mpi_check_idle(handle);
  if (err)
    return err;
  check_before(handle, partial, before);
  check_gaps(handle, partial);
  clr_mpi_block_make(handle, partial);
  handle->scans = true;
  handle->before = before;
  if (begin_exscan(handle, &first))
    handle->requests[0] = MPI_REQUEST_NULL;
  if (!begin_verdict(handle, &first, &second))
    return CL_SUCCESS;
  // The other ranks take part in the scan, so it ends.
  MPI_Wait(&handle->requests[0], MPI_STATUS_IGNORE);
  handle->requests[1] = MPI_REQUEST_NULL;
  return clr_mpi_tell(handle->runtime, &second);
}

cl_int clred_mpi_exscan(clred_mpi *handle, clred_partial *partial, clred_partial *before) {
  cl_int err = clred_mpi_iexscan(handle, partial, before);
  return err ? err : clred_mpi_wait(handle);
}
