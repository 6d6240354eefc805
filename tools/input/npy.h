// The header of a .npy file (formats 1, 2 and 3), as a pure function of its bytes: no file, no device, no memory
// beyond the struct, so that any bytes whatever can be tried on it.

#ifndef CLREDUCE_TOOL_NPY_H
#define CLREDUCE_TOOL_NPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_DIMENSIONS_MOST = 64, NPY_PREAMBLE_MOST = 12, NPY_ERROR_SIZE = 256 };

struct npy {
  char kind;      // 'i', 'u', 'f', 'c' or 'b'
  unsigned size;  // bytes an element
  bool swapped;   // not in this machine's byte order
  bool fortran;
  unsigned dimensions;
  uint64_t shape[NPY_DIMENSIONS_MOST];
  uint64_t count;  // product of the shape; 1 without dimensions
};

// Where the data begins, read from the first bytes of a file: at most NPY_PREAMBLE_MOST of them are looked at. 0, with
// a sentence in `error`, if they are not the start of a .npy file.
uint64_t npy_data_offset(const unsigned char *bytes, size_t size, char error[NPY_ERROR_SIZE]);

// Reads a whole header, from the file's first byte to the data's. count * size is sure to fit 63 bits. False, with a
// sentence in `error`, if it is not well-formed or holds elements other than i1 to i8, u1 to u8, f2 to f8, c8, c16 and
// b1.
bool npy_parse(const unsigned char *bytes, size_t size, struct npy *npy, char error[NPY_ERROR_SIZE]);

#endif
