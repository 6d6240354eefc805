// Numbers that are the same on every machine: integers by splitmix64, and floating values from them by exact steps.
#pragma once

#include "oracle/oracle.h"

typedef struct random_state {
  uint64_t word;
} random_state;

random_state random_seed(uint64_t seed);
uint64_t random_word(random_state *state);
uint64_t random_at(uint64_t seed, uint64_t i);  // word number i of a series
uint64_t random_below(random_state *state, uint64_t limit);

// Values whose sums round often and never overflow; both signs, eight binades.
double random_addend(random_state *state, bool single);
void random_addends(float *to, uint64_t count, uint64_t seed);

// Cuts 0 to `length` at random places into this many pieces, which may be empty: piece i ends where cuts[i + 1] is.
void random_cuts(random_state *state, cl_ulong length, size_t pieces, cl_ulong *cuts);

// Values near 1 and their reciprocals, both signs, so that products of millions stay in range.
double random_factor(random_state *state, bool single);

// Elements of a type; free releases them. Floats have different magnitudes, so that sums round: `binades` of them, 4
// for half. Integers are random numbers of so many bits, of which a narrow type keeps the lowest.
void *random_elements(clred_type type, uint64_t count, uint64_t seed, unsigned binades, unsigned bits);
