// Every OpenCL entry point that the library and the tool call, and the error codes that OpenCL 1.2 allows for it. A new
// entry point needs a row here and, if it is not PLAIN, a wrapper in fault_layer.c. And the interface of the layer.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

// Codes of many entries.
#define FAULT_NO_MEMORY CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY
#define FAULT_COMMAND CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_EVENT_WAIT_LIST
#define FAULT_TRANSFER \
  FAULT_COMMAND, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, CL_MISALIGNED_SUB_BUFFER_OFFSET, \
    CL_MEM_OBJECT_ALLOCATION_FAILURE
#define FAULT_KHR_NO_PLATFORM (-1001)

// ENTRY(name, codes...): calls that can fail. PLAIN(name, codes...): the same, without any other effect in the layer.
// COUNTED(name): calls that do not fail; the layer counts objects by them.
#define FAULT_ENTRY_MAP(ENTRY, PLAIN, COUNTED) \
  PLAIN(clGetPlatformIDs, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY, FAULT_KHR_NO_PLATFORM) \
  PLAIN(clGetPlatformInfo, CL_INVALID_PLATFORM, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY) \
  PLAIN(clGetDeviceIDs, CL_DEVICE_NOT_FOUND, CL_INVALID_PLATFORM, CL_INVALID_DEVICE_TYPE, CL_INVALID_VALUE, \
        FAULT_NO_MEMORY) \
  ENTRY(clGetDeviceInfo, CL_INVALID_DEVICE, CL_INVALID_VALUE, FAULT_NO_MEMORY) \
  ENTRY(clCreateContext, CL_DEVICE_NOT_AVAILABLE, CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_VALUE, \
        CL_INVALID_DEVICE, FAULT_NO_MEMORY) \
  PLAIN(clGetContextInfo, CL_INVALID_CONTEXT, CL_INVALID_VALUE, FAULT_NO_MEMORY) \
  ENTRY(clCreateCommandQueue, CL_INVALID_CONTEXT, CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_QUEUE_PROPERTIES, \
        FAULT_NO_MEMORY) \
  PLAIN(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, FAULT_NO_MEMORY) \
  ENTRY(clCreateBuffer, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_CONTEXT, CL_INVALID_VALUE, \
        CL_INVALID_BUFFER_SIZE, CL_INVALID_HOST_PTR, FAULT_NO_MEMORY) \
  PLAIN(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, FAULT_NO_MEMORY) \
  ENTRY(clCreateProgramWithSource, CL_INVALID_CONTEXT, CL_INVALID_VALUE, FAULT_NO_MEMORY) \
  ENTRY(clCreateProgramWithBinary, CL_INVALID_BINARY, CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_DEVICE, \
        FAULT_NO_MEMORY) \
  ENTRY(clBuildProgram, CL_BUILD_PROGRAM_FAILURE, CL_COMPILER_NOT_AVAILABLE, CL_INVALID_PROGRAM, CL_INVALID_VALUE, \
        CL_INVALID_DEVICE, CL_INVALID_BINARY, CL_INVALID_BUILD_OPTIONS, CL_INVALID_OPERATION, FAULT_NO_MEMORY) \
  ENTRY(clGetProgramInfo, CL_INVALID_PROGRAM, CL_INVALID_VALUE, CL_INVALID_PROGRAM_EXECUTABLE, FAULT_NO_MEMORY) \
  PLAIN(clGetProgramBuildInfo, CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_PROGRAM, FAULT_NO_MEMORY) \
  ENTRY(clCreateKernel, CL_INVALID_KERNEL_NAME, CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE, \
        CL_INVALID_KERNEL_DEFINITION, CL_INVALID_VALUE, FAULT_NO_MEMORY) \
  ENTRY(clCreateKernelsInProgram, CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_VALUE, \
        FAULT_NO_MEMORY) \
  PLAIN(clSetKernelArg, CL_INVALID_ARG_SIZE, CL_INVALID_KERNEL, CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE, \
        CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER, FAULT_NO_MEMORY) \
  ENTRY(clGetKernelWorkGroupInfo, CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_KERNEL, FAULT_NO_MEMORY) \
  ENTRY(clEnqueueNDRangeKernel, FAULT_COMMAND, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL, \
        CL_INVALID_KERNEL_ARGS, CL_INVALID_WORK_DIMENSION, CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_GLOBAL_OFFSET, \
        CL_INVALID_WORK_GROUP_SIZE, CL_INVALID_WORK_ITEM_SIZE, CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_INVALID_IMAGE_SIZE, \
        CL_MEM_OBJECT_ALLOCATION_FAILURE, FAULT_NO_MEMORY) \
  ENTRY(clEnqueueReadBuffer, FAULT_TRANSFER, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_OPERATION, \
        FAULT_NO_MEMORY) \
  ENTRY(clEnqueueCopyBufferRect, FAULT_TRANSFER, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_OPERATION, \
        FAULT_NO_MEMORY) \
  ENTRY(clEnqueueWriteBuffer, FAULT_TRANSFER, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_OPERATION, \
        FAULT_NO_MEMORY) \
  ENTRY(clEnqueueCopyBuffer, FAULT_TRANSFER, CL_MEM_COPY_OVERLAP, FAULT_NO_MEMORY) \
  ENTRY(clEnqueueFillBuffer, FAULT_TRANSFER, FAULT_NO_MEMORY) \
  ENTRY(clEnqueueMapBuffer, FAULT_TRANSFER, CL_MAP_FAILURE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, \
        CL_INVALID_OPERATION, FAULT_NO_MEMORY) \
  ENTRY(clEnqueueUnmapMemObject, FAULT_COMMAND, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, FAULT_NO_MEMORY) \
  ENTRY(clEnqueueMarkerWithWaitList, FAULT_COMMAND, FAULT_NO_MEMORY) \
  ENTRY(clWaitForEvents, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_VALUE, CL_INVALID_CONTEXT, \
        CL_INVALID_EVENT, FAULT_NO_MEMORY) \
  PLAIN(clGetEventInfo, CL_INVALID_EVENT, CL_INVALID_VALUE, FAULT_NO_MEMORY) \
  PLAIN(clGetEventProfilingInfo, CL_PROFILING_INFO_NOT_AVAILABLE, CL_INVALID_VALUE, CL_INVALID_EVENT, FAULT_NO_MEMORY) \
  ENTRY(clCreateUserEvent, CL_INVALID_CONTEXT, FAULT_NO_MEMORY) \
  ENTRY(clSetUserEventStatus, CL_INVALID_EVENT, CL_INVALID_VALUE, CL_INVALID_OPERATION, FAULT_NO_MEMORY) \
  PLAIN(clFlush, CL_INVALID_COMMAND_QUEUE, FAULT_NO_MEMORY) \
  ENTRY(clFinish, CL_INVALID_COMMAND_QUEUE, FAULT_NO_MEMORY) \
  COUNTED(clCreateSubBuffer) \
  COUNTED(clRetainDevice) \
  COUNTED(clReleaseDevice) \
  COUNTED(clRetainContext) \
  COUNTED(clReleaseContext) \
  COUNTED(clRetainCommandQueue) \
  COUNTED(clReleaseCommandQueue) \
  COUNTED(clRetainMemObject) \
  COUNTED(clReleaseMemObject) \
  COUNTED(clRetainProgram) \
  COUNTED(clReleaseProgram) \
  COUNTED(clRetainKernel) \
  COUNTED(clReleaseKernel) \
  COUNTED(clRetainEvent) \
  COUNTED(clReleaseEvent)

enum fault_entry {
#define FAULT_ENUM(name, ...) FAULT_##name,
#define FAULT_ENUM_ALONE(name) FAULT_##name,
  FAULT_ENTRY_MAP(FAULT_ENUM, FAULT_ENUM, FAULT_ENUM_ALONE)
#undef FAULT_ENUM
#undef FAULT_ENUM_ALONE
    FAULT_ENTRIES
};

struct fault_row {
  const char *name;
  const cl_int *codes;  // NULL: it does not fail
  size_t code_count;
};

extern const struct fault_row fault_rows[FAULT_ENTRIES];

// ---------------------------------------------------------------- Control

// The interface for a program that has loaded the layer: dlsym finds clr_fault_control. While faults are injected only
// one thread may call OpenCL.

enum fault_mode {
  FAULT_ONCE,  // one call fails
  FAULT_ON,    // the device has vanished: one call fails and all after it
  FAULT_LATE,  // the call succeeds and its command ends in an error; only in out-of-order queues
  FAULT_MODES
};

// What fails next.
struct fault_plan {
  enum fault_mode mode;
  long at;      // the number of the call that fails, from 1; 0: calls are only listed
  size_t code;  // the index of the code among those of the entry
};

struct fault_seen {
  long calls;              // calls that could have failed
  enum fault_entry entry;  // the first that failed; FAULT_ENTRIES: none
  cl_int code;
  bool too_far;  // nothing failed, because the entry has no code of this index
};

enum fault_kind {
  FAULT_CONTEXTS,
  FAULT_DEVICES,
  FAULT_QUEUES,
  FAULT_BUFFERS,
  FAULT_PROGRAMS,
  FAULT_KERNELS,
  FAULT_EVENTS,
  FAULT_MAPPINGS,
  FAULT_KINDS
};

// What the layer reports instead of the device.
struct fault_pretence {
  size_t kernel_group_size;  // CL_KERNEL_WORK_GROUP_SIZE; 0: the driver's
  bool gpu;                  // CL_DEVICE_TYPE is a GPU
};

struct fault_control {
  void (*arm)(const struct fault_plan *plan);
  void (*disarm)(struct fault_seen *seen);
  bool (*has_fallen)(void);  // a call failed since the last arming
  // While paused, calls are not listed or counted and do not fail.
  void (*pause)(bool paused);
  // Copies the first `room` entries called since the last arming and returns the number of all.
  size_t (*list)(unsigned char *entries, size_t room);
  void (*live)(long counts[FAULT_KINDS]);
  void (*pretend)(const struct fault_pretence *pretence);
  // Keeps built programs, so that a text is built once for thousands of plans.
  void (*keep_programs)(bool keep);
  // Returns how many binaries the driver was given that it had not made itself in this process.
  long (*strange_binaries)(void);
  const char *const *kinds;
};

#define FAULT_CONTROL_SYMBOL "clr_fault_control"
