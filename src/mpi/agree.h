// Checks whether all ranks of a handle reduce in the same way.
#pragma once

#include "mpi/ranks.h"

// Collective. `own` is the failure of this rank so far. Fails on all ranks with the same message if a rank has failed,
// or if problems, sizes, versions or byte orders differ.
cl_int clr_mpi_agree(const clred_mpi *handle, const struct clr_mpi_failure *own, struct clr_mpi_failure *failure);
