// Scans: elements in the order of the scan, part by part and component by component. See oracle.h.

#include "oracle/column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One component of one part; its bits are in the order of the scan.
struct task {
  oracle_column column;
  const oracle_scan *scan;
  oracle_part *part;
  unsigned component;
  clred_op op;
  bool starts;
  uint64_t start[2];  // the bits of the start's component; both of a complex product
  uint64_t *bits;
};

bool oracle_takes_start(const clred_problem *problem) {
  switch (problem->op) {
  case CLRED_OP_ADD:
  case CLRED_OP_MUL:
  case CLRED_OP_MIN:
  case CLRED_OP_MAX:
  case CLRED_OP_AND:
  case CLRED_OP_OR:
  case CLRED_OP_XOR:
  case CLRED_OP_NORM1:
  case CLRED_OP_SUMSQ:
  case CLRED_OP_DOT:
  case CLRED_OP_VDOT:
    return problem->overflow == CLRED_OVERFLOW_WRAP;
  default:
    return false;
  }
}

// ---------------------------------------------------------------- Operators that no order changes

static void scan_words(const struct task *task) {
  uint64_t state = task->starts ? task->start[0] : oracle_word_identity(task->op);
  for (uint64_t i = 0; i < task->column.n; i++) {
    if (!task->scan->inclusive)
      task->bits[i] = state;
    state = oracle_word_after(&task->column, task->op, state, i);
    if (task->scan->inclusive)
      task->bits[i] = state;
  }
}

// Counts of elements that are and are not zero, together those of `count`.
static void scan_truth(const struct task *task) {
  uint64_t zeros = 0, others = 0;
  for (uint64_t i = 0; i < task->column.n; i++) {
    const double x = oracle_truth_at(&task->column, i);
    const uint64_t before[2] = {zeros, others};
    zeros += !oracle_is_ignored(&task->column, x) && fpclassify(x) == FP_ZERO;
    others += !oracle_is_ignored(&task->column, x) && fpclassify(x) != FP_ZERO;
    const uint64_t no = task->scan->inclusive ? zeros : before[0], yes = task->scan->inclusive ? others : before[1];
    task->bits[i] = task->op == CLRED_OP_COUNT           ? no + yes
                    : task->op == CLRED_OP_COUNT_NONZERO ? yes
                    : task->op == CLRED_OP_ALL           ? no == 0
                                                         : yes > 0;
  }
}

// A word with the order of the values as an unsigned number. NaNs come first in the search for the least value, and
// last in the search for the greatest.
static uint64_t rank(const struct task *task, uint64_t bits, bool least) {
  const clred_type type = oracle_wide(task->column.problem);
  const unsigned top = 8 * (unsigned)oracle_size(type) - 1;
  if (oracle_is_integral(task->column.problem))
    return oracle_is_signed(type) ? bits ^ (uint64_t)1 << 63 : bits;
  if (isnan(oracle_float_value(type, bits)))
    return least ? 0 : UINT64_MAX;
  return bits >> top & 1 ? ~bits & (((uint64_t)1 << top) - 1) : bits | (uint64_t)1 << top;
}

// The bits of an element as WIDE; false if it is ignored.
static bool wide_bits(const struct task *task, uint64_t i, uint64_t *bits) {
  const double x = oracle_real_at(&task->column, task->column.x, i);
  *bits = oracle_is_integral(task->column.problem) ? oracle_word_at(&task->column, task->column.x, i)
                                                   : oracle_float_bits(oracle_wide(task->column.problem), x);
  return !oracle_is_ignored(&task->column, x);
}

// The index of the element at a position of the scan.
static uint64_t place_of(const struct task *task, uint64_t i) {
  return task->scan->reversed ? task->column.n - 1 - i : i;
}

static void scan_places(const struct task *task, bool least, bool wants_index) {
  const oracle_column none = {.problem = task->column.problem, .type = task->column.type, .n = 0};
  oracle_place best = oracle_find(&none, least);
  bool found = task->starts;
  best.bits = task->starts ? task->start[0] : best.bits;
  for (uint64_t i = 0; i < task->column.n; i++) {
    uint64_t bits;
    const bool counts = wide_bits(task, i, &bits);
    const bool ahead = least ? rank(task, bits, true) < rank(task, best.bits, true)
                             : rank(task, bits, false) > rank(task, best.bits, false);
    const bool ties = rank(task, bits, least) == rank(task, best.bits, least) && task->scan->reversed;
    if (!task->scan->inclusive)
      task->bits[i] = wants_index ? best.index : best.bits;
    if (counts && (ahead || ties || !found)) {
      best = (oracle_place){place_of(task, i), bits};
      found = true;
    }
    if (task->scan->inclusive)
      task->bits[i] = wants_index ? best.index : best.bits;
  }
}

// Each prefix as a reduction, in quadratic time: for operators without a faster way.
static void scan_by_reductions(const struct task *task) {
  for (uint64_t i = 0; i < task->column.n; i++) {
    oracle_column column = task->column;
    column.n = task->scan->inclusive ? i + 1 : i;
    oracle_solve_component(&column, task->part, task->component);
    task->bits[i] = task->part->bits[task->component];
  }
}

// ---------------------------------------------------------------- One component

static void scan_reals(const struct task *task) {
  const double start = oracle_float_value(oracle_component(task->part->type), task->start[0]);
  oracle_scan_reals(&task->column, task->op, task->scan->inclusive, task->starts ? &start : NULL, task->bits);
}

static void scan_values(const struct task *task) {
  if (strcmp(task->part->name, "overflow") == 0)
    scan_by_reductions(task);
  else if (oracle_is_integral(task->column.problem))
    scan_words(task);
  else
    scan_reals(task);
}

static void scan_component(const struct task *task) {
  switch (task->op) {
  case CLRED_OP_MIN:
  case CLRED_OP_MAX:
    scan_places(task, task->op == CLRED_OP_MIN, false);
    break;
  case CLRED_OP_ARGMIN:
  case CLRED_OP_ARGMAX:
    scan_places(task, task->op == CLRED_OP_ARGMIN, true);
    break;
  case CLRED_OP_ALL:
  case CLRED_OP_ANY:
  case CLRED_OP_COUNT_NONZERO:
  case CLRED_OP_COUNT:
    scan_truth(task);
    break;
  case CLRED_OP_STATS:
  case CLRED_OP_LOGSUMEXP:
    scan_by_reductions(task);
    break;
  case CLRED_OP_MEAN:
  case CLRED_OP_VAR:
  case CLRED_OP_VAR_SAMPLE:
  case CLRED_OP_STD:
  case CLRED_OP_STD_SAMPLE:
    if (oracle_is_integral(task->column.problem))
      scan_by_reductions(task);
    else
      scan_reals(task);
    break;
  case CLRED_OP_NORM2:
    scan_reals(task);
    break;
  default:
    scan_values(task);
  }
}

// ---------------------------------------------------------------- All of them

// The elements in the order of the scan.
static void *in_scan_order(const void *elements, size_t size, uint64_t count, bool reversed) {
  unsigned char *copy = oracle_claim(count, size);
  for (uint64_t i = 0; i < count && elements; i++)
    memcpy(copy + i * size, (const unsigned char *)elements + (reversed ? count - 1 - i : i) * size, size);
  return copy;
}

// Copies the bits of one component, which are `apart` words apart, to their places in memory.
static void put(const struct task *task, const oracle_result *result, size_t index, unsigned component, unsigned apart,
                unsigned char *results) {
  const size_t size = oracle_size(oracle_component(task->part->type)), whole = oracle_offset(result, result->count);
  const size_t at = oracle_offset(result, index) + component * size;
  for (uint64_t i = 0; i < task->column.n; i++) {
    uint64_t word;
    oracle_store(&word, size, 0, task->bits[i * apart]);
    memcpy(results + place_of(task, i) * whole + at, &word, size);
  }
}

static void load_start(struct task *task, const oracle_result *result, size_t index) {
  const size_t size = oracle_size(oracle_component(task->part->type));
  const char *start = task->scan->start;
  task->starts = start != NULL;
  for (unsigned i = 0; start && i < 2 && task->component + i < task->part->components; i++) {
    uint64_t word = 0;
    memcpy(&word, start + oracle_offset(result, index) + (task->component + i) * size, size);
    task->start[i] = oracle_load(&word, size, 0);
    if (oracle_is_signed(oracle_component(task->part->type)))
      task->start[i] = (task->start[i] ^ (uint64_t)1 << (8 * size - 1)) - ((uint64_t)1 << (8 * size - 1));
  }
}

static void solve_complex_product(struct task *task, const oracle_result *result, unsigned char *results) {
  double start[2];
  for (int i = 0; i < 2; i++)
    start[i] = oracle_float_value(oracle_component(task->part->type), task->start[i]);
  oracle_scan_complex_product(&task->column, task->scan->inclusive, task->starts ? start : NULL, task->bits);
  put(task, result, 0, 0, 2, results);
  task->bits++;
  put(task, result, 0, 1, 2, results);
  task->bits--;
}

static clred_op op_of_part(clred_op op, const char *part) {
  // Counts of elements and NaNs are reductions.
  if (strcmp(part, "count") == 0 || strcmp(part, "nan_count") == 0)
    return CLRED_OP_STATS;
  return oracle_op_of(op, part);
}

void oracle_solve_scan(const clred_problem *problem, const oracle_scan *scan, const void *x, const void *y,
                       uint64_t count, const oracle_tree *tree, void *results) {
  const size_t size = oracle_size(problem->type);
  void *first = in_scan_order(x, size, count, scan->reversed);
  void *second = y ? in_scan_order(y, size, count, scan->reversed) : NULL;
  uint64_t *bits = oracle_claim(2 * count, sizeof *bits);
  oracle_result result;
  oracle_parts(problem, &result);
  const bool is_product = problem->op == CLRED_OP_MUL && oracle_is_complex(problem->type);
  for (size_t i = 0; i < result.count; i++)
    for (unsigned c = 0; c < result.parts[i].components; c++) {
      struct task task = {.column = oracle_column_of(problem, first, second, count, tree, c),
                          .scan = scan,
                          .part = &result.parts[i],
                          .component = c,
                          .bits = bits};
      memset(bits, 0, count * sizeof *bits);
      task.op = op_of_part(problem->op, task.part->name);
      load_start(&task, &result, i);
      if (is_product && c == 0)
        solve_complex_product(&task, &result, results);
      if (!is_product && c < oracle_used_components(task.part))
        scan_component(&task);
      if (!is_product)
        put(&task, &result, i, c, 1, results);
    }
  free(first);
  free(second);
  free(bits);
}
