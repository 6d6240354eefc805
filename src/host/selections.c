// Selections on the host: the reference, and scan_host_serial.
#include "host/selections.h"

#include <string.h>

cl_ulong clr_select_in_order(const struct clr_values *values, void *results) {
  const struct clr_operation *operation = values->operation;
  size_t size = operation->result_size;
  cl_ulong kept = 0;
  for (cl_ulong i = 0; i < values->count; i++) {
    const void *element =
      (const unsigned char *)values->elements + (size_t)(i * values->stride) * operation->element.size;
    if (clr_keeps(values, i))
      memcpy((unsigned char *)results + (size_t)kept++ * size, operation->custom->keeping.indices ? &i : element, size);
  }
  return kept;
}
