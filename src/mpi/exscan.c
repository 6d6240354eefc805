// The partials of everything before each rank, for scans.
//
// MPI_Exscan gives a rank the blocks of the ranks before it. Errors of later ranks stay unknown to earlier ones, so the
// last rank, which knows all heads, then sends the verdict to all.
#include "mpi/ranks.h"

#include <string.h>

// The head of a block and the sentence of an error.
#define VERDICT (CLR_MPI_PAYLOAD + CLR_MPI_SENTENCE)

static void check_before(clred_mpi *handle, const clred_partial *partial, clred_partial *before) {
  const clred_plan *plan = clred_partial_plan(before);
  if (!before)
    clred_mpi_fail(handle, CLRED_INVALID_ARGUMENT, "before is NULL");
  else if (before == partial)
    clred_mpi_fail(handle, CLRED_INVALID_ARGUMENT, "before and partial are the same; create another partial");
  else if (clred_partial_fingerprint(plan, NULL, 0) != clred_partial_fingerprint(handle->plan, NULL, 0))
    clred_mpi_fail(handle, CLRED_PARTIAL_MISMATCH, "before is of another problem than the plan of clred_mpi_open");
}

// Leaves the block of the ranks before this one in `whole`. The first rank has none, so its block is empty.
static cl_int exscan(clred_mpi *handle, struct clr_mpi_failure *failure) {
  cl_int err = clr_mpi_check(
    failure, MPI_Exscan(handle->mine, handle->whole, 1, handle->type, handle->join, handle->comm), "MPI_Exscan");
  if (err || !handle->rank)
    memset(handle->whole, 0, handle->block);
  return err;
}

// Sends the verdict of the last rank to all.
static cl_int agree(clred_mpi *handle, unsigned char *verdict, struct clr_mpi_failure *failure) {
  const int last = handle->size - 1;
  if (failure->status)
    clr_mpi_block_fail(handle, handle->mine, failure);
  memcpy(verdict, handle->mine, VERDICT);
  clr_mpi_block_judge(handle->whole, verdict);
  return clr_mpi_check(failure, MPI_Bcast(verdict, VERDICT, MPI_BYTE, last, handle->comm), "MPI_Bcast");
}

// Without elements before this rank, `before` gets the parameters of its own elements.
static cl_int give(clred_mpi *handle, clred_partial *before) {
  const bool is_empty = clr_mpi_head_of(handle->whole).begin.state == CLR_MPI_EMPTY;
  cl_int err = clr_mpi_check_whole(handle, handle->whole, true);
  if (!err)
    err = clr_mpi_read(handle, is_empty ? handle->mine : handle->whole, &before);
  return err || !is_empty ? err : clred_partial_reset(before, 0);
}

cl_int clred_mpi_exscan(clred_mpi *handle, clred_partial *partial, clred_partial *before) {
  unsigned char verdict[VERDICT];
  struct clr_mpi_failure failure = {0};
  cl_int err = clr_mpi_check_idle(handle);
  if (err)
    return err;
  check_before(handle, partial, before);
  clr_mpi_block_make(handle, partial);
  exscan(handle, &failure);
  agree(handle, verdict, &failure);
  if (failure.status)
    return clr_mpi_tell(handle->runtime, &failure);
  err = clr_mpi_check_whole(handle, verdict, true);
  return err ? err : give(handle, before);
}
