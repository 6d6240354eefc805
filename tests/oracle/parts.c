// Which problems are defined, and the parts of their results: see oracle.h.

#include "oracle/column.h"

#include <string.h>

// ---------------------------------------------------------------- Types of a problem

static bool has_integers(const clred_problem *problem) {
  const clred_type type = oracle_component(problem->type);
  return !oracle_is_floating(type) && !oracle_is_complex(problem->type);
}

clred_type oracle_wide(const clred_problem *problem) {
  const clred_type type = oracle_component(problem->type);
  if (problem->state != CLRED_TYPE_NONE)
    return problem->state;
  if (has_integers(problem))
    return oracle_is_signed(type) ? CLRED_TYPE_LONG : CLRED_TYPE_ULONG;
  return type == CLRED_TYPE_DOUBLE ? CLRED_TYPE_DOUBLE : CLRED_TYPE_FLOAT;
}

clred_type oracle_real(const clred_problem *problem) {
  return oracle_is_integral(problem) ? CLRED_TYPE_DOUBLE : oracle_wide(problem);
}

size_t oracle_result_bytes(const clred_problem *problem) {
  static const size_t sizes[] = {[CLRED_RESULT_DEFAULT] = 8, [CLRED_RESULT_32] = 4, [CLRED_RESULT_64] = 8};
  return problem->result_bits == CLRED_RESULT_OWN ? oracle_size(oracle_component(problem->type))
                                                  : sizes[problem->result_bits];
}

bool oracle_is_integral(const clred_problem *problem) {
  return has_integers(problem) && problem->state == CLRED_TYPE_NONE;
}

// ---------------------------------------------------------------- What is defined

static bool is_detectable(clred_op op) {
  return ORACLE_IS_ONE(op, ORACLE_SUMS, CLRED_OP_PROD);
}

static bool takes_real(clred_op op) {
  return ORACLE_IS_ONE(op, ORACLE_MOMENTS, CLRED_OP_NORM2, CLRED_OP_LOGSUMEXP, CLRED_OP_STATS);
}

static bool is_of_places(clred_op op) {
  return ORACLE_IS_ONE(op, CLRED_OP_ARGMIN, CLRED_OP_ARGMAX, CLRED_OP_MINMAX, CLRED_OP_ARGMINMAX);
}

static bool takes_complex(clred_op op) {
  return ORACLE_IS_ONE(op, ORACLE_SUMS, ORACLE_MOMENTS, ORACLE_TRUTHS, CLRED_OP_PROD, CLRED_OP_NORM2);
}

// Operators whose state is one number work component by component.
static bool takes_vectors(clred_op op) {
  return !takes_real(op) && !is_of_places(op);
}

// Whether the result has a part that reports overflow.
static bool detects(const clred_problem *problem) {
  return problem->overflow == CLRED_OVERFLOW_DETECT && oracle_is_integral(problem) && is_detectable(problem->op);
}

// The state may be wider than the element, but must hold each value of the element.
static bool can_have_state(const clred_problem *problem) {
  const clred_type type = oracle_component(problem->type);
  if (problem->state == CLRED_TYPE_NONE)
    return true;
  if (oracle_is_complex(problem->type))
    return false;
  return problem->state == CLRED_TYPE_DOUBLE ||
         (problem->state == CLRED_TYPE_FLOAT && !has_integers(problem) && type != CLRED_TYPE_DOUBLE);
}

static bool can_have_bits(const clred_problem *problem) {
  const clred_op op = problem->op;
  if (problem->result_bits == CLRED_RESULT_DEFAULT)
    return true;
  return oracle_is_integral(problem) && oracle_result_bytes(problem) >= oracle_size(oracle_component(problem->type)) &&
         !takes_real(op) && !is_of_places(op) && op != CLRED_OP_ALL && op != CLRED_OP_ANY;
}

bool oracle_defined(const clred_problem *problem) {
  const bool is_vector = (int)problem->type >> 8 != 0;
  if (ORACLE_IS_ONE(problem->op, CLRED_OP_AND, CLRED_OP_OR, CLRED_OP_XOR) && !oracle_is_integral(problem))
    return false;
  if (problem->overflow == CLRED_OVERFLOW_DETECT && !detects(problem))
    return false;
  if (!can_have_state(problem) || (is_vector && (!takes_vectors(problem->op) || detects(problem))))
    return false;
  return can_have_bits(problem) && (!oracle_is_complex(problem->type) || takes_complex(problem->op));
}

bool oracle_needs_fp64(const clred_problem *problem) {
  return oracle_component(problem->type) == CLRED_TYPE_DOUBLE || problem->state == CLRED_TYPE_DOUBLE ||
         (takes_real(problem->op) && oracle_real(problem) == CLRED_TYPE_DOUBLE);
}

bool oracle_order_matters(const clred_problem *problem) {
  return problem->op == CLRED_OP_NORM2 ||
         (!oracle_is_integral(problem) &&
          ORACLE_IS_ONE(problem->op, ORACLE_SUMS, ORACLE_MOMENTS, CLRED_OP_PROD, CLRED_OP_STATS));
}

// ---------------------------------------------------------------- Parts

static clred_type of_width(clred_type type, const clred_problem *problem) {
  const int width = (int)problem->type >> 8;
  return width ? CLRED_VECTOR(type, width) : type;
}

static void add_part(oracle_result *result, const char *name, clred_type type) {
  oracle_part *part = &result->parts[result->count++];
  part->name = name;
  part->type = type;
  part->components = oracle_components(type);
}

static clred_type wide_value_type(const clred_problem *problem) {
  const clred_op op = problem->op;
  if (ORACLE_IS_ONE(op, CLRED_OP_ALL, CLRED_OP_ANY))
    return CLRED_TYPE_UINT;
  if (ORACLE_IS_ONE(op, CLRED_OP_COUNT_NONZERO, CLRED_OP_COUNT))
    return CLRED_TYPE_ULONG;
  if (ORACLE_IS_ONE(op, CLRED_OP_NORM1, CLRED_OP_SUMSQ) && oracle_is_integral(problem))
    return CLRED_TYPE_ULONG;
  if (ORACLE_IS_ONE(op, CLRED_OP_SUM, CLRED_OP_PROD, CLRED_OP_DOT, CLRED_OP_VDOT, CLRED_OP_MEAN) &&
      oracle_is_complex(problem->type))
    return problem->type;
  return takes_real(op) ? oracle_real(problem) : oracle_wide(problem);
}

// Integers of the width that the problem asks for, signed as the wide result.
static clred_type value_type(const clred_problem *problem) {
  static const clred_type types[2][9] = {
    {[1] = CLRED_TYPE_UCHAR, [2] = CLRED_TYPE_USHORT, [4] = CLRED_TYPE_UINT, [8] = CLRED_TYPE_ULONG},
    {[1] = CLRED_TYPE_CHAR, [2] = CLRED_TYPE_SHORT, [4] = CLRED_TYPE_INT, [8] = CLRED_TYPE_LONG}};
  const clred_type wide = wide_value_type(problem);
  return problem->result_bits == CLRED_RESULT_DEFAULT ? wide
                                                      : types[oracle_is_signed(wide)][oracle_result_bytes(problem)];
}

static void add_stats(oracle_result *result, clred_type wide, clred_type real) {
  add_part(result, "count", CLRED_TYPE_ULONG);
  add_part(result, "nan_count", CLRED_TYPE_ULONG);
  add_part(result, "min", wide);
  add_part(result, "max", wide);
  add_part(result, "min_index", CLRED_TYPE_ULONG);
  add_part(result, "max_index", CLRED_TYPE_ULONG);
  add_part(result, "mean", real);
  add_part(result, "var", real);
  add_part(result, "sum", wide);
}

static void add_places(oracle_result *result, clred_op op, clred_type wide) {
  const bool one = op == CLRED_OP_ARGMIN || op == CLRED_OP_ARGMAX;
  if (one)
    add_part(result, "index", CLRED_TYPE_ULONG);
  add_part(result, one ? "value" : "min", wide);
  if (op == CLRED_OP_ARGMINMAX)
    add_part(result, "min_index", CLRED_TYPE_ULONG);
  if (!one)
    add_part(result, "max", wide);
  if (op == CLRED_OP_ARGMINMAX)
    add_part(result, "max_index", CLRED_TYPE_ULONG);
}

void oracle_parts(const clred_problem *problem, oracle_result *result) {
  memset(result, 0, sizeof *result);
  if (problem->op == CLRED_OP_STATS) {
    add_stats(result, oracle_wide(problem), oracle_real(problem));
  } else if (is_of_places(problem->op)) {
    add_places(result, problem->op, oracle_wide(problem));
  } else if (detects(problem)) {
    add_part(result, "value", value_type(problem));
    add_part(result, "overflow", CLRED_TYPE_UINT);
  } else {
    add_part(result, "", of_width(value_type(problem), problem));
  }
}

// A complex number has the alignment of its components; other types have that of their size.
static size_t alignment(clred_type type) {
  return oracle_is_complex(type) ? oracle_size(oracle_component(type)) : oracle_size(type);
}

size_t oracle_offset(const oracle_result *result, size_t part) {
  size_t offset = 0, strictest = 1;
  for (size_t i = 0; i < result->count; i++) {
    const size_t align = alignment(result->parts[i].type);
    strictest = align > strictest ? align : strictest;
    offset = (offset + align - 1) / align * align;
    if (i == part)
      return offset;
    offset += oracle_size(result->parts[i].type);
  }
  return (offset + strictest - 1) / strictest * strictest;
}

clred_type oracle_result_type(clred_op op, clred_type type) {
  const clred_problem problem = {.op = op, .type = type};
  oracle_result result;
  oracle_parts(&problem, &result);
  return oracle_defined(&problem) && result.count == 1 ? result.parts[0].type : CLRED_TYPE_NONE;
}
