// scan_rows: many rows along the fastest axis on GPU-like devices, each row in the order fixed/1. If rows are shorter
// than a tile, a group scans several of them, each by a team of work-items. Otherwise a group scans one row, tile after
// tile. In both cases one launch is enough: NAME_apply. If there are few longer rows, each is cut into runs of `span`
// tiles (a power of two). Then there are the three launches of scan_reduce_then_scan: NAME_elements folds the runs,
// NAME_states computes the prefix of each run, NAME_apply writes the results.
//   launch         the number of work-items of a team
//   scratch[work ..], scratch[target ..]   the nodes and the prefixes of runs (scan/befores.clh)

#include "scan/team.clh"
#include "common/kernel.clh"

#define TEAM_TILE ((ulong)GROUP_SIZE * ROWS)

#if SOURCE_IS_STATES
#define SCANS_RUNS clred_scan_rows
#include "scan/befores.clh"
#elif !APPLIES
ENTRY(clred_scan_rows)(ARGUMENTS)
{
  __local STATE lanes[GROUP_SIZE], stack[RUN_DEPTH];
  __local STORED room[GROUP_SIZE * LANE_ROOM];
  struct clred_in in = SCAN_IN;
  ulong runs = ((count + TEAM_TILE - 1) / TEAM_TILE + span - 1) / span, row = get_group_id(0) / runs;
  ulong run_first = get_group_id(0) % runs * span * TEAM_TILE;
  uint item = get_local_id(0), depth = 0;
  struct clred_teams teams = {GROUP_SIZE, 1, 0, row * row_stride, row_stride, 0};
  for (ulong i = 0; i < span && run_first + i * TEAM_TILE < count; i++) {
    teams.first = run_first + i * TEAM_TILE;
    teams.present = (uint)min(count - teams.first, TEAM_TILE);
    barrier(CLK_LOCAL_MEM_FENCE);
    clred_take_tiles(in, teams, room);
    barrier(CLK_LOCAL_MEM_FENCE);
    struct clred_in own_row = in;
    own_row.origin += teams.origin;
    uint lanes_present = (teams.present + ROWS - 1) / ROWS;
    if (item < lanes_present)
      lanes[item] = clred_team_lane(own_row, count, teams.first + item * ROWS,
                                    min(teams.present - item * ROWS, (uint)ROWS), room + item * LANE_ROOM);
    clred_team_up(lanes, GROUP_SIZE, lanes_present);
    // The node of a run that is not whole is not used.
    if (item == GROUP_SIZE - 1 && teams.present == TEAM_TILE) {
      STATE node = lanes[item];
      for (ulong bits = i; bits & 1; bits >>= 1)
        node = FOLLOWING(stack[--depth], node);
      stack[depth++] = node;
      if (i == span - 1)
        scratch[work + get_group_id(0)] = stack[0];
    }
  }
}
#else
ENTRY(clred_scan_rows)(ARGUMENTS)
{
  __local STATE lanes[GROUP_SIZE], stack[RUN_DEPTH], heads[RUN_DEPTH];
  __local STORED room[GROUP_SIZE * LANE_ROOM];
  __local RESULT results[GROUP_SIZE * LANE_ROOM];
  struct clred_in in = SCAN_IN;
  struct clred_out out_now = OUT_NOW;
  uint item = get_local_id(0), team = (uint)launch, teams_here = GROUP_SIZE / team, place = TEAM_PLACE(team);
  ulong runs = ((count + TEAM_TILE - 1) / TEAM_TILE + span - 1) / span, run = get_group_id(0) % runs;
  ulong row = get_group_id(0) / runs * teams_here, run_first = run * span * TEAM_TILE;
  struct clred_teams teams = {team, (uint)min(rows - row, (ulong)teams_here), 0, row * row_stride, row_stride, 0};
  __global STATE *befores = scratch + target + row * (runs + 1) + run;
  struct clred_prefix x = START_NOW;
  if (run > 0) {
    x.state = befores[0];
    x.has_value = 1;
  }
  uint starts = x.has_value;
  STATE after = clred_identity();
  if (item == GROUP_SIZE - 1 && starts)
    for (uint b = 0; b < RUN_DEPTH; b++)
      heads[b] = x.state;
  for (ulong i = 0; i < span && run_first + i * TEAM_TILE < count; i++) {
    teams.first = run_first + i * TEAM_TILE;
    teams.present = (uint)min(count - teams.first, TEAM_TILE);
    struct clred_in own_row = in;
    own_row.origin += teams.origin + item / team * row_stride;
    ulong lane_first = teams.first + place * ROWS;
    uint has_value = starts || i > 0, lanes_present = item / team < teams.rows ? (teams.present + ROWS - 1) / ROWS : 0;
    uint own = place < lanes_present ? min(teams.present - place * ROWS, (uint)ROWS) : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    clred_take_tiles(in, teams, room);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own)
      lanes[item] = clred_team_lane(own_row, count, lane_first, own, room + item * LANE_ROOM);
    clred_team_up(lanes, team, lanes_present);
    if (place == team - 1) {
      if (i > 0)
        x.state = heads[0];
      if (own == ROWS && team < GROUP_SIZE)
        after = clred_after(x, lanes[item]).state;
      else if (own == ROWS)
        after = i == span - 1 && runs > 1 ? befores[1] : clred_count_tile(stack, heads, i, starts, lanes[item]);
      if (has_value)
        lanes[item] = x.state;
    }
    clred_team_down(lanes, team, lanes_present, has_value);
    if (own) {
      struct clred_prefix before = {lanes[item], has_value || place > 0};
      STATE behind = own < ROWS ? before.state : place == team - 1 ? after : lanes[item + 1];
      clred_team_walk(own_row, count, lane_first, own, room + item * LANE_ROOM, results + item * LANE_ROOM, before,
                      behind);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    clred_give_tiles(out_now, teams, results);
  }
}
#endif
