// What calls on host memory share.
#ifndef CLR_API_HOST_H
#define CLR_API_HOST_H

#include "plan/plan.h"

// Keeps the failure of an OpenCL call as the runtime's last one.
cl_int clr_host_fail(clred_plan *plan, cl_int code, const char *call, const char *what);

cl_int clr_host_check_there(clred_plan *plan, const char *name, const void *memory);

// Whether the device may use a buffer around the memory: only where its elements are aligned.
bool clr_host_is_shared(const clred_plan *plan, const void *memory, size_t size);

// A buffer that is only read: around the memory, or a copy.
cl_int clr_host_wrap(clred_plan *plan, const void *memory, size_t bytes, bool shared, cl_mem *buffer);

// What fits no buffer is refused before a driver is asked, because some accept anything.
cl_int clr_host_check_size(clred_plan *plan, const char *name, const char *what, size_t size, cl_ulong count);

#endif
