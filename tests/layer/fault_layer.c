// An OpenCL layer (OPENCL_LAYERS) that makes chosen calls fail, and counts calls and live objects. Programs control it
// by fault_control.h or by the environment: FAULT_AT (the number of a call, from 1), FAULT_CODE (an index of the
// entry's codes), FAULT_MODE (once, on, late). At exit FAULT_REPORT, a file, gets what failed and which objects live.
#include <CL/cl_layer.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault_state.h"

// ---------------------------------------------------------------- The environment

extern const struct fault_control clr_fault_control;

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

static enum fault_mode mode(void) {
  const char *text = getenv("FAULT_MODE");
  return !text || strcmp(text, "once") == 0 ? FAULT_ONCE : strcmp(text, "on") == 0 ? FAULT_ON : FAULT_LATE;
}

static void report(void) {
  FILE *file = fopen(getenv("FAULT_REPORT"), "w");
  struct fault_seen seen;
  if (!file)
    return;
  clr_fault_control.disarm(&seen);
  fprintf(file, "calls %ld\n", seen.calls);
  fprintf(file, "failed %s %d\n", seen.entry < FAULT_ENTRIES ? fault_rows[seen.entry].name : "none",
          seen.entry < FAULT_ENTRIES ? (int)seen.code : 0);
  fprintf(file, "beyond %d\n", seen.too_far);
  for (int i = 0; i < FAULT_KINDS; i++)
    fprintf(file, "live %s %ld\n", clr_fault_control.kinds[i], fault_live_of((enum fault_kind)i));
  fclose(file);
}

static void read_environment(void) {
  const struct fault_plan plan = {mode(), number("FAULT_AT", 0), (size_t)number("FAULT_CODE", 0)};
  if (getenv("FAULT_REPORT") && atexit(report) == 0)
    clr_fault_control.arm(&plan);
}

// ---------------------------------------------------------------- The loader's entry point

#define LAYER_API __attribute__((visibility("default")))

static struct _cl_icd_dispatch table;

#define HOOK(name, ...) table.name = wrap_##name;
#define HOOK_COUNTED(name) HOOK(name, )

LAYER_API cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *below, cl_uint *made,
                                         const struct _cl_icd_dispatch **layer) {
  if (!below || !made || !layer || entries < sizeof table / sizeof(void *))
    return CL_INVALID_VALUE;
  fault_below = below;
  FAULT_ENTRY_MAP(HOOK, HOOK, HOOK_COUNTED)
  read_environment();
  *made = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
