// histogram_cells: sums weights in bins, in one to three dimensions; without weights, counts. A bin has CELLS cells of
// 64 bits in scratch. Atomics add to them, and integer additions may happen in any order, so the sums are exact.
//   integer weights, counts   one cell, modulo 2^64
//   floating weights          cell i counts for 2^(32 x i) units (exact/integers.clh) and is signed. A weight adds less
//                             than 2^32 to each of two or three cells. The last cell has flags of infinities and NaNs
// If many elements are in one bin, atomics on this bin would wait for each other. So each work-item keeps the sum of
// one bin. At first this is the most frequent bin of the group's first elements, or the bin of the first element. If
// two elements in a row have another bin, their bin replaces it. The sum has WINDOW cells, from cell WINDOW_FIRST on;
// weights beyond them are added by atomics. At the end the group joins equal bins of its work-items in pairs. plan.clh
// also defines:
//   AXES          the number of dimensions; each axis has an input, the weights are the last input
//   AT_ONCE       elements that a work-item reads before it adds their weights
//   WEIGHT_BITS   makes the bits of a float or double, or a 64-bit integer, of a weight in memory
// `span` is not 0 if another launch over elements follows. Scratch has `copies` copies of all cells.

#if AXES == 1
#define INPUTS_OF_AXES(I)
#define SET_FURTHER_AXES
#elif AXES == 2
#define INPUTS_OF_AXES(I) I(PLAIN, STORED, second)
#define SET_FURTHER_AXES SET_SECOND_AXIS
#else
#define INPUTS_OF_AXES(I) I(PLAIN, STORED, second) I(PLAIN, STORED, third)
#define SET_FURTHER_AXES SET_SECOND_AXIS SET_THIRD_AXIS
#endif
#if HAS_WEIGHTS
#define INPUTS(I) I(PLAIN, KEY, edges) INPUTS_OF_AXES(I) I(PLAIN, WEIGHT, weights)
#else
#define INPUTS(I) I(PLAIN, KEY, edges) INPUTS_OF_AXES(I)
#endif
#define PARAMETERS(P)

#include "histogram/words.clh"
#include "common/entry.clh"

#define SOURCE const STORED

#if CELLS > 1
#define EXACT_NAME(name) clred_##name
#if CELLS == 10
#define EXACT_DIGITS 24
#define TERM_WORDS 6
#define PARTS 2
#define WINDOW 9
#define WINDOW_FIRST 0
#else
#define EXACT_DIGITS 53
#define TERM_WORDS 34
#define PARTS 3
// Weights from 2^-94 to 2^98.
#define WINDOW 8
#define WINDOW_FIRST 29
#endif
#include "exact/sums.clh"
#else
#define WINDOW 1
#define WINDOW_FIRST 0
#endif

#define BITS_OF_BFLOAT16(stored) ((ulong)(stored) << 16)
#define BITS_OF_HALF(stored) ((ulong)as_uint(clred_number_of_half(stored)))
#define CELL volatile __global ulong

INLINE void clred_cell_add(CELL *cell, ulong value)
{
#if LONG_ATOMICS
  atom_add(cell, value);
#else
  // The sum of the lower halves wraps for exactly one of the work-items that add to it at this moment; it carries.
  volatile __global uint *half_cell = (volatile __global uint *)cell;
  uint low = (uint)value, before = atomic_add(half_cell, low), high = (uint)(value >> 32) + (before + low < low);
  if (high != 0)
    atomic_add(half_cell + 1, high);
#endif
}

// --- The bin of an element ---

struct clred_axis {
  __global const STORED *samples;
  __global const KEY *edges;
  uint size;
  struct clred_bins bins;
};

#if IS_FLOATING && ELEMENT_SIZE == 8
#define REAL_OF(key) as_double(key)
#else
#define REAL_OF(key) as_float((uint)(key))
#endif

// Reads the numbers of an axis (pack_axes in src/plan/slots.c).
INLINE struct clred_axis clred_axis_at(__global const KEY *at, __global const STORED *samples)
{
  return (struct clred_axis){samples, at + 8, (uint)at[3],
                             {at[0], at[1], (uint)at[2], 0, 0, 1, REAL_OF(at[4]), REAL_OF(at[5]), REAL_OF(at[6]),
                              REAL_OF(at[7])}};
}
#define FIRST_AXIS (clred_input_edges + clred_first_edges + 2)
#define AXIS_AFTER(axis) ((axis).edges + max((axis).bins.inner, 1u))

// The bin of an element in all axes, or NO_SLOT.
INLINE uint clred_bin_at(__private const struct clred_axis *axes, ulong at)
{
  uint bin = clred_bin_of(axes[0].samples[at], axes[0].edges, axes[0].bins);
#pragma unroll
  for (uint a = 1; a < AXES; a++) {
    uint next = clred_bin_of(axes[a].samples[at], axes[a].edges, axes[a].bins);
    bin = bin == NO_SLOT || next == NO_SLOT ? NO_SLOT : bin * axes[a].size + next;
  }
  return bin;
}

// --- The sum that a work-item keeps ---

struct clred_kept {
  uint bin, before;  // the bin of the sum, and that of the element before
  ulong cells[WINDOW];
};

INLINE void clred_kept_add(CELL *cells, __private struct clred_kept *kept)
{
  CELL *to = cells + (ulong)kept->bin * CELLS + WINDOW_FIRST;
#pragma unroll
  for (uint k = 0; k < WINDOW; k++) {
    if (kept->cells[k] != 0)
      clred_cell_add(to + k, kept->cells[k]);
    kept->cells[k] = 0;
  }
}

INLINE void clred_add_weight(CELL *cells, __private struct clred_kept *kept, uint bin, ulong weight)
{
  CELL *to = cells + (ulong)bin * CELLS;
  if (kept->bin != bin && (kept->bin == NO_SLOT || kept->before == bin)) {
    clred_kept_add(cells, kept);
    kept->bin = bin;
  }
  kept->before = bin;
  bool is_kept = kept->bin == bin;
#if CELLS == 1
  if (is_kept)
    kept->cells[0] += weight;
  else
    clred_cell_add(to, weight);
#else
  struct clred_term term = clred_term_of(weight, EXACT_DIGITS);
  uint at = term.shift / 32, by = term.shift % 32;
  ulong sign = -(ulong)term.negative, upper = term.low >> (32 - by);
  ulong part[3] = {term.low << by & 0xffffffffu, upper & 0xffffffffu, upper >> 32};
  if (term.flags & EXACT_NOT_FINITE)
    atomic_or((volatile __global uint *)(to + CELLS - 1), (uint)(term.flags >> EXACT_VALUE_BITS));
  for (uint i = 0; i < PARTS; i++)
    part[i] = (part[i] ^ sign) - sign;
  if (is_kept && at - WINDOW_FIRST <= WINDOW - PARTS) {
#pragma unroll
    for (uint k = 0; k < WINDOW; k++) {
      uint i = WINDOW_FIRST + k - at;
      kept->cells[k] += i == 0 ? part[0] : i == 1 ? part[1] : PARTS == 3 && i == 2 ? part[2] : 0;
    }
  } else {
#pragma unroll
    for (uint i = 0; i < PARTS; i++)
      if (part[i] != 0)
        clred_cell_add(to + at + i, part[i]);
  }
#endif
}

// --- Kernels ---

#define FIRST_ELEMENTS (GROUP_SIZE < 64 ? GROUP_SIZE : 64)
// The axes, and the elements of this work-item. The kernel declares them on both sides of a barrier: otherwise PoCL
// keeps them in memory.
#define SET_SECOND_AXIS axes[1] = clred_axis_at(AXIS_AFTER(axes[0]), clred_input_second + clred_first_second + work);
#define SET_THIRD_AXIS axes[2] = clred_axis_at(AXIS_AFTER(axes[1]), clred_input_third + clred_first_third + work);
#define DECLARE_SHARE                                                                   \
  struct clred_axis axes[AXES];                                                         \
  axes[0] = clred_axis_at(FIRST_AXIS, source + first + work);                           \
  SET_FURTHER_AXES                                                                      \
  ulong blocks = (count + GROUP_SIZE - 1) / GROUP_SIZE;                                 \
  ulong share = (blocks + get_num_groups(0) - 1) / get_num_groups(0) * GROUP_SIZE;      \
  ulong begin = share * get_group_id(0) + item, end = min(share * (get_group_id(0) + 1), count);

ENTRY(clred_histogram_cells)(ARGUMENTS)
{
  __local uint bins[GROUP_SIZE], often[GROUP_SIZE], own[GROUP_SIZE];
  __local ulong sums[WINDOW * GROUP_SIZE];
  uint item = get_local_id(0);
  CELL *cells = (CELL *)scratch + get_group_id(0) % FIRST_AXIS[-1] * (ulong)FIRST_AXIS[-2] * CELLS;
  {
    DECLARE_SHARE
    bins[item] = begin < end ? clred_bin_at(axes, begin) : NO_SLOT;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    uint equal = 0;
    for (uint k = 0; k < FIRST_ELEMENTS; k++)
      equal += bins[k] == bins[item];
    often[item] = bins[item] != NO_SLOT ? equal : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  {
    struct clred_kept kept;
    uint most = 1;
    kept.bin = kept.before = NO_SLOT;
    for (uint k = 0; k < FIRST_ELEMENTS; k++) {
      kept.bin = often[k] > most ? bins[k] : kept.bin;
      most = max(most, often[k]);
    }
    for (uint k = 0; k < WINDOW; k++)
      kept.cells[k] = 0;
    DECLARE_SHARE
#if HAS_WEIGHTS
    __global const WEIGHT *weights = clred_input_weights + clred_first_weights + work;
#endif
    for (ulong i = begin; i < end; i += AT_ONCE * GROUP_SIZE) {
      uint found[AT_ONCE];
      ulong weight[AT_ONCE];
#pragma unroll
      for (uint j = 0; j < AT_ONCE; j++) {
        ulong at = i + j * GROUP_SIZE;
        found[j] = NO_SLOT;
        weight[j] = 1;
        if (at < end) {
          found[j] = clred_bin_at(axes, at);
#if HAS_WEIGHTS
          weight[j] = WEIGHT_BITS(weights[at]);
#endif
        }
      }
#pragma unroll
      for (uint j = 0; j < AT_ONCE; j++)
        if (found[j] != NO_SLOT)
          clred_add_weight(cells, &kept, found[j], weight[j]);
    }
    own[item] = kept.bin;
    for (uint k = 0; k < WINDOW; k++)
      sums[k * GROUP_SIZE + item] = kept.cells[k];
  }
  for (uint apart = GROUP_SIZE / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < apart && own[item] == own[item + apart]) {
      for (uint k = 0; k < WINDOW; k++)
        sums[k * GROUP_SIZE + item] += sums[k * GROUP_SIZE + item + apart];
      own[item + apart] = NO_SLOT;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own[item] != NO_SLOT) {
    CELL *to = cells + (ulong)own[item] * CELLS + WINDOW_FIRST;
    for (uint k = 0; k < WINDOW; k++)
      if (sums[k * GROUP_SIZE + item] != 0)
        clred_cell_add(to + k, sums[k * GROUP_SIZE + item]);
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void clred_clear(ARGUMENTS)
{
  ulong all = (ulong)FIRST_AXIS[-2] * FIRST_AXIS[-1] * CELLS;
  for (ulong i = get_global_id(0); i < all; i += get_global_size(0))
    scratch[i] = 0;
}

// The sum of a cell of a bin in all copies. If another launch over elements follows, the cells are cleared.
INLINE ulong clred_cell_sum(__global ulong *cell, ulong apart, uint copies, bool clears)
{
  ulong sum = 0;
  for (uint copy = 0; copy < copies; copy++) {
    sum += cell[copy * apart];
    if (clears)
      cell[copy * apart] = 0;
  }
  return sum;
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void clred_deliver(ARGUMENTS)
{
  ulong all = FIRST_AXIS[-2], apart = all * CELLS;
  uint copies = (uint)FIRST_AXIS[-1];
  bool clears = span != 0;
  for (ulong bin = get_global_id(0); bin < all; bin += get_global_size(0)) {
    __global ulong *cells = scratch + bin * CELLS;
#if CELLS == 1
    out[out_index + bin] = clred_cell_sum(cells, apart, copies, false);
#else
    ulong words[TERM_WORDS], flags = 0, any_bit = 0;
    long carry = 0;
    for (uint copy = 0; copy < copies; copy++)
      flags |= cells[copy * apart + CELLS - 1];
    for (uint k = 0; k < 2 * TERM_WORDS; k++) {
      if (k + 1 < CELLS)
        carry += (long)clred_cell_sum(cells + k, apart, copies, clears);
      // The carried cells stay for the next launch over elements. The highest one keeps its carry.
      if (k + 1 < CELLS && clears)
        cells[k] = k + 2 < CELLS ? (ulong)carry & 0xffffffffu : (ulong)carry;
      any_bit |= (ulong)carry & 0xffffffffu;
      words[k / 2] = k % 2 ? words[k / 2] | (ulong)carry << 32 : (ulong)carry & 0xffffffffu;
      carry >>= 32;
    }
    words[TERM_WORDS - 1] = (words[TERM_WORDS - 1] & ~EXACT_FLAGS) | flags << EXACT_VALUE_BITS;
    RESULT sum = 0;
    if (any_bit != 0 || flags != 0)
      sum = (RESULT)clred_words_quotient(words, TERM_WORDS, TERM_UNIT, 1, EXACT_DIGITS);
    out[out_index + bin] = sum;
#endif
  }
}
