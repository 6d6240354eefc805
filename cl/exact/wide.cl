// wide in the order exact (strategies/wide.cl): each work-item keeps sums in bins over all its chunks of the group's
// tiles (exact/chunks.clh). What leaves the bins is added to the group's digits in local memory (exact/digits.clh).
// With DIGIT_CELLS, all groups add their digits to as many 64-bit cells after the ticket. The last group to finish
// reads the cells, and sets them to 0 for the next launch.

#define CHUNK_ROW (GROUP_SIZE * BIN_LANES)
#include "exact/chunks.clh"
#include "exact/limbs.clh"
#include "group/deliver.clh"
#include "words/kernel.clh"
#if DIGIT_CELLS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#elif FINISH == FINISH_LAST_GROUP
#include "group/hand_over.clh"
#include "group/list_states.clh"
#endif
#include "words/device_scope.clh"

#define TILE (ROWS * LANES_A_TILE)
#define DIGIT_COUNT DIGITS_OF(BIN_WORDS)

// A group's sum in local memory.
struct clred_group_sum {
  DIGITS digits;
  DIGITS own;  // the copy that this work-item adds to
  volatile __local uint *flags;
  __local long *totals;  // the digits of all copies
  __local uint *limbs;
};

void clred_exact_begin(struct clred_group_sum sum)
{
  uint item = (uint)get_local_id(0);
  for (uint i = item; i < DIGIT_PLACE(DIGIT_COUNT); i += GROUP_SIZE)
    sum.digits[i] = 0;
  for (uint i = item; i < 2 * BIN_WORDS; i += GROUP_SIZE)
    sum.limbs[i] = 0;
  if (item == 0)
    *sum.flags = 0;
}

// Adds `count` neighbouring elements, from element `at` on: single elements until the first aligned one, chunks, and
// what is left.
void clred_exact_elements(struct clred_group_sum sum, struct clred_in in, ulong at, ulong count)
{
  uint item = (uint)get_local_id(0);
  ulong head = min(count, (ulong)((BIN_LANES - (ulong)(in.elements + at) / ELEMENT_SIZE % BIN_LANES) % BIN_LANES));
  ulong chunks = (count - head) / CHUNK, done = head + chunks * CHUNK;
  if (item < head)
    clred_digits_add_term(sum.own, sum.flags, clred_one_term(in, at + item));
  clred_chunks_add(sum.own, sum.flags, in, at + head + item * BIN_LANES, (uint)chunks);
#pragma unroll 1
  for (ulong i = done + item; i < count; i += GROUP_SIZE)
    clred_digits_add_term(sum.own, sum.flags, clred_one_term(in, at + i));
}

// Adds up the copies of the digits. A sum that is not 0 has a term that is not -0. If the sum is 0, reads the elements
// again to find out whether all of them are -0.
void clred_exact_totals(struct clred_group_sum sum, struct clred_in in, ulong at, ulong count)
{
  uint item = (uint)get_local_id(0);
#pragma unroll 1
  for (uint i = item; i < DIGIT_COUNT; i += GROUP_SIZE) {
    long total = 0;
    for (uint copy = 0; copy < DIGIT_COPIES; copy++)
      total += sum.digits[DIGIT_PLACE(i) + copy];
    sum.totals[i] = total;
    if (total != 0)
      atomic_or(sum.flags, (uint)(EXACT_HAS_OTHER >> EXACT_VALUE_BITS));
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  bool is_zero = *sum.flags == 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_zero && item < count)
    atomic_or(sum.flags, (uint)(clred_run_flags(in, at + item, count - item, GROUP_SIZE) >> EXACT_VALUE_BITS));
  barrier(CLK_LOCAL_MEM_FENCE);
}

#if DIGIT_CELLS
// Adds the group's digits and flags to the cells.
void clred_exact_hand_over(struct clred_group_sum sum, volatile __global ulong *cells)
{
#pragma unroll 1
  for (uint i = (uint)get_local_id(0); i < DIGIT_COUNT; i += GROUP_SIZE)
    if (sum.totals[i] != 0)
      atom_add(cells + i, (ulong)sum.totals[i]);
  if (get_local_id(0) == 0)
    atom_or(cells + DIGIT_COUNT, (ulong)*sum.flags);
}

// Moves the sum of all groups from the cells to the totals. Each work-item writes the totals that it reads next.
void clred_exact_take_over(struct clred_group_sum sum, volatile __global ulong *cells)
{
#pragma unroll 1
  for (uint i = (uint)get_local_id(0); i < DIGIT_COUNT; i += GROUP_SIZE)
    sum.totals[i] = (long)atom_xchg(cells + i, 0ul);
  if (get_local_id(0) == 0)
    *sum.flags = (uint)atom_xchg(cells + DIGIT_COUNT, 0ul);
}
#endif

// Adds the totals to the limbs, which are 0.
void clred_exact_limbs(struct clred_group_sum sum)
{
#pragma unroll 1
  for (uint i = (uint)get_local_id(0); i < DIGIT_COUNT; i += GROUP_SIZE)
    clred_limbs_add_number(sum.limbs, BIN_WORDS, i * DIGIT_BITS, sum.totals[i]);
}

// The state of a sum of `count` elements, from its limbs.
STATE clred_exact_state(struct clred_group_sum sum, ulong count)
{
  STATE state = clred_identity();
  clred_limbs_get(sum.limbs, BIN_WORDS, *sum.flags, state.sum.words);
#if BINS_COUNT
  state.count = count;
#endif
  return state;
}

// Barriers stand under no condition: PoCL 3.1 runs some code after a conditional barrier with wrong local ids.
ENTRY(clred_wide)(ARGUMENTS)
{
  __local int digits[DIGIT_PLACE(DIGIT_COUNT)];
  __local long totals[DIGIT_COUNT];
  __local uint limbs[2 * BIN_WORDS], flags, last;
  struct clred_group_sum sum = {digits, digits + get_local_id(0) % DIGIT_COPIES, &flags, totals, limbs};
  bool leads = get_local_id(0) == 0, alone = IS_ALONE;
  ulong tile = work + get_group_id(0) * span, share = min(count - tile * TILE, span * TILE);
  struct clred_in in = INPUT_FROM(work * TILE);
  ulong at = in.origin + tile * TILE;
  clred_exact_begin(sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  clred_exact_elements(sum, in, at, share);
  barrier(CLK_LOCAL_MEM_FENCE);
  clred_exact_totals(sum, in, at, share);
#if DIGIT_CELLS
  volatile __global ulong *cells = (volatile __global ulong *)(ticket + 4);
  bool joins = !alone && !KEEPS_STATES;
  if (joins)
    clred_exact_hand_over(sum, cells);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (leads)
    last = joins ? clred_is_last_group(ticket) : 1;
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  bool ends = last;
  if (ends && joins)
    clred_exact_take_over(sum, cells);
  if (ends)
    clred_exact_limbs(sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (ends && leads) {
    STATE state = clred_exact_state(sum, joins ? count : share);
    if (KEEPS_STATES)
      scratch[target + get_group_id(0)] = state;
    else
      out[out_index] = clred_lower(state);
  }
#else
  clred_exact_limbs(sum);
  barrier(CLK_LOCAL_MEM_FENCE);
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP
  __local STATE nodes[NODE_ROOM], stack[STACK];
  if (leads) {
    STATE state = clred_exact_state(sum, share);
    last = 0;
    if (alone)
      out[out_index] = clred_lower(state);
    else if (KEEPS_STATES)
      partials[get_group_id(0)] = state;
    else
      last = clred_hand_over(partials, ticket, 0, state);
  }
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  if (last) {
    uint groups = (uint)get_num_groups(0);
    STATE state = clred_fold_list_states(clred_handed_over(partials, ticket), groups, 0, groups, nodes, stack);
    if (leads)
      out[out_index] = clred_lower(state);
  }
#else
  if (leads && alone)
    out[out_index] = clred_lower(clred_exact_state(sum, share));
  else if (leads)
    partials[get_group_id(0)] = clred_exact_state(sum, share);
#endif
#endif
}
