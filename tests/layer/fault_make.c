// Wrappers that make, retain and release contexts, queues, buffers, kernels and events.
#include "fault_wrap.h"

FAULT_MAKE(cl_context, clCreateContext, FAULT_CONTEXTS,
           (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
            void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user_data, cl_int *err),
           (properties, count, devices, notify, user_data, err), (void)0)
FAULT_MAKE(cl_mem, clCreateBuffer, FAULT_BUFFERS,
           (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *err),
           (context, flags, size, host, err), (void)0)
FAULT_MAKE(cl_kernel, clCreateKernel, FAULT_KERNELS, (cl_program program, const char *name, cl_int *err),
           (program, name, err), (void)0)

FAULT_MAKE(cl_command_queue, clCreateCommandQueue, FAULT_QUEUES,
           (cl_context context, cl_device_id device, cl_command_queue_properties properties, cl_int *err),
           (context, device, properties, err), fault_note_queue(made, 1))
FAULT_MAKE(cl_event, clCreateUserEvent, FAULT_EVENTS, (cl_context context, cl_int *err), (context, err),
           fault_note_user_event(made, true))

FAULT_COUNT_NOTED(cl_command_queue, clRetainCommandQueue, FAULT_QUEUES, 1, fault_note_queue(object, 1))
FAULT_COUNT_NOTED(cl_command_queue, clReleaseCommandQueue, FAULT_QUEUES, -1, fault_note_queue(object, -1))

// A user event that is set no longer blocks commands.
FAULT_WRAPPED(cl_int, clSetUserEventStatus, (cl_event event, cl_int status)) {
  cl_int code;
  if (fault_falls(FAULT_clSetUserEventStatus, &code))
    return code;
  fault_note_user_event(event, false);
  return fault_below->clSetUserEventStatus(event, status);
}

FAULT_COUNT(cl_device_id, clRetainDevice, FAULT_DEVICES, 1)
FAULT_COUNT(cl_device_id, clReleaseDevice, FAULT_DEVICES, -1)
FAULT_COUNT(cl_context, clRetainContext, FAULT_CONTEXTS, 1)
FAULT_COUNT(cl_context, clReleaseContext, FAULT_CONTEXTS, -1)
FAULT_COUNT(cl_mem, clRetainMemObject, FAULT_BUFFERS, 1)
FAULT_COUNT(cl_mem, clReleaseMemObject, FAULT_BUFFERS, -1)
FAULT_COUNT(cl_kernel, clRetainKernel, FAULT_KERNELS, 1)
FAULT_COUNT(cl_kernel, clReleaseKernel, FAULT_KERNELS, -1)
FAULT_COUNT(cl_event, clRetainEvent, FAULT_EVENTS, 1)

// A user event that is released can no longer be set.
FAULT_COUNT_NOTED(cl_event, clReleaseEvent, FAULT_EVENTS, -1, fault_note_user_event(object, false))
