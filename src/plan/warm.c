// Warms a plan: launches each kernel in every form that a driver may compile at a first launch, over data of the
// library's own. Called by clred_plan_warm.
#include <stdlib.h>
#include <string.h>

#include "host/samples.h"
#include "plan/plan.h"

// PoCL compiles a kernel for each group size, and once more for launches of more work-items than 16 bits count.
struct form {
  enum clr_kernel kernel;
  cl_ulong group_size;
  bool is_large;
};

#define FORMS_MAX 32
#define LARGE 65535
// Forms that take longer calls than these are left to the first such call.
#define MOST_ELEMENTS ((cl_ulong)1 << 24)
#define MOST_BYTES ((cl_ulong)64 << 20)

struct warming {
  clred_plan *plan;
  cl_command_queue queue;
  struct form forms[FORMS_MAX];
  size_t form_count;
  struct clr_extent extents[FORMS_MAX];  // of calls that have all the forms together
  size_t extent_count;
  cl_ulong elements, rows;  // of the longest of them
  cl_mem in, inputs[CLR_INPUTS_MAX], out, segments;
  unsigned char parameters[CLR_OPERANDS_MAX][CLR_STATE_SIZE_MAX];
};

// --- Forms ---

static bool is_new(const struct warming *warming, const struct form *form) {
  for (size_t i = 0; i < warming->form_count; i++)
    if (warming->forms[i].kernel == form->kernel && warming->forms[i].group_size == form->group_size &&
        warming->forms[i].is_large == form->is_large)
      return false;
  return warming->form_count < FORMS_MAX;
}

static bool adds_forms(struct warming *warming, const struct clr_extent *extent) {
  const clred_plan *plan = warming->plan;
  const size_t before = warming->form_count;
  struct clr_shape shape = plan->shape;
  struct clr_pass pass;
  shape.call_rows = extent->rows;
  shape.call_columns = extent->columns;
  if (clr_has_no_results(plan, extent))
    return false;
  for (unsigned i = 0; clr_strategy_pass(plan->strategy, &shape, extent->count, i, &pass); i++) {
    const struct form form = {pass.kernel, pass.group_size, pass.groups * pass.group_size >= LARGE};
    if (pass.kind == CLR_PASS_LAUNCH && is_new(warming, &form))
      warming->forms[warming->form_count++] = form;
  }
  return warming->form_count > before;
}

static bool is_grid(const clred_plan *plan) {
  return plan->problem.layout == CLRED_LAYOUT_ROWS || plan->problem.layout == CLRED_LAYOUT_COLUMNS;
}

static cl_ulong elements_of(const clred_plan *plan, const struct clr_extent *extent) {
  return is_grid(plan) ? clr_multiply(extent->count, clr_result_count(extent)) : extent->count;
}

static cl_ulong results_of(const clred_plan *plan, cl_ulong elements, cl_ulong rows) {
  if (plan->problem.selects)
    return elements + plan->problem.custom->keeping.ends;
  return plan->problem.scan ? elements : clr_multiply(rows, clr_values_a_result(plan));
}

// Whether memory for the call is no burden.
static bool is_small(const clred_plan *plan, const struct clr_extent *extent) {
  const struct clr_operation *operation = &plan->problem.operation;
  cl_ulong elements = elements_of(plan, extent), rows = clr_result_count(extent);
  size_t widest = operation->element.size;
  for (size_t i = 0; i < operation->input_count; i++)
    widest = operation->input_sizes[i] > widest ? operation->input_sizes[i] : widest;
  return elements <= MOST_ELEMENTS && rows <= MOST_ELEMENTS && elements <= MOST_BYTES / widest &&
         results_of(plan, elements, rows) <= MOST_BYTES / operation->result_size;
}

static void consider(struct warming *warming, cl_ulong count, cl_ulong rows) {
  const clred_plan *plan = warming->plan;
  const bool columns = plan->problem.layout == CLRED_LAYOUT_COLUMNS;
  const struct clr_extent extent = clr_extent_of(
    plan, &(clred_call){.count = count, .stride = columns ? rows : 1, .rows = columns ? 1 : rows, .columns = rows});
  if (count > plan->shape.count_max || count > plan->shape.count_most || !is_small(plan, &extent) ||
      warming->extent_count == FORMS_MAX || !adds_forms(warming, &extent))
    return;
  warming->extents[warming->extent_count++] = extent;
  cl_ulong elements = elements_of(plan, &extent), results = clr_result_count(&extent);
  warming->elements = elements > warming->elements ? elements : warming->elements;
  warming->rows = results > warming->rows ? results : warming->rows;
}

// Short calls first, so that most forms are met by them.
static void find_calls(struct warming *warming) {
  const clred_layout layout = warming->plan->problem.layout;
  const bool has_rows = is_grid(warming->plan) || layout == CLRED_LAYOUT_SEGMENTS;
  for (cl_ulong size = 1; size <= MOST_ELEMENTS; size *= 2)
    for (cl_ulong rows = 1; rows <= (has_rows ? size : 1); rows *= 2) {
      if (size == rows)
        consider(warming, 0, rows);
      consider(warming, size / (is_grid(warming->plan) ? rows : 1), rows);
      consider(warming, size / (is_grid(warming->plan) ? rows : 1) + 1, rows);
    }
}

// --- Data: ones, which no operator should divide by in vain ---

static cl_int upload(struct warming *warming, void *values, size_t bytes, cl_mem *buffer, struct clr_status *status) {
  const cl_mem_flags flags = CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR;
  cl_int err = CL_SUCCESS;
  if (!values)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu bytes while warming a plan", bytes);
  *buffer = clCreateBuffer(warming->plan->runtime->context, flags, bytes, values, &err);
  return err ? clr_fail_call(status, err, "clCreateBuffer", "warming a plan") : CL_SUCCESS;
}

static cl_int make_buffer(struct warming *warming, const void *value, size_t size, cl_ulong count, cl_mem *buffer,
                          struct clr_status *status) {
  const size_t bytes = size * (size_t)(count ? count : 1);
  unsigned char *values = malloc(bytes);
  for (size_t at = 0; values && at < bytes; at += size)
    memcpy(values + at, value, size);
  cl_int err = upload(warming, values, bytes, buffer, status);
  free(values);
  return err;
}

static cl_int make_elements(struct warming *warming, struct clr_status *status) {
  const struct clr_operation *operation = &warming->plan->problem.operation;
  unsigned char one[CLR_STATE_SIZE_MAX];
  struct clr_layout layout;
  clr_layout_element(operation, &layout);
  clr_put_edge(&layout, 0, one);
  cl_int err = make_buffer(warming, one, operation->element.size, warming->elements, &warming->in, status);
  for (size_t i = 0; i < operation->input_count && !err; i++) {
    clr_layout_input(operation, i, &layout);
    clr_put_edge(&layout, 0, one);
    err = make_buffer(warming, one, operation->input_sizes[i], warming->elements, &warming->inputs[i], status);
  }
  for (size_t i = 0; i < operation->parameter_count && !err; i++) {
    clr_layout_parameter(operation, i, &layout);
    clr_put_edge(&layout, 0, warming->parameters[i]);
  }
  return err;
}

static cl_int make_data(struct warming *warming, struct clr_status *status) {
  const struct clr_problem *problem = &warming->plan->problem;
  static const unsigned char zeros[CLR_STATE_SIZE_MAX], ones[sizeof(cl_ulong)] = {1, 1, 1, 1, 1, 1, 1, 1};
  const cl_ulong results = results_of(warming->plan, warming->elements, warming->rows);
  cl_int err = make_elements(warming, status);
  if (!err)
    err = make_buffer(warming, zeros, problem->operation.result_size, results, &warming->out, status);
  // Flags or keys, one an element.
  if (!err && problem->layout > CLRED_LAYOUT_SEGMENTS)
    err = make_buffer(warming, ones, sizeof ones, warming->elements, &warming->segments, status);
  return err;
}

static void release(struct warming *warming) {
  const cl_mem buffers[] = {warming->in, warming->out, warming->segments};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    if (buffers[i])
      clReleaseMemObject(buffers[i]);
  for (size_t i = 0; i < CLR_INPUTS_MAX; i++)
    if (warming->inputs[i])
      clReleaseMemObject(warming->inputs[i]);
}

// Segments of one length, but for the last.
static cl_int make_offsets(struct warming *warming, const struct clr_extent *extent, struct clr_status *status) {
  const size_t size = warming->plan->problem.segment_type->size, bytes = (size_t)(extent->rows + 1) * size;
  unsigned char *offsets = malloc(bytes);
  for (cl_ulong i = 0; offsets && i <= extent->rows; i++) {
    const cl_ulong wide = i == extent->rows ? extent->count : extent->count / extent->rows * i;
    const cl_uint narrow = (cl_uint)wide;
    memcpy(offsets + i * size, size == sizeof wide ? (const void *)&wide : &narrow, size);
  }
  cl_int err = upload(warming, offsets, bytes, &warming->segments, status);
  free(offsets);
  return err;
}

// --- The calls ---

static cl_int call(struct warming *warming, const struct clr_extent *extent, struct clr_status *status) {
  const void *parameters[CLR_OPERANDS_MAX];
  cl_event done = NULL;
  for (size_t i = 0; i < CLR_OPERANDS_MAX; i++)
    parameters[i] = warming->parameters[i];
  const struct clr_request request = {.queue = warming->queue,
                                      .call = {.in = warming->in,
                                               .inputs = warming->inputs,
                                               .parameters = parameters,
                                               .count = extent->count,
                                               .stride = extent->stride,
                                               .rows = extent->rows,
                                               .columns = extent->columns,
                                               .segments = warming->segments,
                                               .out = warming->out},
                                      .event = &done,
                                      .warms = true};
  cl_int err = clr_enqueue(warming->plan, &request, status);
  if (err)
    return err;
  err = clWaitForEvents(1, &done);
  clReleaseEvent(done);
  return err ? clr_fail_call(status, err, "clWaitForEvents", "warming a plan") : CL_SUCCESS;
}

static cl_int run(struct warming *warming, const struct clr_extent *extent, struct clr_status *status) {
  const bool has_offsets = warming->plan->problem.layout == CLRED_LAYOUT_SEGMENTS;
  cl_int err = has_offsets ? make_offsets(warming, extent, status) : CL_SUCCESS;
  if (!err)
    err = call(warming, extent, status);
  if (has_offsets && warming->segments) {
    clReleaseMemObject(warming->segments);
    warming->segments = NULL;
  }
  return err;
}

cl_int clr_plan_warm(cl_command_queue queue, clred_plan *plan, struct clr_status *status) {
  struct warming warming = {.plan = plan, .queue = queue};
  cl_int err = plan->runs ? clr_plan_warm(queue, plan->runs, status) : CL_SUCCESS;
  if (err || !plan->built)
    return err;
  find_calls(&warming);
  err = make_data(&warming, status);
  for (size_t i = 0; i < warming.extent_count && !err; i++) {
    err = run(&warming, &warming.extents[i], status);
    // Loops of this device end too early for that many.
    if (err == CLRED_COUNT_ABOVE_MAXIMUM)
      err = CL_SUCCESS;
  }
  release(&warming);
  return err;
}
