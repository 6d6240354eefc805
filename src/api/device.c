// The public functions of clreduce_device.h that run on a device: tuning, probes, laws.
#include "api/struct_versions.h"
#include "laws/laws.h"
#include "runtime/runtime.h"
#include "selftest/probe.h"
#include "trial/worker.h"
#include "tuning/tune.h"

// --- Tuning ---

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
    err = clr_struct_import(CLR_STRUCT_TUNE_OPTIONS, header, options, &full, &status);
  if (!err)
    err = clr_tune(runtime, &taken.problem, &full, found, &found_count, &status);
  found_count = found_count < room ? found_count : room;
  if (!err && tuned)
    clr_struct_export(CLR_STRUCT_TUNED, header, found, found_count, tuned);
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

// --- Probes ---

int clred_serve_trials(void) {
  return clr_worker_serve();
}

cl_int clred_probe_device_v(cl_uint header, clred_runtime *runtime, const clred_probe_options *options,
                            clred_probe_result *result) {
  clred_probe_options full;
  struct clr_status status = {0};
  clred_probe_result found = {.assume = ""};
  cl_int err = clr_struct_import(CLR_STRUCT_PROBE_OPTIONS, header, options, &full, &status);
  if (!err && runtime)
    err = clr_probe_device(runtime, &full, &found, &status);
  if (result && clr_knows_header(header))
    clr_struct_export(CLR_STRUCT_PROBE_RESULT, header, &found, 1, result);
  return runtime ? clr_runtime_keep(runtime, err, &status) : CLRED_INVALID_ARGUMENT;
}

// --- Laws ---

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
    clr_struct_export(CLR_STRUCT_LAW, header, found, room < CLRED_LAWS ? room : CLRED_LAWS, laws);
  return clr_runtime_keep(runtime, err, &status);
}
