// scan_segments_wide: scans rows of different lengths on GPU-like devices, each row in the order fixed/1. A work-group
// processes a chunk of `span` places (segments.clh). It takes as many short segments at a time as a list of lanes has
// room for (list.clh). Segments longer than `span` are cut into pieces. After the launch that finds where chunks begin,
// NAME_elements folds the pieces, NAME_states computes the prefix of each piece, and NAME_apply scans.
//   work     the number of chunks of the call
//   target   the place in scratch of four states for each chunk (PIECE_NODE, segments.clh)

#include "segments/segments.clh"
#include "segments/long.clh"
#include "segments/short.clh"
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define JOINS clred_scan_segments_wide
#define JOINS_BY_GROUPS 1
#include "segments/join.clh"
#elif !APPLIES
ENTRY(clred_scan_segments_wide)(ARGUMENTS)
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
  // The node of a segment's last piece is needed only if the piece is whole, for the prefix after it.
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
// Segment number `first` + the work-item's number; empty after the chunk's end.
struct clred_segment clred_look_up(struct clred_segments all, struct clred_chunk own, ulong first)
{
  struct clred_segment none = {0, 0};
  ulong s = first + get_local_id(0);
  return s < own.end ? clred_segment(all, s) : none;
}

// The number of elements between `begin` and the begin of segment s, at most as many as a list has room for; 0 if the
// offset is wrong.
uint clred_reach(struct clred_segments all, ulong s, ulong begin)
{
  ulong end = (ulong)all.offsets[s];
  return begin <= end && end <= all.count ? (uint)min(end - begin, (ulong)CHUNK_ELEMENTS) : 0;
}

ENTRY(clred_scan_segments_wide)(ARGUMENTS)
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
  struct clred_prefix call_start = START_NOW, x = call_start, none = call_start;
  __global RESULT *results = out + out_index;
  __global const STATE *partials = scratch + target;
  ulong chunk = get_group_id(0);
  uint item = get_local_id(0);
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  none.has_value = 0;

  // Scans this chunk's piece of a segment that began in an earlier chunk.
  struct clred_prefix after = none;
  if (own.present) {
    bool ends = own.first + own.present == own.segment.count;
    x.has_value = 1;
    x.state = partials[BEFORE_PIECE(chunk)];
    after.has_value = own.present == span;
    if (after.has_value)
      after.state = partials[ends ? AFTER_LAST(chunk) : BEFORE_PIECE(chunk + 1)];
  }
  clred_scan_long(in, results, own.segment, own.first, own.present, x, after, list);

  // Each iteration scans as many segments as a list has room for, at most one for each work-item. Meanwhile it loads
  // the offsets of the next segments.
  uint taken = 1;
  struct clred_segment next = clred_look_up(all, own, own.begin);
  for (ulong first = own.begin; first < own.end; first += taken) {
    ulong begin = (ulong)all.offsets[first];
    struct clred_segment segment = next;
    if (item == 0) {
      fitting = (uint)min(own.end - first, (ulong)GROUP_SIZE);
      lanes_of_longest = 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + item < own.end)
      clred_checked_segment(all, first + item, OUTCOME_NOW);
    bool fits = segment.count == 0 ||
                (segment.begin >= begin && segment.count <= CHUNK_ELEMENTS &&
                 segment.begin - begin <= CHUNK_ELEMENTS - segment.count);
    if (!fits)
      atomic_min(&fitting, item);
    else if (segment.count > ROWS)
      atomic_max(&lanes_of_longest, clred_lanes_of((uint)segment.count));
    barrier(CLK_LOCAL_MEM_FENCE);
    uint many = fitting, is_short = SHORT_LISTS && lanes_of_longest <= 1;
    // If offsets decrease, segments overlap, and could have more lanes than a list has room for.
    for (uint once = is_short; once < 1; once++) {
      starts[item + 1] = fits ? clred_lanes_of((uint)segment.count) : 0;
      clred_make_list(list);
      if (starts[item + 1] > LIST)
        atomic_min(&fitting, item);
      barrier(CLK_LOCAL_MEM_FENCE);
      many = fitting;
    }
    if (item < many && !is_short)
      runs[item] = (struct clred_run){segment.begin, segment.count, 0, (uint)segment.count};
    uint reach = clred_reach(all, first + many, begin);
    barrier(CLK_LOCAL_MEM_FENCE);
    next = clred_look_up(all, own, first + max(many, 1u));
#if SHORT_LISTS
    if (item >= many)
      segment.count = 0;
    clred_scan_short(in, results, segment, begin, is_short ? reach : 0, call_start, stage, staged);
#endif
    uint lanes = is_short ? 0 : starts[many];
    clred_fold_list_lanes(in, list, lanes);
    clred_sweep_list(list, lanes, is_short ? 0 : max(lanes_of_longest, 1u));
    clred_put_list(in, results, list, lanes, begin, is_short ? 0 : reach, call_start, none);

    // Scans a segment that does not fit in a list.
    struct clred_segment lone = {0, 0};
    if (many == 0)
      lone = clred_segment_within(clred_segment(all, first), first, chunk, span);
    after = none;
    if (lone.count > span) {
      after.has_value = 1;
      after.state = partials[BEFORE_PIECE(chunk + 1)];
    }
    clred_scan_long(in, results, lone, 0, min(lone.count, span), call_start, after, list);
    taken = max(many, 1u);
  }
  if (item == 0)
    clred_check_cuts(all, CUTS, chunk, work, OUTCOME_NOW);
}
#endif
