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
// Computes the prefixes of the pieces of one segment. counter[b] is the node of binary digit b of the number of pieces
// so far.
void clred_before_pieces(__global STATE *partials, ulong chunk, ulong pieces, ulong whole, struct clred_prefix start)
{
  STATE counter[RUN_DEPTH];
  for (ulong i = 0; i < whole; i++) {
    STATE own = partials[PIECE_NODE(chunk, i)];
    uint bit = 0;
    for (; i >> bit & 1; bit++)
      own = FOLLOWING(counter[bit], own);
    counter[bit] = own;
    struct clred_prefix x = start;
    for (uint b = RUN_DEPTH; b-- > 0;)
      if ((i + 1) >> b & 1)
        x = clred_after(x, counter[b]);
    partials[i + 1 < pieces ? BEFORE_PIECE(chunk + i + 1) : AFTER_LAST(chunk + i)] = x.state;
  }
}

ENTRY(clred_scan_segments_chunked)(ARGUMENTS)
{
  ONE_ITEM
  struct clred_segments all = SEGMENTS_NOW(count);
  struct clred_prefix call_start = START_NOW;
  for (ulong chunk = get_group_id(0); chunk < work; chunk += get_num_groups(0))
    if (PIECES[chunk])
      clred_before_pieces(scratch + target, chunk, PIECES[chunk], clred_segment(all, CUTS[chunk + 1] - 1).count / span,
                          call_start);
}
#elif !APPLIES
// Folds a whole piece.
STATE clred_fold_piece(struct clred_in in, struct clred_segment segment, ulong first, ulong present)
{
  STATE stack[RUN_DEPTH];
  uint depth = 0;
  struct clred_in own = clred_segment_in(in, segment);
  for (ulong lane = 0; lane < present / ROWS; lane++)
    depth = clred_pairs_push(stack, depth, lane, clred_scan_lane(own, segment.count, first + lane * ROWS, ROWS));
  return clred_pairs_root(stack, depth);
}

ENTRY(clred_scan_segments_chunked)(ARGUMENTS)
{
  ONE_ITEM
  struct clred_segments all = SEGMENTS_NOW(count);
  __global STATE *partials = scratch + target;
  ulong chunk = get_group_id(0);
  struct clred_chunk own = clred_chunk(all, CUTS, chunk, span);
  struct clred_segment last = {0, 0};
  // The node of a segment's last piece is needed only if the piece is whole, for the prefix after it.
  if (own.present == span)
    partials[PIECE_NODE(chunk, 0) - 1] = clred_fold_piece(INPUT_NOW, own.segment, own.first, span);
  if (own.end > own.begin)
    last = clred_segment_within(clred_segment(all, own.end - 1), own.end - 1, chunk, span);
  PIECES[chunk] = last.count > span ? (last.count + span - 1) / span : 0;
  if (last.count > span)
    partials[PIECE_NODE(chunk, 0)] = clred_fold_piece(INPUT_NOW, last, 0, span);
}
#else
// Scans positions first to first + present of one segment. x is their prefix. `after` is the prefix after them, used
// if `is_whole`.
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
  // Initialized even if unused: a value that is passed to a function must be defined.
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
