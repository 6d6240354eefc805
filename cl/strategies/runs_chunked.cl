// runs_chunked: reductions of runs of equal keys, or of elements from one head flag to the next, on CPU-like devices.
// Each run is reduced in the order fixed/1. A work-item takes a tile of `span` elements. It finds the heads in the
// tile, publishes their number, looks back for the number of heads before the tile (runs/board.clh), and folds the runs
// that end in the tile. The tile's keys are in the cache then, so memory is read once.
//   ticket   gives tiles to groups, in the order in which the groups begin
// Runs longer than PIECE elements are cut into pieces: NAME_apply folds the pieces, NAME_states joins them
// (runs/pieces.clh).

#include "group/short_rows.clh"
#include "runs/chunk.clh"
#include "runs/pieces.clh"
#include "runs/some.clh"
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define JOINS clred_runs_chunked
#define JOINS_BY_GROUPS 0
#include "segments/join.clh"
#elif APPLIES
ENTRY(clred_runs_chunked)(ARGUMENTS)
{
  ONE_ITEM
  for (uint i = get_group_id(0); i < ticket[1]; i += get_num_groups(0)) {
    struct clred_piece piece = LISTED[i];
    ulong tiles = clred_piece_size(piece.count) / TILE;
    scratch[target + i] = clred_row_elements(INPUT_NOW, piece.begin, piece.count, piece.number * tiles, tiles);
  }
  if (get_group_id(0) == 0)
    ticket[2] = ticket[1];
}
#else

// ---------------------------------------------------------------- Runs

// Where the results of the call go, and what is needed to fold its runs.
struct clred_runs {
  struct clred_in in;
  ulong count;
  __global RESULT *results;
  volatile __global uint *ticket;
  __global struct clred_piece *listed;
};

// Reduces the run of `count` elements from element `begin` on.
INLINE void clred_reduce_run(struct clred_runs runs, ulong begin, ulong count, ulong run)
{
  struct clred_in in = runs.in;
  in.origin = begin;
#if VECTOR > 1 && !IN_ORDER && LANES_FORM != LANES_ARRAY && !SHORT_ROW
  if (count <= VECTOR && begin + VECTOR <= runs.count) {
    FULL_LANES lanes = MOVED_LANES(LIFT_HELD(HOLD(in, 0), 0, 0, in), 0);
    runs.results[run] = clred_lower(JOIN(clred_some_, VECTOR)(lanes, (uint)count));
    return;
  }
#endif
#if SHORT_ROWS && VECTOR > 1 && !IN_ORDER
  if (count < LANES_PER_TILE) {
    runs.results[run] = clred_lower(clred_part_of_row(in, 0, (uint)count));
    return;
  }
#endif
  if (count > PIECE)
    clred_list_pieces(runs.ticket, runs.listed, begin, count, run);
  else
    runs.results[run] = clred_lower(clred_row_elements(runs.in, begin, count, 0, PIECE / TILE));
}

#if SHORT_ROW
// A list of short runs. When there are VECTOR runs in it, they are folded side by side.
struct clred_waiting {
  struct clred_short_rows rows;
  ulong run[VECTOR];
  uint number;
};

// Folds the first `number` of the waiting runs; a constant number lets compilers unroll the loops. The other places get
// empty runs at an address that may be read.
INLINE void clred_reduce_waiting(struct clred_runs runs, __private struct clred_waiting *waiting, uint number)
{
  STATE nodes[VECTOR];
  for (uint i = number; i < VECTOR; i++) {
    waiting->rows.begin[i] = waiting->rows.begin[0];
    waiting->rows.count[i] = 0;
  }
  clred_fold_short_rows(runs.in, &waiting->rows, nodes);
  for (uint i = 0; i < number; i++)
    runs.results[waiting->run[i]] = clred_lower(nodes[i]);
  waiting->number = 0;
}

// Reduces a run, or adds it to the waiting runs. Waiting runs are read by whole vectors. So a run may wait only if the
// buffer has at least SHORT_ROW elements from `begin` on.
INLINE void clred_take_run(struct clred_runs runs, __private struct clred_waiting *waiting, ulong begin, ulong count,
                           ulong run)
{
  if (count > SHORT_ROW || begin + SHORT_ROW > runs.count) {
    clred_reduce_run(runs, begin, count, run);
    return;
  }
  waiting->rows.begin[waiting->number] = begin;
  waiting->rows.count[waiting->number] = (uint)count;
  waiting->run[waiting->number++] = run;
  if (waiting->number == VECTOR)
    clred_reduce_waiting(runs, waiting, VECTOR);
}
#else
struct clred_waiting {
  uint number;
};
#define clred_take_run(runs, waiting, begin, count, run) clred_reduce_run(runs, begin, count, run)
#define clred_reduce_waiting(runs, waiting, number)
#endif

ENTRY(clred_runs_chunked)(ARGUMENTS)
{
  ONE_ITEM
  ulong words[MOST_TILE / WORD];
  struct clred_chunk own = clred_find_chunk(CHUNK_NOW, words);
  ulong begin = own.begin, end = own.end, run = own.run, last = own.last;

  // `run` counts the runs that have begun so far; the last of them begins with element `last` - 1.
  struct clred_runs runs = {INPUT_NOW, count, out + out_index, ticket, LISTED};
  struct clred_waiting waiting;
  waiting.number = 0;
  for (ulong at = begin; at < end; at += WORD) {
    ulong word = words[(at - begin) / WORD];
    while (word) {
      ulong head = at + WORD - 1 - clz(word & -word);
      word &= word - 1;
      if (run > 0 && run <= rows) {
        WRITE_KEY(run - 1, last - 1)
        clred_take_run(runs, &waiting, last - 1, head - (last - 1), run - 1);
      }
      last = head + 1;
      run++;
    }
  }
  if (waiting.number)
    clred_reduce_waiting(runs, &waiting, waiting.number);
  if (own.is_last && run > 0 && run <= rows) {
    WRITE_KEY(run - 1, last - 1)
    clred_reduce_run(runs, last - 1, count - (last - 1), run - 1);
  }
}
#endif
