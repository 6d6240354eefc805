// Trials of the numbers of strategies, for `ladder --sweep`: sweep_choose.c lists them, sweep.c runs them,
// sweep_report.c prints them and sweep_plot.c draws them.
#pragma once

#include "bench/request.h"
#include "verbs/ladder.h"

enum { SWEEP_NUMBERS = 4, SWEEP_STRATEGIES_MAX = 32 };

// A number that a caller may set.
struct sweep_number {
  const char *name;
  size_t field;     // offset in clred_problem
  cl_ulong sample;  // a value that every strategy with this number takes
  size_t ran;       // offset in clred_plan_info of the number that a plan runs with
};
extern const struct sweep_number sweep_numbers[SWEEP_NUMBERS];

struct trial {
  const char *strategy;             // NULL: auto
  cl_ulong numbers[SWEEP_NUMBERS];  // 0: chosen
  bool chosen;                      // all numbers are chosen
  char *refused;                    // why it cannot run, to be freed; NULL if it ran
  struct outcome outcome;
  bool correct;
};

struct sweep {
  struct job *job;
  struct bench_sizes lists[SWEEP_NUMBERS];  // the values to try
  bool given[SWEEP_NUMBERS];                // the command line gives this number
  clred_strategy_info strategies[SWEEP_STRATEGIES_MAX];
  bool takes[SWEEP_STRATEGIES_MAX][SWEEP_NUMBERS];
  size_t strategy_count;
  bool refuses;          // one of the strategies refuses the problem, whatever its numbers are
  struct trial *trials;  // auto first; then, for each strategy, its own choice and all combinations
  size_t count;
  size_t done;  // trials that were run or refused; less than `count` after an interrupt or a failure
};

// Refuses options of the sweep without --sweep, and with --sweep the options that a sweep does not take. Returns an
// exit code, like all functions here.
int sweep_check(const struct args *args);

// Runs the sweep over the data of a loaded job, and reports it. If a trial fails, it prints the trials before it. After
// an interrupt it reports the trials so far and then ends the process by that signal.
int sweep_run(struct job *job);

// ---- For the files of the sweep alone

// Takes values and strategies from the command line or by default, and lists the trials.
int sweep_choose(struct sweep *sweep);

// The problem of a trial. Numbers of the command line are in the lists.
clred_problem sweep_problem(const struct sweep *sweep, const struct trial *trial);

// The number that a plan of the trial runs with.
cl_ulong sweep_ran(const struct trial *trial, size_t which);

// True if the trial has a correct result, and is faster than `best` or `best` is NULL.
bool trial_beats(const struct trial *trial, const struct trial *best);

// The fastest trial of a named strategy, by the host's clock. NULL if none ran.
const struct trial *sweep_best(const struct sweep *sweep);

// How much longer auto takes than the best trial: 0.5 means 1.5 times as long. NaN if one of them did not run.
double sweep_auto_excess(const struct sweep *sweep);

int sweep_print_text(const struct sweep *sweep);
int sweep_print_json(const struct sweep *sweep);

// A plot_writer of a struct sweep.
void sweep_write_plot(const void *sweep, FILE *script);
