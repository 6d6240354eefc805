// scan_runs_wide: scans of runs of equal keys, or of elements from one head flag to the next, on GPU-like devices. Each
// run is scanned in the order fixed/1. A work-group takes a tile of MOST_TILE elements, reads its keys and elements
// once, finds the heads (runs/tile.clh) and publishes their number (runs/board.clh). Each work-item scans ROWS
// neighbours of the tile. If all runs that touch the tile are short (at most ROWS elements up to the end of the tile),
// that is enough. Otherwise the group looks back for the run that began before the tile, and scans the lanes of all
// runs of the tile as lists (segments/list.clh).
//   ticket   gives tiles to groups, in the order in which the groups begin
// Runs that have more than MOST_BACK elements before a tile are scanned by three more launches (runs/pieces.clh).

#include "runs/board.clh"
#include "runs/pieces.clh"
#include "segments/long.clh"
#include "common/kernel.clh"

#if SOURCE_IS_STATES
#define JOINS clred_scan_runs_wide
#define JOINS_BY_GROUPS 1
#include "segments/join.clh"
#elif APPLIES
ENTRY(clred_scan_runs_wide)(ARGUMENTS)
{
  __local STATE nodes[LIST], counter[COUNTER_DEPTH];
  __local ushort run_of[LIST], index_of[LIST];
  __local uint starts[GROUP_SIZE + 1];
  __local struct clred_run runs[1];
  __local RESULT staged[STAGED_SIZE];
  struct clred_list list = {runs, starts, run_of, index_of, nodes, counter, staged};
  struct clred_in in = INPUT_NOW;
  struct clred_prefix call_start = START_NOW;
  __global STATE *partials = scratch + target;
  uint pieces = ticket[span ? 2 : 1];
  for (uint i = get_group_id(0); i < pieces; i += get_num_groups(0)) {
    struct clred_piece piece = LISTED[i];
    struct clred_segment run = {piece.begin, piece.count};
    ulong size = clred_piece_size(piece.count), from = piece.number * size, present = min(piece.count - from, size);
    struct clred_prefix x = call_start, after = {call_start.state, present == size};
    if (span && piece.number > 0)
      x = (struct clred_prefix){partials[BEFORE_PIECE(i)], 1};
    if (span && after.has_value)
      after.state = partials[piece.number + 1 < piece.pieces ? BEFORE_PIECE(i + 1) : AFTER_LAST(i)];
    STATE node = clred_fold_piece(in, run, from, span || present < size ? 0 : size, list);
    if (get_local_id(0) == 0 && span == 0 && present == size)
      partials[PIECE_NODE(i, 0)] = node;
    clred_scan_long(in, out + out_index, run, from, span ? present : 0, x, after, list);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (get_global_id(0) == 0 && span == 0)
    ticket[2] = pieces;
}
#else
#include "runs/neighbours.clh"

#define MOST_BACK 1024

// The group scans runs first + 1 to first + many of the tile: at most one for each work-item.
void clred_scan_listed(struct clred_in in, __global RESULT *results, struct clred_tile tile, uint first, uint many,
                       struct clred_prefix start, __local uint *most_lanes, struct clred_list list)
{
  const struct clred_prefix none = {start.state, 0};
  uint item = get_local_id(0);
  struct clred_segment run = {0, 0}, all = {0, 0};
  if (many > 0)
    all = (struct clred_segment){tile.staged_first + tile.begins[first + 1],
                                 tile.begins[first + many + 1] - tile.begins[first + 1]};
  if (item < many)
    run = clred_run_of(tile, first + item + 1);
  if (item == 0)
    *most_lanes = 1;
  list.runs[item] = (struct clred_run){run.begin, run.count, 0, (uint)run.count};
  list.starts[item + 1] = clred_lanes_of((uint)run.count);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(most_lanes, list.starts[item + 1]);
  clred_make_list(list);
  uint lanes = list.starts[many];
  clred_fold_list_lanes(in, list, lanes);
  clred_sweep_list(list, lanes, *most_lanes);
  clred_put_list(in, results, list, lanes, all.begin, (uint)all.count, start, none);
}

ENTRY(clred_scan_runs_wide)(ARGUMENTS)
{
  __local STATE nodes[LIST], counter[COUNTER_DEPTH];
  __local ushort run_of[LIST], index_of[LIST], begins[MOST_TILE + 2];
  __local uint starts[GROUP_SIZE + 1], most_lanes, is_mixed, back, listed;
  GIVEN_ROOM;
  __local struct clred_run runs[GROUP_SIZE];
  __local struct clred_found found;
  __local uint4 room[ROOM_BYTES / 16 + 1];
  __local RESULT *staged = (__local RESULT *)room;
  struct clred_list list = {runs, starts, run_of, index_of, nodes, counter, staged};
  uint item = get_local_id(0);
  uint number = TAKE_TILE(ticket);
  ulong launch_first = launch * TILES * MOST_TILE;
  struct clred_board board = {(volatile __global CELL *)scratch, tag, MOST_TILE, MARKS_NOW, launch_first};
  struct clred_in in = INPUT_NOW;
  struct clred_prefix call_start = START_NOW, none = {call_start.state, 0};
  struct clred_tile tile = clred_tile_at(launch_first + (ulong)number * MOST_TILE, count);
  __global RESULT *results = out + out_index;
  tile.begins = begins;
#if STAGED_ELEMENTS
  __local ELEMENT *stage = (__local ELEMENT *)room;
  tile.stage = stage;
#endif
  if (item == 0) {
    is_mixed = STAGED_ELEMENTS == 0;
    back = ROWS;
  }
  clred_clear_found(&found);
  barrier(CLK_LOCAL_MEM_FENCE);
  struct clred_held brought;
  clred_read_tile(in, board.marks, tile, &found, &brought);
  for (uint i = 1 + item; tile.first && i < ROWS; i += GROUP_SIZE)
    if (IS_HEAD(board.marks, tile.first - i))
      atomic_min(&back, i);
  barrier(CLK_LOCAL_MEM_FENCE);

  // The heads of the tile.
  bool is_whole = tile.present == MOST_TILE, is_last = tile.first + tile.present == count;
  uint heads = clred_count_heads(&found);
  struct clred_heads own = {heads, heads ? number * MOST_TILE + found.last_head : 0};
  if (item == 0 && is_whole && clred_may_publish(number))
    clred_publish_node(board, 0, number, own);
  clred_stage_tile(in, tile, &brought);
  barrier(CLK_LOCAL_MEM_FENCE);
#if STAGED_ELEMENTS
  STATE held[ROWS];
  struct clred_neighbours mine = clred_neighbours_of(tile, &found, back);
  nodes[item] = clred_scan_neighbours(in, stage, mine, held);
  if (mine.before > 0 && mine.back + mine.before > ROWS)
    is_mixed = 1;
#endif
  barrier(CLK_LOCAL_MEM_FENCE);

  // The heads before the tile. They are needed for lists, for the check that `out` has room, and for other tiles.
  bool looks = is_mixed || rows < count || is_last || number % FAN == FAN - 1;
  if (looks && item < FAN)
    clred_look_back(board, number, is_whole, own, &found);
  barrier(CLK_LOCAL_MEM_FENCE);
  tile = clred_after_heads(tile, clred_heads_before(&found), board, launch > 0 ? LEFT_FOR(launch) : 0);
  if (item == 0 && is_last)
    clred_write_runs(tile, heads, rows, OUTCOME_NOW);
  else if (item == 0 && number == TILES - 1)
    clred_leave_heads(tile, own, board, LEFT_FOR(launch + 1));
  bool by_lists = is_mixed || (looks && tile.before + heads > rows);
#if STAGED_ELEMENTS
  // If the tile is scanned by lists, this code does nothing, but the group passes its barriers. With conditional
  // barriers, PoCL would let all work-items do what work-item 0 does after the last barrier (src/design.md).
  STATE carried = clred_identity();
  if (by_lists)
    mine.rows = mine.before = 0;
  if (mine.before > 0) {
    carried = item ? nodes[max(item, 1u) - 1] : clred_carried_in(in, stage, mine);
    clred_scan_before(in, stage, mine, carried, held);
  }
  // All elements have been read; now results overwrite them in local memory.
  barrier(CLK_LOCAL_MEM_FENCE);
  clred_stage_neighbours(mine, call_start, carried, held, staged);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < (by_lists ? 0 : tile.present); i += GROUP_SIZE)
    results[tile.first + i] = staged[STAGED_AT(i)];
#endif

  if (by_lists)
    clred_find_begins(tile, &found);
  if (item == 0)
    begins[heads + 1] = (ushort)(tile.hang + tile.present);
  barrier(CLK_LOCAL_MEM_FENCE);

  // The run that began before the tile. Its results before the tile are written again, with the same bits.
  struct clred_segment run = {0, 0};
  if (by_lists && tile.before > 0 && tile.before <= rows && begins[1] > tile.hang)
    run = clred_run_of(tile, 0);
  bool is_far = run.count > 0 && tile.first - run.begin > MOST_BACK;
  clred_scan_long(in, results, run, 0, is_far ? 0 : run.count, call_start, none, list);
  clred_list_pieces_by_group(ticket, LISTED, run.begin, run.count, tile.before - 1, is_far && (heads > 0 || is_last),
                             &listed);

  // The runs that begin in the tile.
  uint most = !by_lists || tile.before > rows ? 0 : (uint)min(rows - tile.before, (ulong)heads);
  for (uint first = 0; HAS_TURN(first == 0, first < most); first += GROUP_SIZE)
    clred_scan_listed(in, results, tile, first, min(most - first, (uint)GROUP_SIZE), call_start, &most_lanes, list);
}
#endif
