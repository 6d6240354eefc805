// Tests how much of the data a group takes through local memory: the textbook's numbers, worked out by hand. The
// devices are lists of facts (devices.h); no device is opened.
#include "support/suite.h"
#include "unit/shapes.h"

// ---------------------------------------------------------------- local_coarsened

// Two of the textbook's groups of 1024 work-items share the local memory of a compute unit. 8 KiB would leave one value
// for each work-item, so groups become smaller. Groups of another size get a share as if 2048 work-items shared the
// local memory.
TEST_EACH(local_memory_says_how_much_a_group_takes, 0, 12) {
  static const struct {
    cl_ulong local_mem_size, group_size, expected_size, factor, values;
    clred_type type;
  } cases[] = {
    {8 * KIB, 0, 512, 2, 1024, CLRED_TYPE_FLOAT},    {16 * KIB, 0, 1024, 2, 2048, CLRED_TYPE_FLOAT},
    {32 * KIB, 0, 1024, 4, 4096, CLRED_TYPE_FLOAT},  {48 * KIB, 0, 1024, 6, 6144, CLRED_TYPE_FLOAT},
    {64 * KIB, 0, 1024, 8, 8192, CLRED_TYPE_FLOAT},  {96 * KIB, 0, 1024, 12, 12288, CLRED_TYPE_FLOAT},
    {48 * KIB, 256, 256, 6, 1536, CLRED_TYPE_FLOAT}, {8 * KIB, 512, 512, 2, 1024, CLRED_TYPE_FLOAT},
    {48 * KIB, 0, 1024, 3, 3072, CLRED_TYPE_DOUBLE}, {40 * KIB, 0, 1024, 4, 4096, CLRED_TYPE_FLOAT},
    {16 * KIB, 1, 1, 2, 2, CLRED_TYPE_FLOAT},        {2 * KIB, 0, 128, 2, 256, CLRED_TYPE_FLOAT},
  };
  const struct clr_strategy *strategy = clr_strategy_named("local_coarsened");
  const clred_problem given = {
    .op = CLRED_OP_SUM, .type = cases[_i].type, .group_size = cases[_i].group_size, .count_max = 1 << 26};
  for (size_t device = GPU; device <= CPU; device += CPU - GPU) {
    struct clr_shape shape = shape_of(strategy->name, ON(device, cases[_i].local_mem_size), &given);
    ck_assert_uint_eq(shape.group_size, cases[_i].expected_size);
    ck_assert_uint_eq(strategy->elements(&shape, LINE(1 << 26)), cases[_i].factor);
    ck_assert_uint_eq(shape.group_size * cases[_i].factor, cases[_i].values);
    ck_assert_uint_eq(shape.local_bytes, cases[_i].values * shape.state_size);
  }
}

// A group never takes so much that fewer groups are left than the device runs at once: two for each unit of a GPU, one
// for each unit of a CPU.
TEST(coarsening_leaves_a_group_for_every_place) {
  static const struct {
    size_t device;
    cl_ulong n, factor;
  } cases[] = {
    {GPU, 1, 2},
    {GPU, 3 * 1024 * 263, 2},
    {GPU, 3 * 1024 * 263 + 1, 3},
    {GPU, 4 * 1024 * 263 + 1, 4},
    {GPU, 6 * 1024 * 263, 4},
    {GPU, 6 * 1024 * 263 + 1, 6},
    {GPU, 1 << 26, 6},
    {CPU, 4096, 3},
    {CPU, 4097, 4},
    {CPU, 12 * 1024, 8},
    {CPU, 12 * 1024 + 1, 12},
    {CPU, 1 << 26, 12},
  };
  const struct clr_strategy *strategy = clr_strategy_named("local_coarsened");
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_shape shape =
      shape_of(strategy->name, ON(cases[i].device, 0), &(clred_problem){OF(SUM, FLOAT), .count_max = 1 << 26});
    ck_assert_msg(strategy->elements(&shape, LINE(cases[i].n)) == cases[i].factor, "case %zu: %llu", i,
                  (unsigned long long)strategy->elements(&shape, LINE(cases[i].n)));
  }
}

// A caller may set any factor that fits local memory, and in registers a larger one. The default factor is the same for
// both.
TEST(factors_by_hand) {
  const struct clr_facts facts = facts_of(GPU, 48 * KIB), little = facts_of(GPU, 8 * KIB);
#define FACTOR(n) OF(SUM, FLOAT), .count_max = 1 << 26, .elements = (n)
#define REGISTERS .stage = CLRED_STAGE_REGISTERS
  ck_assert_uint_eq(SHAPE("local_coarsened", &facts, FACTOR(11)).staged.values, 11);
  ASSERT_REFUSED("local_coarsened", &facts, "above 11", FACTOR(12));
  // The message names the limit of local memory, not the larger one of registers.
  ASSERT_REFUSED("local_coarsened", &facts, "above 11", FACTOR((1 << 20) + 1));
  ASSERT_REFUSED("local_coarsened", &facts, "at most 1048576", FACTOR((1 << 20) + 1), REGISTERS);
  ck_assert_uint_eq(SHAPE("local_coarsened", &facts, FACTOR(12), .group_size = 512).local_bytes, 12 * 512 * 4);
  ck_assert_uint_eq(SHAPE("local_coarsened", &facts, FACTOR(12), REGISTERS).staged.values, 0);
  ck_assert_uint_eq(SHAPE("local_coarsened", &facts, FACTOR(12), REGISTERS).local_bytes, 1024 * 4);
  // 8 KiB hold one float for each of 1024 work-items, and a group leaves some of it to the compiler.
  ck_assert_uint_eq(SHAPE("local_coarsened", &little, FACTOR(12), REGISTERS, .group_size = 1024).local_bytes, 1024 * 4);
  ASSERT_REFUSED("local_coarsened", &little, "allows here: 512", FACTOR(12), .group_size = 1024);
  const struct clr_shape shape = SHAPE("local_coarsened", &facts, FACTOR(0), REGISTERS);
  ck_assert_uint_eq(clr_strategy_named("local_coarsened")->elements(&shape, LINE(1 << 26)), 6);
}

// ---------------------------------------------------------------- persistent

// Two groups of 1024 work-items for each unit, on CPUs too; local memory has room for the elements that textbooks give
// them.
TEST(persistent_puts_two_groups_on_each_unit) {
  static const struct {
    size_t device;
    clred_problem given;
    cl_ulong groups, group_size, staged;
  } cases[] = {
    {GPU, {OF(SUM, FLOAT)}, 2 * 132, 1024, 6},
    {GPU, {OF(SUM, DOUBLE)}, 2 * 132, 1024, 3},
    {GPU, {OF(SUM, FLOAT), .group_size = 256}, 2 * 132, 256, 24},
    {GPU, {OF(SUM, FLOAT), .groups = 7}, 7, 1024, 6},
    {CPU, {OF(SUM, FLOAT)}, 2 * 2, 1024, 12},
    {GROUPS_OF_ONE, {OF(SUM, FLOAT)}, 2 * 132, 1, 64},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_shape shape = shape_of("persistent", ON(cases[i].device, 0), &cases[i].given);
    ck_assert_msg(shape.groups_max == cases[i].groups && shape.group_size == cases[i].group_size &&
                    shape.staged.values == cases[i].staged,
                  "case %zu: %llu groups of %llu, %llu staged", i, (unsigned long long)shape.groups_max,
                  (unsigned long long)shape.group_size, (unsigned long long)shape.staged.values);
  }
}

// A group of one work-item takes at least two values, or relaunches would never end.
TEST(elements_of_groups_of_one) {
  struct clr_shape shape =
    shape_of("persistent_interleaved", ON(GPU, 0), &(clred_problem){OF(SUM, FLOAT), .group_size = 1});
  for (cl_ulong n = 1; n < 5; n++) {
    struct clr_pass pass;
    ck_assert(clr_strategy_pass(&shape, LINE(n), 0, &pass));
    ck_assert_uint_eq(shape.strategy->elements(&shape, LINE(n)), clr_ceil_divide(n, pass.groups));
  }
}

// The data is cut into as many parts as there are groups. The parts differ by at most one load of 2048 values.
TEST(parts_of_persistent_are_nearly_equal) {
  static const struct {
    cl_ulong n, groups, elements;
  } cases[] = {{1, 1, 2}, {2048, 1, 2}, {2049, 2, 2}, {16 * 2048, 16, 2}, {16 * 2048 + 1, 16, 4}, {100 * 2048, 16, 14}};
  struct clr_shape shape = shape_of("persistent", ON(GPU, 0), &(clred_problem){OF(SUM, FLOAT), .groups = 16});
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    struct clr_pass pass;
    ck_assert(clr_strategy_pass(&shape, LINE(cases[i].n), 0, &pass));
    ck_assert_uint_eq(pass.groups, cases[i].groups);
    ck_assert_uint_eq(pass.span, cases[i].elements);
    ck_assert_uint_eq(shape.strategy->elements(&shape, LINE(cases[i].n)), cases[i].elements);
  }
}
