// The operator of counts. To mark an operation, its combine reads one byte of constant memory for each lane, or on the
// host, its callback counts. A state is 65536 times the number of operations in its tree, plus their depth.
#pragma once

#include <clreduce.h>

#define TALLY_DEPTH 65535u

// The second operator combines vectors of states.
extern const clred_operator tally;

// Operations of the host so far.
extern cl_ulong tally_on_host;
