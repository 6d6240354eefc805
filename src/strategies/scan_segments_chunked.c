#include "strategies/scans.h"
#include "strategies/segments.h"

static cl_int fit(const struct clr_facts *facts, const struct clr_problem *problem, struct clr_shape *shape,
                  struct clr_status *status) {
  const cl_ulong good_bytes = 262144, most_chunks = 1u << 14, most_held = 512;
  (void)status;
  clr_scan_fit_block(facts, problem, shape);
  shape->holds = shape->vector == 1 && shape->rows * shape->state_size <= most_held;
  clr_segments_chunks(shape, shape->rows, good_bytes / (shape->rows * shape->element_size), most_chunks, 4);
  return CL_SUCCESS;
}

static bool pass(const struct clr_shape *shape, cl_ulong n, unsigned index, struct clr_pass *out) {
  return clr_segments_scan_pass(shape, n, index, CLR_CHUNKS_AN_ITEM, out);
}

const struct clr_strategy clr_strategy_scan_segments_chunked = {
  .name = "scan_segments_chunked",
  .sentence = "scans of rows of different lengths on CPU-like devices: each work-item walks several, long ones are cut",
  .scans = true,
  .fixed_order = true,
  .takes_nothing = true,
  .team = CLR_TEAM_SINGLES,
  .layouts = CLR_LAYOUT_SEGMENTS,
  .kernels = CLR_KERNEL_BIT(CLR_KERNEL_CUT) | CLR_KERNEL_BIT(CLR_KERNEL_ELEMENTS) | CLR_KERNEL_BIT(CLR_KERNEL_STATES) |
             CLR_KERNEL_BIT(CLR_KERNEL_APPLY),
  .fit = fit,
  .elements = clr_segments_span,
  .scratch = clr_segments_scratch,
  .pass = pass,
  .step = clr_segments_step,
  .scan_reference = clr_scan_fixed_reference,
};
