// segments_chunked: rows of different lengths on CPU-like devices, each row in the order fixed/1. A work-item folds a
// chunk of `span` places (segments/segments.clh) with explicit vectors: VECTOR short segments side by side, and longer
// segments one by one. Segments longer than `span` are cut into pieces, which become partials; NAME_states folds them.
//   HAS_BINS   1: the order exact adds elements in bins (exact/rows.clh), not by vectors
//   work     the number of chunks of the call
//   target   the place of the partials in scratch

#include "group/short_rows.clh"
#include "segments/segments.clh"
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define JOINS clred_segments_chunked
#define JOINS_BY_GROUPS 0
#include "segments/join.clh"
#else
#if SHORT_ROW
#define BLOCK VECTOR
#define OFFSETS JOIN(ulong, VECTOR)
#define READ_OFFSETS(offsets) JOIN(convert_ulong, VECTOR)(JOIN(vload, VECTOR)(0, offsets))

// Copies the begins and counts of the VECTOR segments from segment s on to `rows`. Segments that are not short get the
// count 0. Returns the number of short segments.
INLINE uint clred_list_short(struct clred_segments all, ulong s, __private struct clred_short_rows *rows)
{
  OFFSETS begin = READ_OFFSETS(all.offsets + s), count = READ_OFFSETS(all.offsets + s + 1) - begin;
  OFFSETS is_short = JOIN(as_ulong, VECTOR)((count <= SHORT_ROW) & (begin <= all.count - SHORT_ROW));
  ulong flags[VECTOR];
  JOIN(vstore, VECTOR)(begin & is_short, 0, rows->begin);
  JOIN(vstore, VECTOR)(JOIN(convert_uint, VECTOR)(count & is_short), 0, rows->count);
  JOIN(vstore, VECTOR)(is_short, 0, flags);
  uint found = 0;
#pragma unroll
  for (uint i = 0; i < VECTOR; i++)
    found += flags[i] != 0;
  return found;
}
#else
#define BLOCK 1
#endif

// Folds one segment and writes its result. If the segment is longer than `span`, writes the node of its first piece
// instead, and returns its number of pieces; otherwise returns 0.
INLINE ulong clred_fold_alone(struct clred_in in, struct clred_segment segment, ulong span, __global RESULT *result,
                              __global STATE *first_piece)
{
  struct clred_in row = clred_segment_in(in, segment);
  if (segment.count == 0) {
    *result = clred_empty_result();
#if SHORT_ROWS && VECTOR > 1 && !IN_ORDER
  } else if (segment.count < LANES_PER_TILE) {  // a loop that prefetches would cost a tenth of the time
    PREFETCH(in.elements + segment.begin);
    *result = clred_lower(clred_part_of_row(row, 0, (uint)segment.count));
#endif
  } else if (segment.count <= TILE) {
    for (ulong at = 0; at < segment.count && segment.count < TILE; at += ELEMENTS_PER_LINE)
      PREFETCH(in.elements + segment.begin + at);
    *result = clred_lower(clred_tile(row, 0, segment.count));
  } else {
    STATE state = clred_row_elements(in, segment.begin, segment.count, 0, span / TILE);
    if (segment.count > span) {
      *first_piece = state;
      return (segment.count + span - 1) / span;
    }
    *result = clred_lower(state);
  }
  return 0;
}

ENTRY(clred_segments_chunked)(ARGUMENTS)
{
  ONE_ITEM
  struct clred_segments all = SEGMENTS_NOW(count);
  struct clred_in in = INPUT_NOW;
  in.end = count;
  __global RESULT *results = out + out_index;
  __global STATE *partials = scratch + target;
  ulong chunk = get_group_id(0), left = 0;
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  if (own.present)
    partials[PIECE_NODE(chunk, 0) - 1] =
      clred_row_elements(in, own.segment.begin, own.segment.count, own.first / TILE, span / TILE);
  for (ulong first_of_block = own.begin; first_of_block < own.end; first_of_block += BLOCK) {
    ulong end_of_block = min(first_of_block + BLOCK, own.end);
#if SHORT_ROW
    struct clred_short_rows block;
    STATE nodes[VECTOR];
    bool is_whole = end_of_block - first_of_block == VECTOR && all.count >= SHORT_ROW;
    uint found = is_whole ? clred_list_short(all, first_of_block, &block) : 0;
    if (found)
      clred_fold_short_rows(in, &block, nodes);
    if (found == VECTOR) {
      RESULT empty = clred_empty_result();
      for (uint i = 0; i < VECTOR; i++) {
        WRITE_KEY(first_of_block + i, block.begin[i])
        results[first_of_block + i] = block.count[i] ? clred_lower(nodes[i]) : empty;
      }
      continue;
    }
#endif
    for (ulong s = first_of_block; s < end_of_block; s++) {
      struct clred_segment segment = clred_segment_within(clred_checked_segment(all, s, OUTCOME_NOW), s, chunk, span);
      WRITE_KEY(s, segment.begin)
#if SHORT_ROW
      if (found && block.count[s - first_of_block]) {
        results[s] = clred_lower(nodes[s - first_of_block]);
        continue;
      }
#endif
      ulong pieces = clred_fold_alone(in, segment, span, results + s, partials + PIECE_NODE(chunk, 0));
      left = pieces ? pieces : left;
    }
  }
  PIECES[chunk] = left;
  clred_check_cuts(all, CUTS, chunk, work, OUTCOME_NOW);
}
#endif
