// Reads the header of a .npy file.
#include "input/npy.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- Words of Python, and messages

// Python's words in .npy headers, and messages about them.

struct cursor {
  const char *at;
  const char *end;
  char *error;
};

// A message may quote the header, which may hold any bytes.
static void keep_printable(char *text) {
  for (; *text != '\0'; text++)
    if (*text < ' ' || *text > '~')
      *text = '?';
}

// Writes the message and returns false.
static bool npy_refuse(char error[NPY_ERROR_SIZE], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, NPY_ERROR_SIZE, format, arguments);
  va_end(arguments);
  keep_printable(error);
  return false;
}

static void npy_skip_space(struct cursor *cursor) {
  while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) != NULL && *cursor->at != '\0')
    cursor->at++;
}

// Each takes what is next after spaces, or returns false.
static bool npy_take(struct cursor *cursor, const char *word) {
  size_t length = strlen(word);
  npy_skip_space(cursor);
  if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
    return false;
  cursor->at += length;
  return true;
}

static bool npy_take_string(struct cursor *cursor, char *text, size_t size) {
  char quote = npy_take(cursor, "'") ? '\'' : npy_take(cursor, "\"") ? '"' : '\0';
  if (quote == '\0')
    return false;
  for (size_t length = 0; cursor->at < cursor->end && length < size; length++) {
    text[length] = *cursor->at++;
    if (text[length] == quote) {
      text[length] = '\0';
      return true;
    }
  }
  return false;
}

static bool npy_is_digit(const struct cursor *cursor) {
  return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

// ---------------------------------------------------------------- The dtype, such as '<f4'

enum { DTYPE_SIZE = 48 };

bool host_is_big_endian(void) {
  return __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
}

// '<' and '>' name a byte order, '=' means the byte order of the machine, and '|' or nothing means none.
static const char *without_order(const char *dtype) {
  return dtype + (*dtype != '\0' && strchr("<>=|", *dtype) != NULL ? 1 : 0);
}

static bool is_swapped(char order) {
  return order == (host_is_big_endian() ? '<' : '>');
}

static bool take_elements(const struct cursor *cursor, const char *dtype, struct npy *npy) {
  static const char *const known[] = {"i1", "i2", "i4", "i8", "u1", "u2",  "u4",
                                      "u8", "f2", "f4", "f8", "c8", "c16", "b1"};
  const char *name = without_order(dtype);
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(name, known[i]) == 0) {
      npy->kind = name[0];
      npy->size = name[2] == '\0' ? (unsigned)(name[1] - '0') : 16;
      npy->swapped = npy->size > 1 && is_swapped(*dtype);
      return true;
    }
  if (*name == 'O')
    return npy_refuse(cursor->error, "holds pickled Python objects; save an array of numbers");
  return npy_refuse(cursor->error, "dtype '%s' cannot be reduced; i1 to i8, u1 to u8, f2 to f8, c8, c16 and b1 can",
                    dtype);
}

// Reads the value of 'descr'. A structured array has a list of fields there.
static bool npy_parse_descr(struct cursor *cursor, struct npy *npy) {
  char dtype[DTYPE_SIZE];
  if (npy_take(cursor, "["))
    return npy_refuse(cursor->error, "is a structured array; save one of its fields: numpy.save(FILE, x['name'])");
  if (!npy_take_string(cursor, dtype, sizeof dtype))
    return npy_refuse(cursor->error, "header: 'descr' is not a dtype's name such as '<f4'");
  return take_elements(cursor, dtype, npy);
}

// ---------------------------------------------------------------- The header: a dictionary of Python

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
  npy->fortran = npy_take(cursor, "True");
  return npy->fortran || npy_take(cursor, "False") ||
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
  npy_take(cursor, "L");  // Python 2 wrote (3L, 4L)
  if (npy->dimensions == NPY_DIMENSIONS_MAX)
    return npy_refuse(cursor->error, "header: 'shape' has more than %d dimensions", NPY_DIMENSIONS_MAX);
  npy->shape[npy->dimensions++] = value;
  return true;
}

static bool parse_shape(struct cursor *cursor, struct npy *npy) {
  bool comma = true;
  if (!npy_take(cursor, "("))
    return npy_refuse(cursor->error, "header: 'shape' is not a tuple of whole numbers such as (3, 4)");
  while (!npy_take(cursor, ")")) {
    if (!comma)
      return npy_refuse(cursor->error, "header: the tuple 'shape' does not end");
    if (!parse_dimension(cursor, npy))
      return false;
    comma = npy_take(cursor, ",");
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
  if (!npy_take_string(cursor, name, sizeof name) || !npy_take(cursor, ":"))
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
  if (!npy_take(cursor, "{"))
    return npy_refuse(cursor->error, "header: not a dictionary of 'descr', 'fortran_order' and 'shape'");
  while (!npy_take(cursor, "}")) {
    if (!comma)
      return npy_refuse(cursor->error, "header: the dictionary does not end");
    if (!parse_entry(cursor, npy, seen))
      return false;
    comma = npy_take(cursor, ",");
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
    if (npy->count > (uint64_t)INT64_MAX / npy->size / npy->shape[i])
      return npy_refuse(error, "header: the product of 'shape' overflows 63 bits of bytes");
    npy->count *= npy->shape[i];
  }
  return true;
}

bool npy_parse(const unsigned char *bytes, size_t size, struct npy *npy, char error[NPY_ERROR_SIZE]) {
  uint64_t offset = npy_data_offset(bytes, size, error);
  size_t start = offset == 0 || bytes[6] == 1 ? 10 : 12;
  if (offset == 0)
    return false;
  if (offset > size)
    return npy_refuse(error, "the header's length reaches to byte %llu, past the end at %zu",
                      (unsigned long long)offset, size);
  struct cursor cursor = {(const char *)bytes + start, (const char *)bytes + offset, error};
  memset(npy, 0, sizeof *npy);
  return parse_dictionary(&cursor, npy) && multiply_shape(npy, error);
}
