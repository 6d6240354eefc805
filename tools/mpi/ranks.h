// What the files of clreduce-mpi share: reduce and scan on the ranks of MPI_COMM_WORLD.
#pragma once

#include <mpi.h>

#include "base/fail.h"
#include "cli/args.h"

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
