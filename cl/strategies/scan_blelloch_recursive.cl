// scan_blelloch_recursive: the scan of textbooks for any length. Each group scans 2 x GROUP_SIZE values by itself
// (blelloch.clh) and writes their reduction. The reductions are scanned in the same way, level after level. Then, from
// the highest level down, the prefix of each group is combined with the group's own prefixes. Level 0 keeps a state for
// every element.
//   elements, states   write the groups' own prefixes to scratch[work ..] and their reductions to scratch[target ..]
//   apply              combines scratch[target + group] with scratch[work + i]; with span 0 it writes the results

#include "scan/blelloch.clh"
#include "common/kernel.clh"

#define BLOCK (2 * GROUP_SIZE)

#if !APPLIES
#if SOURCE_IS_STATES
#define VALUE(i) source[first + (i)]
#define OWN_TOO 0
#else
#define VALUE(i) clred_scan_lift(in, count, i)
#define OWN_TOO (SCAN == SCAN_INCLUSIVE)
#endif
ENTRY(clred_scan_blelloch_recursive)(ARGUMENTS)
{
  __local STATE places[BLOCK];
  uint item = get_local_id(0);
  ulong begin = get_group_id(0) * (ulong)BLOCK;
  uint present = (uint)min(count - begin, (ulong)BLOCK);
  STATE values[2];
  struct clred_prefix none;
  none.has_value = 0;
#if !SOURCE_IS_STATES
  struct clred_in in = SCAN_IN;
#endif
  for (uint side = 0; side < 2; side++)
    if (item + side * GROUP_SIZE < present)
      places[item + side * GROUP_SIZE] = values[side] = VALUE(begin + item + side * GROUP_SIZE);
  none = clred_blelloch(places, present, none);
  if (item == 0 && present == BLOCK)
    scratch[target + get_group_id(0)] = none.state;
  for (uint side = 0; side < 2; side++) {
    uint place = item + side * GROUP_SIZE;
    struct clred_prefix x;
    x.has_value = place > 0;
    if (place >= present || (place == 0 && !OWN_TOO))
      continue;
    if (x.has_value)
      x.state = places[place];
    scratch[work + begin + place] = OWN_TOO ? clred_after(x, values[side]).state : x.state;
  }
}
#undef VALUE
#undef OWN_TOO
#else
ENTRY(clred_scan_blelloch_recursive)(ARGUMENTS)
{
  ulong i = get_global_id(0), group = i / BLOCK;
  bool is_last = span == 0, has_own = i % BLOCK != 0 || (is_last && SCAN == SCAN_INCLUSIVE);
  struct clred_prefix x;
  struct clred_out results = OUT_NOW;
  if (i >= count)
    return;
  x.has_value = group > 0;
  if (x.has_value)
    x.state = scratch[target + group];
  if (has_own)
    x = clred_after(x, scratch[work + i]);
  if (!is_last) {
    if (x.has_value)
      scratch[work + i] = x.state;
    return;
  }
  struct clred_prefix begin = START_NOW;
  // As clred_after, which PoCL 6.0 cannot compile here.
  if (x.has_value)
    begin = (struct clred_prefix){begin.has_value ? FOLLOWING(begin.state, x.state) : x.state, 1};
  clred_put(results, i, begin);
}
#endif
