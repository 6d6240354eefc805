// Macros for the wrappers: the functions that the loader calls instead of the driver's. Parameters have the names of
// CL/cl.h.
#pragma once

#include "fault_state.h"
#include "prototypes.h"

#define FAULT_WRAPPED(name) CL_API_ENTRY RETURNS_##name CL_API_CALL wrap_##name PARAMETERS_##name

// A call that returns only a status. The statement `then` runs after the driver's function.
#define FAULT_CALL_THEN(name, then) \
  FAULT_WRAPPED(name) { \
    cl_int code; \
    if (fault_falls(FAULT_##name, &code)) \
      return code; \
    code = fault_below->name ARGUMENTS_##name; \
    then; \
    return code; \
  }
#define FAULT_CALL(name) FAULT_CALL_THEN(name, (void)0)

// A call that makes an object. The statement `note` runs if the driver made the object.
#define FAULT_MAKE(name, kind, note) \
  FAULT_WRAPPED(name) { \
    if (fault_refuses(FAULT_##name, errcode_ret)) \
      return NULL; \
    RETURNS_##name made = fault_below->name ARGUMENTS_##name; \
    fault_count_live(kind, made != NULL); \
    if (made) \
      note; \
    return made; \
  }

// A retain or a release. The statement `note` runs before the driver's function.
#define FAULT_COUNT_NOTED(name, kind, change, note) \
  FAULT_WRAPPED(name) { \
    note; \
    const cl_int code = fault_below->name ARGUMENTS_##name; \
    fault_count_live(kind, code == CL_SUCCESS ? change : 0); \
    return code; \
  }
#define FAULT_COUNT(name, kind, change) FAULT_COUNT_NOTED(name, kind, change, (void)0)
