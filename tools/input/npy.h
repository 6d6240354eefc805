// Parses the header of a .npy file (formats 1, 2 and 3). Pure functions of bytes: no file, no device, no allocation, so
// that a fuzzer can try any bytes.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_DIMENSIONS_MAX = 64, NPY_PREAMBLE_MAX = 12, NPY_ERROR_SIZE = 256 };

struct npy {
  char kind;      // 'i', 'u', 'f', 'c' or 'b'
  unsigned size;  // bytes per element
  bool swapped;   // the byte order is not the machine's
  bool fortran;
  unsigned dimensions;
  uint64_t shape[NPY_DIMENSIONS_MAX];
  uint64_t count;  // product of the shape; 1 if there are no dimensions
};

bool host_is_big_endian(void);

// Returns the offset of the data, from the first NPY_PREAMBLE_MAX bytes of a file. Returns 0 and a message in `error`
// if they do not start a .npy file.
uint64_t npy_data_offset(const unsigned char *bytes, size_t size, char error[NPY_ERROR_SIZE]);

// Parses a header, from the first byte of the file to its data. count * size fits in 63 bits. Returns false and a
// message in `error` if the header is malformed or the elements are not i1 to i8, u1 to u8, f2 to f8, c8, c16 or b1.
bool npy_parse(const unsigned char *bytes, size_t size, struct npy *npy, char error[NPY_ERROR_SIZE]);
