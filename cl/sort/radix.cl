// sort/radix.cl: the kernels of a sort on devices whose work-groups have many work-items.
#include "sort/count.clh"
#include "sort/small.clh"
#include "sort/sweep.clh"

// Tile after tile of keys[first .. first + launch_count), a portion of the elements.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void
clred_sort_move(SORT_BUFFERS, ulong first, uint launch_count, uint pass, uint portion, uint portions,
                __global struct clred_sort_table *table, volatile __global uint *cells, ulong cells_of_step)
{
  SWEEP_ROOM
  if (!table->runs[pass])
    return;
  TAKE_TICKET(tile, &table->ticket)
  struct clred_field field = {first, launch_count, 0, 0};
  clred_move_tile(BUFFERS_NOW, field, tile, pass, table->step[pass] * portions + portion, portion, portions, table,
                  cells, cells_of_step, tile_room, &rank_room, begins);
}

#include "sort/copy.clh"
#include "sort/gather.clh"
