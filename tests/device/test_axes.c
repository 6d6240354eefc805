// Arrays of up to 8 dimensions along each axis: what the library makes of the axis, and the results.

#include "support/layouts.h"

#define DIMENSIONS 8

static const struct shape {
  cl_uint dimensions;
  cl_ulong lengths[DIMENSIONS];
} shapes[] = {
  {1, {1}},
  {1, {700}},
  {2, {3, 5}},
  {2, {1, 300}},
  {2, {300, 1}},
  {2, {2, 2500}},
  {2, {2500, 2}},
  {3, {2, 3, 4}},
  {3, {5, 1, 7}},
  {3, {3, 1100, 2}},
  {4, {2, 3, 17, 5}},
  {5, {3, 1, 2, 2, 4}},
  {6, {2, 2, 3, 2, 1, 3}},
  {7, {2, 1, 2, 3, 2, 33, 2}},
  {8, {2, 2, 2, 2, 2, 2, 2, 2}},
  {8, {1, 3, 1, 2, 5, 1, 4, 3}},
};

// The number of results along this axis.
static cl_ulong results_of(const struct shape *shape, cl_uint axis) {
  cl_ulong product = 1;
  for (cl_uint i = 0; i < shape->dimensions; i++)
    product *= i == axis ? 1 : shape->lengths[i];
  return product;
}

// Element i of result j by the indexes of a C-ordered array, one dimension after the other.
static cl_ulong position(const struct shape *shape, cl_uint axis, cl_ulong j, cl_ulong i) {
  cl_ulong position = 0, apart = 1;
  for (cl_uint d = shape->dimensions; d-- > 0; apart *= shape->lengths[d]) {
    const cl_ulong at = d == axis ? i : j % shape->lengths[d];
    position += at * apart;
    j = d == axis ? j : j / shape->lengths[d];
  }
  return position;
}

// The fields of the call lead to the right elements of the array.
static void check_positions(const struct shape *shape, cl_uint axis, const clred_call *call, const struct lines *at) {
  ck_assert_uint_eq(call->count, shape->lengths[axis]);
  ck_assert_uint_eq(at->count, results_of(shape, axis));
  for (cl_ulong j = 0; j < at->count; j++)
    for (cl_ulong i = 0; i < call->count; i++)
      ck_assert_uint_eq(at->list[j].first + i * at->list[j].step, call->in_offset + position(shape, axis, j, i));
}

static void check_along(const struct shape *shape, cl_uint axis, cl_ulong in_offset) {
  static struct lines at;
  clred_call call = {.in_offset = in_offset, .out_offset = 6};
  clred_layout layout = (clred_layout)99;
  assert_ok(clred_call_along_axis(&call, &layout, shape->dimensions, shape->lengths, axis));
  ck_assert(call.in_offset == in_offset && call.out_offset == 6);
  lines_of_call(&call, layout, &at);
  check_positions(shape, axis, &call, &at);
  check_call(layout, call);
}

TEST_CASE("axes", fixture_open, fixture_close);

TEST_STEPS(along_every_axis, 0, SUBJECTS, 2) {
  if (!begin(_i))
    return;
  for (size_t s = 0; s < COUNT_OF(shapes); s++)
    for (cl_uint axis = 0; axis < shapes[s].dimensions; axis++)
      check_along(&shapes[s], axis, s % 3);
}

// Rows of no elements have the identity; where there are no rows nothing is written.
TEST_EACH(along_an_axis_of_nothing, 0, SUBJECTS) {
  static const struct shape empty[] = {{1, {0}}, {2, {4, 0}}, {2, {0, 4}}, {3, {3, 0, 2}}, {3, {0, 3, 0}}};
  if (!begin(_i))
    return;
  for (size_t s = 0; s < COUNT_OF(empty); s++)
    for (cl_uint axis = 0; axis < empty[s].dimensions; axis++)
      check_along(&empty[s], axis, 2);
}

// Numbers of elements around 2^64. A length of 0 does not hide that the others are too large.
TEST(arrays_of_more_than_64_bits) {
  static const struct {
    cl_ulong lengths[4];
    cl_int status;
  } arrays[] = {{{(cl_ulong)1 << 62, 2, 2, 1}, CLRED_INVALID_ARGUMENT},
                {{2, 2, (cl_ulong)1 << 62, 1}, CLRED_INVALID_ARGUMENT},
                {{(cl_ulong)1 << 40, (cl_ulong)1 << 40, 1, 0}, CLRED_INVALID_ARGUMENT},
                {{0, 6700418, 2753074036095, 1}, CLRED_INVALID_ARGUMENT},
                {{1, 6700417, 2753074036095, 1}, CL_SUCCESS},
                {{(cl_ulong)1 << 61, 2, 2, 0}, CL_SUCCESS}};
  for (size_t i = 0; i < COUNT_OF(arrays); i++)
    for (cl_uint axis = 0; axis < 4; axis++) {
      clred_call call = {.count = 7};
      clred_layout layout = CLRED_LAYOUT_STRIDED;
      const cl_int got = clred_call_along_axis(&call, &layout, 4, arrays[i].lengths, axis);
      ck_assert_msg(got == arrays[i].status, "array %zu along axis %u: %s", i, axis, clred_status_name(got));
      ck_assert(got == CL_SUCCESS ? call.count == arrays[i].lengths[axis] : call.count == 7 && layout == 1);
    }
}
