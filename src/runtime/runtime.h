// A runtime: one context, one device, what is known of the device, its programs, and the lock around them.
#pragma once

#include "clreduce_device.h"
#include "model/facts.h"
#include "model/tuning.h"
#include "platform/platform.h"
#include "platform/process.h"
#include "runtime/program.h"
#include "source/source.h"

// How programs are tried in another process (trial/worker.h).
struct clr_outside {
  const char **command;     // owned; NULL: not at all
  atomic_bool works;        // false without a command, and after no process could try
  struct clr_text options;  // the runtime's options, packed
  struct clr_os_process process;
  unsigned seconds;
  clr_mutex lock;  // one thread at a time talks to the process
};

struct clred_runtime {
  cl_context context;
  cl_device_id device;
  struct clr_facts reported;  // facts as the device reports them
  struct clr_facts facts;     // reported facts with the caller's assumptions
  struct clr_programs programs;
  struct clr_status error;  // the last failure
  char *options;
  bool trusts;       // no program is tried
  bool device_only;  // the host computes no calls
  struct clr_outside outside;
  void (*log)(const char *line, void *user_data);
  void *user_data;
  struct clr_tuning tuning;  // measured numbers for this device
  struct clr_text tuning_note;
  cl_ulong loop_trips;  // measured iterations of loops (loop_limit.h); 0: no bound was found
  bool has_loop_trips;
  clr_mutex measuring;  // protects loop_trips; no thread takes it while it holds `lock`
  clr_mutex lock;       // protects programs, error and tuning
  clr_mutex mapping;    // see clr_call; no thread waits for events while it holds this lock
};

// Implements clred_runtime_create.
cl_int clr_runtime_make(cl_context context, cl_device_id device, const clred_options *options, clred_runtime **made,
                        struct clr_status *status);

// Implement clred_runtime_save_cache and clred_runtime_release.
size_t clr_runtime_save(clred_runtime *runtime);
void clr_runtime_release(clred_runtime *runtime);

// Writes a line to the caller's log, if there is one. No lock may be held: the caller's function may call the library.
void clr_runtime_log(const clred_runtime *runtime, const char *format, ...) CLR_PRINTF(2, 3);

// Returns the measured numbers for a problem. If nothing was measured, no number is marked as `given`.
struct clr_tuned clr_runtime_tuned(clred_runtime *runtime, const char *strategy, const struct clr_problem *problem);

// Stores a row of numbers; returns false if memory is out.
bool clr_runtime_keep_tuned(clred_runtime *runtime, const struct clr_tuning_row *row);

// Stores the message of a failure as the runtime's last error, unless `err` is CL_SUCCESS. Returns `err`.
cl_int clr_runtime_keep(clred_runtime *runtime, cl_int err, const struct clr_status *status);

// Finds, loads or builds the program with these kernels of a strategy (CLR_KERNEL_BIT).
cl_int clr_runtime_program(clred_runtime *runtime, const struct clr_strategy *strategy,
                           const struct clr_operation *operation, const struct clr_shape *shape, unsigned kernels,
                           const struct clr_vet *vet, struct clr_built **built, bool *is_right,
                           struct clr_status *status);

// Ends the trial of a program, as clr_programs_judge.
void clr_runtime_judge(clred_runtime *runtime, struct clr_built *built, unsigned cover, cl_int err, const char *why);

// Builds the program that returns the sizes of a caller's operator. Compile errors in the operator's text are quoted.
cl_int clr_runtime_probe(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                         struct clr_status *status);

// Builds the program that tries the laws of an operator.
cl_int clr_runtime_laws(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                        struct clr_status *status);

// Builds the program of the file `root` of cl/, whose kernels use no operator. `plan` is the text of plan.clh.
cl_int clr_runtime_file(clred_runtime *runtime, const struct clr_operation *operation, const char *plan,
                        const char *root, const struct clr_vet *vet, struct clr_built **built, bool *is_right,
                        struct clr_status *status);

// The same for work of the library itself, with an empty plan.clh. The runtime's numbers of builds and loads, which
// users see, do not count the program.
cl_int clr_runtime_own_file(clred_runtime *runtime, const char *root, struct clr_built **built,
                            struct clr_status *status);

// --- tuning_file.c ---
// Takes the rows about this device from a file. A useless file adds a line to the log; that is no failure.
void clr_runtime_read_tuning(clred_runtime *runtime, const char *file);

// Implements clred_tuning_save.
cl_int clr_runtime_save_tuning(clred_runtime *runtime, const char *file, struct clr_status *status);
