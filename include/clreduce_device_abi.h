// clreduce_device_abi.h: the exported functions behind the inline ones of clreduce_device.h, which includes this file.
// clreduce_abi.h says how bindings call them.

#ifndef CLREDUCE_DEVICE_ABI_H
#define CLREDUCE_DEVICE_ABI_H

// `room` is the length of the array before it.
CLRED_API cl_int clred_type_inspect_v(cl_uint header, clred_type type, clred_type_info *info);
CLRED_API cl_int clred_op_inspect_v(cl_uint header, clred_op op, clred_op_info *info);
CLRED_API cl_int clred_runtime_fact_v(cl_uint header, const clred_runtime *runtime, size_t index, clred_fact *fact);
CLRED_API cl_int clred_strategy_at_v(cl_uint header, size_t index, clred_strategy_info *info);
CLRED_API cl_int clred_strategy_applies_v(cl_uint header, clred_runtime *runtime, const char *strategy,
                                          const clred_problem *problem, char *reason, size_t size);
CLRED_API cl_int clred_plan_step_v(cl_uint header, const clred_plan *plan, cl_ulong count, cl_ulong index,
                                   clred_step *step);
CLRED_API cl_int clred_plan_analysis_v(cl_uint header, const clred_plan *plan, cl_ulong count,
                                       clred_analysis *analysis);
CLRED_API cl_int clred_tune_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem,
                              const clred_tune_options *options, clred_tuned *tuned, size_t room, size_t *count);
CLRED_API cl_int clred_probe_device_v(cl_uint header, clred_runtime *runtime, const clred_probe_options *options,
                                      clred_probe_result *result);
CLRED_API cl_int clred_check_laws_v(cl_uint header, clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                    clred_law *laws, size_t room);

CLRED_INLINE cl_int clred_type_inspect(clred_type type, clred_type_info *info) {
  return clred_type_inspect_v(CLRED_HEADER_VERSION, type, info);
}

CLRED_INLINE cl_int clred_op_inspect(clred_op op, clred_op_info *info) {
  return clred_op_inspect_v(CLRED_HEADER_VERSION, op, info);
}

CLRED_INLINE cl_int clred_runtime_fact(const clred_runtime *runtime, size_t index, clred_fact *fact) {
  return clred_runtime_fact_v(CLRED_HEADER_VERSION, runtime, index, fact);
}

CLRED_INLINE cl_int clred_strategy_at(size_t index, clred_strategy_info *info) {
  return clred_strategy_at_v(CLRED_HEADER_VERSION, index, info);
}

CLRED_INLINE cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem,
                                           char *reason, size_t size) {
  return clred_strategy_applies_v(CLRED_HEADER_VERSION, runtime, strategy, problem, reason, size);
}

CLRED_INLINE cl_int clred_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step) {
  return clred_plan_step_v(CLRED_HEADER_VERSION, plan, count, index, step);
}

CLRED_INLINE cl_int clred_plan_analysis(const clred_plan *plan, cl_ulong count, clred_analysis *analysis) {
  return clred_plan_analysis_v(CLRED_HEADER_VERSION, plan, count, analysis);
}

CLRED_INLINE cl_int clred_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                               clred_tuned tuned[CLRED_TUNED_MAX], size_t *count) {
  return clred_tune_v(CLRED_HEADER_VERSION, runtime, problem, options, tuned, CLRED_TUNED_MAX, count);
}

CLRED_INLINE cl_int clred_probe_device(clred_runtime *runtime, const clred_probe_options *options,
                                       clred_probe_result *result) {
  return clred_probe_device_v(CLRED_HEADER_VERSION, runtime, options, result);
}

CLRED_INLINE cl_int clred_check_laws(clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                     clred_law laws[CLRED_LAWS]) {
  return clred_check_laws_v(CLRED_HEADER_VERSION, runtime, problem, seed, laws, CLRED_LAWS);
}

#endif
