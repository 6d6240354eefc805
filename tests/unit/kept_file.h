// Files of tunings and findings written by hand, for the suites that read damaged ones.
#pragma once

#include "support/suite.h"

#include "model/tuning.h"

// The device that the files are about, and the lines that name it in a file.
static const struct clr_tuning_key here = {"a device", "a platform", "driver 1", "0.1.0", "cpu=1"};
#define KEY "device a device\nplatform a platform\ndriver driver 1\nlibrary 0.1.0\nfacts cpu=1\n"

// The next part of a list whose parts are separated by '|'; false at its end. Start with `*at` NULL.
static inline bool next_part(const char *list, const char **at, char part[256]) {
  if (*at && **at == '\0')
    return false;
  *at = *at ? *at + 1 : list;
  const size_t length = strcspn(*at, "|");
  ck_assert_uint_lt(length, 256);
  snprintf(part, 256, "%.*s", (int)length, *at);
  *at += length;
  return true;
}

// The body with its right checksum behind it, so that only the body can be wrong. The caller frees the bytes.
static inline char *with_checksum(const char *body, size_t *length) {
  unsigned long long sum = 0xcbf29ce484222325u;
  char *bytes = malloc(*length + 64);
  ck_assert_ptr_nonnull(bytes);
  memcpy(bytes, body, *length);
  for (size_t i = 0; i < *length; i++)
    sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  *length += (size_t)snprintf(bytes + *length, 64, "check %016llx\n", sum);
  return bytes;
}
