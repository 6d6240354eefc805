// segments_wide: rows of different lengths on GPU-like devices, each row in the order fixed/1. A work-group folds a
// chunk of `span` places (segments/segments.clh). One work-item folds a segment of a few elements, a part of the group
// folds a segment of up to SOME_TILES tiles, and the whole group folds a longer one. Segments longer than `span` are
// cut into pieces, which become partials; NAME_states folds them.
//   work     the number of chunks of the call
//   target   the place of the partials in scratch

#include "group/list_elements.clh"
#include "segments/few.clh"
#include "segments/segments.clh"
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define JOINS clred_segments_wide
#define JOINS_BY_GROUPS 1
#include "segments/join.clh"
#else

// The listed segments that the group folds side by side: places[] has their numbers, counted from `first`.
struct clred_listed {
  struct clred_segments all;
  ulong first;
  __local const uint *places;
};

struct clred_segment clred_listed_segment(struct clred_listed listed, uint unit)
{
  return clred_segment(listed.all, listed.first + listed.places[unit]);
}

ulong clred_listed_row(struct clred_listed listed, uint unit)
{
  return listed.first + listed.places[unit];
}

#include "segments/beside.clh"

// ---------------------------------------------------------------- The kernel

// Segment number `first` + the work-item's number; empty after the chunk's end.
struct clred_segment clred_next_segment(struct clred_segments all, struct clred_chunk own, ulong first,
                                        volatile __global ulong *here)
{
  struct clred_segment none = {0, 0};
  ulong s = first + get_local_id(0);
  return s < own.end ? clred_checked_segment(all, s, here) : none;
}

ENTRY(clred_segments_wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM];
  __local STATE stack[STACK];
  __local uint short_ones[GROUP_SIZE], longer_ones[GROUP_SIZE], long_ones[GROUP_SIZE], lengths[3];
#if COLUMNS <= NODES || MORE_PLACES <= NODES
  __local uint nodes_of[UNITS + 1];
#endif
#if STAGED_ELEMENTS
  __local ELEMENT stage[STAGE_SIZE];
#endif
  DIVIDE_HERE
  struct clred_segments all = SEGMENTS_NOW(count);
  struct clred_in in = INPUT_NOW;
  __global RESULT *results = out + out_index;
  __global STATE *partials = scratch + target;
  ulong chunk = get_group_id(0), left = 0;
  uint item = get_local_id(0);
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  struct clred_segment segment = clred_next_segment(all, own, own.begin, OUTCOME_NOW);

  // Folds this chunk's piece of a segment that began in an earlier chunk.
  STATE state = clred_fold_list_elements(
    clred_segment_in(in, own.segment), own.segment.count, own.first / TILE * COLUMNS,
    own.present ? clred_node_count_elements(own.segment.count, own.first / TILE, span / TILE) : 0, nodes, stack);
  state = clred_found_elements(clred_segment_in(in, own.segment), own.segment.count, state);
  if (item == 0 && own.present)
    partials[PIECE_NODE(chunk, 0) - 1] = state;

  // Each iteration folds as many segments as there are work-items. Meanwhile it loads the offsets of the next ones.
  for (ulong first = own.begin; first < own.end; first += GROUP_SIZE) {
    struct clred_segment mine = segment;
    segment = clred_next_segment(all, own, first + GROUP_SIZE, OUTCOME_NOW);
#if STAGED_ELEMENTS
    ulong begin = (ulong)all.offsets[first], end = (ulong)all.offsets[min(first + GROUP_SIZE, own.end)];
    uint staged = begin <= end && end <= all.count && end - begin <= STAGED_ELEMENTS ? (uint)(end - begin) : 0;
    clred_stage(in, begin, staged, stage);
#endif
    for (uint i = item; i < 3; i += GROUP_SIZE)
      lengths[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + item < own.end) {
      WRITE_KEY(first + item, mine.begin)
      if (mine.count == 0)
        results[first + item] = clred_empty_result();
#if STAGED_ELEMENTS
      else if (mine.count <= SHORTEST_SEGMENT && staged && mine.begin >= begin && mine.begin + mine.count <= end)
        results[first + item] =
          clred_lower(clred_shortest_staged(in, stage, (uint)(mine.begin - begin), (uint)mine.count));
#endif
      else if (mine.count <= SHORTEST_SEGMENT)
        results[first + item] = clred_lower(clred_shortest(clred_segment_in(in, mine), (uint)mine.count));
      else if (mine.count <= SHORT_SEGMENT)
        short_ones[atomic_inc(&lengths[0])] = item;
      else if (mine.count <= LONGER_SEGMENT)
        longer_ones[atomic_inc(&lengths[1])] = item;
      else
        long_ones[atomic_inc(&lengths[2])] = item;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
#if COLUMNS <= NODES
    for (uint i = 0; i < lengths[0]; i += UNITS)
      clred_fold_beside(in, (struct clred_listed){all, first, short_ones + i}, min((uint)UNITS, lengths[0] - i),
                        31 - clz((uint)COLUMNS), nodes, nodes_of, results);
#endif
#if MORE_PLACES <= NODES
    for (uint i = 0; i < lengths[1]; i += NODES / MORE_PLACES)
      clred_fold_beside(in, (struct clred_listed){all, first, longer_ones + i},
                        min((uint)(NODES / MORE_PLACES), lengths[1] - i), 31 - clz((uint)MORE_PLACES), nodes, nodes_of,
                        results);
#endif
    for (uint i = 0; i < lengths[2]; i++) {
      ulong s = first + long_ones[i];
      struct clred_segment longer = clred_segment_within(clred_segment(all, s), s, chunk, span);
      state = clred_fold_list_elements(clred_segment_in(in, longer), longer.count, 0,
                                       clred_node_count_elements(longer.count, 0, span / TILE), nodes, stack);
      state = clred_found_elements(clred_segment_in(in, longer), longer.count, state);
      if (item == 0 && longer.count <= span)
        results[s] = clred_lower(state);
      else if (item == 0)
        partials[PIECE_NODE(chunk, 0)] = state;
      // Only the last segment of a chunk can have pieces in other chunks.
      if (longer.count > span)
        left = (longer.count + span - 1) / span;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (item == 0) {
    PIECES[chunk] = left;
    clred_check_cuts(all, CUTS, chunk, work, OUTCOME_NOW);
  }
}
#endif
