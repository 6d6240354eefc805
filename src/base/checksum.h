// FNV-1a, 64 bits. Each step is invertible, so a change of any single byte changes the sum.
#pragma once

#include <stddef.h>

#include "clreduce.h"

#define CLR_CHECKSUM_BEGIN 0xcbf29ce484222325u

static inline cl_ulong clr_checksum(cl_ulong sum, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ at[i]) * 0x100000001b3u;
  return sum;
}
