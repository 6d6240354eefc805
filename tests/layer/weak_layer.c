// The layer: enforces the limits of the weak device, and wraps the driver's functions.

#include "weak_device.h"

#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct _cl_icd_dispatch *weak_driver;
static struct _cl_icd_dispatch table;

// ---------------------------------------------------------------- Queues

static bool is_refused(cl_command_queue_properties properties) {
  const struct weak_device *weak = weak_device();
  return (weak->traits & LACKS_DISORDER && properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) ||
         (weak->traits & LACKS_PROFILING && properties & CL_QUEUE_PROFILING_ENABLE);
}

static cl_command_queue CL_API_CALL make_queue(cl_context context, cl_device_id id,
                                               cl_command_queue_properties properties, cl_int *err) {
  if (!is_refused(properties))
    return weak_driver->clCreateCommandQueue(context, id, properties, err);
  if (err)
    *err = CL_INVALID_QUEUE_PROPERTIES;
  return NULL;
}

static cl_command_queue CL_API_CALL make_queue_with(cl_context context, cl_device_id id,
                                                    const cl_queue_properties *properties, cl_int *err) {
  if (!weak_device()->version)
    return weak_driver->clCreateCommandQueueWithProperties(context, id, properties, err);
  if (err)
    *err = CL_INVALID_OPERATION;
  return NULL;
}

// ---------------------------------------------------------------- Buffers

static cl_mem CL_API_CALL make_buffer(cl_context context, cl_mem_flags flags, size_t size, void *memory, cl_int *err) {
  const struct weak_device *weak = weak_device();
  const cl_int refusal = weak->alloc && size > weak->alloc             ? CL_INVALID_BUFFER_SIZE
                         : weak->held_alloc && size > weak->held_alloc ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                                                       : CL_SUCCESS;
  if (weak->traits & LIES_IN_HOST_MEMORY && flags & CL_MEM_USE_HOST_PTR)
    flags = (flags & ~(cl_mem_flags)CL_MEM_USE_HOST_PTR) | CL_MEM_COPY_HOST_PTR;
  if (!refusal)
    return weak_driver->clCreateBuffer(context, flags, size, memory, err);
  if (err)
    *err = refusal;
  return NULL;
}

static cl_int nothing(cl_command_queue queue, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  return weak_driver->clEnqueueMarkerWithWaitList(queue, waits, wait_list, event);
}

static cl_int CL_API_CALL fill(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_size,
                               size_t offset, size_t size, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  if (weak_device()->traits & LIES_IN_FILLS)
    return nothing(queue, waits, wait_list, event);
  return weak_driver->clEnqueueFillBuffer(queue, buffer, pattern, pattern_size, offset, size, waits, wait_list, event);
}

static cl_int CL_API_CALL copy(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset, size_t to_offset,
                               size_t size, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  if (weak_device()->traits & LIES_IN_COPIES)
    return nothing(queue, waits, wait_list, event);
  return weak_driver->clEnqueueCopyBuffer(queue, from, to, from_offset, to_offset, size, waits, wait_list, event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking, size_t offset,
                                       size_t size, const void *from, cl_uint waits, const cl_event *wait_list,
                                       cl_event *event) {
  if (weak_device()->traits & LIES_IN_OFFSETS)
    offset = 0;
  return weak_driver->clEnqueueWriteBuffer(queue, buffer, blocking, offset, size, from, waits, wait_list, event);
}

// ---------------------------------------------------------------- Programs

static cl_program CL_API_CALL make_program(cl_context context, cl_uint count, const char **strings,
                                           const size_t *lengths, cl_int *err) {
  if (count != 1 || lengths)
    return weak_driver->clCreateProgramWithSource(context, count, strings, lengths, err);
  char *made = weak_source(*strings);
  const char *text = made;
  cl_program program = weak_driver->clCreateProgramWithSource(context, 1, &text, NULL, err);
  free(made);
  return program;
}

static cl_int CL_API_CALL build(cl_program program, cl_uint count, const cl_device_id *ids, const char *options,
                                void(CL_CALLBACK *then)(cl_program, void *), void *user_data) {
  const struct weak_device *weak = weak_device();
  char more[4096];
  if (weak->traits & EXITS_IN_BUILDS) {
    fputs("COMPILER ERROR: no room\nfor a file\n", stderr);
    exit(EXIT_FAILURE);
  }
  if (weak->version && options && (strstr(options, "CL2") || strstr(options, "CL3")))
    return CL_INVALID_BUILD_OPTIONS;
  snprintf(more, sizeof more, "%s%s", options ? options : "",
           weak->traits & LIES_IN_DENORMALS ? " -cl-denorms-are-zero" : "");
  return weak_driver->clBuildProgram(program, count, ids, more, then, user_data);
}

// ---------------------------------------------------------------- First launches

enum { FIRST_MOST = 64 };
static struct {
  cl_kernel kernel;
  cl_event event;  // of its first launch
} firsts[FIRST_MOST];

// A driver may use the handle of a released event again.
static void note_launch(cl_kernel kernel, cl_event event) {
  for (int i = 0; i < FIRST_MOST; i++) {
    if (firsts[i].event == event)
      firsts[i].event = NULL;
    if (firsts[i].kernel == kernel)
      return;
    if (!firsts[i].kernel) {
      firsts[i].kernel = kernel;
      firsts[i].event = event;
      return;
    }
  }
}

static cl_int CL_API_CALL event_time(cl_event event, cl_profiling_info what, size_t size, void *value, size_t *taken) {
  const cl_int err = weak_driver->clGetEventProfilingInfo(event, what, size, value, taken);
  for (int i = 0; i < FIRST_MOST && !err && value && what == CL_PROFILING_COMMAND_END; i++)
    if (firsts[i].event == event)
      *(cl_ulong *)value += 1000000000000;
  return err;
}

// ---------------------------------------------------------------- Launches

static cl_int CL_API_CALL set_argument(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  const struct weak_device *weak = weak_device();
  if (!value && weak->local && size > weak->local)
    return CL_INVALID_ARG_SIZE;
  if (value && weak->parameter && size > weak->parameter)
    return CL_INVALID_ARG_SIZE;
  return weak_driver->clSetKernelArg(kernel, index, size, value);
}

static cl_ulong local_of(cl_command_queue queue, cl_kernel kernel) {
  cl_device_id id = NULL;
  cl_ulong bytes = 0;
  weak_driver->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
  weak_driver->clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
  return bytes;
}

static cl_int judge(const struct weak_device *weak, cl_command_queue queue, cl_kernel kernel, size_t group) {
  const cl_ulong local = weak->local || weak->held_local ? local_of(queue, kernel) : 0;
  const size_t most = weak->kernel_group ? weak->kernel_group : weak->group;
  if (most && group > most)
    return CL_INVALID_WORK_GROUP_SIZE;
  if (weak->held_group && group > weak->held_group)
    return CL_OUT_OF_RESOURCES;
  return (weak->local && local > weak->local) || (weak->held_local && local > weak->held_local) ? CL_OUT_OF_RESOURCES
                                                                                                : CL_SUCCESS;
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait_list,
                                 cl_event *event) {
  const struct weak_device *weak = weak_device();
  const size_t group = local ? *local : 1, one = 1;
  const cl_int refusal = judge(weak, queue, kernel, group);
  if (refusal && weak->traits & LIES_IN_LAUNCHES)
    return nothing(queue, waits, wait_list, event);
  if (refusal)
    return refusal;
  if (weak->traits & (LIES_IN_LOOPS | COUNTS_LOOPS)) {
    weak_driver->clFinish(queue);
    weak_loops_begin();
  }
  if (weak->traits & EXITS_IN_LAUNCHES)
    exit(EXIT_SUCCESS);
  // The driver would choose a size that ignores the limits of the row.
  const cl_int err = weak_driver->clEnqueueNDRangeKernel(queue, kernel, dimensions, offset, global,
                                                         weak->name && !local ? &one : local, waits, wait_list, event);
  if (weak->traits & SLOW_AT_FIRST && err == CL_SUCCESS && event)
    note_launch(kernel, *event);
  return err;
}

// ---------------------------------------------------------------- The loader's entry point

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const struct _cl_icd_dispatch *driver, cl_uint *made,
                                            const struct _cl_icd_dispatch **layer) {
  (void)count;
  weak_driver = driver;
  table.clGetDeviceInfo = weak_device_info;
  table.clGetPlatformInfo = weak_platform_info;
  table.clGetKernelWorkGroupInfo = weak_kernel_info;
  table.clCreateCommandQueue = make_queue;
  table.clCreateCommandQueueWithProperties = make_queue_with;
  table.clCreateBuffer = make_buffer;
  table.clEnqueueFillBuffer = fill;
  table.clEnqueueCopyBuffer = copy;
  table.clEnqueueWriteBuffer = write_buffer;
  table.clCreateProgramWithSource = make_program;
  table.clBuildProgram = build;
  table.clSetKernelArg = set_argument;
  table.clGetEventProfilingInfo = event_time;
  table.clEnqueueNDRangeKernel = launch;
  *made = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
