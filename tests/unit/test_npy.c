// .npy files of both byte orders, on machines of either order. The bytes of each file are written by hand.

#include "input/npy.h"
#include "input/reorder.h"
#include "support/suite.h"

// One element: -2.5 or -2, in the order that `dtype` names.
static const struct {
  const char *dtype;
  unsigned char bytes[8];
  double value;
} rows[] = {
  {"|i1", {0xfe}, -2},
  {"<i2", {0xfe, 0xff}, -2},
  {">i2", {0xff, 0xfe}, -2},
  {"<i4", {0xfe, 0xff, 0xff, 0xff}, -2},
  {">i4", {0xff, 0xff, 0xff, 0xfe}, -2},
  {"<i8", {0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, -2},
  {">i8", {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe}, -2},
  {"<f4", {0x00, 0x00, 0x20, 0xc0}, -2.5},
  {">f4", {0xc0, 0x20, 0x00, 0x00}, -2.5},
  {"<f8", {0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x04, 0xc0}, -2.5},
  {">f8", {0xc0, 0x04, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00}, -2.5},
};

static double value_of(const struct npy *npy, const unsigned char *bytes) {
  union {
    int8_t i1;
    int16_t i2;
    int32_t i4;
    int64_t i8;
    float f4;
    double f8;
  } at;
  memcpy(&at, bytes, npy->size);
  if (npy->kind == 'f')
    return npy->size == 4 ? (double)at.f4 : at.f8;
  return npy->size == 1 ? at.i1 : npy->size == 2 ? at.i2 : npy->size == 4 ? at.i4 : (double)at.i8;
}

// The header, padded with spaces to the length that it states: 10 + 70 bytes.
static size_t make_header(unsigned char file[80], const char *dtype) {
  static const unsigned char preamble[] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 70, 0};
  char words[71];
  memset(words, ' ', sizeof words);
  int length = snprintf(words, sizeof words, "{'descr': '%s', 'fortran_order': False, 'shape': (1,), }", dtype);
  words[length] = ' ';
  memcpy(file, preamble, sizeof preamble);
  memcpy(file + sizeof preamble, words, 70);
  return 80;
}

TEST_ROWS(elements_of_both_byte_orders, rows) {
  unsigned char file[80], bytes[8];
  char error[NPY_ERROR_SIZE] = "";
  struct npy npy;
  size_t size = make_header(file, rows[_i].dtype);
  ck_assert_uint_eq(npy_data_offset(file, size, error), size);
  ck_assert_msg(npy_parse(file, size, &npy, error), "%s: %s", rows[_i].dtype, error);
  ck_assert_uint_eq(npy.count, 1);
  memcpy(bytes, rows[_i].bytes, sizeof bytes);
  if (npy.swapped)
    reorder_swap(bytes, 1, npy.size);
  const double value = value_of(&npy, bytes);
  ck_assert_msg(value == rows[_i].value, "%s: %g", rows[_i].dtype, value);
}
