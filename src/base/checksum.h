// Checksums of 64 bits. Each step is invertible, so a change of any single byte changes the sum.
#pragma once

#include <stddef.h>

#include "clreduce.h"

#define CLR_CHECKSUM_BEGIN 0xcbf29ce484222325u

// FNV-1a, one byte at a time.
static inline cl_ulong clr_checksum(cl_ulong sum, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ at[i]) * 0x100000001b3u;
  return sum;
}

// Adds a word of 8 bytes, for long data. A product carries bits only upwards, so the shift brings high bits down.
static inline cl_ulong clr_checksum_word(cl_ulong sum, cl_ulong word) {
  sum = (sum ^ word) * 0x100000001b3u;
  return sum ^ sum >> 32;
}
