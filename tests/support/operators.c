// User-defined operators, the search for one, and the loops that give expected results: see operators.h. The first
// operators do not commute.

#include "support/operators.h"

#include <stdio.h>

#include "exact/own.h"
#include "oracle/tree.h"
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

// ---------------------------------------------------------------- A state of 24 bytes

struct moments {
  cl_ulong sum, squares;
  cl_uint count, mix;
};

IDENTITY(moments, struct moments, {0, 0, 0, 0})
LIFT(moments, cl_uint, struct moments, {x, (cl_ulong)x *x, 1, x})
COMBINE(moments, struct moments, {a.sum + b.sum, a.squares + b.squares, a.count + b.count, a.mix ^ b.mix})
HOST(moments, struct moments);

// ---------------------------------------------------------------- A state of 200 bytes

#define BINS 25

struct bins {
  cl_ulong counts[BINS];
};

static struct bins bins_of(unsigned char x) {
  struct bins bins = {{0}};
  bins.counts[x % BINS] = 1;
  return bins;
}

static struct bins add_bins(struct bins a, struct bins b) {
  for (int i = 0; i < BINS; i++)
    a.counts[i] += b.counts[i];
  return a;
}

IDENTITY(histogram, struct bins, {{0}})
LIFT(histogram, unsigned char, struct bins, bins_of(x))
COMBINE(histogram, struct bins, add_bins(a, b))
HOST(histogram, struct bins);

// ---------------------------------------------------------------- States of 4 and 8 bytes, for atomics

// (a + 1)(b + 1) - 1: commutes
IDENTITY(uint, cl_uint, 0)
LIFT(uint, cl_uint, cl_uint, x)
COMBINE(uint, cl_uint, a *b + a + b)
HOST(uint, cl_uint);

// The greatest common divisor: work-items leave its loop after different numbers of iterations.
static cl_int gcd_of(cl_int a, cl_int b) {
  while (b) {
    const cl_int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

static void tidy_gcd(void *element) {
  cl_int x;
  memcpy(&x, element, sizeof x);
  x = (x & 0xfff) * 12;
  memcpy(element, &x, sizeof x);
}

IDENTITY(gcd, cl_int, 0)
LIFT(gcd, cl_int, cl_int, x)
COMBINE(gcd, cl_int, gcd_of(a, b))
HOST(gcd, cl_int);

struct low_high {
  cl_uint low, high;
};

IDENTITY(ends, struct low_high, {CL_UINT_MAX, 0})
LIFT(ends, cl_uint, struct low_high, {x, x})
COMBINE(ends, struct low_high, {a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high})
HOST(ends, struct low_high);

// ---------------------------------------------------------------- float3 takes the room of four floats

struct four_floats {
  cl_float x, y, z, unused;
};

IDENTITY(float3, struct four_floats, {0, 0, 0, 0})
LIFT(float3, struct four_floats, struct four_floats, x)
COMBINE(float3, struct four_floats, {a.x + b.x, a.y + b.y, a.z + b.z, a.unused})
HOST(float3, struct four_floats);

// ---------------------------------------------------------------- A packed struct: a tag, and an unaligned number

struct packed {
  unsigned char bytes[5];
};

static cl_ulong value_of(struct packed x) {
  cl_uint value;
  memcpy(&value, x.bytes + 1, sizeof value);
  return x.bytes[0] % 2 ? value : 0;
}

IDENTITY(packed, cl_ulong, 0)
LIFT(packed, struct packed, cl_ulong, value_of(x))
COMBINE(packed, cl_ulong, a + b)
HOST(packed, cl_ulong);

// ---------------------------------------------------------------- Results with padding

// The callbacks write other values to the padding. The library must replace them by zeros, as the loops do.
struct padded {
  unsigned char first;
  cl_uint sum;
  unsigned char last;
};

LIFT(padded, cl_uint, cl_uint, x)
COMBINE(padded, cl_uint, a + b)

static void padded_lower(const void *state, void *result, void *user_data) {
  cl_uint sum;
  (void)user_data;
  memcpy(&sum, state, sizeof sum);
  memset(result, 0xaa, sizeof(struct padded));
  ((struct padded *)result)->first = (unsigned char)sum;
  ((struct padded *)result)->sum = sum;
  ((struct padded *)result)->last = (unsigned char)(sum >> 8);
}

static void clear_padding(void *result) {
  memset((char *)result + 1, 0, 3);
  memset((char *)result + 9, 0, 3);
}

static const clred_host_operator padded_host = {uint_identity, padded_lift, padded_combine, padded_lower, NULL};

struct nested {
  struct {
    cl_ushort count;
    cl_uint sum;
  } parts[2];
  unsigned char flag;
  cl_ulong wide;
};

static void nested_lower(const void *state, void *result, void *user_data) {
  struct nested *to = result;
  cl_uint sum;
  (void)user_data;
  memcpy(&sum, state, sizeof sum);
  memset(result, 0xaa, sizeof *to);
  to->parts[0].count = (cl_ushort)sum, to->parts[0].sum = sum;
  to->parts[1].count = 7, to->parts[1].sum = ~sum;
  to->flag = 1, to->wide = (cl_ulong)sum << 7;
}

static void clear_nested(void *result) {
  memset((char *)result + 2, 0, 2);
  memset((char *)result + 10, 0, 2);
  memset((char *)result + 17, 0, 7);
}

static const clred_host_operator nested_host = {uint_identity, padded_lift, padded_combine, nested_lower, NULL};

// ---------------------------------------------------------------- Structs of many sizes, every byte of which counts

static cl_ulong hash_of(const unsigned char *bytes, size_t size, cl_ulong index) {
  for (size_t i = 0; i < size; i++)
    index = index * 1099511628211u + bytes[i];
  return index;
}

#define BLOB(size) \
  struct blob##size { \
    unsigned char bytes[size]; \
  }; \
  LIFT(blob##size, struct blob##size, cl_ulong, hash_of(x.bytes, size, index)) \
  static const clred_host_operator blob##size##_host = {packed_identity, blob##size##_lift, packed_combine, \
                                                        packed_lower, NULL};
BLOB(1)
BLOB(3)
BLOB(12)
BLOB(40)
BLOB(256)

// `members` declares the members of the struct. The lift reads their bytes.
#define BLOB_SAMPLE(size, members) \
  { \
    .op = {.name = "blob" #size, \
           .preamble = "typedef struct { " members " } blob;", \
           .element = "blob", \
           .state = "ulong", \
           .element_size = size, \
           .identity = "0", \
           .lift = "{\n" \
                   "  const uchar *bytes = (const uchar *)&x;\n" \
                   "  ulong hash = index;\n" \
                   "  for (int i = 0; i < " #size "; i++)\n" \
                   "    hash = hash * 1099511628211ul + bytes[i];\n" \
                   "  return hash;\n" \
                   "}", \
           .combine = "a + b", \
           .commutative = CL_TRUE, \
           .host = &blob##size##_host}, \
    .element = size, .result = sizeof(cl_ulong) \
  }

const struct sample free_samples[] = {
  ROW(.op = OPERATOR(.name = "moments", .preamble = "typedef struct { ulong sum, squares; uint count, mix; } moments;",
                     .element = "uint", .state = "moments", .state_size = sizeof(struct moments),
                     .identity = "{ 0, 0, 0, 0 }", .lift = "{ moments one = { x, (ulong)x * x, 1, x }; return one; }",
                     .combine = "{\n"
                                "  a.sum += b.sum;  // a copy: a is no pointer\n"
                                "  a.squares += b.squares;\n"
                                "  a.count += b.count;\n"
                                "  a.mix ^= b.mix;\n"
                                "  return a;\n"
                                "}",
                     .commutative = CL_TRUE, .host = &moments_host),
      .element = sizeof(cl_uint), .result = sizeof(struct moments)),
  ROW(.op =
        OPERATOR(.name = "histogram",
                 .preamble = "#define BINS 25\n"
                             "typedef struct { ulong bins[BINS]; } histogram;\n"
                             "histogram joined(histogram p, histogram q)\n"
                             "{\n"
                             "  for (int i = 0; i < BINS; i++)\n"
                             "    p.bins[i] += q.bins[i];\n"
                             "  return p;\n"
                             "}\n",
                 .element = "uchar", .state = "histogram", .state_size = BINS * sizeof(cl_ulong),
                 .identity = "{ { 0 } }", .lift = "{ histogram one = { { 0 } }; one.bins[x % BINS] = 1; return one; }",
                 .combine = "joined(a, b)", .commutative = CL_TRUE, .host = &histogram_host),
      .element = 1, .result = BINS * sizeof(cl_ulong)),
  ROW(.op = OPERATOR(.name = "uint_product", .element = "uint", .state = "uint", .identity = "0",
                     .combine = "a * b + a + b", .commutative = CL_TRUE, .elementwise = CL_TRUE, .host = &uint_host),
      .element = sizeof(cl_uint), .result = sizeof(cl_uint)),
  ROW(.op = OPERATOR(.name = "gcd", .element = "int", .state = "int", .identity = "0",
                     .combine = "{ while (b) { int rest = a % b; a = b; b = rest; } return a; }",
                     .commutative = CL_TRUE, .host = &gcd_host),
      .element = sizeof(cl_int), .result = sizeof(cl_int), .tidy = tidy_gcd),
  ROW(.op =
        OPERATOR(.name = "ends", .element = "uint", .state = "{ uint low; uint high; }", .identity = "{ UINT_MAX, 0 }",
                 .lift = "MAKE(x, x)", .combine = "MAKE(min(a.low, b.low), max(a.high, b.high))",
                 .commutative = CL_TRUE, .elementwise = CL_TRUE, .host = &ends_host),
      .element = sizeof(cl_uint), .result = sizeof(struct low_high)),
  ROW(.op = OPERATOR(.name = "float3", .element = "float3", .state = "float3", .element_size = sizeof(cl_float3),
                     .state_size = sizeof(cl_float3), .identity = "(float3)(0)", .combine = "a + b",
                     .commutative = CL_TRUE, .host = &float3_host),
      .element = sizeof(cl_float3), .result = 3 * sizeof(cl_float), .below = 16),
  {.op =
     OPERATOR(.name = "packed", .preamble = "typedef struct __attribute__((packed)) { uchar tag; uint value; } record;",
              .element = "record", .state = "ulong", .element_size = 5, .identity = "0",
              .lift = "x.tag % 2 ? (ulong)x.value : (ulong)0", .combine = "a + b", .commutative = CL_TRUE,
              .host = &packed_host),
   .element = 5,
   .result = sizeof(cl_ulong)},
  {.op = OPERATOR(.name = "padded", .element = "uint", .state = "uint",
                  .result = "{ uchar first; uint sum; uchar last; }", .identity = "0", .lift = "x", .combine = "a + b",
                  .lower = "GIVE((uchar)s, s, (uchar)(s >> 8))", .commutative = CL_TRUE, .host = &padded_host),
   .element = sizeof(cl_uint),
   .result = sizeof(struct padded),
   .clear = clear_padding},
  {.op =
     OPERATOR(.name = "nested",
              .preamble = "typedef struct { ushort count; uint sum; } inner;\n"
                          "typedef struct { inner parts[2]; uchar flag; ulong wide; } nested;\n",
              .element = "uint", .state = "uint", .result = "nested", .identity = "0", .lift = "x", .combine = "a + b",
              .lower = "{ nested r = {{{(ushort)s, s}, {7, ~s}}, 1, (ulong)s << 7}; return r; }",
              .commutative = CL_TRUE, .host = &nested_host),
   .element = sizeof(cl_uint),
   .result = sizeof(struct nested),
   .clear = clear_nested},
  BLOB_SAMPLE(1, "uchar a;"),
  BLOB_SAMPLE(3, "uchar a[3];"),
  BLOB_SAMPLE(12, "uint a; short b, c; int d;"),
  BLOB_SAMPLE(40, "ulong a[4]; uint b; uchar c[4];"),
  BLOB_SAMPLE(256, "uint4 a[16];"),
};

const size_t free_sample_count = sizeof free_samples / sizeof *free_samples;

#define EXACT_SAMPLE(real, the_type, bytes) \
  { \
    .op = {.name = "exact_" #real, .element = #real, EXACT_SUM_FIELDS(real)}, .element = bytes, .result = bytes, \
    .exact = the_type \
  }

const struct sample exact_samples[2] = {EXACT_SAMPLE(float, CLRED_TYPE_FLOAT, 4),
                                        EXACT_SAMPLE(double, CLRED_TYPE_DOUBLE, 8)};

const struct sample *sample_named(const char *name) {
  for (size_t i = 0; i < ordered_sample_count; i++)
    if (strcmp(ordered_samples[i].op.name, name) == 0)
      return &ordered_samples[i];
  for (size_t i = 0; i < free_sample_count; i++)
    if (strcmp(free_samples[i].op.name, name) == 0)
      return &free_samples[i];
  for (size_t i = 0; i < 2; i++)
    if (strcmp(exact_samples[i].op.name, name) == 0)
      return &exact_samples[i];
  oracle_fail("no operator is named", name);
  return NULL;
}

// ---------------------------------------------------------------- Elements and expected results

void sample_fill(const struct sample *of, bool further, void *elements, uint64_t count, random_state *random) {
  const size_t size = further ? of->input : of->element;
  unsigned char *bytes = elements;
  for (uint64_t i = 0; i < count * size; i++)
    bytes[i] = (unsigned char)(of->letters ? (uint64_t)of->letters[random_below(random, strlen(of->letters))]
                                           : random_word(random) >> 17);
  for (uint64_t i = 0; of->below && i < count * size / sizeof(float); i++) {
    const float number = (float)random_below(random, of->below);
    memcpy(bytes + i * sizeof number, &number, sizeof number);
  }
  for (uint64_t i = 0; of->tidy && !further && i < count; i++)
    of->tidy(bytes + i * size);
}

// The state of element `i` of the row.
static void lift(const struct sample *of, const struct sample_row *row, uint64_t i, void *state) {
  const void *input = of->input ? row->y + i * row->stride * of->input : NULL;
  of->op.host->lift(row->x + i * row->stride * of->element, i, &input, &of->parameter, state, NULL);
}

static void lower(const struct sample *of, const void *state, void *result) {
  _Alignas(16) unsigned char lowered[256];
  of->op.host->lower(state, lowered, NULL);
  if (of->clear)
    of->clear(lowered);
  memcpy(result, lowered, of->result);
}

void sample_fold(const struct sample *of, const struct sample_row *row, void *result) {
  _Alignas(16) unsigned char state[256], one[256];
  of->op.host->identity(state, NULL);
  for (uint64_t i = 0; i < row->count; i++) {
    lift(of, row, i, one);
    of->op.host->combine(state, one, NULL);
  }
  lower(of, state, result);
}

void sample_scan(const struct sample *of, const struct sample_row *row, const oracle_scan *scan, void *results) {
  _Alignas(16) unsigned char state[256], one[256];
  of->op.host->identity(state, NULL);
  if (scan->start)
    of->op.host->combine(state, scan->start, NULL);
  for (uint64_t i = 0; i < row->count; i++) {
    const uint64_t at = scan->reversed ? row->count - 1 - i : i;
    unsigned char *result = (unsigned char *)results + at * of->result;
    if (!scan->inclusive)
      lower(of, state, result);
    lift(of, row, at, one);
    of->op.host->combine(state, one, NULL);
    if (scan->inclusive)
      lower(of, state, result);
  }
}
