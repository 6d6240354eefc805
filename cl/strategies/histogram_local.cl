// histogram_local: every group counts in local memory. A counter has COPIES copies side by side, and a work-item adds
// to the one of its place in the sub-group: work-items that run in step then meet in no counter and in no bank,
// whatever the elements are. At the end the copies are added up and brought to the counts in global memory, one atomic
// a counter. Bins that do not fit are counted in several launches, each from counter `span` on; with LOCAL_SLOTS 0
// elements go straight to global memory.

#include "histogram/histogram.clh"

// Words that a work-item reads before it counts what is in them. Finding a bin is some code, and that of all their
// elements is written out.
#if BY_VALUE || ELEMENT_SIZE >= 4
#define AT_ONCE 4
#else
#define AT_ONCE ELEMENT_SIZE
#endif
#define TILE (GROUP_SIZE * AT_ONCE)

#if LOCAL_SLOTS
#define COUNT(bits)                                            \
  {                                                            \
    uint slot = SLOT_OF(bits, edges, bins) - (uint)span;       \
    if ((BY_VALUE && LOCAL_SLOTS == SLOTS) || slot < LOCAL_SLOTS) \
      atomic_add(mine + slot * COPIES, 1u);                    \
  }
#else
#define COUNT(bits)                                            \
  {                                                            \
    uint bin = SLOT_OF(bits, edges, bins);                     \
    if (bin != NO_SLOT)                                        \
      ADD_COUNT(bin, 1);                                       \
  }
#endif

ENTRY(clred_histogram_local)(ARGUMENTS)
{
  uint item = get_local_id(0);
  struct clred_bins bins = BINS_NOW;
  __global const STORED *elements = source + first + work;
#if LOCAL_SLOTS
  __local uint counts[LOCAL_SLOTS * COPIES];
  __local uint *mine = counts + item % COPIES;
  for (uint i = item; i < LOCAL_SLOTS * COPIES; i += GROUP_SIZE)
    counts[i] = 0;
#endif
#if LOCAL_EDGES
  __local KEY edges[LOCAL_EDGES];
  for (uint i = item; i < bins.inner; i += GROUP_SIZE)
    edges[i] = EDGES_NOW[i];
#else
  __global const KEY *edges = EDGES_NOW;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);

  ulong before = clred_elements_before_words(elements, count), words = (count - before) / ELEMENTS_A_WORD;
  ulong tiles = words / TILE;
  __global const uint4 *body = (__global const uint4 *)(elements + before);
  for (ulong tile = get_group_id(0); tile < tiles; tile += get_num_groups(0)) {
    uint word[AT_ONCE][4];
#pragma unroll
    for (uint i = 0; i < AT_ONCE; i++)
      TAKE_WORD(word[i], body[tile * TILE + i * GROUP_SIZE + item])
#pragma unroll
    for (uint i = 0; i < AT_ONCE; i++)
#pragma unroll
      for (uint j = 0; j < ELEMENTS_A_WORD; j++)
        COUNT(BITS_AT(word[i], j))
  }
  // Less than a tile, and less than a word before the first.
  for (ulong i = before + tiles * TILE * ELEMENTS_A_WORD + get_global_id(0); i < count; i += get_global_size(0))
    COUNT(elements[i])
  if (get_group_id(0) == 0)
    for (ulong i = item; i < before; i += GROUP_SIZE)
      COUNT(elements[i])

#if LOCAL_SLOTS
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < LOCAL_SLOTS; i += GROUP_SIZE) {
    uint sum = 0;
    // Each work-item begins with another copy, so that neighbours read from different banks.
    for (uint copy = 0; copy < COPIES; copy++)
      sum += counts[i * COPIES + (copy + item) % COPIES];
    uint slot = i + (uint)span;
    if (sum > 0 && slot < SLOTS) {
#if BY_VALUE
      uint bin = clred_bin_of(slot, edges, bins);
#else
      uint bin = slot;
#endif
      if (bin != NO_SLOT)
        ADD_COUNT(bin, sum);
    }
  }
#endif
}
