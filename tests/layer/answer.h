// Answers to OpenCL's queries, for layers and for drivers that only tests have. And functions of a layer: parameters
// and arguments have the names of CL/cl.h (prototypes.h).
#pragma once

#include <CL/cl.h>
#include <string.h>

// `length` bytes at `from` are the answer.
static inline cl_int answer(const void *from, size_t length, size_t size, void *value, size_t *needed) {
  if (value && size < length)
    return CL_INVALID_VALUE;
  if (value)
    memcpy(value, from, length);
  if (needed)
    *needed = length;
  return CL_SUCCESS;
}

static inline cl_int answer_text(const char *text, size_t size, void *value, size_t *needed) {
  return answer(text, strlen(text) + 1, size, value, needed);
}

#define HOOK(name) static RETURNS_##name CL_API_CALL hook_##name PARAMETERS_##name
