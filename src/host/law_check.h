// Compares the two sides of a law in a trial: equal, equal up to rounding, or different. src/laws calls this.
#pragma once

#include "base/text.h"
#include "clreduce_device.h"
#include "host/law_samples.h"
#include "host/samples.h"

struct clr_law_check {
  struct clr_layout element, inputs[CLR_INPUTS_MAX], state, result;
  size_t input_count;
  const char *input_names[CLR_INPUTS_MAX];
  double tolerance, tolerance_of_double;
};

void clr_law_check_make(const struct clr_operation *operation, struct clr_law_check *judge);

// A trial and the device's results, in the order of cl/probes/laws.cl.
#define CLR_LAW_STATES 10
#define CLR_LAW_RESULTS 7
struct clr_counterexample {
  const struct clr_pool *pool;
  const struct clr_triple *triple;
  const unsigned char *states, *results;
};

// NAN_ONLY: different, but only because an element is a NaN, which differs from every value.
enum clr_verdict { CLR_VERDICT_HOLDS, CLR_VERDICT_NAN_ONLY, CLR_VERDICT_FAILS };

// Checks a law in a trial. `side` gets the index of the equation that failed. If all elements have a moderate size,
// `error` is raised to the difference of the sides, relative to the largest number involved.
enum clr_verdict clr_law_check_run(const struct clr_law_check *judge, const struct clr_counterexample *evidence,
                                   enum clr_law which, unsigned *side, double *error);

// --- counterexample.c ---
// Writes a failed law as "combine(1, 2) gives -1, combine(2, 1) gives 1".
void clr_counterexample_text(const struct clr_law_check *judge, const struct clr_counterexample *evidence,
                             enum clr_law law, unsigned side, struct clr_text *text);
