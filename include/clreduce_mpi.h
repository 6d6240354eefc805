// clreduce_mpi.h: one reduction or scan over the elements of all ranks of an MPI communicator, with the bits of one
// call over them. Rank order is element order: each rank begins where the ranks before it end. The functions are in a
// separate library, libclreduce-mpi, and use partials. Units and errors: see the head of clreduce.h.
//
//   clred_mpi *ranks;
//   clred_mpi_open(MPI_COMM_WORLD, plan, &ranks);  // once
//   clred_mpi_share(MPI_COMM_WORLD, plan, n, &first, &count);  // or any other cut into neighbouring shares
//   clred_partial_create(plan, &(clred_partial_options){.first = first}, &mine);
//   err = clred_partial_fold(queue, mine, &(clred_call){.in = buffer, .count = count}, 0, NULL, NULL);
//   clred_mpi_fail(ranks, err, NULL);  // does nothing if err is CL_SUCCESS
//   err = clred_mpi_allreduce(ranks, mine, &total);
//
// What ranks do together. Functions that say "collective" must be called by all ranks of the communicator, in the same
// order, as in MPI. Each of them makes one collective call of MPI on the communicator; scans make two. The library has
// no other collective calls. If your program has nonblocking collectives on the same communicator, MPI's rules on their
// order hold. To separate them, pass a communicator from MPI_Comm_dup.
//
// Errors. If the work of a rank fails, the rank still communicates: it sends its status and message. A collective
// function then returns the same status on all ranks, with the same message, which begins with the rank: "rank 3: ...".
// If several ranks fail, all return the status and message of the lowest one. No rank hangs. clred_last_error of the
// plan's runtime has the message. Two kinds of errors may appear on one rank alone: CLRED_MPI_FAILED (MPI's own
// errors), and errors of a device that joins partials or computes the result, for operators without host callbacks.
// Operators with host callbacks, and all built-in ones, are joined on the host. These joins allocate nothing.
//
// MPI. The program calls MPI_Init and MPI_Finalize. Errors of MPI go to the error handler of the communicator, as
// always: by default they end the program. With MPI_ERRORS_RETURN they are returned as CLRED_MPI_FAILED, with MPI's
// message. All ranks must have the same version of this library and the same byte order; clred_mpi_open checks both.
//
// Threads. One thread at a time may use a handle. With MPI_THREAD_MULTIPLE different handles are independent.

#ifndef CLREDUCE_MPI_H
#define CLREDUCE_MPI_H

#include <mpi.h>

#include "clreduce_partial.h"

#ifdef __cplusplus
extern "C" {
#endif

// The ranks of a communicator that reduce by one plan, or by equal plans. Holds memory for three packed partials
// (clred_partial_bytes), and after the first call two partials of the plan. Close it before you release the plan, free
// the communicator or finalize MPI.
typedef struct clred_mpi clred_mpi;

// Cuts `n` elements into one share for each rank. Returns the share of this rank: `count` elements from `first` on.
// Every rank gets neighbouring elements, in the order of ranks. Shares begin at whole runs of 2^k tiles
// (docs/order.md), so no incomplete tile has to be sent. k is the largest number for which each rank gets 64 runs
// or more; 0 if there is none. Shares differ by at most one run. Exception: the last run may be incomplete; then the
// share that ends with it is smaller by the missing part. If there are fewer tiles than ranks, the last ranks get 0
// elements: `first` is then `n`. Not collective. Errors: CLRED_INVALID_ARGUMENT (NULL, or the plan makes no partials),
// CLRED_MPI_FAILED.
CLRED_API cl_int clred_mpi_share(MPI_Comm comm, const clred_plan *plan, cl_ulong n, cl_ulong *first, cl_ulong *count);

// Collective. The ranks compare what must be the same: the problem, the size of packed partials, the version and the
// byte order. Allocates all memory for messages. Errors, on all ranks: CLRED_PARTIAL_MISMATCH ("rank 0 reduces sum of
// float, and rank 2 max of float"), CLRED_INVALID_ARGUMENT (a rank gave a NULL, or a plan that makes no partials),
// CL_OUT_OF_HOST_MEMORY. `comm` must be an intracommunicator.
CLRED_API cl_int clred_mpi_open(MPI_Comm comm, clred_plan *plan, clred_mpi **handle);

// Not collective. Waits for a nonblocking call if one is under way. NULL does nothing.
CLRED_API void clred_mpi_close(clred_mpi *handle);

// Says that this rank failed: its next collective call on the handle sends this status and message, and all ranks
// return them. Call it after each step that may fail, such as a fold, with the status of this step; CL_SUCCESS does
// nothing. Only the first failure counts. If `message` is NULL, the message is what clred_last_error returns for the
// plan's runtime. Not collective.
CLRED_API void clred_mpi_fail(clred_mpi *handle, cl_int status, const char *message);

// Collective. Reduces the elements of all ranks and writes the result on every rank. Waits for the folds of the
// partial, which stays as it is. A partial without elements may begin anywhere. If `partial` is NULL, all ranks return
// CLRED_INVALID_ARGUMENT, unless clred_mpi_fail gave another status. Errors, on all ranks: those of a fold of any rank;
// CLRED_PARTIAL_GAP (a rank does not begin where the ranks before it end, or the first rank does not begin at element
// 0); CLRED_PARTIAL_MISMATCH (ranks have different parameters, or the partial is of another plan); CLRED_OVERFLOW.
CLRED_API cl_int clred_mpi_allreduce(clred_mpi *handle, clred_partial *partial, void *result);

// As clred_mpi_allreduce, but only rank `root` writes the result; `result` of other ranks may be NULL. All ranks get
// the status, so this costs as much as clred_mpi_allreduce.
CLRED_API cl_int clred_mpi_reduce(clred_mpi *handle, clred_partial *partial, int root, void *result);

// Collective. Replaces the partial of every rank by the partial of all elements, so that it can be continued, packed or
// kept. All ranks get equal bytes. The elements may begin anywhere. After an error the partials are as before. Errors:
// as clred_mpi_allreduce.
CLRED_API cl_int clred_mpi_allreduce_partial(clred_mpi *handle, clred_partial *partial);

// Collective. Begins clred_mpi_allreduce and returns, so that kernels of the next step can run meanwhile. Waits only
// for the folds of `partial`, which you may reset or release at once. The reduction is complete when clred_mpi_wait
// returns, or when clred_mpi_test sets `done` to true; both return its status. Keep `result` until then. Until then
// only these two functions and clred_mpi_close may be called on the handle; other functions return
// CLRED_INVALID_ARGUMENT. To run several reductions at the same time, open several handles. If this function itself
// fails (CLRED_MPI_FAILED), nothing is under way.
CLRED_API cl_int clred_mpi_iallreduce(clred_mpi *handle, clred_partial *partial, void *result);

// Waits for clred_mpi_iallreduce or clred_mpi_iexscan and finishes it. CLRED_INVALID_ARGUMENT if none is under way.
// Other errors: as clred_mpi_allreduce.
CLRED_API cl_int clred_mpi_wait(clred_mpi *handle);

// If the messages of the call have arrived, finishes it as clred_mpi_wait does, and sets `done` to true. Otherwise sets
// `done` to false and returns CL_SUCCESS. MPI may transfer messages only during such calls, so call it now and then
// between kernels.
CLRED_API cl_int clred_mpi_test(clred_mpi *handle, cl_bool *done);

// ---------------------------------------------------------------- Scans

// A scan over the elements of all ranks. The plan of the handle is from clred_plan_create_scan_partials.
//
//   clred_partial_create(folds, &(clred_partial_options){.first = first}, &mine);
//   clred_partial_create(folds, NULL, &before);
//   err = clred_partial_fold(queue, mine, &(clred_call){.in = in, .count = count}, 0, NULL, NULL);
//   clred_mpi_fail(ranks, err, NULL);
//   err = clred_mpi_exscan(ranks, mine, before);
//   if (!err)
//     err = clred_partial_scan(queue, scan, before, mine, &(clred_call){.in = in, .count = count, .out = out}, ...);

// Collective. Replaces the elements of `before` by the elements of all ranks before this one, as clred_partial_scan
// needs them. On the first rank `before` becomes empty and begins at element 0. Waits for the folds of `partial`, which
// stays as it is. `before` may be of any plan for the same problem. After an error `before` has its old elements. Makes
// two collective calls of MPI at the same time: MPI_Iexscan of one block, and MPI_Iallreduce of 640 bytes, because
// MPI_Iexscan does not send the errors of later ranks to earlier ones. Errors, on all ranks: as clred_mpi_allreduce. It
// is also an error if `before` is NULL, is the same partial as `partial`, or is of another problem. Other ranks may
// call clred_mpi_iexscan instead.
CLRED_API cl_int clred_mpi_exscan(clred_mpi *handle, clred_partial *partial, clred_partial *before);

// Collective. Begins clred_mpi_exscan and returns, so that kernels can run meanwhile. Finish it by clred_mpi_wait or
// clred_mpi_test, as clred_mpi_iallreduce. Waits only for the folds of `partial`, which you may reset or release at
// once. Do not use `before` until it is finished.
CLRED_API cl_int clred_mpi_iexscan(clred_mpi *handle, clred_partial *partial, clred_partial *before);

#ifdef __cplusplus
}
#endif

#endif
