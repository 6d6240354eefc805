#include "strategies/segments.h"

// Enough chunks for any number of cores, and each long enough that starting it is nothing.
static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong good_bytes = 262144, most_chunks = 1u << 14;
  cl_ulong tile = shape->rows * shape->lanes;
  (void)status;
  clr_fixed_vectors(facts, &problem->operation, shape);
  shape->short_rows = true;
  clr_segments_chunks(shape, tile, good_bytes / (tile * shape->element_size), most_chunks, 2);
  return CL_SUCCESS;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  return clr_segments_pass(shape, n, index, CLR_CHUNKS_AN_ITEM, out);
}

const struct clr_strategy clr_strategy_segments_chunked = {
  .name = "segments_chunked",
  .sentence = "rows of different lengths on CPU-like devices: each work-item walks several, long ones are cut",
  .fixed_order = true,
  .takes_nothing = true,
  .team = CLR_TEAM_SINGLES,
  .tree_in_global = true,
  .layouts = CLR_LAYOUT_SEGMENTS,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_CUT) | CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES),
  .fit = fit,
  .elements = clr_segments_span,
  .scratch = clr_segments_scratch,
  .pass = pass,
  .step = clr_segments_step,
  .reference = clr_fixed_reference,
};
