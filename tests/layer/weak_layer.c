// The layer: enforces the limits of the weak device, and wraps the driver's functions.

#define _POSIX_C_SOURCE 200809L

#include "weak_device.h"

#include <CL/cl_layer.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "prototypes.h"

const struct _cl_icd_dispatch *weak_driver;
static struct _cl_icd_dispatch table;

#define DRIVER(name) weak_driver->name ARGUMENTS_##name

// ---------------------------------------------------------------- Queues

static bool is_refused(cl_command_queue_properties properties) {
  const struct weak_device *weak = weak_device();
  return (weak->traits & LACKS_DISORDER && properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) ||
         (weak->traits & LACKS_PROFILING && properties & CL_QUEUE_PROFILING_ENABLE);
}

HOOK(clCreateCommandQueue) {
  if (!is_refused(properties))
    return DRIVER(clCreateCommandQueue);
  if (errcode_ret)
    *errcode_ret = CL_INVALID_QUEUE_PROPERTIES;
  return NULL;
}

HOOK(clCreateCommandQueueWithProperties) {
  if (!weak_device()->version)
    return DRIVER(clCreateCommandQueueWithProperties);
  if (errcode_ret)
    *errcode_ret = CL_INVALID_OPERATION;
  return NULL;
}

// ---------------------------------------------------------------- Buffers

HOOK(clCreateBuffer) {
  const struct weak_device *weak = weak_device();
  const cl_int refusal = weak->alloc && size > weak->alloc             ? CL_INVALID_BUFFER_SIZE
                         : weak->held_alloc && size > weak->held_alloc ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                                                       : CL_SUCCESS;
  if (weak->traits & LIES_IN_HOST_MEMORY && flags & CL_MEM_USE_HOST_PTR)
    flags = (flags & ~(cl_mem_flags)CL_MEM_USE_HOST_PTR) | CL_MEM_COPY_HOST_PTR;
  if (!refusal)
    return DRIVER(clCreateBuffer);
  if (errcode_ret)
    *errcode_ret = refusal;
  return NULL;
}

static cl_int nothing(cl_command_queue queue, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  return weak_driver->clEnqueueMarkerWithWaitList(queue, waits, wait_list, event);
}

HOOK(clEnqueueFillBuffer) {
  if (weak_device()->traits & LIES_IN_FILLS)
    return nothing(command_queue, num_events_in_wait_list, event_wait_list, event);
  return DRIVER(clEnqueueFillBuffer);
}

HOOK(clEnqueueCopyBuffer) {
  if (weak_device()->traits & LIES_IN_COPIES)
    return nothing(command_queue, num_events_in_wait_list, event_wait_list, event);
  return DRIVER(clEnqueueCopyBuffer);
}

HOOK(clEnqueueWriteBuffer) {
  if (weak_device()->traits & LIES_IN_OFFSETS)
    offset = 0;
  return DRIVER(clEnqueueWriteBuffer);
}

// ---------------------------------------------------------------- Programs

HOOK(clCreateProgramWithSource) {
  if (count != 1 || lengths)
    return DRIVER(clCreateProgramWithSource);
  char *made = weak_source(*strings);
  const char *text = made;
  cl_program program = weak_driver->clCreateProgramWithSource(context, 1, &text, NULL, errcode_ret);
  free(made);
  return program;
}

HOOK(clBuildProgram) {
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
  options = more;
  return DRIVER(clBuildProgram);
}

// ---------------------------------------------------------------- First launches

static bool is_chunked(cl_kernel kernel) {
  char name[256] = "";
  weak_driver->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  return strcmp(name, "clred_chunked_elements") == 0;
}

static void end_or_hang(const struct weak_device *weak) {
  while (!(weak->traits & CRASHES_IN_CHUNKED))
    pause();
  raise(SIGSEGV);
}

enum { FIRST_MAX = 64 };
static struct {
  cl_kernel kernel;
  cl_event event;  // of its first launch
} firsts[FIRST_MAX];

// A driver may use the handle of a released event again.
static void note_launch(cl_kernel kernel, cl_event event) {
  int place = 0;
  for (int i = 0; i < FIRST_MAX; i++)
    if (firsts[i].event == event)
      firsts[i].event = NULL;
  while (place < FIRST_MAX && firsts[place].kernel && firsts[place].kernel != kernel)
    place++;
  if (place < FIRST_MAX && !firsts[place].kernel) {
    firsts[place].kernel = kernel;
    firsts[place].event = event;
  }
}

HOOK(clGetEventProfilingInfo) {
  const cl_int err = DRIVER(clGetEventProfilingInfo);
  for (int i = 0; i < FIRST_MAX && !err && param_value && param_name == CL_PROFILING_COMMAND_END; i++)
    if (firsts[i].event == event)
      *(cl_ulong *)param_value += 1000000000000;
  return err;
}

// ---------------------------------------------------------------- Launches

enum { LOCALS_MAX = 4096 };
static struct {
  cl_kernel kernel;
  cl_uint index;
  size_t size;
} locals[LOCALS_MAX];  // local memory that kernels get as arguments

// Arguments that are no local memory are noted, too: a driver may use the handle of a released kernel again.
static void note_local(cl_kernel kernel, cl_uint index, size_t size) {
  for (int i = 0; i < LOCALS_MAX; i++)
    if (!locals[i].kernel || (locals[i].kernel == kernel && locals[i].index == index)) {
      locals[i].kernel = kernel;
      locals[i].index = index;
      locals[i].size = size;
      return;
    }
}

HOOK(clSetKernelArg) {
  const struct weak_device *weak = weak_device();
  const size_t most = arg_value ? weak->parameter : weak->local;
  if (weak->local || weak->held_local)
    note_local(kernel, arg_index, arg_value ? 0 : arg_size);
  return most && arg_size > most ? CL_INVALID_ARG_SIZE : DRIVER(clSetKernelArg);
}

// Drivers should count the arguments, but PoCL 6.0 answers 0 for every kernel.
static cl_ulong local_of(cl_command_queue queue, cl_kernel kernel) {
  cl_device_id id = NULL;
  cl_ulong bytes = 0, arguments = 0;
  weak_driver->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
  weak_driver->clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
  for (int i = 0; i < LOCALS_MAX && locals[i].kernel; i++)
    arguments += locals[i].kernel == kernel ? locals[i].size : 0;
  return bytes < arguments ? arguments : bytes;
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

HOOK(clEnqueueNDRangeKernel) {
  const struct weak_device *weak = weak_device();
  const size_t one = 1;
  const cl_int refusal = judge(weak, command_queue, kernel, local_work_size ? *local_work_size : 1);
  if (refusal && weak->traits & LIES_IN_LAUNCHES)
    return nothing(command_queue, num_events_in_wait_list, event_wait_list, event);
  if (refusal)
    return refusal;
  if (weak->traits & (LIES_IN_LOOPS | COUNTS_LOOPS)) {
    weak_driver->clFinish(command_queue);
    weak_loops_begin();
  }
  if (weak->traits & EXITS_IN_LAUNCHES)
    exit(EXIT_SUCCESS);
  if (weak->traits & (CRASHES_IN_CHUNKED | HANGS_IN_CHUNKED) && is_chunked(kernel))
    end_or_hang(weak);
  static bool is_broken;
  is_broken = is_broken || (weak->traits & BREAKS_IN_CHUNKED && is_chunked(kernel));
  if (is_broken)
    return CL_OUT_OF_RESOURCES;
  // The driver would choose a size that ignores the limits of the row.
  if (weak->name && !local_work_size)
    local_work_size = &one;
  const cl_int err = DRIVER(clEnqueueNDRangeKernel);
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
  table.clCreateCommandQueue = hook_clCreateCommandQueue;
  table.clCreateCommandQueueWithProperties = hook_clCreateCommandQueueWithProperties;
  table.clCreateBuffer = hook_clCreateBuffer;
  table.clEnqueueFillBuffer = hook_clEnqueueFillBuffer;
  table.clEnqueueCopyBuffer = hook_clEnqueueCopyBuffer;
  table.clEnqueueWriteBuffer = hook_clEnqueueWriteBuffer;
  table.clCreateProgramWithSource = hook_clCreateProgramWithSource;
  table.clBuildProgram = hook_clBuildProgram;
  table.clSetKernelArg = hook_clSetKernelArg;
  table.clGetEventProfilingInfo = hook_clGetEventProfilingInfo;
  table.clEnqueueNDRangeKernel = hook_clEnqueueNDRangeKernel;
  *made = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
