// User-defined operators that do not commute: see operators.h.

#include "support/operators.h"

#include "support/callbacks.h"

// ---------------------------------------------------------------- Matrices modulo 2^32, a struct of the preamble

struct matrix {
  cl_uint a, b, c, d;
};

static struct matrix times(struct matrix p, struct matrix q) {
  const struct matrix r = {p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d, p.c * q.a + p.d * q.c, p.c * q.b + p.d * q.d};
  return r;
}

// Makes the determinant odd. Other products soon become 0 in any order.
static void tidy_matrix(void *element) {
  struct matrix m;
  memcpy(&m, element, sizeof m);
  m.a |= 1;
  m.d |= 1;
  m.b &= ~(cl_uint)1;
  memcpy(element, &m, sizeof m);
}

IDENTITY(matrix, struct matrix, {1, 0, 0, 1})
LIFT(matrix, struct matrix, struct matrix, x)
COMBINE(matrix, struct matrix, times(a, b))
HOST(matrix, struct matrix);

// ---------------------------------------------------------------- Continued fractions: matrices as a list, elementwise

LIFT(fraction, cl_uint, struct matrix, {x, 1, 1, 0})
static const clred_host_operator fraction_host = {matrix_identity, fraction_lift, matrix_combine, matrix_lower, NULL};

// ---------------------------------------------------------------- Affine maps v -> m v + c, with c in a further input

struct affine {
  cl_ulong m, c;
};

// Makes m odd, so that earlier maps still change the result.
static void tidy_affine(void *element) {
  cl_ulong m;
  memcpy(&m, element, sizeof m);
  m |= 1;
  memcpy(element, &m, sizeof m);
}

static cl_ulong ulong_at(const void *address) {
  cl_ulong value;
  memcpy(&value, address, sizeof value);
  return value;
}

// The combination applies first a, then b.
IDENTITY(affine, struct affine, {1, 0})
LIFT(affine, cl_ulong, struct affine, {x, ulong_at(inputs[0])})
COMBINE(affine, struct affine, {b.m * a.m, b.m *a.c + b.c})
HOST(affine, struct affine);

static const clred_operand shift = {.name = "shift", .type = "ulong", .size = sizeof(cl_ulong)};

// ---------------------------------------------------------------- Brackets: how many are left open, how many closed

struct brackets {
  cl_uint open, close;
};

static struct brackets match(struct brackets a, struct brackets b) {
  const cl_uint matched = a.open < b.close ? a.open : b.close;
  return (struct brackets){a.open - matched + b.open, a.close + b.close - matched};
}

IDENTITY(brackets, struct brackets, {0, 0})
LIFT(brackets, char, struct brackets, {x == '(', x == ')'})
COMBINE(brackets, struct brackets, match(a, b))
HOST(brackets, struct brackets);

// ---------------------------------------------------------------- A polynomial hash modulo 2^64, its base a parameter

struct hash {
  cl_ulong value, power;
};

static const cl_ulong base_value = 1099511628211u;

IDENTITY(hash, struct hash, {0, 1})
LIFT(hash, unsigned char, struct hash, {x, ulong_at(parameters[0])})
COMBINE(hash, struct hash, {a.value * b.power + b.value, a.power *b.power})
HOST(hash, cl_ulong);

static const clred_operand base = {.name = "base", .type = "ulong", .size = sizeof(cl_ulong)};

const struct sample ordered_samples[] = {
  ROW(.op = OPERATOR(.name = "matrix",
                     .preamble = "typedef struct { uint a, b, c, d; } matrix;\n"
                                 "matrix times(matrix p, matrix q)\n"
                                 "{\n"
                                 "  matrix r = {p.a * q.a + p.b * q.c, p.a * q.b + p.b * q.d,\n"
                                 "              p.c * q.a + p.d * q.c, p.c * q.b + p.d * q.d};\n"
                                 "  return r;\n"
                                 "}\n",
                     .element = "matrix", .state = "matrix", .element_size = sizeof(struct matrix),
                     .state_size = sizeof(struct matrix), .result_size = sizeof(struct matrix),
                     .identity = "{ 1, 0, 0, 1 }", .combine = "times(a, b)", .host = &matrix_host),
      .element = sizeof(struct matrix), .result = sizeof(struct matrix), .tidy = tidy_matrix),
  ROW(.op =
        OPERATOR(.name = "fraction", .element = "uint", .state = "{ uint a; uint b; uint c; uint d; }",
                 .state_size = sizeof(struct matrix), .identity = "{ 1, 0, 0, 1 }",
                 .lift = "MAKE(x, UNIT(uint, 1), UNIT(uint, 1), UNIT(uint, 0))",
                 .combine =
                   "MAKE(a.a * b.a + a.b * b.c, a.a * b.b + a.b * b.d, a.c * b.a + a.d * b.c, a.c * b.b + a.d * b.d)",
                 .elementwise = CL_TRUE, .host = &fraction_host),
      .element = sizeof(cl_uint), .result = sizeof(struct matrix)),
  ROW(.op = OPERATOR(.name = "affine", .element = "ulong", .state = "{ ulong m; ulong c; }",
                     .state_size = sizeof(struct affine), .identity = "{ 1, 0 }", .lift = "MAKE(x, shift)",
                     .combine = "MAKE(b.m * a.m, b.m * a.c + b.c)", .inputs = &shift, .input_count = 1,
                     .elementwise = CL_TRUE, .host = &affine_host),
      .element = sizeof(cl_ulong), .result = sizeof(struct affine), .input = sizeof(cl_ulong), .tidy = tidy_affine),
  ROW(.op =
        OPERATOR(.name = "brackets", .element = "char", .state = "{ uint open; uint close; }",
                 .state_size = sizeof(struct brackets), .identity = "{ 0, 0 }",
                 .lift = "MAKE(FLAG(x == UNIT(char, '(')), FLAG(x == UNIT(char, ')')))",
                 .combine = "MAKE(a.open - min(a.open, b.close) + b.open, a.close + b.close - min(a.open, b.close))",
                 .elementwise = CL_TRUE, .host = &brackets_host),
      .element = 1, .result = sizeof(struct brackets), .letters = "(((())))x"),
  {.op =
     OPERATOR(.name = "hash", .element = "uchar", .state = "{ ulong value; ulong power; }", .result = "ulong",
              .result_size = sizeof(cl_ulong), .identity = "{ 0, 1 }", .lift = "MAKE(TO(ulong, x), UNIT(ulong, base))",
              .combine = "MAKE(a.value * b.power + b.value, a.power * b.power)", .lower = "s.value",
              .parameters = &base, .parameter_count = 1, .elementwise = CL_TRUE, .host = &hash_host),
   .element = 1,
   .result = sizeof(cl_ulong),
   .parameter = &base_value},
};

const size_t ordered_sample_count = sizeof ordered_samples / sizeof *ordered_samples;
