// What an input is, found from its first bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct source;
struct unpacking;

// A kind of content that has first bytes of its own.
struct content {
  const char *what;    // as in "x.npy: is a .npy file"
  const char *begins;  // the first bytes; a byte that is '?' may have any value
  size_t size;
  const struct unpacking *unpacking;  // how to unpack it, else NULL
  const struct source *source;        // how to read its elements, else NULL
  const char *instead;                // what to do with it if there is neither
};

// NULL if the bytes begin like nothing known.
const struct content *content_of(const void *bytes, size_t size);
