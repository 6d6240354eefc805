#include "strategies/segments.h"

void clr_segments_chunks(struct clr_shape *shape, cl_ulong unit, cl_ulong units, cl_ulong most, cl_ulong states) {
  shape->chunk = unit * clr_power_of_two_below(units);
  shape->chunks_max = most;
  shape->states_a_chunk = states;
}

// Halves cannot be copied without an extension, and of several inputs each would need a place.
static bool can_stage(const struct clr_operation *operation) {
  enum clr_reading reading = operation->custom ? operation->custom->reading : operation->element.row->reading;
  return reading != CLR_READING_HALF && operation->input_count == 0;
}

void clr_segments_stage(const struct clr_facts *facts, const struct clr_operation *operation, cl_ulong wanted,
                        cl_ulong taken, struct clr_shape *shape) {
  const cl_ulong good_bytes = 16384, largest = 16;
  cl_ulong elements = clr_power_of_two_below(good_bytes / shape->element_size), bytes;
  elements = elements < wanted ? elements : wanted;
  bytes = (elements + elements / 32 + 1) * shape->element_size;
  if (facts->cpu || !can_stage(operation) || shape->element_size > largest ||
      taken + bytes + CLR_LOCAL_RESERVE > facts->local_mem_size)
    return;
  shape->staged = elements;
  shape->local_bytes += bytes;
}

// Bytes of the table: where each chunk begins, one more for the last one's end, and how many pieces each has.
static cl_ulong table_states(const struct clr_shape *shape, cl_ulong chunks) {
  return clr_ceil_divide((2 * chunks + 1) * sizeof(cl_ulong), shape->state_size);
}

cl_ulong clr_segments_scratch(const struct clr_shape *shape, cl_ulong n, bool *bounded) {
  (void)n;
  *bounded = true;
  return table_states(shape, shape->chunks_max) + shape->states_a_chunk * shape->chunks_max;
}

static cl_ulong places(const struct clr_shape *shape, cl_ulong n) {
  return clr_add(n, shape->call_rows);
}

cl_ulong clr_segments_span(const struct clr_shape *shape, cl_ulong n) {
  cl_ulong enough = clr_power_of_two_above(clr_ceil_divide(places(shape, n), shape->chunks_max));
  return enough > shape->chunk ? enough : shape->chunk;
}

// The launch of `kernel` over the call's chunks, `chunks_a_group` of them a group.
static struct clr_pass launch_of(const struct clr_shape *shape, cl_ulong n, enum clr_kernel kernel,
                                 cl_ulong chunks_a_group) {
  cl_ulong span = clr_segments_span(shape, n), chunks = clr_ceil_divide(places(shape, n), span);
  return (struct clr_pass){
    .kernel = kernel,
    .groups = clr_ceil_divide(chunks, chunks_a_group),
    .group_size = shape->group_size,
    .count = n,
    .span = span,
    .work = chunks,
    .target = table_states(shape, chunks),
  };
}

bool clr_segments_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, cl_ulong chunks_a_group,
                       struct clr_pass *pass) {
  static const enum clr_kernel kernels[] = {CLR_KERNEL_CUT, CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES};
  if (index >= (n > clr_segments_span(shape, n) ? 3 : 2))
    return false;
  *pass = launch_of(shape, n, kernels[index], kernels[index] == CLR_KERNEL_ELEMENTS ? 1 : chunks_a_group);
  return true;
}

bool clr_segments_scan_pass(const struct clr_shape *shape, cl_ulong n, unsigned index, cl_ulong chunks_a_group,
                            struct clr_pass *pass) {
  static const enum clr_kernel all[] = {CLR_KERNEL_CUT, CLR_KERNEL_ELEMENTS, CLR_KERNEL_STATES, CLR_KERNEL_APPLY};
  // No segment can be cut into pieces where there are no more elements than one piece has.
  static const enum clr_kernel whole[] = {CLR_KERNEL_CUT, CLR_KERNEL_APPLY};
  bool may_be_cut = n > clr_segments_span(shape, n);
  if (index >= (may_be_cut ? 4 : 2))
    return false;
  enum clr_kernel kernel = may_be_cut ? all[index] : whole[index];
  bool by_chunk = kernel == CLR_KERNEL_ELEMENTS || kernel == CLR_KERNEL_APPLY;
  *pass = launch_of(shape, n, kernel, by_chunk ? 1 : chunks_a_group);
  return true;
}

bool clr_segments_step(const struct clr_shape *shape, cl_ulong n, const struct clr_pass *pass, unsigned index,
                       struct clred_step *step) {
  static const char *const names[CLR_KERNELS] = {[CLR_KERNEL_CUT] = "cut",
                                                 [CLR_KERNEL_ELEMENTS] = "segments",
                                                 [CLR_KERNEL_STATES] = "pieces",
                                                 [CLR_KERNEL_APPLY] = "scan"};
  struct clr_activity all = {.items = pass->group_size, .apart = 1};
  clr_step_make(step, shape, pass, all, all, "%s", names[pass->kernel]);
  step->global_requests = pass->kernel == CLR_KERNEL_ELEMENTS || pass->kernel == CLR_KERNEL_APPLY ? n : pass->work;
  return index == 0;
}
