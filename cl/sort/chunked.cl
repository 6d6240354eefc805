// sort/chunked.cl: the kernels of a sort on CPUs, where groups have one work-item. Each group has a chunk of
// neighbouring elements. A pass counts the digits of each chunk, computes where each chunk writes the elements of each
// digit, and moves the elements.
#include "sort/chunks.clh"

// Before the first pass: counts the digits of all passes in each chunk.
ONE_GROUP clred_sort_count(__global const STORED *keys, ulong first, ulong count, __global POSITION *counts)
{
  ONE_ITEM
  uint chunk = (uint)get_group_id(0);
  clred_count_chunk(keys + first, clred_chunk_of(count, chunk, (uint)get_num_groups(0)),
                    counts + chunk * DIGITS * RADIX);
}

// Chooses the passes.
ONE_GROUP clred_sort_choose(ulong count, uint chunks, uint in_place, __global struct clred_sort_table *table,
                            __global const POSITION *counts)
{
  ONE_ITEM
  clred_choose_passes(table, clred_find_uniform(counts, count, chunks), in_place);
}

// Counts the digits of one pass in each chunk, unless it is the first that runs.
ONE_GROUP clred_sort_recount(SORT_BUFFERS, ulong count, uint pass, __global const struct clred_sort_table *table,
                             __global POSITION *counts)
{
  ONE_ITEM
  if (!table->runs[pass] || table->step[pass] == 0)
    return;
  __global const STORED *elements = SOURCE_KEYS(table->from[pass]);
  struct clred_chunk chunk = clred_chunk_of(count, (uint)get_group_id(0), (uint)get_num_groups(0));
  POSITION bins[RADIX];
  for (uint digit = 0; digit < RADIX; digit++)
    bins[digit] = 0;
  for (POSITION i = chunk.begin; i < chunk.end; i++)
    bins[clred_digit(elements[i], pass)]++;
  for (uint digit = 0; digit < RADIX; digit++)
    counts[(get_group_id(0) * DIGITS + pass) * RADIX + digit] = bins[digit];
}

ONE_GROUP clred_sort_scan(uint chunks, uint pass, __global const struct clred_sort_table *table,
                          __global POSITION *counts)
{
  ONE_ITEM
  if (table->runs[pass])
    clred_scan_counts(counts + pass * RADIX, chunks, DIGITS * RADIX);
}

ONE_GROUP clred_sort_move(SORT_BUFFERS, ulong count, uint pass, __global const struct clred_sort_table *table,
                          __global const POSITION *counts)
{
  ONE_ITEM
  if (!table->runs[pass])
    return;
  uint from = table->from[pass], to = table->to[pass];
  clred_move_chunk(SOURCE_KEYS(from), TARGET_KEYS(to), SOURCE_VALUES(from), TARGET_VALUES(to),
                   clred_chunk_of(count, (uint)get_group_id(0), (uint)get_num_groups(0)), pass, from == AT_IN, 0,
                   counts + (get_group_id(0) * DIGITS + pass) * RADIX);
}

// A short sort in one launch.
ONE_GROUP clred_sort_small(SORT_BUFFERS, uint count, uint in_place, __global struct clred_sort_table *table,
                           __global POSITION *counts)
{
  ONE_ITEM
  clred_sort_whole(BUFFERS_NOW, 0, count, in_place, table, counts);
}

#include "sort/copy.clh"
#include "sort/gather.clh"
