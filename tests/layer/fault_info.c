// Wrappers of the calls that query information, and of clSetKernelArg.
#include "fault_wrap.h"

FAULT_CALL(clGetPlatformIDs)
FAULT_CALL(clGetPlatformInfo)
FAULT_CALL(clGetDeviceIDs)
FAULT_CALL(clGetContextInfo)
FAULT_CALL(clGetCommandQueueInfo)
FAULT_CALL(clGetMemObjectInfo)
FAULT_CALL(clGetProgramBuildInfo)
FAULT_CALL(clGetEventInfo)
FAULT_CALL(clGetEventProfilingInfo)
FAULT_CALL(clSetKernelArg)

// These two report what the program pretends.
FAULT_CALL_THEN(clGetDeviceInfo, {
  if (!code && param_value && param_name == CL_DEVICE_TYPE && fault_pretence.gpu)
    *(cl_device_type *)param_value = CL_DEVICE_TYPE_GPU;
})
FAULT_CALL_THEN(clGetKernelWorkGroupInfo, {
  if (!code && param_value && param_name == CL_KERNEL_WORK_GROUP_SIZE && fault_pretence.kernel_group_size)
    *(size_t *)param_value = fault_pretence.kernel_group_size;
})
