// histogram_local: each group counts in local memory. A counter has COPIES copies side by side. The index of a
// work-item in its sub-group selects its copy. So work-items that run together never share a counter or a bank. At the
// end the group adds up the copies of each counter, and adds the sum to the count in global memory by one atomic. If
// the bins do not fit local memory, there are several launches; each of them counts some of the bins, from counter
// `span` on. With OWN_COUNTERS 0 each element is counted in global memory.

#include "histogram/histogram.clh"

// Words of 16 bytes that a work-item reads before it counts their elements. The code that finds a bin is long, and it
// is unrolled for each element of these words. So a work-item reads fewer words at once if a word has many elements.
#if BY_VALUE || ELEMENT_SIZE >= 4
#define AT_ONCE 4
#else
#define AT_ONCE ELEMENT_SIZE
#endif
#define TILE (GROUP_SIZE * AT_ONCE)

#if OWN_COUNTERS
#define COUNT(bits)                                            \
  {                                                            \
    uint slot = SLOT_OF(bits, edges, bins) - (uint)span;       \
    if (BY_VALUE || slot < bins.own_slots)                     \
      atomic_add(mine + slot * bins.copies, 1u);               \
  }
#else
#define COUNT(bits)                                            \
  {                                                            \
    uint bin = SLOT_OF(bits, edges, bins);                     \
    if (bin != NO_SLOT)                                        \
      ADD_COUNT(bin, 1);                                       \
  }
#endif

// `room` is local memory for the edges and the counters; the host sets its size. A program for BY_VALUE knows the
// number of its counters and declares an array instead, which is faster: on an H200, uchars take 273 us with the array
// and 285 us with `room`.
#if OWN_COUNTERS && !BY_VALUE
#define ROOM , __local ulong *room
#else
#define ROOM
#endif

ENTRY(clred_histogram_local)(ARGUMENTS ROOM)
{
  uint item = get_local_id(0);
  struct clred_bins bins = BINS_NOW;
  __global const STORED *elements = source + first + work;
#if LOCAL_EDGES
  __local KEY *edges = (__local KEY *)room;
  __local uint *counts = (__local uint *)(edges + bins.inner);
  for (uint i = item; i < bins.inner; i += GROUP_SIZE)
    edges[i] = EDGES_NOW[i];
#else
  __global const KEY *edges = EDGES_NOW;
#if OWN_COUNTERS && BY_VALUE
  __local uint counts[SLOTS * COPIES];
#elif OWN_COUNTERS
  __local uint *counts = (__local uint *)room;
#endif
#endif
#if OWN_COUNTERS
  __local uint *mine = counts + (item & (bins.copies - 1));
  for (uint i = item; i < bins.own_slots * bins.copies; i += GROUP_SIZE)
    counts[i] = 0;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);

  ulong before = clred_elements_before_words(elements, count), words = (count - before) / ELEMENTS_PER_WORD;
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
      for (uint j = 0; j < ELEMENTS_PER_WORD; j++)
        COUNT(BITS_AT(word[i], j))
  }
  // The elements after the last whole tile, and those before the first whole word.
  for (ulong i = before + tiles * TILE * ELEMENTS_PER_WORD + get_global_id(0); i < count; i += get_global_size(0))
    COUNT(elements[i])
  if (get_group_id(0) == 0)
    for (ulong i = item; i < before; i += GROUP_SIZE)
      COUNT(elements[i])

#if OWN_COUNTERS
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < bins.own_slots; i += GROUP_SIZE) {
    uint sum = 0;
    // Neighbouring work-items begin with different copies, so that they read different banks.
    for (uint copy = 0; copy < bins.copies; copy++)
      sum += counts[i * bins.copies + ((copy + item) & (bins.copies - 1))];
    uint slot = i + (uint)span;
    if (sum > 0 && slot < bins.slots) {
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
