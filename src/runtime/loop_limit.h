// Measures whether the device ends loops early, without an error, as Mesa's llvmpipe does up to version 22.
#pragma once

#include "runtime/runtime.h"

// Sets facts->loop_trips to the number of iterations after which the device ends loops, if it ends them. Measures once
// for each runtime, and not if the number is assumed or known from a file.
cl_int clr_loop_limit_find(clred_runtime *runtime, struct clr_facts *facts, struct clr_status *status);

// Returns the number of iterations that leave this state in a kernel of cl/probes/loops.cl, or count + 1 if no number
// does.
cl_uint clr_loop_turns(cl_uint state, cl_uint count);
