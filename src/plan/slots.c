// The slots of a plan: a call acquires a slot and releases it. Also the arguments of histogram kernels, which all calls
// share.
#include <stdlib.h>

#include "plan/plan.h"

#include "opencl/session.h"

static cl_int make_kernels(const clred_plan *plan, struct clr_slot *slot, struct clr_status *status) {
  for (int i = 0; i < CLR_KERNELS && plan->built; i++) {
    char name[80];
    cl_int err;
    if (!(clr_strategy_kernels_of(plan->strategy, &plan->shape) & CLR_KERNEL_BIT(i)))
      continue;
    clr_source_entry(plan->strategy, (enum clr_kernel)i, name, sizeof name);
    slot->space.kernels[i] = clCreateKernel(plan->built->program, name, &err);
    if (err)
      return clr_fail_call(status, err, "clCreateKernel", name);
  }
  return CL_SUCCESS;
}

static cl_int make_buffer(const clred_plan *plan, size_t bytes, void *contents, const char *what, cl_mem *buffer,
                          struct clr_status *status) {
  const cl_mem_flags flags = contents ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE;
  return clr_buffer_make(plan->runtime->context, flags, bytes, contents, what, buffer, status);
}

// Creates words that are 0 between launches: the ticket, then the cells in which groups publish their partials.
static cl_int make_ticket(const clred_plan *plan, cl_mem *buffer, struct clr_status *status) {
  const size_t bytes =
    4 * sizeof(cl_uint) + (size_t)(plan->shape.wide.handover_words + plan->shape.wide.digit_cells) * sizeof(cl_ulong);
  void *zeros = calloc(bytes, 1);
  if (!zeros)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu bytes of the ticket", bytes);
  cl_int err = make_buffer(plan, bytes, zeros, "the ticket", buffer, status);
  free(zeros);
  return err;
}

cl_int clr_slot_make(const clred_plan *plan, cl_ulong states, struct clr_slot *slot, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  size_t bytes = (size_t)(states ? states : 1) * operation->state_size;
  const size_t offsets = plan->runs ? (size_t)(plan->problem.count_max + 1) * sizeof(cl_ulong) : 0;
  const struct {
    bool is_needed;
    size_t bytes;
    const char *what;
    cl_mem *buffer;
  } buffers[] = {
    {plan->built != NULL, bytes, "scratch", &slot->space.scratch},
    {true, operation->result_size * (size_t)clr_values_per_result(&plan->problem), "the result", &slot->space.result},
    {plan->problem.outcome != 0, sizeof(clred_outcome), "the outcome", &slot->space.outcome},
    {plan->runs != NULL, offsets, "the runs' offsets", &slot->space.offsets},
    {plan->runs != NULL, sizeof(clred_outcome), "the number of runs", &slot->space.run_count},
  };
  const size_t sums = plan->problem.weights && plan->strategy->exec == CLR_EXEC_HOST
                        ? plan->problem.weights->state_size * (size_t)clr_values_per_result(&plan->problem)
                        : 0,
               partials = plan->shape.finish == CLR_FINISH_HOST ? bytes : sums;
  cl_int err = make_kernels(plan, slot, status);
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers && !err; i++)
    if (buffers[i].is_needed)
      err = make_buffer(plan, buffers[i].bytes, NULL, buffers[i].what, buffers[i].buffer, status);
  if (!err && plan->built)
    err = make_ticket(plan, &slot->space.ticket, status);
  if (err || !partials)
    return err;
  slot->space.partials = malloc(partials);
  return slot->space.partials
           ? CL_SUCCESS
           : clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %zu bytes of partials", partials);
}

cl_int clr_slots_create(clred_plan *plan, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  plan->slots = calloc(plan->problem.in_flight, sizeof *plan->slots);
  if (!plan->slots)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for %u slots", plan->problem.in_flight);
  for (cl_uint i = 0; i < plan->problem.in_flight && !err; i++)
    err = clr_slot_make(plan, plan->shape.scratch, &plan->slots[i], status);
  return err;
}

// Remembers the queue of the slot's last call. Does nothing if it is the same queue: with some drivers, retain and
// release cost as much as a launch.
static void set_queue(struct clr_slot *slot, cl_command_queue queue) {
  if (slot->queue == queue)
    return;
  if (slot->queue)
    clReleaseCommandQueue(slot->queue);
  slot->queue = !queue || clRetainCommandQueue(queue) ? NULL : queue;
}

// Calls without an event may still run. OpenCL keeps their buffers alive until they complete.
void clr_slot_discard(struct clr_slot *slot) {
  clr_finish_event(&slot->pending, "a call", &(struct clr_status){0});
  clr_wait_for_events(&slot->space.kept);
  set_queue(slot, NULL);
  clr_release_event(&slot->first);
  clr_release_event(&slot->last);
  for (int i = 0; i < CLR_KERNELS; i++)
    if (slot->space.kernels[i])
      clReleaseKernel(slot->space.kernels[i]);
  cl_mem buffers[] = {slot->space.scratch, slot->space.ticket,  slot->space.outcome,
                      slot->space.result,  slot->space.offsets, slot->space.run_count};
  clr_release_buffers(buffers, sizeof buffers / sizeof *buffers);
  free(slot->space.partials);
}

void clr_slots_release(clred_plan *plan) {
  for (cl_uint i = 0; plan->slots && i < plan->problem.in_flight; i++)
    clr_slot_discard(&plan->slots[i]);
  free(plan->slots);
  plan->slots = NULL;
  plan->latest = NULL;
}

cl_int clr_plan_check_program(const clred_plan *plan, struct clr_status *status) {
  return plan->for_host_calls ? clr_fail(status, CLRED_INVALID_ARGUMENT,
                                         "host_calls: this plan is only for clred_plan_run_host; make one without "
                                         "host_calls")
                              : CL_SUCCESS;
}

// True if the command has completed or failed; in both cases it no longer runs.
static bool is_done(struct clr_slot *slot) {
  cl_int state = CL_QUEUED;
  if (!slot->pending)
    return !slot->unmarked;
  cl_int err = clGetEventInfo(slot->pending, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  // A failed call may have left the tile status array uncleared, so clear it next time.
  if (!err && state < 0)
    slot->space.tag = 0;
  return !err && state <= CL_COMPLETE;
}

static struct clr_slot *choose(clred_plan *plan) {
  struct clr_slot *chosen = NULL;
  cl_uint count = plan->problem.in_flight;
  for (cl_uint i = 0; i < count; i++) {
    struct clr_slot *slot = &plan->slots[(plan->next + i) % count];
    if (slot->busy)
      continue;
    if (is_done(slot)) {
      clr_release_event(&slot->pending);
      clr_forget_events(&slot->space.kept);
      return slot;
    }
    chosen = chosen ? chosen : slot;
  }
  return chosen;
}

struct clr_slot *clr_slot_acquire(clred_plan *plan) {
  struct clr_slot *slot;
  clr_mutex_lock(&plan->lock);
  while ((slot = choose(plan)) == NULL)
    clr_condition_wait(&plan->given, &plan->lock);
  slot->busy = true;
  plan->next = ((cl_uint)(slot - plan->slots) + 1) % plan->problem.in_flight;
  clr_mutex_unlock(&plan->lock);
  return slot;
}

void clr_slot_release(clred_plan *plan, struct clr_slot *slot, struct clr_call *call, cl_event end, bool succeeded,
                      bool warms) {
  clr_mutex_lock(&plan->lock);
  bool first = succeeded && !plan->latest, is_latest = succeeded && !warms;
  if (!succeeded)
    slot->space.tag = 0;
  if (end || (call->is_enqueued && !call->has_events)) {
    clr_keep_event(&slot->space.kept, slot->pending);
    set_queue(slot, call->queue);
    slot->pending = end;
    slot->unmarked = !call->has_events;
    // Without its queue we could not wait for this call later, so wait now.
    if (slot->unmarked && !slot->queue) {
      clFinish(call->queue);
      slot->unmarked = false;
    }
  }
  // The host did all the work, so no command is running.
  if (succeeded && !end && call->has_events) {
    clr_release_event(&slot->pending);
    set_queue(slot, NULL);
    slot->unmarked = false;
  }
  if (is_latest) {
    clr_release_event(&slot->first);
    clr_keep_event(&slot->space.kept, slot->last);
    slot->last = NULL;
    plan->latest = slot;
  }
  if (is_latest && plan->problem.profile) {
    slot->first = call->first;
    slot->last = call->last;
    call->first = call->last = NULL;
  }
  clr_call_release(call);
  slot->busy = false;
  clr_condition_signal(&plan->given);
  clr_mutex_unlock(&plan->lock);
  if (first && plan->built)
    atomic_store(&plan->built->launched, true);
}

// --- Arguments of a histogram ---

// Kernels use keys as wide as the elements, but at least 32 bits.
static void *narrow_keys(const struct clr_histogram *histogram) {
  cl_uint *keys = calloc((size_t)histogram->bins, sizeof *keys);
  for (cl_ulong i = 0; keys && i < histogram->inner; i++)
    keys[i] = (cl_uint)histogram->keys[i];
  return keys;
}

static void put(struct clr_histogram_arguments *arguments, size_t *next, size_t size, cl_ulong bits) {
  clr_bits_put(bits, size, &arguments->numbers[*next]);
  arguments->sizes[*next] = size;
  arguments->pointers[*next] = &arguments->numbers[*next];
  ++*next;
}

static void put_real(struct clr_histogram_arguments *arguments, size_t *next, bool in_doubles, double real) {
  const float rounded = (float)real;
  const size_t size = in_doubles ? sizeof real : sizeof rounded;
  put(arguments, next, size, clr_bits_get(in_doubles ? (const void *)&real : &rounded, size));
}

// Fills in the numbers in the order of PARAMETERS in cl/histogram/words.clh.
static void fill_numbers(const clred_plan *plan, struct clr_histogram_arguments *arguments) {
  const struct clr_histogram *histogram = plan->problem.histogram;
  const struct clr_counting *counting = &plan->shape.counting;
  const struct clr_type *type = plan->problem.operation.element.row;
  const size_t key = type->size == 8 ? 8 : 4;
  const bool in_doubles = type->size == 8 && type->class == CLR_FLOATING, in_floats = type->class == CLR_FLOATING;
  const cl_ulong keys[] = {histogram->lowest, histogram->span};
  const cl_ulong counts[] = {histogram->inner, counting->bins, counting->slots, counting->local_slots,
                             counting->copies};
  const double reals[] = {in_floats ? histogram->base : 0, histogram->scale, histogram->offset, histogram->margin};
  size_t next = 0;
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    put(arguments, &next, key, keys[i]);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    put(arguments, &next, sizeof(cl_uint), counts[i]);
  for (size_t i = 0; i < sizeof reals / sizeof *reals; i++)
    put_real(arguments, &next, in_doubles, histogram->guesses ? reals[i] : 0);
}

// Appends numbers that are as wide as a key.
static void append(unsigned char **to, size_t width, const cl_ulong *numbers, cl_ulong count) {
  for (cl_ulong i = 0; i < count; i++, *to += width)
    clr_bits_put(numbers[i], width, *to);
}

// The edges for histogram_cells: the numbers of bins and copies, and for each axis the 8 numbers that clred_axis_at
// reads (cl/strategies/histogram_cells.cl) and the keys of its inner edges.
static void pack_axes(const clred_plan *plan, size_t width, unsigned char *to) {
  const struct clr_counting *counting = &plan->shape.counting;
  const bool in_floats = plan->problem.operation.element.row->class == CLR_FLOATING;
  append(&to, width, (const cl_ulong[]){counting->bins, counting->copies}, 2);
  for (const struct clr_histogram *axis = plan->problem.histogram; axis; axis = axis->next) {
    const double reals[] = {in_floats ? axis->base : 0, axis->scale, axis->offset, axis->margin};
    append(&to, width, (const cl_ulong[]){axis->lowest, axis->span, axis->inner, axis->bins}, 4);
    for (size_t i = 0; i < 4; i++) {
      const double wide = counting->guesses ? reals[i] : 0;
      const float narrow = (float)wide;
      const cl_ulong bits = in_floats && width == 8 ? clr_bits_get(&wide, 8) : clr_bits_get(&narrow, 4);
      append(&to, width, &bits, 1);
    }
    append(&to, width, axis->keys, clr_max(axis->inner, 1));
  }
}

static cl_int make_edges(const clred_plan *plan, cl_mem *edges, struct clr_status *status) {
  const struct clr_histogram *histogram = plan->problem.histogram;
  const bool is_narrow = plan->problem.operation.element.size < 8, has_cells = plan->shape.counting.cells != 0;
  const size_t width = is_narrow ? sizeof(cl_uint) : sizeof(cl_ulong);
  size_t size = has_cells ? 2 * width : 0;
  // Even without inner edges, there is one edge in memory.
  for (const struct clr_histogram *axis = histogram; axis; axis = axis->next)
    size += ((size_t)clr_max(axis->inner, 1) + (has_cells ? 8 : 0)) * width;
  void *keys = has_cells ? malloc(size) : is_narrow ? narrow_keys(histogram) : histogram->keys;
  if (!keys)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for the edges of %llu bins",
                    (unsigned long long)histogram->bins);
  if (has_cells)
    pack_axes(plan, width, keys);
  cl_int err = clr_buffer_make(plan->runtime->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, size, keys, "the edges",
                               edges, status);
  if (keys != histogram->keys)
    free(keys);
  return err;
}

cl_int clr_histogram_make_arguments(clred_plan *plan, struct clr_status *status) {
  struct clr_histogram_arguments *arguments = &plan->histogram;
  const bool has_cells = plan->shape.counting.cells != 0;
  if (!plan->problem.histogram || plan->strategy->exec == CLR_EXEC_HOST)
    return CL_SUCCESS;
  // The numbers depend on the shape, which is made again if a trial refuses the group size. Those of histogram_cells
  // are among the edges.
  if (has_cells)
    clr_histogram_release_arguments(plan);
  cl_int err = arguments->edges ? CL_SUCCESS : make_edges(plan, &arguments->edges, status);
  fill_numbers(plan, arguments);
  arguments->operands = (struct clr_operands){
    .input_count = 1,
    .inputs = &arguments->edges,
    .parameter_count = has_cells ? 0 : CLR_HISTOGRAM_NUMBERS,
    .parameter_sizes = arguments->sizes,
    .parameters = arguments->pointers,
    .local_bytes = plan->shape.counting.by_value || has_cells ? 0 : (size_t)plan->shape.local_bytes};
  return err;
}

void clr_histogram_release_arguments(clred_plan *plan) {
  clr_release_buffers(&plan->histogram.edges, 1);
}
