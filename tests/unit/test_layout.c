// Structs of a preamble against the same structs in C: the offsets must be the same, and structs that are not
// understood are refused. No device is opened.
#include <stddef.h>

#include "model/layout.h"
#include "support/suite.h"
#include "unit/letters.h"

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

// Types and their runs, written by hand. A run of no elements ends each list.
static const struct known {
  const char *type, *declarations;
  size_t size;
  struct clr_run runs[11];
} known[] = {
  {"float", preamble, 4, {{CLRED_TYPE_FLOAT, 0, 1, ""}}},
  {"unsigned int", preamble, 4, {{CLRED_TYPE_UINT, 0, 1, ""}}},
  {"half", preamble, 2, {{CLRED_TYPE_HALF, 0, 1, ""}}},
  {"ulong16", preamble, 128, {{CLRED_TYPE_ULONG, 0, 16, ""}}},
  {"int3", preamble, 16, {{CLRED_TYPE_INT, 0, 3, ""}}},
  {"pair", preamble, 8, {{CLRED_TYPE_FLOAT, 0, 2, ""}}},
  // Members lie where the compiler puts them.
  {"shape",
   preamble,
   sizeof(struct shape),
   {{CLRED_TYPE_CHAR, 0, 1, "tag"},
    {CLRED_TYPE_DOUBLE, offsetof(struct shape, weight), 2, "weight"},
    {CLRED_TYPE_USHORT, offsetof(struct shape, small), 1, "small"},
    {CLRED_TYPE_USHORT, offsetof(struct shape, table), 6, "table"},
    {CLRED_TYPE_FLOAT, offsetof(struct shape, corners[0].x), 1, "x"},
    {CLRED_TYPE_FLOAT, offsetof(struct shape, corners[0].y), 1, "y"},
    {CLRED_TYPE_FLOAT, offsetof(struct shape, corners[1].x), 1, "x"},
    {CLRED_TYPE_FLOAT, offsetof(struct shape, corners[1].y), 1, "y"},
    {CLRED_TYPE_FLOAT, offsetof(struct shape, last.x), 1, "x"},
    {CLRED_TYPE_FLOAT, offsetof(struct shape, last.y), 1, "y"}}},
  // Vectors of three take the size of four.
  {"struct vectors",
   preamble,
   48,
   {{CLRED_TYPE_CHAR, 0, 1, "c"}, {CLRED_TYPE_FLOAT, 16, 3, "v"}, {CLRED_TYPE_FLOAT, 32, 2, "p"}}},
  // Room for a fourth component stands between the vectors.
  {"a", "typedef struct { float3 v[2]; } a;", 32, {{CLRED_TYPE_FLOAT, 0, 3, "v"}, {CLRED_TYPE_FLOAT, 16, 3, "v"}}},
  // The first declaration only names the struct.
  {"b", "struct b x; typedef float b;", 4, {{CLRED_TYPE_FLOAT, 0, 1, ""}}},
  // Two structs have a member of the same name.
  {"o",
   "typedef struct { float x; int k; } q; typedef struct { float x; q b; } o;",
   12,
   {{CLRED_TYPE_FLOAT, 0, 1, "x"}, {CLRED_TYPE_FLOAT, 4, 1, "x"}, {CLRED_TYPE_INT, 8, 1, "k"}}},
};

TEST_ROWS(known_layout, known) {
  struct clr_layout layout = {.size = 0};
  size_t i = 0, scalars = 0;
  ck_assert_msg(clr_layout_declared(known[_i].type, known[_i].declarations, &layout), "it is not known");
  for (; known[_i].runs[i].count; i++) {
    const struct clr_run *run = &layout.runs[i], *expected = &known[_i].runs[i];
    ck_assert_uint_gt(layout.run_count, i);
    ck_assert_str_eq(run->name, expected->name);
    ck_assert_int_eq((int)run->type, (int)expected->type);
    ck_assert_uint_eq(run->offset, expected->offset);
    ck_assert_uint_eq(run->count, expected->count);
    scalars += expected->count;
  }
  ck_assert_uint_eq(layout.run_count, i);
  ck_assert_uint_eq(clr_layout_scalars(&layout), scalars);
  ck_assert_uint_eq(clr_layout_end(&layout), known[_i].size);
}

static bool is_read(const char *type, const char *declarations) {
  struct clr_layout layout = {.size = 0};
  return clr_layout_declared(type, declarations, &layout);
}

TEST(what_cannot_be_read_is_refused) {
  static const char *const unknown[] = {"either",      "has_union", "has_pointer", "has_bits", "packed_one",
                                        "has_unknown", "again",     "quaternion",  "cfloat",   "float *",
                                        "struct",      "",          "shape other"};
  static const char *const opaque[] = {
    "struct s { float a[x]; };", "struct s { float a[1100]; };", "struct s { float a[256][256][256]; };",
    "struct s { float a[2; };",  "struct s { float a; ",         "struct s { float a; /* no end",
    "struct s { struct s a; };"};
  char many[4096] = "struct s {";
  for (size_t i = 0; i < COUNT_OF(unknown); i++)
    ck_assert_msg(!is_read(unknown[i], preamble), "%s was read", unknown[i]);
  ck_assert(is_read("struct s", "struct s { float a[2]; /* b */ int c; }; // end"));
  for (size_t i = 0; i < COUNT_OF(opaque); i++)
    ck_assert_msg(!is_read("struct s", opaque[i]), "%s", opaque[i]);
  // A struct without a name stands inside: neither it nor the whole is read.
  ck_assert(!is_read("a", "typedef struct { struct { int x; } y; } a;"));
  ck_assert(!is_read("y", "typedef struct { struct { int x; } y[2]; } a;"));
  ck_assert(!is_read(letters(100, ""), "struct s { float a; };"));
  for (int i = 0; i < 40; i++)
    strcat(many, "int a; float b; ");
  ck_assert(!is_read("struct s", strcat(many, "};")));
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
