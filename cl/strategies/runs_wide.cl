// runs_wide: runs of equal keys, and of elements from one head flag to the next, on GPU-like devices. Each run is
// reduced in the order fixed/1. A work-group takes a tile of MOST_TILE elements and reads its keys and elements once.
// It finds the heads, publishes how many there are, looks back for the number of heads before the tile
// (runs/board.clh), and folds the runs that end in the tile. The elements of the tile and the OVERHANG elements before
// it are in local memory. One work-item folds a run of a few elements, a part of the group folds a run of up to a tile
// of fixed/1, and the whole group folds a longer one.
//   ticket   gives tiles to groups in the order in which they begin
// Runs longer than PIECE elements are cut: NAME_apply folds their pieces, NAME_states joins these (runs/pieces.clh).

#include "group/list_elements.clh"
#include "runs/board.clh"
#include "runs/pieces.clh"
#include "segments/few.clh"
#include "words/kernel.clh"

#if SOURCE_IS_STATES
// The group folds the partials of a run.
STATE clred_join_pieces(__global const STATE *partials, uint pieces, __local STATE *nodes, __local STATE *stack)
{
  uint depth = 0;
  for (uint turn = 0; turn * NODES < pieces; turn++) {
    uint present = min(pieces - turn * NODES, (uint)NODES);
    for (uint i = get_local_id(0); i < present; i += GROUP_SIZE)
      nodes[NODE_AT(i)] = partials[turn * NODES + i];
    clred_fold_nodes(nodes, present);
    if (get_local_id(0) == 0)
      depth = clred_local_push(stack, depth, turn, nodes[0]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  return get_local_id(0) == 0 ? clred_local_root(stack, depth) : clred_identity();
}

ENTRY(clred_runs_wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM];
  __local STATE stack[STACK];
  __local uint listed[GROUP_SIZE];
  __local uint length;
  uint item = get_local_id(0), own = (uint)get_global_id(0);
  if (item == 0)
    length = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (own < ticket[2] && LISTED[own].number == 0)
    listed[atomic_inc(&length)] = own;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < length; i++) {
    struct clred_piece piece = LISTED[listed[i]];
    STATE state = clred_join_pieces(scratch + target + listed[i], piece.pieces, nodes, stack);
    if (item == 0)
      out[out_index + piece.run] = clred_lower(state);
  }
  if (own == 0)
    ticket[1] = 0;
}
#elif APPLIES
ENTRY(clred_runs_wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM];
  __local STATE stack[STACK];
  uint pieces = ticket[1];
  for (uint i = get_group_id(0); i < pieces; i += get_num_groups(0)) {
    struct clred_piece piece = LISTED[i];
    struct clred_in in = INPUT_NOW;
    in.origin = piece.begin;
    ulong tiles = clred_piece_size(piece.count) / TILE, begin = piece.number * tiles;
    STATE state = clred_fold_list_elements(in, piece.count, begin * COLUMNS,
                                           clred_node_count_elements(piece.count, begin, tiles), nodes, stack);
    state = clred_found_elements(in, piece.count, state);
    if (get_local_id(0) == 0)
      scratch[target + i] = state;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_global_id(0) == 0)
    ticket[2] = pieces;
}
#else

// ---------------------------------------------------------------- The tile

#define OVERHANG 64
#define PER_ITEM (MOST_TILE / GROUP_SIZE)
#define MASKS ((MOST_TILE + 31) / 32)
// Enough for the runs of a tile that have more than SHORTEST_SEGMENT elements.
#define MOST_LISTED ((MOST_TILE + OVERHANG) / SHORTEST_SEGMENT + 1)

// A tile, and its runs. Run 0 began before the tile; run r begins with head r - 1 of the tile.
struct clred_tile {
  ulong  first;            // the first element
  ulong  staged_first;     // the first element in local memory
  uint   present, staged;  // the number of elements of the tile, and of those in local memory
  ulong  run;              // the number of run 0 in the call, plus 1
  __local ushort *begins;  // where runs begin, counted from staged_first
};

struct clred_listed {
  struct clred_tile tile;
  __local const ushort *places;
};

struct clred_segment clred_listed_segment(struct clred_listed listed, uint unit)
{
  uint run = listed.places[unit], begin = listed.tile.begins[run];
  struct clred_segment segment = {listed.tile.staged_first + begin, listed.tile.begins[run + 1] - begin};
  return segment;
}

ulong clred_listed_row(struct clred_listed listed, uint unit)
{
  return listed.tile.run + listed.places[unit] - 1;
}

#include "segments/beside.clh"

// ---------------------------------------------------------------- Heads

// Sets bit i of masks[w] if a run begins with element 32 w + i of the tile. `is_head` is for element `place`.
#if FENCE == FENCE_PTX && GROUP_SIZE % 32 == 0
#define CLEARS_MASKS 0
void clred_mark(__local uint *masks, uint place, bool is_head)
{
  uint mask;
  __asm__ volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                   : "=r"(mask) : "r"((uint)is_head));
  if (place % 32 == 0)
    masks[place / 32] = mask;
}
#else
#define CLEARS_MASKS 1
void clred_mark(__local uint *masks, uint place, bool is_head)
{
  if (is_head)
    atomic_or(&masks[place / 32], 1u << place % 32);
}
#endif

// counts[w] becomes the number of bits in masks[0] to masks[w]. `room` has the size of counts. Returns where they are.
__local uint *clred_count_bits(__local const uint *masks, __local uint *counts, __local uint *room)
{
  __local uint *from = counts, *to = room;
  for (uint w = get_local_id(0); w < MASKS; w += GROUP_SIZE)
    from[w] = popcount(masks[w]);
#pragma unroll
  for (uint apart = 1; apart < MASKS; apart *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint w = get_local_id(0); w < MASKS; w += GROUP_SIZE)
      to[w] = from[w] + (w >= apart ? from[w - apart] : 0);
    __local uint *swapped = from;
    from = to;
    to = swapped;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return from;
}

// The heads of the launch before this tile. `own` are those of the tile. found[] has a number and a last place for each
// level; they are 0.
struct clred_heads clred_heads_before(struct clred_board board, uint tile, bool is_whole, struct clred_heads own,
                                      __local uint *found)
{
  struct clred_heads all = {0, 0}, node = own;
  bool completes = is_whole;
#pragma unroll
  for (uint level = 0; level < LEVELS; level++) {
    uint index = tile >> FAN_LOG2 * level, digit = index & (FAN - 1);
    for (uint place = get_local_id(0); place < digit; place += GROUP_SIZE) {
      struct clred_heads heads = clred_await_heads(board, level, index - digit + place);
      atomic_add(&found[2 * level], heads.number);
      atomic_max(&found[2 * level + 1], heads.last);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    struct clred_heads before = {found[2 * level], found[2 * level + 1]};
    all = clred_all_heads(all, before);
    node = clred_all_heads(node, before);
    completes = completes && digit == FAN - 1;
    if (completes && level + 1 < LEVELS && get_local_id(0) == 0 && clred_may_publish(tile))
      clred_publish_heads(board, level + 1, index >> FAN_LOG2, node);
  }
  return all;
}

// ---------------------------------------------------------------- The kernel

ENTRY(clred_runs_wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM];
  __local STATE stack[STACK];
  __local ushort begins[MOST_TILE + 2], short_ones[MOST_LISTED], long_ones[MOST_LISTED];
  __local uint masks[MASKS], counted[MASKS], room[MASKS], found[2 * LEVELS], nodes_of[UNITS + 1], lengths[2], last_mask;
#if TICKETS
  __local uint given;
#endif
  __local uint listed;
#if STAGED_ELEMENTS
  __local ELEMENT stage[STAGE_SIZE];
#endif
  uint item = get_local_id(0);
#if TICKETS
  if (item == 0) {
    given = atomic_inc(ticket);
    if (given == get_num_groups(0) - 1)
      atomic_xchg(ticket, 0u);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uint number = given;
#else
  uint number = get_group_id(0);
#endif
  ulong launch_first = launch * TILES * MOST_TILE;
  struct clred_tile tile;
  tile.first = launch_first + (ulong)number * MOST_TILE;
  tile.present = (uint)min(count - tile.first, (ulong)MOST_TILE);
  tile.staged_first = tile.first ? tile.first - OVERHANG : 0;
  tile.staged = tile.present + (uint)(tile.first - tile.staged_first);
  tile.begins = begins;
  struct clred_in in = INPUT_NOW;
  struct clred_board board = {(volatile __global CELL *)scratch, tag, MOST_TILE, MARKS_NOW, launch_first};
  bool is_whole = tile.present == MOST_TILE, is_last = tile.first + tile.present == count;

  // All loads are in flight at once.
  ulong hang = tile.first - tile.staged_first;
  MARK held[PER_ITEM];
  bool are_heads[PER_ITEM];
#if STAGED_ELEMENTS
  ELEMENT carried[PER_ITEM];
#endif
#pragma unroll
  for (uint k = 0; k < PER_ITEM; k++) {
    uint place = k * GROUP_SIZE + item;
    ulong at = tile.first + min(place, max(tile.present, 1u) - 1);
    are_heads[k] = false;
    if (tile.present) {
#if STAGED_ELEMENTS
      carried[k] = in.elements[at];
#endif
      held[k] = board.marks[at];
      are_heads[k] = place < tile.present && IS_HEAD(board.marks, at);
    }
  }
#if STAGED_ELEMENTS
  for (uint i = item; i < hang; i += GROUP_SIZE)
    stage[STAGE_AT(i)] = in.elements[tile.staged_first + i];
#pragma unroll
  for (uint k = 0; k < PER_ITEM; k++)
    if (k * GROUP_SIZE + item < tile.present)
      stage[STAGE_AT((uint)hang + k * GROUP_SIZE + item)] = carried[k];
#endif
  for (uint i = item; i < 2 * LEVELS; i += GROUP_SIZE)
    found[i] = 0;
  for (uint i = item; i < 2; i += GROUP_SIZE)
    lengths[i] = 0;
  if (item == 0)
    last_mask = 0;
#if CLEARS_MASKS
  for (uint w = item; w < MASKS; w += GROUP_SIZE)
    masks[w] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
#endif
#pragma unroll
  for (uint k = 0; k < PER_ITEM; k++)
    clred_mark(masks, k * GROUP_SIZE + item, are_heads[k]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint w = item; w < MASKS; w += GROUP_SIZE)
    if (masks[w])
      atomic_max(&last_mask, 32 * w + 32 - clz(masks[w]));
  __local const uint *counts = clred_count_bits(masks, counted, room);

  // The heads before the tile.
  uint heads = counts[MASKS - 1];
  struct clred_heads own = {heads, heads ? number * MOST_TILE + last_mask : 0};
  if (item == 0 && is_whole && clred_may_publish(number))
    clred_publish_heads(board, 0, number, own);
  struct clred_heads before = clred_heads_before(board, number, is_whole, own, found);
  ulong last = before.last ? launch_first + before.last : 0;
  tile.run = before.number;
  if (launch > 0) {
    tile.run += LEFT_FOR(launch)[0];
    last = last ? last : LEFT_FOR(launch)[1];
  }
  if (item == 0 && is_last) {
    OUTCOME_NOW[0] = tile.run + heads;
    OUTCOME_NOW[1] = tile.run + heads > rows ? rows + 1 : 0;
  } else if (item == 0 && number == TILES - 1) {
    LEFT_FOR(launch + 1)[0] = tile.run + heads;
    LEFT_FOR(launch + 1)[1] = heads ? launch_first + own.last : last;
  }

  // Where runs begin.
#pragma unroll
  for (uint k = 0; k < PER_ITEM; k++) {
    uint place = k * GROUP_SIZE + item, mask = masks[place / 32], bit = 1u << place % 32;
    if (mask & bit) {
      uint rank = counts[place / 32] - popcount(mask & ~(bit - 1));
      begins[rank + 1] = (ushort)(hang + place);
#if KEYED
      if (writes_keys && tile.run + rank < rows)
        keys_out[keys_out_index + tile.run + rank] = held[k];
#endif
    }
  }
  // Runs 0 to ends - 1 end in this tile.
  uint ends = heads + is_last;
  bool reaches_back = tile.run > 0 && ends > 0, is_near = last > tile.staged_first;
  if (item == 0) {
    begins[0] = (ushort)(is_near ? last - 1 - tile.staged_first : 0);
    if (is_last)
      begins[heads + 1] = (ushort)tile.staged;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  __global RESULT *results = out + out_index;
  for (uint r = item + (reaches_back && is_near ? 0 : 1); r < ends; r += GROUP_SIZE) {
    uint begin = begins[r], length = begins[r + 1] - begin;
    ulong run = tile.run + r - 1;
    if (run >= rows)
      continue;
    if (length <= SHORTEST_SEGMENT) {
#if STAGED_ELEMENTS
      results[run] = clred_lower(clred_shortest_staged(in, stage, begin, length));
#else
      results[run] = clred_lower(
        clred_shortest(clred_segment_in(in, (struct clred_segment){tile.staged_first + begin, length}), length));
#endif
    } else if (length <= SHORT_SEGMENT) {
      short_ones[atomic_inc(&lengths[0])] = (ushort)r;
    } else {
      long_ones[atomic_inc(&lengths[1])] = (ushort)r;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#if COLUMNS <= NODES
  for (uint i = 0; i < lengths[0]; i += UNITS)
    clred_fold_beside(in, (struct clred_listed){tile, short_ones + i}, min((uint)UNITS, lengths[0] - i),
                      31 - clz((uint)COLUMNS), nodes, nodes_of, results);
#endif
  // The whole group folds long runs; the last turn is for a run that began far before the tile.
  bool is_far = reaches_back && !is_near && tile.run <= rows;
  for (uint i = 0; i < lengths[1] + is_far; i++) {
    struct clred_segment longer = {last - 1, (heads ? tile.staged_first + begins[1] : count) - (last - 1)};
    ulong run = tile.run - 1;
    if (i < lengths[1]) {
      longer = clred_listed_segment((struct clred_listed){tile, long_ones}, i);
      run += long_ones[i];
    }
    if (longer.count <= PIECE) {
      struct clred_in own_in = clred_segment_in(in, longer);
      STATE state = clred_fold_list_elements(own_in, longer.count, 0,
                                             clred_node_count_elements(longer.count, 0, PIECE / TILE), nodes, stack);
      state = clred_found_elements(own_in, longer.count, state);
      if (item == 0)
        results[run] = clred_lower(state);
    } else {
      ulong size = clred_piece_size(longer.count);
      uint pieces = (uint)((longer.count + size - 1) / size);
      if (item == 0)
        listed = atomic_add(ticket + 1, pieces);
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint p = item; p < pieces; p += GROUP_SIZE)
        LISTED[listed + p] = (struct clred_piece){longer.begin, longer.count, run, p, pieces};
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif
