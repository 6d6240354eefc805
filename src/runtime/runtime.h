// What the public functions share: a runtime and the lock around it.
#ifndef CLR_API_RUNTIME_H
#define CLR_API_RUNTIME_H

#include <threads.h>

#include "model/findings.h"
#include "model/tuning.h"
#include "runtime/program.h"
#include "source/source.h"

struct clred_runtime {
  cl_context context;
  cl_device_id device;
  struct clr_facts reported;  // by the device
  struct clr_findings known;  // of the device, whatever it reports
  struct clr_facts facts;     // with that, and with what was assumed
  struct clr_programs programs;
  struct clr_status error;  // the last failure
  char *options;
  void (*log)(const char *line, void *user_data);
  void *user_data;
  struct clr_tuning tuning;  // numbers that were measured for this device
  struct clr_text tuning_note;
  struct clr_text findings_note;
  struct clr_findings found;  // by the latest clred_probe_device, for the file; plans go by `known`
  bool has_found;
  mtx_t lock;     // of programs, error, tuning and found
  mtx_t mapping;  // see clr_call; never held while anything is waited for
};

// Makes a runtime. With `findings` these alone are known of the device; else what is known by name, and options' file.
cl_int clr_runtime_make(cl_context context, cl_device_id device, const clred_options *options,
                        const struct clr_findings *findings, clred_runtime **made, struct clr_status *status);

// As clred_runtime_save and clred_runtime_release.
size_t clr_runtime_save(clred_runtime *runtime);
void clr_runtime_release(clred_runtime *runtime);

// The numbers that were measured for a problem; none `given` if there are none.
struct clr_tuned clr_runtime_tuned(clred_runtime *runtime, const char *strategy, const struct clr_problem *problem);

// Keeps a row of numbers; false without memory.
bool clr_runtime_keep_tuned(clred_runtime *runtime, const struct clr_tuning_row *row);

// The fact as the latest probing leaves it.
void clr_runtime_probed_fact(clred_runtime *runtime, const struct clr_fact_row *row, clred_fact *fact);

// Keeps the sentence of a failure as the runtime's last error; nothing if `err` is CL_SUCCESS. Returns `err`.
cl_int clr_runtime_keep(clred_runtime *runtime, cl_int err, const struct clr_status *status);

// The program with these kernels of a strategy (CLR_KERNEL_BIT), loaded or built if it is new.
cl_int clr_runtime_program(clred_runtime *runtime, const struct clr_strategy *strategy,
                           const struct clr_operation *operation, const struct clr_shape *shape, unsigned kernels,
                           struct clr_built **built, struct clr_status *status);

// The program that tells the sizes of a caller's operator. Mistakes in its text are told in its own words.
cl_int clr_runtime_probe(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                         struct clr_status *status);

// The program that tries the laws of an operator.
cl_int clr_runtime_laws(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                        struct clr_status *status);

#endif
