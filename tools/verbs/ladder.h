// The rows of the ladder: filled by ladder.c, printed by ladder_report.c, drawn by ladder_plot.c.
#pragma once

#include <stdio.h>

#include "run/job.h"
#include "verbs/steps.h"
#include "verify/verify.h"

enum { RUNG_NAME_SIZE = 64 };

// A strategy with a finish.
struct rung {
  char name[RUNG_NAME_SIZE];  // STRATEGY, or STRATEGY+FINISH if another rung has this strategy, too
  const char *strategy;       // NULL: host_openmp, which is no strategy of the library
  const char *finish;         // NULL: chosen
  char *refused;              // why the strategy cannot run, to be freed; NULL if it ran
  struct outcome outcome;
  bool correct;
  double error;  // result - analytic (of the last result of a scan); NaN if undefined
  double ulps;   // the error in units in the last place of the exact value; NaN if undefined, or if that value is 0
  struct steps steps;
};

struct ladder {
  struct job job;
  struct rung *rungs;
  size_t count;
  cl_ulong units;            // compute units of the device
  bool measured;             // a rung ran, so that the fields below are set
  struct results reference;  // the host's results for the first rung that ran
  bool single;               // results are single numbers
  bool floating;             // results are single floating numbers
  bool in_ulps;              // results are floats or doubles, so errors are reported in ulps
  double analytic;           // the exact value as a double; NaN if a result has several numbers
  char *analytic_text;       // text of any result
};

// How a rung compares. NaN if undefined: it was refused, is the analytic row, or has no times of kernels.
struct rung_scale {
  double outside;     // share of a call outside its kernels: launches, reading the result, the host's finish
  double speedup;     // the first rung's time / this one's
  double efficiency;  // speedup / compute units
  double bound;       // Amdahl's: 1 / (outside + (1 - outside) / compute units)
};
struct rung_scale rung_scale_of(const struct ladder *ladder, const struct rung *rung);

int ladder_print_text(const struct ladder *ladder);
int ladder_print_json(const struct ladder *ladder);

// A plot_writer of a struct ladder: the times as bars.
void ladder_write_plot(const void *ladder, FILE *script);

// ---- What the sweep shares: ladder.c, ladder_report.c

// The ladder's own calls: a warm-up, then --repeat or eleven, fewer if they are slow.
struct repeats ladder_repeats(const struct args *args);

// True for the strategies that run on one line and do the work of the job.
bool ladder_lists(const struct job *job, const clred_strategy_info *row);

// Copies the message of a refusal to *refused, which the caller frees.
int ladder_note_refusal(char **refused, const char *reason);

// "inclusive scan by sum of 8000 elements of float on DEVICE".
void ladder_title(const struct job *job, char *title, size_t size);

// Prints the title, the platform and the driver.
void ladder_print_title(const struct job *job);

// An object whose first fields say what was computed and on which device.
cJSON *ladder_job_json(const struct job *job);

// ---- Rows that take the elements from host memory: ladder_host.c

// Runs host_serial or scan_host_serial.
int loop_run(const struct job *job, clred_plan *plan, struct repeats repeats, struct outcome *outcome);

// Why host_openmp cannot run; NULL if it can.
const char *openmp_refuses(const clred_plan_info *info, clred_op op);

// Runs it. `plan` is the plan of host_serial for `problem`.
int openmp_run(const struct job *job, const clred_problem *problem, clred_plan *plan, struct repeats repeats,
               struct outcome *outcome);
