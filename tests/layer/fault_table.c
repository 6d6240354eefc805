// The rows of fault_layer.h.
#include "fault_layer.h"

#define CODES(name, ...) static const cl_int codes_##name[] = {__VA_ARGS__};
#define NO_CODES(name)
FAULT_ENTRY_MAP(CODES, CODES, NO_CODES)

#define ROW(name, ...) {#name, codes_##name, sizeof codes_##name / sizeof *codes_##name},
#define COUNTED_ROW(name) {#name, NULL, 0},

const struct fault_row fault_rows[FAULT_ENTRIES] = {FAULT_ENTRY_MAP(ROW, ROW, COUNTED_ROW)};
