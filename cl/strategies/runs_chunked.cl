// runs_chunked: runs of equal keys, and of elements from one head flag to the next, on CPU-like devices. Each run is
// reduced in the order fixed/1. A work-item takes a tile of `span` elements. It finds the heads in the tile, publishes
// how many there are, looks back for the number of heads before the tile (runs/board.clh), and folds the runs that end
// in the tile. By then the cache has the tile's keys, so memory is read once.
//   ticket   gives tiles to groups in the order in which they begin
// Runs longer than PIECE elements are cut: NAME_apply folds their pieces, NAME_states joins these (runs/pieces.clh).

#include "group/vector_tiles.clh"
#include "runs/board.clh"
#include "runs/pieces.clh"
#include "runs/some.clh"
#include "words/kernel.clh"

#if SOURCE_IS_STATES
ENTRY(clred_runs_chunked)(ARGUMENTS)
{
  __global const STATE *partials = scratch + target;
  STATE stack[PAIRS_DEPTH];
  for (uint i = get_group_id(0); i < ticket[2]; i += get_num_groups(0)) {
    struct clred_piece piece = LISTED[i];
    uint depth = 0;
    for (uint p = 0; piece.number == 0 && p < piece.pieces; p++)
      depth = clred_pairs_push(stack, depth, p, partials[i + p]);
    if (depth > 0)
      out[out_index + piece.run] = clred_lower(clred_pairs_root(stack, depth));
  }
  if (get_group_id(0) == 0)
    ticket[1] = 0;
}
#elif APPLIES
ENTRY(clred_runs_chunked)(ARGUMENTS)
{
  for (uint i = get_group_id(0); i < ticket[1]; i += get_num_groups(0)) {
    struct clred_piece piece = LISTED[i];
    ulong tiles = clred_piece_size(piece.count) / TILE;
    scratch[target + i] = clred_row_elements(INPUT_NOW, piece.begin, piece.count, piece.number * tiles, tiles);
  }
  if (get_group_id(0) == 0)
    ticket[2] = ticket[1];
}
#else

// ---------------------------------------------------------------- Heads

#define WORD 64

#if KEYED
#define MARKS_16(pointer) vload16(0, pointer)
#define ARE_HEADS(at) (MARKS_16(at) != MARKS_16((at)-1))
#else
#define ARE_HEADS(at) (vload16(0, at) != (uchar16)0)
#endif

// Bit i is set if element `at` + i begins a run, for 16 elements. `at` is above 0.
INLINE uint clred_head_bits(MARKS marks, ulong at)
{
  const ushort16 place = (ushort16)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768);
  ushort16 bits = as_ushort16(convert_short16(ARE_HEADS(marks + at))) & place;
  ushort8 eight = bits.lo | bits.hi;
  ushort4 four = eight.lo | eight.hi;
  ushort2 two = four.lo | four.hi;
  return two.lo | two.hi;
}

// Writes the heads among elements `begin` to `end` as bits. Returns how many there are, and the place of the last one
// in the tile, plus 1.
struct clred_heads clred_find_heads(MARKS marks, ulong begin, ulong end, ulong *words)
{
  struct clred_heads heads = {0, 0};
  for (ulong at = begin; at < end; at += WORD) {
    ulong word = 0;
    if (at > 0 && at + WORD <= end)
      for (uint i = 0; i < WORD; i += 16)
        word |= (ulong)clred_head_bits(marks, at + i) << i;
    else
      for (uint i = 0; i < WORD && at + i < end; i++)
        word |= (ulong)IS_HEAD(marks, at + i) << i;
    words[(at - begin) / WORD] = word;
    heads.number += (uint)popcount(word);
    if (word)
      heads.last = (uint)(at - begin) + WORD - (uint)clz(word);
  }
  return heads;
}

// The heads of the launch before this tile. `own` are those of the tile.
struct clred_heads clred_heads_before(struct clred_board board, uint tile, bool is_whole, struct clred_heads own)
{
  struct clred_heads all = {0, 0}, node = own;
  bool completes = is_whole;
  for (uint level = 0; level < LEVELS; level++) {
    uint index = tile >> FAN_LOG2 * level, digit = index & (FAN - 1);
    struct clred_heads before = {0, 0};
    for (uint place = 0; place < digit; place++)
      before = clred_all_heads(before, clred_await_heads(board, level, index - digit + place));
    all = clred_all_heads(all, before);
    node = clred_all_heads(node, before);
    completes = completes && digit == FAN - 1;
    if (completes && level + 1 < LEVELS && clred_may_publish(tile))
      clred_publish_heads(board, level + 1, index >> FAN_LOG2, node);
  }
  return all;
}

// ---------------------------------------------------------------- Runs

// Where the results of the call go, and what is needed to fold its runs.
struct clred_runs {
  struct clred_in in;
  ulong count;
  __global RESULT *results;
  volatile __global uint *ticket;
  __global struct clred_piece *listed;
};

// Lists the pieces of a long run.
void clred_list_pieces(struct clred_runs runs, ulong begin, ulong count, ulong run)
{
  ulong size = clred_piece_size(count);
  uint pieces = (uint)((count + size - 1) / size), first = atomic_add(runs.ticket + 1, pieces);
  for (uint i = 0; i < pieces; i++)
    runs.listed[first + i] = (struct clred_piece){begin, count, run, i, pieces};
}

// Reduces the run of `count` elements from element `begin` on.
INLINE void clred_reduce_run(struct clred_runs runs, ulong begin, ulong count, ulong run)
{
  struct clred_in in = runs.in;
  in.origin = begin;
#if VECTOR > 1 && !IN_ORDER && LANES_FORM != LANES_ARRAY
  if (count <= VECTOR && begin + VECTOR <= runs.count) {
    FULL_LANES lanes = MOVED_LANES(LIFT_HELD(HOLD(in, 0), 0, 0, in), 0);
    runs.results[run] = clred_lower(JOIN(clred_some_, VECTOR)(lanes, (uint)count));
    return;
  }
#endif
#if SHORT_ROWS && VECTOR > 1 && !IN_ORDER
  if (count < LANES_A_TILE) {
    runs.results[run] = clred_lower(clred_part_of_row(in, 0, (uint)count));
    return;
  }
#endif
  if (count > PIECE)
    clred_list_pieces(runs, begin, count, run);
  else
    runs.results[run] = clred_lower(clred_row_elements(runs.in, begin, count, 0, PIECE / TILE));
}

ENTRY(clred_runs_chunked)(ARGUMENTS)
{
  ulong words[MOST_TILE / WORD];
#if TICKETS
  uint tile = atomic_inc(ticket);
  if (tile == get_num_groups(0) - 1)
    atomic_xchg(ticket, 0u);
#else
  uint tile = get_group_id(0);
#endif
  ulong launch_first = launch * TILES * span, begin = launch_first + tile * span, end = min(count, begin + span);
  struct clred_board board = {(volatile __global CELL *)scratch, tag, (uint)span, MARKS_NOW, launch_first};
  struct clred_heads own = clred_find_heads(board.marks, begin, end, words);
  bool is_whole = end - begin == span, is_last = end == count;
  if (own.last)
    own.last += (uint)(begin - launch_first);
  if (is_whole && clred_may_publish(tile))
    clred_publish_heads(board, 0, tile, own);
  struct clred_heads before = clred_heads_before(board, tile, is_whole, own), all = clred_all_heads(before, own);
  ulong run = before.number, last = before.last ? launch_first + before.last : 0;
  if (launch > 0) {
    run += CARRIED(launch)[0];
    last = last ? last : CARRIED(launch)[1];
  }
  if (is_last) {
    OUTCOME_NOW[0] = run + own.number;
    OUTCOME_NOW[1] = run + own.number > rows ? rows + 1 : 0;
  } else if (tile == TILES - 1) {
    CARRIED(launch + 1)[0] = run + own.number;
    CARRIED(launch + 1)[1] = all.last ? launch_first + all.last : last;
  }

  // `run` is the number of runs that have begun, and `last` - 1 the place where the last of them begins.
  struct clred_runs runs = {INPUT_NOW, count, out + out_index, ticket, LISTED};
  for (ulong at = begin; at < end; at += WORD) {
    ulong word = words[(at - begin) / WORD];
    while (word) {
      ulong head = at + WORD - 1 - clz(word & -word);
      word &= word - 1;
      if (run > 0 && run <= rows) {
        WRITE_KEY(run - 1, last - 1)
        clred_reduce_run(runs, last - 1, head - (last - 1), run - 1);
      }
      last = head + 1;
      run++;
    }
  }
  if (is_last && run > 0 && run <= rows) {
    WRITE_KEY(run - 1, last - 1)
    clred_reduce_run(runs, last - 1, count - (last - 1), run - 1);
  }
}
#endif
