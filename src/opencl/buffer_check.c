// Checks the queue, buffers and events of a call, which drivers check only in part.
#include "opencl/buffer_check.h"

#include "opencl/launch.h"

cl_int clr_check_queue(cl_command_queue queue, cl_context context, cl_device_id device, struct clr_status *status) {
  cl_context queue_context = NULL;
  cl_device_id queue_device = NULL;
  if (!queue)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "queue is NULL");
  cl_int err = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof queue_context, &queue_context, NULL);
  if (!err)
    err = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof queue_device, &queue_device, NULL);
  if (err)
    return clr_fail_call(status, err, "clGetCommandQueueInfo", "queue");
  if (queue_context != context || queue_device != device)
    return clr_fail(status, CLRED_CONTEXT_MISMATCH, "queue is of another %s than the plan's runtime",
                    queue_context != context ? "context" : "device");
  return CL_SUCCESS;
}

cl_int clr_queue_is_in_order(cl_command_queue queue, bool *in_order, struct clr_status *status) {
  cl_command_queue_properties properties = 0;
  cl_int err = clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  *in_order = !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  return err ? clr_fail_call(status, err, "clGetCommandQueueInfo", "queue") : CL_SUCCESS;
}

struct buffer_facts {
  cl_context context;
  cl_mem_object_type type;
  cl_mem_flags flags;
  size_t size;
};

static cl_int ask(cl_mem buffer, struct buffer_facts *facts) {
  cl_int err = clGetMemObjectInfo(buffer, CL_MEM_CONTEXT, sizeof facts->context, &facts->context, NULL);
  if (!err)
    err = clGetMemObjectInfo(buffer, CL_MEM_TYPE, sizeof facts->type, &facts->type, NULL);
  if (!err)
    err = clGetMemObjectInfo(buffer, CL_MEM_FLAGS, sizeof facts->flags, &facts->flags, NULL);
  if (!err)
    err = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof facts->size, &facts->size, NULL);
  return err;
}

cl_int clr_check_range(const struct clr_range *range, cl_context context, struct clr_status *status) {
  struct buffer_facts facts = {0};
  if (!range->buffer)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s is NULL", range->name);
  cl_int err = ask(range->buffer, &facts);
  if (err)
    return clr_fail_call(status, err, "clGetMemObjectInfo", range->name);
  if (facts.context != context)
    return clr_fail(status, CLRED_CONTEXT_MISMATCH, "%s is of another context than the plan's runtime", range->name);
  if (facts.type != CL_MEM_OBJECT_BUFFER)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s is no buffer", range->name);
  if (facts.flags & range->forbidden)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s was created with flags (0x%llx) that forbid what the call does",
                    range->name, (unsigned long long)(facts.flags & range->forbidden));
  cl_ulong held = facts.size / range->element_size;
  if (range->offset > held || range->count > held - range->offset)
    return clr_fail(status, CLRED_OUT_OF_RANGE, "%s: needs %llu elements from offset %llu, the buffer holds %llu",
                    range->name, (unsigned long long)range->count, (unsigned long long)range->offset,
                    (unsigned long long)held);
  return CL_SUCCESS;
}

cl_int clr_check_events(cl_uint count, const cl_event *events, cl_context context, struct clr_status *status) {
  if ((count == 0) != (events == NULL))
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "event_wait_list is %s while num_events_in_wait_list is %u",
                    events ? "given" : "NULL", count);
  for (cl_uint i = 0; i < count; i++) {
    cl_context event_context = NULL;
    if (!events[i])
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "event_wait_list[%u] is NULL", i);
    cl_int err = clGetEventInfo(events[i], CL_EVENT_CONTEXT, sizeof event_context, &event_context, NULL);
    if (err)
      return clr_fail_call(status, err, "clGetEventInfo", "event_wait_list");
    if (event_context != context)
      return clr_fail(status, CLRED_CONTEXT_MISMATCH,
                      "event_wait_list[%u] is of another context than the plan's runtime", i);
    err = clr_check_event(events[i], "an event of event_wait_list", status);
    if (err)
      return err;
  }
  return CL_SUCCESS;
}

cl_int clr_find_region(const struct clr_range *range, struct clr_region *region, struct clr_status *status) {
  cl_mem parent = NULL;
  size_t origin = 0;
  cl_int err = clGetMemObjectInfo(range->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL);
  if (!err && parent)
    err = clGetMemObjectInfo(range->buffer, CL_MEM_OFFSET, sizeof origin, &origin, NULL);
  region->memory = parent ? parent : range->buffer;
  region->begin = origin + range->offset * range->element_size;
  region->end = region->begin + range->count * range->element_size;
  return err ? clr_fail_call(status, err, "clGetMemObjectInfo", range->name) : CL_SUCCESS;
}

bool clr_do_overlap(const struct clr_region *a, const struct clr_region *b) {
  return a->memory == b->memory && a->begin < b->end && b->begin < a->end;
}

cl_int clr_check_apart(const struct clr_range *out, const struct clr_range *other, struct clr_status *status) {
  struct clr_region written, read;
  cl_int err = clr_find_region(out, &written, status);
  if (!err)
    err = clr_find_region(other, &read, status);
  if (!err && clr_do_overlap(&written, &read))
    err = clr_fail(status, CLRED_INVALID_ARGUMENT,
                   "%s overlaps %s, and both are in use at the same time: give memory that lies apart", out->name,
                   other->name);
  return err;
}
