// Elements of columns, results of several parts, scans, and comparisons: see oracle.h.

#include "oracle/column.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- Elements

uint64_t oracle_word_at(const oracle_column *column, const unsigned char *input, uint64_t i) {
  const size_t size = oracle_size(column->type);
  const uint64_t bits = oracle_load(input + i * column->stride, size, 0), sign = (uint64_t)1 << (8 * size - 1);
  return oracle_is_signed(column->type) ? (bits ^ sign) - sign : bits;
}

double oracle_real_at(const oracle_column *column, const unsigned char *input, uint64_t i) {
  const uint64_t word = oracle_word_at(column, input, i);
  if (oracle_is_floating(column->type))
    return oracle_float_value(column->type, word);
  return oracle_is_signed(column->type) && word >> 63 ? -(double)-word : (double)word;
}

bool oracle_is_ignored(const oracle_column *column, double x) {
  return isnan(x) && column->problem->nan == CLRED_NAN_IGNORE;
}

double oracle_kept(const oracle_column *column, uint64_t i, double otherwise) {
  const double x = oracle_real_at(column, column->x, i);
  return oracle_is_ignored(column, x) ? otherwise : x;
}

oracle_column oracle_imaginary(const oracle_column *column) {
  oracle_column other = *column;
  if (column->x)
    other.x += oracle_size(column->type);
  return other;
}

oracle_column oracle_column_of(const clred_problem *problem, const void *x, const void *y, uint64_t count,
                               const oracle_tree *tree, unsigned component) {
  oracle_column column = {.problem = problem, .tree = tree, .type = oracle_component(problem->type), .n = count};
  const size_t at = component * oracle_size(column.type);
  column.component = component;
  column.stride = oracle_size(problem->type);
  column.lanes = oracle_lanes(column.stride);
  column.x = x ? (const unsigned char *)x + at : NULL;
  column.y = y ? (const unsigned char *)y + at : NULL;
  return column;
}

// ---------------------------------------------------------------- Solving

// The operator that gives the value of a part.
clred_op oracle_op_of(clred_op op, const char *part) {
  static const struct {
    const char *part;
    clred_op op;
  } others[] = {{"min", CLRED_OP_MIN},          {"max", CLRED_OP_MAX},   {"min_index", CLRED_OP_ARGMIN},
                {"max_index", CLRED_OP_ARGMAX}, {"mean", CLRED_OP_MEAN}, {"var", CLRED_OP_VAR},
                {"sum", CLRED_OP_SUM}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i].part, part) == 0)
      return others[i].op;
  if (strcmp(part, "value") == 0 && op == CLRED_OP_ARGMIN)
    return CLRED_OP_MIN;
  return strcmp(part, "value") == 0 && op == CLRED_OP_ARGMAX ? CLRED_OP_MAX : op;
}

static void solve_logsumexp(const oracle_column *column, oracle_part *part) {
  part->open = true;
  oracle_logsumexp(column, &part->value[0], &part->bound[0]);
  part->bits[0] = oracle_float_bits(part->type, part->value[0]);
}

static void solve_component(const oracle_column *column, oracle_part *part, unsigned component) {
  const clred_op op = oracle_op_of(column->problem->op, part->name);
  oracle_running running;
  if (oracle_running_begin(&running, column, part, NULL)) {
    for (uint64_t i = 0; i < column->n; i++)
      oracle_running_take(&running, i);
    part->bits[component] = oracle_running_result(&running);
  } else if (op == CLRED_OP_LOGSUMEXP) {
    solve_logsumexp(column, part);
  } else {
    oracle_fold_reals(column, op, part, component);
  }
  if (oracle_is_integral(column->problem))  // a narrow result is the wide one, cut
    part->bits[component] &= UINT64_MAX >> (64 - 8 * oracle_size(oracle_component(part->type)));
}

// The fourth component of a vector of 3 has no meaning.
unsigned oracle_used_components(const oracle_part *part) {
  return (int)part->type >> 8 == 3 ? 3 : part->components;
}

void oracle_solve(const clred_problem *problem, const void *x, const void *y, uint64_t count, const oracle_tree *tree,
                  oracle_result *result) {
  oracle_parts(problem, result);
  for (size_t i = 0; i < result->count; i++)
    for (unsigned c = 0; c < oracle_used_components(&result->parts[i]); c++) {
      const oracle_column column = oracle_column_of(problem, x, y, count, tree, c);
      solve_component(&column, &result->parts[i], c);
    }
}

// ---------------------------------------------------------------- Scans: elements in the order of the scan, part by
// part and component by component

// One component of one part; its bits are in the order of the scan.
struct task {
  oracle_column column;
  const oracle_scan *scan;
  oracle_part *part;
  unsigned component;
  bool starts;
  uint64_t start[2];  // the bits of the start's component; of a complex product, both components
  uint64_t *bits;
};

bool oracle_takes_start(const clred_problem *problem) {
  return problem->overflow == CLRED_OVERFLOW_WRAP &&
         ORACLE_IS_ONE(problem->op, ORACLE_SUMS, CLRED_OP_PROD, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_AND, CLRED_OP_OR,
                       CLRED_OP_XOR);
}

// The index of the element at a position of the scan.
static uint64_t place_of(const struct task *task, uint64_t i) {
  return task->scan->reversed ? task->column.n - 1 - i : i;
}

static void scan_reals(const struct task *task) {
  const clred_op op = oracle_op_of(task->column.problem->op, task->part->name);
  double start[2];
  for (int i = 0; i < 2; i++)
    start[i] = oracle_float_value(oracle_component(task->part->type), task->start[i]);
  oracle_scan_reals(&task->column, op, task->scan->inclusive, task->starts ? start : NULL, task->bits);
}

static void scan_component(const struct task *task) {
  oracle_running running;
  if (!oracle_running_begin(&running, &task->column, task->part, task->starts ? task->start : NULL)) {
    scan_reals(task);
    return;
  }
  running.reversed = task->scan->reversed;
  for (uint64_t i = 0; i < task->column.n; i++) {
    if (!task->scan->inclusive)
      task->bits[i] = oracle_running_result(&running);
    oracle_running_take(&running, i);
    if (task->scan->inclusive)
      task->bits[i] = oracle_running_result(&running);
  }
}

// The elements in the order of the scan.
static void *in_scan_order(const void *elements, size_t size, uint64_t count, bool reversed) {
  unsigned char *copy = oracle_claim(count, size);
  for (uint64_t i = 0; i < count && elements; i++)
    memcpy(copy + i * size, (const unsigned char *)elements + (reversed ? count - 1 - i : i) * size, size);
  return copy;
}

// Copies the bits of one component to their places in memory.
static void put(const struct task *task, const oracle_result *result, size_t index, unsigned char *results) {
  const size_t size = oracle_size(oracle_component(task->part->type)), whole = oracle_offset(result, result->count);
  const size_t at = oracle_offset(result, index) + task->component * size;
  for (uint64_t i = 0; i < task->column.n; i++) {
    uint64_t word;
    oracle_store(&word, size, 0, task->bits[i]);
    memcpy(results + place_of(task, i) * whole + at, &word, size);
  }
}

static void load_start(struct task *task, const oracle_result *result, size_t index) {
  const size_t size = oracle_size(oracle_component(task->part->type));
  const char *start = task->scan->start;
  const bool both = task->column.problem->op == CLRED_OP_PROD && oracle_is_complex(task->column.problem->type);
  task->starts = start != NULL;
  for (unsigned i = 0; start && i < (both ? 2 : 1); i++) {
    uint64_t word = 0;
    memcpy(&word, start + oracle_offset(result, index) + (both ? i : task->component) * size, size);
    task->start[i] = oracle_load(&word, size, 0);
    if (oracle_is_signed(oracle_component(task->part->type)))
      task->start[i] = (task->start[i] ^ (uint64_t)1 << (8 * size - 1)) - ((uint64_t)1 << (8 * size - 1));
  }
}

void oracle_solve_scan(const clred_problem *problem, const oracle_scan *scan, const void *x, const void *y,
                       uint64_t count, const oracle_tree *tree, void *results) {
  const size_t size = oracle_size(problem->type);
  void *first = in_scan_order(x, size, count, scan->reversed);
  void *second = y ? in_scan_order(y, size, count, scan->reversed) : NULL;
  uint64_t *bits = oracle_claim(count, sizeof *bits);
  oracle_result result;
  oracle_parts(problem, &result);
  for (size_t i = 0; i < result.count; i++)
    for (unsigned c = 0; c < result.parts[i].components; c++) {
      struct task task = {.column = oracle_column_of(problem, first, second, count, tree, c),
                          .scan = scan,
                          .part = &result.parts[i],
                          .component = c,
                          .bits = bits};
      memset(bits, 0, count * sizeof *bits);
      load_start(&task, &result, i);
      if (c < oracle_used_components(task.part))
        scan_component(&task);
      put(&task, &result, i, results);
    }
  free(first);
  free(second);
  free(bits);
}

// ---------------------------------------------------------------- Comparing

// Integers have no bound.
static double value_of(clred_type type, uint64_t bits) {
  const clred_type component = oracle_component(type);
  return oracle_is_floating(component) ? oracle_float_value(component, bits) : (double)bits;
}

static bool is_within(double got, double value, double bound) {
  return isfinite(got) && fabs(got - value) <= bound;
}

// Whether the device's bits of a component are right.
static bool accepts(const oracle_part *part, unsigned component, uint64_t bits) {
  if (!part->open || !isfinite(part->value[component]))
    return bits == part->bits[component];
  return is_within(value_of(part->type, bits), part->value[component], part->bound[component]);
}

static uint64_t load_component(const oracle_result *result, size_t part, unsigned component, const void *bytes) {
  const size_t size = oracle_size(oracle_component(result->parts[part].type));
  uint64_t word = 0;
  memcpy(&word, (const char *)bytes + oracle_offset(result, part) + component * size, size);
  return oracle_load(&word, size, 0);
}

static void name_component(const oracle_part *part, unsigned component, char *text, size_t size) {
  snprintf(text, size, "%s%s", part->name, *part->name ? " " : "");
  if (part->components > 1)
    snprintf(text + strlen(text), size - strlen(text), "[%u] ", component);
}

bool oracle_same(const oracle_result *expected, const void *bytes, char *text, size_t size) {
  char name[64];
  for (size_t i = 0; i < expected->count; i++)
    for (unsigned c = 0; c < expected->parts[i].components; c++) {
      const oracle_part *part = &expected->parts[i];
      const uint64_t got = load_component(expected, i, c, bytes);
      if (accepts(part, c, got))
        continue;
      name_component(part, c, name, sizeof name);
      snprintf(text, size, "%sexpected 0x%" PRIx64 " got 0x%" PRIx64, name, part->bits[c], got);
      if (part->open)
        snprintf(text + strlen(text), size - strlen(text), " (%.17g, not %.17g within %.3g)", value_of(part->type, got),
                 part->value[c], part->bound[c]);
      return false;
    }
  return true;
}

bool oracle_near(const clred_problem *problem, const void *x, const void *y, uint64_t count, const void *bytes,
                 char *text, size_t size) {
  oracle_result result;
  char name[64];
  oracle_parts(problem, &result);
  for (size_t i = 0; i < result.count; i++)
    for (unsigned c = 0; c < oracle_used_components(&result.parts[i]); c++) {
      const oracle_column column = oracle_column_of(problem, x, y, count, NULL, c);
      const clred_op op = oracle_op_of(problem->op, result.parts[i].name);
      const double got = value_of(result.parts[i].type, load_component(&result, i, c, bytes));
      double value, bound;
      if (strcmp(result.parts[i].name, "overflow") == 0 || !oracle_exact(&column, op, &value, &bound) ||
          is_within(got, value, bound))
        continue;
      name_component(&result.parts[i], c, name, sizeof name);
      snprintf(text, size, "%sis %.17g, off from %.17g by more than %.3g", name, got, value, bound);
      return false;
    }
  return true;
}
