#include "planning/trips.h"
#include "strategies/whole_array.h"

static bool step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *of, unsigned index,
                 struct clred_step *out) {
  cl_ulong count = n;
  if (index >= clr_levels(n))
    return false;
  for (unsigned i = 0; i < index; i++)
    count = (count + 1) / 2;
  cl_ulong half_length = (count + 1) / 2, pairs = count / 2;
  return clr_mono_step(out, shape, of, index, half_length, index ? pairs : half_length,
                       index ? 3 * pairs : count + half_length);
}

const struct clr_strategy clr_strategy_top_down_mono = {
  .name = "top_down_mono",
  .sentence = "top_down's loop inside one launch of one work-group, with barriers",
  .permutes = true,
  .tree_in_global = true,
  .scratch = clr_scratch_of_pairs,
  .pass = clr_mono_pass,
  .trips = clr_trips_of_share,
  .step = step,
  .reference = clr_reference_top_down,
};
