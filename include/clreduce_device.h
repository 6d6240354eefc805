// clreduce_device.h: what the library knows about types and operators, and what it knows and measures about a device:
// facts, strategies, tuning, selftest, laws of operators. Units, errors, threads and structs: see the head of
// clreduce.h.

#ifndef CLREDUCE_DEVICE_H
#define CLREDUCE_DEVICE_H

#include "clreduce.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- Types and operators

typedef struct clred_type_info {
  clred_type type;
  const char *name;        // in OpenCL C; cfloat, cdouble and bfloat16 are names of this library
  const char *numpy_name;  // of one component
  size_t size;             // bytes
  cl_uint components;      // 2 for a complex number, n for a vector of n, else 1
  clred_type component;    // type of a component: float for float, float4 and cfloat
  cl_bool floating;
  cl_bool is_signed;
  cl_bool is_complex;
  cl_bool needs_fp64;  // the device must have double
} clred_type_info;

typedef struct clred_op_info {
  clred_op op;
  const char *name;
  const char *synonym;  // equals `name` if there is no synonym
  const char *sentence;
  cl_bool integers_only;
  cl_bool commutative;
  cl_uint inputs;        // buffers that it reads: 1, or 2 for dot
  cl_bool has_identity;  // 0 elements have a result; false for argmin, argmax, argminmax, minmax and stats
  cl_bool portable;      // the same bits on every device; false if exp or log is used
} clred_op_info;

// One row of the tables. To see all rows, pass 1, 2, 3, ... until the call returns CLRED_INVALID_ARGUMENT.
CLRED_INLINE cl_int clred_type_inspect(clred_type type, clred_type_info *info);
CLRED_INLINE cl_int clred_op_inspect(clred_op op, clred_op_info *info);

// ---------------------------------------------------------------- Facts

// Plans depend on the device only through these facts.
typedef struct clred_fact {
  const char *name;   // as clred_options.assume takes it
  cl_ulong value;     // in use
  cl_ulong reported;  // by the device
  const char *sentence;
  const char *why;  // why `value` is not what the device reports; "" if unknown. Valid until the runtime is released
} clred_fact;

// Fact `index` of this runtime. CLRED_INVALID_ARGUMENT after the last.
CLRED_INLINE cl_int clred_runtime_fact(const clred_runtime *runtime, size_t index, clred_fact *fact);

// ---------------------------------------------------------------- Strategies

typedef struct clred_strategy_info {
  const char *name;
  const char *sentence;
  cl_bool scans;        // one result per element
  cl_bool counts;       // counts elements in bins. If both are false: a reduction
  cl_uint layouts;      // bit 1 << CLRED_LAYOUT_ROWS for rows, and so on
  cl_bool fixed_order;  // the order fixed/1 (docs/order.md)
  cl_bool needs_bound;  // its scratch memory grows with n, at least with some finish: set count_max
  // Names that problem.finish may have, then NULL. The first is the default, with one exception: if it is last_group
  // and the device has no reliable fence (fact device_fence), relaunch is the default.
  const char *finishes[5];
} clred_strategy_info;

// Strategy `index`. CLRED_INVALID_ARGUMENT after the last.
CLRED_INLINE cl_int clred_strategy_at(size_t index, clred_strategy_info *info);

// CL_SUCCESS if this strategy can solve the problem on this device; problem->strategy is ignored. Otherwise the status
// that clred_plan_create would return, with the sentence in `reason`, of at most `size` bytes. Builds nothing: an
// operator of your own must give the sizes of types that only its preamble declares.
CLRED_INLINE cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem,
                                           char *reason, size_t size);

// A number of the analysis that cannot be stated exactly: it depends on the order of arrival, on polling, or on how the
// compiler arranges loads.
#define CLRED_NOT_STATED ((cl_ulong)-1)

// One step of a call, summed over all groups of the launch. docs/tree-analysis.md has the formulas. A full sub-group
// has as many work-items as the preferred multiple of the device. A sub-group is divergent if only some of its
// work-items are active. All numbers except `pass` may be CLRED_NOT_STATED.
typedef struct clred_step {
  cl_ulong pass;               // number of its launch, from 0. Work on the host counts, too
  char name[24];               // "load", "stride 4", "partials", ...
  cl_ulong active_work_items;  // that combine, or access memory
  cl_ulong sub_groups;         // that have an active work-item
  cl_ulong divergent_sub_groups;
  cl_ulong barriers;            // of one group in this step
  cl_ulong global_accesses;     // elements, states and results that are read from or written to global memory
  cl_ulong idle_work_items;     // launched, but not active
  cl_ulong operations;          // combinations of two states
  cl_ulong depth;               // operations of the longest chain in which each needs the one before
  cl_ulong operations_at_once;  // the most of them that are independent
  cl_ulong requests;            // of sub-groups to global memory: an access by all their active work-items is one
  cl_ulong lines;               // that these requests move, of the fact line_bytes. Buffers begin at a line
  cl_ulong local_accesses;      // states that are read from or written to local memory
  cl_ulong bank_conflicts;      // additional turns of requests to local memory with 32 banks of 4 bytes
} clred_step;

// Step `index` of a call with this count. CLRED_INVALID_ARGUMENT after the last; a call without elements has none.
CLRED_INLINE cl_int clred_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step);

// A call as a whole: the sums of its steps, and what textbooks derive from them.
typedef struct clred_analysis {
  cl_ulong launches;                            // without work on the host
  cl_ulong steps;                               // steps with operations
  cl_ulong operations;                          // the work
  cl_ulong depth;                               // the longest chain of operations
  cl_ulong barriers;                            // that a group of each launch passes
  cl_ulong active_work_items, idle_work_items;  // of all steps
  cl_ulong sub_groups, divergent_sub_groups;
  cl_ulong global_accesses, requests, lines;
  cl_ulong local_accesses, bank_conflicts;
  cl_ulong peak_parallelism;  // the most operations that are independent
  // Below 0: not stated.
  double mean_parallelism;  // operations / depth
  double utilisation;       // active work-items / (active + idle), from 0 to 1
  double work_ratio;        // operations / (count - 1), those of a loop
} clred_analysis;

// The analysis of a call with this count; zeros for count 0. Errors: CLRED_INVALID_ARGUMENT if count is above the
// plan's count_max.
CLRED_INLINE cl_int clred_plan_analysis(const clred_plan *plan, cl_ulong count, clred_analysis *analysis);

// ---------------------------------------------------------------- Tuning

// Measures which numbers are fastest: how many groups, their size, how they read. Tuning never changes the order of the
// elements, so results keep their bits. docs/tuning.md says what is measured and how it is stored.

// Numbers for calls of one length.
typedef struct clred_tuned {
  const char *strategy;
  // "small", "middle" or "large": for plans whose count_max is in this class (docs/tuning.md). "any": for all other
  // plans; chosen among the numbers of the other lengths.
  const char *length;
  cl_ulong count;        // elements of the measured calls; 0 for "any"
  double before, after;  // median seconds per call without and with the measured numbers; 0 for "any"
  cl_ulong tried;        // sets of numbers that were tried
  char numbers[160];     // "vector=8,tiles_at_least=16"; "" if nothing was faster
} clred_tuned;

#define CLRED_TUNED_MAX 4

typedef struct clred_tune_options {
  double seconds;  // approximate limit; 0: 10
  // Called between measurements with the finished share, from 0 to 1. Return nonzero to stop; what was found so far is
  // kept. It must not use the runtime. NULL: not called.
  cl_bool (*progress)(double done, void *user_data);
  void *user_data;
} clred_tune_options;

// Measures plans for this problem on data of the library, and keeps what was clearly faster: later plans of this
// runtime with the same operator, element type and strategy use it, unless the problem sets numbers. Measures calls of
// count_max elements; if count_max is 0, calls of three lengths. Each result is compared with the plan without measured
// numbers, bit by bit. Allocates device memory and a queue; the device should be idle. `tuned` gets the findings,
// `count` their number; both may be NULL, and so may `options`. Errors: those of clred_plan_create and clred_enqueue;
// CLRED_STRATEGY_REFUSED if there are no numbers to tune: only reductions with layout LINE have such numbers.
CLRED_INLINE cl_int clred_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                               clred_tuned tuned[CLRED_TUNED_MAX], size_t *count);

// Writes the tunings of this runtime to a file. Replaces what the file says about this device, under any driver, and
// keeps what it says about others. The file is replaced as a whole; if two processes write, the last one wins. A
// damaged tuning file is replaced; another kind of file, or one of a later version, is not. Errors:
// CLRED_INVALID_ARGUMENT, CLRED_TUNING_FILE, CL_OUT_OF_HOST_MEMORY.
CLRED_API cl_int clred_tuning_save(clred_runtime *runtime, const char *file);

// ---------------------------------------------------------------- Selftest

// Some drivers report limits that do not hold, or compile wrong code. Probes test what plans rely on. They also compare
// every strategy, operator and type with the host. A failure becomes a fact: a smaller limit, a refused strategy or
// type. Plans follow from facts, so they avoid it. docs/selftest.md lists the probes. The library also has a list of
// known faults of devices. It corrects these facts without a probe; clred_fact.why gives the reason.

typedef enum clred_verdict {
  CLRED_HOLDS = 0,
  CLRED_AVOIDED = 1,  // it fails, and plans do not use it
  CLRED_WRONG = 2,    // it fails, and plans would use it
  CLRED_LACKING = 3   // the device lacks the feature, or it was not tested: see `detail`
} clred_verdict;

#define CLRED_FINDING_DETAIL 240

typedef struct clred_finding {
  const char *name;   // "local memory"
  const char *about;  // "limits", "memory", "numbers", "atomics", "strategies", "operators", "order", "choices"
  clred_verdict verdict;
  char detail[CLRED_FINDING_DETAIL];  // one line; "" if all holds
} clred_finding;

typedef struct clred_probe_options {
  cl_bool full;      // every operator with every type and finish, and longer trials; else each at least once
  const char *only;  // the probes about these, as "limits,memory"; NULL: all. Other facts stay as reported
  // Called before each probe with the finished share, from 0 to 1. Return nonzero to stop with CL_SUCCESS; what was
  // found so far counts. If a driver ends the process, the last name says which probe did it. NULL: not called. Neither
  // `begins` nor `ends` may use the runtime.
  cl_bool (*begins)(const char *name, double done, void *user_data);
  void (*ends)(const clred_finding *finding, void *user_data);  // called after each probe; NULL: not called
  void *user_data;
} clred_probe_options;

typedef struct clred_probe_counts {
  cl_ulong holds, avoided, wrong, lacking;
} clred_probe_counts;

// Probes the device of the runtime and ignores what is already known or assumed. Builds programs, allocates the largest
// buffer that the device allows, and a queue; the device should be idle. Plans and facts of this runtime do not change:
// clred_findings_save stores the findings for later runtimes. `options` and `counts` may be NULL. CL_SUCCESS whatever
// is found. Errors: CL_OUT_OF_HOST_MEMORY; those of OpenCL if no queue can be created.
CLRED_INLINE cl_int clred_probe_device(clred_runtime *runtime, const clred_probe_options *options,
                                       clred_probe_counts *counts);

// Fact `index` after the latest clred_probe_device of this runtime. Before the first one: the fact as reported.
// CLRED_INVALID_ARGUMENT after the last. `why` is valid until the next clred_probe_device.
CLRED_INLINE cl_int clred_probed_fact(clred_runtime *runtime, size_t index, clred_fact *fact);

// Writes the findings of the latest clred_probe_device to a file; otherwise as clred_tuning_save.
CLRED_API cl_int clred_findings_save(clred_runtime *runtime, const char *file);

// ---------------------------------------------------------------- Laws of operators

// A law of monoids, tested on states made from edge values and random elements.
typedef struct clred_law {
  const char *name;  // "identity", "associativity", "commutativity"
  cl_bool claimed;   // by the operator; identity and associativity always are
  cl_bool holds;     // in every trial, up to rounding of floating results, except with NaN elements
  double error;      // largest difference, relative to the largest number that took part (docs/operators.md)
  cl_ulong trials;
  // The smallest one, with both results. If the law holds: "", or a counterexample that contains a NaN.
  char counterexample[640];
} clred_law;

#define CLRED_LAWS 3

// Tests problem->custom, or problem->op with problem->type, on the device. `seed` selects the random elements. Results
// are compared part by part. A struct of the preamble that cannot be parsed is compared byte by byte. The trials run
// three times: with all parameters 1, with the parameters 2, 3, ..., and with all parameters 0. docs/operators.md says
// what counts as rounding. CL_SUCCESS even if a law fails: see `holds`. Errors: those of clred_plan_create.
CLRED_INLINE cl_int clred_check_laws(clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                     clred_law laws[CLRED_LAWS]);

// ---------------------------------------------------------------- Exported functions (see clreduce_abi.h)

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
                                      clred_probe_counts *counts);
CLRED_API cl_int clred_probed_fact_v(cl_uint header, clred_runtime *runtime, size_t index, clred_fact *fact);
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
                                       clred_probe_counts *counts) {
  return clred_probe_device_v(CLRED_HEADER_VERSION, runtime, options, counts);
}

CLRED_INLINE cl_int clred_probed_fact(clred_runtime *runtime, size_t index, clred_fact *fact) {
  return clred_probed_fact_v(CLRED_HEADER_VERSION, runtime, index, fact);
}

CLRED_INLINE cl_int clred_check_laws(clred_runtime *runtime, const clred_problem *problem, cl_ulong seed,
                                     clred_law laws[CLRED_LAWS]) {
  return clred_check_laws_v(CLRED_HEADER_VERSION, runtime, problem, seed, laws, CLRED_LAWS);
}

#ifdef __cplusplus
}
#endif

#endif
