// Contexts, queues, buffers, kernels, events: made, retained and released.
#include "fault_wrap.h"

FAULT_MAKE(cl_context, clCreateContext, FAULT_CONTEXTS,
           (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
            void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user_data, cl_int *err),
           (properties, count, devices, notify, user_data, err))
FAULT_MAKE(cl_mem, clCreateBuffer, FAULT_BUFFERS,
           (cl_context context, cl_mem_flags flags, size_t size, void *host, cl_int *err),
           (context, flags, size, host, err))
FAULT_MAKE(cl_kernel, clCreateKernel, FAULT_KERNELS, (cl_program program, const char *name, cl_int *err),
           (program, name, err))

static CL_API_ENTRY cl_command_queue CL_API_CALL wrap_clCreateCommandQueue(cl_context context, cl_device_id device,
                                                                           cl_command_queue_properties properties,
                                                                           cl_int *err) {
  cl_int code;
  if (fault_falls(FAULT_clCreateCommandQueue, &code)) {
    if (err)
      *err = code;
    return NULL;
  }
  cl_command_queue made = fault_below->clCreateCommandQueue(context, device, properties, err);
  fault_count_live(FAULT_QUEUES, made != NULL);
  if (made)
    fault_note_queue(made, 1);
  return made;
}

static CL_API_ENTRY cl_int CL_API_CALL wrap_clRetainCommandQueue(cl_command_queue queue) {
  cl_int code;
  fault_falls(FAULT_clRetainCommandQueue, &code);
  code = fault_below->clRetainCommandQueue(queue);
  fault_count_live(FAULT_QUEUES, code == CL_SUCCESS);
  fault_note_queue(queue, code == CL_SUCCESS);
  return code;
}

static CL_API_ENTRY cl_int CL_API_CALL wrap_clReleaseCommandQueue(cl_command_queue queue) {
  cl_int code;
  fault_falls(FAULT_clReleaseCommandQueue, &code);
  fault_note_queue(queue, -1);
  code = fault_below->clReleaseCommandQueue(queue);
  fault_count_live(FAULT_QUEUES, code == CL_SUCCESS ? -1 : 0);
  return code;
}

static CL_API_ENTRY cl_event CL_API_CALL wrap_clCreateUserEvent(cl_context context, cl_int *err) {
  cl_int code;
  if (fault_falls(FAULT_clCreateUserEvent, &code)) {
    if (err)
      *err = code;
    return NULL;
  }
  cl_event made = fault_below->clCreateUserEvent(context, err);
  fault_count_live(FAULT_EVENTS, made != NULL);
  if (made)
    fault_note_user_event(made, true);
  return made;
}

// Once set it holds nothing back any more.
static CL_API_ENTRY cl_int CL_API_CALL wrap_clSetUserEventStatus(cl_event event, cl_int status) {
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

// What is not set by then nobody will set.
static CL_API_ENTRY cl_int CL_API_CALL wrap_clReleaseEvent(cl_event event) {
  cl_int code;
  fault_falls(FAULT_clReleaseEvent, &code);
  fault_note_user_event(event, false);
  code = fault_below->clReleaseEvent(event);
  fault_count_live(FAULT_EVENTS, code == CL_SUCCESS ? -1 : 0);
  return code;
}

void fault_hook_making(struct _cl_icd_dispatch *table) {
  FAULT_HOOK(clCreateContext);
  FAULT_HOOK(clCreateBuffer);
  FAULT_HOOK(clCreateKernel);
  FAULT_HOOK(clCreateCommandQueue);
  FAULT_HOOK(clReleaseCommandQueue);
  FAULT_HOOK(clCreateUserEvent);
  FAULT_HOOK(clSetUserEventStatus);
  FAULT_HOOK(clRetainDevice);
  FAULT_HOOK(clReleaseDevice);
  FAULT_HOOK(clRetainContext);
  FAULT_HOOK(clReleaseContext);
  FAULT_HOOK(clRetainCommandQueue);
  FAULT_HOOK(clRetainMemObject);
  FAULT_HOOK(clReleaseMemObject);
  FAULT_HOOK(clRetainKernel);
  FAULT_HOOK(clReleaseKernel);
  FAULT_HOOK(clRetainEvent);
  FAULT_HOOK(clReleaseEvent);
}
