// A device that answers questions and holds buffers but cannot compile. The linker takes these functions instead of
// the ICD loader's, so that the tool runs thousands of times a second without a driver. Most parameters are unused: the
// CMake file turns that warning off. Parameters have the names of CL/cl.h.
#include <CL/cl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../layer/answer.h"
#include "prototypes.h"

#define MEMORY ((cl_ulong)1 << 20)

// Handles are addresses. Only the handles of buffers point to data.
static struct { char platform, device, context, queue, program, event; } handles;

struct buffer {
  unsigned references;
  size_t size;
  bool is_borrowed;
  char *bytes;
};

static struct buffer *buffer_of(cl_mem memory) {
  return (struct buffer *)(void *)memory;
}

#define ENTRY(name) CL_API_ENTRY RETURNS_##name CL_API_CALL name PARAMETERS_##name

// RETURNS defines a function that only returns a status. MAKES defines a function that only makes an object.
#define RETURNS(name, code) \
  ENTRY(name) { \
    return code; \
  }
#define MAKES(name, object, code) \
  ENTRY(name) { \
    *errcode_ret = code; \
    return (RETURNS_##name)(void *)(object); \
  }

// ---- Answers

ENTRY(clGetPlatformIDs) {
  if (platforms != NULL && num_entries > 0)
    *platforms = (cl_platform_id)(void *)&handles.platform;
  if (num_platforms != NULL)
    *num_platforms = 1;
  return CL_SUCCESS;
}

RETURNS(clGetPlatformInfo, answer_text("A platform", param_value_size, param_value, param_value_size_ret))

ENTRY(clGetDeviceIDs) {
  if (devices != NULL && num_entries > 0)
    *devices = (cl_device_id)(void *)&handles.device;
  if (num_devices != NULL)
    *num_devices = 1;
  return CL_SUCCESS;
}

static const struct {
  cl_device_info what;
  cl_ulong number;
  const char *text;
} device_answers[] = {{CL_DEVICE_TYPE, CL_DEVICE_TYPE_CPU, NULL},
                      {CL_DEVICE_MAX_COMPUTE_UNITS, 2, NULL},
                      {CL_DEVICE_MAX_WORK_GROUP_SIZE, 4096, NULL},
                      {CL_DEVICE_LOCAL_MEM_SIZE, 1 << 16, NULL},
                      {CL_DEVICE_LOCAL_MEM_TYPE, CL_GLOBAL, NULL},
                      {CL_DEVICE_GLOBAL_MEM_SIZE, MEMORY, NULL},
                      {CL_DEVICE_MAX_MEM_ALLOC_SIZE, MEMORY / 4, NULL},
                      {CL_DEVICE_HOST_UNIFIED_MEMORY, 1, NULL},
                      {CL_DEVICE_DOUBLE_FP_CONFIG, 63, NULL},
                      {CL_DEVICE_SINGLE_FP_CONFIG, 191, NULL},
                      {CL_DEVICE_AVAILABLE, 1, NULL},
                      {CL_DEVICE_NAME, 0, "A device"},
                      {CL_DEVICE_VENDOR, 0, "A vendor"},
                      {CL_DEVICE_VERSION, 0, "OpenCL 3.0 fake"},
                      {CL_DRIVER_VERSION, 0, "1"},
                      {CL_DEVICE_EXTENSIONS, 0, "cl_khr_int64_base_atomics cl_khr_int64_extended_atomics"}};

static cl_int answer_about_device(cl_device_info what, size_t size, void *value, size_t *size_ret) {
  static const size_t sizes[3] = {4096, 4096, 4096};
  const void *owner = &handles.platform;
  if (what == CL_DEVICE_MAX_WORK_ITEM_SIZES)
    return answer(sizes, sizeof sizes, size, value, size_ret);
  if (what == CL_DEVICE_PLATFORM)
    return answer(&owner, sizeof owner, size, value, size_ret);
  for (size_t i = 0; i < sizeof device_answers / sizeof *device_answers; i++)
    if (device_answers[i].what == what && device_answers[i].text != NULL)
      return answer_text(device_answers[i].text, size, value, size_ret);
    else if (device_answers[i].what == what)
      return answer(&device_answers[i].number, size < sizeof(cl_ulong) ? sizeof(cl_uint) : sizeof(cl_ulong), size,
                    value, size_ret);
  return CL_INVALID_VALUE;
}

RETURNS(clGetDeviceInfo, answer_about_device(param_name, param_value_size, param_value, param_value_size_ret))

ENTRY(clGetContextInfo) {
  const void *one = &handles.device;
  const cl_uint count = 1;
  const bool counts = param_name == CL_CONTEXT_NUM_DEVICES;
  return answer(counts ? (const void *)&count : &one, counts ? sizeof count : sizeof one, param_value_size, param_value,
                param_value_size_ret);
}

ENTRY(clGetCommandQueueInfo) {
  const void *owner = param_name == CL_QUEUE_CONTEXT ? &handles.context : &handles.device;
  const cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE;
  const bool is_flags = param_name == CL_QUEUE_PROPERTIES;
  return answer(is_flags ? (const void *)&properties : &owner, is_flags ? sizeof properties : sizeof owner,
                param_value_size, param_value, param_value_size_ret);
}

// ---- Objects without content

MAKES(clCreateContext, &handles.context, CL_SUCCESS)
MAKES(clCreateCommandQueue, &handles.queue, CL_SUCCESS)

#define KEPT(kind) \
  RETURNS(clRetain##kind, CL_SUCCESS) \
  RETURNS(clRelease##kind, CL_SUCCESS)
KEPT(Context)
KEPT(Device)
KEPT(CommandQueue)
KEPT(Program)
KEPT(Kernel)
KEPT(Event)

// ---- Programs: none can be built

MAKES(clCreateProgramWithSource, &handles.program, CL_SUCCESS)
MAKES(clCreateProgramWithBinary, NULL, CL_INVALID_BINARY)
RETURNS(clBuildProgram, CL_BUILD_PROGRAM_FAILURE)
RETURNS(clGetProgramBuildInfo, answer_text("combine:1:1: error: nothing can be compiled here\n", param_value_size,
                                           param_value, param_value_size_ret))
RETURNS(clGetProgramInfo, CL_INVALID_VALUE)
MAKES(clCreateKernel, NULL, CL_INVALID_PROGRAM_EXECUTABLE)
RETURNS(clCreateKernelsInProgram, CL_INVALID_PROGRAM_EXECUTABLE)
RETURNS(clSetKernelArg, CL_INVALID_KERNEL)
RETURNS(clGetKernelWorkGroupInfo, CL_INVALID_KERNEL)
RETURNS(clEnqueueNDRangeKernel, CL_INVALID_KERNEL)

// ---- Buffers

ENTRY(clCreateBuffer) {
  const bool borrows = (flags & CL_MEM_USE_HOST_PTR) != 0;
  struct buffer *made = size == 0 || size > MEMORY ? NULL : calloc(1, sizeof *made);
  if (made != NULL)
    *made = (struct buffer){1, size, borrows, borrows ? host_ptr : calloc(1, size)};
  if (made != NULL && flags & CL_MEM_COPY_HOST_PTR)
    memcpy(made->bytes, host_ptr, size);
  *errcode_ret = made == NULL ? CL_INVALID_BUFFER_SIZE : CL_SUCCESS;
  return (cl_mem)(void *)made;
}

MAKES(clCreateSubBuffer, NULL, CL_INVALID_VALUE)

ENTRY(clRetainMemObject) {
  buffer_of(memobj)->references++;
  return CL_SUCCESS;
}

ENTRY(clReleaseMemObject) {
  struct buffer *buffer = buffer_of(memobj);
  if (--buffer->references > 0)
    return CL_SUCCESS;
  if (!buffer->is_borrowed)
    free(buffer->bytes);
  free(buffer);
  return CL_SUCCESS;
}

ENTRY(clGetMemObjectInfo) {
  const void *owner = &handles.context, *none = NULL;
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
  const void *from = param_name == CL_MEM_SIZE      ? (const void *)&buffer_of(memobj)->size
                     : param_name == CL_MEM_CONTEXT ? &owner
                     : param_name == CL_MEM_FLAGS   ? (const void *)&flags
                                                    : &none;
  return answer(from, param_name == CL_MEM_FLAGS ? sizeof flags : sizeof(void *), param_value_size, param_value,
                param_value_size_ret);
}

static cl_int done_at_once(cl_event *done) {
  if (done != NULL)
    *done = (cl_event)(void *)&handles.event;
  return CL_SUCCESS;
}

ENTRY(clEnqueueReadBuffer) {
  memcpy(ptr, buffer_of(buffer)->bytes + offset, size);
  return done_at_once(event);
}

ENTRY(clEnqueueWriteBuffer) {
  memcpy(buffer_of(buffer)->bytes + offset, ptr, size);
  return done_at_once(event);
}

ENTRY(clEnqueueCopyBuffer) {
  memmove(buffer_of(dst_buffer)->bytes + dst_offset, buffer_of(src_buffer)->bytes + src_offset, size);
  return done_at_once(event);
}

ENTRY(clEnqueueFillBuffer) {
  for (size_t i = 0; i < size; i += pattern_size)
    memcpy(buffer_of(buffer)->bytes + offset + i, pattern, pattern_size);
  return done_at_once(event);
}

ENTRY(clEnqueueMapBuffer) {
  *errcode_ret = done_at_once(event);
  return buffer_of(buffer)->bytes + offset;
}

RETURNS(clEnqueueUnmapMemObject, done_at_once(event))

// ---- Events

RETURNS(clEnqueueMarkerWithWaitList, done_at_once(event))
RETURNS(clFinish, CL_SUCCESS)
RETURNS(clFlush, CL_SUCCESS)
RETURNS(clWaitForEvents, CL_SUCCESS)
MAKES(clCreateUserEvent, &handles.event, CL_SUCCESS)
RETURNS(clSetUserEventStatus, CL_SUCCESS)

ENTRY(clGetEventInfo) {
  const cl_int complete = CL_COMPLETE;
  return answer(&complete, sizeof complete, param_value_size, param_value, param_value_size_ret);
}

RETURNS(clGetEventProfilingInfo, CL_PROFILING_INFO_NOT_AVAILABLE)
