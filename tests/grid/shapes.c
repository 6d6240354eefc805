// Where elements are: see case.h. The numbers are those around lanes, tiles and vectors.

#include "case.h"

#include <string.h>

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))
#define FLAVOURED_MAX 1000     // lines up to this length have every flavour
#define FLAVOURED_ONCE 200000  // lines up to this length have one

// The next digit of a number with digits of different sizes.
static uint64_t digit(size_t *number, const uint64_t *digits, size_t count) {
  const uint64_t chosen = digits[*number % count];
  *number /= count;
  return chosen;
}

#define DIGIT(...) \
  digit(&number, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

// ---------------------------------------------------------------- Products of numbers

// Each size with each flavour, from offsets around those of vectors.
static bool line_at(size_t number, const struct layout_sizes *sizes, struct layout_shape *shape) {
  static const uint64_t offsets[] = {0, 1, 3, 7, 255};
  const size_t i = number / FLAVOURS, turn = i + sizes->count;
  shape->every_flavour = true;
  shape->flavour = (enum flavour)(number % FLAVOURS);
  if (i >= sizes->count)
    return false;
  shape->call.count = sizes->list[i];
  shape->call.in_offset = offsets[(turn + shape->flavour) % COUNT_OF(offsets)];
  // Short ones have every flavour, longer ones one, and the longest none but PLAIN.
  if (shape->flavour && shape->call.count > FLAVOURED_MAX)
    shape->call.count = shape->flavour == 1 + i % (FLAVOURS - 1) && shape->call.count <= FLAVOURED_ONCE
                          ? shape->call.count
                          : UINT64_MAX;  // too many for any problem
  return true;
}

// The lengths of lines with strides; results of scans have strides, too.
static bool strided_line_at(size_t number, const struct layout_sizes *sizes, struct layout_shape *shape) {
  static const uint64_t strides[] = {2, 1, 3, 0, 7}, out_strides[] = {0, 1, 3, 0};
  if (!line_at(number, sizes, shape))
    return false;
  shape->call.stride = strides[number % COUNT_OF(strides)];
  shape->call.out_stride = out_strides[number / 3 % COUNT_OF(out_strides)];
  if (shape->call.stride && shape->call.count && shape->call.count != UINT64_MAX)
    shape->call.count = (shape->call.count - 1) / shape->call.stride + 1;
  return true;
}

static bool stride_at(size_t number, clred_call *call) {
  call->in_offset = DIGIT(0, 13);
  call->stride = DIGIT(0, 1, 2, 7);
  call->count = DIGIT(0, 1, 2, 17, 1025, 1700);
  return number == 0;
}

static bool rows_at(size_t number, clred_call *call) {
  const uint64_t gap = DIGIT(0, 1, 5, UINT64_MAX);
  call->in_offset = gap ? 5 : 0;
  call->rows = DIGIT(1, 5, 37, 0);
  call->count = DIGIT(0, 1, 2, 33, 256, 300);
  call->row_stride = gap == UINT64_MAX ? 0 : call->count + gap;
  return number == 0;
}

// Columns side by side; with gaps; pitched images without gaps between them; and images whose lines overlap.
static bool columns_at(size_t number, clred_call *call) {
  const uint64_t kind = DIGIT(0, 1, 2, 3);
  call->columns = DIGIT(1, 3, 16, 33);
  call->rows = DIGIT(1, 4, 0);
  call->count = DIGIT(0, 1, 2, 40);
  call->stride = kind == 3 ? 1 : kind ? call->columns + 4 : call->columns;
  call->in_offset = kind == 1 ? 9 : 0;
  call->row_stride = kind > 1 ? 0 : call->count * call->stride + 7 * kind;
  return number == 0;
}

// ---------------------------------------------------------------- Single calls

static const clred_call strides[] = {{.count = 2, .stride = 11999}};

// Windows that slide, one row, rows of one element, rows longer than a tile, a few long ones, up to the end of the
// buffer.
static const clred_call rows[] = {
  {.count = 50, .rows = 100, .row_stride = 1},
  {.count = 700, .rows = 20, .row_stride = 3, .in_offset = 2},
  {.count = 63, .rows = 7},
  {.count = 64, .rows = 5, .row_stride = 65},
  {.count = 65, .rows = 6, .row_stride = 67},
  {.count = 1000, .rows = 3, .row_stride = 1002},
  {.count = 4096, .rows = 2, .row_stride = 4097, .in_offset = 3},
  {.count = 12000, .rows = 1},
  {.count = 11999, .rows = 1, .in_offset = 1},
  {.count = 5000, .rows = 2, .row_stride = 6001, .in_offset = 11},
  {.count = 1, .rows = 12000},
  {.count = 139991, .rows = 1, .in_offset = 9},
};

// Few long columns, with gaps and without; many short ones; columns that repeat an element; many images. Without gaps
// groups read few columns as neighbours: then the last tile has few elements, and vectors end inside of it.
static const clred_call columns[] = {
  {.count = 3, .stride = 1, .columns = 1, .rows = 3},
  {.count = 100, .stride = 0, .columns = 10, .rows = 1},
  {.count = 100, .rows = 1, .columns = 1},
  {.count = 20, .stride = 6, .columns = 6, .rows = 100},
  {.count = 190, .stride = 21, .columns = 21, .rows = 3, .row_stride = 3990},
  {.count = 37, .stride = 3, .columns = 3, .rows = 40, .row_stride = 130},
  {.count = 5, .stride = 2000, .columns = 2000, .rows = 1},
  {.count = 1500, .stride = 7, .columns = 2, .rows = 1, .in_offset = 1},
  {.count = 1090, .stride = 5, .columns = 5, .rows = 2},
  {.count = 1025, .stride = 7, .columns = 7, .rows = 1, .in_offset = 4},
  {.count = 2900, .stride = 4, .columns = 4, .rows = 1},
  {.count = 3999, .stride = 3, .columns = 3, .rows = 1, .in_offset = 1},
  {.count = 10, .stride = 1200, .columns = 1000, .rows = 1, .in_offset = 200},
};

// ---------------------------------------------------------------- Axes

static const struct array {
  cl_uint dimensions;
  cl_ulong lengths[AXES_MAX];
} arrays[] = {
  {1, {1}},
  {1, {700}},
  {1, {0}},
  {2, {4, 0}},
  {2, {0, 4}},
  {3, {3, 0, 2}},
  {2, {3, 5}},
  {3, {2, 3, 4}},
  {3, {5, 1, 7}},
  {2, {1, 300}},
  {2, {300, 1}},
  {3, {3, 17, 5}},
  {5, {3, 1, 2, 2, 4}},
  {6, {2, 2, 3, 2, 1, 3}},
  {8, {2, 2, 2, 2, 2, 2, 2, 2}},
  {8, {1, 3, 1, 2, 5, 1, 4, 3}},
  {4, {2, 3, 17, 5}},
  {7, {2, 1, 2, 3, 2, 33, 2}},
  {2, {2, 2500}},
  {2, {2500, 2}},
  {3, {40, 33, 4}},
  {3, {3, 1100, 2}},
  {3, {7, 100, 16}},
};

// Rows are along the last axis, or along one with only axes of length 1 behind it.
static bool has_rows(const struct array *array, cl_uint axis) {
  cl_ulong behind = 1;
  while (++axis < array->dimensions)
    behind *= array->lengths[axis];
  return behind == 1;
}

static bool axis_at(size_t number, bool rows_wanted, struct layout_shape *shape) {
  for (size_t i = 0; i < COUNT_OF(arrays); i++)
    for (cl_uint axis = 0; axis < arrays[i].dimensions; axis++) {
      if (has_rows(&arrays[i], axis) != rows_wanted || number-- > 0)
        continue;
      shape->dimensions = arrays[i].dimensions;
      shape->axis = axis;
      memcpy(shape->lengths, arrays[i].lengths, sizeof shape->lengths);
      shape->call.in_offset = i % 3;
      return true;
    }
  return false;
}

// ---------------------------------------------------------------- By number

// All patterns of few elements, and half of the patterns of many.
static bool pattern_at(size_t number, uint64_t most, struct layout_shape *shape) {
  static const uint64_t counts[] = {0, 100, 3001};
  static const enum layout_pattern long_ones[] = {SIXTEENS, MIXED, AROUND_TILES, GIANT, ONE_OF_ALL};
  const size_t size = number / PATTERNS, rest = number % PATTERNS;
  shape->call.in_offset = 7;
  shape->pattern = size < COUNT_OF(counts) ? (unsigned)rest : rest < COUNT_OF(long_ones) ? long_ones[rest] : PATTERNS;
  shape->call.count = size < COUNT_OF(counts) ? counts[size] : most - rest;
  return shape->pattern < PATTERNS;
}

static bool product_at(clred_layout layout, size_t number, clred_call *call) {
  return layout == CLRED_LAYOUT_STRIDED ? stride_at(number, call)
         : layout == CLRED_LAYOUT_ROWS  ? rows_at(number, call)
                                        : columns_at(number, call);
}

bool layout_shape_at(clred_layout layout, size_t number, const struct layout_sizes *sizes, struct layout_shape *shape) {
  static const struct {
    size_t products, singles;
    const clred_call *list;
  } known[] = {[CLRED_LAYOUT_STRIDED] = {48, COUNT_OF(strides), strides},
               [CLRED_LAYOUT_ROWS] = {96, COUNT_OF(rows), rows},
               [CLRED_LAYOUT_COLUMNS] = {192, COUNT_OF(columns), columns}};
  *shape = (struct layout_shape){.pattern = PATTERNS, .flavour = (enum flavour)(number % FLAVOURS)};
  if (layout == CLRED_LAYOUT_LINE)
    return line_at(number, sizes, shape);
  if (layout >= CLRED_LAYOUT_SEGMENTS)
    return pattern_at(number, sizes->most, shape);
  if (number < known[layout].products)
    return product_at(layout, number, &shape->call);
  number -= known[layout].products;
  if (number < known[layout].singles)
    shape->call = known[layout].list[number];
  if (number < known[layout].singles)
    return true;
  number -= known[layout].singles;
  return layout == CLRED_LAYOUT_STRIDED ? strided_line_at(number, sizes, shape)
                                        : axis_at(number, layout == CLRED_LAYOUT_ROWS, shape);
}
