// scan_segments: scans of rows of different lengths on GPU-like devices. Each row is scanned alone, in the order
// fixed/1. A work-group takes a chunk of `span` places (segments/segments.clh). It puts as many short segments as fit
// into one list of lanes (segments/list.clh). A segment longer than `span` is cut into pieces. The launch after the cut
// folds the pieces, NAME_states computes the prefix of each piece from their nodes, and NAME_apply writes the results.
//   work     how many chunks the call has
//   target   where in scratch the nodes of pieces begin, and what stands before and after them: four states a chunk

#include "segments/list.clh"
#include "segments/segments.clh"
#include "words/kernel.clh"

#if SOURCE_IS_STATES
// What stands after `counted` pieces of the segment that stands in `chunk`, which has `pieces` of them.
void clred_put_before(__global STATE *partials, ulong chunk, ulong pieces, ulong counted, STATE state)
{
  partials[counted < pieces ? BEFORE_PIECE(chunk + counted) : AFTER_LAST(chunk + counted - 1)] = state;
}

// A segment with few whole pieces, by one work-item.
#define FEW_PIECES 15
#define FEW_DEPTH 4
void clred_before_few(__global STATE *partials, ulong chunk, uint pieces, uint whole, struct clred_prefix start)
{
  STATE counter[FEW_DEPTH];
  for (uint i = 0; i < whole; i++) {
    STATE own = partials[PIECE_NODE(chunk, (ulong)i)];
    uint bit = 0;
    for (; i >> bit & 1; bit++)
      own = FOLLOWING(counter[bit], own);
    counter[bit] = own;
    struct clred_prefix x = start;
    for (uint b = FEW_DEPTH; b-- > 0;)
      if ((i + 1) >> b & 1)
        x = clred_after(x, counter[b]);
    clred_put_before(partials, chunk, pieces, i + 1, x.state);
  }
}

// A segment with many whole pieces, by the group.
void clred_before_many(__global STATE *partials, ulong chunk, ulong pieces, ulong whole, struct clred_prefix start,
                       struct clred_list list)
{
  uint item = get_local_id(0);
  for (ulong turn = 0; turn * GROUP_SIZE < whole; turn++) {
    ulong first = turn * GROUP_SIZE;
    uint present = (uint)min(whole - first, (ulong)GROUP_SIZE);
    list.index_of[item] = (ushort)item;
    if (item < present)
      list.nodes[item] = partials[PIECE_NODE(chunk, first + item)];
    clred_sweep_list(list, present, present);
    struct clred_prefix x = clred_counted(start, list.counter, turn);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && present == GROUP_SIZE)
      clred_count(list.counter, turn, list.nodes[GROUP_SIZE - 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    x = item == GROUP_SIZE - 1 && present == GROUP_SIZE ? clred_counted(start, list.counter, turn + 1)
                                                        : clred_before_node(x, list.nodes, min(item + 1, present));
    if (item < present)
      clred_put_before(partials, chunk, pieces, first + item + 1, x.state);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

ENTRY(clred_scan_segments)(ARGUMENTS)
{
  __local STATE nodes[LIST], counter[COUNTER_DEPTH];
  __local ushort index_of[LIST];
  __local uint listed[GROUP_SIZE], length;
  struct clred_list list = {0, 0, 0, index_of, nodes, counter, 0};
  struct clred_segments all = SEGMENTS_NOW(count);
  struct clred_prefix call_start = START_NOW;
  uint item = get_local_id(0);
  ulong own = get_global_id(0), pieces = own < work ? PIECES[own] : 0;
  if (item == 0)
    length = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (pieces > FEW_PIECES)
    listed[atomic_inc(&length)] = item;
  else if (pieces > 0)
    clred_before_few(scratch + target, own, (uint)pieces, (uint)(clred_segment(all, CUTS[own + 1] - 1).count / span),
                     call_start);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = 0; i < length; i++) {
    ulong chunk = own - item + listed[i];
    clred_before_many(scratch + target, chunk, PIECES[chunk], clred_segment(all, CUTS[chunk + 1] - 1).count / span,
                      call_start,
                      list);
  }
}
#elif !APPLIES
// The node of a whole piece, folded by the group. Only work-item 0 gets it.
STATE clred_fold_piece(struct clred_in in, struct clred_segment segment, ulong first, ulong present,
                       struct clred_list list)
{
  uint item = get_local_id(0);
  ulong lists = present / CHUNK_ELEMENTS;
  for (ulong number = 0; number < lists; number++) {
    if (item == 0)
      list.runs[0] = (struct clred_run){segment.begin, segment.count, first + number * CHUNK_ELEMENTS, CHUNK_ELEMENTS};
    list.starts[item + 1] = CHUNK_LANES;
    if (item == 0)
      list.starts[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    clred_fold_list_lanes(in, list, CHUNK_LANES);
    clred_sweep_list(list, CHUNK_LANES, CHUNK_LANES);
    if (item == 0)
      clred_count(list.counter, number, list.nodes[CHUNK_LANES - 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  // Lists of a piece are a power of two: one digit is left.
  return item == 0 && lists ? list.counter[63 - clz(lists)] : clred_identity();
}

ENTRY(clred_scan_segments)(ARGUMENTS)
{
  __local STATE nodes[LIST], counter[COUNTER_DEPTH];
  __local ushort run_of[LIST], index_of[LIST];
  __local uint starts[GROUP_SIZE + 1];
  __local struct clred_run runs[1];
  struct clred_list list = {runs, starts, run_of, index_of, nodes, counter, 0};
  struct clred_segments all = SEGMENTS_NOW(count);
  __global STATE *partials = scratch + target;
  ulong chunk = get_group_id(0);
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  // A segment's last piece is folded only if it is whole: NAME_apply needs the state after it.
  STATE state = clred_fold_piece(INPUT_NOW, own.segment, own.first, own.present == span ? span : 0, list);
  if (get_local_id(0) == 0 && own.present == span)
    partials[PIECE_NODE(chunk, 0) - 1] = state;
  struct clred_segment last = {0, 0};
  if (own.end > own.begin)
    last = clred_segment_within(clred_segment(all, own.end - 1), own.end - 1, chunk, span);
  state = clred_fold_piece(INPUT_NOW, last, 0, last.count > span ? span : 0, list);
  if (get_local_id(0) == 0) {
    PIECES[chunk] = last.count > span ? (last.count + span - 1) / span : 0;
    if (last.count > span)
      partials[PIECE_NODE(chunk, 0)] = state;
  }
}
#else
// Neighbours of one segment that one list may have no room for: positions first to first + present. `before` stands
// before the first of them, and `after`, if it is there, behind the last.
struct clred_long {
  struct clred_segment segment;
  ulong first, present;
  struct clred_prefix before, after;
};

// This work-item's segment of those from `first` on; an empty one behind the chunk's end.
struct clred_segment clred_look_up(struct clred_segments all, struct clred_chunk own, ulong first)
{
  struct clred_segment none = {0, 0};
  ulong s = first + get_local_id(0);
  return s < own.end ? clred_segment(all, s) : none;
}

// How many elements there are from `begin` to segment s, if offsets are right: of a list that has room.
uint clred_reach(struct clred_segments all, ulong s, ulong begin)
{
  ulong end = (ulong)all.offsets[s];
  return begin <= end && end <= all.count ? (uint)min(end - begin, (ulong)CHUNK_ELEMENTS) : 0;
}

// Segments of up to a lane each, one a work-item: elements `begin` to begin + present come and go side by side.
#if STAGED_ELEMENTS >= CHUNK_ELEMENTS
#define SHORT_LISTS 1
void clred_scan_short(struct clred_in in, __global RESULT *results, struct clred_segment segment, ulong begin,
                      uint present,
                      struct clred_prefix x, __local ELEMENT *stage, __local RESULT *staged)
{
  uint at = (uint)(segment.begin - begin), rows = present ? (uint)segment.count : 0;
  STATE held[ROWS];
  clred_stage(in, begin, present, stage);
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint row = 0; row < ROWS; row++)
    if (row < rows) {
      uint place = (uint)PLACE(row, rows);
      held[row] = clred_lift_staged(in, stage, at + place, place);
      if (row > 0)
        held[row] = FOLLOWING(held[row - 1], held[row]);
    }
  // Results take the elements' places.
  barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
  for (uint row = 0; row < ROWS; row++)
    if (row < rows) {
#if SCAN == SCAN_EXCLUSIVE
      struct clred_prefix prefix = x;
      if (row > 0)
        prefix = clred_after(x, held[row - 1]);
#else
      struct clred_prefix prefix = clred_after(x, held[row]);
#endif
      staged[STAGED_AT(at + (uint)PLACE(row, rows))] = clred_result_of(prefix);
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < present; i += GROUP_SIZE)
    results[begin + i] = staged[STAGED_AT(i)];
  barrier(CLK_LOCAL_MEM_FENCE);
}
#define STAGE_BYTES (STAGE_SIZE * ELEMENT_SIZE)
#define STAGED_BYTES (STAGED_SIZE * RESULT_SIZE)
#else
#define SHORT_LISTS 0
#endif

// Scans and writes the elements of one list or of several. There is one call of it, because PoCL compiles a copy of
// this code for each call. If some.present is 0, the caller has made one list of `lanes` lanes, of which the longest
// run has `most`, and the results are `reach` neighbours from element `begin` on. Otherwise the lists are made here.
void clred_scan_lists(struct clred_in in, __global RESULT *results, struct clred_long some, uint lanes, uint most,
                      ulong begin, uint reach, struct clred_list list)
{
  uint item = get_local_id(0), is_long = some.present > 0;
  ulong lists = is_long ? (some.present + CHUNK_ELEMENTS - 1) / CHUNK_ELEMENTS : lanes > 0;
  // Only where most turns have no list, a loop without a turn is worth a copy of the code (clred_sweep_list).
  for (ulong number = 0; (!SHORT_LISTS && number == 0) || number < lists; number++) {
    ulong here = some.first + number * CHUNK_ELEMENTS, left = some.present - number * CHUNK_ELEMENTS, to = begin;
    uint taken = is_long ? (uint)min(left, (ulong)CHUNK_ELEMENTS) : reach;
    uint is_whole = is_long && taken == CHUNK_ELEMENTS;
    uint own_lanes = is_long ? clred_lanes_of(taken) : lanes;
    if (is_long) {
      if (item == 0)
        list.runs[0] = (struct clred_run){some.segment.begin, some.segment.count, here, taken};
      list.starts[item + 1] = own_lanes;
      if (item == 0)
        list.starts[0] = 0;
      to = some.segment.begin + (REVERSED ? some.segment.count - here - taken : here);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    clred_fold_list_lanes(in, list, own_lanes);
    clred_sweep_list(list, own_lanes, is_long ? own_lanes : most);
    struct clred_prefix before = clred_counted(some.before, list.counter, number), next = some.after;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0 && is_whole)
      clred_count(list.counter, number, list.nodes[CHUNK_LANES - 1]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!some.after.is_there || left > CHUNK_ELEMENTS) {
      next = before;
      next.is_there = is_whole;
      if (is_whole)
        next = clred_counted(some.before, list.counter, number + 1);
    }
    clred_put_list(in, results, list, own_lanes, to, taken, before, next);
  }
}

ENTRY(clred_scan_segments)(ARGUMENTS)
{
  __local STATE nodes[LIST], counter[COUNTER_DEPTH];
  __local ushort run_of[LIST], index_of[LIST];
  __local uint starts[GROUP_SIZE + 1], fitting, lanes_of_longest;
  __local struct clred_run runs[GROUP_SIZE];
#if SHORT_LISTS
  __local uint4 room[(STAGE_BYTES > STAGED_BYTES ? STAGE_BYTES : STAGED_BYTES) / 16 + 1];
  __local ELEMENT *stage = (__local ELEMENT *)room;
  __local RESULT *staged = (__local RESULT *)room;
#else
  __local RESULT staged[STAGED_SIZE];
#endif
  struct clred_list list = {runs, starts, run_of, index_of, nodes, counter, staged};
  struct clred_segments all = SEGMENTS_NOW(count);
  struct clred_in in = INPUT_NOW;
  struct clred_prefix call_start = START_NOW, none = call_start;
  __global RESULT *results = out + out_index;
  __global const STATE *partials = scratch + target;
  ulong chunk = get_group_id(0);
  uint item = get_local_id(0);
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  none.is_there = 0;

  // The first turn takes the piece of a segment that stands in an earlier chunk, if there is one.
  struct clred_long piece = {own.segment, own.first, own.present, call_start, none};
  if (own.present) {
    bool ends = own.first + own.present == own.segment.count;
    piece.before.is_there = 1;
    piece.before.state = partials[BEFORE_PIECE(chunk)];
    piece.after.is_there = own.present == span;
    if (piece.after.is_there)
      piece.after.state = partials[ends ? AFTER_LAST(chunk) : BEFORE_PIECE(chunk + 1)];
  }

  // Each other turn takes as many segments as there are work-items, and as have room. The segments of the next turn are
  // read while these are scanned.
  uint is_piece = own.present > 0, taken = 0;
  struct clred_segment next = clred_look_up(all, own, own.begin);
  for (ulong first = own.begin; is_piece || first < own.end; first += taken) {
    ulong begin = (ulong)all.offsets[first];
    struct clred_segment segment = next;
    if (item == 0) {
      fitting = is_piece ? 0 : (uint)min(own.end - first, (ulong)GROUP_SIZE);
      lanes_of_longest = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (!is_piece && first + item < own.end)
      clred_checked_segment(all, first + item, OUTCOME_NOW);
    bool fits = segment.count == 0 || (segment.begin >= begin && segment.count <= CHUNK_ELEMENTS &&
                                       segment.begin - begin <= CHUNK_ELEMENTS - segment.count);
    if (!fits)
      atomic_min(&fitting, item);
    else if (segment.count > ROWS)
      atomic_max(&lanes_of_longest, clred_lanes_of((uint)segment.count));
    barrier(CLK_LOCAL_MEM_FENCE);
    uint many = fitting, is_short = SHORT_LISTS && (is_piece || lanes_of_longest <= 1);
    // Offsets that decrease could make the same elements many lanes.
#if SHORT_LISTS
    for (uint once = is_short; once < 1; once++)
#endif
    {
      starts[item + 1] = fits ? clred_lanes_of((uint)segment.count) : 0;
      clred_make_list(list);
      if (starts[item + 1] > LIST)
        atomic_min(&fitting, item);
      barrier(CLK_LOCAL_MEM_FENCE);
      many = fitting;
    }
    if (item < many && !is_short)
      runs[item] = (struct clred_run){segment.begin, segment.count, 0, (uint)segment.count};
    uint reach = clred_reach(all, first + many, begin), lanes = is_short || many == 0 ? 0 : starts[many];
    barrier(CLK_LOCAL_MEM_FENCE);
    taken = is_piece ? 0 : max(many, 1u);
    next = clred_look_up(all, own, first + taken);
#if SHORT_LISTS
    if (item >= many)
      segment.count = 0;
    clred_scan_short(in, results, segment, begin, is_short ? reach : 0, call_start, stage, staged);
#endif

    // The piece, or a segment that has no room in a list.
    struct clred_long some = piece;
    if (!is_piece) {
      some = (struct clred_long){{0, 0}, 0, 0, call_start, none};
      if (many == 0)
        some.segment = clred_segment_within(clred_segment(all, first), first, chunk, span);
      some.present = min(some.segment.count, span);
      some.after.is_there = some.segment.count > span;
      if (some.after.is_there)
        some.after.state = partials[BEFORE_PIECE(chunk + 1)];
    }
    clred_scan_lists(in, results, some, lanes, max(lanes_of_longest, 1u), begin, reach, list);
    is_piece = 0;
  }
  if (item == 0)
    clred_check_cuts(all, CUTS, chunk, work, OUTCOME_NOW);
}
#endif
