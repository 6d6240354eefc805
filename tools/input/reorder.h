// Changes the byte order of an array to the machine's, and the order of its elements to C order.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Reverses the bytes of `count` elements of 2, 4 or 8 bytes.
void reorder_swap(void *data, uint64_t count, size_t size);

// Copies an array from Fortran order (first index fastest) to C order (last index fastest). `size` is 1, 2, 4, 8 or 16.
void reorder_to_c(const void *in, void *out, const uint64_t *shape, unsigned dimensions, size_t size);
