// The operators of the program bits: see bits_kinds.h.

#include "bits_kinds.h"

#include "support/callbacks.h"
#include "support/device.h"

// The callbacks round exactly like the texts in OpenCL C.

// Weighted sums and sums of squares. The order matters only for rounding.
#define SQUARES(type, constant, text) \
  struct squares_of_##type { \
    type sum, norm; \
  }; \
  IDENTITY(squares_##type, struct squares_of_##type, {0, 0}) \
  LIFT(squares_##type, type, struct squares_of_##type, {x * constant, x * x}) \
  COMBINE(squares_##type, struct squares_of_##type, {a.sum + b.sum, a.norm + b.norm}) \
  HOST(squares_##type, struct squares_of_##type); \
  static const clred_operator squares_##type = \
    OPERATOR(.name = "squares", .element = #type, .state = "{ " #type " sum; " #type " norm; }", \
             .identity = "{ 0, 0 }", .lift = "MAKE(x * " text ", x * x)", \
             .combine = "MAKE(a.sum + b.sum, a.norm + b.norm)", .commutative = CL_TRUE, .elementwise = CL_TRUE, \
             .host = &squares_##type##_host);

// The composition of maps x -> scale x + shift, which does not commute.
#define MAPS(type, constant, text) \
  struct maps_of_##type { \
    type scale, shift; \
  }; \
  IDENTITY(maps_##type, struct maps_of_##type, {1, 0}) \
  LIFT(maps_##type, type, struct maps_of_##type, {constant, x}) \
  COMBINE(maps_##type, struct maps_of_##type, {a.scale * b.scale, a.shift * b.scale + b.shift}) \
  HOST(maps_##type, struct maps_of_##type); \
  static const clred_operator maps_##type = \
    OPERATOR(.name = "maps", .element = #type, .state = "{ " #type " scale; " #type " shift; }", \
             .identity = "{ 1, 0 }", .lift = "MAKE(" text ", x)", \
             .combine = "MAKE(a.scale * b.scale, a.shift * b.scale + b.shift)", .host = &maps_##type##_host);

SQUARES(float, 0.1f, "0.1f")
SQUARES(double, 0.1, "0.1")
MAPS(float, 0.999f, "0.999f")
MAPS(double, 0.999, "0.999")

// Counts are compared, too: compilers have been wrong about them alone.
static const clred_histogram thirds = {.bins = 3, .low = -100, .high = 100};

#define WEIGHT(x, inputs) (x * *(const cl_float *)(inputs)[0])
IDENTITY(weighted, cl_float, 0)
LIFT(weighted, cl_float, cl_float, WEIGHT(x, inputs))
COMBINE(weighted, cl_float, a + b)
HOST(weighted, cl_float);
static const clred_operand weight = {"weight", "float", sizeof(cl_float)};
static const clred_operator weighted =
  OPERATOR(.name = "weighted", .element = "float", .state = "float", .identity = "0", .lift = "x * weight",
           .combine = "a + b", .inputs = &weight, .input_count = 1, .host = &weighted_host);
const clred_problem bits_weighted = {.custom = &weighted};

#define KIND_OF(number, op_name, upper, size, ...) \
  { #number "_" #op_name, {__VA_ARGS__ }, CLRED_TYPE_##upper, size, false, 0 }
#define KIND(number, op_name, upper, results, ...) \
  KIND_OF(number, op_name, upper, (results) * sizeof(number), __VA_ARGS__)
#define KINDS_OF(number, upper) \
  KIND(number, sum, upper, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_SUM), \
    KIND(number, mean, upper, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_MEAN), \
    KIND(number, var, upper, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_VAR), \
    KIND(number, norm2, upper, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_NORM2), \
    KIND(number, dot, upper, 1, .type = CLRED_TYPE_##upper, .op = CLRED_OP_DOT), \
    KIND(number, squares, upper, 2, .custom = &squares_##number), \
    KIND(number, maps, upper, 2, .custom = &maps_##number), \
    KIND_OF(number, argmin, upper, sizeof(cl_ulong), .type = CLRED_TYPE_##upper, .op = CLRED_OP_ARGMIN), \
    KIND_OF(number, argmax, upper, sizeof(cl_ulong), .type = CLRED_TYPE_##upper, .op = CLRED_OP_ARGMAX), \
    KIND_OF(number, histogram, upper, 3 * sizeof(cl_ulong), .type = CLRED_TYPE_##upper, .histogram = &thirds)

static const struct bits_kind kinds[] = {KINDS_OF(float, FLOAT), KINDS_OF(double, DOUBLE),
                                         KIND(float, weighted, FLOAT, 1, .custom = &weighted)};
const struct bits_set bits_of_kinds = {kinds, 21, 20, 10, 17, 17};

#define SEEDED(upper, op_name, size, name, seed) \
  { name, {OP(op_name, upper)}, CLRED_TYPE_##upper, size, true, seed }
static const struct bits_kind ordered[] = {
  SEEDED(FLOAT, SUM, 4, "float_sum", 0),     SEEDED(FLOAT, PROD, 4, "float_prod", 1),
  SEEDED(HALF, SUM, 4, "half_sum", 4),       SEEDED(DOUBLE, SUM, 8, "double_sum", 2),
  SEEDED(DOUBLE, PROD, 8, "double_prod", 3), SEEDED(DOUBLE, STD, 8, "double_std", 5)};
const struct bits_set bits_of_order = {ordered, 6, 6, 3, 21, 200};

#define GROUPS CLR_TUNE_BIT(GROUPS)
#define TILES CLR_TUNE_BIT(TILES)
#define GROUP_SIZE CLR_TUNE_BIT(GROUP_SIZE)
#define VECTOR CLR_TUNE_BIT(VECTOR)
#define ROWS_AT_ONCE CLR_TUNE_BIT(ROWS_AT_ONCE)
#define TURNS CLR_TUNE_BIT(TURNS)
#define VECTORS_AT_ONCE CLR_TUNE_BIT(VECTORS_AT_ONCE)
#define PREFETCHES CLR_TUNE_BIT(PREFETCHES)
const struct clr_tuned bits_tunings[] = {
  // The fields of a row: groups, tiles, group size, vector, rows, turns, all vectors, prefetches.
  {GROUPS, {1}},
  {GROUPS, {1 << 20}},
  {TILES, {0, 1 << 16}},
  {GROUPS | TILES, {7, 4}},
  {GROUPS | TILES, {1000, 2}},
  {GROUP_SIZE | TURNS, {0, 0, 1, 0, 0, 64}},
  {GROUP_SIZE | TURNS, {0, 0, 1024, 0, 0, 1}},
  {VECTOR, {0, 0, 0, 1}},
  {VECTOR, {0, 0, 0, 16}},
  {VECTOR | VECTORS_AT_ONCE | PREFETCHES, {0, 0, 0, 16, 0, 0, 1, 0}},
  {VECTOR | ROWS_AT_ONCE, {0, 0, 0, 2, 1}},
  {VECTOR | ROWS_AT_ONCE | VECTORS_AT_ONCE, {0, 0, 0, 2, 1, 0, 0}},
  {VECTOR | ROWS_AT_ONCE | VECTORS_AT_ONCE | PREFETCHES, {0, 0, 0, 4, 16, 0, 1, 0}},
  {CLR_TUNE_BIT(KEPT), {[CLR_TUNE_KEPT] = 1}},
  {GROUP_SIZE | ROWS_AT_ONCE | TURNS, {0, 0, 32, 0, 16, 2}},
  {GROUP_SIZE | ROWS_AT_ONCE | TURNS, {0, 0, 32, 0, 2, 64}},
  ROW(GROUPS | TILES | GROUP_SIZE | VECTOR | ROWS_AT_ONCE | TURNS | VECTORS_AT_ONCE | PREFETCHES,
      {3, 2, 16, 8, 4, 2, 1, 0}),
};
const size_t bits_tuning_count = sizeof bits_tunings / sizeof *bits_tunings;
