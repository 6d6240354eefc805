// Checksums of 64 bits. Each step is invertible, so a change of any single byte changes the sum.
#pragma once

#include <stddef.h>

#include "clreduce.h"

#define CLR_CHECKSUM_BEGIN 0xcbf29ce484222325u

// FNV-1a.
static inline cl_ulong clr_checksum(cl_ulong sum, const void *bytes, size_t size) {
  const unsigned char *at = bytes;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ at[i]) * 0x100000001b3u;
  return sum;
}

// Adds eight bytes at once, for data that is summed often. The shift lets high bits of a word change low bits of the
// sum.
static inline cl_ulong clr_checksum_word(cl_ulong sum, cl_ulong word) {
  sum = (sum ^ word) * 0x100000001b3u;
  return sum ^ sum >> 32;
}
