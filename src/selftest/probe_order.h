// Bits that results in the order fixed/1 must have on every device.
#ifndef CLR_API_PROBE_ORDER_H
#define CLR_API_PROBE_ORDER_H

#include <stdbool.h>
#include <stddef.h>

#include "clreduce.h"

struct clr_stored_bits {
  clred_type type;
  clred_op op;
  cl_ulong count, offset, bits;
};
extern const struct clr_stored_bits clr_stored_bits[];
extern const size_t clr_stored_bits_count;

// Makes the elements offset .. offset + count of the type; with `other`, those of the second input.
void clr_stored_elements(clred_type type, bool other, cl_ulong offset, cl_ulong count, void *elements);

#endif
