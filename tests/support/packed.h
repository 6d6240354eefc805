// Packed partials: where their fields are, and a right checksum for bytes that a test has changed.
#pragma once

#include <stddef.h>

#include <clreduce.h>

enum { PACKED_VERSION = 8, PACKED_ORDER = 9, PACKED_FIRST = 24, PACKED_COUNT = 32, PACKED_CHECKSUM = 48 };

static inline void packed_put(unsigned char *bytes, cl_ulong number) {
  for (size_t i = 0; i < 8; i++)
    bytes[i] = (unsigned char)(number >> 8 * i);
}

// Makes the checksum right again: over all words but its own, and over a last word of the rest.
static inline void packed_sign(unsigned char *bytes, size_t size) {
  cl_ulong sum = 0xcbf29ce484222325;
  for (size_t at = 0; at <= size; at += 8) {
    cl_ulong word = 0;
    for (size_t i = 0; i < 8 && at + i < size; i++)
      word |= (cl_ulong)bytes[at + i] << 8 * i;
    if (at == PACKED_CHECKSUM)
      continue;
    sum = (sum ^ word) * 0x100000001b3;
    sum ^= sum >> 32;
  }
  packed_put(bytes + PACKED_CHECKSUM, sum);
}
