// The collective calls of a handle.
#include "mpi/ranks.h"

#include <stdio.h>
#include <string.h>

static cl_int fail(const clred_mpi *handle, cl_int status, const char *message) {
  return clred_runtime_fail(handle->runtime, status, message);
}

static bool is_under_way(const clred_mpi *handle) {
  return handle->requests[0] != MPI_REQUEST_NULL || handle->requests[1] != MPI_REQUEST_NULL;
}

// No other call may use the blocks while messages are under way. All ranks are in the same state, so no rank waits.
static cl_int check_idle(const clred_mpi *handle) {
  if (!handle)
    return CLRED_INVALID_ARGUMENT;
  return is_under_way(handle)
           ? fail(handle, CLRED_INVALID_ARGUMENT,
                  "handle: a nonblocking call is under way; finish it by clred_mpi_wait or clred_mpi_test")
           : CL_SUCCESS;
}

void clred_mpi_fail(clred_mpi *handle, cl_int status, const char *message) {
  if (!handle || !status)
    return;
  if (message)
    clr_mpi_failed(&handle->failed, status, "%s", message);
  else
    clr_mpi_take(&handle->failed, status, handle->runtime);
}

// --- What all ranks got ---

static cl_int check_whole(const clred_mpi *handle, const unsigned char *block, bool from_zero) {
  const struct clr_mpi_head head = clr_mpi_head_of(block);
  char message[CLR_MPI_MESSAGE];
  if (head.status)
    return fail(handle, head.status, clr_mpi_message_of(block));
  if (!from_zero || head.begin.state != CLR_MPI_KNOWN || !head.begin.element)
    return CL_SUCCESS;
  snprintf(message, sizeof message, "rank %d: it begins at element %llu, but no rank has the elements before it",
           head.begin.rank, (unsigned long long)head.begin.element);
  return fail(handle, CLRED_PARTIAL_GAP, message);
}

// Without elements the result is the identity, wherever the partials begin.
static cl_int lower(clred_mpi *handle, void *result) {
  const struct clr_mpi_head head = clr_mpi_head_of(handle->whole);
  clr_mutex_lock(&handle->lock);
  cl_int err = clr_mpi_read(handle, handle->whole, &handle->left);
  if (!err && head.begin.state == CLR_MPI_EMPTY)
    err = clred_partial_reset(handle->left, 0);
  if (!err)
    err = clred_partial_result(handle->left, result);
  clr_mutex_unlock(&handle->lock);
  return err;
}

static cl_int finish(clred_mpi *handle, void *result) {
  cl_int err = check_whole(handle, handle->whole, true);
  return err ? err : lower(handle, result);
}

// --- Calls ---

static cl_int allreduce(clred_mpi *handle, clred_partial *partial) {
  struct clr_mpi_failure failure = {0};
  clr_mpi_block_make(handle, partial);
  return clr_mpi_check(&failure,
                       MPI_Allreduce(handle->mine, handle->whole, 1, handle->type, handle->join, handle->comm),
                       "MPI_Allreduce")
           ? clr_mpi_tell(handle->runtime, &failure)
           : CL_SUCCESS;
}

static void require(clred_mpi *handle, const void *argument, const char *message) {
  if (!argument)
    clred_mpi_fail(handle, CLRED_INVALID_ARGUMENT, message);
}

cl_int clred_mpi_allreduce(clred_mpi *handle, clred_partial *partial, void *result) {
  cl_int err = check_idle(handle);
  if (err)
    return err;
  require(handle, result, "result is NULL");
  err = allreduce(handle, partial);
  return err ? err : finish(handle, result);
}

cl_int clred_mpi_reduce(clred_mpi *handle, clred_partial *partial, int root, void *result) {
  cl_int err = check_idle(handle);
  if (err)
    return err;
  if (root < 0 || root >= handle->size)
    clred_mpi_fail(handle, CLRED_INVALID_ARGUMENT, "root is no rank of the communicator");
  if (root == handle->rank)
    require(handle, result, "result is NULL");
  err = allreduce(handle, partial);
  return err ? err : finish(handle, root == handle->rank ? result : handle->lowered);
}

cl_int clred_mpi_allreduce_partial(clred_mpi *handle, clred_partial *partial) {
  cl_int err = check_idle(handle);
  if (!err)
    err = allreduce(handle, partial);
  if (!err)
    err = check_whole(handle, handle->whole, false);
  return err ? err : clr_mpi_read(handle, handle->whole, &partial);
}

// --- The split form ---

cl_int clred_mpi_iallreduce(clred_mpi *handle, clred_partial *partial, void *result) {
  struct clr_mpi_failure failure = {0};
  cl_int err = check_idle(handle);
  if (err)
    return err;
  require(handle, result, "result is NULL");
  clr_mpi_block_make(handle, partial);
  handle->result = result;
  handle->scans = false;
  err = clr_mpi_check(
    &failure,
    MPI_Iallreduce(handle->mine, handle->whole, 1, handle->type, handle->join, handle->comm, &handle->requests[0]),
    "MPI_Iallreduce");
  if (err)
    handle->requests[0] = MPI_REQUEST_NULL;
  return err ? clr_mpi_tell(handle->runtime, &failure) : CL_SUCCESS;
}

// --- The partials of everything before each rank, for scans ---
//
// MPI_Iexscan gives a rank the blocks of the ranks before it. This does not tell a rank about errors of later ranks. So
// MPI_Iallreduce joins the verdicts of all ranks: blocks without partials (mpi/ranks.h). Neither call waits for the
// other.

static void check_before(clred_mpi *handle, const clred_partial *partial, clred_partial *before) {
  const clred_plan *plan = clred_partial_plan(before);
  if (!before)
    clred_mpi_fail(handle, CLRED_INVALID_ARGUMENT, "before is NULL");
  else if (before == partial)
    clred_mpi_fail(handle, CLRED_INVALID_ARGUMENT, "before and partial are the same; create another partial");
  else if (clred_partial_fingerprint(plan, NULL, 0) != clred_partial_fingerprint(handle->plan, NULL, 0))
    clred_mpi_fail(handle, CLRED_PARTIAL_MISMATCH, "before is of another problem than the plan of clred_mpi_open");
}

// The first rank has no ranks before it, so its block is empty.
static cl_int begin_exscan(clred_mpi *handle, struct clr_mpi_failure *failure) {
  memset(handle->whole, 0, handle->block);
  return clr_mpi_check(
    failure,
    MPI_Iexscan(handle->mine, handle->whole, 1, handle->type, handle->join, handle->comm, &handle->requests[0]),
    "MPI_Iexscan");
}

// Takes part also if MPI_Iexscan failed; then the other ranks get the failure.
static cl_int begin_verdict(clred_mpi *handle, const struct clr_mpi_failure *so_far, struct clr_mpi_failure *failure) {
  if (so_far->status)
    clr_mpi_block_fail(handle, handle->mine, so_far);
  memcpy(handle->mine_alone, handle->mine, CLR_MPI_VERDICT);
  return clr_mpi_check(failure,
                       MPI_Iallreduce(handle->mine_alone, handle->verdict, 1, handle->verdict_type, handle->judge,
                                      handle->comm, &handle->requests[1]),
                       "MPI_Iallreduce");
}

// If no rank before has elements, `before` becomes empty, with the parameter values of this rank.
static cl_int give(clred_mpi *handle, clred_partial *before) {
  const bool is_empty = clr_mpi_head_of(handle->whole).begin.state == CLR_MPI_EMPTY;
  cl_int err = check_whole(handle, handle->whole, true);
  if (!err)
    err = clr_mpi_read(handle, is_empty ? handle->mine : handle->whole, &before);
  return err || !is_empty ? err : clred_partial_reset(before, 0);
}

static cl_int finish_exscan(clred_mpi *handle) {
  cl_int err = check_whole(handle, handle->verdict, true);
  return err ? err : give(handle, handle->before);
}

cl_int clred_mpi_iexscan(clred_mpi *handle, clred_partial *partial, clred_partial *before) {
  struct clr_mpi_failure first = {0}, second = {0};
  cl_int err = check_idle(handle);
  if (err)
    return err;
  check_before(handle, partial, before);
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

// --- The end of a nonblocking call ---

static cl_int check_under_way(const clred_mpi *handle) {
  if (!handle)
    return CLRED_INVALID_ARGUMENT;
  return is_under_way(handle) ? CL_SUCCESS
                              : fail(handle, CLRED_INVALID_ARGUMENT, "handle: no nonblocking call is under way");
}

static cl_int finish_call(clred_mpi *handle) {
  return handle->scans ? finish_exscan(handle) : finish(handle, handle->result);
}

cl_int clred_mpi_wait(clred_mpi *handle) {
  struct clr_mpi_failure failure = {0};
  cl_int err = check_under_way(handle);
  if (err)
    return err;
  err = clr_mpi_check(&failure, MPI_Waitall(2, handle->requests, MPI_STATUSES_IGNORE), "MPI_Waitall");
  return err ? clr_mpi_tell(handle->runtime, &failure) : finish_call(handle);
}

cl_int clred_mpi_test(clred_mpi *handle, cl_bool *done) {
  struct clr_mpi_failure failure = {0};
  int is_done = 0;
  cl_int err = check_under_way(handle);
  if (err)
    return err;
  if (!done)
    return fail(handle, CLRED_INVALID_ARGUMENT, "done is NULL");
  err = clr_mpi_check(&failure, MPI_Testall(2, handle->requests, &is_done, MPI_STATUSES_IGNORE), "MPI_Testall");
  *done = is_done != 0;
  if (err)
    return clr_mpi_tell(handle->runtime, &failure);
  return is_done ? finish_call(handle) : CL_SUCCESS;
}
