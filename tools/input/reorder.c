// Swaps bytes, and permutes the axes of an array. Two axes make matrices: the fastest axis of the input, and the
// fastest axis of the output. Each matrix is transposed in blocks, so that reads and writes stay local.
#include "input/reorder.h"

#include <stdbool.h>
#include <string.h>

enum { BLOCK = 32, AXES_MAX = REORDER_AXES_MAX + 1 };

// A matrix: `rows` elements are adjacent in `in`, `columns` elements are adjacent in `out`.
struct matrix {
  uint64_t rows, columns;
  uint64_t in_stride, out_stride;  // distance of columns in `in`, of rows in `out`
};

static uint64_t block_end(uint64_t start, uint64_t end) {
  return end - start < BLOCK ? end : start + BLOCK;
}

// `size` is a constant in each call, so that a copy is one instruction.
static inline void transpose_blocks(const char *in, char *out, const struct matrix *m, size_t size) {
  for (uint64_t row = 0; row < m->rows; row += BLOCK)
    for (uint64_t column = 0; column < m->columns; column += BLOCK)
      for (uint64_t r = row; r < block_end(row, m->rows); r++)
        for (uint64_t c = column; c < block_end(column, m->columns); c++)
          memcpy(out + (r * m->out_stride + c) * size, in + (c * m->in_stride + r) * size, size);
}

static void transpose(const char *in, char *out, const struct matrix *m, size_t size) {
  if (size == 1)
    transpose_blocks(in, out, m, 1);
  else if (size == 2)
    transpose_blocks(in, out, m, 2);
  else if (size == 4)
    transpose_blocks(in, out, m, 4);
  else if (size == 8)
    transpose_blocks(in, out, m, 8);
  else
    transpose_blocks(in, out, m, 16);
}

void reorder_swap(void *data, uint64_t count, size_t size) {
  for (unsigned char *bytes = data; count-- > 0; bytes += size)
    for (size_t i = 0; i < size / 2; i++) {
      const unsigned char kept = bytes[i];
      bytes[i] = bytes[size - 1 - i];
      bytes[size - 1 - i] = kept;
    }
}

// Counts through the axes between the first and the last, in strides of elements.
struct walk {
  unsigned axes;
  uint64_t shape[AXES_MAX], index[AXES_MAX];
  uint64_t in_stride[AXES_MAX], out_stride[AXES_MAX];
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

static void walk_add(struct walk *walk, uint64_t length, uint64_t in_stride, uint64_t out_stride) {
  walk->shape[walk->axes] = length;
  walk->in_stride[walk->axes] = in_stride;
  walk->out_stride[walk->axes++] = out_stride;
}

// The first axis of the walk is the fastest one of the input, the last is that of the output. If both are the same, the
// first has length 1.
static void walk_begin(struct walk *walk, const uint64_t *shape, unsigned dimensions, const unsigned *order) {
  uint64_t in_stride[AXES_MAX], out_stride[AXES_MAX], in = 1, out = 1;
  unsigned first = dimensions - 1, last = order[dimensions - 1];
  for (unsigned i = dimensions; i-- > 0; in *= shape[i], out *= shape[order[i]]) {
    in_stride[i] = in;
    out_stride[order[i]] = out;
  }
  memset(walk, 0, sizeof *walk);
  walk_add(walk, first == last ? 1 : shape[first], 1, out_stride[first]);
  for (unsigned i = 0; i < dimensions; i++)
    if (i != first && i != last)
      walk_add(walk, shape[i], in_stride[i], out_stride[i]);
  walk_add(walk, shape[last], in_stride[last], 1);
}

void reorder_axes(const void *in, void *out, const uint64_t *shape, unsigned dimensions, const unsigned *order,
                  size_t size) {
  struct walk walk;
  for (unsigned i = 0; i < dimensions; i++)
    if (shape[i] == 0)
      return;
  walk_begin(&walk, shape, dimensions, order);
  unsigned last = walk.axes - 1;
  const struct matrix matrix = {walk.shape[0], walk.shape[last], walk.in_stride[last], walk.out_stride[0]};
  do {
    const char *from = (const char *)in + walk.in_at * size;
    char *to = (char *)out + walk.out_at * size;
    if (matrix.rows == 1 && matrix.in_stride == 1)
      memcpy(to, from, matrix.columns * size);
    else
      transpose(from, to, &matrix, size);
  } while (walk_next(&walk));
}
