// The rows of the ladder: filled by ladder.c, printed by ladder_report.c.
#pragma once

#include "run/job.h"
#include "verbs/steps.h"
#include "verify/verify.h"

// One strategy.
struct rung {
  const char *name;
  bool has_partials;  // the strategy has partials and a finish
  char *refused;      // why the strategy cannot run, to be freed; NULL if it ran
  struct outcome outcome;
  bool correct;
  double error;  // result - analytic (of the last result of a scan); NaN if undefined
  struct steps steps;
};

struct ladder {
  struct job job;
  struct rung *rungs;
  size_t count;
  bool measured;             // a rung ran, so that the fields below are set
  struct results reference;  // the host's results for the first rung that ran
  bool single;               // results are single numbers
  bool floating;             // results are single floating numbers
  double analytic;           // the exact value as a double; NaN if a result has several numbers
  char *analytic_text;       // text of any result
};

// The device's time if kernels ran, else the host's.
double rung_seconds(const struct rung *rung);

int ladder_print_text(const struct ladder *ladder);
int ladder_print_json(const struct ladder *ladder);
