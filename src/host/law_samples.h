// Trials of laws: three states each, made from one to three elements of a pool.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "clreduce.h"

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

// Makes triples from a pool (host/samples.h) that begins with `edges` edge values. CL_OUT_OF_HOST_MEMORY if memory is
// out.
cl_int clr_law_samples_make(unsigned edges, cl_ulong *random, struct clr_law_samples *triples);
void clr_law_samples_release(struct clr_law_samples *triples);

// False if an earlier triple tests the law with the same states.
bool clr_triple_is_new(const struct clr_law_samples *triples, size_t index, enum clr_law law);
