// Types by name. int8, int16, uint8, uint16 and float16 are scalar types in NumPy and vector types in OpenCL C. If both
// languages are allowed, the name is NumPy's.

#ifndef CLREDUCE_TOOL_TYPE_NAMES_H
#define CLREDUCE_TOOL_TYPE_NAMES_H

#include <clreduce_device.h>
#include <stdbool.h>

// Returns false and leaves `type` unchanged if there is no such type.
bool type_of_numpy(const char *name, clred_type_info *type);
bool type_of_opencl(const char *name, clred_type_info *type);
bool type_of_either(const char *name, clred_type_info *type);

#endif
