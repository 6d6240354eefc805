// Changes the byte order of an array to the machine's, and the order of its axes.
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { REORDER_AXES_MAX = 64 };

// Reverses the bytes of `count` elements of 2, 4 or 8 bytes.
void reorder_swap(void *data, uint64_t count, size_t size);

// Copies an array and changes the order of its axes: axis i of the copy is axis order[i] of `in`. Both are in C order.
// There are at most REORDER_AXES_MAX axes. `size`, the bytes of an element, is 1, 2, 4, 8 or 16.
void reorder_axes(const void *in, void *out, const uint64_t *shape, unsigned dimensions, const unsigned *order,
                  size_t size);
