// Runs all passes of a call: kernel launches, and work on the host over mapped buffers.
#include "opencl/launch.h"

#include "planning/host_passes.h"

// --- Work of the host ---

// The mapped buffers: the elements, the operator's further inputs, the results, in this order.
struct mapped {
  const char *names[CLR_INPUTS_MAX + 2];
  cl_mem buffers[CLR_INPUTS_MAX + 2];
  void *memory[CLR_INPUTS_MAX + 2];
  size_t count;
};

static cl_int unmap_one(const struct clr_call *call, const struct mapped *mapped, size_t i, struct clr_status *status) {
  cl_event unmapped;
  clr_mutex_lock(call->mapping);
  cl_int err = clEnqueueUnmapMemObject(call->queue, mapped->buffers[i], mapped->memory[i], 0, NULL, &unmapped);
  clr_mutex_unlock(call->mapping);
  if (err)
    return clr_fail_call(status, err, "clEnqueueUnmapMemObject", mapped->names[i]);
  return clr_finish_event(&unmapped, mapped->names[i], status);
}

// Unmaps all of them, even if one fails. Returns the first failure.
static cl_int unmap(const struct clr_call *call, struct mapped *mapped, struct clr_status *status) {
  struct clr_status later;
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < mapped->count; i++) {
    cl_int failed = unmap_one(call, mapped, i, err ? &later : status);
    err = err ? err : failed;
  }
  return err;
}

// With every driver, clWaitForEvents returns the error of a failed event.
static cl_int wait_for(struct clr_call *call, struct clr_status *status) {
  cl_int err = call->waits ? clWaitForEvents(call->waits, call->wait_list) : CL_SUCCESS;
  call->waits = 0;
  call->wait_list = NULL;
  return err ? clr_fail_call(status, err, "clWaitForEvents", "the wait list") : CL_SUCCESS;
}

// PoCL 3.1 returns no memory and no error if two threads enqueue maps of one buffer at the same time. So we hold the
// lock while enqueueing a map, but not while waiting for it.
static cl_int map_one(struct clr_call *call, cl_mem buffer, cl_map_flags how, size_t offset, size_t bytes,
                      struct mapped *mapped, struct clr_status *status) {
  const char *name = how & CL_MAP_WRITE ? "out" : "in";
  cl_int err;
  cl_event has_value = NULL;
  clr_mutex_lock(call->mapping);
  void *memory = clEnqueueMapBuffer(call->queue, buffer, CL_FALSE, how, offset, bytes, call->waits, call->wait_list,
                                    &has_value, &err);
  clr_mutex_unlock(call->mapping);
  if (!err && !memory)
    err = CL_MAP_FAILURE;
  if (err)
    return clr_fail_call(status, err, "clEnqueueMapBuffer", name);
  mapped->names[mapped->count] = name;
  mapped->buffers[mapped->count] = buffer;
  mapped->memory[mapped->count++] = memory;
  return clr_finish_event(&has_value, name, status);
}

static cl_int map_elements(struct clr_call *call, struct mapped *mapped, struct clr_status *status) {
  const struct clr_operands *operands = &call->operands;
  const struct clr_operation *operation = &call->problem->operation;
  size_t elements = (size_t)((call->extent.count - 1) * call->extent.stride + 1), size = operation->element.size;
  cl_int err = map_one(call, call->asked->in, CL_MAP_READ | (call->in_place ? CL_MAP_WRITE : 0),
                       (size_t)call->asked->in_offset * size, elements * size, mapped, status);
  for (size_t i = 0; i < operands->input_count && !err; i++) {
    size_t offset = (size_t)(operands->input_offsets ? operands->input_offsets[i] : 0);
    size = operation->input_sizes[i];
    err = map_one(call, operands->inputs[i], CL_MAP_READ, offset * size, elements * size, mapped, status);
  }
  return err;
}

// Maps the results: counts, or one result for each element.
static cl_int map_out(struct clr_call *call, struct mapped *mapped, struct clr_status *status) {
  const struct clr_histogram *histogram = call->problem->histogram;
  cl_ulong results = histogram ? histogram->results : (call->extent.count - 1) * call->out_stride + 1;
  size_t size = call->problem->operation.result_size;
  return map_one(call, call->out, CL_MAP_READ | CL_MAP_WRITE, (size_t)call->out_offset * size, (size_t)results * size,
                 mapped, status);
}

static cl_int read_partials(struct clr_call *call, const struct clr_pass *pass, struct clr_status *status) {
  size_t size = call->problem->operation.state_size;
  cl_int err = clEnqueueReadBuffer(call->queue, call->workspace->scratch, CL_TRUE, (size_t)pass->first * size,
                                   (size_t)pass->count * size, call->workspace->partials, 0, NULL, NULL);
  return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "the partials") : CL_SUCCESS;
}

static struct clr_host_work describe_work(const struct clr_call *call, const struct clr_pass *pass,
                                          const struct mapped *mapped, void *result) {
  const struct clr_problem *problem = call->problem;
  void *out = call->in_place || !mapped->count ? mapped->memory[0] : mapped->memory[mapped->count - 1];
  return (struct clr_host_work){
    .problem = problem,
    .pass = pass,
    .values = {&problem->operation, mapped->memory[0], pass->count, call->extent.stride,
               (const void *const *)(mapped->memory + 1), call->operands.parameters, call->first_index},
    .scan = {.inclusive = problem->scan == CLRED_SCAN_INCLUSIVE,
             .reversed = problem->reversed,
             .start = call->asked->initial,
             .results = out,
             .stride = call->out_stride},
    .partials = call->workspace->partials,
    .room = call->workspace->partials,
    .result = !problem->histogram   ? result
              : call->asked->result ? call->asked->result
                                    : out,
  };
}

static cl_int work_on_host(struct clr_call *call, const struct clr_pass *pass, void *result,
                           struct clr_status *status) {
  const struct clr_host_pass *row = &clr_host_passes[pass->kind];
  struct mapped mapped = {.count = 0};
  cl_int err = wait_for(call, status);
  if (!err && (row->needs & CLR_NEEDS_PARTIALS))
    err = read_partials(call, pass, status);
  if (!err && (row->needs & CLR_NEEDS_ELEMENTS) && pass->count)
    err = map_elements(call, &mapped, status);
  if (!err && (row->needs & CLR_NEEDS_OUT) && !call->in_place && !call->asked->result)
    err = map_out(call, &mapped, status);
  if (!err) {
    struct clr_host_work work = describe_work(call, pass, &mapped, result);
    row->compute(&work);
    call->found.count = work.kept;
  }
  struct clr_status second = {0};
  cl_int unmapped = unmap(call, &mapped, err ? &second : status);
  return err ? err : unmapped;
}

// --- All passes ---

bool clr_writes_nothing(const struct clr_problem *problem, const struct clr_strategy *strategy,
                        const struct clr_extent *extent) {
  return !extent->rows || !extent->columns || (problem->scan && !extent->count && !strategy->launches_empty);
}

// All launches of a slot share look-back's tile status array. Each launch has its own tag, so that it ignores cells of
// earlier launches. After the last tag the array is cleared.
static cl_int take_tag(struct clr_call *call, struct clr_status *status) {
  const struct clr_board_shape *board = &call->shape->board;
  const cl_uint most = board->cell_bits == 64 ? 0xffffffffu : 0xffffu;
  const struct clr_pass clear = {.kernel = CLR_KERNEL_CLEAR,
                                 .groups = board->cells < 1024 ? board->cells : 1024,
                                 .group_size = 1,
                                 .count = board->cells};
  cl_uint *next = &call->workspace->tag;
  if (!board->cells)
    return CL_SUCCESS;
  cl_int err = *next ? CL_SUCCESS : clr_launch(call, &clear, status);
  if (err)
    return err;
  call->tag = *next ? *next : 1;
  *next = call->tag == most ? 0 : call->tag + 1;
  return CL_SUCCESS;
}

static cl_int run_pass(struct clr_call *call, const struct clr_pass *pass, void *result, struct clr_status *status) {
  if (pass->kind != CLR_PASS_LAUNCH)
    return work_on_host(call, pass, result, status);
  cl_int err = pass->kernel == CLR_KERNEL_ELEMENTS ? take_tag(call, status) : CL_SUCCESS;
  return err ? err : clr_launch(call, pass, status);
}

cl_int clr_run_passes(struct clr_call *call, void *result, bool *on_host, struct clr_status *status) {
  struct clr_pass pass;
  cl_int err = CL_SUCCESS;
  *on_host = false;
  if (clr_writes_nothing(call->problem, call->strategy, &call->extent))
    return call->problem->outcome ? clr_clear_outcome(call, status) : CL_SUCCESS;
  for (unsigned i = 0; !err && clr_strategy_pass(call->shape, &call->extent, i, &pass); i++) {
    err = run_pass(call, &pass, result, status);
    *on_host = pass.kind != CLR_PASS_LAUNCH;
  }
  return err;
}
