// clreduce_device.h: tables of types and operators; facts about a device; strategies; tuning; selftest; laws of
// operators. The head of clreduce.h explains units, errors, threads and structs.

#ifndef CLREDUCE_DEVICE_H
#define CLREDUCE_DEVICE_H

#include "clreduce.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- Types and operators

// One element type, as clred_type_inspect describes it.
typedef struct clred_type_info {
  clred_type type;         // the type that is described
  const char *name;        // in OpenCL C; cfloat, cdouble and bfloat16 are names of this library
  const char *numpy_name;  // NumPy's name of one component
  size_t size;             // bytes
  cl_uint components;      // 2 for a complex number, n for a vector of n, else 1
  clred_type component;    // type of one component: FLOAT for float, float4 and cfloat
  cl_bool floating;        // components are floating-point numbers, also those of complex numbers
  cl_bool is_signed;       // components may be negative
  cl_bool is_complex;      // two components: the real and the imaginary part
  cl_bool needs_fp64;      // the device must have double
} clred_type_info;

// One built-in operator, as clred_op_inspect describes it.
typedef struct clred_op_info {
  clred_op op;            // the operator that is described
  const char *name;       // as the tool and clred_op_from_name take it
  const char *summary;    // what it computes
  cl_bool integers_only;  // it is defined for integers alone
  cl_bool commutative;    // combine(a, b) = combine(b, a)
  cl_uint inputs;         // number of buffers that a call reads: 1, or 2 for dot
  cl_bool has_identity;   // false for argmin, argmax, argminmax, minmax, stats: the tool refuses 0 elements
  cl_bool portable;       // the same bits on every device; false if exp or log is used
} clred_op_info;

// Describes one type, or one operator. To see all, pass 1, 2, 3, ... until the call returns CLRED_INVALID_ARGUMENT.
CLRED_INLINE cl_int clred_type_inspect(clred_type type, clred_type_info *info);
CLRED_INLINE cl_int clred_op_inspect(clred_op op, clred_op_info *info);

// ---------------------------------------------------------------- Facts

// A fact is one number or flag about the device. Plans depend on the device only through facts.
typedef struct clred_fact {
  const char *name;     // the same as in clred_options.assume
  cl_ulong value;       // the value that plans use
  cl_ulong reported;    // the value that the device reports
  const char *summary;  // what the fact says
} clred_fact;

// Fact `index` of this runtime. CLRED_INVALID_ARGUMENT after the last.
CLRED_INLINE cl_int clred_runtime_fact(const clred_runtime *runtime, size_t index, clred_fact *fact);

// ---------------------------------------------------------------- Strategies

// One strategy, as clred_strategy_at describes it.
typedef struct clred_strategy_info {
  const char *name;     // for problem.strategy
  const char *summary;  // how it works
  cl_bool scans;        // it scans: one result per element
  cl_bool counts;       // it counts elements in bins. If both flags are false, it reduces
  cl_uint layouts;      // the layouts that it can read: bit 1 << CLRED_LAYOUT_ROWS for rows, and so on
  cl_bool fixed_order;  // it computes the order fixed/1 (docs/order.md)
  cl_bool needs_bound;  // its scratch memory grows with the count, at least for some `finish`: set count_max
  // The names that problem.finish may have, then NULL. The first name is the default. Exception: if that is last_group
  // and the device has no reliable fence (fact device_fence), relaunch is the default.
  const char *finishes[5];
} clred_strategy_info;

// Strategy `index`. CLRED_INVALID_ARGUMENT after the last.
CLRED_INLINE cl_int clred_strategy_at(size_t index, clred_strategy_info *info);

// Returns CL_SUCCESS if this strategy can solve the problem on this device. Otherwise returns the status that
// clred_plan_create would return, and writes the message to `reason`, at most `size` bytes. problem->strategy is
// ignored. Builds nothing, so it cannot find the size of a type of your preamble: set element_size, state_size and
// result_size for such types.
CLRED_INLINE cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem,
                                           char *reason, size_t size);

// The value of a number that cannot be stated exactly, because it depends on the order in which groups finish, on how
// often they poll, or on how the compiler arranges loads.
#define CLRED_NOT_STATED ((cl_ulong)-1)

// One step of a call. Most numbers are sums over all groups of the launch. docs/textbook.md has the formulas. A
// full sub-group has as many work-items as the preferred multiple of the device. A sub-group is divergent if only some
// of its work-items are active. All numbers except `pass` may be CLRED_NOT_STATED.
typedef struct clred_step {
  cl_ulong pass;                  // index of the step's launch, from 0. Work on the host counts as a launch here
  char name[24];                  // "load", "stride 4", "partials", ...
  cl_ulong active_work_items;     // work-items that combine states or access memory
  cl_ulong sub_groups;            // sub-groups with an active work-item
  cl_ulong divergent_sub_groups;  // sub-groups of which only some work-items are active
  cl_ulong barriers;              // barriers that one group passes in this step
  cl_ulong global_accesses;       // reads and writes of elements, states and results in global memory
  cl_ulong idle_work_items;       // work-items that are launched, but not active
  cl_ulong operations;            // combinations of two states
  cl_ulong depth;                 // longest chain of operations, each of which needs the result of the one before
  cl_ulong operations_at_once;    // most operations that are independent of each other
  cl_ulong requests;              // requests to global memory: an access by all active work-items of a sub-group is one
  cl_ulong lines;                 // cache lines (fact line_bytes) that requests move, if buffers begin at a line
  cl_ulong local_accesses;        // reads and writes of states in local memory
  cl_ulong bank_conflicts;        // repeated requests to local memory, because words share one of 32 banks of 4 bytes
} clred_step;

// Step `index` of a call with this count. CLRED_INVALID_ARGUMENT after the last; a call without elements has none.
CLRED_INLINE cl_int clred_plan_step(const clred_plan *plan, cl_ulong count, cl_ulong index, clred_step *step);

// A call as a whole: the sums of its steps, and what textbooks derive from them. If the strategy describes no steps,
// operations, depth and parallelism are computed from its tree, which the host runs over up to 2^22 elements.
typedef struct clred_analysis {
  cl_ulong launches;                            // kernel launches
  cl_ulong steps;                               // steps that have operations
  cl_ulong operations;                          // combinations of two states: the work
  cl_ulong depth;                               // the longest chain of operations
  cl_ulong barriers;                            // barriers that one group passes, summed over the launches
  cl_ulong active_work_items, idle_work_items;  // from here to bank_conflicts: sums over all steps, see clred_step
  cl_ulong sub_groups, divergent_sub_groups;    // sums over all steps
  cl_ulong global_accesses, requests, lines;    // sums over all steps
  cl_ulong local_accesses, bank_conflicts;      // sums over all steps
  cl_ulong peak_parallelism;                    // most operations that are independent of each other
  // A value below 0 means: not stated.
  double mean_parallelism;  // operations / depth
  double utilisation;       // active work-items / (active + idle), from 0 to 1
  double work_ratio;        // operations / (count - 1); a loop has count - 1 operations
} clred_analysis;

// The analysis of a call with this count; zeros for count 0. Errors: CLRED_INVALID_ARGUMENT if count is above the
// plan's count_max.
CLRED_INLINE cl_int clred_plan_analysis(const clred_plan *plan, cl_ulong count, clred_analysis *analysis);

// ---------------------------------------------------------------- Tuning

// Tuning measures which numbers of a plan are fastest: the number of groups, the group size, how groups read. Tuning
// never changes the order of combination, so results keep their bits. docs/performance.md says what is measured and how
// it is stored.

// The measured numbers for calls of one length.
typedef struct clred_tuned {
  const char *strategy;  // the numbers hold for plans with this strategy
  // "small", "middle" or "large": for plans whose count_max is in this class (docs/performance.md). "any": for all
  // other plans. Its numbers are chosen from those found for the three classes.
  const char *length;
  cl_ulong count;        // elements of the measured calls; 0 for "any"
  double before, after;  // median seconds per call without and with the measured numbers; 0 for "any"
  cl_ulong tried;        // how many sets of numbers were tried
  char numbers[160];     // "vector=8,tiles_at_least=16"; "" if nothing was faster
} clred_tuned;

#define CLRED_TUNED_MAX 4  // the most clred_tuned that clred_tune writes

// Options of clred_tune. All fields may stay 0.
typedef struct clred_tune_options {
  double seconds;  // approximate limit; 0: 10
  // Called between measurements; `done` is the finished share, from 0 to 1. Return nonzero to stop; what was found so
  // far is kept. `progress` must not use the runtime. NULL: not called.
  cl_bool (*progress)(double done, void *user_data);
  void *user_data;  // is passed to `progress`
} clred_tune_options;

// Measures plans for this problem on elements that the library makes, and keeps numbers that were clearly faster. Later
// plans of this runtime with the same operator, element type and strategy use these numbers, unless the problem sets
// its own. Measures calls of count_max elements; if count_max is 0, calls of three lengths. Each result is compared
// with the plan without measured numbers, bit by bit. Allocates device memory and a queue; the device should be idle.
// `tuned` gets the measured numbers, and `count` how many entries of `tuned` were written. `tuned`, `count` and
// `options` may be NULL. Errors: those of clred_plan_create and clred_enqueue; CLRED_STRATEGY_REFUSED if there are no
// numbers to tune: only reductions with layout LINE have such numbers.
CLRED_INLINE cl_int clred_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                               clred_tuned tuned[CLRED_TUNED_MAX], size_t *count);

// Writes the measured numbers of this runtime to a file. Replaces the file's entries for this device, under any driver,
// and keeps the entries for other devices. The file is replaced as a whole; if two processes write, the last one wins.
// A damaged tuning file is replaced. A file of another kind, or of a later version, is not replaced. Errors:
// CLRED_INVALID_ARGUMENT, CLRED_TUNING_FILE, CL_OUT_OF_HOST_MEMORY.
CLRED_API cl_int clred_tuning_save(clred_runtime *runtime, const char *file);

// ---------------------------------------------------------------- Selftest

// Some drivers report wrong limits, or compute wrong results. Probes test what plans rely on: limits, memory,
// arithmetic and atomics. If another value of a fact avoids a failure, clred_probe_result.assume has this value.
// docs/portability.md lists the probes. Programs of plans are not probed: each is tried before its first result
// (clred_options.trust_driver).

// The result of a probe.
typedef enum clred_verdict {
  CLRED_HOLDS = 0,    // the probe found no failure
  CLRED_AVOIDED = 1,  // the probe failed; plans avoid what failed if clred_probe_result.assume is used
  CLRED_WRONG = 2,    // the probe failed, and no assumed fact makes plans avoid what failed
  CLRED_LACKING = 3   // the device lacks the feature, or the probe did not run: see `detail`
} clred_verdict;

#define CLRED_FINDING_DETAIL 240  // bytes of clred_finding.detail

// What one probe found.
typedef struct clred_finding {
  const char *name;                   // "local memory"
  const char *about;                  // "limits", "memory", "numbers", "atomics"
  clred_verdict verdict;              // whether the probe failed, and whether plans can avoid what failed
  char detail[CLRED_FINDING_DETAIL];  // one line; "" if all holds
} clred_finding;

// Serves clred_options.trial_command: tries programs for another process, which is connected to standard input and has
// the same build of the library. Returns at the end of the input; end the process with the result as its exit status.
// Not on Windows.
CLRED_API int clred_serve_trials(void);

// Options of clred_probe_device. All fields may stay 0.
typedef struct clred_probe_options {
  const char *only;  // the only subjects to probe, as "limits,memory"; NULL: all
  // Called before each probe; `done` is the finished share, from 0 to 1. Return nonzero to stop with CL_SUCCESS; what
  // was found so far is kept. If a driver ends the process, the last name is the probe that caused it. NULL: not
  // called. Neither `begins` nor `ends` may use the runtime.
  cl_bool (*begins)(const char *name, double done, void *user_data);
  void (*ends)(const clred_finding *finding, void *user_data);  // called after each probe; NULL: not called
  void *user_data;                                              // is passed to `begins` and `ends`
} clred_probe_options;

// What all probes found.
typedef struct clred_probe_result {
  cl_ulong holds, avoided, wrong, lacking;  // how many probes ended with each verdict
  // Text for clred_options.assume: each fact that the device reports wrongly, with a value that holds, such as
  // "local_mem_size=16384,fills=0". "" if there are none.
  char assume[512];
} clred_probe_result;

// Probes the device of the runtime with the facts that it reports, even if clred_options.assume changes them. Builds
// programs, and allocates a queue and the largest buffer that the device allows. The device should be idle. Plans and
// facts of this runtime do not change: create another runtime with result->assume. `options` and `result` may be NULL.
// Returns CL_SUCCESS for every verdict. Errors: CL_OUT_OF_HOST_MEMORY; those of OpenCL if no queue can be created.
CLRED_INLINE cl_int clred_probe_device(clred_runtime *runtime, const clred_probe_options *options,
                                       clred_probe_result *result);

// ---------------------------------------------------------------- Laws of operators

// A law of monoids, tested on states made from edge values and random elements.
typedef struct clred_law {
  const char *name;  // "identity", "associativity", "commutativity"
  cl_bool claimed;   // true if the operator claims this law; identity and associativity are always claimed
  cl_bool holds;     // true if no trial failed. Rounding, and trials with NaN elements, do not count
  double error;      // largest difference between the law's sides, divided by the largest number (docs/operators.md)
  cl_ulong trials;   // how often the law was tested
  // The smallest counterexample, with both results. If the law holds, "" or a counterexample that contains a NaN.
  char counterexample[640];
} clred_law;

#define CLRED_LAWS 3  // the length of `laws` for clred_check_laws

// Tests problem->custom, or problem->op with problem->type, on the device. `seed` selects the random elements. Results
// are compared part by part. If the library cannot parse a struct of the preamble, it compares the struct byte by byte.
// The trials run three times: with all parameters 1, with the parameters 2, 3, ..., and with all parameters 0.
// docs/operators.md says what counts as rounding. CL_SUCCESS even if a law fails: see `holds`. Errors: those of
// clred_plan_create.
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

#ifdef __cplusplus
}
#endif

#endif
