// A device that answers questions and holds buffers but cannot compile. The linker takes these functions in place of
// the ICD loader's, so that the tool runs thousands of times a second without a driver. Most parameters are unused: the
// CMake file turns that warning off.
#include <CL/cl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MEMORY ((cl_ulong)1 << 20)

// Handles are addresses. Only the handles of buffers point to data.
static char platform, device, context, queue, program, event;

struct buffer {
  unsigned references;
  size_t size;
  bool is_borrowed;
  char *bytes;
};

static struct buffer *buffer_of(cl_mem memory) {
  return (struct buffer *)(void *)memory;
}

// RETURNS defines a function that only returns a status. MAKES defines a function that only makes an object.
#define RETURNS(name, parameters, code) \
  CL_API_ENTRY cl_int CL_API_CALL name parameters { \
    return code; \
  }
#define MAKES(type, name, parameters, object, code) \
  CL_API_ENTRY type CL_API_CALL name parameters { \
    *status = code; \
    return (type)(void *)(object); \
  }

// ---- Answers

static cl_int answer(const void *from, size_t length, size_t size, void *value, size_t *size_ret) {
  if (size_ret != NULL)
    *size_ret = length;
  if (value != NULL && size < length)
    return CL_INVALID_VALUE;
  if (value != NULL)
    memcpy(value, from, length);
  return CL_SUCCESS;
}

static cl_int answer_text(const char *text, size_t size, void *value, size_t *size_ret) {
  return answer(text, strlen(text) + 1, size, value, size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint count, cl_platform_id *list, cl_uint *total) {
  if (list != NULL && count > 0)
    list[0] = (cl_platform_id)(void *)&platform;
  if (total != NULL)
    *total = 1;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t size, void *value,
                                                  size_t *size_ret) {
  return answer_text("A platform", size, value, size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceIDs(cl_platform_id id, cl_device_type type, cl_uint count,
                                               cl_device_id *list, cl_uint *total) {
  if (list != NULL && count > 0)
    list[0] = (cl_device_id)(void *)&device;
  if (total != NULL)
    *total = 1;
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

CL_API_ENTRY cl_int CL_API_CALL clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t size, void *value,
                                                size_t *size_ret) {
  static const size_t sizes[3] = {4096, 4096, 4096};
  const void *owner = &platform;
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

CL_API_ENTRY cl_int CL_API_CALL clGetContextInfo(cl_context id, cl_context_info what, size_t size, void *value,
                                                 size_t *size_ret) {
  const void *one = &device;
  const cl_uint count = 1;
  return what == CL_CONTEXT_NUM_DEVICES ? answer(&count, sizeof count, size, value, size_ret)
                                        : answer(&one, sizeof one, size, value, size_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue id, cl_command_queue_info what, size_t size,
                                                      void *value, size_t *size_ret) {
  const void *owner = what == CL_QUEUE_CONTEXT ? &context : &device;
  const cl_command_queue_properties properties = CL_QUEUE_PROFILING_ENABLE;
  return what == CL_QUEUE_PROPERTIES ? answer(&properties, sizeof properties, size, value, size_ret)
                                     : answer(&owner, sizeof owner, size, value, size_ret);
}

// ---- Objects without content

MAKES(cl_context, clCreateContext,
      (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
       void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *data, cl_int *status),
      &context, CL_SUCCESS)
MAKES(cl_command_queue, clCreateCommandQueue,
      (cl_context owner, cl_device_id id, cl_command_queue_properties properties, cl_int *status), &queue, CL_SUCCESS)

#define KEPT(kind, handle) \
  RETURNS(clRetain##kind, (handle object), CL_SUCCESS) \
  RETURNS(clRelease##kind, (handle object), CL_SUCCESS)
KEPT(Context, cl_context)
KEPT(Device, cl_device_id)
KEPT(CommandQueue, cl_command_queue)
KEPT(Program, cl_program)
KEPT(Kernel, cl_kernel)
KEPT(Event, cl_event)

// ---- Programs: none can be built

MAKES(cl_program, clCreateProgramWithSource,
      (cl_context owner, cl_uint count, const char **texts, const size_t *lengths, cl_int *status), &program,
      CL_SUCCESS)
MAKES(cl_program, clCreateProgramWithBinary,
      (cl_context owner, cl_uint count, const cl_device_id *devices, const size_t *lengths,
       const unsigned char **binaries, cl_int *each, cl_int *status),
      NULL, CL_INVALID_BINARY)
RETURNS(clBuildProgram,
        (cl_program made, cl_uint count, const cl_device_id *devices, const char *options,
         void(CL_CALLBACK *notify)(cl_program, void *), void *data),
        CL_BUILD_PROGRAM_FAILURE)

CL_API_ENTRY cl_int CL_API_CALL clGetProgramBuildInfo(cl_program made, cl_device_id id, cl_program_build_info what,
                                                      size_t size, void *value, size_t *size_ret) {
  return answer_text("combine:1:1: error: nothing can be compiled here\n", size, value, size_ret);
}

RETURNS(clGetProgramInfo, (cl_program made, cl_program_info what, size_t size, void *value, size_t *size_ret),
        CL_INVALID_VALUE)
MAKES(cl_kernel, clCreateKernel, (cl_program made, const char *name, cl_int *status), NULL,
      CL_INVALID_PROGRAM_EXECUTABLE)
RETURNS(clCreateKernelsInProgram, (cl_program made, cl_uint count, cl_kernel *kernels, cl_uint *total),
        CL_INVALID_PROGRAM_EXECUTABLE)
RETURNS(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value), CL_INVALID_KERNEL)
RETURNS(clGetKernelWorkGroupInfo,
        (cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info what, size_t size, void *value, size_t *size_ret),
        CL_INVALID_KERNEL)
RETURNS(clEnqueueNDRangeKernel,
        (cl_command_queue to, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
         const size_t *local, cl_uint count, const cl_event *list, cl_event *done),
        CL_INVALID_KERNEL)

// ---- Buffers

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context owner, cl_mem_flags flags, size_t size, void *host,
                                               cl_int *status) {
  struct buffer *made = size == 0 || size > MEMORY ? NULL : calloc(1, sizeof *made);
  if (made != NULL)
    *made = (struct buffer){1, size, (flags & CL_MEM_USE_HOST_PTR) != 0,
                            flags & CL_MEM_USE_HOST_PTR ? host : calloc(1, size)};
  if (made != NULL && flags & CL_MEM_COPY_HOST_PTR)
    memcpy(made->bytes, host, size);
  *status = made == NULL ? CL_INVALID_BUFFER_SIZE : CL_SUCCESS;
  return (cl_mem)(void *)made;
}

MAKES(cl_mem, clCreateSubBuffer,
      (cl_mem whole, cl_mem_flags flags, cl_buffer_create_type type, const void *info, cl_int *status), NULL,
      CL_INVALID_VALUE)

CL_API_ENTRY cl_int CL_API_CALL clRetainMemObject(cl_mem memory) {
  buffer_of(memory)->references++;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseMemObject(cl_mem memory) {
  struct buffer *buffer = buffer_of(memory);
  if (--buffer->references > 0)
    return CL_SUCCESS;
  if (!buffer->is_borrowed)
    free(buffer->bytes);
  free(buffer);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetMemObjectInfo(cl_mem memory, cl_mem_info what, size_t size, void *value,
                                                   size_t *size_ret) {
  const void *owner = &context;
  const void *none = NULL;
  const cl_mem_flags flags = CL_MEM_READ_WRITE;
  switch (what) {
  case CL_MEM_SIZE:
    return answer(&buffer_of(memory)->size, sizeof(size_t), size, value, size_ret);
  case CL_MEM_CONTEXT:
    return answer(&owner, sizeof owner, size, value, size_ret);
  case CL_MEM_FLAGS:
    return answer(&flags, sizeof flags, size, value, size_ret);
  default:
    return answer(&none, sizeof none, size, value, size_ret);
  }
}

static cl_int done_at_once(cl_event *done) {
  if (done != NULL)
    *done = (cl_event)(void *)&event;
  return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue to, cl_mem memory, cl_bool blocks, size_t offset,
                                                    size_t size, void *place, cl_uint count, const cl_event *list,
                                                    cl_event *done) {
  memcpy(place, buffer_of(memory)->bytes + offset, size);
  return done_at_once(done);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue to, cl_mem memory, cl_bool blocks, size_t offset,
                                                     size_t size, const void *place, cl_uint count,
                                                     const cl_event *list, cl_event *done) {
  memcpy(buffer_of(memory)->bytes + offset, place, size);
  return done_at_once(done);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue to, cl_mem from, cl_mem into, size_t from_offset,
                                                    size_t into_offset, size_t size, cl_uint count,
                                                    const cl_event *list, cl_event *done) {
  memmove(buffer_of(into)->bytes + into_offset, buffer_of(from)->bytes + from_offset, size);
  return done_at_once(done);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue to, cl_mem memory, const void *pattern,
                                                    size_t length, size_t offset, size_t size, cl_uint count,
                                                    const cl_event *list, cl_event *done) {
  for (size_t i = 0; i < size; i += length)
    memcpy(buffer_of(memory)->bytes + offset + i, pattern, length);
  return done_at_once(done);
}

CL_API_ENTRY void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue to, cl_mem memory, cl_bool blocks,
                                                  cl_map_flags flags, size_t offset, size_t size, cl_uint count,
                                                  const cl_event *list, cl_event *done, cl_int *status) {
  *status = done_at_once(done);
  return buffer_of(memory)->bytes + offset;
}

RETURNS(clEnqueueUnmapMemObject,
        (cl_command_queue to, cl_mem memory, void *place, cl_uint count, const cl_event *list, cl_event *done),
        done_at_once(done))

// ---- Events

RETURNS(clEnqueueMarkerWithWaitList, (cl_command_queue to, cl_uint count, const cl_event *list, cl_event *done),
        done_at_once(done))
RETURNS(clFinish, (cl_command_queue to), CL_SUCCESS)
RETURNS(clFlush, (cl_command_queue to), CL_SUCCESS)
RETURNS(clWaitForEvents, (cl_uint count, const cl_event *list), CL_SUCCESS)
MAKES(cl_event, clCreateUserEvent, (cl_context owner, cl_int *status), &event, CL_SUCCESS)
RETURNS(clSetUserEventStatus, (cl_event made, cl_int status), CL_SUCCESS)

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event made, cl_event_info what, size_t size, void *value,
                                               size_t *size_ret) {
  const cl_int complete = CL_COMPLETE;
  return answer(&complete, sizeof complete, size, value, size_ret);
}

RETURNS(clGetEventProfilingInfo, (cl_event made, cl_profiling_info what, size_t size, void *value, size_t *size_ret),
        CL_PROFILING_INFO_NOT_AVAILABLE)
