// What the files of clreduce-mpi share: reduce and scan on the ranks of MPI_COMM_WORLD, and the work of a rank.
#pragma once

#include <clreduce_mpi.h>
#include <mpi.h>

#include "base/fail.h"
#include "cli/args.h"
#include "run/streaming.h"

struct ranks {
  int rank, count;
  char message[FAIL_MESSAGE_SIZE];  // of the latest failure of this rank
};

// Collective. `code` is the exit code of this rank's work so far. If any rank failed, rank 0 prints the message of
// the lowest rank that failed, and all ranks return its exit code.
int ranks_agree(struct ranks *ranks, int code);

// Collective. Reduces the elements of all ranks; rank 0 prints or writes what `clreduce reduce` does. Returns the same
// exit code on all ranks.
int ranks_reduce(struct ranks *ranks, const struct args *args);

// Collective. Scans the elements of all ranks, which write one file together; rank 0 prints what `clreduce scan` does.
// Returns the same exit code on all ranks.
int ranks_scan(struct ranks *ranks, const struct args *args);

// What --json shows of a rank.
struct rank_about {
  char host[MPI_MAX_PROCESSOR_NAME], device[DEVICE_TEXT_SIZE];
  uint64_t first, count;
  double seconds;
};

struct ranks_job {
  struct ranks *ranks;
  struct args args;
  char device[24];  // of args, if --device names several
  struct job job;
  clred_plan *plan;
  clred_plan *folds;  // makes partials: `plan`, or for a scan the plan that folds its elements
  clred_mpi *handle;
  clred_partial *partial;  // the elements of this rank
  struct rank_about about;
  double begun;  // seconds
};

// The work must not move. Call ranks_job_close in any case.
void ranks_job_begin(struct ranks_job *work, struct ranks *ranks, const struct args *args);
void ranks_job_close(struct ranks_job *work);

// Collective. Reads the command line, opens the inputs and the handle, and folds the share of this rank. Returns the
// same exit code on all ranks.
int ranks_fold(struct ranks_job *work);

// Makes a partial whose first element is element `first`. Returns an exit code.
int ranks_make_partial(const struct ranks_job *work, uint64_t first, clred_partial **partial);

// Gets elements of the share; the first of them is element `first` of the files. Returns an exit code.
typedef int ranks_window_taker(struct ranks_job *work, struct window *window, uint64_t first, void *about);

// Takes the share of this rank window by window. Windows end at multiples of `most` elements, so that few elements of
// incomplete tiles are copied. Open the inputs anew before the share is taken again.
int ranks_for_windows(struct ranks_job *work, uint64_t most, ranks_window_taker *take, void *about);

// The elements of a window, for elements of `size` bytes.
uint64_t ranks_window_most(size_t size);

// Collective. An object with all ranks, for --json; NULL on all ranks but rank 0.
cJSON *ranks_describe(const struct ranks_job *work);
