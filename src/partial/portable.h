// Values in packed bytes: little-endian numbers, and 0 where no member is. A type that only a preamble declares is
// opaque: its bytes are copied as they are, so only machines of one byte order can exchange them. bytes.c and
// fingerprint.c use this. Functions take the byte order as an argument, so tests can run them as another machine.
#pragma once

#include "model/layout.h"

// The layouts of what a partial packs, with every number at its place. Opaque values are one run of bytes.
// Source 0 is the elements, the others are the further inputs.
void clr_portable_source(const struct clr_operation *operation, size_t index, struct clr_layout *layout);
void clr_portable_parameter(const struct clr_operation *operation, size_t index, struct clr_layout *layout);
void clr_portable_state(const struct clr_operation *operation, struct clr_layout *layout);

// True if an element, an input, a parameter or the state is opaque.
bool clr_portable_is_opaque(const struct clr_operation *operation);

// Copies neighbouring values from this machine's memory to packed bytes, or back. Bytes of no member become 0. `from`
// and `to` do not overlap and may be unaligned.
void clr_portable_copy(const struct clr_layout *layout, const void *from, cl_ulong count, bool is_big_endian, void *to);

// A number of 64 bits in packed bytes.
static inline void clr_portable_put(unsigned char *to, cl_ulong number) {
  for (size_t i = 0; i < sizeof number; i++)
    to[i] = (unsigned char)(number >> 8 * i);
}

static inline cl_ulong clr_portable_get(const unsigned char *from) {
  cl_ulong number = 0;
  for (size_t i = 0; i < sizeof number; i++)
    number |= (cl_ulong)from[i] << 8 * i;
  return number;
}

// The byte order that packed bytes name: 0 if they are the same on every machine.
enum { CLR_ORDER_ANY, CLR_ORDER_LITTLE, CLR_ORDER_BIG };
unsigned char clr_portable_order(bool is_opaque, bool is_big_endian);

// Of the machine that runs this.
bool clr_is_big_endian(void);
