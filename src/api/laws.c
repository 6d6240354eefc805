// The public function that tries the laws of an operator.
#include "laws/laws.h"

cl_int clred_check_laws(clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                        clred_law laws[CLRED_LAWS]) {
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_require(problem, "problem", &status);
  if (!err)
    err = clr_require(laws, "laws", &status);
  if (!err)
    err = clr_check_laws(runtime, problem, seed, laws, &status);
  return clr_runtime_keep(runtime, err, &status);
}
