// Swaps bytes, and reverses the axes of an array. Blocks of the first and the last axis are transposed for every index
// of the other axes, so that reads and writes stay local.
#include "input/reorder.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 32, AXES_MOST = 64 };

typedef struct uint128_t {
  uint64_t halves[2];
} uint128_t;

// A matrix: `rows` elements are adjacent in `in`, `columns` elements are adjacent in `out`.
struct matrix {
  uint64_t rows, columns;
  uint64_t in_stride, out_stride;  // distance of columns in `in`, of rows in `out`
};

static uint64_t block_end(uint64_t start, uint64_t end) {
  return end - start < BLOCK ? end : start + BLOCK;
}

#define TRANSPOSE(bits) \
  static void transpose_##bits(const void *from, void *to, const struct matrix *m) { \
    const uint##bits##_t *in = from; \
    uint##bits##_t *out = to; \
    for (uint64_t row = 0; row < m->rows; row += BLOCK) \
      for (uint64_t column = 0; column < m->columns; column += BLOCK) \
        for (uint64_t r = row; r < block_end(row, m->rows); r++) \
          for (uint64_t c = column; c < block_end(column, m->columns); c++) \
            out[r * m->out_stride + c] = in[c * m->in_stride + r]; \
  }
#define SWAP(bits) \
  static void swap_##bits(void *data, uint64_t count) { \
    for (unsigned char *bytes = data; count-- > 0; bytes += bits / 8) \
      for (int i = 0; i < bits / 16; i++) { \
        unsigned char kept = bytes[i]; \
        bytes[i] = bytes[bits / 8 - 1 - i]; \
        bytes[bits / 8 - 1 - i] = kept; \
      } \
  }
#define BOTH(bits) \
  TRANSPOSE(bits) \
  SWAP(bits)
BOTH(8)
BOTH(16)
BOTH(32)
BOTH(64)
TRANSPOSE(128)

static const struct row {
  size_t size;
  void (*transpose)(const void *from, void *to, const struct matrix *m);
  void (*swap)(void *data, uint64_t count);
} rows[] = {{1, transpose_8, swap_8},
            {2, transpose_16, swap_16},
            {4, transpose_32, swap_32},
            {8, transpose_64, swap_64},
            {16, transpose_128, NULL}};

static const struct row *row_of(size_t size) {
  const struct row *row = rows;
  while (row->size != size)
    row++;
  return row;
}

void reorder_swap(void *data, uint64_t count, size_t size) {
  row_of(size)->swap(data, count);
}

// Counts through the axes between the first and the last, in strides of elements.
struct walk {
  unsigned axes;
  uint64_t shape[AXES_MOST], index[AXES_MOST];
  uint64_t in_stride[AXES_MOST], out_stride[AXES_MOST];
  uint64_t in_at, out_at;
};

static bool walk_next(struct walk *walk) {
  for (unsigned axis = 1; axis + 1 < walk->axes; axis++) {
    walk->in_at += walk->in_stride[axis];
    walk->out_at += walk->out_stride[axis];
    if (++walk->index[axis] < walk->shape[axis])
      return true;
    walk->in_at -= walk->in_stride[axis] * walk->shape[axis];
    walk->out_at -= walk->out_stride[axis] * walk->shape[axis];
    walk->index[axis] = 0;
  }
  return false;
}

// Axes of length 1 change nothing.
static void walk_begin(struct walk *walk, const uint64_t *shape, unsigned dimensions) {
  uint64_t stride = 1;
  memset(walk, 0, sizeof *walk);
  for (unsigned i = 0; i < dimensions; i++)
    if (shape[i] > 1)
      walk->shape[walk->axes++] = shape[i];
  for (unsigned axis = 0; axis < walk->axes; axis++) {
    walk->in_stride[axis] = stride;
    stride *= walk->shape[axis];
  }
  stride = 1;
  for (unsigned axis = walk->axes; axis-- > 0;) {
    walk->out_stride[axis] = stride;
    stride *= walk->shape[axis];
  }
}

static struct matrix outer_matrix(const struct walk *walk) {
  unsigned last = walk->axes == 0 ? 0 : walk->axes - 1;
  if (walk->axes < 2)
    return (struct matrix){1, walk->axes == 0 ? 1 : walk->shape[0], 1, 1};
  return (struct matrix){walk->shape[0], walk->shape[last], walk->in_stride[last], walk->out_stride[0]};
}

void reorder_to_c(const void *in, void *out, const uint64_t *shape, unsigned dimensions, size_t size) {
  struct walk walk;
  for (unsigned i = 0; i < dimensions; i++)
    if (shape[i] == 0)
      return;
  walk_begin(&walk, shape, dimensions);
  struct matrix matrix = outer_matrix(&walk);
  do
    row_of(size)->transpose((const char *)in + walk.in_at * size, (char *)out + walk.out_at * size, &matrix);
  while (walk_next(&walk));
}
