// Wrappers of the calls that query information, and of clSetKernelArg.
#include "fault_wrap.h"

FAULT_CALL(clGetPlatformIDs, (cl_uint room, cl_platform_id *platforms, cl_uint *count), (room, platforms, count))
FAULT_CALL(clGetPlatformInfo,
           (cl_platform_id platform, cl_platform_info what, size_t size, void *value, size_t *needed),
           (platform, what, size, value, needed))
FAULT_CALL(clGetDeviceIDs,
           (cl_platform_id platform, cl_device_type type, cl_uint room, cl_device_id *devices, cl_uint *count),
           (platform, type, room, devices, count))
FAULT_CALL(clGetContextInfo, (cl_context context, cl_context_info what, size_t size, void *value, size_t *needed),
           (context, what, size, value, needed))
FAULT_CALL(clGetCommandQueueInfo,
           (cl_command_queue queue, cl_command_queue_info what, size_t size, void *value, size_t *needed),
           (queue, what, size, value, needed))
FAULT_CALL(clGetMemObjectInfo, (cl_mem object, cl_mem_info what, size_t size, void *value, size_t *needed),
           (object, what, size, value, needed))
FAULT_CALL(clGetProgramBuildInfo,
           (cl_program program, cl_device_id device, cl_program_build_info what, size_t size, void *value,
            size_t *needed),
           (program, device, what, size, value, needed))
FAULT_CALL(clGetEventInfo, (cl_event event, cl_event_info what, size_t size, void *value, size_t *needed),
           (event, what, size, value, needed))
FAULT_CALL(clGetEventProfilingInfo, (cl_event event, cl_profiling_info what, size_t size, void *value, size_t *needed),
           (event, what, size, value, needed))
FAULT_CALL(clSetKernelArg, (cl_kernel kernel, cl_uint index, size_t size, const void *value),
           (kernel, index, size, value))

// These two report what the program pretends.
FAULT_CALL_THEN(clGetDeviceInfo, (cl_device_id device, cl_device_info what, size_t size, void *value, size_t *needed),
                (device, what, size, value, needed), {
                  if (!code && value && what == CL_DEVICE_TYPE && fault_pretence.gpu)
                    *(cl_device_type *)value = CL_DEVICE_TYPE_GPU;
                })
FAULT_CALL_THEN(clGetKernelWorkGroupInfo,
                (cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what, size_t size, void *value,
                 size_t *needed),
                (kernel, device, what, size, value, needed), {
                  if (!code && value && what == CL_KERNEL_WORK_GROUP_SIZE && fault_pretence.kernel_group_size)
                    *(size_t *)value = fault_pretence.kernel_group_size;
                })
