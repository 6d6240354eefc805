// sort/chunked.cl: the kernels of a sort on CPUs, where groups have one work-item. Each group has a chunk of
// neighbouring elements. A pass counts the digits of each chunk, computes where each chunk writes the elements of each
// digit, and moves the elements. A group collects the elements of a digit in a buffer of LINE elements and writes whole
// lines, because single elements in 256 places cost a cache line each: Satish et al., "Fast Sort on CPUs and GPUs"
// (2010).
// plan.clh defines what sort/sort.clh names, and:
//   LINE        elements of a line of 64 bytes
//   PREFETCHES  1: the compiler has a builtin that fetches lines
#pragma once
#include "sort/sort.clh"

#define CHUNK_BEGIN(chunk, chunks) ((POSITION)(count / (chunks) * (chunk) + min((ulong)(chunk), count % (chunks))))

struct clred_chunk {
  POSITION begin, end;
};

INLINE struct clred_chunk clred_chunk_of(ulong count, uint chunk, uint chunks)
{
  struct clred_chunk found;
  found.begin = CHUNK_BEGIN(chunk, chunks);
  found.end = CHUNK_BEGIN(chunk + 1, chunks);
  return found;
}

// Counts the digits of all passes in a chunk. `counts` has DIGITS x RADIX counters.
INLINE void clred_count_chunk(__global const STORED *elements, struct clred_chunk chunk, __global POSITION *counts)
{
  uint bins[DIGITS * RADIX];
  for (uint i = 0; i < DIGITS * RADIX; i++)
    bins[i] = 0;
  for (POSITION i = chunk.begin; i < chunk.end; i++) {
    KEY key = clred_order(elements[i]);
#pragma unroll
    for (uint pass = 0; pass < DIGITS; pass++)
      bins[pass * RADIX + clred_digit_of(key, pass)]++;
  }
  for (uint i = 0; i < DIGITS * RADIX; i++)
    counts[i] = bins[i];
}

// A line that was written is soon followed by the next line of its digit. Fetching this line now saves most of the wait
// for memory.
#if PREFETCHES
#define FETCH_TO_WRITE(pointer) __builtin_prefetch((const __private void *)(size_t)(pointer), 1, 3)
#else
#define FETCH_TO_WRITE(pointer)
#endif

// Writes elements `begin` to LINE - 1 of a line.
#define WRITE_LINE(target, line, begin)                \
  {                                                    \
    if ((begin) == 0)                                  \
      for (uint clred_i = 0; clred_i < LINE; clred_i++) \
        (target)[clred_i] = (line)[clred_i];           \
    else                                               \
      for (uint clred_i = (begin); clred_i < LINE; clred_i++) \
        (target)[clred_i] = (line)[clred_i];           \
    FETCH_TO_WRITE((target) + LINE);                   \
  }

// Moves the elements of a chunk. starts[digit] is where the first element with this digit goes. If `are_new` is set,
// the values are the positions of the elements.
INLINE void clred_move_chunk(__global const STORED *elements, __global STORED *target, __global const VALUE *values,
                             __global VALUE *value_target, struct clred_chunk chunk, uint pass, uint are_new,
                             __global const POSITION *starts)
{
  STORED lines[RADIX * LINE] __attribute__((aligned(64)));
#if VALUE_SIZE
  VALUE value_lines[RADIX * LINE] __attribute__((aligned(64)));
#endif
  POSITION places[RADIX];
  for (uint digit = 0; digit < RADIX; digit++)
    places[digit] = starts[digit];
#pragma unroll 1
  for (POSITION i = chunk.begin; i < chunk.end; i++) {
    STORED bits = elements[i];
    uint digit = clred_digit(bits, pass);
    POSITION place = places[digit]++;
    uint at = (uint)(place % LINE);
    lines[digit * LINE + at] = bits;
#if COUNTS_VALUES
    value_lines[digit * LINE + at] = are_new ? (VALUE)i : values[i];
#elif VALUE_SIZE
    value_lines[digit * LINE + at] = values[i];
#endif
    if (at == LINE - 1) {
      POSITION line = place - (LINE - 1), start = starts[digit];
      uint begin = line < start ? (uint)(start - line) : 0;
      WRITE_LINE(target + line, lines + digit * LINE, begin)
#if VALUE_SIZE
      WRITE_LINE(value_target + line, value_lines + digit * LINE, begin)
#endif
    }
  }
#pragma unroll 1
  for (uint digit = 0; digit < RADIX; digit++) {
    POSITION end = places[digit], line = end - end % LINE;
    for (POSITION i = max(line, starts[digit]); i < end; i++) {
      target[i] = lines[digit * LINE + (uint)(i % LINE)];
#if VALUE_SIZE
      value_target[i] = value_lines[digit * LINE + (uint)(i % LINE)];
#endif
    }
  }
}

// Replaces the counts of all chunks by the places of their first elements. counts[chunk * stride + digit].
INLINE void clred_scan_counts(__global POSITION *counts, uint chunks, uint stride)
{
  POSITION before = 0;
  for (uint digit = 0; digit < RADIX; digit++)
    for (uint chunk = 0; chunk < chunks; chunk++) {
      POSITION counted = counts[chunk * stride + digit];
      counts[chunk * stride + digit] = before;
      before += counted;
    }
}

#define ONE_GROUP __kernel __attribute__((reqd_work_group_size(1, 1, 1))) void

// Before the first pass: counts the digits of all passes in each chunk.
ONE_GROUP clred_sort_count(__global const STORED *keys, ulong first, ulong count, __global POSITION *counts)
{
  ONE_ITEM
  uint chunk = (uint)get_group_id(0);
  clred_count_chunk(keys + first, clred_chunk_of(count, chunk, (uint)get_num_groups(0)),
                    counts + chunk * DIGITS * RADIX);
}

INLINE uint clred_find_uniform(__global const POSITION *counts, ulong count, uint chunks)
{
  uint uniform = 0;
  for (uint pass = 0; pass < DIGITS; pass++)
    for (uint digit = 0; digit < RADIX; digit++) {
      POSITION total = 0;
      for (uint chunk = 0; chunk < chunks; chunk++)
        total += counts[(chunk * DIGITS + pass) * RADIX + digit];
      uniform |= total == count ? 1u << pass : 0;
    }
  return uniform;
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
  uint bins[RADIX];
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
                   clred_chunk_of(count, (uint)get_group_id(0), (uint)get_num_groups(0)), pass, from == AT_IN,
                   counts + (get_group_id(0) * DIGITS + pass) * RADIX);
}

// A short sort in one launch. The counts of all passes hold for every order of the elements.
ONE_GROUP clred_sort_small(SORT_BUFFERS, uint count, uint in_place, __global struct clred_sort_table *table,
                           __global POSITION *counts)
{
  ONE_ITEM
  struct clred_chunk chunk = {0, count};
  clred_count_chunk(keys_in + first_key_in, chunk, counts);
  clred_choose_passes(table, clred_find_uniform(counts, count, 1), in_place);
#pragma unroll 1
  for (uint pass = 0; pass < DIGITS; pass++) {
    if (!table->runs[pass])
      continue;
    uint from = table->from[pass], to = table->to[pass];
    clred_scan_counts(counts + pass * RADIX, 1, DIGITS * RADIX);
    clred_move_chunk(SOURCE_KEYS(from), TARGET_KEYS(to), SOURCE_VALUES(from), TARGET_VALUES(to), chunk, pass,
                     from == AT_IN, counts + pass * RADIX);
  }
  if (table->ends_in_spare)
    for (uint i = 0; i < count; i++) {
      keys_out[first_key_out + i] = keys_spare[i];
#if VALUE_SIZE
      values_out[first_value_out + i] = values_spare[i];
#endif
    }
}

#include "sort/copy.clh"
#include "sort/gather.clh"
