// Opens and closes handles, and cuts elements into shares of ranks.
#include "mpi/ranks.h"

#include <limits.h>
#include <stdlib.h>

static cl_int check_comm(clred_mpi *handle, struct clr_mpi_failure *failure) {
  int is_between = 0;
  if (handle->comm == MPI_COMM_NULL)
    return clr_mpi_failed(failure, CLRED_INVALID_ARGUMENT, "comm is MPI_COMM_NULL");
  cl_int err = clr_mpi_check(failure, MPI_Comm_test_inter(handle->comm, &is_between), "MPI_Comm_test_inter");
  if (!err && is_between)
    err = clr_mpi_failed(failure, CLRED_INVALID_ARGUMENT, "comm is an intercommunicator; give an intracommunicator");
  if (!err)
    err = clr_mpi_check(failure, MPI_Comm_rank(handle->comm, &handle->rank), "MPI_Comm_rank");
  return err ? err : clr_mpi_check(failure, MPI_Comm_size(handle->comm, &handle->size), "MPI_Comm_size");
}

static cl_int fail_without_partials(struct clr_mpi_failure *failure) {
  return clr_mpi_failed(failure, CLRED_INVALID_ARGUMENT,
                        "plan: it has no partials; use wide or chunked, layout LINE or STRIDED, no host_calls");
}

static cl_int make_memory(clred_mpi *handle, struct clr_mpi_failure *failure) {
  clred_plan_info info = {0};
  const size_t bytes = clred_partial_bytes(handle->plan);
  if (!bytes)
    return fail_without_partials(failure);
  handle->block = clr_mpi_block_size(bytes);
  if (handle->block > INT_MAX)
    return clr_mpi_failed(failure, CLRED_INVALID_ARGUMENT, "plan: a partial of %zu bytes is too large for MPI", bytes);
  cl_int err = clr_mpi_take(failure, clred_plan_inspect(handle->plan, 0, &info), handle->runtime);
  if (err)
    return err;
  handle->mine = calloc(1, handle->block);
  handle->whole = calloc(1, handle->block);
  handle->lowered = calloc(1, info.result_size + 128);
  return handle->mine && handle->whole && handle->lowered
           ? CL_SUCCESS
           : clr_mpi_failed(failure, CL_OUT_OF_HOST_MEMORY, "out of memory for messages of %zu bytes", handle->block);
}

// Makes a datatype of this many bytes and an operator on it.
static cl_int make_type(size_t bytes, MPI_User_function *function, MPI_Datatype *type, MPI_Op *op,
                        struct clr_mpi_failure *failure) {
  cl_int err = clr_mpi_check(failure, MPI_Type_contiguous((int)bytes, MPI_BYTE, type), "MPI_Type_contiguous");
  if (!err)
    err = clr_mpi_check(failure, MPI_Type_commit(type), "MPI_Type_commit");
  return err ? err : clr_mpi_check(failure, MPI_Op_create(function, 0, op), "MPI_Op_create");
}

static cl_int make_types(clred_mpi *handle, struct clr_mpi_failure *failure) {
  const int key = clr_mpi_key();
  if (key == MPI_KEYVAL_INVALID)
    return clr_mpi_failed(failure, CLRED_MPI_FAILED, "MPI_Type_create_keyval gives no key");
  cl_int err = make_type(handle->block, clr_mpi_join, &handle->type, &handle->join, failure);
  if (!err)
    err = clr_mpi_check(failure, MPI_Type_set_attr(handle->type, key, handle), "MPI_Type_set_attr");
  return err ? err : make_type(CLR_MPI_VERDICT, clr_mpi_judge, &handle->verdict_type, &handle->judge, failure);
}

// The part of the work that this rank does alone. If it fails, the other ranks get the error.
static void make(clred_mpi *handle, clred_mpi **given, struct clr_mpi_failure *own) {
  cl_int err = CL_SUCCESS;
  if (!handle->plan)
    err = clr_mpi_failed(own, CLRED_INVALID_ARGUMENT, "plan is NULL");
  if (!err && !given)
    err = clr_mpi_failed(own, CLRED_INVALID_ARGUMENT, "handle is NULL");
  if (!err)
    err = make_memory(handle, own);
  if (!err)
    make_types(handle, own);
}

static void release(clred_mpi *handle) {
  clred_partial_release(handle->left);
  clred_partial_release(handle->right);
  for (int i = 0; i < 2; i++) {
    MPI_Op *op = i ? &handle->judge : &handle->join;
    MPI_Datatype *type = i ? &handle->verdict_type : &handle->type;
    if (*op != MPI_OP_NULL)
      MPI_Op_free(op);
    if (*type != MPI_DATATYPE_NULL)
      MPI_Type_free(type);
  }
  clr_mutex_destroy(&handle->lock);
  free(handle->mine);
  free(handle->whole);
  free(handle->lowered);
}

cl_int clred_mpi_open(MPI_Comm comm, clred_plan *plan, clred_mpi **handle) {
  clred_mpi here = {.comm = comm,
                    .plan = plan,
                    .runtime = clred_plan_runtime(plan),
                    .type = MPI_DATATYPE_NULL,
                    .join = MPI_OP_NULL,
                    .verdict_type = MPI_DATATYPE_NULL,
                    .judge = MPI_OP_NULL,
                    .requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL}};
  struct clr_mpi_failure own = {0}, failure = {0};
  if (handle)
    *handle = NULL;
  // Without a running MPI and a communicator, the error cannot be sent to other ranks.
  if (clr_mpi_check_running(&failure) || check_comm(&here, &failure))
    return clr_mpi_tell(here.runtime, &failure);
  clred_mpi *made = malloc(sizeof *made);
  clred_mpi *to = made ? made : &here;
  if (made)
    *made = here;
  else
    clr_mpi_failed(&own, CL_OUT_OF_HOST_MEMORY, "out of memory for a handle");
  clr_mutex_init(&to->lock);
  if (made)
    make(to, handle, &own);
  if (!clr_mpi_agree(to, &own, &failure)) {
    *handle = made;
    return CL_SUCCESS;
  }
  release(to);
  free(made);
  return clr_mpi_tell(here.runtime, &failure);
}

void clred_mpi_close(clred_mpi *handle) {
  if (!handle)
    return;
  for (int i = 0; i < 2; i++)
    if (handle->requests[i] != MPI_REQUEST_NULL)
      MPI_Wait(&handle->requests[i], MPI_STATUS_IGNORE);
  release(handle);
  free(handle);
}

// --- Shares ---

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
  clred_mpi here = {.comm = comm};
  cl_int err = clr_mpi_check_running(&failure);
  if (!plan)
    return CLRED_INVALID_ARGUMENT;
  if (!err && (!first || !count))
    err = clr_mpi_failed(&failure, CLRED_INVALID_ARGUMENT, "%s is NULL", first ? "count" : "first");
  if (!err)
    err = check_comm(&here, &failure);
  if (!err && !tile)
    err = fail_without_partials(&failure);
  if (err)
    return clr_mpi_tell(clred_plan_runtime(plan), &failure);
  const cl_ulong ranks = (cl_ulong)here.size, rank = (cl_ulong)here.rank, run = run_of(tile, n, ranks);
  *first = first_of(n, run, ranks, rank);
  *count = first_of(n, run, ranks, rank + 1) - *first;
  return CL_SUCCESS;
}
