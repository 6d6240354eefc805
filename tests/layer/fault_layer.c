// An OpenCL layer (OPENCL_LAYERS) that makes chosen calls fail, and counts calls and live objects. Programs control it
// by fault_control.h or by the variables of fault_environment.c.
#include <CL/cl_layer.h>

#include "fault_state.h"

#define LAYER_API __attribute__((visibility("default")))

static struct _cl_icd_dispatch table;

#define HOOK(name, ...) table.name = wrap_##name;
#define HOOK_COUNTED(name) HOOK(name, )

LAYER_API cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *below, cl_uint *made,
                                         const struct _cl_icd_dispatch **layer) {
  if (!below || !made || !layer || entries < sizeof table / sizeof(void *))
    return CL_INVALID_VALUE;
  fault_below = below;
  FAULT_ENTRY_MAP(HOOK, HOOK_COUNTED)
  fault_read_environment();
  *made = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
