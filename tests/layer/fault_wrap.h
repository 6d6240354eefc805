// Macros for the wrappers: the functions that the loader calls in place of the driver's.
#pragma once

#include "fault_state.h"

#define FAULT_WRAPPED(type, name, parameters) CL_API_ENTRY type CL_API_CALL wrap_##name parameters

// A call that returns only a status. The statement `then` runs after the driver's function.
#define FAULT_CALL_THEN(name, parameters, arguments, then) \
  FAULT_WRAPPED(cl_int, name, parameters) { \
    cl_int code; \
    if (fault_falls(FAULT_##name, &code)) \
      return code; \
    code = fault_below->name arguments; \
    then; \
    return code; \
  }
#define FAULT_CALL(name, parameters, arguments) FAULT_CALL_THEN(name, parameters, arguments, (void)0)

// A call that makes an object; `err` is its last parameter. The statement `note` runs if the driver made the object.
#define FAULT_MAKE(made_type, name, kind, parameters, arguments, note) \
  FAULT_WRAPPED(made_type, name, parameters) { \
    if (fault_refuses(FAULT_##name, err)) \
      return NULL; \
    made_type made = fault_below->name arguments; \
    fault_count_live(kind, made != NULL); \
    if (made) \
      note; \
    return made; \
  }

// A retain or a release. The statement `note` runs before the driver's function.
#define FAULT_COUNT_NOTED(type, name, kind, change, note) \
  FAULT_WRAPPED(cl_int, name, (type object)) { \
    cl_int code; \
    fault_falls(FAULT_##name, &code); \
    note; \
    code = fault_below->name(object); \
    fault_count_live(kind, code == CL_SUCCESS ? change : 0); \
    return code; \
  }
#define FAULT_COUNT(type, name, kind, change) FAULT_COUNT_NOTED(type, name, kind, change, (void)0)
