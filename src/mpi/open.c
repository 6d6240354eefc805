// Opens and closes handles.
#include "mpi/agree.h"

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

static cl_int make_memory(clred_mpi *handle, struct clr_mpi_failure *failure) {
  clred_plan_info info = {0};
  const size_t bytes = clred_partial_bytes(handle->plan);
  if (!bytes)
    return clr_mpi_failed(failure, CLRED_INVALID_ARGUMENT,
                          "plan: it has no partials; use wide or chunked, layout LINE or STRIDED, no host_calls");
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

static cl_int make_type(clred_mpi *handle, struct clr_mpi_failure *failure) {
  const int key = clr_mpi_key();
  if (key == MPI_KEYVAL_INVALID)
    return clr_mpi_failed(failure, CLRED_MPI_FAILED, "MPI_Type_create_keyval gives no key");
  cl_int err =
    clr_mpi_check(failure, MPI_Type_contiguous((int)handle->block, MPI_BYTE, &handle->type), "MPI_Type_contiguous");
  if (!err)
    err = clr_mpi_check(failure, MPI_Type_set_attr(handle->type, key, handle), "MPI_Type_set_attr");
  if (!err)
    err = clr_mpi_check(failure, MPI_Type_commit(&handle->type), "MPI_Type_commit");
  return err ? err : clr_mpi_check(failure, MPI_Op_create(clr_mpi_join, 0, &handle->join), "MPI_Op_create");
}

static cl_int make_verdict_type(clred_mpi *handle, struct clr_mpi_failure *failure) {
  cl_int err = clr_mpi_check(failure, MPI_Type_contiguous(CLR_MPI_VERDICT, MPI_BYTE, &handle->verdict_type),
                             "MPI_Type_contiguous");
  if (!err)
    err = clr_mpi_check(failure, MPI_Type_commit(&handle->verdict_type), "MPI_Type_commit");
  return err ? err : clr_mpi_check(failure, MPI_Op_create(clr_mpi_judge, 0, &handle->judge), "MPI_Op_create");
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
    err = make_type(handle, own);
  if (!err)
    make_verdict_type(handle, own);
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
