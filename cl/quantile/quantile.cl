// quantile: kernels that find the keys at given ranks, and the places of the smallest keys. src/quantile launches them.
//   clred_quantile_sample     the key of one element in each of SAMPLE equal parts, at a random place
//   clred_quantile_count_*    counts keys in bins of intervals
//   clred_quantile_gather_*   gathers the keys in intervals, and counts the keys below and above each interval
//   clred_quantile_collect    gathers the elements up to a key, with their places
//   clred_quantile_ties       cuts the input into equal parts, and counts the elements with one given key in each part
#include "quantile/order.clh"

// Adds a key to the two tallies of interval m, and sets `in` if the key lies in the interval.
#define TALLY(key, m, in)                     \
  {                                           \
    below[m] += (key) < low[m];               \
    upto[m] += (key) <= low[m] + span[m];     \
    in |= (KEY)((key) - low[m]) <= span[m];   \
  }
#if IS_FLOATING
#define TALLY_NAN(key) nans += (key) == KEY_MAX;
#else
#define TALLY_NAN(key)
#endif

// The arguments of a gathering kernel. Tallies:
// [0] keys in the intervals, [1] NaNs with the key KEY_MAX. If the program does not search, also [2 + 2 m] keys below
// interval m, and [3 + 2 m] keys not above interval m.
#define GATHER_ARGUMENTS                                                                                     \
  __global const VALUE *source, ulong first, ulong count, __global const KEY *table, uint intervals,         \
    __global KEY *out, uint room_first, uint room, volatile __global uint *tallies
#if KEY_SIZE == 8
#define MASK long
#else
#define MASK int
#endif

#define SUFFIX _elements
#define SOURCE_IS_KEYS 0
#include "quantile/source.clh"
#include "quantile/count.clh"
#if GROUP_SIZE == 1
#include "quantile/gather_run.clh"
#else
#include "quantile/gather.clh"
#endif
#undef SUFFIX
#undef SOURCE_IS_KEYS
#define SUFFIX _keys
#define SOURCE_IS_KEYS 1
#include "quantile/source.clh"
#include "quantile/count.clh"
#if GROUP_SIZE == 1
#include "quantile/gather_run.clh"
#else
#include "quantile/gather.clh"
#endif

INLINE ulong clred_scatter(ulong bits)
{
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ul;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebul;
  return bits ^ bits >> 31;
}

// If a call has at most SAMPLE elements, the sample has all of them.
__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void clred_quantile_sample(
  __global const STORED *source, ulong first, ulong count, __global KEY *out)
{
  ulong part = max(count / SAMPLE, (ulong)1);
  for (ulong i = get_global_id(0); i < min(count, (ulong)SAMPLE); i += get_global_size(0)) {
    ulong at = i * part + i * (count % SAMPLE) / SAMPLE + clred_scatter(i + 1) % part;
    out[i] = clred_order(source[first + (count > SAMPLE ? at : i)]);
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void clred_quantile_collect(
  __global const STORED *source, ulong first, ulong count, KEY last, ulong index, ulong limit, uint room,
  volatile __global uint *tallies, __global KEY *out, __global ulong *places)
{
  __global const STORED *values = source + first;
  ulong run = (count + get_num_groups(0) - 1) / get_num_groups(0);
  ulong begin = min(run * get_group_id(0), count), end = min(begin + run, count);
  // Elements equal to `last` count if their place is below `limit`.
  for (ulong i = begin + get_local_id(0); i < end; i += GROUP_SIZE) {
    KEY bits = values[i], key = clred_order(bits);
    if (key < last || (index + i < limit && key == last)) {  // `index` first: processors predict it better
      uint at = atomic_add(tallies, 1u);
      if (at < room) {
        out[at] = bits;
        places[at] = index + i;
      }
    }
  }
}

__kernel __attribute__((reqd_work_group_size(GROUP_SIZE, 1, 1))) void clred_quantile_ties(
  __global const STORED *source, ulong first, ulong count, KEY tied, volatile __global uint *counts)
{
  __global const STORED *values = source + first;
  __local uint sum;
  ulong run = (count + get_num_groups(0) - 1) / get_num_groups(0);
  ulong begin = min(run * get_group_id(0), count), end = min(begin + run, count);
  uint found = 0;
  if (get_local_id(0) == 0)
    sum = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (ulong i = begin + get_local_id(0); i < end; i += GROUP_SIZE)
    found += clred_order(values[i]) == tied;
  atomic_add(&sum, found);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    counts[get_group_id(0)] = sum;
}
