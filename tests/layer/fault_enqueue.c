// Wrappers that enqueue commands and wait for them.
#include "fault_wrap.h"

// A blocking transfer returns the error of its command as its status.
static cl_int end_late(cl_command_queue queue, cl_bool blocking, cl_event *event) {
  const cl_int code = fault_enqueue_failing(queue, blocking ? NULL : event);
  return code || !blocking ? code : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

// Wraps a function that enqueues a command on `queue` with a wait list and an event.
#define FAULT_ENQUEUED(name, blocking, parameters, arguments) \
  FAULT_WRAPPED(cl_int, name, parameters) { \
    bool late; \
    cl_int code; \
    if (fault_falls_or_late(FAULT_##name, queue, &code, &late)) \
      return code; \
    code = late ? end_late(queue, blocking, event) : fault_below->name arguments; \
    fault_count_live(FAULT_EVENTS, !code && event); \
    return code; \
  }
#define FAULT_ENQUEUE(name, parameters, arguments) FAULT_ENQUEUED(name, CL_FALSE, parameters, arguments)

#define WAITS cl_uint waits, const cl_event *wait_list, cl_event *event

FAULT_ENQUEUE(clEnqueueNDRangeKernel,
              (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
               const size_t *local, WAITS),
              (queue, kernel, dimensions, offset, global, local, waits, wait_list, event))
FAULT_ENQUEUE(clEnqueueCopyBuffer,
              (cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset, size_t size,
               WAITS),
              (queue, from, to, from_offset, to_offset, size, waits, wait_list, event))
FAULT_ENQUEUE(clEnqueueFillBuffer,
              (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size, size_t offset,
               size_t size, WAITS),
              (queue, buffer, pattern, pattern_size, offset, size, waits, wait_list, event))
FAULT_ENQUEUE(clEnqueueCopyBufferRect,
              (cl_command_queue queue, cl_mem from, cl_mem to, const size_t *from_origin, const size_t *to_origin,
               const size_t *region, size_t from_row_pitch, size_t from_slice_pitch, size_t to_row_pitch,
               size_t to_slice_pitch, WAITS),
              (queue, from, to, from_origin, to_origin, region, from_row_pitch, from_slice_pitch, to_row_pitch,
               to_slice_pitch, waits, wait_list, event))
FAULT_ENQUEUE(clEnqueueMarkerWithWaitList, (cl_command_queue queue, WAITS), (queue, waits, wait_list, event))

FAULT_ENQUEUED(clEnqueueReadBuffer, blocking,
               (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, void *host, WAITS),
               (queue, buffer, blocking, offset, size, host, waits, wait_list, event))
FAULT_ENQUEUED(clEnqueueWriteBuffer, blocking,
               (cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset, size_t size, const void *host,
                WAITS),
               (queue, buffer, blocking, offset, size, host, waits, wait_list, event))

FAULT_WRAPPED(void *, clEnqueueMapBuffer,
              (cl_command_queue queue, cl_mem buffer, cl_bool blocking, cl_map_flags flags, size_t offset, size_t size,
               WAITS, cl_int *err)) {
  if (fault_refuses(FAULT_clEnqueueMapBuffer, err))
    return NULL;
  void *mapped =
    fault_below->clEnqueueMapBuffer(queue, buffer, blocking, flags, offset, size, waits, wait_list, event, err);
  fault_count_live(FAULT_MAPPINGS, mapped != NULL);
  fault_count_live(FAULT_EVENTS, mapped && event);
  return mapped;
}

// The mapping counts as ended even if the call fails: the caller cannot end it again.
FAULT_WRAPPED(cl_int, clEnqueueUnmapMemObject, (cl_command_queue queue, cl_mem object, void *mapped, WAITS)) {
  cl_int code;
  fault_count_live(FAULT_MAPPINGS, -1);
  if (fault_falls(FAULT_clEnqueueUnmapMemObject, &code)) {
    fault_below->clEnqueueUnmapMemObject(queue, object, mapped, 0, NULL, NULL);
    return code;
  }
  code = fault_below->clEnqueueUnmapMemObject(queue, object, mapped, waits, wait_list, event);
  fault_count_live(FAULT_EVENTS, !code && event);
  return code;
}

// Waits before it returns a planted failure. After a failed wait of a real driver, too, no command of the queue runs.
#define FAULT_WAIT(name, parameters, arguments) \
  FAULT_WRAPPED(cl_int, name, parameters) { \
    cl_int code; \
    const bool fell = fault_falls(FAULT_##name, &code); \
    const cl_int waited = fault_below->name arguments; \
    return fell ? code : waited; \
  }
FAULT_WAIT(clWaitForEvents, (cl_uint count, const cl_event *events), (count, events))
FAULT_WAIT(clFinish, (cl_command_queue queue), (queue))
FAULT_CALL(clFlush, (cl_command_queue queue), (queue))
