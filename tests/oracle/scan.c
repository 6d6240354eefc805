// Scans: elements in the order of the scan, part by part and component by component. See oracle.h.

#include "oracle/column.h"

#include <stdlib.h>
#include <string.h>

// One component of one part; its bits are in the order of the scan.
struct task {
  oracle_column column;
  const oracle_scan *scan;
  oracle_part *part;
  unsigned component;
  bool starts;
  uint64_t start[2];  // the bits of the start's component; both of a complex product
  uint64_t *bits;
};

bool oracle_takes_start(const clred_problem *problem) {
  return problem->overflow == CLRED_OVERFLOW_WRAP &&
         ORACLE_IS_ONE(problem->op, ORACLE_SUMS, CLRED_OP_PROD, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_AND, CLRED_OP_OR,
                       CLRED_OP_XOR);
}

// ---------------------------------------------------------------- One component

// The index of the element at a position of the scan.
static uint64_t place_of(const struct task *task, uint64_t i) {
  return task->scan->reversed ? task->column.n - 1 - i : i;
}

static void scan_reals(const struct task *task) {
  const clred_op op = oracle_op_of(task->column.problem->op, task->part->name);
  const double start = oracle_float_value(oracle_component(task->part->type), task->start[0]);
  oracle_scan_reals(&task->column, op, task->scan->inclusive, task->starts ? &start : NULL, task->bits);
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

void oracle_solve_scan(const clred_problem *problem, const oracle_scan *scan, const void *x, const void *y,
                       uint64_t count, const oracle_tree *tree, void *results) {
  const size_t size = oracle_size(problem->type);
  void *first = in_scan_order(x, size, count, scan->reversed);
  void *second = y ? in_scan_order(y, size, count, scan->reversed) : NULL;
  uint64_t *bits = oracle_claim(2 * count, sizeof *bits);
  oracle_result result;
  oracle_parts(problem, &result);
  const bool is_product = problem->op == CLRED_OP_PROD && oracle_is_complex(problem->type);
  for (size_t i = 0; i < result.count; i++)
    for (unsigned c = 0; c < result.parts[i].components; c++) {
      struct task task = {.column = oracle_column_of(problem, first, second, count, tree, c),
                          .scan = scan,
                          .part = &result.parts[i],
                          .component = c,
                          .bits = bits};
      memset(bits, 0, count * sizeof *bits);
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
