// scan_segments_chunked: scans rows of different lengths on CPU-like devices, each row in the order fixed/1. A
// work-item processes a chunk of `span` places (segments/segments.clh), segment after segment. Segments longer than
// `span` are cut into pieces. After the launch that finds where chunks begin, NAME_elements folds the pieces,
// NAME_states computes the prefix of each piece, and NAME_apply scans.
//   work     the number of chunks of the call
//   target   the place in scratch of four states for each chunk (PIECE_NODE, segments.clh)

#include "scan/run.clh"
#include "segments/segments.clh"
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define JOINS clred_scan_segments_chunked
#define JOINS_BY_GROUPS 0
#include "segments/join.clh"
#elif !APPLIES
ENTRY(clred_scan_segments_chunked)(ARGUMENTS)
{
  ONE_ITEM
  struct clred_segments all = SEGMENTS_NOW(count);
  struct clred_in in = INPUT_NOW;
  __global STATE *partials = scratch + target;
  ulong chunk = get_group_id(0);
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  struct clred_segment last = {0, 0};
  // The node of a segment's last piece is needed only if the piece is whole, for the prefix after it.
  if (own.present == span)
    partials[PIECE_NODE(chunk, 0) - 1] =
      clred_lanes_node(clred_segment_in(in, own.segment), own.segment.count, own.first, span / ROWS);
  if (own.end > own.begin)
    last = clred_segment_within(clred_segment(all, own.end - 1), own.end - 1, chunk, span);
  PIECES[chunk] = last.count > span ? (last.count + span - 1) / span : 0;
  if (last.count > span)
    partials[PIECE_NODE(chunk, 0)] = clred_lanes_node(clred_segment_in(in, last), last.count, 0, span / ROWS);
}
#else
// Scans positions first to first + present of one segment. x is the prefix of the first position. `after` is the prefix
// after the last one; only used with `is_whole`.
void clred_scan_piece(struct clred_in in, __global RESULT *results, struct clred_segment segment, ulong first,
                      ulong present, bool is_whole, struct clred_prefix x, STATE after)
{
  struct clred_out to = {results + segment.begin, 1, segment.count};
  clred_run_put(clred_segment_in(in, segment), to, first, present, is_whole, x, after);
}

ENTRY(clred_scan_segments_chunked)(ARGUMENTS)
{
  ONE_ITEM
  struct clred_segments all = SEGMENTS_NOW(count);
  struct clred_in in = INPUT_NOW;
  struct clred_prefix call_start = START_NOW, x = call_start;
  __global RESULT *results = out + out_index;
  __global const STATE *partials = scratch + target;
  ulong chunk = get_group_id(0);
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  // Initialized, because arguments of functions must be defined, even if they are not used.
  STATE after = clred_identity();
  if (own.present) {
    bool ends = own.first + own.present == own.segment.count;
    x.has_value = 1;
    x.state = partials[BEFORE_PIECE(chunk)];
    if (own.present == span)
      after = partials[ends ? AFTER_LAST(chunk) : BEFORE_PIECE(chunk + 1)];
    clred_scan_piece(in, results, own.segment, own.first, own.present, own.present == span, x, after);
  }
  for (ulong s = own.begin; s < own.end; s++) {
    struct clred_segment segment = clred_segment_within(clred_checked_segment(all, s, OUTCOME_NOW), s, chunk, span);
    bool is_cut = segment.count > span;
    if (is_cut)
      after = partials[BEFORE_PIECE(chunk + 1)];
    if (segment.count)
      clred_scan_piece(in, results, segment, 0, min(segment.count, span), is_cut, call_start, after);
  }
  clred_check_cuts(all, CUTS, chunk, work, OUTCOME_NOW);
}
#endif
