// Means, variances and deviations of random elements in every layout: of integers bit by bit, of floats within the
// bounds of docs/numerics.md, whatever their exponents. CLREDUCE_TEST_MOMENTS sets the number of problems for each
// operator, type and layout.

#include "support/fixture.h"

#include <math.h>

#include "oracle/oracle.h"
#include "support/random.h"

enum { LENGTH = 2100, ROWS = 21, WIDTH = LENGTH / ROWS, CHECKED = 40 };

enum how { ENQUEUED, STREAMED, JOINED };

static const struct layout {
  clred_layout layout;
  clred_scan scan;
  const char *strategy;
  enum how how;
  bool reversed;
} layouts[] = {
  {.layout = CLRED_LAYOUT_LINE, .strategy = "chunked"},
  {.layout = CLRED_LAYOUT_LINE, .strategy = "wide"},
  {.layout = CLRED_LAYOUT_LINE, .strategy = "wide", .how = STREAMED},
  {.layout = CLRED_LAYOUT_LINE, .strategy = "chunked", .how = JOINED},
  {.layout = CLRED_LAYOUT_LINE, .scan = CLRED_SCAN_INCLUSIVE},
  {.layout = CLRED_LAYOUT_LINE, .scan = CLRED_SCAN_EXCLUSIVE, .reversed = true},
  {.layout = CLRED_LAYOUT_STRIDED},
  {.layout = CLRED_LAYOUT_ROWS},
  {.layout = CLRED_LAYOUT_ROWS, .scan = CLRED_SCAN_INCLUSIVE},
  {.layout = CLRED_LAYOUT_COLUMNS},
  {.layout = CLRED_LAYOUT_COLUMNS, .scan = CLRED_SCAN_INCLUSIVE},
  {.layout = CLRED_LAYOUT_SEGMENTS},
  {.layout = CLRED_LAYOUT_SEGMENTS, .scan = CLRED_SCAN_INCLUSIVE},
  {.layout = CLRED_LAYOUT_KEYS},
};

// The operators and types share the layouts between them.
static const clred_op operators[] = {CLRED_OP_VAR, CLRED_OP_STD, CLRED_OP_STATS, CLRED_OP_STD_SAMPLE,
                                     CLRED_OP_VAR_SAMPLE};
static const clred_type types[] = {CLRED_TYPE_LONG, CLRED_TYPE_FLOAT,  CLRED_TYPE_INT,   CLRED_TYPE_DOUBLE,
                                   CLRED_TYPE_CHAR, CLRED_TYPE_ULONG,  CLRED_TYPE_UCHAR, CLRED_TYPE_HALF,
                                   CLRED_TYPE_UINT, CLRED_TYPE_USHORT, CLRED_TYPE_SHORT, CLRED_TYPE_BFLOAT16};

struct subject {
  const struct layout *at;
  clred_problem problem;
  oracle_result result;
  size_t size, result_size;
  unsigned char elements[LENGTH * 8];
  cl_mem in, segments, keys, out;
  clred_plan *plan;
};

// The elements of a result: `count` of them, `step` apart.
struct sequence {
  size_t first, count, step;
};

// Segment i begins at i x WIDTH, but some begin later.
static cl_uint segment(size_t i) {
  return (cl_uint)(i * WIDTH + (i % ROWS ? i % 3 * 7 : 0));
}

static struct sequence sequence_of(const struct subject *subject, size_t i) {
  const bool scans = subject->at->scan != CLRED_SCAN_NONE, columns = subject->at->layout == CLRED_LAYOUT_COLUMNS;
  size_t row = columns ? i % ROWS : scans ? i / WIDTH : i, first = row * WIDTH, end = first + WIDTH;
  switch (subject->at->layout) {
  case CLRED_LAYOUT_LINE:
    if (subject->at->reversed)
      return (struct sequence){i + 1, LENGTH - 1 - i, 1};
    return (struct sequence){0, scans ? i + 1 : LENGTH, 1};
  case CLRED_LAYOUT_STRIDED:
    return (struct sequence){0, LENGTH / 2, 2};
  case CLRED_LAYOUT_COLUMNS:
    return (struct sequence){row, scans ? i / ROWS + 1 : WIDTH, ROWS};
  case CLRED_LAYOUT_SEGMENTS:
  case CLRED_LAYOUT_KEYS:
    for (row = scans ? 0 : i; scans && segment(row + 1) <= i; row++)
      ;
    first = segment(row), end = segment(row + 1);
    break;
  default:
    break;
  }
  return (struct sequence){first, scans ? i + 1 - first : end - first, 1};
}

static size_t results_of(const struct subject *subject) {
  const bool one = subject->at->layout == CLRED_LAYOUT_LINE || subject->at->layout == CLRED_LAYOUT_STRIDED;
  return subject->at->scan ? LENGTH : one ? 1 : ROWS;
}

// Integers of some bits, above or below a number; floats of any exponent that lie around a mean or around 0.
static void fill(struct subject *subject, random_state *random) {
  const clred_type type = subject->problem.type;
  const uint64_t mask = UINT64_MAX >> random_below(random, 8 * subject->size), from = random_word(random);
  const bool wide = type == CLRED_TYPE_DOUBLE, half = type == CLRED_TYPE_HALF;
  const int lowest = wide   ? -1022
                     : half ? -14
                            : -126,
            exponent = lowest + (int)random_below(random, (uint64_t)(-2 * lowest + 1));
  const double mean = random_below(random, 2) ? 1 : 0, width = ldexp(1, -(int)random_below(random, wide ? 40 : 12));
  for (size_t i = 0; i < LENGTH; i++) {
    const uint64_t word = random_word(random);
    const double x = ldexp(mean + width * ((double)(word >> 11) * 0x1p-52 - 1), exponent);
    oracle_store(subject->elements, subject->size, i,
                 oracle_is_floating(type) ? oracle_float_bits(type, x) : from + (word & mask));
  }
}

static void check_result(const struct subject *subject, size_t i, const unsigned char *bytes) {
  static unsigned char own[sizeof subject->elements];
  const struct sequence of = sequence_of(subject, i);
  char text[256];
  for (size_t j = 0; j < of.count; j++)
    memcpy(own + j * subject->size, subject->elements + (of.first + j * of.step) * subject->size, subject->size);
  oracle_result expected = subject->result;
  bool right = oracle_is_floating(subject->problem.type)
                 ? oracle_near(&subject->problem, own, NULL, of.count, bytes, text, sizeof text)
                 : (oracle_solve(&subject->problem, own, NULL, of.count, NULL, &expected),
                    oracle_same(&expected, bytes, text, sizeof text));
  ck_assert_msg(right, "%s of %s, row %zu of layouts, result %zu of %zu elements: %s", op_name(subject->problem.op),
                type_name(subject->problem.type), (size_t)(subject->at - layouts), i, of.count, text);
}

static void run_in_pieces(const struct subject *subject, void *result) {
  const size_t cut = LENGTH / 3;
  const void *rest = subject->elements + cut * subject->size;
  if (subject->at->how == STREAMED) {
    clred_stream *stream = STREAM(subject->plan, .chunk = 1);
    assert_ok(clred_stream_push(stream, subject->elements, NULL, cut));
    assert_ok(clred_stream_push(stream, rest, NULL, LENGTH - cut));
    assert_ok(clred_stream_finish(stream, result));
    RELEASE(stream);
    return;
  }
  clred_partial *left = fixture_partial(subject->plan, 0), *right = fixture_partial(subject->plan, cut);
  assert_ok(clred_partial_fold_host(left, &(clred_host_call){.in = subject->elements, .count = cut}));
  assert_ok(clred_partial_push(under_test.queue, right, &(clred_host_call){.in = rest, .count = LENGTH - cut}));
  assert_ok(clred_partial_join(left, right));
  assert_ok(clred_partial_result(left, result));
  RELEASE(right);
  RELEASE(left);
}

static void run_once(const struct subject *subject, unsigned char *results) {
  const bool columns = subject->at->layout == CLRED_LAYOUT_COLUMNS, rows = subject->at->layout == CLRED_LAYOUT_ROWS;
  const bool strided = subject->at->layout == CLRED_LAYOUT_STRIDED, keyed = subject->at->layout == CLRED_LAYOUT_KEYS;
  if (subject->at->how != ENQUEUED) {
    run_in_pieces(subject, results);
    return;
  }
  write_buffer(subject->in, subject->elements, LENGTH * subject->size);
  ENQUEUE(subject->plan, .in = subject->in, .out = subject->out,
          .count = columns || rows ? WIDTH
                   : strided       ? LENGTH / 2
                                   : LENGTH,
          .stride = columns   ? ROWS
                    : strided ? 2
                              : 0,
          .columns = columns ? ROWS : 0, .segments = keyed ? subject->keys : subject->segments,
          .rows = columns                     ? 1
                  : rows || subject->segments ? ROWS
                                              : 0);
  read_buffer(subject->out, results, results_of(subject) * subject->result_size);
}

static void check_problems(struct subject *subject, size_t problems, random_state *random) {
  const size_t count = results_of(subject), step = count / CHECKED + 1;
  unsigned char *results = claim(count * subject->result_size);
  for (size_t p = 0; p < problems; p++) {
    fill(subject, random);
    run_once(subject, results);
    for (size_t i = p % step; i < count; i += step)
      check_result(subject, i, results + i * subject->result_size);
    check_result(subject, count - 1, results + (count - 1) * subject->result_size);
  }
  RELEASE(results);
}

// Creates what the calls of a subject need. The keys are the numbers of the segments.
static void prepare(struct subject *subject, clred_op op, clred_type type) {
  const struct layout *at = subject->at;
  cl_uint offsets[ROWS + 1], keys[LENGTH];
  for (size_t i = 0; i <= ROWS; i++)
    for (cl_uint j = offsets[i] = segment(i); i < ROWS && j < segment(i + 1); j++)
      keys[j] = (cl_uint)i;
  subject->problem = (clred_problem){.op = op,
                                     .type = type,
                                     .layout = at->layout,
                                     .scan = at->scan,
                                     .strategy = at->strategy,
                                     .reversed = at->reversed,
                                     .count_max = LENGTH};
  if (at->layout == CLRED_LAYOUT_SEGMENTS || at->layout == CLRED_LAYOUT_KEYS)
    subject->problem.segment_type = CLRED_TYPE_UINT, subject->segments = fixture_buffer(offsets, sizeof offsets);
  subject->keys = fixture_buffer(keys, sizeof keys);
  oracle_parts(&subject->problem, &subject->result);
  subject->size = oracle_size(type);
  subject->result_size = oracle_offset(&subject->result, subject->result.count);
  subject->in = fixture_buffer(subject->elements, LENGTH * subject->size);
  subject->out = fixture_buffer(claim(LENGTH * subject->result_size), LENGTH * subject->result_size);
  subject->plan = fixture_plan(&subject->problem);
}

TEST_CASE("moments", fixture_open, fixture_close);

TEST_ROWS(they_are_right_in_every_layout, layouts) {
  const char *given = getenv("CLREDUCE_TEST_MOMENTS");
  const size_t pairs = COUNT_OF(operators) * COUNT_OF(types), step = given ? 1 : 29;
  random_state random = random_seed((uint64_t)_i + 1);
  if (fixture_lacks_double("moments of integers"))
    return;
  for (size_t pair = (size_t)_i * 11 % step; pair < pairs; pair += step) {
    static struct subject subject;
    subject = (struct subject){.at = &layouts[_i]};
    const clred_op op = operators[pair % COUNT_OF(operators)];  // the oracle's indices begin with a result's elements
    prepare(&subject, op == CLRED_OP_STATS && layouts[_i].reversed ? CLRED_OP_VAR : op, types[pair % COUNT_OF(types)]);
    check_problems(&subject, given ? (size_t)atoi(given) : 3, &random);
    RELEASE(subject.plan);
  }
}
