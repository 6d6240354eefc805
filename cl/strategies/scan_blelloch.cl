// scan_blelloch: one work-group scans in local memory by up-sweep and down-sweep, as in Blelloch's "Prefix Sums and
// Their Applications" (1990). The group scans tiles of 2 x GROUP_SIZE elements one after another. At the root, the
// down-sweep begins with the prefix of the tile, not with the identity. An inclusive scan combines each element with
// its prefix.

#include "scan/blelloch.clh"
#include "common/kernel.clh"

ENTRY(clred_scan_blelloch)(ARGUMENTS)
{
  __local STATE places[2 * GROUP_SIZE];
  struct clred_in in = SCAN_IN;
  struct clred_out results = OUT_NOW;
  struct clred_prefix before = START_NOW;
  uint item = get_local_id(0);
  for (ulong tile = 0; tile < count; tile += 2 * GROUP_SIZE) {
    uint present = (uint)min(count - tile, (ulong)(2 * GROUP_SIZE));
    STATE lifted[2];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint side = 0; side < 2; side++)
      if (item + side * GROUP_SIZE < present)
        places[item + side * GROUP_SIZE] = lifted[side] = clred_scan_lift(in, count, tile + item + side * GROUP_SIZE);
    struct clred_prefix after = clred_blelloch(places, present, before);
    for (uint side = 0; side < 2; side++) {
      uint place = item + side * GROUP_SIZE;
      struct clred_prefix x = before;
      // Two statements: in groups of one, PoCL 6.0 never finishes compiling this as one expression.
      if (place > 0)
        x.has_value = 1;
      if (place >= present)
        continue;
      if (x.has_value)
        x.state = places[place];
      clred_put(results, tile + place, SCAN == SCAN_INCLUSIVE ? clred_after(x, lifted[side]) : x);
    }
    before = after;
  }
}
