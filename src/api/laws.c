// The public function that tries the laws of an operator.
#include "laws/laws.h"
#include "api/growth.h"

cl_int clred_check_laws_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                          clred_law *laws, size_t room) {
  struct clr_problem_taken taken;
  clred_law found[CLRED_LAWS];
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_problem(header, problem, &taken, &status);
  if (!err)
    err = clr_require(laws, "laws", &status);
  if (!err)
    err = clr_check_laws(runtime, &taken.problem, seed, found, &status);
  if (!err)
    clr_give(CLR_STRUCT_LAW, header, found, room < CLRED_LAWS ? room : CLRED_LAWS, laws);
  return clr_runtime_keep(runtime, err, &status);
}
