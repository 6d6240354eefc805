// The public functions of tuning.
#include "api/growth.h"
#include "runtime/kept.h"
#include "tuning/tune.h"

cl_int clred_tune_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem,
                    const clred_tune_options *options, clred_tuned *tuned, size_t room, size_t *count) {
  struct clr_problem_taken taken;
  clred_tune_options full;
  clred_tuned found[CLRED_TUNED_MAX];
  size_t found_count = 0;
  struct clr_status status = {0};
  if (count)
    *count = 0;
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_take_problem(header, problem, &taken, &status);
  if (!err)
    err = clr_take(CLR_STRUCT_TUNE_OPTIONS, header, options, &full, &status);
  if (!err)
    err = clr_tune(runtime, &taken.problem, &full, found, &found_count, &status);
  found_count = found_count < room ? found_count : room;
  if (!err && tuned)
    clr_give(CLR_STRUCT_TUNED, header, found, found_count, tuned);
  if (count)
    *count = found_count;
  return clr_runtime_keep(runtime, err, &status);
}

cl_int clred_tuning_save(clred_runtime *runtime, const char *file) {
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  return clr_runtime_keep(runtime, clr_runtime_save_tuning(runtime, file, &status), &status);
}
