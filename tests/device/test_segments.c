// Segments: rows of different lengths given by offsets, reduced and scanned by every strategy that serves them. Built-in operators
// are held against the oracle, segment by segment, operators of one's own against a loop; and every byte around the results must stay.

#include "operators.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../grid/random.h"

// ---------------------------------------------------------------- What is asked

enum { REDUCES, INCLUSIVE, EXCLUSIVE };

static const struct subject {
  const char *name;  // of a sample, where type is NONE
  clred_type  type;
  clred_op    op;
} subjects[] = {
    {"float add", CLRED_TYPE_FLOAT, CLRED_OP_ADD},      {"uchar max", CLRED_TYPE_UCHAR, CLRED_OP_MAX},
    {"double mean", CLRED_TYPE_DOUBLE, CLRED_OP_MEAN},  {"int argmin", CLRED_TYPE_INT, CLRED_OP_ARGMIN},
    {"affine", CLRED_TYPE_NONE, CLRED_OP_NONE},         {"matrix", CLRED_TYPE_NONE, CLRED_OP_NONE},
    {"moments", CLRED_TYPE_NONE, CLRED_OP_NONE},
};

enum { SUMS, MAXIMA, MEANS, LEAST, MAPS, MATRICES, MOMENTS };

// How a subject is asked for.
struct question {
  int        subject;
  clred_type offsets;
  int        scan;
  enum { PLAINLY = 0, REVERSED = 1, IN_PLACE = 2, INITIAL = 4 } how;
};

static const struct way {
  const char     *strategy, *assume;
  cl_ulong        group_size;
  size_t          elements;  // more than a chunk
  struct question questions[6];
} ways[] = {
    {"segments_chunked", NULL, 0, 140000,
     {{SUMS, CLRED_TYPE_LONG, REDUCES, PLAINLY}, {MAXIMA, CLRED_TYPE_UINT, REDUCES, PLAINLY},
      {MEANS, CLRED_TYPE_INT, REDUCES, PLAINLY}, {MAPS, CLRED_TYPE_ULONG, REDUCES, PLAINLY}}},
    {"segments_wide", "cpu=0", 64, 40000,
     {{SUMS, CLRED_TYPE_LONG, REDUCES, PLAINLY}, {MATRICES, CLRED_TYPE_UINT, REDUCES, PLAINLY}}},
    {"segments_wide", "cpu=0,local_mem_size=2048", 8, 20000,
     {{LEAST, CLRED_TYPE_INT, REDUCES, PLAINLY}, {MOMENTS, CLRED_TYPE_ULONG, REDUCES, PLAINLY}}},
    {"scan_segments_chunked", NULL, 0, 140000,
     {{SUMS, CLRED_TYPE_LONG, INCLUSIVE, IN_PLACE | INITIAL}, {MAPS, CLRED_TYPE_ULONG, EXCLUSIVE, REVERSED}}},
    {"scan_segments", "cpu=0", 64, 40000,
     {{MOMENTS, CLRED_TYPE_INT, INCLUSIVE, PLAINLY}, {MATRICES, CLRED_TYPE_UINT, EXCLUSIVE, REVERSED | INITIAL}}},
    {"scan_segments", "cpu=0,local_mem_size=2048", 8, 20000,
     {{SUMS, CLRED_TYPE_LONG, INCLUSIVE, IN_PLACE}}},
};

#define WAYS ((int)(sizeof ways / sizeof *ways))

static void open_as(const char *assume) {
  if (assume == NULL)
    return;
  fixture_close();
  const char *trouble = device_open_assuming(&under_test, assume);
  ck_assert_msg(!trouble, "%s", trouble);
}

// ---------------------------------------------------------------- Elements

static const struct sample floats = {.op = {.name = "floats"}, .element = 4}, bytes = {.op = {.name = "bytes"}, .element = 1},
                           doubles = {.op = {.name = "doubles"}, .element = 8}, ints = {.op = {.name = "ints"}, .element = 4};

static struct material make_elements(const struct subject *subject, size_t length) {
  static const struct sample *const plain[] = {&floats, &bytes, &doubles, &ints};
  struct material material = material_create(subject->type ? plain[subject - subjects] : sample_named(subject->name), length);
  random_state    random = random_seed(5);
  for (size_t i = 0; subject->type && i < length; i++) {
    const double  value = random_addend(&random, true);
    const cl_int  number = (cl_int)random_below(&random, 100001) - 50000;
    const float   narrow = (float)value;
    const cl_char byte = (cl_char)random_below(&random, 200);
    const void   *values[] = {&narrow, &byte, &value, &number};
    memcpy(material.elements + i * material.of->element, values[subject - subjects], material.of->element);
  }
  if (subject->type) {
    clReleaseMemObject(material.in);
    material.in = fixture_buffer(material.elements, length * material.of->element);
  }
  return material;
}

// ---------------------------------------------------------------- Segments

#define SEGMENTS_MOST 3000
#define TILE          1024

struct segments {
  cl_ulong offsets[SEGMENTS_MOST + 1];
  size_t   number;
};

enum pattern { EMPTY, ONES, SIXTEENS, SIXTY_FOURS, AROUND_TILES, POWER_LAW, GIANT, ONE_OF_ALL, MIXED, FEW, PATTERNS };

static cl_ulong length_of(enum pattern pattern, size_t s, size_t elements, random_state *random) {
  const cl_ulong one_of = random_below(random, 512) + 1, some = random_below(random, 700);
  const cl_ulong lengths[PATTERNS] = {0, 1, 16, 64, TILE - 1 + s % 3, 65536 / (one_of * one_of), s == 37 ? elements * 9 / 10 : 8,
                                      elements, some < 200 ? 0 : some < 650 ? some % 40 : some * 9, s % 2 ? 37 : 0};
  return lengths[pattern];
}

// Some begin behind the first element, and some end before the last.
static void make_segments(struct segments *segments, enum pattern pattern, size_t elements) {
  random_state random = random_seed(pattern);
  cl_ulong     at = pattern % 3 == 2 ? 19 : 0;
  const size_t most = pattern == FEW ? 4 : SEGMENTS_MOST;
  segments->offsets[0] = at;
  segments->number = 0;
  while (segments->number < most && (at < elements || pattern == EMPTY)) {
    const cl_ulong length = length_of(pattern, segments->number, elements, &random);
    at = at + length < elements ? at + length : elements;
    segments->offsets[++segments->number] = at;
  }
}

static cl_mem upload_offsets(const struct segments *segments, clred_type type, size_t before) {
  const bool     narrow = type == CLRED_TYPE_UINT || type == CLRED_TYPE_INT;
  const size_t   size = narrow ? 4 : 8, n = before + segments->number + 1;
  unsigned char *made = malloc(n * size);
  ck_assert_ptr_nonnull(made);
  memset(made, 0xff, n * size);
  for (size_t i = before; i < n; i++) {
    const cl_uint offset = (cl_uint)segments->offsets[i - before];
    memcpy(made + i * size, narrow ? (const void *)&offset : &segments->offsets[i - before], size);
  }
  cl_mem buffer = fixture_buffer(made, n * size);
  free(made);
  return buffer;
}

// ---------------------------------------------------------------- What must come out

struct task {
  const struct question *question;
  const struct subject  *subject;
  const struct material *material;
  clred_problem          problem;  // of one row
  size_t                 result;   // bytes
  const void            *start;
};

static void solve_row(const struct task *task, const unsigned char *x, uint64_t count, unsigned char *to) {
  const oracle_tree tree = {.strategy = "chunked", .finish = "relaunch"};
  oracle_result     result;
  oracle_solve(&task->problem, x, NULL, count, &tree, &result);
  for (size_t i = 0; i < result.count; i++)
    oracle_store(to + oracle_offset(&result, i), oracle_size(result.parts[i].type), 0, result.parts[i].bits[0]);
}

static void solve_scan(const struct task *task, const unsigned char *x, uint64_t count, unsigned char *to) {
  const oracle_tree tree = {.strategy = "scan_chunked"};
  const oracle_scan scan = {task->question->scan == INCLUSIVE, (task->question->how & REVERSED) != 0, task->start};
  if (count)
    oracle_solve_scan(&task->problem, &scan, x, NULL, count, &tree, to);
}

static void lower_to(const struct task *task, const void *state, unsigned char *to) {
  _Alignas(16) unsigned char result[256];
  task->material->of->op.host->lower(state, result, NULL);
  memcpy(to, result, task->result);
}

static void loop_over_scan(const struct task *task, uint64_t first, uint64_t count, unsigned char *to) {
  const struct material     *from = task->material;
  const struct sample       *of = from->of;
  const clred_host_operator *host = of->op.host;
  _Alignas(16) unsigned char state[256], one[256];
  host->identity(state, NULL);
  if (task->start)
    memcpy(state, task->start, of->op.state_size);
  for (uint64_t i = 0; i < count; i++) {
    const uint64_t at = (task->question->how & REVERSED) != 0 ? count - 1 - i : i;
    const void    *input = of->input ? from->input + (first + at) * of->input : NULL;
    if (task->question->scan == EXCLUSIVE)
      lower_to(task, state, to + at * task->result);
    host->lift(from->elements + (first + at) * of->element, at, &input, &of->parameter, one, NULL);
    host->combine(state, one, NULL);
    if (task->question->scan == INCLUSIVE)
      lower_to(task, state, to + at * task->result);
  }
}

// The results of a segment of `count` elements from element `first` of the material on.
static void expect(const struct task *task, uint64_t first, uint64_t count, unsigned char *to) {
  const unsigned char *x = task->material->elements + first * task->material->of->element;
  const struct row     row = {first, first, 1, count};
  if (task->subject->type && task->question->scan == REDUCES)
    solve_row(task, x, count, to);
  else if (task->subject->type)
    solve_scan(task, x, count, to);
  else if (task->question->scan == REDUCES)
    material_fold(task->material, &row, to);
  else
    loop_over_scan(task, first, count, to);
}

// ---------------------------------------------------------------- One call

#define OUT_BEFORE 3
#define OUT_AFTER  5
#define IN_BEFORE  7

static void check_call(const struct task *task, clred_plan *plan, const struct segments *segments, size_t elements, const char *what) {
  const bool     scans = task->question->scan != REDUCES, in_place = (task->question->how & IN_PLACE) != 0;
  const size_t   before = in_place ? IN_BEFORE : OUT_BEFORE, results = scans ? elements : segments->number;
  const size_t   size = in_place ? task->material->length * task->result : (before + results + OUT_AFTER) * task->result;
  const cl_ulong in_offset = IN_BEFORE;
  cl_mem         offsets = upload_offsets(segments, task->question->offsets, 2);
  clred_outcome  outcome = {99, 99};
  struct image   image;
  const char    *trouble = image_create(&image, &under_test, size);
  ck_assert_msg(!trouble, "%s", trouble);
  if (in_place) {
    memcpy(image.bytes, task->material->elements, size);
    trouble = image_upload(&image, &under_test);
    ck_assert_msg(!trouble, "%s", trouble);
  }
  const clred_call call = {.in = in_place ? image.mem : task->material->in, .in_offset = in_offset, .count = elements,
                           .rows = segments->number, .segments = offsets, .segments_offset = 2, .out = image.mem,
                           .inputs = &task->material->input_buffer, .input_offsets = &in_offset,
                           .out_offset = before, .initial = task->start, .outcome = &outcome, .blocking = CL_TRUE};
  assert_status(clred_enqueue(under_test.queue, plan, &call, 0, NULL, NULL), CL_SUCCESS);
  ck_assert_msg(outcome.fault == 0 && outcome.count == segments->number, "%s: the outcome is %llu, %llu, not %zu, 0", what,
                (unsigned long long)outcome.count, (unsigned long long)outcome.fault, segments->number);
  for (size_t s = 0; s < segments->number; s++) {
    const cl_ulong first = segments->offsets[s], count = segments->offsets[s + 1] - first;
    expect(task, IN_BEFORE + first, count, image.bytes + (before + (scans ? first : s)) * task->result);
  }
  trouble = image_check(&image, &under_test);
  ck_assert_msg(!trouble, "%s: %s (results of %zu bytes)", what, trouble, task->result);
  image_release(&image);
  clReleaseMemObject(offsets);
}

// ---------------------------------------------------------------- Every way

static clred_plan *plan_for(const struct way *way, const struct question *question, const struct subject *subject,
                            const struct material *material) {
  const clred_problem problem = {.type = subject->type, .op = subject->op, .custom = subject->type ? NULL : &material->of->op,
                                 .layout = CLRED_LAYOUT_SEGMENTS, .segment_type = question->offsets, .strategy = way->strategy,
                                 .group_size = way->group_size, .reversed = (question->how & REVERSED) != 0,
                                 .in_place = (question->how & IN_PLACE) != 0, .scan = (clred_scan)question->scan};
  return fixture_plan(&problem);
}

static void ask(const struct way *way, const struct question *question) {
  static const struct affine { cl_ulong m, c; } map = {3, 5};
  static const cl_uint     matrix[4] = {1, 2, 3, 5};
  static const float       sum = 0.375f;
  static const void *const starts[] = {&sum, NULL, NULL, NULL, &map, matrix, NULL};
  static struct segments   segments;
  const struct subject    *subject = &subjects[question->subject];
  struct material          material = make_elements(subject, way->elements + IN_BEFORE);
  clred_plan              *plan = plan_for(way, question, subject, &material);
  clred_plan_info          info;
  char                     what[128];
  assert_status(clred_plan_inspect(plan, way->elements, &info), CL_SUCCESS);
  const struct task task = {question, subject, &material, {.type = subject->type, .op = subject->op}, info.result_size,
                            question->how & INITIAL ? starts[question->subject] : NULL};
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    make_segments(&segments, (enum pattern)pattern, way->elements);
    snprintf(what, sizeof what, "%s by %s, group size %d, pattern %d", subject->name, way->strategy, (int)way->group_size, pattern);
    check_call(&task, plan, &segments, way->elements, what);
  }
  segments = (struct segments){.number = 0};
  check_call(&task, plan, &segments, way->elements, "no segments");
  segments.number = 100;
  check_call(&task, plan, &segments, 0, "no elements");
  clred_plan_release(plan);
  material_release(&material);
}

START_TEST(segments_by) {
  const struct way *way = &ways[_i];
  open_as(way->assume);
  for (int i = 0; i < 6 && way->questions[i].offsets; i++)
    if (way->questions[i].subject == MEANS && !device_has_fp64(&under_test))
      fixture_skip("double mean", "the device has no double");
    else
      ask(way, &way->questions[i]);
}
END_TEST

// ---------------------------------------------------------------- Neighbours

// The same elements as a segment, at two places among different neighbours, and alone.
static void check_alike(clred_plan *plan, size_t length) {
  const size_t   places[2] = {33, length + 50}, elements = 2 * length + 60;
  const cl_ulong offsets[2][5] = {{0, 5, 33, 33 + length, elements}, {7, length + 20, length + 50, elements - 10, elements - 10}};
  float         *x = malloc(elements * sizeof *x), got[2][4];
  random_state   random = random_seed(9);
  ck_assert_ptr_nonnull(x);
  for (size_t i = 0; i < elements; i++)
    x[i] = (float)random_addend(&random, true);
  memcpy(x + places[1], x + places[0], length * sizeof *x);
  cl_mem in = fixture_buffer(x, elements * sizeof *x), out = fixture_buffer(got[0], sizeof got[0]);
  for (int i = 0; i < 2; i++) {
    cl_mem           segments = fixture_buffer(offsets[i], sizeof offsets[i]);
    const clred_call call = {.in = in, .count = elements, .rows = 4, .segments = segments, .out = out};
    assert_status(clred_enqueue(under_test.queue, plan, &call, 0, NULL, NULL), CL_SUCCESS);
    assert_status(clEnqueueReadBuffer(under_test.queue, out, CL_TRUE, 0, sizeof got[i], got[i], 0, NULL, NULL), CL_SUCCESS);
    clReleaseMemObject(segments);
  }
  ck_assert_msg(memcmp(&got[0][2], &got[1][2], sizeof(float)) == 0, "%zu elements: %a at one place, %a at another", length,
                got[0][2], got[1][2]);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  free(x);
}

START_TEST(whatever_the_neighbours) {
  static const size_t lengths[] = {1, 17, 1000, 1025, 16385, 66001};
  const struct way   *way = &ways[_i];
  open_as(way->assume);
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .layout = CLRED_LAYOUT_SEGMENTS,
                                 .segment_type = CLRED_TYPE_LONG, .strategy = way->strategy, .group_size = way->group_size};
  clred_plan         *plan = fixture_plan(&problem);
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    check_alike(plan, lengths[i]);
  clred_plan_release(plan);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("segments");
  TCase *by = fixture_case("by"), *neighbours = fixture_case("neighbours");
  tcase_add_loop_test(by, segments_by, 0, WAYS);
  tcase_add_loop_test(neighbours, whatever_the_neighbours, 0, 2);
  suite_add_tcase(suite, by);
  suite_add_tcase(suite, neighbours);
  return fixture_run(suite);
}
