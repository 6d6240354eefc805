// Rows of different lengths: see segmented.h.

#include "support/segmented.h"

const struct segmented_subject segmented_subjects[] = {
  {"float sum", CLRED_TYPE_FLOAT, CLRED_OP_SUM},     {"uchar max", CLRED_TYPE_UCHAR, CLRED_OP_MAX},
  {"double mean", CLRED_TYPE_DOUBLE, CLRED_OP_MEAN}, {"int argmin", CLRED_TYPE_INT, CLRED_OP_ARGMIN},
  {"affine", CLRED_TYPE_NONE, CLRED_OP_NONE},        {"matrix", CLRED_TYPE_NONE, CLRED_OP_NONE},
  {"moments", CLRED_TYPE_NONE, CLRED_OP_NONE},
};

static struct material make_elements(const struct segmented_subject *subject, size_t length) {
  const clred_problem problem = {.type = subject->type, .op = subject->op};
  return subject->type ? material_of_problem(&problem, length, 8, 51)
                       : material_create(sample_named(subject->name), length);
}

// ---------------------------------------------------------------- Expected results

const void *segmented_start(const struct segmented_task *task) {
  static const struct affine { cl_ulong m, c; } map = {3, 5};
  static const cl_uint matrix[4] = {1, 2, 3, 5};
  static const float sum = 0.375f;
  static const void *const starts[] = {&sum, NULL, NULL, NULL, &map, matrix, NULL};
  return task->question->how & INITIAL ? starts[task->question->subject] : NULL;
}

static oracle_scan scan_of(const struct segmented_task *task) {
  return (oracle_scan){task->question->scan == INCLUSIVE, (task->question->how & REVERSED) != 0, segmented_start(task)};
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
  const oracle_scan scan = scan_of(task);
  if (count)
    oracle_solve_scan(&problem, &scan, x, NULL, count, &tree, to);
}

static void scan_row(const struct segmented_task *task, const struct row *row, unsigned char *to) {
  const oracle_scan scan = scan_of(task);
  material_scan(task->material, row, &scan, to);
}

static void expect_row(const struct segmented_task *task, uint64_t first, uint64_t count, unsigned char *to) {
  const unsigned char *x = task->material->elements + first * task->material->size;
  const struct row row = {first, first, 1, count};
  if (task->subject->type && task->question->scan == REDUCES)
    solve_row(task, x, count, to);
  else if (task->subject->type)
    solve_scan(task, x, count, to);
  else if (task->question->scan == REDUCES)
    material_fold(task->material, &row, to);
  else
    scan_row(task, &row, to);
}

void segmented_expect(const struct segmented_task *task, const cl_ulong *begins, size_t rows, struct image *out) {
  unsigned char *to = out->bytes + segmented_out_offset(task) * task->result;
  for (size_t r = 0; r < rows; r++) {
    const size_t at = task->question->scan == REDUCES ? r : (size_t)begins[r];
    expect_row(task, IN_BEFORE + begins[r], begins[r + 1] - begins[r], to + at * task->result);
  }
}

// ---------------------------------------------------------------- Calls

size_t segmented_out_offset(const struct segmented_task *task) {
  return task->question->how & IN_PLACE ? IN_BEFORE : OUT_BEFORE;
}

struct image segmented_out(const struct segmented_task *task, size_t results) {
  if (!(task->question->how & IN_PLACE))
    return fixture_image((OUT_BEFORE + results + OUT_AFTER) * task->result);
  struct image image = fixture_image(task->material->length * task->result);
  memcpy(image.bytes, task->material->elements, image.size);
  ck_assert_ptr_null(image_upload(&image, &under_test));
  return image;
}

static clred_plan *plan_for(const struct segmented_task *task, bool by_offsets) {
  const struct segmented_question *question = task->question;
  return PLAN(.type = task->subject->type, .op = task->subject->op,
              .custom = task->subject->type ? NULL : &task->material->of->op,
              .layout = by_offsets        ? CLRED_LAYOUT_SEGMENTS
                        : question->marks ? CLRED_LAYOUT_KEYS
                                          : CLRED_LAYOUT_HEADS,
              .segment_type = question->marks, .strategy = task->way->strategy, .group_size = task->way->group_size,
              .groups = question->how & FEW_GROUPS ? 32 : 0, .reversed = (question->how & REVERSED) != 0,
              .in_place = (question->how & IN_PLACE) != 0, .scan = (clred_scan)question->scan,
              .count_max = by_offsets ? 0 : task->way->elements);
}

void segmented_ask(const struct segmented_way *way, bool by_offsets, void (*check)(struct segmented_task *task)) {
  if (way->assume)
    fixture_reopen(way->assume);
  for (int i = 0; i < way->number; i++) {
    const struct segmented_question *question = &way->questions[i];
    struct segmented_task task = {.way = way, .question = question, .subject = &segmented_subjects[question->subject]};
    if ((question->subject == MEANS || question->marks == CLRED_TYPE_DOUBLE) &&
        fixture_lacks_double(task.subject->name))
      continue;
    struct material material = make_elements(task.subject, way->elements + IN_BEFORE);
    task.material = &material;
    task.plan = plan_for(&task, by_offsets);
    const clred_plan_info info = fixture_inspect(task.plan, way->elements);
    ck_assert_str_eq(info.strategy, way->strategy);
    task.result = info.result_size;
    snprintf(task.what, sizeof task.what, "%s by %s, group size %d, type %d", task.subject->name, way->strategy,
             (int)way->group_size, (int)question->marks);
    check(&task);
  }
}
