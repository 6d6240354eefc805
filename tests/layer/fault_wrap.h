// How wrappers are written.
#ifndef FAULT_WRAP_H
#define FAULT_WRAP_H

#include "fault_state.h"

// A call that only has a status.
#define FAULT_CALL(name, parameters, arguments) \
  static CL_API_ENTRY cl_int CL_API_CALL wrap_##name parameters { \
    cl_int code; \
    if (fault_falls(FAULT_##name, &code)) \
      return code; \
    return fault_below->name arguments; \
  }

// A call that makes an object of a kind; `err` is its last parameter.
#define FAULT_MAKE(made_type, name, kind, parameters, arguments) \
  static CL_API_ENTRY made_type CL_API_CALL wrap_##name parameters { \
    cl_int code; \
    if (fault_falls(FAULT_##name, &code)) { \
      if (err) \
        *err = code; \
      return NULL; \
    } \
    made_type made = fault_below->name arguments; \
    fault_count_live(kind, made != NULL); \
    return made; \
  }

// A retain or a release.
#define FAULT_COUNT(type, name, kind, change) \
  static CL_API_ENTRY cl_int CL_API_CALL wrap_##name(type object) { \
    cl_int code; \
    fault_falls(FAULT_##name, &code); \
    code = fault_below->name(object); \
    fault_count_live(kind, code == CL_SUCCESS ? change : 0); \
    return code; \
  }

#define FAULT_HOOK(name) table->name = wrap_##name

#endif
