// Numbers that are the same on every machine: see random.h.

#include "support/random.h"

#include <math.h>
#include <stdlib.h>

#include "oracle/tree.h"

random_state random_seed(uint64_t seed) {
  const random_state state = {seed * 0x9e3779b97f4a7c15u + 1};
  return state;
}

uint64_t random_word(random_state *state) {
  uint64_t z = state->word += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

uint64_t random_at(uint64_t seed, uint64_t i) {
  random_state state = random_seed(seed << 40 ^ i);
  return random_word(&state);
}

uint64_t random_below(random_state *state, uint64_t limit) {
  return random_word(state) % limit;
}

double random_addend(random_state *state, bool single) {
  const uint64_t word = random_word(state);
  const int bits = single ? 24 : 53;
  const double fraction = ldexp((double)(word >> (64 - bits)), -bits);
  const double value = ldexp(fraction, (int)(word & 7));
  return word & 8 ? -value : value;
}

void random_addends(float *to, uint64_t count, uint64_t seed) {
  random_state random = random_seed(seed);
  for (uint64_t i = 0; i < count; i++)
    to[i] = (float)random_addend(&random, true);
}

static int by_size(const void *a, const void *b) {
  const cl_ulong left = *(const cl_ulong *)a, right = *(const cl_ulong *)b;
  return left < right ? -1 : left > right;
}

void random_cuts(random_state *state, cl_ulong length, size_t pieces, cl_ulong *cuts) {
  cuts[0] = 0;
  for (size_t i = 1; i < pieces; i++)
    cuts[i] = random_below(state, length + 1);
  cuts[pieces] = length;
  qsort(cuts, pieces + 1, sizeof *cuts, by_size);
}

double random_factor(random_state *state, bool single) {
  const uint64_t word = random_word(state);
  // Steps of one unit in the last place above 1, as far as 1 + 1/64.
  const int bits = single ? 17 : 46;
  const double near = 1 + ldexp((double)(word >> (64 - bits)), -bits - 6);
  const double value = word & 1 ? 1 / near : near;
  const double rounded = single ? (double)(float)value : value;
  return word & 2 ? -rounded : rounded;
}

void *random_elements(clred_type type, uint64_t count, uint64_t seed, unsigned binades, unsigned bits) {
  const clred_type component = oracle_component(type);
  const size_t size = oracle_size(component), each = oracle_size(type) / size;
  unsigned char *bytes = oracle_claim(count, oracle_size(type));
  random_state random = random_seed(seed);
  for (uint64_t i = 0; i < count * each; i++) {
    const double magnitude = (double)(1u << random_below(&random, component == CLRED_TYPE_HALF ? 4 : binades));
    const uint64_t word = random_word(&random);
    const double value = (ldexp((double)(word >> 11), -53) - 0.25) * magnitude;
    oracle_store(bytes, size, i,
                 oracle_is_floating(component) ? oracle_float_bits(component, value) : word >> (64 - bits));
  }
  return bytes;
}
