// The ladder's rows: filled by ladder.c, printed by ladder_report.c.

#ifndef CLREDUCE_TOOL_LADDER_H
#define CLREDUCE_TOOL_LADDER_H

#include "run/job.h"
#include "verbs/steps.h"
#include "verify/verify.h"

// One strategy on the ladder's data.
struct rung {
  const char *name;
  bool has_partials;  // and so a finish
  char *refused;      // why it cannot run here, to be freed; NULL if it ran
  struct outcome outcome;
  bool correct;
  double error;  // result - analytic, of a scan the last; NaN where that means nothing
  struct steps steps;
};

struct ladder {
  struct job job;
  struct rung *rungs;
  size_t count;
  bool measured;             // at least one rung ran, so what follows is known
  struct results reference;  // the host's result for the first rung that ran
  bool single;               // the result, or each of a scan, is one number
  bool floating;             // of a floating type
  double analytic;           // its exact value, rounded once; NaN where the result is several numbers
  char *analytic_text;       // of any result
};

// The device's time where kernels ran, else the host's.
double rung_seconds(const struct rung *rung);

int ladder_print_text(const struct ladder *ladder);
int ladder_print_json(const struct ladder *ladder);

#endif
