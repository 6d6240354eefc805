// Wrappers that make, retain and release contexts, queues, buffers, kernels and events.
#include "fault_wrap.h"

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
