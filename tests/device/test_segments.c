// Segments: rows of different lengths given by offsets, reduced and scanned by every strategy that takes them.

#include "support/segmented.h"

// The field `elements` is more than one chunk.
static const struct segmented_way ways[] = {
  {"segments_chunked", NULL, 0, 140000, 4,
   ROW({SUMS, CLRED_TYPE_LONG, REDUCES, PLAINLY}, {MAXIMA, CLRED_TYPE_UINT, REDUCES, PLAINLY},
       {MEANS, CLRED_TYPE_INT, REDUCES, PLAINLY}, {MAPS, CLRED_TYPE_ULONG, REDUCES, PLAINLY})},
  ROW("segments_wide", "cpu=0", 64, 40000, 2,
      {{SUMS, CLRED_TYPE_LONG, REDUCES, PLAINLY}, {MATRICES, CLRED_TYPE_UINT, REDUCES, PLAINLY}}),
  ROW("segments_wide", "cpu=0,local_mem_size=2048", 8, 20000, 2,
      {{LEAST, CLRED_TYPE_INT, REDUCES, PLAINLY}, {MOMENTS, CLRED_TYPE_ULONG, REDUCES, PLAINLY}}),
  ROW("scan_segments_chunked", NULL, 0, 140000, 2,
      {{SUMS, CLRED_TYPE_LONG, INCLUSIVE, IN_PLACE | INITIAL}, {MAPS, CLRED_TYPE_ULONG, EXCLUSIVE, REVERSED}}),
  ROW("scan_segments_wide", "cpu=0", 64, 40000, 2,
      {{MOMENTS, CLRED_TYPE_INT, INCLUSIVE, PLAINLY}, {MATRICES, CLRED_TYPE_UINT, EXCLUSIVE, REVERSED | INITIAL}}),
  {"scan_segments_wide", "cpu=0,local_mem_size=2048", 8, 20000, 1, {{SUMS, CLRED_TYPE_LONG, INCLUSIVE, IN_PLACE}}},
  // Without assumptions, so that a CPU runs its own loops. In all other rows of scan_segments_wide it runs those of a
  // GPU.
  ROW("scan_segments_wide", NULL, 64, 40000, 2,
      {{MOMENTS, CLRED_TYPE_INT, EXCLUSIVE, INITIAL}, {SUMS, CLRED_TYPE_LONG, INCLUSIVE, REVERSED | IN_PLACE}}),
};

// ---------------------------------------------------------------- Segments

#define SEGMENTS_MAX 3000
#define TILE 1024

struct segments {
  cl_ulong offsets[SEGMENTS_MAX + 1];
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

// In some patterns the segments begin after the first element, and in some they end before the last.
static void make_segments(struct segments *segments, enum pattern pattern, size_t elements) {
  random_state random = random_seed(pattern);
  cl_ulong at = pattern % 3 == 2 ? 19 : 0;
  const size_t most = pattern == FEW ? 4 : SEGMENTS_MAX;
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
  return fixture_buffer(made, n * size);
}

// ---------------------------------------------------------------- One call

static void check_call(const struct segmented_task *task, const struct segments *segments, size_t elements) {
  const bool scans = task->question->scan != REDUCES, in_place = (task->question->how & IN_PLACE) != 0;
  const cl_ulong in_offset = IN_BEFORE;
  cl_mem offsets = upload_offsets(segments, task->question->marks, 2);
  clred_outcome outcome = {99, 99};
  struct image out = segmented_out(task, scans ? elements : segments->number);
  RUN(task->plan, .in = in_place ? out.mem : task->material->in, .in_offset = in_offset, .count = elements,
      .rows = segments->number, .segments = offsets, .segments_offset = 2, .out = out.mem,
      .inputs = &task->material->input_buffer, .input_offsets = &in_offset, .out_offset = segmented_out_offset(task),
      .initial = segmented_start(task), .outcome = &outcome);
  ck_assert_msg(outcome.fault == 0 && outcome.count == segments->number, "%s: the outcome is %llu, %llu, not %zu, 0",
                task->what, (unsigned long long)outcome.count, (unsigned long long)outcome.fault, segments->number);
  segmented_expect(task, segments->offsets, segments->number, &out);
  check_image(&out, task->what);
}

static void check_patterns(struct segmented_task *task) {
  static struct segments segments;
  const size_t length = strlen(task->what), elements = task->way->elements;
  for (int pattern = 0; pattern < PATTERNS; pattern++) {
    make_segments(&segments, (enum pattern)pattern, elements);
    snprintf(task->what + length, sizeof task->what - length, ", pattern %d", pattern);
    check_call(task, &segments, elements);
  }
  segments = (struct segments){.number = 0};
  strcpy(task->what + length, ", no segments");
  check_call(task, &segments, elements);
  segments.number = 100;
  strcpy(task->what + length, ", no elements");
  check_call(task, &segments, 0);
}

TEST_CASE("by", fixture_open, fixture_close);

TEST_ROWS(segments_by, ways) {
  segmented_ask(&ways[_i], true, check_patterns);
}

// ---------------------------------------------------------------- Neighbours

// A segment has the same result at two places among different neighbours.
static void check_alike(clred_plan *plan, size_t length) {
  const size_t places[2] = {33, length + 50}, elements = 2 * length + 60;
  const cl_ulong offsets[2][5] = {{0, 5, 33, 33 + length, elements},
                                  {7, length + 20, length + 50, elements - 10, elements - 10}};
  float *x = claim(elements * sizeof *x), got[2][4];
  random_addends(x, elements, 9);
  memcpy(x + places[1], x + places[0], length * sizeof *x);
  cl_mem in = fixture_buffer(x, elements * sizeof *x), out = fixture_buffer(got[0], sizeof got[0]);
  for (int i = 0; i < 2; i++) {
    cl_mem segments = fixture_buffer(offsets[i], sizeof offsets[i]);
    ENQUEUE(plan, .in = in, .count = elements, .rows = 4, .segments = segments, .out = out);
    read_buffer(out, got[i], sizeof got[i]);
  }
  ck_assert_msg(memcmp(&got[0][2], &got[1][2], sizeof(float)) == 0, "%zu elements: %a at one place, %a at another",
                length, got[0][2], got[1][2]);
}

TEST_CASE("neighbours", fixture_open, fixture_close);

TEST_EACH(whatever_the_neighbours, 0, 2) {
  static const size_t lengths[] = {1, 17, 1000, 1025, 16385, 66001};
  const struct segmented_way *way = &ways[_i];
  if (way->assume)
    fixture_reopen(way->assume);
  clred_plan *plan = PLAN(OP(SUM, FLOAT), LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_LONG, .strategy = way->strategy,
                          .group_size = way->group_size);
  for (size_t i = 0; i < COUNT_OF(lengths); i++)
    check_alike(plan, lengths[i]);
}

// ---------------------------------------------------------------- Side by side

// Short segments are folded side by side. Each has the bits of a call over its elements alone.
struct beside {
  clred_op op;
  clred_type type;
  size_t result;
};

static const struct beside besides[] = {{CLRED_OP_SUM, CLRED_TYPE_FLOAT, 4},
                                        {CLRED_OP_MEAN, CLRED_TYPE_FLOAT, 4},
                                        {CLRED_OP_VAR, CLRED_TYPE_DOUBLE, 8},
                                        {CLRED_OP_LOGSUMEXP, CLRED_TYPE_FLOAT, 4},
                                        {CLRED_OP_ARGMIN, CLRED_TYPE_INT, 16}};

enum { BESIDE = 203, LONGEST = 90, OFTEN = 20 };

static size_t make_beside(cl_uint *offsets) {
  random_state random = random_seed(31);
  offsets[0] = 3;
  for (size_t s = 0; s < BESIDE; s++)
    offsets[s + 1] = offsets[s] + (cl_uint)random_below(&random, s % 50 < OFTEN ? LONGEST : s % 30 + 1);
  return offsets[BESIDE];
}

static void check_beside(const struct beside *row, const cl_uint *offsets, cl_mem in, size_t elements) {
  unsigned char got[BESIDE * 16], alone[16];
  cl_mem segments = fixture_buffer(offsets, (BESIDE + 1) * sizeof *offsets), out = fixture_buffer(got, sizeof got);
  clred_plan *beside = PLAN(.op = row->op, .type = row->type, LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT),
             *line = PLAN(.op = row->op, .type = row->type);
  RUN(beside, .in = in, .count = elements, .rows = BESIDE, .segments = segments, .out = out);
  read_buffer(out, got, sizeof got);
  for (size_t s = 0; s < BESIDE; s++) {
    const size_t count = offsets[s + 1] - offsets[s];
    if (count == 0)
      continue;
    RUN(line, .in = in, .in_offset = offsets[s], .count = count, .result = alone);
    ck_assert_msg(memcmp(got + s * row->result, alone, row->result) == 0, "op %d: segment %zu of %zu elements",
                  (int)row->op, s, count);
  }
  RELEASE(segments, out);
}

TEST_CASE("beside", fixture_open, fixture_close);

TEST_ROWS(short_segments_are_alone, besides) {
  cl_uint offsets[BESIDE + 1];
  const struct beside *row = &besides[_i];
  const size_t elements = make_beside(offsets);
  void *x = OWN(random_elements(row->type, elements, 32, 8, 7));
  check_beside(row, offsets, fixture_buffer(x, elements * oracle_size(row->type)), elements);
}
