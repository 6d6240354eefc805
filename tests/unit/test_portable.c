// Values in packed partials: machines of both byte orders write the same bytes and read each other's. The memory of a
// big-endian machine is written by hand. No device is opened.
#include <stddef.h>

#include "partial/portable.h"
#include "support/suite.h"

enum { ROOM = 2048, VALUES = 3 };

// One number as a machine has it in memory.
static void store(unsigned char *to, cl_ulong number, size_t size, bool is_big_endian) {
  for (size_t i = 0; i < size; i++)
    to[is_big_endian ? size - 1 - i : i] = (unsigned char)(number >> 8 * i);
}

// Fills values with numbers that differ; the bytes between the members are `padding`.
static void fill(const struct clr_layout *layout, bool is_big_endian, int padding, unsigned char *values) {
  cl_ulong number = 0x0123456789abcdef;
  memset(values, padding, VALUES * layout->size);
  for (size_t value = 0; value < VALUES; value++)
    for (size_t i = 0; i < layout->run_count; i++) {
      const struct clr_run *run = &layout->runs[i];
      const size_t size = clr_type_row(run->type)->size, all = run->count * size;
      for (size_t at = 0; at < all; at += size, number = number * 5 + 1)
        store(values + value * layout->size + run->offset + at, number, size, is_big_endian);
    }
}

static void check_both_orders(const struct clr_layout *layout, const char *name) {
  unsigned char little[ROOM], big[ROOM], expected[ROOM], bytes[2][ROOM], back[ROOM];
  const size_t all = VALUES * layout->size;
  for (size_t i = 0; i < layout->run_count; i++)
    ck_assert_msg(clr_type_row(layout->runs[i].type)->reading != CLR_READING_COMPLEX, "%s: is one number", name);
  ck_assert_msg(all <= ROOM, "%s: needs more room", name);
  fill(layout, false, 0x5a, little);
  fill(layout, true, 0x77, big);
  fill(layout, false, 0, expected);
  clr_portable_copy(layout, little, VALUES, false, bytes[0]);
  clr_portable_copy(layout, big, VALUES, true, bytes[1]);
  ck_assert_msg(memcmp(bytes[0], expected, all) == 0, "%s: wrong bytes of a little-endian machine", name);
  ck_assert_msg(memcmp(bytes[1], expected, all) == 0, "%s: wrong bytes of a big-endian machine", name);
  fill(layout, true, 0, big);
  clr_portable_copy(layout, expected, VALUES, true, back);
  ck_assert_msg(memcmp(back, big, all) == 0, "%s: a big-endian machine reads other values", name);
}

static clred_type type_at(size_t index) {
  static const unsigned widths[] = {1, 2, 3, 4, 8, 16};
  const size_t count = COUNT_OF(widths);
  const struct clr_type *row = clr_type_at(index / count);
  if (!row)
    return CLRED_TYPE_NONE;
  return widths[index % count] == 1 ? row->id : CLRED_VECTOR(row->id, widths[index % count]);
}

// The elements and states of every operator are portable, for every type and for its vectors.
TEST(built_in_operators_are_portable) {
  const struct clr_op *op;
  clred_type type;
  size_t made = 0;
  for (size_t i = 0; (op = clr_op_at(i)) != NULL; i++)
    for (size_t j = 0; (type = type_at(j)) != CLRED_TYPE_NONE; j++) {
      struct clr_operation operation;
      struct clr_layout layout;
      struct clr_status status = {0};
      if (clr_operation_make(&(struct clr_choice){.op = op->id, .type = type}, &operation, &status) != CL_SUCCESS)
        continue;
      ck_assert_msg(!clr_portable_is_opaque(&operation), "%s of %s is opaque", op->name, operation.element.name);
      clr_portable_source(&operation, 0, &layout);
      check_both_orders(&layout, operation.element.name);
      clr_portable_state(&operation, &layout);
      check_both_orders(&layout, op->name);
      made++;
    }
  ck_assert_uint_gt(made, 300);
}

// --- A caller's operator ---

static void make_custom(const clred_operator *given, struct clr_custom *custom, struct clr_operation *operation) {
  struct clr_status status = {0};
  ck_assert_msg(clr_custom_make(given, custom, &status) == CL_SUCCESS, "%s", status.message);
  *operation = (struct clr_operation){.name = "own"};
  clr_operation_of_custom(custom, operation);
}

// The bytes are written out, so that nothing but this table says what they are.
TEST(a_list_of_members) {
  static const unsigned char little[] = {7, 0, 0, 0, 0, 0, 0, 0, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0x80, 0x3f, 0, 0, 0, 0};
  static const unsigned char big[] = {7, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 0x3f, 0x80, 0, 0, 1, 1, 1, 1};
  const clred_operand inputs[] = {{.type = "half", .name = "w"}}, parameters[] = {{.type = "int3", .name = "p"}};
  const clred_operator given = {.name = "own",
                                .element = "float",
                                .state = "{ uchar any; ulong sum; float f; }",
                                .identity = "{ 0, 0, 0 }",
                                .lift = "MAKE(1, 2, x * w)",
                                .combine = "a",
                                .inputs = inputs,
                                .input_count = 1,
                                .parameters = parameters,
                                .parameter_count = 1};
  unsigned char bytes[sizeof little];
  struct clr_custom custom;
  struct clr_operation operation;
  struct clr_layout layout;
  make_custom(&given, &custom, &operation);
  ck_assert(!clr_portable_is_opaque(&operation));
  clr_portable_state(&operation, &layout);
  ck_assert_uint_eq(layout.size, sizeof little);
  clr_portable_copy(&layout, big, 1, true, bytes);
  ck_assert(memcmp(bytes, little, sizeof little) == 0);
  for (size_t i = 0; i < 2; i++) {
    clr_portable_source(&operation, i, &layout);
    check_both_orders(&layout, "a source");
  }
  clr_portable_parameter(&operation, 0, &layout);
  ck_assert_uint_eq(layout.size, 16);
  check_both_orders(&layout, "a parameter");
  clr_custom_release(&custom);
}

// Only the compiler knows what the preamble's `pair` is. Its bytes stay as they are, and packed bytes name their order.
TEST(types_of_a_preamble) {
  static const char preamble[] = "typedef struct { int n; float x; } pair;";
  static const struct {
    const char *element, *state, *input, *parameter;
  } rows[] = {{"pair", "float", "float", "int"},
              {"float", "pair", "float", "int"},
              {"float", "float", "pair", "int"},
              {"float", "float", "float", "pair"}};
  for (size_t i = 0; i < COUNT_OF(rows); i++) {
    const bool has_pair_state = strcmp(rows[i].state, "pair") == 0;
    const clred_operand input = {.type = rows[i].input, .name = "w", .size = i == 2 ? 8 : 0};
    const clred_operand parameter = {.type = rows[i].parameter, .name = "p", .size = i == 3 ? 8 : 0};
    const clred_operator given = {.name = "own",
                                  .element = rows[i].element,
                                  .element_size = i == 0 ? 8 : 0,
                                  .state = rows[i].state,
                                  .state_size = has_pair_state ? 8 : 0,
                                  .preamble = preamble,
                                  .identity = "0",
                                  .lift = "0",
                                  .combine = "a",
                                  .inputs = &input,
                                  .input_count = 1,
                                  .parameters = &parameter,
                                  .parameter_count = 1};
    struct clr_custom custom;
    struct clr_operation operation;
    make_custom(&given, &custom, &operation);
    ck_assert_msg(clr_portable_is_opaque(&operation), "row %zu is not opaque", i);
    clr_custom_release(&custom);
  }
  const struct clr_layout opaque = {.run_count = 1, .size = 3, .runs = {{.type = CLRED_TYPE_UCHAR, .count = 3}}};
  unsigned char bytes[6];
  clr_portable_copy(&opaque, "abcdef", 2, true, bytes);
  ck_assert(memcmp(bytes, "abcdef", 6) == 0);
}

TEST(the_order_is_named_for_opaque_values_only) {
  ck_assert_uint_eq(clr_portable_order(false, false), 0);
  ck_assert_uint_eq(clr_portable_order(false, true), 0);
  ck_assert_uint_eq(clr_portable_order(true, false), 1);
  ck_assert_uint_eq(clr_portable_order(true, true), 2);
}
