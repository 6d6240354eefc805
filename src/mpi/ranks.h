// What the files of libclreduce-mpi share. These files use only the public functions of libclreduce.
#pragma once

#include <stdbool.h>

#include "clreduce_mpi.h"
#include "platform/platform.h"

#define CLR_MPI_MESSAGE 512

// A failure that was not yet sent to the other ranks.
struct clr_mpi_failure {
  cl_int status;  // CL_SUCCESS: none
  char message[CLR_MPI_MESSAGE];
};

// --- block.c: the message of a rank, or of neighbouring ranks ---

enum clr_mpi_state { CLR_MPI_EMPTY, CLR_MPI_KNOWN, CLR_MPI_UNKNOWN };  // unknown: the rank failed

// One end of the elements of neighbouring ranks. Ranks without elements do not count.
struct clr_mpi_end {
  enum clr_mpi_state state;
  int rank;
  cl_ulong element;  // for the right end: the element after the last
};

// The fingerprint (`value`) of problem and parameters of one rank, which is the first or the last of joined ranks.
struct clr_mpi_print {
  bool is_known;
  int rank;
  cl_ulong value;
};

// The head of a block. A packed partial follows, or a message if `status` is an error; then zeros up to the size of a
// block. Every join of the same blocks must give the same block, whichever ranks are joined first. So each pair of
// neighbours is compared exactly once, and the error with the smallest `place` stays.
struct clr_mpi_head {
  cl_int status;
  long long place;
  cl_ulong size;  // of the packed partial
  struct clr_mpi_end begin, end;
  struct clr_mpi_print first, last;
};

#define CLR_MPI_PAYLOAD 128  // where the packed partial begins
_Static_assert(sizeof(struct clr_mpi_head) <= CLR_MPI_PAYLOAD, "the head has room");

// A verdict is a block without a partial: the head, and the message of an error.
#define CLR_MPI_VERDICT (CLR_MPI_PAYLOAD + CLR_MPI_MESSAGE)

struct clred_mpi {
  MPI_Comm comm;
  int rank, size;
  clred_plan *plan;
  clred_runtime *runtime;
  MPI_Datatype type;  // one block; the operator finds the handle as an attribute of this type
  MPI_Op join;
  MPI_Datatype verdict_type;  // one verdict
  MPI_Op judge;
  size_t block;                 // bytes of a block
  unsigned char *mine, *whole;  // blocks: what this rank sends, and what it gets
  unsigned char mine_alone[CLR_MPI_VERDICT], verdict[CLR_MPI_VERDICT];  // for scans: blocks without partials
  clred_partial *left, *right;                                          // joins blocks; NULL before the first call
  clr_mutex lock;     // protects `left` and `right`: MPI may join blocks of this handle in any thread that calls MPI
  cl_ulong accepted;  // the fingerprint of the latest partial of the plan's problem; 0: none
  struct clr_mpi_failure failed;  // the failure given to clred_mpi_fail
  void *lowered;                  // takes the result on ranks other than the root
  MPI_Request requests[2];        // requests of the call under way; MPI_REQUEST_NULL: none
  void *result;                   // the result pointer of clred_mpi_iallreduce
  bool scans;                     // clred_mpi_iexscan is the latest call
  clred_partial *before;          // the partial for clred_mpi_iexscan
};

// The bytes of a block for packed partials of `bytes`.
size_t clr_mpi_block_size(size_t bytes);

// Writes the block of a failed rank.
void clr_mpi_block_fail(const clred_mpi *handle, unsigned char *block, const struct clr_mpi_failure *failure);

// Writes the block of this rank, or the block of its failure if there is one.
void clr_mpi_block_make(clred_mpi *handle, clred_partial *partial);

// Reads a packed partial into `partial`, which is created if it is NULL.
cl_int clr_mpi_read(const clred_mpi *handle, const unsigned char *block, clred_partial **partial);

// The operator of MPI on blocks: b = join(a, b).
void clr_mpi_join(void *a, void *b, int *count, MPI_Datatype *type);

// The key of the datatype attribute that is the handle; MPI_KEYVAL_INVALID if MPI gives no key.
int clr_mpi_key(void);

struct clr_mpi_head clr_mpi_head_of(const unsigned char *block);
const char *clr_mpi_message_of(const unsigned char *block);

// The operator of MPI on verdicts: b = join(a, b).
void clr_mpi_judge(void *a, void *b, int *count, MPI_Datatype *type);

// --- agree.c ---
// Collective. `own` is the failure of this rank so far. Fails on all ranks with the same message if a rank has failed,
// or if problems, sizes, versions or byte orders differ.
cl_int clr_mpi_agree(const clred_mpi *handle, const struct clr_mpi_failure *own, struct clr_mpi_failure *failure);

// --- failure.c ---
// Keep a failure, if there is none yet, and return its status.
cl_int clr_mpi_failed(struct clr_mpi_failure *failure, cl_int status, const char *format, ...);

// Converts the status of an MPI function: CL_SUCCESS, or CLRED_MPI_FAILED, which is kept with MPI's message.
cl_int clr_mpi_check(struct clr_mpi_failure *failure, int code, const char *function);

// Keeps a failure of a function of the library, with the runtime's last error. Returns `status`.
cl_int clr_mpi_take(struct clr_mpi_failure *failure, cl_int status, clred_runtime *runtime);

// Fails if MPI is not yet initialized, or already finalized.
cl_int clr_mpi_check_running(struct clr_mpi_failure *failure);

// Makes the failure the last error of the runtime. Returns its status.
cl_int clr_mpi_tell(clred_runtime *runtime, const struct clr_mpi_failure *failure);
