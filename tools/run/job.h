// The work that reduce, scan, select, plan and ladder share: an operator, its inputs and a device. Errors that are
// cheap to find are reported first.
#pragma once

#include "device/session.h"
#include "input/input.h"
#include "input/layout.h"
#include "operator/operation.h"
#include "run/groups.h"
#include "run/per_file.h"
#include "run/run.h"

struct verdict;

struct job {
  const struct args *args;
  struct operation operation;
  union {
    struct input inputs[1 + USER_INPUTS_MAX];  // INPUT, then the further inputs of the operator
    struct {
      struct input input;
      struct input others[USER_INPUTS_MAX];
    };
  };
  size_t other_count;                   // how many of them are open
  struct input segments;                // offsets of --segments, or flags, or the first key
  struct keys keys;                     // the other keys
  struct input runs;                    // offsets of the runs or groups; set by job_find_runs or job_load
  struct results group_keys[KEYS_MAX];  // set by job_load
  uint64_t *places;                     // of each grouped element, its index in INPUT; set by job_load
  bool wants_places;                    // asks job_load for places
  bool plain;                           // there is no operator; only INPUT and its rows are opened
  bool wants_lines;                     // the elements of each row must be adjacent (layout_take)
  struct layout layout;                 // complete when the input is counted
  clred_problem problem;                // count_max is set when the input is counted
  struct session session;
  union {
    cl_mem buffer;                        // of the first input
    cl_mem buffers[1 + USER_INPUTS_MAX];  // NULL before job_load, and if there are no elements
  };
  cl_mem segments_buffer;
  struct work work;  // complete after job_plan
  struct progress progress;
  bool streams;  // the inputs are streamed; set by streaming_choose
  struct each each;
  clred_problem planned;  // the problem for which job_plan made its last plan
  uint64_t bins;          // of a histogram: the results of its plan; else 0
  clred_plan *plan;       // of job_compute; kept from file to file if it fits
  // Functions of a verb that job_compute calls; NULL: the usual step. `open` replaces job_open_inputs, `load` replaces
  // job_load_or_stream, `run` replaces making and running the plan, and `print` replaces the output. `add` adds results
  // of operators that no plan computes. They return exit codes.
  int (*open)(void *about);
  int (*load)(void *about);
  int (*run)(void *about, struct outcome *outcome, struct verdict *verdict);
  int (*add)(void *about, struct outcome *outcome, struct verdict *verdict);
  int (*print)(void *about, const struct outcome *outcome, const struct verdict *verdict);
  void *about;
};

// Sets up a job with nothing open yet. Call job_close in any case. The job must not move.
void job_begin(struct job *job, const struct args *args);

// Begins the job and reads the command line. Returns an exit code, like all functions here. Call job_close in any case.
int job_begin_operation(struct job *job, const struct args *args, const char *op_name);

// Closes the inputs and opens those of the current file of --each: reads their headers. Opens the device at first.
int job_open_inputs(struct job *job);

// Calls job_begin_operation and job_open_inputs.
int job_open(struct job *job, const struct args *args, const char *op_name);

// Counts the elements. Reads them only if there is no other way.
int job_count(struct job *job);

// Reads or generates the elements, groups them for --group, and copies them to the device. job_load_host leaves them in
// host memory.
int job_load(struct job *job);
int job_load_host(struct job *job);

// Creates the plan. *plan is NULL or the plan of the previous file, which is kept if it fits this file, too. If only
// the compiler knows the size of an element, counts the elements afterwards.
int job_plan(struct job *job, clred_plan **plan);

// A number, and the exponents of products.
struct initial {
  union value value, exponents;
};

// Reads --initial, which only scans take, for the job's call. *initial must last as long as the call.
int job_take_initial(struct job *job, const clred_plan *plan, struct initial *initial);

// Finds the runs of keys or flags on the host, for --verify. Does nothing if there are no runs.
int job_find_runs(struct job *job);

void job_close(struct job *job);

// Bytes that a call reads. For scans also the bytes of the results.
uint64_t job_bytes(const struct job *job, const struct outcome *outcome);

// Writes the files of --output and --keys-output, after a check of the keys. `results` is NULL if they are written
// already, `keys` if there are none. Returns an exit code.
int job_write(const struct job *job, const struct results *results, const struct layout *layout,
              const struct results *keys);

// Does all steps for each file or column that has a result of its own. It opens the inputs, loads or streams them,
// makes the plan, runs it, verifies the results if the user gave --verify, and prints or writes them. `code` is the
// exit code of the earlier steps; after a failure the function does nothing and returns `code`. It returns EXIT_WRONG
// if a result is wrong, and prints the result in this case, too.
int job_compute(struct job *job, int code);

// The last of these steps: runs the plan, verifies, prints or writes.
int answer(struct job *job, clred_plan *plan);

// Decides whether to stream (run/streaming.h), and loads the inputs otherwise: for parts into host memory.
int job_load_or_stream(struct job *job);

// Prints or writes a result that was not computed by a plan's call.
int answer_joined(struct job *job, struct outcome *outcome);

// ---- For the verb join and the files of run/ alone

// Computes what depends on the counts: the layout, the bound of the problem and the call. Refuses inputs of different
// lengths. If there are no elements, refuses operators that then have no result.
int job_finalize(struct job *job);

// Sets the count after streaming.
int job_recount(struct job *job, uint64_t count);
