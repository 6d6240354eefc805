// Partials of integers with ranges of elements.
#include "support/ranges.h"

clred_plan *ranges_plan;

void ranges_open(void) {
  fixture_open();
  ranges_plan = PLAN(OP(SUM, INT));
}

clred_partial *partial_of(cl_ulong first, cl_ulong end) {
  cl_int values[256];
  clred_partial *partial = fixture_partial(ranges_plan, first);
  for (cl_ulong i = 0; i < end - first; i++)
    values[i] = (cl_int)(first + i + 1);
  assert_ok(clred_partial_fold_host(partial, &(clred_host_call){.in = values, .count = end - first}));
  return partial;
}

void partial_add(clred_partial *partial, cl_ulong first, cl_ulong end) {
  clred_partial *part = partial_of(first, end);
  assert_ok(clred_partial_join(partial, part));
  RELEASE(part);
}

clred_partial *partial_of_ranges(const cl_ulong *ends) {
  clred_partial *partial = partial_of(ends[0], ends[1]);
  for (; ends[3]; ends += 2)
    partial_add(partial, ends[2], ends[3]);
  return partial;
}

void check_ranges(clred_partial *partial, const cl_ulong *ends) {
  clred_partial_info info;
  cl_ulong first, count, sum = 0, i = 0;
  for (; ends[2 * i + 1]; i++) {
    assert_ok(clred_partial_range(partial, i, &first, &count));
    ck_assert_uint_eq(first, ends[2 * i]);
    ck_assert_uint_eq(count, ends[2 * i + 1] - ends[2 * i]);
    sum += count;
  }
  assert_ok(clred_partial_range(partial, i, &first, &count));
  ck_assert_uint_eq(count, 0);
  assert_ok(clred_partial_inspect(partial, &info));
  ck_assert_uint_eq(info.first, ends[0]);
  ck_assert_uint_eq(info.count, sum);
  ck_assert_uint_eq(info.elements, 0);
}
