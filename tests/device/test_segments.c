// Segments: rows of different lengths given by offsets, reduced and scanned by every strategy that serves them.
// Built-in operators are held against the oracle, segment by segment, operators of one's own against a loop; and every
// byte around the results must stay.

#include "support/segmented.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

// ---------------------------------------------------------------- What is asked

static const struct way {
  const char *strategy, *assume;
  cl_ulong group_size;
  size_t elements;  // more than a chunk
  struct segmented_question questions[6];
} ways[] = {
  {"segments_chunked",
   NULL,
   0,
   140000,
   {{SUMS, CLRED_TYPE_LONG, REDUCES, PLAINLY},
    {MAXIMA, CLRED_TYPE_UINT, REDUCES, PLAINLY},
    {MEANS, CLRED_TYPE_INT, REDUCES, PLAINLY},
    {MAPS, CLRED_TYPE_ULONG, REDUCES, PLAINLY}}},
  {"segments_wide",
   "cpu=0",
   64,
   40000,
   {{SUMS, CLRED_TYPE_LONG, REDUCES, PLAINLY}, {MATRICES, CLRED_TYPE_UINT, REDUCES, PLAINLY}}},
  {"segments_wide",
   "cpu=0,local_mem_size=2048",
   8,
   20000,
   {{LEAST, CLRED_TYPE_INT, REDUCES, PLAINLY}, {MOMENTS, CLRED_TYPE_ULONG, REDUCES, PLAINLY}}},
  {"scan_segments_chunked",
   NULL,
   0,
   140000,
   {{SUMS, CLRED_TYPE_LONG, INCLUSIVE, IN_PLACE | INITIAL}, {MAPS, CLRED_TYPE_ULONG, EXCLUSIVE, REVERSED}}},
  {"scan_segments",
   "cpu=0",
   64,
   40000,
   {{MOMENTS, CLRED_TYPE_INT, INCLUSIVE, PLAINLY}, {MATRICES, CLRED_TYPE_UINT, EXCLUSIVE, REVERSED | INITIAL}}},
  {"scan_segments", "cpu=0,local_mem_size=2048", 8, 20000, {{SUMS, CLRED_TYPE_LONG, INCLUSIVE, IN_PLACE}}},
};

static void open_as(const char *assume) {
  if (assume == NULL)
    return;
  fixture_reopen(assume);
}

// ---------------------------------------------------------------- Segments

#define SEGMENTS_MOST 3000
#define TILE 1024

struct segments {
  cl_ulong offsets[SEGMENTS_MOST + 1];
  size_t number;
};

enum pattern { EMPTY, ONES, SIXTEENS, SIXTY_FOURS, AROUND_TILES, POWER_LAW, GIANT, ONE_OF_ALL, MIXED, FEW, PATTERNS };

static cl_ulong length_of(enum pattern pattern, size_t s, size_t elements, random_state *random) {
  const cl_ulong one_of = random_below(random, 512) + 1, some = random_below(random, 700);
  const cl_ulong lengths[PATTERNS] = {0,
                                      1,
                                      16,
                                      64,
                                      TILE - 1 + s % 3,
                                      65536 / (one_of * one_of),
                                      s == 37 ? elements * 9 / 10 : 8,
                                      elements,
                                      some < 200   ? 0
                                      : some < 650 ? some % 40
                                                   : some * 9,
                                      s % 2 ? 37 : 0};
  return lengths[pattern];
}

// Some begin behind the first element, and some end before the last.
static void make_segments(struct segments *segments, enum pattern pattern, size_t elements) {
  random_state random = random_seed(pattern);
  cl_ulong at = pattern % 3 == 2 ? 19 : 0;
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
  const bool narrow = type == CLRED_TYPE_UINT || type == CLRED_TYPE_INT;
  const size_t size = narrow ? 4 : 8, n = before + segments->number + 1;
  unsigned char *made = claim(n * size);
  memset(made, 0xff, n * size);
  for (size_t i = before; i < n; i++) {
    const cl_uint offset = (cl_uint)segments->offsets[i - before];
    memcpy(made + i * size, narrow ? (const void *)&offset : &segments->offsets[i - before], size);
  }
  cl_mem buffer = fixture_buffer(made, n * size);
  free(made);
  return buffer;
}

// ---------------------------------------------------------------- One call

#define OUT_BEFORE 3
#define OUT_AFTER 5
#define IN_BEFORE 7

static void check_call(const struct segmented_task *task, clred_plan *plan, const struct segments *segments,
                       size_t elements, const char *what) {
  const bool scans = task->question->scan != REDUCES, in_place = (task->question->how & IN_PLACE) != 0;
  const size_t before = in_place ? IN_BEFORE : OUT_BEFORE, results = scans ? elements : segments->number;
  const size_t size = in_place ? task->material->length * task->result : (before + results + OUT_AFTER) * task->result;
  const cl_ulong in_offset = IN_BEFORE;
  cl_mem offsets = upload_offsets(segments, task->question->tells, 2);
  clred_outcome outcome = {99, 99};
  struct image image = fixture_image(size);
  if (in_place) {
    memcpy(image.bytes, task->material->elements, size);
    ck_assert_ptr_null(image_upload(&image, &under_test));
  }
  const clred_call call =
    CALL(.in = in_place ? image.mem : task->material->in, .in_offset = in_offset, .count = elements,
         .rows = segments->number, .segments = offsets, .segments_offset = 2, .out = image.mem,
         .inputs = &task->material->input_buffer, .input_offsets = &in_offset, .out_offset = before,
         .initial = segmented_start(task), .outcome = &outcome, .blocking = CL_TRUE);
  fixture_call(plan, &call, CL_SUCCESS, "");
  ck_assert_msg(outcome.fault == 0 && outcome.count == segments->number, "%s: the outcome is %llu, %llu, not %zu, 0",
                what, (unsigned long long)outcome.count, (unsigned long long)outcome.fault, segments->number);
  for (size_t s = 0; s < segments->number; s++) {
    const cl_ulong first = segments->offsets[s], count = segments->offsets[s + 1] - first;
    segmented_expect(task, IN_BEFORE + first, count, image.bytes + (before + (scans ? first : s)) * task->result);
  }
  check_image(&image, what);
  clReleaseMemObject(offsets);
}

// ---------------------------------------------------------------- Every way

static clred_plan *plan_for(const struct way *way, const struct segmented_question *question,
                            const struct segmented_subject *subject, const struct material *material) {
  const clred_problem problem =
    PROBLEM(.type = subject->type, .op = subject->op, .custom = subject->type ? NULL : &material->of->op,
            LAYOUT(SEGMENTS), .segment_type = question->tells, .strategy = way->strategy, .group_size = way->group_size,
            .reversed = (question->how & REVERSED) != 0, .in_place = (question->how & IN_PLACE) != 0,
            .scan = (clred_scan)question->scan);
  return fixture_plan(&problem);
}

static void ask(const struct way *way, const struct segmented_question *question) {
  static struct segments segments;
  const struct segmented_subject *subject = &segmented_subjects[question->subject];
  struct material material = segmented_elements(subject, way->elements + IN_BEFORE);
  clred_plan *plan = plan_for(way, question, subject, &material);
  char what[128];
  const clred_plan_info info = fixture_inspect(plan, way->elements);
  const struct segmented_task task = {question, subject, &material, info.result_size};
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    make_segments(&segments, (enum pattern)pattern, way->elements);
    snprintf(what, sizeof what, "%s by %s, group size %d, pattern %d", subject->name, way->strategy,
             (int)way->group_size, pattern);
    check_call(&task, plan, &segments, way->elements, what);
  }
  segments = (struct segments){.number = 0};
  check_call(&task, plan, &segments, way->elements, "no segments");
  segments.number = 100;
  check_call(&task, plan, &segments, 0, "no elements");
  clred_plan_release(plan);
  material_release(&material);
}

TEST_CASE("by", fixture_open, fixture_close);

TEST_ROWS(segments_by, ways) {
  const struct way *way = &ways[_i];
  open_as(way->assume);
  for (int i = 0; i < 6 && way->questions[i].tells; i++)
    if (way->questions[i].subject == MEANS && !device_has_fp64(&under_test))
      fixture_skip("double mean", "the device has no double");
    else
      ask(way, &way->questions[i]);
}

// ---------------------------------------------------------------- Neighbours

// The same elements as a segment, at two places among different neighbours, and alone.
static void check_alike(clred_plan *plan, size_t length) {
  const size_t places[2] = {33, length + 50}, elements = 2 * length + 60;
  const cl_ulong offsets[2][5] = {{0, 5, 33, 33 + length, elements},
                                  {7, length + 20, length + 50, elements - 10, elements - 10}};
  float *x = claim(elements * sizeof *x), got[2][4];
  random_state random = random_seed(9);
  for (size_t i = 0; i < elements; i++)
    x[i] = (float)random_addend(&random, true);
  memcpy(x + places[1], x + places[0], length * sizeof *x);
  cl_mem in = fixture_buffer(x, elements * sizeof *x), out = fixture_buffer(got[0], sizeof got[0]);
  for (int i = 0; i < 2; i++) {
    cl_mem segments = fixture_buffer(offsets[i], sizeof offsets[i]);
    ENQUEUE(plan, .in = in, .count = elements, .rows = 4, .segments = segments, .out = out);
    read_buffer(out, got[i], sizeof got[i]);
    clReleaseMemObject(segments);
  }
  ck_assert_msg(memcmp(&got[0][2], &got[1][2], sizeof(float)) == 0, "%zu elements: %a at one place, %a at another",
                length, got[0][2], got[1][2]);
  RELEASE(in, out, x);
}

TEST_CASE("neighbours", fixture_open, fixture_close);

TEST_EACH(whatever_the_neighbours, 0, 2) {
  static const size_t lengths[] = {1, 17, 1000, 1025, 16385, 66001};
  const struct way *way = &ways[_i];
  open_as(way->assume);
  clred_plan *plan = PLAN(OP(ADD, FLOAT), LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_LONG, .strategy = way->strategy,
                          .group_size = way->group_size);
  for (size_t i = 0; i < COUNT_OF(lengths); i++)
    check_alike(plan, lengths[i]);
  clred_plan_release(plan);
}
