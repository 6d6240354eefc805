// histogram_chunked: each work-item counts neighbouring elements in its own counters, then writes the counters to
// scratch as a row. If there is room, each counter has several copies, and neighbouring elements use different copies.
// The reason is that equal neighbours are common, and an addition to the same counter would wait for the addition
// before it.

#include "histogram/histogram.clh"

#if OWN_COUNTERS
#define COUNTERS counts
#define COUNTER __private uint
#else
#define COUNTERS row
#define COUNTER __global uint
#endif
#define MOST_COPIES 4
#define PLACE_OF(slot, copy) ((slot) + ((copy) & (bins.copies - 1)) * apart)
#define COUNT(bits, copy)                              \
  {                                                    \
    uint slot = SLOT_OF(bits, edges, bins);            \
    if (BY_VALUE || slot != NO_SLOT)                   \
      COUNTERS[PLACE_OF(slot, copy)]++;                \
  }

// A block of elements is processed in two steps: first find the slot of each element, then count. Compilers vectorize
// the loops over a part of the block, unless they unroll them first. Other sizes were slower
// (tools/peers/performance-log.md).
#define PART 8
#define BLOCK (ELEMENT_SIZE == 8 ? 32 : 64)

#if GUESSES
// Finds the slots of the elements of a block. First guesses all slots; then, in parts with a guess that may be wrong,
// compares the elements with the edges. An element in no bin gets slot 0 and will be counted there. To make up for
// that, 1 is subtracted from the counter of slot 0 now; until the block is counted, the counter may wrap below 0.
INLINE void clred_slots_of_block(__global const STORED *elements, __global const KEY *edges, struct clred_bins bins,
                                 __private uint *slots, COUNTER *counters)
{
  int all_sure = 0, sure_of_part[BLOCK / PART];
#pragma unroll 1
  for (uint part = 0; part < BLOCK / PART; part++) {
    int sure = 0;
#pragma unroll 1
    for (uint i = part * PART; i < part * PART + PART; i++)
      slots[i] = clred_guess(elements[i], clred_key(elements[i]) - bins.lowest, bins, &sure);
    sure_of_part[part] = sure;
    all_sure += sure;
  }
  for (uint part = 0; part < BLOCK / PART && all_sure < BLOCK; part++) {
    uint in_no_bin = 0;
    if (sure_of_part[part] == PART)
      continue;
#pragma unroll 1
    for (uint i = part * PART; i < part * PART + PART; i++) {
      KEY above = clred_key(elements[i]) - bins.lowest;
      uint bin = clred_beside(slots[i], above, edges, bins);
      in_no_bin += above > bins.span;
      slots[i] = above > bins.span ? 0 : bin;
    }
    counters[0] -= in_no_bin;
  }
}
#elif !BY_VALUE
// Finds the slots by binary search. All elements of a part take the same number of steps, so the search is vectorized.
INLINE void clred_slots_of_block(__global const STORED *elements, __global const KEY *edges, struct clred_bins bins,
                                 __private uint *slots, COUNTER *counters)
{
  uint largest = bins.inner ? 1u << (31 - clz(bins.inner)) : 0, in_no_bin = 0;
  for (uint part = 0; part < BLOCK; part += PART) {
    KEY above[PART];
    uint below[PART];
#pragma unroll 1
    for (uint i = 0; i < PART; i++) {
      above[i] = clred_key(elements[part + i]) - bins.lowest;
      below[i] = 0;
    }
    for (uint step = largest; step > 0; step /= 2)
#pragma unroll 1
      for (uint i = 0; i < PART; i++) {
        uint next = below[i] + step;
        bool is_past = edges[min(next, bins.inner) - 1] <= above[i];
        below[i] = next <= bins.inner && is_past ? next : below[i];
      }
#pragma unroll 1
    for (uint i = 0; i < PART; i++) {
      in_no_bin += above[i] > bins.span;
      slots[part + i] = above[i] > bins.span ? 0 : below[i];
    }
  }
  counters[0] -= in_no_bin;
}
#endif

ENTRY(clred_histogram_chunked)(ARGUMENTS)
{
  ONE_ITEM
#if OWN_COUNTERS
  uint counts[OWN_COUNTERS];
#endif
  __global const KEY *edges = EDGES_NOW;
  struct clred_bins bins = BINS_NOW;
  // The distance between copies must not be a multiple of 4096 bytes: a CPU takes addresses with equal low 12 bits for
  // the same address, and waits.
  uint apart = bins.slots + (bins.slots % 512 == 0 ? 16 : 0);
  __global uint *row = scratch + (ulong)get_group_id(0) * bins.slots;
  ulong run = (count + get_num_groups(0) - 1) / get_num_groups(0);
  ulong begin = min(get_group_id(0) * run, count), length = min(run, count - begin), counted = 0;
  __global const STORED *elements = source + first + work + begin;
  for (uint i = 0; i < (bins.copies - 1) * apart + bins.slots; i++)
    COUNTERS[i] = 0;

#if BY_VALUE
  ulong before = clred_elements_before_words(elements, length), words = (length - before) / ELEMENTS_PER_WORD;
  __global const uint4 *body = (__global const uint4 *)(elements + before);
  for (; counted < before; counted++)
    COUNT(elements[counted], 0)
  for (ulong i = 0; i < words; i++) {
    uint word[4];
    TAKE_WORD(word, body[i])
#pragma unroll
    for (uint j = 0; j < ELEMENTS_PER_WORD; j++)
      COUNT(BITS_AT(word, j), j)
  }
  counted += words * ELEMENTS_PER_WORD;
#else
  COUNTER *copies[MOST_COPIES];
  for (uint copy = 0; copy < MOST_COPIES; copy++)
    copies[copy] = COUNTERS + PLACE_OF(0, copy);
  for (; counted + BLOCK <= length; counted += BLOCK) {
    uint slots[BLOCK];
    clred_slots_of_block(elements + counted, edges, bins, slots, COUNTERS);
    // The slots stay in memory. If this loop were unrolled, compilers would extract them from vectors one by one.
#pragma unroll 1
    for (__private const uint *part = slots; part < slots + BLOCK; part += PART)
#pragma unroll
      for (uint j = 0; j < PART; j++)
        copies[j % MOST_COPIES][part[j]]++;
  }
#endif
  for (; counted < length; counted++)
    COUNT(elements[counted], 0)

#if OWN_COUNTERS
  for (uint slot = 0; slot < bins.slots; slot++) {
    uint sum = 0;
    for (uint copy = 0; copy < bins.copies; copy++)
      sum += counts[PLACE_OF(slot, copy)];
    row[slot] = sum;
  }
#endif
}
