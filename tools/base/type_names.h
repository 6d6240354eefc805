// Types by name. int8, int16, uint8, uint16 and float16 are numbers to NumPy and vectors to OpenCL: where a name may be
// of either language it is NumPy's.

#ifndef CLREDUCE_TOOL_TYPE_NAMES_H
#define CLREDUCE_TOOL_TYPE_NAMES_H

#include <clreduce_device.h>
#include <stdbool.h>

// False, with `type` as it was, if there is none.
bool type_of_numpy(const char *name, clred_type_info *type);
bool type_of_opencl(const char *name, clred_type_info *type);
bool type_of_either(const char *name, clred_type_info *type);

#endif
