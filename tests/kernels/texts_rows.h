// The lists that texts.c walks: what is computed, over which types, with which options, on which devices.
#pragma once

#include "clreduce.h"
#include "model/several.h"
#include "unit/devices.h"

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

// ---------------------------------------------------------------- What is computed, instead of a built-in operator

// Each kernel text that an operator of a caller reaches: one state, several, an array of lanes, further inputs,
// parameters, exact sums, and elements of many bytes. All sizes are given: no device is there to compute them.
static const clred_operand mask = {"mask", "uchar", 1}, base = {"base", "ulong", 8}, weight = {"weight", "half", 2};
static const clred_operator own[] = {
  OPERATOR(.name = "scaled", .element = "float", .element_size = 4, .state = "float", .state_size = 4, .result_size = 4,
           .identity = "0", .lift = "x * TO(float, UNIT(ulong, base))", .combine = "a + b", .parameters = &base,
           .parameter_count = 1, .commutative = CL_TRUE, .elementwise = CL_TRUE),
  OPERATOR(.name = "masked_sum", .element = "int", .element_size = 4, .state = "long", .state_size = 8,
           .result_size = 8, .identity = "0",
           .lift = "CHOOSE(long, mask != UNIT(uchar, 0), TO(long, x), UNIT(long, 0))", .combine = "a + b",
           .inputs = &mask, .input_count = 1, .commutative = CL_TRUE, .elementwise = CL_TRUE),
  OPERATOR(.name = "last", .element = "float", .element_size = 4, .state = "{ float value; uint has_value; }",
           .state_size = 8, .result = "float", .result_size = 4, .identity = "{ 0, 0 }", .lift = "MAKE(x, 1)",
           .combine = "b.has_value ? b : a", .lower = "s.value"),
  OPERATOR(.name = "weighted_mean", .element = "bfloat16", .element_size = 2, .state = "{ float sum; float weight; }",
           .state_size = 8, .result = "float", .result_size = 4, .identity = "{ 0, 0 }",
           .lift = "MAKE(x * weight, weight)", .combine = "MAKE(a.sum + b.sum, a.weight + b.weight)",
           .lower = "s.sum / s.weight", .inputs = &weight, .input_count = 1, .commutative = CL_TRUE,
           .elementwise = CL_TRUE),
  OPERATOR(.name = "blocks", .preamble = "typedef struct { float value; float rest[63]; } block;", .element = "block",
           .element_size = 256, .state = "float", .state_size = 4, .result_size = 4, .identity = "0", .lift = "x.value",
           .combine = "a + b", .commutative = CL_TRUE),
  OPERATOR(.name = "greatest_field", .preamble = "typedef struct { int station; float warm; float wet; } reading;",
           .element = "reading", .element_size = 12, .state = "{ float warm; ulong index; }", .state_size = 16,
           .result = "{ ulong index; float warm; }", .result_size = 16, .identity = "{ -INFINITY, ULONG_MAX }",
           .lift = "MAKE(x.warm, index)", .combine = "PICK(b.warm > a.warm, b, a)", .lower = "GIVE(s.index, s.warm)",
           .commutative = CL_TRUE),
  OPERATOR(.name = "exact_sum", .preamble = "#include \"exact/float_sum.clh\"\n", .element = "float", .element_size = 4,
           .state = "exact_float", .state_size = 48, .result = "float", .result_size = 4,
           .identity = "exact_float_empty()", .lift = "exact_float_of(x)", .combine = "exact_float_add(a, b)",
           .lower = "exact_float_value(s)", .commutative = CL_TRUE),
  OPERATOR(.name = "exact_mean", .element = "double", .element_size = 8, .state = "mean_state", .state_size = 304,
           .result = "double", .result_size = 8,
           .preamble = "#include \"exact/double_sum.clh\"\n"
                       "typedef struct { exact_double sum; ulong count; } mean_state;\n"
                       "mean_state one(double x) { mean_state s = { exact_double_of(x), 1 }; return s; }\n",
           .identity = "{ exact_double_empty(), 0 }", .lift = "one(x)",
           .combine = "{ a.sum = exact_double_add(a.sum, b.sum); a.count += b.count; return a; }",
           .lower = "exact_double_mean(s.sum, s.count)", .commutative = CL_TRUE),
};

static const clred_op lists[][5] = {
  {CLRED_OP_SUM, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_MEAN},
  {CLRED_OP_ARGMIN, CLRED_OP_STD, CLRED_OP_NORM2, CLRED_OP_COUNT_NONZERO, CLRED_OP_STATS},
};
static const size_t list_counts[COUNT_OF(lists)] = {4, 5};

static const clred_selection above = {.name = "above",
                                      .keep = "x > limit",
                                      .parameters = (const clred_operand[]){{"limit", "float", 4}},
                                      .parameter_count = 1},
                             every_third = {.name = "every_third",
                                            .keep = "index % 3 == 0 && mask",
                                            .inputs = &mask,
                                            .input_count = 1},
                             heads = {.name = "heads", .keep = "(index == 0) | (x != 0)"},
                             changes = {.name = "changes", .keep = "(index == 0) | (any(x != before) != 0)"};
static const struct {
  const clred_selection *selection;
  cl_bool indices;
  struct clr_keeping keeping;
} selections[] = {
  {&above, CL_FALSE, {.indices = false}},
  {&every_third, CL_TRUE, {.indices = true}},
  {&heads, CL_TRUE, {.indices = true, .ends = true}},
  {&changes, CL_TRUE, {.indices = true, .looks_before = true, .ends = true}},
};

static const double edges[] = {0, 1, 4, 9, 16, 25, 36};
static const clred_histogram histograms[] = {
  {.bins = 16, .low = 0, .high = 128}, {.bins = 6, .edges = edges}, {.bins = 100000, .low = 0, .high = 64}};

// Operators whose kernels differ from those of another one in a word only. They occur with every type, option, finish
// and device, but not with every strategy.
static const clred_op alike[] = {CLRED_OP_MAX,    CLRED_OP_OR,         CLRED_OP_XOR, CLRED_OP_ANY,
                                 CLRED_OP_ARGMAX, CLRED_OP_VAR_SAMPLE, CLRED_OP_STD, CLRED_OP_STD_SAMPLE,
                                 CLRED_OP_NORM1,  CLRED_OP_SUMSQ};

// ---------------------------------------------------------------- Types, options and devices

static const clred_type types[] = {CLRED_TYPE_FLOAT,  CLRED_TYPE_CHAR,   CLRED_TYPE_UCHAR, CLRED_TYPE_SHORT,
                                   CLRED_TYPE_USHORT, CLRED_TYPE_INT,    CLRED_TYPE_UINT,  CLRED_TYPE_LONG,
                                   CLRED_TYPE_ULONG,  CLRED_TYPE_DOUBLE, CLRED_TYPE_HALF,  CLRED_TYPE_BFLOAT16,
                                   CLRED_TYPE_CFLOAT, CLRED_TYPE_CDOUBLE};
#define VECTORS \
  CLRED_VECTOR(CLRED_TYPE_FLOAT, 4), CLRED_VECTOR(CLRED_TYPE_UCHAR, 3), CLRED_VECTOR(CLRED_TYPE_INT, 16), \
    CLRED_VECTOR(CLRED_TYPE_DOUBLE, 2)
static const clred_type vectors[] = {VECTORS};
#define TYPES (COUNT_OF(types) + COUNT_OF(vectors))

// The first ones are types of keys, and of numbers.
#define KEY_TYPES 10
#define NUMBER_TYPES 12

// Fields that are set in the problem; `in_order` as clr_plan_nodes_operation sets it.
static const struct {
  const char *name;
  clred_problem problem;
  bool in_order;
} settings[] = {
  {.name = ""},
  {.name = "without NaNs", {.nan = CLRED_NAN_IGNORE}},
  {.name = "exact", {.order = CLRED_ORDER_EXACT}},
  {.name = "overflow", {.overflow = CLRED_OVERFLOW_DETECT}},
  {.name = "in 32 bits", {.result_bits = CLRED_RESULT_32}},
  {.name = "own bits", {.result_bits = CLRED_RESULT_OWN}},
  {.name = "in doubles", {.state = CLRED_TYPE_DOUBLE}},
  {.name = "reversed", {.reversed = CL_TRUE}},
  {.name = "in place", {.in_place = CL_TRUE}},
  {.name = "in order", .in_order = true},
  {.name = "in registers", {.stage = CLRED_STAGE_REGISTERS}},
};

// Rows of `devices` with some facts changed. Quantiles are for the first ones.
#define QUANTILE_MACHINES 3
static const struct {
  size_t device;
  const char *assume;
} machines[] = {
  {0, ""},                                         // NVIDIA: inline PTX
  {13, ""},                                        // a CPU with OpenCL 3.0
  {1, ""},                                         // a GPU without fence, 16 KiB
  {0, "device_fence=0,forward_progress=1"},        // groups wait for each other by atomics
  {13, "cpu=0,native_vector_width=16"},            // a GPU with OpenCL 3.0's fence
  {14, "native_vector_width=16"},                  // a CPU with OpenCL 1.2
  {12, "local_mem_size=4096"},                     // no double, no 64-bit atomics, little local memory
  {4, "device_fence=0"},                           // groups of one work-item
  {14, "cpu=0,compute_units=1,loop_trips=65535"},  // loops end early
  {15, "cpu=0"},                                   // the driver reports nothing
};
