// Offsets read from a file, and what is wrong with them.

#include "input/segments.h"

#include <string.h>

#include "base/fail.h"

int segments_open(struct input *segments, const char *name) {
  size_t length = strlen(name);
  struct request request = {.name = name};
  if (length < 4 || strcmp(name + length - 4, ".npy") != 0)
    return fail(EXIT_BAD_USE, "--segments %s: offsets are read from a .npy file", name);
  int code = input_open(segments, &request);
  if (code != EXIT_DONE)
    return code;
  const clred_type_info *type = &segments->type;
  if (type->floating || type->is_complex || type->size < 4 || segments->npy.dimensions != 1)
    return fail(EXIT_BAD_USE,
                "--segments %s: offsets are one dimension of uint32, int32, uint64 or int64, not %u of %s", name,
                segments->npy.dimensions, type->numpy_name);
  if (segments->count == 0)
    return fail(EXIT_BAD_USE, "--segments %s: no offsets; there is one more of them than there are segments", name);
  return EXIT_DONE;
}

uint64_t segments_number(const struct input *segments) {
  return segments->count - 1;
}

// Below 0 they are larger than any number of elements.
uint64_t segments_offset(const struct input *segments, uint64_t index) {
  const char *at = (const char *)segments->data + index * segments->type.size;
  uint64_t wide;
  uint32_t narrow;
  if (segments->type.size == sizeof wide) {
    memcpy(&wide, at, sizeof wide);
    return wide;
  }
  memcpy(&narrow, at, sizeof narrow);
  return segments->type.is_signed ? (uint64_t)(int64_t)(int32_t)narrow : narrow;
}

static int wrong_offset(const struct input *segments, uint64_t index, uint64_t offset, uint64_t count) {
  const char *name = segments->request.name;
  unsigned long long which = index, value = offset;
  if (segments->type.is_signed && (int64_t)offset < 0)
    return fail(EXIT_BAD_USE, "--segments %s: offset number %llu is %lld, less than 0", name, which, (long long)offset);
  if (offset > count)
    return fail(EXIT_BAD_USE, "--segments %s: offset number %llu is %llu, but there are only %llu elements", name,
                which, value, (unsigned long long)count);
  return fail(EXIT_BAD_USE, "--segments %s: offset number %llu is %llu, smaller than the one before it, %llu", name,
              which, value, (unsigned long long)segments_offset(segments, index - 1));
}

int segments_check(const struct input *segments, uint64_t count, const char *op) {
  uint64_t before = 0;
  for (uint64_t i = 0; i < segments->count; i++) {
    uint64_t offset = segments_offset(segments, i);
    if (offset < before || offset > count)
      return wrong_offset(segments, i, offset, count);
    if (op != NULL && i > 0 && offset == before)
      return fail(EXIT_BAD_USE, "--segments %s: segment number %llu is empty, and %s of 0 elements has no result",
                  segments->request.name, (unsigned long long)(i - 1), op);
    before = offset;
  }
  return EXIT_DONE;
}
