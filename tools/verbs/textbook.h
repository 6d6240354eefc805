// What `ladder` and `tune --textbook` share: their own data, and trials of plans on it.
#pragma once

#include "base/plot.h"
#include "run/job.h"
#include "verbs/steps.h"
#include "verify/verify.h"

enum { TEXTBOOK_TITLE_SIZE = 512, TRIAL_PARAMETERS = 4 };

// A plan, and what came of its calls.
struct trial {
  char name[64];
  const char *strategy;  // NULL: auto, or host_openmp, which is not a strategy of the library
  const char *finish;    // NULL: chosen
  char refused[512];     // why it cannot run; "" if it ran
  struct outcome outcome;
  bool correct;
  // Of ladder.
  double error;  // result - analytic (of the last result of a scan); NaN if undefined
  double ulps;   // the error in units in the last place of the exact value; NaN if undefined, or if that value is 0
  struct steps steps;
  // Of tune --textbook: the parameters; 0 for a parameter that the strategy does not take.
  cl_ulong values[TRIAL_PARAMETERS];
  size_t at[TRIAL_PARAMETERS];  // the index of each value among the values to try
};

struct trials {
  struct args args;  // of the command line, and the verb's own data
  char data[64];     // --generate of this data
  struct job job;
  struct trial *list;
  size_t count;
  const struct trial *best;  // the fastest one with a correct result; NULL if there is none
};

// Opens the job. Its data is the input, or else -n elements of one value, 8000 by default. Returns an exit code,
// as all functions here. Call trials_release in any case.
int trials_open(struct trials *trials, const struct args *args, const char *op);

// Runs all trials. `best` is chosen among those from `first` on.
int trials_run(struct trials *trials, int (*run)(struct trials *trials, struct trial *trial), size_t first);

// One call to warm up, then --repeat or eleven, fewer if they are slow.
struct repeats trials_repeats(const struct trials *trials);

// Notes why a trial cannot run. Returns EXIT_DONE.
int trial_refuse(struct trial *trial, const char *reason);

bool trial_ran(const struct trial *trial);

// Prints or draws the trials. Reports a wrong result after that.
int trials_report(const struct trials *trials, int (*print)(const struct trials *trials), plot_writer *plot);

void trials_release(struct trials *trials);

// "inclusive scan by sum of 8000 elements of float on DEVICE".
void trials_title(const struct trials *trials, char title[TEXTBOOK_TITLE_SIZE]);

// Prints the title, the platform and the driver.
void trials_print_title(const struct trials *trials);

// An object whose first members name the work and the device.
cJSON *trials_json(const struct trials *trials);

// tune --textbook.
int tune_textbook(const struct args *args);
