// Trials of laws, and how the two sides of a law compare in a trial: equal, equal up to rounding, or different.
// src/laws calls this.
#pragma once

#include "base/text.h"
#include "clreduce_device.h"
#include "host/samples.h"

// --- Trials: three states each, made from one to three elements of a pool ---

#define CLR_TRIPLE_ROOM 3

// The layout that the kernel of cl/probes/laws.cl reads.
struct clr_triple {
  cl_uint lengths[3];
  cl_uint picks[3][CLR_TRIPLE_ROOM];
};

struct clr_law_samples {
  struct clr_triple *rows;
  size_t count;
  size_t enumerated;  // first rows: all triples of edge values, small ones first; the other rows are random
};

enum clr_law { CLR_LAW_IDENTITY, CLR_LAW_ASSOCIATIVITY, CLR_LAW_COMMUTATIVITY };

// Returns the number of states in a law.
unsigned clr_law_pieces(enum clr_law law);

// Makes triples from a pool that begins with `edges` edge values. CL_OUT_OF_HOST_MEMORY if memory is
// out.
cl_int clr_law_samples_make(unsigned edges, cl_ulong *random, struct clr_law_samples *triples);
void clr_law_samples_release(struct clr_law_samples *triples);

// False if an earlier triple tests the law with the same states.
bool clr_triple_is_new(const struct clr_law_samples *triples, size_t index, enum clr_law law);

// --- Checks ---

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
