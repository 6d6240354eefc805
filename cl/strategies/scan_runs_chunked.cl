// scan_runs_chunked: scans of runs of equal keys, or of elements from one head flag to the next, on CPU-like devices.
// Each run is scanned in the order fixed/1. A work-item takes a tile of `span` elements. It finds the heads in the
// tile, publishes their number, looks back for the number of heads before the tile (runs/board.clh), and scans the
// elements of the tile. The tile's keys are in the cache then, so memory is read once.
//   ticket   gives tiles to groups, in the order in which the groups begin
// Runs that have more than MOST_BACK elements before a tile are scanned by three more launches (runs/pieces.clh).

#include "runs/chunk.clh"
#include "runs/pieces.clh"
#include "scan/run.clh"
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define JOINS clred_scan_runs_chunked
#define JOINS_BY_GROUPS 0
#include "segments/join.clh"
#elif APPLIES
ENTRY(clred_scan_runs_chunked)(ARGUMENTS)
{
  ONE_ITEM
  __global STATE *partials = scratch + target;
  uint pieces = ticket[span ? 2 : 1];
  for (uint i = get_group_id(0); i < pieces; i += get_num_groups(0)) {
    struct clred_piece piece = LISTED[i];
    ulong size = clred_piece_size(piece.count), from = piece.number * size, present = min(piece.count - from, size);
    struct clred_in in = INPUT_NOW;
    in.origin = piece.begin;
    if (span) {
      struct clred_prefix x = START_NOW;
      STATE after = clred_identity();
      if (piece.number > 0) {
        x.state = partials[BEFORE_PIECE(i)];
        x.has_value = 1;
      }
      if (present == size)
        after = partials[piece.number + 1 < piece.pieces ? BEFORE_PIECE(i + 1) : AFTER_LAST(i)];
      clred_run_put(in, (struct clred_out){out + out_index + piece.begin, 1, piece.count}, from, present,
                    present == size, x, after);
    } else if (present == size) {
      partials[PIECE_NODE(i, 0)] = clred_lanes_node(in, piece.count, from, size / ROWS);
    }
  }
  if (get_group_id(0) == 0 && span == 0)
    ticket[2] = pieces;
}
#else

#define MOST_BACK 1024

// What the tiles of a call share.
struct clred_runs {
  struct clred_in in;
  __global RESULT *results;
  struct clred_prefix start;
};

// Scans one run from its begin, element after element, up to element `end`. Writes only the results from element `from`
// on: the tile before writes the earlier ones, and for a moment writes other values there (clred_scan_short).
void clred_scan_on(struct clred_runs runs, ulong begin, ulong from, ulong end)
{
  STATE stack[RUN_DEPTH], state;
  struct clred_prefix before = runs.start, x;
  struct clred_in in = runs.in;
  uint depth = 0;
  in.origin = begin;
  for (ulong i = 0; begin + i < end; i++) {
    uint row = (uint)(i % ROWS);
    STATE lifted = clred_lift_at(in, i);
#if SCAN == SCAN_EXCLUSIVE
    if (begin + i >= from)
      runs.results[begin + i] = clred_result_of(row ? clred_after(before, state) : before);
#endif
    state = row ? FOLLOWING(state, lifted) : lifted;
    x = clred_after(before, state);
    if (row == ROWS - 1) {
      depth = clred_pairs_push(stack, depth, i / ROWS, state);
      before = runs.start;
      for (uint d = 0; d < depth; d++)
        before = clred_after(before, stack[d]);
      x = before;
    }
#if SCAN == SCAN_INCLUSIVE
    if (begin + i >= from)
      runs.results[begin + i] = clred_result_of(x);
#endif
  }
}

// Scans a run of up to ROWS elements. If the operator works on vectors, its code is short, and a branch that is hard to
// predict costs more. Then ROWS results are written, even if the run is shorter. The results after the run's end must
// lie in the tile; the next runs overwrite them.
#define WRITES_ROWS (LANES_FORM == LANES_VECTOR)
INLINE void clred_scan_short(struct clred_runs runs, ulong begin, uint present)
{
  STATE state;
  struct clred_in in = runs.in;
  __global RESULT *results = runs.results + begin;
  in.origin = begin;
#pragma unroll
  for (uint row = 0; row < (WRITES_ROWS ? ROWS : present); row++) {
    STATE lifted = clred_lift_at(in, row);
#if SCAN == SCAN_EXCLUSIVE
    results[row] = clred_result_of(row ? clred_after(runs.start, state) : runs.start);
#endif
    state = row ? FOLLOWING(state, lifted) : lifted;
#if SCAN == SCAN_INCLUSIVE
    results[row] = clred_result_of(clred_after(runs.start, state));
#endif
  }
}

// Scans the first `present` elements of a run that begins with element `begin`. The tile ends with element `end`.
INLINE void clred_scan_run(struct clred_runs runs, ulong begin, ulong present, ulong end)
{
  if (present <= ROWS && (!WRITES_ROWS || begin + ROWS <= end)) {
    clred_scan_short(runs, begin, (uint)present);
    return;
  }
  struct clred_in in = runs.in;
  STATE unused = clred_identity();
  in.origin = begin;
  clred_run_put(in, (struct clred_out){runs.results + begin, 1, present}, 0, present, false, runs.start, unused);
}

// The first head of the tile from place `from` on, below `places`; `places` if there is none.
ulong clred_next_head(__private const ulong *words, ulong from, ulong places)
{
  for (ulong at = from; at < places; at = (at / WORD + 1) * WORD) {
    ulong word = words[at / WORD] >> at % WORD;
    if (word)
      return min(at + WORD - 1 - clz(word & -word), places);
  }
  return places;
}

// Scans places `from` to `to` of a tile that begins with element `begin`. A run begins with place `from`.
void clred_scan_tile(struct clred_runs runs, __private const ulong *words, ulong begin, ulong from, ulong to)
{
  ulong last = from;
  for (ulong at = from / WORD * WORD; at < to; at += WORD) {
    ulong word = words[at / WORD];
    if (at <= from)
      word = from - at == WORD - 1 ? 0 : word & ~(ulong)0 << (from - at + 1);
    if (to - at < WORD)
      word &= ((ulong)1 << (to - at)) - 1;
    while (word) {
      ulong head = at + WORD - 1 - clz(word & -word);
      word &= word - 1;
      clred_scan_run(runs, begin + last, head - last, begin + to);
      last = head;
    }
  }
  if (last < to)
    clred_scan_run(runs, begin + last, to - last, begin + to);
}

// The number of the tile's elements that are in one of the first `rows` runs of the call.
ulong clred_places_within(struct clred_chunk own, __private const ulong *words, ulong rows)
{
  ulong places = own.end - own.begin, at = 0;
  if (own.run + own.heads <= rows)
    return places;
  if (own.run > rows)
    return 0;
  at = clred_next_head(words, 0, places);
  for (ulong run = own.run; run < rows; run++)
    at = clred_next_head(words, at + 1, places);
  return at;
}

ENTRY(clred_scan_runs_chunked)(ARGUMENTS)
{
  ONE_ITEM
  ulong words[MOST_TILE / WORD];
  struct clred_chunk own = clred_find_chunk(CHUNK_NOW, words);
  struct clred_runs runs = {INPUT_NOW, out + out_index, START_NOW};
  ulong places = clred_places_within(own, words, rows), from = clred_next_head(words, 0, places);
  if (from > 0 && own.begin - (own.last - 1) <= MOST_BACK)
    clred_scan_on(runs, own.last - 1, own.begin, own.begin + from);
  else if (own.begin > 0 && own.run <= rows && own.begin - (own.last - 1) > MOST_BACK && (own.heads || own.is_last)) {
    ulong end = own.begin + clred_next_head(words, 0, own.end - own.begin);
    if (end > own.begin)
      clred_list_pieces(ticket, LISTED, own.last - 1, end - (own.last - 1), own.run - 1);
  }
  clred_scan_tile(runs, words, own.begin, from, places);
}
#endif
