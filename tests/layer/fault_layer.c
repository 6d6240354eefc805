// An OpenCL layer (OPENCL_LAYERS) that makes chosen calls fail, and counts calls and what lives. fault_control.h is for
// programs that drive it; fault_environment.c for those that know nothing of it.
#include <string.h>

#include <CL/cl_layer.h>

#include "fault_state.h"

#define LAYER_API __attribute__((visibility("default")))

static struct _cl_icd_dispatch table;

// A row without a wrapper would be called past us.
static bool is_complete(void) {
  for (int i = 0; i < FAULT_ENTRIES; i++) {
    void *hooked;
    memcpy(&hooked, (const char *)&table + fault_rows[i].slot, sizeof hooked);
    if (!hooked)
      return false;
  }
  return true;
}

LAYER_API cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *below, cl_uint *made,
                                         const struct _cl_icd_dispatch **layer) {
  if (!below || !made || !layer || entries < sizeof table / sizeof(void *))
    return CL_INVALID_VALUE;
  fault_below = below;
  fault_hook_making(&table);
  fault_hook_programs(&table);
  fault_hook_asking(&table);
  fault_hook_commands(&table);
  if (!is_complete())
    return CL_INVALID_OPERATION;
  fault_read_environment();
  *made = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
