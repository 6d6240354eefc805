// Wrappers of all calls but those for programs.
#include "fault_wrap.h"

// ---------------------------------------------------------------- Queries

#define OTHER(name, ...)
#define OTHER_COUNTED(name)
#define FAULT_PLAIN(name, ...) FAULT_CALL(name)
FAULT_ENTRY_MAP(OTHER, FAULT_PLAIN, OTHER_COUNTED)

// These two report what the program pretends.
FAULT_CALL_THEN(clGetDeviceInfo, {
  if (!code && param_value && param_name == CL_DEVICE_TYPE && fault_pretence.gpu)
    *(cl_device_type *)param_value = CL_DEVICE_TYPE_GPU;
})
FAULT_CALL_THEN(clGetKernelWorkGroupInfo, {
  if (!code && param_value && param_name == CL_KERNEL_WORK_GROUP_SIZE && fault_pretence.kernel_group_size)
    *(size_t *)param_value = fault_pretence.kernel_group_size;
})

// ---------------------------------------------------------------- Objects: made, retained and released

FAULT_MAKE(clCreateContext, FAULT_CONTEXTS, (void)0)
FAULT_MAKE(clCreateBuffer, FAULT_BUFFERS, (void)0)
FAULT_MAKE(clCreateKernel, FAULT_KERNELS, (void)0)
FAULT_MAKE(clCreateCommandQueue, FAULT_QUEUES, fault_note_queue(made, 1))
FAULT_MAKE(clCreateUserEvent, FAULT_EVENTS, fault_note_user_event(made, true))

// Tests make these for buffers between guards. The library makes none, so they never fail.
FAULT_WRAPPED(clCreateSubBuffer) {
  cl_mem made = fault_below->clCreateSubBuffer ARGUMENTS_clCreateSubBuffer;
  fault_count_live(FAULT_BUFFERS, made != NULL);
  return made;
}

// A user event that is set no longer blocks commands.
FAULT_WRAPPED(clSetUserEventStatus) {
  cl_int code;
  if (fault_falls(FAULT_clSetUserEventStatus, &code))
    return code;
  fault_note_user_event(event, false);
  return fault_below->clSetUserEventStatus(event, execution_status);
}

FAULT_COUNT_NOTED(clRetainCommandQueue, FAULT_QUEUES, 1, fault_note_queue(command_queue, 1))
FAULT_COUNT_NOTED(clReleaseCommandQueue, FAULT_QUEUES, -1, fault_note_queue(command_queue, -1))
FAULT_COUNT(clRetainDevice, FAULT_DEVICES, 1)
FAULT_COUNT(clReleaseDevice, FAULT_DEVICES, -1)
FAULT_COUNT(clRetainContext, FAULT_CONTEXTS, 1)
FAULT_COUNT(clReleaseContext, FAULT_CONTEXTS, -1)
FAULT_COUNT(clRetainMemObject, FAULT_BUFFERS, 1)
FAULT_COUNT(clReleaseMemObject, FAULT_BUFFERS, -1)
FAULT_COUNT(clRetainKernel, FAULT_KERNELS, 1)
FAULT_COUNT(clReleaseKernel, FAULT_KERNELS, -1)
FAULT_COUNT(clRetainEvent, FAULT_EVENTS, 1)

// A user event that is released can no longer be set.
FAULT_COUNT_NOTED(clReleaseEvent, FAULT_EVENTS, -1, fault_note_user_event(event, false))

// ---------------------------------------------------------------- Commands, and waits for them

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
