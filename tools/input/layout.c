// Computes the numbers of a call from the options and the shape of the input.
#include "input/layout.h"

#include <inttypes.h>
#include <string.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "input/row_files.h"

// The product of the lengths before the reduced axes, of the reduced axes, and of the axes after them.
struct extents {
  uint64_t outer, along, inner;
};

// Returns UINT64_MAX if the product does not fit 64 bits. A valid header may have such lengths if another length is 0.
static uint64_t multiply(uint64_t a, uint64_t b) {
  return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

static int check_axis(int64_t wanted, int64_t dimensions) {
  if (dimensions == 0)
    return fail(EXIT_BAD_USE, "--axis %" PRId64 ": the array has no dimensions; leave --axis out", wanted);
  if (wanted < -dimensions || wanted >= dimensions)
    return fail(EXIT_BAD_USE, "--axis %" PRId64 ": the array has %" PRId64 " dimension%s; give %" PRId64 " to %" PRId64,
                wanted, dimensions, dimensions == 1 ? "" : "s", -dimensions, dimensions - 1);
  return EXIT_DONE;
}

static int find_axes(const struct wholes *axes, const struct input *input, bool reduced[NPY_DIMENSIONS_MAX]) {
  int64_t dimensions = input_dimensions(input);
  memset(reduced, 0, NPY_DIMENSIONS_MAX * sizeof *reduced);
  for (size_t i = 0; i < axes->count; i++) {
    int64_t axis = axes->list[i] < 0 ? axes->list[i] + dimensions : axes->list[i];
    int code = check_axis(axes->list[i], dimensions);
    if (!code && reduced[axis])
      code = fail(EXIT_BAD_USE, "--axis %s: axis %" PRId64 " is given twice; give it once", axes->text, axis);
    if (code)
      return code;
    reduced[axis] = true;
  }
  return EXIT_DONE;
}

static void take_shape(const struct input *input, const bool *reduced, bool keepdims, struct layout *layout) {
  for (unsigned i = 0; i < input_dimensions(input); i++)
    if (!reduced[i] || keepdims)
      layout->shape[layout->dimensions++] = reduced[i] ? 1 : input_length(input, i);
}

// Joins adjacent axes that are all reduced, or all kept, to one axis. Leaves out axes of length 1.
static unsigned merge_axes(const struct input *input, const bool *reduced, uint64_t *shape, bool *merged) {
  unsigned count = 0;
  for (unsigned i = 0; i < input_dimensions(input); i++) {
    uint64_t length = input_length(input, i);
    if (length != 1 && count > 0 && merged[count - 1] == reduced[i])
      shape[count - 1] = multiply(shape[count - 1], length);
    else if (length != 1) {
      merged[count] = reduced[i];
      shape[count++] = length;
    }
  }
  return count;
}

// If the reduced axes are not adjacent, or if the elements of each row must be, the elements are reordered: all kept
// axes come first.
static struct extents find_extents(const bool *reduced, unsigned count, struct layout *layout) {
  struct extents extents = {1, 1, 1};
  unsigned kept = 0, found = 0, at = 0;
  for (unsigned i = 0; i < count; i++) {
    kept += !reduced[i];
    found += reduced[i];
    if (reduced[i])
      extents.along = multiply(extents.along, layout->merged[i]);
    else if (found == 0)
      extents.outer = multiply(extents.outer, layout->merged[i]);
    else
      extents.inner = multiply(extents.inner, layout->merged[i]);
  }
  if (found < 2 && (extents.inner == 1 || !layout->in_lines))
    return extents;
  for (unsigned i = 0; i < count; i++)
    layout->order[reduced[i] ? kept++ : at++] = i;
  layout->axes = count;
  return (struct extents){multiply(extents.outer, extents.inner), extents.along, 1};
}

// A reduction along an axis can treat any array as one of at most three dimensions. Axes of length 1 are left out, and
// a single row is a line.
static int fill_call(struct extents extents, struct layout *layout) {
  cl_ulong shape[3];
  cl_uint dimensions = 0, axis;
  layout->call.count = extents.along;
  if (layout->results <= 1)
    return EXIT_DONE;
  if (extents.outer != 1)
    shape[dimensions++] = extents.outer;
  axis = dimensions;
  shape[dimensions++] = extents.along;
  if (extents.inner != 1)
    shape[dimensions++] = extents.inner;
  cl_int status = clred_call_along_axis(&layout->call, &layout->kind, dimensions, shape, axis);
  return status ? fail_library(status, "clred_call_along_axis") : EXIT_DONE;
}

static int check_axes(const struct args *args, const struct input *input) {
  const char *axes = args->axes.text;
  if (args->axes.count > 1 && (args->scan || args->verb->bit == VERB_SCAN))
    return fail(EXIT_BAD_USE, "--axis %s: a scan goes along one axis; give one", axes);
  if (input->files.odd != NULL)
    return fail(EXIT_BAD_USE, "--axis %s: %s does not continue the array of %s; their shapes must agree behind axis 0",
                axes, input->files.odd, input->request.names[0]);
  return EXIT_DONE;
}

static int take_axes(const struct args *args, const struct input *input, struct layout *layout) {
  bool reduced[NPY_DIMENSIONS_MAX], merged[NPY_DIMENSIONS_MAX];
  int code = check_axes(args, input);
  code = code ? code : find_axes(&args->axes, input, reduced);
  if (code)
    return code;
  take_shape(input, reduced, args->keepdims, layout);
  struct extents extents = find_extents(merged, merge_axes(input, reduced, layout->merged, merged), layout);
  layout->listed = true;
  layout->results = multiply(extents.outer, extents.inner);
  if (layout->results == UINT64_MAX)
    return fail(EXIT_WORK_FAILED, "%s: --axis %s gives 2^64 results or more; there is not enough memory",
                input_name(input), args->axes.text);
  layout->step = layout->inner = extents.inner;
  return fill_call(extents, layout);
}

static int take_stride(uint64_t stride, const struct input *input, struct layout *layout) {
  layout->kind = CLRED_LAYOUT_STRIDED;
  layout->call.count = input->count / stride + (input->count % stride != 0);
  layout->call.stride = layout->step = stride;
  return EXIT_DONE;
}

int layout_check_axes(const struct args *args, const struct input *input) {
  bool reduced[NPY_DIMENSIONS_MAX];
  int code = args->axes.count > 0 ? check_axes(args, input) : EXIT_DONE;
  return code || args->axes.count == 0 ? code : find_axes(&args->axes, input, reduced);
}

int layout_take(const struct args *args, const struct input *input, bool in_lines, struct layout *layout) {
  *layout = (struct layout){.call = {.count = input->count}, .results = 1, .step = 1, .inner = 1, .in_lines = in_lines};
  if (args->axes.count > 0)
    return take_axes(args, input, layout);
  if (args->stride.given)
    return take_stride(args->stride.value, input, layout);
  return EXIT_DONE;
}

void layout_take_scan(const struct input *input, struct layout *layout) {
  bool all = layout->kind != CLRED_LAYOUT_STRIDED;
  layout->listed = true;
  layout->dimensions = all ? input_dimensions(input) : 1;
  for (unsigned i = 0; i < layout->dimensions; i++)
    layout->shape[i] = all ? input_length(input, i) : layout->call.count;
  layout->call.out_stride = all ? 0 : 1;
}

void layout_take_segments(const struct input *segments, struct layout *layout) {
  layout->kind = CLRED_LAYOUT_SEGMENTS;
  layout->segments = segments;
  layout->listed = true;
  layout->call.rows = layout->results = layout->shape[0] = segments_number(segments);
  layout->dimensions = 1;
}

void layout_take_unknown_runs(clred_layout kind, struct layout *layout) {
  layout->kind = kind;
  layout->listed = true;
  layout->results = layout->shape[0] = layout->call.count;
  layout->dimensions = 1;
}

void layout_take_runs(const struct input *offsets, struct layout *layout) {
  layout->segments = offsets;
  layout->results = segments_number(offsets);
}

void layout_take_selection(struct layout *layout, uint64_t kept) {
  layout->listed = true;
  layout->dimensions = 1;
  layout->shape[0] = kept;
}

uint64_t layout_first(const struct layout *layout, uint64_t result) {
  if (layout->segments != NULL)
    return segments_offset(layout->segments, result);
  return result / layout->inner * layout->inner * layout->call.count + result % layout->inner;
}

uint64_t layout_scanned(const struct layout *layout, uint64_t row, uint64_t element) {
  return layout->kind == CLRED_LAYOUT_STRIDED ? element : layout_first(layout, row) + element * layout->step;
}

uint64_t layout_count(const struct layout *layout, uint64_t result) {
  if (layout->segments == NULL)
    return layout->call.count;
  return segments_offset(layout->segments, result + 1) - segments_offset(layout->segments, result);
}

uint64_t layout_elements(const struct layout *layout) {
  if (layout->kind >= CLRED_LAYOUT_SEGMENTS)
    return layout->call.count;
  return layout->call.count * layout->results;
}
