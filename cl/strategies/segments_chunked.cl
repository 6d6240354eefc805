// segments_chunked: rows of different lengths on CPU-like devices, each row in the order fixed/1. A work-item folds a
// chunk of `span` places (segments/segments.clh), segment after segment, with explicit vectors. Segments longer than
// `span` are cut into pieces, which become partials; NAME_states folds them.
//   work     the number of chunks of the call
//   target   the place of the partials in scratch

#if HAS_BINS
#include "exact/rows.clh"
#else
#include "group/vector_tiles.clh"
#endif
#include "segments/segments.clh"
#include "words/kernel.clh"

#if SOURCE_IS_STATES
ENTRY(clred_segments_chunked)(ARGUMENTS)
{
  __global const STATE *partials = scratch + target;
  STATE stack[PAIRS_DEPTH];
  for (ulong chunk = get_group_id(0); chunk < work; chunk += get_num_groups(0)) {
    uint depth = 0;
    for (ulong i = 0; i < PIECES[chunk]; i++)
      depth = clred_pairs_push(stack, depth, i, partials[PIECE_NODE(chunk, i)]);
    if (depth > 0)
      out[out_index + CUTS[chunk + 1] - 1] = clred_lower(clred_pairs_root(stack, depth));
  }
}
#else
#define ELEMENTS_A_LINE (ELEMENT_SIZE < 64 ? 64 / ELEMENT_SIZE : 1)
#if PREFETCHES
// Prefetches a page ahead of element `at`: the processor's own prefetch ends with the page.
#define FORESEE(in, at) __builtin_prefetch((const __private void *)((size_t)((in).elements + (at)) + 4096), 0, 3)
#else
#define FORESEE(in, at)
#endif

ENTRY(clred_segments_chunked)(ARGUMENTS)
{
  struct clred_segments all = SEGMENTS_NOW(count);
  struct clred_in in = INPUT_NOW;
  __global RESULT *results = out + out_index;
  __global STATE *partials = scratch + target;
  ulong chunk = get_group_id(0), left = 0;
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  if (own.present)
    partials[PIECE_NODE(chunk, 0) - 1] =
      clred_row_elements(in, own.segment.begin, own.segment.count, own.first / TILE, span / TILE);
  ulong end = own.begin < own.end ? (ulong)all.offsets[own.begin] : 0;
  for (ulong s = own.begin; s < own.end; s++) {
    ulong begin = end;
    end = (ulong)all.offsets[s + 1];
    struct clred_segment segment = clred_segment_within(clred_checked(all, s, begin, end, OUTCOME_NOW), s, chunk, span);
    WRITE_KEY(s, segment.begin)
    if (segment.count == 0) {
      results[s] = clred_empty_result();
#if SHORT_ROWS && VECTOR > 1 && !IN_ORDER
    } else if (segment.count < LANES_A_TILE) {
      in.origin = segment.begin;
      FORESEE(in, in.origin);
      results[s] = clred_lower(clred_part_of_row(in, 0, (uint)segment.count));
#endif
    } else if (segment.count <= TILE) {
      in.origin = segment.begin;
      for (ulong at = begin; at < end && segment.count < TILE; at += ELEMENTS_A_LINE)
        FORESEE(in, at);
      results[s] = clred_lower(clred_tile(in, 0, segment.count));
    } else {
      STATE state = clred_row_elements(in, segment.begin, segment.count, 0, span / TILE);
      if (segment.count <= span) {
        results[s] = clred_lower(state);
      } else {
        partials[PIECE_NODE(chunk, 0)] = state;
        left = (segment.count + span - 1) / span;
      }
    }
  }
  PIECES[chunk] = left;
  clred_check_cuts(all, CUTS, chunk, work, OUTCOME_NOW);
}
#endif
