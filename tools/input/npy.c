// Parses the Python dictionary in a .npy header: three keys in any order, and nothing else.
#include "input/npy.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

__attribute__((format(printf, 2, 3))) static bool refuse(char error[NPY_ERROR_SIZE], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error, NPY_ERROR_SIZE, format, arguments);
  va_end(arguments);
  keep_printable(error);
  return false;
}

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
    return refuse(error, "the file is empty; a .npy file begins with \\x93NUMPY"), 0;
  if (memcmp(bytes, magic, size < 6 ? size : 6) != 0)
    return refuse(error, "not a .npy file: it does not begin with \\x93NUMPY"), 0;
  if (size < 8)
    return refuse(error, "truncated after %zu bytes; the version and the header should follow", size), 0;
  if (bytes[6] < 1 || bytes[6] > 3 || bytes[7] != 0)
    return refuse(error, "format %u.%u is not known; 1.0, 2.0 and 3.0 are", bytes[6], bytes[7]), 0;
  unsigned length_bytes = bytes[6] == 1 ? 2 : 4;
  if (size < 8 + length_bytes)
    return refuse(error, "truncated after %zu bytes; the header's length should follow", size), 0;
  return 8 + length_bytes + read_little_endian(bytes + 8, length_bytes);
}

// ---- Tokens

static void skip_space(struct cursor *cursor) {
  while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) != NULL && *cursor->at != '\0')
    cursor->at++;
}

static bool take(struct cursor *cursor, char wanted) {
  skip_space(cursor);
  if (cursor->at == cursor->end || *cursor->at != wanted)
    return false;
  cursor->at++;
  return true;
}

static bool take_word(struct cursor *cursor, const char *word) {
  size_t length = strlen(word);
  skip_space(cursor);
  if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
    return false;
  cursor->at += length;
  return true;
}

static bool take_string(struct cursor *cursor, char *text, size_t size) {
  char quote = take(cursor, '\'') ? '\'' : take(cursor, '"') ? '"' : '\0';
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

static bool is_digit(const struct cursor *cursor) {
  return cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9';
}

bool host_is_big_endian(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first == 0;
}

// '<' and '>' name a byte order, '=' is that of the machine, and '|' or nothing means none.
static bool is_swapped(char order) {
  return order == (host_is_big_endian() ? '<' : '>');
}

static bool parse_descr(struct cursor *cursor, struct npy *npy) {
  static const char *const known[] = {"i1", "i2", "i4", "i8", "u1", "u2",  "u4",
                                      "u8", "f2", "f4", "f8", "c8", "c16", "b1"};
  char text[24];

  skip_space(cursor);
  if (cursor->at < cursor->end && *cursor->at == '[')
    return refuse(cursor->error, "a structured dtype; plain i1 to i8, u1 to u8, f2 to f8, c8, c16 or b1 is needed");
  if (!take_string(cursor, text, sizeof text))
    return refuse(cursor->error, "header: 'descr' is not a dtype's name such as '<f4'");
  const char *name = text + (*text != '\0' && strchr("<>=|", *text) != NULL ? 1 : 0);
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (strcmp(name, known[i]) == 0) {
      npy->kind = name[0];
      npy->size = name[2] == '\0' ? (unsigned)(name[1] - '0') : 16;
      npy->swapped = npy->size > 1 && is_swapped(*text);
      return true;
    }
  return refuse(cursor->error, "dtype '%s' cannot be reduced; i1 to i8, u1 to u8, f2 to f8, c8, c16 and b1 can", text);
}

static bool parse_order(struct cursor *cursor, struct npy *npy) {
  npy->fortran = take_word(cursor, "True");
  return npy->fortran || take_word(cursor, "False") ||
         refuse(cursor->error, "header: 'fortran_order' is neither True nor False");
}

static bool parse_dimension(struct cursor *cursor, struct npy *npy) {
  uint64_t value = 0;
  skip_space(cursor);
  if (cursor->at < cursor->end && *cursor->at == '-')
    return refuse(cursor->error, "header: a negative dimension in 'shape'");
  if (!is_digit(cursor))
    return refuse(cursor->error, "header: 'shape' is not a tuple of whole numbers such as (3, 4)");
  for (; is_digit(cursor); cursor->at++) {
    uint64_t digit = (uint64_t)(*cursor->at - '0');
    if (value > (INT64_MAX - digit) / 10)
      return refuse(cursor->error, "header: a dimension in 'shape' does not fit 63 bits");
    value = value * 10 + digit;
  }
  take(cursor, 'L');  // Python 2 wrote (3L, 4L)
  if (npy->dimensions == NPY_DIMENSIONS_MOST)
    return refuse(cursor->error, "header: 'shape' has more than %d dimensions", NPY_DIMENSIONS_MOST);
  npy->shape[npy->dimensions++] = value;
  return true;
}

static bool parse_shape(struct cursor *cursor, struct npy *npy) {
  bool comma = true;
  if (!take(cursor, '('))
    return refuse(cursor->error, "header: 'shape' is not a tuple of whole numbers such as (3, 4)");
  while (!take(cursor, ')')) {
    if (!comma)
      return refuse(cursor->error, "header: the tuple 'shape' does not end");
    if (!parse_dimension(cursor, npy))
      return false;
    comma = take(cursor, ',');
  }
  if (npy->dimensions == 1 && !comma)
    return refuse(cursor->error, "header: 'shape' of one dimension lacks its comma, as in (3,)");
  return true;
}

// ---- The dictionary

static const struct key {
  const char *name;
  bool (*parse)(struct cursor *cursor, struct npy *npy);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};
enum { KEY_COUNT = sizeof keys / sizeof keys[0] };

static bool parse_entry(struct cursor *cursor, struct npy *npy, bool seen[KEY_COUNT]) {
  char name[24];
  if (!take_string(cursor, name, sizeof name) || !take(cursor, ':'))
    return refuse(cursor->error, "header: not a dictionary of 'descr', 'fortran_order' and 'shape'");
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (strcmp(name, keys[i].name) == 0) {
      if (seen[i])
        return refuse(cursor->error, "header: '%s' is given twice", name);
      seen[i] = true;
      return keys[i].parse(cursor, npy);
    }
  return refuse(cursor->error, "header: unknown key '%s'; 'descr', 'fortran_order' and 'shape' are needed", name);
}

static bool parse_dictionary(struct cursor *cursor, struct npy *npy) {
  bool seen[KEY_COUNT] = {false};
  bool comma = true;
  if (!take(cursor, '{'))
    return refuse(cursor->error, "header: not a dictionary of 'descr', 'fortran_order' and 'shape'");
  while (!take(cursor, '}')) {
    if (!comma)
      return refuse(cursor->error, "header: the dictionary does not end");
    if (!parse_entry(cursor, npy, seen))
      return false;
    comma = take(cursor, ',');
  }
  for (size_t i = 0; i < KEY_COUNT; i++)
    if (!seen[i])
      return refuse(cursor->error, "header: '%s' is missing", keys[i].name);
  skip_space(cursor);
  return cursor->at == cursor->end || refuse(cursor->error, "header: there are bytes after the dictionary");
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
      return refuse(error, "header: the product of 'shape' overflows 63 bits of bytes");
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
    return refuse(error, "the header's length reaches to byte %llu, past the end at %zu", (unsigned long long)offset,
                  size);
  struct cursor cursor = {(const char *)bytes + start, (const char *)bytes + offset, error};
  memset(npy, 0, sizeof *npy);
  return parse_dictionary(&cursor, npy) && multiply_shape(npy, error);
}
