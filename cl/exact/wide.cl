// wide in the order exact (strategies/wide.cl): each work-item adds its chunks of the group's tiles in bins
// (exact/chunks.clh). It adds the bins' contents, and terms that do not fit, to the group's digits in local memory
// (exact/digits.clh). With DIGIT_CELLS, all groups add their digits to 64-bit cells after the ticket, one cell for each
// digit. The last group to finish reads the cells, and sets them to 0 for the next launch. Otherwise each group leaves
// its state.

#define CHUNK_ROW (GROUP_SIZE * BIN_LANES)
#include "exact/chunks.clh"
#include "exact/limbs.clh"
#include "group/deliver.clh"
#include "common/kernel.clh"
#if DIGIT_CELLS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#include "common/device_scope.clh"

#define TILE (ROWS * LANES_PER_TILE)
#if BINS_SQUARES
#define ALL_WORDS (BIN_WORDS + PRODUCT_WORDS)
#define ALL_DIGITS (FIRST_DIGITS + DIGITS_OF(PRODUCT_WORDS))
#else
#define ALL_WORDS BIN_WORDS
#define ALL_DIGITS FIRST_DIGITS
#endif

// A group's sum in local memory.
struct clred_group_sum {
  DIGITS digits;
  DIGITS own;            // the copy that this work-item adds to
  __local long *totals;  // the digits of all copies
  __local uint *limbs;
  uint words;
};

#define EACH_SUM(s) for (uint s = 0; s < SUMS; s++)

void clred_exact_element(DIGITS digits, volatile __local uint *flags, struct clred_in in, ulong at)
{
  clred_digits_add_element(digits, flags, ONE_READ(in.elements + at), ONE_SECOND(in, at));
}

void clred_exact_begin(__private const struct clred_group_sum *sum)
{
  uint item = (uint)get_local_id(0);
  for (uint i = item; i < DIGIT_PLACE(DIGITS_OF(sum->words)); i += GROUP_SIZE)
    sum->digits[i] = 0;
  for (uint i = item; i < 2 * sum->words; i += GROUP_SIZE)
    sum->limbs[i] = 0;
}

// Adds `count` neighbouring elements, from element `at` on: single elements up to the first aligned one, then chunks,
// then the last elements one by one.
void clred_exact_elements(__private const struct clred_group_sum *sums, volatile __local uint *flags,
                          struct clred_in in, ulong at, ulong count)
{
  uint item = (uint)get_local_id(0);
  ulong head = min(count, (ulong)((BIN_LANES - (ulong)(in.elements + at) / ELEMENT_SIZE % BIN_LANES) % BIN_LANES));
  ulong chunks = (count - head) / CHUNK, done = head + chunks * CHUNK;
  if (item < head)
    clred_exact_element(sums->own, flags, in, at + item);
  clred_chunks_add(sums->own, flags, in, at + head + item * BIN_LANES, (uint)chunks);
#pragma unroll 1
  for (ulong i = done + item; i < count; i += GROUP_SIZE)
    clred_exact_element(sums->own, flags, in, at + i);
}

// Adds up the copies of the digits. If a sum is not 0, sets the flag that says that some term is not -0.
void clred_exact_totals(__private const struct clred_group_sum *sum, volatile __local uint *flags)
{
#pragma unroll 1
  for (uint i = (uint)get_local_id(0); i < DIGITS_OF(sum->words); i += GROUP_SIZE) {
    long total = 0;
    for (uint copy = 0; copy < DIGIT_COPIES; copy++)
      total += sum->digits[DIGIT_PLACE(i) + copy];
    sum->totals[i] = total;
    if (total != 0)
      atomic_or(flags, (uint)(EXACT_HAS_OTHER >> EXACT_VALUE_BITS));
  }
}

// Computes the group's sums of `count` elements, from element `at` on.
void clred_exact_group(__private const struct clred_group_sum *sums, volatile __local uint *flags, struct clred_in in,
                       ulong at, ulong count)
{
  uint item = (uint)get_local_id(0);
#pragma unroll
  EACH_SUM(s)
    clred_exact_begin(&sums[s]);
  if (item == 0)
    *flags = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  clred_exact_elements(sums, flags, in, at, count);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  EACH_SUM(s)
    clred_exact_totals(&sums[s], flags);
  barrier(CLK_LOCAL_MEM_FENCE);
  // If the sum is 0, all terms may be -0. Then the elements are read again.
  bool is_zero = *flags == 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_zero && item < count)
    atomic_or(flags, (uint)(clred_run_flags(in, at + item, count - item, GROUP_SIZE) >> EXACT_VALUE_BITS));
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Adds the totals to the limbs, which are 0.
void clred_exact_limbs(__private const struct clred_group_sum *sums)
{
#pragma unroll
  EACH_SUM(s)
#pragma unroll 1
    for (uint i = (uint)get_local_id(0); i < DIGITS_OF(sums[s].words); i += GROUP_SIZE)
      clred_limbs_add_number(sums[s].limbs, sums[s].words, i * DIGIT_BITS, sums[s].totals[i]);
}

// The state of sums of `count` elements, from their limbs.
STATE clred_exact_state(__private const struct clred_group_sum *sums, uint flags, ulong count)
{
  STATE state = clred_identity();
  clred_limbs_get(sums[0].limbs, BIN_WORDS, flags, state.sum.words);
#if BINS_SQUARES
  clred_limbs_get(sums[1].limbs, PRODUCT_WORDS, flags, state.squares.words);
#endif
#if BINS_COUNT
  state.count = count;
#endif
  return state;
}

#if DIGIT_CELLS
// Adds the group's digits and flags to the cells. The last cell is for the flags.
void clred_exact_hand_over(__private const struct clred_group_sum *sums, uint flags, volatile __global ulong *cells)
{
#pragma unroll
  EACH_SUM(s)
#pragma unroll 1
    for (uint i = (uint)get_local_id(0); i < DIGITS_OF(sums[s].words); i += GROUP_SIZE)
      if (sums[s].totals[i] != 0)
        atom_add(cells + s * FIRST_DIGITS + i, (ulong)sums[s].totals[i]);
  if (get_local_id(0) == 0)
    atom_or(cells + ALL_DIGITS, (ulong)flags);
}

// Moves the sums of all groups from the cells to the totals. Each work-item later reads only totals that it wrote here.
void clred_exact_take_over(__private const struct clred_group_sum *sums, volatile __local uint *flags,
                           volatile __global ulong *cells)
{
#pragma unroll
  EACH_SUM(s)
#pragma unroll 1
    for (uint i = (uint)get_local_id(0); i < DIGITS_OF(sums[s].words); i += GROUP_SIZE)
      sums[s].totals[i] = (long)atom_xchg(cells + s * FIRST_DIGITS + i, 0ul);
  if (get_local_id(0) == 0)
    *flags = (uint)atom_xchg(cells + ALL_DIGITS, 0ul);
}
#endif

// No barrier is conditional: PoCL 3.1 runs some code after a conditional barrier with wrong local ids.
ENTRY(clred_wide)(ARGUMENTS)
{
  __local int digits[DIGIT_PLACE(ALL_DIGITS)];
  __local long totals[ALL_DIGITS];
  __local uint limbs[2 * ALL_WORDS], flags;
  struct clred_group_sum sums[SUMS];
#pragma unroll
  EACH_SUM(s) {
    sums[s].digits = digits + s * DIGIT_PLACE(FIRST_DIGITS);
    sums[s].own = sums[s].digits + get_local_id(0) % DIGIT_COPIES;
    sums[s].totals = totals + s * FIRST_DIGITS;
    sums[s].limbs = limbs + s * 2 * BIN_WORDS;
    sums[s].words = s == 0 ? BIN_WORDS : PRODUCT_WORDS;
  }
  bool leads = get_local_id(0) == 0, alone = IS_ALONE;
  ulong tile = work + get_group_id(0) * span, share = min(count - tile * TILE, span * TILE);
  struct clred_in in = INPUT_FROM(work * TILE);
  clred_exact_group(sums, &flags, in, in.origin + tile * TILE, share);
#if DIGIT_CELLS
  __local uint last;
  volatile __global ulong *cells = (volatile __global ulong *)(ticket + 4);
  bool joins = !alone && !KEEPS_STATES;
  if (joins)
    clred_exact_hand_over(sums, flags, cells);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (leads)
    last = joins ? clred_is_last_group(ticket) : 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  bool ends = last;
  if (ends && joins)
    clred_exact_take_over(sums, &flags, cells);
#else
  const bool joins = false, ends = true;
#endif
  if (ends)
    clred_exact_limbs(sums);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (ends && leads) {
    STATE state = clred_exact_state(sums, flags, joins ? count : share);
    if (alone || joins)
      out[out_index] = clred_lower(state);
    else
      scratch[target + get_group_id(0)] = state;
  }
}
