// Structs of a preamble against the same structs in C: the offsets must be the same, and structs that are not
// understood are refused. No device is opened.
#include <stddef.h>

#include "model/layout.h"
#include "support/suite.h"

static const char preamble[] = "#define ROWS 3\n"
                               "/* typedef struct { double wrong; } point; */\n"
                               "typedef float2 pair;  // typedef struct { int x; } pair;\n"
                               "typedef struct point { float x, y; } point;\n"
                               "typedef struct {\n"
                               "  char tag;\n"
                               "  double weight[2];\n"
                               "  unsigned short small, table[ROWS][2];\n"
                               "  point corners[2];\n"
                               "  struct point last;\n"
                               "} shape;\n"
                               "struct vectors { char c; float3 v; pair p; };\n"
                               "typedef union { int i; float f; } either;\n"
                               "typedef struct { either e; } has_union;\n"
                               "typedef struct { float *p; } has_pointer;\n"
                               "typedef struct { int bits : 3; } has_bits;\n"
                               "typedef struct { char c; int i; } __attribute__((packed)) packed_one;\n"
                               "typedef struct { int n[COUNT]; } has_unknown;\n"
                               "typedef struct { again a; } again;\n";

struct point {
  cl_float x, y;
};

struct shape {
  cl_char tag;
  _Alignas(sizeof(cl_double)) cl_double weight[2];  // 32-bit x86 would align it to 4
  cl_ushort small, table[3][2];
  struct point corners[2], last;
};

static void check_run(const struct clr_layout *layout, size_t index, const char *name, clred_type type, size_t offset,
                      unsigned count) {
  const struct clr_run *run = &layout->runs[index];
  ck_assert_uint_gt(layout->run_count, index);
  ck_assert_str_eq(run->name, name);
  ck_assert_int_eq((int)run->type, (int)type);
  ck_assert_uint_eq(run->offset, offset);
  ck_assert_uint_eq(run->count, count);
}

TEST(members_lie_where_the_compiler_puts_them) {
  struct clr_layout layout = {.size = 0};
  ck_assert(clr_layout_declared("shape", preamble, &layout));
  ck_assert_uint_eq(clr_layout_end(&layout), sizeof(struct shape));
  check_run(&layout, 0, "tag", CLRED_TYPE_CHAR, 0, 1);
  check_run(&layout, 1, "weight", CLRED_TYPE_DOUBLE, offsetof(struct shape, weight), 2);
  check_run(&layout, 2, "small", CLRED_TYPE_USHORT, offsetof(struct shape, small), 1);
  check_run(&layout, 3, "table", CLRED_TYPE_USHORT, offsetof(struct shape, table), 6);
  check_run(&layout, 4, "x", CLRED_TYPE_FLOAT, offsetof(struct shape, corners), 1);
  check_run(&layout, 9, "y", CLRED_TYPE_FLOAT, offsetof(struct shape, last.y), 1);
  ck_assert_uint_eq(layout.run_count, 10);
  ck_assert_uint_eq(clr_layout_scalars(&layout), 1 + 2 + 1 + 6 + 6);
}

TEST(vectors_of_three_take_the_size_of_four) {
  struct clr_layout layout = {.size = 0};
  ck_assert(clr_layout_declared("struct vectors", preamble, &layout));
  check_run(&layout, 1, "v", CLRED_TYPE_FLOAT, 16, 3);
  check_run(&layout, 2, "p", CLRED_TYPE_FLOAT, 32, 2);
  ck_assert_uint_eq(clr_layout_end(&layout), 48);
}

TEST(names_and_scalars_are_types_too) {
  static const struct {
    const char *type;
    clred_type scalar;
    unsigned count;
    size_t size;
  } known[] = {{"float", CLRED_TYPE_FLOAT, 1, 4},      {"unsigned int", CLRED_TYPE_UINT, 1, 4},
               {"ulong16", CLRED_TYPE_ULONG, 16, 128}, {"pair", CLRED_TYPE_FLOAT, 2, 8},
               {"half", CLRED_TYPE_HALF, 1, 2},        {"int3", CLRED_TYPE_INT, 3, 16}};
  for (size_t i = 0; i < COUNT_OF(known); i++) {
    struct clr_layout layout = {.size = 0};
    ck_assert_msg(clr_layout_declared(known[i].type, preamble, &layout), "%s is not known", known[i].type);
    check_run(&layout, 0, "", known[i].scalar, 0, known[i].count);
    ck_assert_uint_eq(clr_layout_end(&layout), known[i].size);
  }
}

TEST(what_cannot_be_read_is_refused) {
  static const char *const unknown[] = {"either",      "has_union", "has_pointer", "has_bits", "packed_one",
                                        "has_unknown", "again",     "quaternion",  "cfloat",   "float *",
                                        "struct",      "",          "shape other"};
  for (size_t i = 0; i < COUNT_OF(unknown); i++) {
    struct clr_layout layout = {.size = 0};
    ck_assert_msg(!clr_layout_declared(unknown[i], preamble, &layout), "%s was read", unknown[i]);
  }
}

// Of two similar declarations the right one is read, and a run has components of one member only.
TEST(similar_declarations_are_distinguished) {
  struct clr_layout layout = {.size = 0};
  ck_assert(!clr_layout_declared("a", "typedef struct { struct { int x; } y; } a;", &layout));
  ck_assert(!clr_layout_declared("y", "typedef struct { struct { int x; } y[2]; } a;", &layout));
  // The first declaration only names the struct.
  layout = (struct clr_layout){.size = 0};
  ck_assert(clr_layout_declared("b", "struct b x; typedef float b;", &layout));
  check_run(&layout, 0, "", CLRED_TYPE_FLOAT, 0, 1);
  ck_assert_uint_eq(clr_layout_end(&layout), 4);
  // Room for a fourth component stands between the vectors.
  layout = (struct clr_layout){.size = 0};
  ck_assert(clr_layout_declared("a", "typedef struct { float3 v[2]; } a;", &layout));
  ck_assert_uint_eq(layout.run_count, 2);
  check_run(&layout, 0, "v", CLRED_TYPE_FLOAT, 0, 3);
  check_run(&layout, 1, "v", CLRED_TYPE_FLOAT, 16, 3);
  ck_assert_uint_eq(clr_layout_end(&layout), 32);
  // Two structs have a member of the same name.
  layout = (struct clr_layout){.size = 0};
  ck_assert(
    clr_layout_declared("o", "typedef struct { float x; int k; } q; typedef struct { float x; q b; } o;", &layout));
  ck_assert_uint_eq(layout.run_count, 3);
  check_run(&layout, 0, "x", CLRED_TYPE_FLOAT, 0, 1);
  check_run(&layout, 1, "x", CLRED_TYPE_FLOAT, 4, 1);
  check_run(&layout, 2, "k", CLRED_TYPE_INT, 8, 1);
  ck_assert_uint_eq(clr_layout_end(&layout), 12);
}

// The element, state and result of every operator over every type are understood.
TEST(built_in_values_are_all_known) {
  const struct clr_type *type;
  const struct clr_op *op;
  for (size_t i = 0; (op = clr_op_at(i)) != NULL; i++)
    for (size_t j = 0; (type = clr_type_at(j)) != NULL; j++) {
      struct clr_operation operation;
      struct clr_status status = {0};
      struct clr_layout layouts[3];
      if (clr_operation_make(&(struct clr_choice){.op = op->id, .type = type->id}, &operation, &status))
        continue;
      clr_layout_element(&operation, &layouts[0]);
      clr_layout_state(&operation, &layouts[1]);
      clr_layout_result(&operation, &layouts[2]);
      for (int k = 0; k < 3; k++)
        ck_assert_msg(!layouts[k].is_opaque, "%s of %s: layout %d is not understood", op->name, type->name, k);
    }
}
