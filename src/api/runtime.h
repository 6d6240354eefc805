// What the public functions share: a runtime and the lock around it.
#ifndef CLR_API_RUNTIME_H
#define CLR_API_RUNTIME_H

#include <threads.h>

#include "model/facts.h"
#include "model/tuning.h"
#include "opencl/program.h"
#include "planning/source.h"

struct clred_runtime {
  cl_context          context;
  cl_device_id        device;
  struct clr_facts    reported;  // by the device
  struct clr_facts    facts;     // with what was assumed
  struct clr_programs programs;
  struct clr_status   error;     // the last failure
  char               *options;
  void (*log)(const char *line, void *user_data);
  void               *user_data;
  struct clr_tuning   tuning;    // numbers that were measured for this device
  struct clr_text     tuning_note;
  mtx_t               lock;      // of programs, error and tuning
  mtx_t               mapping;   // see clr_call; never held while anything is waited for
};

// Keeps a failure as the runtime's last one and returns its code.
cl_int clr_runtime_fail(clred_runtime *runtime, const struct clr_status *status);

// The program for a strategy's shape, loaded or built if it is new.
cl_int clr_runtime_program(clred_runtime *runtime, const struct clr_strategy *strategy,
                           const struct clr_operation *operation, const struct clr_shape *shape, struct clr_built **built,
                           struct clr_status *status);

// The program that tells the sizes of a caller's operator. Mistakes in its text are told in its own words.
cl_int clr_runtime_probe(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                         struct clr_status *status);

// The program that tries the laws of an operator.
cl_int clr_runtime_laws(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                        struct clr_status *status);

#endif
