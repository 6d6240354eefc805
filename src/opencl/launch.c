// Enqueues one launch of a pass: sets the kernel's arguments and passes events from launch to launch.
#include "opencl/launch.h"

#include "opencl/session.h"

#include <string.h>

#include "model/operator.h"

void clr_keep_event(struct clr_kept_events *kept, cl_event event) {
  cl_event *place = &kept->events[kept->count % CLR_KEPT_EVENTS];
  if (!event)
    return;
  if (kept->count++ >= CLR_KEPT_EVENTS)
    clReleaseEvent(*place);
  *place = event;
}

static bool is_under_way(cl_event event) {
  cl_int state = CL_COMPLETE;
  return !clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) && state > CL_COMPLETE;
}

void clr_forget_events(struct clr_kept_events *kept) {
  size_t left = 0;
  for (size_t i = 0; i < kept->count && i < CLR_KEPT_EVENTS; i++)
    if (is_under_way(kept->events[i]))
      kept->events[left++] = kept->events[i];
    else
      clReleaseEvent(kept->events[i]);
  kept->count = left;
}

void clr_wait_for_events(struct clr_kept_events *kept) {
  for (size_t i = 0; i < kept->count && i < CLR_KEPT_EVENTS; i++) {
    clWaitForEvents(1, &kept->events[i]);
    clReleaseEvent(kept->events[i]);
  }
  kept->count = 0;
}

void clr_release_event(cl_event *event) {
  if (*event)
    clReleaseEvent(*event);
  *event = NULL;
}

void clr_release_buffers(cl_mem *buffers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (buffers[i])
      clReleaseMemObject(buffers[i]);
    buffers[i] = NULL;
  }
}

cl_int clr_finish_event(cl_event *event, const char *what, struct clr_status *status) {
  cl_int err = *event ? clWaitForEvents(1, event) : CL_SUCCESS;
  clr_release_event(event);
  return err ? clr_fail_call(status, err, "clWaitForEvents", what) : CL_SUCCESS;
}

// Releases `last` if the next launch waited for it, or comes after it in the queue.
static void release_last(struct clr_call *call) {
  if (call->last && call->chains)
    clr_keep_event(&call->workspace->kept, call->last);
  else
    clr_release_event(&call->last);
  call->last = NULL;
}

// Makes the new command's event the call's last event (takes ownership), if the call has events.
static void take_event(struct clr_call *call, cl_event event) {
  call->is_enqueued = true;
  if (!call->has_events) {
    call->waits = 0;
    call->wait_list = NULL;
    return;
  }
  if (!call->first && call->keep_first && !clRetainEvent(event))
    call->first = event;
  release_last(call);
  call->last = event;
  call->waits = call->chains ? 1 : 0;
  call->wait_list = call->chains ? &call->last : NULL;
}

cl_int clr_check_event(cl_event event, const char *what, struct clr_status *status) {
  cl_int state = CL_COMPLETE;
  cl_int err = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  if (err)
    return clr_fail_call(status, err, "clGetEventInfo", what);
  return state >= 0 ? CL_SUCCESS
                    : clr_fail(status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "%s ended in %s (%d)", what,
                               clr_status_name(state), state);
}

cl_int clr_check_last(const struct clr_call *call, struct clr_status *status) {
  return call->chains && call->last ? clr_check_event(call->last, "the launch before", status) : CL_SUCCESS;
}

struct common_argument {
  size_t size;
  const void *value;
  bool is_callers;  // a buffer of the caller: a new buffer may have the same handle, so it is always set
};

// Sets the arguments that changed since the kernel's last launch. Setting arguments is most of a launch's host time.
static cl_int set_changed(cl_kernel kernel, const struct common_argument *arguments,
                          struct clr_known_arguments *known) {
  bool were_set = known->are_set;
  cl_int err = CL_SUCCESS;
  known->are_set = false;
  for (cl_uint i = 0; i < CLR_COMMON_ARGUMENTS && !err; i++) {
    cl_ulong bits = 0;
    memcpy(&bits, arguments[i].value, arguments[i].size);
    if (!were_set || arguments[i].is_callers || bits != known->bits[i])
      err = clSetKernelArg(kernel, i, arguments[i].size, arguments[i].value);
    if (!err)
      known->bits[i] = bits;
  }
  known->are_set = !err;
  return err;
}

// Sets the arguments that every kernel takes, in the order of cl/common/entry.clh.
static cl_int set_common(const struct clr_call *call, cl_kernel kernel, const struct clr_pass *pass) {
  struct clr_workspace *space = call->workspace;
  bool reads_elements = pass->kernel == CLR_KERNEL_ELEMENTS || pass->kernel == CLR_KERNEL_APPLY;
  cl_ulong first = reads_elements ? call->asked->in_offset : pass->first;
  // Each buffer argument costs launch time, so a kernel with one group gets no scratch and no ticket.
  static const cl_mem none = NULL;
  const cl_mem *scratch = pass->alone ? &none : &space->scratch, *ticket = pass->alone ? &none : &space->ticket;
  const struct common_argument arguments[CLR_COMMON_ARGUMENTS] = {
    {sizeof(cl_mem), reads_elements ? &call->asked->in : scratch, reads_elements},
    {sizeof(cl_ulong), &first, false},
    {sizeof(cl_ulong), &pass->count, false},
    {sizeof(cl_ulong), &call->extent.stride, false},
    {sizeof(cl_ulong), &call->extent.rows, false},
    {sizeof(cl_ulong), &call->extent.row_stride, false},
    {sizeof(cl_ulong), &call->extent.columns, false},
    {sizeof(cl_ulong), &pass->span, false},
    {sizeof(cl_mem), scratch, false},
    {sizeof(cl_ulong), &pass->work, false},
    {sizeof(cl_ulong), &pass->target, false},
    {sizeof(cl_mem), ticket, false},
    {sizeof(cl_mem), &call->out, true},
    {sizeof(cl_ulong), &call->out_offset, false},
  };
  return set_changed(kernel, arguments, &space->known[pass->kernel]);
}

#define SET_ALL(kernel, arguments, next) \
  clr_set_arguments(kernel, arguments, sizeof(arguments) / sizeof *(arguments), next)

// Sets a scan's arguments, in the order of SCAN_ARGUMENTS in cl/common/entry.clh.
static cl_int set_scan(const struct clr_call *call, cl_kernel kernel, const struct clr_pass *pass, cl_uint *next) {
  static const unsigned char no_state[CLR_STATE_SIZE_MAX];
  const clred_call *asked = call->asked;
  // The values of START_NONE, START_VALUE and START_PLACE (source/shape_defines.c).
  const cl_uint start_kind = asked->initial_buffer ? 2 : asked->initial ? 1 : 0;
  const struct clr_argument arguments[] = {
    {sizeof(cl_ulong), &call->out_stride},
    {sizeof(cl_ulong), &pass->launch},
    {sizeof(cl_uint), &call->tag},
    {sizeof(cl_uint), &start_kind},
    {call->problem->operation.state_size, asked->initial ? asked->initial : no_state},
    {sizeof(cl_mem), asked->initial_buffer ? &asked->initial_buffer : &call->workspace->scratch},
    {sizeof(cl_ulong), &asked->initial_offset},
  };
  cl_int err = SET_ALL(kernel, arguments, next);
  if (!err && call->shape->scan.indexed)
    err = clSetKernelArg(kernel, (*next)++, sizeof call->first_index, &call->first_index);
  return err;
}

// Sets the outcome's arguments, in the order of OUTCOME_ARGUMENTS in cl/common/entry.clh.
static cl_int set_outcome(const struct clr_call *call, cl_kernel kernel, cl_uint *next) {
  const struct clr_argument arguments[] = {{sizeof(cl_mem), &call->outcome}, {sizeof(cl_ulong), &call->outcome_offset}};
  return SET_ALL(kernel, arguments, next);
}

// Sets the arguments of segments, in the order of SEGMENT_ARGUMENTS in cl/common/entry.clh. Offsets of runs are in the
// workspace. Instead of a buffer that the call does not have, the kernel gets the scratch.
static cl_int set_segments(const struct clr_call *call, cl_kernel kernel, const struct clr_pass *pass, cl_uint *next) {
  const clred_call *asked = call->asked;
  const struct clr_workspace *space = call->workspace;
  const cl_ulong first = space->offsets ? 0 : asked->segments_offset;
  const cl_uint wants_keys = asked->keys_out != NULL;
  const struct clr_argument arguments[] = {
    {sizeof(cl_mem), space->offsets ? &space->offsets : &asked->segments},
    {sizeof(cl_ulong), &first},
    {sizeof(cl_mem), space->run_count ? &space->run_count : &space->scratch},
  };
  const struct clr_argument of_keys[] = {
    {sizeof(cl_mem), &asked->segments},
    {sizeof(cl_ulong), &asked->segments_offset},
    {sizeof(cl_mem), wants_keys ? &asked->keys_out : &space->scratch},
    {sizeof(cl_ulong), &asked->keys_out_offset},
    {sizeof(cl_uint), &wants_keys},
  };
  const struct clr_argument of_launch[] = {{sizeof(cl_ulong), &pass->launch}, {sizeof(cl_uint), &call->tag}};
  cl_int err = SET_ALL(kernel, arguments, next);
  if (!err && call->problem->key_type)
    err = SET_ALL(kernel, of_keys, next);
  return err || !call->strategy->finds_runs || call->problem->scan ? err : SET_ALL(kernel, of_launch, next);
}

static cl_int set_operands(const struct clr_operands *operands, enum clr_kernel of, cl_kernel kernel, cl_uint next) {
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < operands->input_count && !err; i++) {
    cl_ulong offset = operands->input_offsets ? operands->input_offsets[i] : 0;
    err = clSetKernelArg(kernel, next++, sizeof(cl_mem), operands->inputs ? &operands->inputs[i] : NULL);
    if (!err)
      err = clSetKernelArg(kernel, next++, sizeof offset, &offset);
  }
  for (size_t i = 0; i < operands->parameter_count && !err; i++)
    err = clSetKernelArg(kernel, next++, operands->parameter_sizes[i], operands->parameters[i]);
  if (operands->local_bytes && of == CLR_KERNEL_ELEMENTS && !err)
    err = clSetKernelArg(kernel, next, operands->local_bytes, NULL);
  return err;
}

static cl_int set_arguments(const struct clr_call *call, cl_kernel kernel, const struct clr_pass *pass) {
  cl_uint next = CLR_COMMON_ARGUMENTS;
  cl_int err = set_common(call, kernel, pass);
  if (!err && call->problem->scan)
    err = set_scan(call, kernel, pass, &next);
  if (!err && call->problem->outcome)
    err = set_outcome(call, kernel, &next);
  if (!err && call->problem->segment_type)
    err = set_segments(call, kernel, pass, &next);
  return err ? err : set_operands(&call->operands, pass->kernel, kernel, next);
}

cl_int clr_launch(struct clr_call *call, const struct clr_pass *pass, struct clr_status *status) {
  cl_kernel kernel = call->workspace->kernels[pass->kernel];
  size_t group_size = (size_t)pass->group_size, global_size = (size_t)(pass->groups * pass->group_size);
  cl_event event = NULL;
  cl_int err = set_arguments(call, kernel, pass);
  if (err)
    return clr_fail_call(status, err, "clSetKernelArg", "the arguments of a launch");
  err = clr_check_last(call, status);
  if (err)
    return err;
  err = clEnqueueNDRangeKernel(call->queue, kernel, 1, NULL, &global_size, &group_size, call->waits, call->wait_list,
                               call->has_events ? &event : NULL);
  if (err)
    return clr_fail(status, err, "clEnqueueNDRangeKernel: %s (%d) with %llu groups of %llu", clr_status_name(err), err,
                    (unsigned long long)pass->groups, (unsigned long long)pass->group_size);
  take_event(call, event);
  return CL_SUCCESS;
}

cl_int clr_clear_outcome(struct clr_call *call, struct clr_status *status) {
  static const clred_outcome none = {0, 0};
  size_t offset = (size_t)call->outcome_offset * sizeof none;
  cl_event event = NULL, *wanted = call->has_events ? &event : NULL;
  // A write needs a buffer that the host may write; a fill does not. So we fill if the device's fill works (fact
  // fills).
  cl_int err = call->fills ? clEnqueueFillBuffer(call->queue, call->outcome, &none, sizeof none, offset, sizeof none,
                                                 call->waits, call->wait_list, wanted)
                           : clEnqueueWriteBuffer(call->queue, call->outcome, CL_FALSE, offset, sizeof none, &none,
                                                  call->waits, call->wait_list, wanted);
  if (err)
    return clr_fail_call(status, err, call->fills ? "clEnqueueFillBuffer" : "clEnqueueWriteBuffer", "the outcome");
  take_event(call, event);
  return CL_SUCCESS;
}

void clr_call_continue(struct clr_call *call, cl_event first, cl_event last) {
  if (first && !call->first)
    call->first = first;
  else if (first)
    clReleaseEvent(first);
  take_event(call, last);
}

void clr_call_release(struct clr_call *call) {
  clr_release_event(&call->first);
  release_last(call);
}
