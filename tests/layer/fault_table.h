// Every OpenCL entry point that the library and the tool call, and the error codes that OpenCL 1.2 allows for it. A row is all that a
// new one needs here; its wrapper is in fault_make.c, fault_ask.c or fault_enqueue.c.
#ifndef FAULT_TABLE_H
#define FAULT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

// Of commands alike.
#define FAULT_NO_MEMORY CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY
#define FAULT_COMMAND   CL_INVALID_COMMAND_QUEUE, CL_INVALID_CONTEXT, CL_INVALID_EVENT_WAIT_LIST
#define FAULT_TRANSFER                                                                                                          \
  FAULT_COMMAND, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_MEM_OBJECT_ALLOCATION_FAILURE
#define FAULT_KHR_NO_PLATFORM (-1001)

// ENTRY(name, codes...): those that can fail. COUNTED(name): those that are only counted, for a release that fails is a leak.
#define FAULT_ENTRY_MAP(ENTRY, COUNTED)                                                                                          \
  ENTRY(clGetPlatformIDs, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY, FAULT_KHR_NO_PLATFORM)                                        \
  ENTRY(clGetPlatformInfo, CL_INVALID_PLATFORM, CL_INVALID_VALUE, CL_OUT_OF_HOST_MEMORY)                                         \
  ENTRY(clGetDeviceIDs, CL_DEVICE_NOT_FOUND, CL_INVALID_PLATFORM, CL_INVALID_DEVICE_TYPE, CL_INVALID_VALUE, FAULT_NO_MEMORY)     \
  ENTRY(clGetDeviceInfo, CL_INVALID_DEVICE, CL_INVALID_VALUE, FAULT_NO_MEMORY)                                                   \
  ENTRY(clCreateContext, CL_DEVICE_NOT_AVAILABLE, CL_INVALID_PLATFORM, CL_INVALID_PROPERTY, CL_INVALID_VALUE, CL_INVALID_DEVICE, \
        FAULT_NO_MEMORY)                                                                                                         \
  ENTRY(clGetContextInfo, CL_INVALID_CONTEXT, CL_INVALID_VALUE, FAULT_NO_MEMORY)                                                 \
  ENTRY(clCreateCommandQueue, CL_INVALID_CONTEXT, CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_QUEUE_PROPERTIES,              \
        FAULT_NO_MEMORY)                                                                                                         \
  ENTRY(clGetCommandQueueInfo, CL_INVALID_COMMAND_QUEUE, CL_INVALID_VALUE, FAULT_NO_MEMORY)                                      \
  ENTRY(clCreateBuffer, CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_BUFFER_SIZE,          \
        CL_INVALID_HOST_PTR, FAULT_NO_MEMORY)                                                                                    \
  ENTRY(clGetMemObjectInfo, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, FAULT_NO_MEMORY)                                            \
  ENTRY(clCreateProgramWithSource, CL_INVALID_CONTEXT, CL_INVALID_VALUE, FAULT_NO_MEMORY)                                        \
  ENTRY(clCreateProgramWithBinary, CL_INVALID_BINARY, CL_INVALID_CONTEXT, CL_INVALID_VALUE, CL_INVALID_DEVICE, FAULT_NO_MEMORY)  \
  ENTRY(clBuildProgram, CL_BUILD_PROGRAM_FAILURE, CL_COMPILER_NOT_AVAILABLE, CL_INVALID_PROGRAM, CL_INVALID_VALUE,               \
        CL_INVALID_DEVICE, CL_INVALID_BINARY, CL_INVALID_BUILD_OPTIONS, CL_INVALID_OPERATION, FAULT_NO_MEMORY)                   \
  ENTRY(clGetProgramInfo, CL_INVALID_PROGRAM, CL_INVALID_VALUE, CL_INVALID_PROGRAM_EXECUTABLE, FAULT_NO_MEMORY)                  \
  ENTRY(clGetProgramBuildInfo, CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_PROGRAM, FAULT_NO_MEMORY)                         \
  ENTRY(clCreateKernel, CL_INVALID_KERNEL_NAME, CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_DEFINITION, \
        CL_INVALID_VALUE, FAULT_NO_MEMORY)                                                                                       \
  ENTRY(clCreateKernelsInProgram, CL_INVALID_PROGRAM, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_VALUE, FAULT_NO_MEMORY)          \
  ENTRY(clSetKernelArg, CL_INVALID_ARG_SIZE, CL_INVALID_KERNEL, CL_INVALID_ARG_INDEX, CL_INVALID_ARG_VALUE,                      \
        CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER, FAULT_NO_MEMORY)                                                              \
  ENTRY(clGetKernelWorkGroupInfo, CL_INVALID_DEVICE, CL_INVALID_VALUE, CL_INVALID_KERNEL, FAULT_NO_MEMORY)                       \
  ENTRY(clEnqueueNDRangeKernel, FAULT_COMMAND, CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL, CL_INVALID_KERNEL_ARGS,         \
        CL_INVALID_WORK_DIMENSION, CL_INVALID_GLOBAL_WORK_SIZE, CL_INVALID_GLOBAL_OFFSET, CL_INVALID_WORK_GROUP_SIZE,            \
        CL_INVALID_WORK_ITEM_SIZE, CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_INVALID_IMAGE_SIZE, CL_MEM_OBJECT_ALLOCATION_FAILURE,     \
        FAULT_NO_MEMORY)                                                                                                         \
  ENTRY(clEnqueueReadBuffer, FAULT_TRANSFER, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_OPERATION,                 \
        FAULT_NO_MEMORY)                                                                                                         \
  ENTRY(clEnqueueWriteBuffer, FAULT_TRANSFER, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_OPERATION,                \
        FAULT_NO_MEMORY)                                                                                                         \
  ENTRY(clEnqueueCopyBuffer, FAULT_TRANSFER, CL_MEM_COPY_OVERLAP, FAULT_NO_MEMORY)                                               \
  ENTRY(clEnqueueFillBuffer, FAULT_TRANSFER, FAULT_NO_MEMORY)                                                                    \
  ENTRY(clEnqueueMapBuffer, FAULT_TRANSFER, CL_MAP_FAILURE, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_OPERATION,  \
        FAULT_NO_MEMORY)                                                                                                         \
  ENTRY(clEnqueueUnmapMemObject, FAULT_COMMAND, CL_INVALID_MEM_OBJECT, CL_INVALID_VALUE, FAULT_NO_MEMORY)                        \
  ENTRY(clEnqueueMarkerWithWaitList, FAULT_COMMAND, FAULT_NO_MEMORY)                                                             \
  ENTRY(clWaitForEvents, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, CL_INVALID_VALUE, CL_INVALID_CONTEXT, CL_INVALID_EVENT,   \
        FAULT_NO_MEMORY)                                                                                                         \
  ENTRY(clGetEventInfo, CL_INVALID_EVENT, CL_INVALID_VALUE, FAULT_NO_MEMORY)                                                     \
  ENTRY(clGetEventProfilingInfo, CL_PROFILING_INFO_NOT_AVAILABLE, CL_INVALID_VALUE, CL_INVALID_EVENT, FAULT_NO_MEMORY)           \
  ENTRY(clCreateUserEvent, CL_INVALID_CONTEXT, FAULT_NO_MEMORY)                                                                  \
  ENTRY(clSetUserEventStatus, CL_INVALID_EVENT, CL_INVALID_VALUE, CL_INVALID_OPERATION, FAULT_NO_MEMORY)                         \
  ENTRY(clFlush, CL_INVALID_COMMAND_QUEUE, FAULT_NO_MEMORY)                                                                      \
  ENTRY(clFinish, CL_INVALID_COMMAND_QUEUE, FAULT_NO_MEMORY)                                                                     \
  COUNTED(clRetainDevice)                                                                                                        \
  COUNTED(clReleaseDevice)                                                                                                       \
  COUNTED(clRetainContext)                                                                                                       \
  COUNTED(clReleaseContext)                                                                                                      \
  COUNTED(clRetainCommandQueue)                                                                                                  \
  COUNTED(clReleaseCommandQueue)                                                                                                 \
  COUNTED(clRetainMemObject)                                                                                                     \
  COUNTED(clReleaseMemObject)                                                                                                    \
  COUNTED(clRetainProgram)                                                                                                       \
  COUNTED(clReleaseProgram)                                                                                                      \
  COUNTED(clRetainKernel)                                                                                                        \
  COUNTED(clReleaseKernel)                                                                                                       \
  COUNTED(clRetainEvent)                                                                                                         \
  COUNTED(clReleaseEvent)

enum fault_entry {
#define FAULT_ENUM(name, ...)  FAULT_##name,
#define FAULT_ENUM_ALONE(name) FAULT_##name,
  FAULT_ENTRY_MAP(FAULT_ENUM, FAULT_ENUM_ALONE)
#undef FAULT_ENUM
#undef FAULT_ENUM_ALONE
  FAULT_ENTRIES
};

struct fault_row {
  const char   *name;
  size_t        slot;   // where a table of the loader's has it, in bytes
  const cl_int *codes;  // NULL: it is only counted
  size_t        code_count;
};

extern const struct fault_row fault_rows[FAULT_ENTRIES];

// The entry of this name; FAULT_ENTRIES where there is none.
enum fault_entry fault_entry_named(const char *name);

#endif
