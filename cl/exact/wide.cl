// wide in the order exact (strategies/wide.cl): each work-item keeps sums in bins over all its chunks of the group's
// tiles (exact/chunks.clh). What leaves the bins is added to the group's digits in local memory (exact/digits.clh). With
// DIGIT_CELLS, all groups add their digits to as many 64-bit cells after the ticket. The last group to finish reads the
// cells, and sets them to 0 for the next launch.

#define CHUNK_ROW (GROUP_SIZE * BIN_LANES)
#include "exact/chunks.clh"
#include "exact/limbs.clh"
#include "group/deliver.clh"
#include "words/kernel.clh"
#if DIGIT_CELLS
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#elif FINISH == FINISH_LAST_GROUP
#include "group/hand_over.clh"
#include "group/list_states.clh"
#endif
#include "words/device_scope.clh"

#define TILE (ROWS * LANES_A_TILE)
#define DIGIT_COUNT DIGITS_OF(BIN_WORDS)

// A group's sum: digits, and flags.
struct clred_group_sum {
  DIGITS digits;
  volatile __local uint *flags;
  __local uint *limbs;
};

// Adds `count` neighbouring elements, from element `at` on: single elements until the first aligned one, chunks, and
// what is left.
void clred_exact_elements(struct clred_group_sum sum, struct clred_in in, ulong at, ulong count)
{
  uint item = (uint)get_local_id(0);
  ulong head = min(count, (ulong)((BIN_LANES - (ulong)(in.elements + at) / ELEMENT_SIZE % BIN_LANES) % BIN_LANES));
  ulong chunks = (count - head) / CHUNK, done = head + chunks * CHUNK;
  if (item < count) {
    ulong flags = clred_run_flags(in, at + item, count - item, GROUP_SIZE);
    atomic_or(sum.flags, (uint)(flags >> EXACT_VALUE_BITS));
  }
  if (item < head)
    clred_digits_add_term(sum.digits, sum.flags, clred_one_term(in, at + item));
  clred_chunks_add(sum.digits, sum.flags, in, at + head + item * BIN_LANES, (uint)chunks);
#pragma unroll 1
  for (ulong i = done + item; i < count; i += GROUP_SIZE)
    clred_digits_add_term(sum.digits, sum.flags, clred_one_term(in, at + i));
}

// The state of a sum of `count` elements. If `cells` is not null, the digits are there. Work-item 0 gets the state.
STATE clred_exact_state(struct clred_group_sum sum, volatile __global ulong *cells, ulong count)
{
  STATE state = clred_identity();
  clred_limbs_clear(sum.limbs, BIN_WORDS);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll 1
  for (uint i = (uint)get_local_id(0); i < DIGIT_COUNT; i += GROUP_SIZE) {
    long digit = sum.digits[i];
#if DIGIT_CELLS
    if (cells)
      digit = (long)atom_xchg(cells + i, 0ul);
#endif
    clred_limbs_add_number(sum.limbs, BIN_WORDS, i * DIGIT_BITS, digit);
  }
#if DIGIT_CELLS
  if (cells && get_local_id(0) == 0)
    *sum.flags = (uint)atom_xchg(cells + DIGIT_COUNT, 0ul);
#endif
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    clred_limbs_get(sum.limbs, BIN_WORDS, *sum.flags, state.sum.words);
#if BINS_COUNT
  state.count = count;
#endif
  return state;
}

#if DIGIT_CELLS
// Adds the group's digits to the cells. Returns true in the last group.
bool clred_exact_hand_over(struct clred_group_sum sum, volatile __global ulong *cells, volatile __global uint *ticket,
                           __local uint *last)
{
  for (uint i = (uint)get_local_id(0); i < DIGIT_COUNT; i += GROUP_SIZE)
    if (sum.digits[i] != 0)
      atom_add(cells + i, (ulong)(long)sum.digits[i]);
  if (get_local_id(0) == 0)
    atomic_or((volatile __global uint *)(cells + DIGIT_COUNT), *sum.flags);
  DEVICE_FENCE();
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    *last = clred_is_last_group(ticket);
  barrier(CLK_LOCAL_MEM_FENCE);
  return *last;
}
#endif

ENTRY(clred_wide)(ARGUMENTS)
{
  __local int digits[DIGIT_COUNT];
  __local uint limbs[2 * BIN_WORDS], flags, last;
  struct clred_group_sum sum = {digits, &flags, limbs};
  bool leads = get_local_id(0) == 0, alone = IS_ALONE;
  ulong tile = work + get_group_id(0) * span, share = min(count - tile * TILE, span * TILE);
  struct clred_in in = INPUT_FROM(work * TILE);
  for (uint i = (uint)get_local_id(0); i < DIGIT_COUNT; i += GROUP_SIZE)
    digits[i] = 0;
  if (leads)
    flags = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  clred_exact_elements(sum, in, in.origin + tile * TILE, share);
  barrier(CLK_LOCAL_MEM_FENCE);
#if DIGIT_CELLS
  volatile __global ulong *cells = 0;
  if (!alone && !KEEPS_STATES) {
    cells = (volatile __global ulong *)(ticket + 4);
    if (!clred_exact_hand_over(sum, cells, ticket, &last))
      return;
    share = count;
  }
  STATE state = clred_exact_state(sum, cells, share);
  if (leads && !KEEPS_STATES)
    out[out_index] = clred_lower(state);
  else if (leads)
    scratch[target + get_group_id(0)] = state;
#else
  STATE state = clred_exact_state(sum, 0, share);
  __global STATE *partials = scratch + target;
#if FINISH == FINISH_LAST_GROUP
  __local STATE nodes[NODE_ROOM], stack[STACK];
  if (leads) {
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
    state = clred_fold_list_states(clred_handed_over(partials, ticket), groups, 0, groups, nodes, stack);
    if (leads)
      out[out_index] = clred_lower(state);
  }
#else
  if (leads && alone)
    out[out_index] = clred_lower(state);
  else if (leads)
    partials[get_group_id(0)] = state;
#endif
#endif
}
