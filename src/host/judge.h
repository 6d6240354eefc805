// Whether two results of a trial are the same, the same up to rounding, or different; and the words for it.
#ifndef CLR_HOST_JUDGE_H
#define CLR_HOST_JUDGE_H

#include "base/text.h"
#include "clreduce_device.h"
#include "host/samples.h"
#include "host/triples.h"

struct clr_judge {
  struct clr_layout element, inputs[CLR_INPUTS_MAX], state, result;
  size_t input_count;
  const char *input_names[CLR_INPUTS_MAX];
  double tolerance, tolerance_of_double;
};

void clr_judge_make(const struct clr_operation *operation, struct clr_judge *judge);

// A trial and what the device made of it: cl/laws.cl has the order.
#define CLR_LAW_STATES 10
#define CLR_LAW_RESULTS 7
struct clr_evidence {
  const struct clr_pool *pool;
  const struct clr_triple *triple;
  const unsigned char *states, *results;
};

// NAN_ONLY: different, but so are NaNs from everything, and there is one among the elements.
enum clr_verdict { CLR_VERDICT_HOLDS, CLR_VERDICT_NAN_ONLY, CLR_VERDICT_FAILS };

// What a law says of a trial. `side` is which of its equations failed. `error` is raised to the difference, relative to
// the largest number that took part, where all elements are of moderate size.
enum clr_verdict clr_judge_law(const struct clr_judge *judge, const struct clr_evidence *evidence, enum clr_law which,
                               unsigned *side, double *error);

// --- evidence.c ---
// "combine(1, 2) gives -1, combine(2, 1) gives 1"
void clr_evidence_text(const struct clr_judge *judge, const struct clr_evidence *evidence, enum clr_law law,
                       unsigned side, struct clr_text *text);

#endif
