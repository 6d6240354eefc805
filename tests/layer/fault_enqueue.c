// Wrappers that enqueue commands and wait for them.
#include "fault_wrap.h"

// A blocking transfer returns the error of its command as its status.
static cl_int end_late(cl_command_queue queue, cl_bool blocking, cl_event *event) {
  const cl_int code = fault_enqueue_failing(queue, blocking ? NULL : event);
  return code || !blocking ? code : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

// Wraps a function that enqueues a command with a wait list and an event.
#define FAULT_ENQUEUED(name, blocking) \
  FAULT_WRAPPED(name) { \
    bool late; \
    cl_int code; \
    if (fault_falls_or_late(FAULT_##name, command_queue, &code, &late)) \
      return code; \
    code = late ? end_late(command_queue, blocking, event) : fault_below->name ARGUMENTS_##name; \
    fault_count_live(FAULT_EVENTS, !code && event); \
    return code; \
  }

FAULT_ENQUEUED(clEnqueueNDRangeKernel, CL_FALSE)
FAULT_ENQUEUED(clEnqueueCopyBuffer, CL_FALSE)
FAULT_ENQUEUED(clEnqueueFillBuffer, CL_FALSE)
FAULT_ENQUEUED(clEnqueueCopyBufferRect, CL_FALSE)
FAULT_ENQUEUED(clEnqueueMarkerWithWaitList, CL_FALSE)
FAULT_ENQUEUED(clEnqueueReadBuffer, blocking_read)
FAULT_ENQUEUED(clEnqueueWriteBuffer, blocking_write)

FAULT_WRAPPED(clEnqueueMapBuffer) {
  if (fault_refuses(FAULT_clEnqueueMapBuffer, errcode_ret))
    return NULL;
  void *mapped = fault_below->clEnqueueMapBuffer ARGUMENTS_clEnqueueMapBuffer;
  fault_count_live(FAULT_MAPPINGS, mapped != NULL);
  fault_count_live(FAULT_EVENTS, mapped && event);
  return mapped;
}

// The mapping counts as ended even if the call fails: the caller cannot end it again.
FAULT_WRAPPED(clEnqueueUnmapMemObject) {
  cl_int code;
  fault_count_live(FAULT_MAPPINGS, -1);
  if (fault_falls(FAULT_clEnqueueUnmapMemObject, &code)) {
    fault_below->clEnqueueUnmapMemObject(command_queue, memobj, mapped_ptr, 0, NULL, NULL);
    return code;
  }
  code = fault_below->clEnqueueUnmapMemObject ARGUMENTS_clEnqueueUnmapMemObject;
  fault_count_live(FAULT_EVENTS, !code && event);
  return code;
}

// Waits before it returns a planted failure. After a failed wait of a real driver, too, no command of the queue runs.
#define FAULT_WAIT(name) \
  FAULT_WRAPPED(name) { \
    cl_int code; \
    const bool fell = fault_falls(FAULT_##name, &code); \
    const cl_int waited = fault_below->name ARGUMENTS_##name; \
    return fell ? code : waited; \
  }
FAULT_WAIT(clWaitForEvents)
FAULT_WAIT(clFinish)
FAULT_CALL(clFlush)
