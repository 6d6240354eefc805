// Parses the Python dictionary in a .npy header: three keys in any order, and nothing else.
#include <string.h>

#include "input/npy_words.h"

// ---- The preamble: magic, version, length of the header

static uint64_t read_little_endian(const unsigned char *bytes, unsigned count) {
  uint64_t value = 0;
  while (count-- > 0)
    value = value << 8 | bytes[count];
  return value;
}

uint64_t npy_data_offset(const unsigned char *bytes, size_t size, char error[NPY_ERROR_SIZE]) {
  static const char magic[] = "\x93NUMPY";
  if (size == 0)
    return npy_refuse(error, "the file is empty; a .npy file begins with \\x93NUMPY"), 0;
  if (memcmp(bytes, magic, size < 6 ? size : 6) != 0)
    return npy_refuse(error, "not a .npy file: it does not begin with \\x93NUMPY"), 0;
  if (size < 8)
    return npy_refuse(error, "truncated after %zu bytes; the version and the header should follow", size), 0;
  if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
    return npy_refuse(error, "format %u.%u is not known; 1.0, 2.0 and 3.0 are", bytes[6], bytes[7]), 0;
  unsigned length_bytes = bytes[6] == 1 ? 2 : 4;
  if (size < 8 + length_bytes)
    return npy_refuse(error, "truncated after %zu bytes; the header's length should follow", size), 0;
  return 8 + length_bytes + read_little_endian(bytes + 8, length_bytes);
}

static bool parse_order(struct cursor *cursor, struct npy *npy) {
  npy->fortran = npy_take_word(cursor, "True");
  return npy->fortran || npy_take_word(cursor, "False") ||
         npy_refuse(cursor->error, "header: 'fortran_order' is neither True nor False");
}

static bool parse_dimension(struct cursor *cursor, struct npy *npy) {
  uint64_t value = 0;
  npy_skip_space(cursor);
  if (cursor->at < cursor->end && *cursor->at == '-')
    return npy_refuse(cursor->error, "header: a negative dimension in 'shape'");
  if (!npy_is_digit(cursor))
    return npy_refuse(cursor->error, "header: 'shape' is not a tuple of whole numbers such as (3, 4)");
  for (; npy_is_digit(cursor); cursor->at++) {
    uint64_t digit = (uint64_t)(*cursor->at - '0');
    if (value > (INT64_MAX - digit) / 10)
      return npy_refuse(cursor->error, "header: a dimension in 'shape' does not fit 63 bits");
    value = value * 10 + digit;
  }
  npy_take(cursor, 'L');  // Python 2 wrote (3L, 4L)
  if (npy->dimensions == NPY_DIMENSIONS_MOST)
    return npy_refuse(cursor->error, "header: 'shape' has more than %d dimensions", NPY_DIMENSIONS_MOST);
  npy->shape[npy->dimensions++] = value;
  return true;
}

static bool parse_shape(struct cursor *cursor, struct npy *npy) {
  bool comma = true;
  if (!npy_take(cursor, '('))
    return npy_refuse(cursor->error, "header: 'shape' is not a tuple of whole numbers such as (3, 4)");
  while (!npy_take(cursor, ')')) {
    if (!comma)
      return npy_refuse(cursor->error, "header: the tuple 'shape' does not end");
    if (!parse_dimension(cursor, npy))
      return false;
    comma = npy_take(cursor, ',');
  }
  if (npy->dimensions == 1 && !comma)
    return npy_refuse(cursor->error, "header: 'shape' of one dimension lacks its comma, as in (3,)");
  return true;
}

// ---- The dictionary

static const struct key {
  const char *name;
  bool (*parse)(struct cursor *cursor, struct npy *npy);
} keys[] = {{"descr", npy_parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static bool parse_entry(struct cursor *cursor, struct npy *npy, bool seen[KEY_COUNT]) {
  char name[24];
  if (!npy_take_string(cursor, name, sizeof name) || !npy_take(cursor, ':'))
    return npy_refuse(cursor->error, "header: not a dictionary of 'descr', 'fortran_order' and 'shape'");
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(name, keys[i].name) == 0) {
      if (seen[i])
        return npy_refuse(cursor->error, "header: '%s' is given twice", name);
      seen[i] = true;
      return keys[i].parse(cursor, npy);
    }
  return npy_refuse(cursor->error, "header: unknown key '%s'; 'descr', 'fortran_order' and 'shape' are needed", name);
}

static bool parse_dictionary(struct cursor *cursor, struct npy *npy) {
  bool seen[KEY_COUNT] = {false};
  bool comma = true;
  if (!npy_take(cursor, '{'))
    return npy_refuse(cursor->error, "header: not a dictionary of 'descr', 'fortran_order' and 'shape'");
  while (!npy_take(cursor, '}')) {
    if (!comma)
      return npy_refuse(cursor->error, "header: the dictionary does not end");
    if (!parse_entry(cursor, npy, seen))
      return false;
    comma = npy_take(cursor, ',');
  }
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (!seen[i])
      return npy_refuse(cursor->error, "header: '%s' is missing", keys[i].name);
  npy_skip_space(cursor);
  return cursor->at == cursor->end || npy_refuse(cursor->error, "header: there are bytes after the dictionary");
}

// With a dimension of 0 the count is 0, even if the others overflow.
static bool multiply_shape(struct npy *npy, char error[NPY_ERROR_SIZE]) {
  npy->count = 1;
  for (unsigned i = 0; i < npy->dimensions; i++)
    if (npy->shape[i] == 0) {
      npy->count = 0;
      return true;
    }
  for (unsigned i = 0; i < npy->dimensions; i++) {
    if (npy->count > (uint64_t)INT64_MAX / npy->step / npy->shape[i])
      return npy_refuse(error, "header: the product of 'shape' overflows 63 bits of bytes");
    npy->count *= npy->shape[i];
  }
  return true;
}

bool npy_parse(const unsigned char *bytes, size_t size, const char *field, struct npy *npy,
               char error[NPY_ERROR_SIZE]) {
  uint64_t offset = npy_data_offset(bytes, size, error);
  size_t start = offset == 0 || bytes[6] == 1 ? 10 : 12;
  if (offset == 0)
    return false;
  if (offset > size)
    return npy_refuse(error, "the header's length reaches to byte %llu, past the end at %zu",
                      (unsigned long long)offset, size);
  struct cursor cursor = {(const char *)bytes + start, (const char *)bytes + offset, field, error};
  memset(npy, 0, sizeof *npy);
  return parse_dictionary(&cursor, npy) && multiply_shape(npy, error);
}
