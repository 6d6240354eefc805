// Makes the triples of states for trials of laws.
#include "host/law_samples.h"

#include <stdlib.h>

#include "host/samples.h"

#define SMALL 4
#define RANDOM 4096

static void add(struct clr_law_samples *triples, const cl_uint *lengths, const cl_uint *picks) {
  struct clr_triple *row = &triples->rows[triples->count++];
  *row = (struct clr_triple){.lengths = {lengths[0], lengths[1], lengths[2]}};
  for (unsigned piece = 0; piece < 3; piece++)
    for (unsigned i = 0; i < lengths[piece]; i++)
      row->picks[piece][i] = *picks++;
}

// Adds all triples of single elements, small ones first.
static void add_singles(struct clr_law_samples *triples, cl_uint edges) {
  static const cl_uint lengths[3] = {1, 1, 1};
  for (cl_uint largest = 0; largest < edges; largest++)
    for (cl_uint i = 0; i <= largest; i++)
      for (cl_uint j = 0; j <= largest; j++)
        for (cl_uint k = i == largest || j == largest ? 0 : largest; k <= largest; k++)
          add(triples, lengths, (const cl_uint[]){i, j, k});
}

// Adds triples in which one state is made of two elements: combined states may break a law that lifted states keep.
static void add_pairs(struct clr_law_samples *triples, cl_uint edges) {
  const cl_uint small = edges < SMALL ? edges : SMALL, squared = small * small;
  for (unsigned piece = 0; piece < 3; piece++) {
    cl_uint lengths[3] = {1, 1, 1};
    lengths[piece] = 2;
    for (cl_uint all = 0; all < squared * squared; all++)
      add(triples, lengths,
          (const cl_uint[]){all % small, all / small % small, all / squared % small, all / squared / small});
  }
}

static void add_random(struct clr_law_samples *triples, cl_ulong *random) {
  // The parts of the pool to draw from. With the whole pool alone, almost every triple would contain an extreme
  // element.
  static const struct {
    cl_uint first, end;
  } sources[] = {{0, CLR_POOL_MIXED_END},
                 {CLR_POOL_MIXED_END, CLR_POOL_MODERATE_END},
                 {CLR_POOL_MIXED_END, CLR_POOL_MODERATE_END},
                 {0, CLR_POOL_SIZE}};
  const cl_ulong bits = clr_random(random), which = bits / 27 % 4;
  const cl_uint lengths[3] = {1 + (cl_uint)(bits % 3), 1 + (cl_uint)(bits / 3 % 3), 1 + (cl_uint)(bits / 9 % 3)};
  cl_uint picks[9];
  for (unsigned i = 0; i < 9; i++)
    picks[i] = sources[which].first + (cl_uint)(clr_random(random) % (sources[which].end - sources[which].first));
  add(triples, lengths, picks);
}

cl_int clr_law_samples_make(unsigned edges, cl_ulong *random, struct clr_law_samples *triples) {
  const size_t most = (size_t)edges * edges * edges + (size_t)3 * SMALL * SMALL * SMALL * SMALL + RANDOM;
  *triples = (struct clr_law_samples){.rows = malloc(most * sizeof(struct clr_triple))};
  if (!triples->rows)
    return CL_OUT_OF_HOST_MEMORY;
  add_singles(triples, edges);
  add_pairs(triples, edges);
  triples->enumerated = triples->count;
  for (unsigned i = 0; i < RANDOM; i++)
    add_random(triples, random);
  return CL_SUCCESS;
}

void clr_law_samples_release(struct clr_law_samples *triples) {
  free(triples->rows);
  *triples = (struct clr_law_samples){0};
}

unsigned clr_law_pieces(enum clr_law law) {
  return law == CLR_LAW_IDENTITY ? 1 : law == CLR_LAW_COMMUTATIVITY ? 2 : 3;
}

// Some enumerated triples differ only in states that the law does not use. Of these triples, one is tested: the triple
// in which each unused state is the first edge value.
bool clr_triple_is_new(const struct clr_law_samples *triples, size_t index, enum clr_law law) {
  const struct clr_triple *row = &triples->rows[index];
  for (unsigned piece = clr_law_pieces(law); piece < 3 && index < triples->enumerated; piece++)
    if (row->lengths[piece] > 1 || row->picks[piece][0])
      return false;
  return true;
}
