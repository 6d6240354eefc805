// Checks the laws of operators.
#pragma once

#include "clreduce_device.h"
#include "runtime/runtime.h"

// Implements clred_check_laws.
cl_int clr_check_laws(clred_runtime *runtime, const clred_problem *given, cl_ulong seed, clred_law *laws,
                      struct clr_status *status);
