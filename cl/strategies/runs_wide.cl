// runs_wide: reductions of runs of equal keys, or of elements from one head flag to the next, on GPU-like devices. Each
// run is reduced in the order fixed/1. A work-group takes a tile of MOST_TILE elements, reads its keys and elements
// once, finds the heads (runs/tile.clh) and publishes their number. Then its first FAN work-items look back for the
// number of heads before the tile (runs/board.clh). Meanwhile each of the other work-items folds runs of a few
// elements. Their results stay in local memory until the look-back has given the number of the first one. A run of up
// to a tile of fixed/1 is folded by a part of the group. Longer runs are listed (runs/pieces.clh): NAME_apply folds
// their pieces, NAME_states joins these.
//   KEPT_RUNS   the number of results that local memory has room for
//   ticket      gives tiles to groups, in the order in which the groups begin

#include "group/list_elements.clh"
#include "runs/board.clh"
#include "runs/pieces.clh"
#include "segments/few.clh"
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define JOINS clred_runs_wide
#define JOINS_BY_GROUPS 1
#include "segments/join.clh"
#elif APPLIES
ENTRY(clred_runs_wide)(ARGUMENTS)
{
  __local STATE nodes[NODE_ROOM];
  __local STATE stack[STACK];
  uint pieces = ticket[1];
  for (uint i = get_group_id(0); i < pieces; i += get_num_groups(0)) {
    struct clred_piece piece = LISTED[i];
    struct clred_in in = INPUT_NOW;
    in.origin = piece.begin;
    ulong tiles = clred_piece_size(piece.count) / TILE, begin = piece.number * tiles;
    STATE state = clred_fold_list_elements(in, piece.count, begin * COLUMNS,
                                           clred_node_count_elements(piece.count, begin, tiles), nodes, stack);
    state = clred_found_elements(in, piece.count, state);
    if (get_local_id(0) == 0 && piece.pieces == 1)
      out[out_index + piece.run] = clred_lower(state);
    else if (get_local_id(0) == 0)
      scratch[target + i] = state;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_global_id(0) == 0)
    ticket[2] = pieces;
}
#else
#include "runs/tile.clh"

// The listed runs that the group folds side by side: places[] has their numbers in the tile.
struct clred_listed {
  struct clred_tile tile;
  __local const ushort *places;
};

struct clred_segment clred_listed_segment(struct clred_listed listed, uint unit)
{
  return clred_run_of(listed.tile, listed.places[unit]);
}

ulong clred_listed_row(struct clred_listed listed, uint unit)
{
  return listed.tile.before + listed.places[unit] - 1;
}

#include "segments/beside.clh"

// One work-item folds a run of a few elements. The first one is `at` places after tile.staged_first.
RESULT clred_few(struct clred_in in, struct clred_tile tile, uint at, uint length)
{
#if STAGED_ELEMENTS
  return clred_lower(clred_shortest_staged(in, tile.stage, at, length));
#else
  struct clred_segment segment = {tile.staged_first + at, length};
  return clred_lower(clred_shortest(clred_segment_in(in, segment), length));
#endif
}

// Runs of the tile that have more than SHORTEST_SEGMENT elements.
struct clred_longer {
  __local ushort *shorts, *longs;  // runs of up to SHORT_SEGMENT elements, and longer ones
  __local uint *lengths;           // of the two lists
};

void clred_list_run(struct clred_longer longer, uint r, ulong length)
{
  if (length <= SHORT_SEGMENT)
    longer.shorts[atomic_inc(&longer.lengths[0])] = (ushort)r;
  else
    longer.longs[atomic_inc(&longer.lengths[1])] = (ushort)r;
}

// One work-item folds run 0, or lists it.
void clred_first_run(struct clred_in in, struct clred_tile tile, __global RESULT *results, struct clred_longer longer)
{
  struct clred_segment run = clred_run_of(tile, 0);
  if (run.count <= SHORTEST_SEGMENT)
    results[tile.before - 1] = clred_lower(clred_shortest(clred_segment_in(in, run), (uint)run.count));
  else
    clred_list_run(longer, 0, run.count);
}

// A tile has at most this many runs of more than SHORTEST_SEGMENT elements.
#define MOST_LISTED ((MOST_TILE + OVERHANG) / SHORTEST_SEGMENT + 1)
// The first work-items look back, the other work-items fold. In small groups all work-items do both.
#define LOOKING (GROUP_SIZE > FAN ? FAN : 0)

ENTRY(clred_runs_wide)(ARGUMENTS)
{
#if COLUMNS <= NODES
  __local STATE nodes[NODE_ROOM];
  __local uint nodes_of[UNITS + 1];
#endif
  __local RESULT kept[KEPT_RUNS];
  __local ushort begins[MOST_TILE + 2], shorts[MOST_LISTED], longs[MOST_LISTED];
  __local uint lengths[2], listed;
  GIVEN_ROOM;
  __local struct clred_found found;
#if STAGED_ELEMENTS
  __local ELEMENT stage[STAGE_SIZE];
#endif
  uint item = get_local_id(0);
  uint number = TAKE_TILE(ticket);
  ulong launch_first = launch * TILES * MOST_TILE;
  struct clred_board board = {(volatile __global CELL *)scratch, tag, MOST_TILE, MARKS_NOW, launch_first};
  struct clred_in in = INPUT_NOW;
  struct clred_tile tile = clred_tile_at(launch_first + (ulong)number * MOST_TILE, count);
  tile.begins = begins;
#if STAGED_ELEMENTS
  tile.stage = stage;
#endif
  struct clred_longer longer = {shorts, longs, lengths};
  for (uint i = item; i < 2; i += GROUP_SIZE)
    lengths[i] = 0;
  clred_clear_found(&found);
  barrier(CLK_LOCAL_MEM_FENCE);
  struct clred_held held;
  clred_read_tile(in, board.marks, tile, &found, &held);
  barrier(CLK_LOCAL_MEM_FENCE);

  // The heads of the tile.
  bool is_whole = tile.present == MOST_TILE, is_last = tile.first + tile.present == count;
  uint heads = clred_count_heads(&found);
  struct clred_heads own = {heads, heads ? number * MOST_TILE + found.last_head : 0};
  if (item == 0 && is_whole && clred_may_publish(number))
    clred_publish_node(board, 0, number, own);
  clred_stage_tile(in, tile, &held);
  clred_find_begins(tile, &found);
  if (item == 0)
    begins[heads + 1] = (ushort)(tile.hang + tile.present);
  barrier(CLK_LOCAL_MEM_FENCE);

  // Runs 1 to ends - 1 begin and end in this tile, and run 0 ends in it if `ends` is not 0.
  uint ends = heads + is_last;
  if (item < FAN)
    clred_look_back(board, number, is_whole, own, &found);
  if (item >= LOOKING)
    for (uint r = 1 + item - LOOKING; r < min(ends, (uint)KEPT_RUNS); r += GROUP_SIZE - LOOKING) {
      uint length = begins[r + 1] - begins[r];
      if (length <= SHORTEST_SEGMENT)
        kept[r] = clred_few(in, tile, begins[r], length);
    }
  barrier(CLK_LOCAL_MEM_FENCE);

  // The heads before the tile.
  tile = clred_after_heads(tile, clred_heads_before(&found), board, launch > 0 ? LEFT_FOR(launch) : 0);
  if (item == 0 && is_last)
    clred_write_runs(tile, heads, rows, OUTCOME_NOW);
  else if (item == 0 && number == TILES - 1)
    clred_leave_heads(tile, own, board, LEFT_FOR(launch + 1));

  // There is no room for the results of runs from `most` on. Run 0 exists if a run began before the tile.
  __global RESULT *results = out + out_index;
  uint most = tile.before > rows ? 0 : (uint)min(rows - tile.before + 1, (ulong)heads + 1);
  if (item == 0 && tile.before > 0 && ends > 0 && most > 0)
    clred_first_run(in, tile, results, longer);
  for (uint r = 1 + item; r < most; r += GROUP_SIZE) {
    uint begin = begins[r], length = begins[r + 1] - begin;
    WRITE_KEY(tile.before - 1 + r, tile.staged_first + begin)
    if (r >= ends)
      continue;
    if (length > SHORTEST_SEGMENT)
      clred_list_run(longer, r, length);
    else
      (results + tile.before - 1)[r] = r < KEPT_RUNS ? kept[r] : clred_few(in, tile, begin, length);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
#if COLUMNS <= NODES
  for (uint i = 0; i < lengths[0]; i += UNITS)
    clred_fold_beside(in, (struct clred_listed){tile, shorts + i}, min((uint)UNITS, lengths[0] - i),
                      31 - clz((uint)COLUMNS), nodes, nodes_of, results);
#endif
  for (uint i = 0; i < lengths[1]; i++) {
    struct clred_segment segment = clred_run_of(tile, longs[i]);
    clred_list_pieces_by_group(ticket, LISTED, segment.begin, segment.count, tile.before + longs[i] - 1, true, &listed);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
#endif
