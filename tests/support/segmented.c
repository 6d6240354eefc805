// What must come out of rows of different lengths: see segmented.h.

#include "support/segmented.h"

#include <string.h>

#include "support/random.h"

const struct segmented_subject segmented_subjects[] = {
  {"float add", CLRED_TYPE_FLOAT, CLRED_OP_ADD},     {"uchar max", CLRED_TYPE_UCHAR, CLRED_OP_MAX},
  {"double mean", CLRED_TYPE_DOUBLE, CLRED_OP_MEAN}, {"int argmin", CLRED_TYPE_INT, CLRED_OP_ARGMIN},
  {"affine", CLRED_TYPE_NONE, CLRED_OP_NONE},        {"matrix", CLRED_TYPE_NONE, CLRED_OP_NONE},
  {"moments", CLRED_TYPE_NONE, CLRED_OP_NONE},
};

// ---------------------------------------------------------------- Elements

static const struct sample floats = {.op = {.name = "floats"}, .element = 4},
                           bytes = {.op = {.name = "bytes"}, .element = 1},
                           doubles = {.op = {.name = "doubles"}, .element = 8},
                           ints = {.op = {.name = "ints"}, .element = 4};

struct material segmented_elements(const struct segmented_subject *subject, size_t length) {
  static const struct sample *const plain[] = {&floats, &bytes, &doubles, &ints};
  const ptrdiff_t which = subject - segmented_subjects;
  struct material material = material_create(subject->type ? plain[which] : sample_named(subject->name), length);
  random_state random = random_seed(5);
  for (size_t i = 0; subject->type && i < length; i++) {
    const double value = random_addend(&random, true);
    const cl_int number = (cl_int)random_below(&random, 100001) - 50000;
    const float narrow = (float)value;
    const cl_char byte = (cl_char)random_below(&random, 200);
    const void *values[] = {&narrow, &byte, &value, &number};
    memcpy(material.elements + i * material.of->element, values[which], material.of->element);
  }
  if (subject->type) {
    clReleaseMemObject(material.in);
    material.in = fixture_buffer(material.elements, length * material.of->element);
  }
  return material;
}

// ---------------------------------------------------------------- What must come out

const void *segmented_start(const struct segmented_task *task) {
  static const struct affine { cl_ulong m, c; } map = {3, 5};
  static const cl_uint matrix[4] = {1, 2, 3, 5};
  static const float sum = 0.375f;
  static const void *const starts[] = {&sum, NULL, NULL, NULL, &map, matrix, NULL};
  return task->question->how & INITIAL ? starts[task->question->subject] : NULL;
}

static clred_problem problem_of_row(const struct segmented_task *task) {
  return (clred_problem){.type = task->subject->type, .op = task->subject->op};
}

static void solve_row(const struct segmented_task *task, const unsigned char *x, uint64_t count, unsigned char *to) {
  const clred_problem problem = problem_of_row(task);
  const oracle_tree tree = {.strategy = "chunked", .finish = "relaunch"};
  oracle_result result;
  oracle_solve(&problem, x, NULL, count, &tree, &result);
  for (size_t i = 0; i < result.count; i++)
    oracle_store(to + oracle_offset(&result, i), oracle_size(result.parts[i].type), 0, result.parts[i].bits[0]);
}

static void solve_scan(const struct segmented_task *task, const unsigned char *x, uint64_t count, unsigned char *to) {
  const clred_problem problem = problem_of_row(task);
  const oracle_tree tree = {.strategy = "scan_chunked"};
  const oracle_scan scan = {task->question->scan == INCLUSIVE, (task->question->how & REVERSED) != 0,
                            segmented_start(task)};
  if (count)
    oracle_solve_scan(&problem, &scan, x, NULL, count, &tree, to);
}

static void lower_to(const struct segmented_task *task, const void *state, unsigned char *to) {
  _Alignas(16) unsigned char result[256];
  task->material->of->op.host->lower(state, result, NULL);
  memcpy(to, result, task->result);
}

static void loop_over_scan(const struct segmented_task *task, uint64_t first, uint64_t count, unsigned char *to) {
  const struct material *from = task->material;
  const struct sample *of = from->of;
  const clred_host_operator *host = of->op.host;
  _Alignas(16) unsigned char state[256], one[256];
  host->identity(state, NULL);
  if (segmented_start(task))
    memcpy(state, segmented_start(task), of->op.state_size);
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t at = (task->question->how & REVERSED) != 0 ? count - 1 - i : i;
    const void *input = of->input ? from->input + (first + at) * of->input : NULL;
    if (task->question->scan == EXCLUSIVE)
      lower_to(task, state, to + at * task->result);
    host->lift(from->elements + (first + at) * of->element, at, &input, &of->parameter, one, NULL);
    host->combine(state, one, NULL);
    if (task->question->scan == INCLUSIVE)
      lower_to(task, state, to + at * task->result);
  }
}

void segmented_expect(const struct segmented_task *task, uint64_t first, uint64_t count, unsigned char *to) {
  const unsigned char *x = task->material->elements + first * task->material->of->element;
  const struct row row = {first, first, 1, count};
  if (task->subject->type && task->question->scan == REDUCES)
    solve_row(task, x, count, to);
  else if (task->subject->type)
    solve_scan(task, x, count, to);
  else if (task->question->scan == REDUCES)
    material_fold(task->material, &row, to);
  else
    loop_over_scan(task, first, count, to);
}
