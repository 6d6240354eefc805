// Calls that must be refused, in one table: the status, and words of the message, which names the culprit. A refused
// call makes no event and writes nothing, neither to its buffers, nor beside them, nor to the host's memory. Similar
// calls, which are served, are below the table.

#include "support/fixture.h"

// ---------------------------------------------------------------- Buffers

// All except MARKS have the floats 1, 2, 3, ... of fixture_numbers. MARKS has the uints 0, 0, 1, 1, 2, 2, ...: keys,
// offsets or, as bytes, flags. FRONT is elements 0 to 1023 of WHOLE, SHIFTED 512 to 1535, BACK 1024 to 2047.
#define IMAGES_OF(I) \
  I(WHOLE, 4096) \
  I(FOUR, 4) \
  I(TEN, 10) \
  I(FIVE, 10) \
  I(OUTCOMES, 8) \
  I(COUNTS, 64) \
  I(IN, 100) \
  I(OUT, 100) \
  I(MARKS, 100) \
  I(KEYS_OUT, 100) \
  I(THOUSAND, 1000) \
  I(OTHER, 1000) \
  I(LONG_IN, 12000) \
  I(LONG_OUT, 40000) \
  I(FEW, 20)
#define NUMBER_OF_IMAGE(name, size) name##_,
#define SIZE_OF_IMAGE(name, size) [name##_] = size,
enum buffer { IMAGES_OF(NUMBER_OF_IMAGE) IMAGES };
enum { FRONT_ = IMAGES, SHIFTED_, BACK_, PART_, READ_ONLY_, FOREIGN_, IMAGE_, BUFFERS };
static const size_t floats[IMAGES] = {IMAGES_OF(SIZE_OF_IMAGE)};

static struct image images[IMAGES];
static cl_mem buffers[BUFFERS];
static cl_context foreign;

// The table is made before the buffers. So its rows have the address of an element of `buffers` for each buffer.
#define PLACE(name) ((cl_mem)(void *)&buffers[name##_])
#define WHOLE PLACE(WHOLE)
#define FRONT PLACE(FRONT)
#define SHIFTED PLACE(SHIFTED)
#define BACK PLACE(BACK)
#define PART PLACE(PART)
#define FOUR PLACE(FOUR)
#define TEN PLACE(TEN)
#define FIVE PLACE(FIVE)
#define OUTCOMES PLACE(OUTCOMES)
#define COUNTS PLACE(COUNTS)
#define IN PLACE(IN)
#define OUT PLACE(OUT)
#define MARKS PLACE(MARKS)
#define KEYS_OUT PLACE(KEYS_OUT)
#define THOUSAND PLACE(THOUSAND)
#define OTHER PLACE(OTHER)
#define LONG_IN PLACE(LONG_IN)
#define LONG_OUT PLACE(LONG_OUT)
#define READ_ONLY PLACE(READ_ONLY)
#define FOREIGN PLACE(FOREIGN)
#define IMAGE PLACE(IMAGE)

static cl_mem buffer_at(cl_mem place) {
  return place ? *(cl_mem *)(void *)place : NULL;
}

static void make_image(enum buffer of) {
  struct image *image = &images[of];
  const bool has_parts = of == WHOLE_ || of == THOUSAND_;
  const char *trouble = (has_parts ? image_create_whole : image_create)(image, &under_test, floats[of] * sizeof(float));
  for (size_t i = 0; i < floats[of]; i++) {
    const cl_uint mark = (cl_uint)i / 2;
    const float number = fixture_sum(i, 1);
    memcpy(image->bytes + 4 * i, of == MARKS_ ? (const void *)&mark : &number, 4);
  }
  trouble = trouble ? trouble : image_upload(image, &under_test);
  ck_assert_msg(!trouble, "%s", trouble);
  buffers[of] = image->mem;
}

static void open_all(void) {
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
  fixture_open();
  for (enum buffer of = 0; of < IMAGES; of++)
    make_image(of);
  buffers[FRONT_] = fixture_sub_buffer(images[WHOLE_].mem, 0, 1024);
  buffers[SHIFTED_] = fixture_sub_buffer(images[WHOLE_].mem, 512, 1024);
  buffers[BACK_] = fixture_sub_buffer(images[WHOLE_].mem, 1024, 1024);
  buffers[PART_] = fixture_sub_buffer(images[THOUSAND_].mem, 0, 100);
  buffers[READ_ONLY_] = OWN(clCreateBuffer(under_test.context, CL_MEM_READ_ONLY, 16384, NULL, NULL));
  buffers[IMAGE_] = clCreateImage(under_test.context, CL_MEM_READ_ONLY, &format, &desc, NULL, NULL);
  foreign = clCreateContext(NULL, 1, &under_test.id, NULL, NULL, NULL);
  buffers[FOREIGN_] = OWN(clCreateBuffer(foreign, CL_MEM_READ_WRITE, 4000, NULL, NULL));
}

static void close_all(void) {
  for (enum buffer of = 0; of < IMAGES; of++)
    image_release(&images[of]);
  if (buffers[IMAGE_])
    clReleaseMemObject(buffers[IMAGE_]);
  fixture_close();
  clReleaseContext(foreign);
}

// ---------------------------------------------------------------- Plans

static const clred_histogram sixteen = {.bins = 16, .low = 0, .high = 16};
static const clred_histogram weighed = {.bins = 16, .low = 0, .high = 16, .weight_type = CLRED_TYPE_DOUBLE};
static const clred_selection fifth = {.name = "fifth", .keep = "index % 5 == 0"};
static const clred_operator pairs =
  OPERATOR(.name = "pairs", .element = "int", .state = "pair", .identity = "{ 0, 0 }", .combine = "a",
           .preamble = "typedef struct { int value, other; } pair;\n"
                       "pair pair_of(int v)\n{\n  pair p;\n  p.value = v;\n  p.other = 1;\n  return p;\n}\n",
           .lift = "pair_of(x)");

#define SUMS OP(SUM, FLOAT)
#define SCANS OP(SUM, FLOAT), SCAN(INCLUSIVE)
#define BY_KEY(of_type) .segment_type = CLRED_TYPE_##of_type, .count_max = 100
#define PLANS_OF(P) \
  P(SUM, SUMS) \
  P(BOUNDED, SUMS, .strategy = "bottom_up", .count_max = 50) \
  P(ON_HOST, SUMS, .strategy = "host_serial") \
  P(DOT, OP(DOT, FLOAT)) \
  P(STRIDED, OP(SUM, INT), LAYOUT(STRIDED)) \
  P(ROWS, OP(SUM, INT), LAYOUT(ROWS)) \
  P(COLUMNS, OP(SUM, INT), LAYOUT(COLUMNS)) \
  P(SUM_ROWS, SUMS, LAYOUT(ROWS)) \
  P(DOT_ROWS, OP(DOT, FLOAT), LAYOUT(ROWS)) \
  P(DOT_COLUMNS, OP(DOT, FLOAT), LAYOUT(COLUMNS)) \
  P(SEGMENTS, SUMS, LAYOUT(SEGMENTS), BY_KEY(UINT)) \
  P(SEGMENTS_LONG, SUMS, LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_LONG) \
  P(SEGMENTS_IN_PLACE, SCANS, LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_LONG, .in_place = CL_TRUE) \
  P(HEADS, SUMS, LAYOUT(HEADS), .count_max = 100) \
  P(KEYS, SUMS, LAYOUT(KEYS), BY_KEY(UINT)) \
  P(DOT_KEYS, OP(DOT, FLOAT), LAYOUT(KEYS), BY_KEY(UINT)) \
  P(SCAN_KEYS, SCANS, LAYOUT(KEYS), BY_KEY(UINT)) \
  P(SCAN, SCANS, .strategy = "scan_chunked") \
  P(IN_PLACE, SCANS, .strategy = "scan_chunked", .in_place = CL_TRUE) \
  P(SCAN_STRIDED, SCANS, .strategy = "scan_host_serial", .in_place = CL_TRUE, LAYOUT(STRIDED)) \
  P(SCAN_ON_HOST, SCANS, .strategy = "scan_host_serial") \
  P(SCAN_DOT, OP(DOT, FLOAT), SCAN(INCLUSIVE), .strategy = "scan_host_serial") \
  P(SCAN_BOUNDED, SCANS, .strategy = "scan_blelloch_recursive", .count_max = 100) \
  P(SCAN_ROWS, OP(SUM, LONG), SCAN(INCLUSIVE), LAYOUT(ROWS)) \
  P(SCAN_COLUMNS, OP(SUM, LONG), SCAN(INCLUSIVE), LAYOUT(COLUMNS)) \
  P(PAIRS_IN_PLACE, .custom = &pairs, SCAN(INCLUSIVE), .in_place = CL_TRUE) \
  P(HISTOGRAM, .type = CLRED_TYPE_FLOAT, .histogram = &sixteen, .strategy = "histogram_host_serial") \
  P(WEIGHTS, .type = CLRED_TYPE_FLOAT, .histogram = &weighed, .strategy = "histogram_host_serial") \
  P(SELECTION, .type = CLRED_TYPE_UINT, .selection = &fifth)
#define NUMBER_OF(name, ...) name,
#define PROBLEM_OF(name, ...) [name] = {__VA_ARGS__},
enum plan { PLANS_OF(NUMBER_OF) PLANS };
static const clred_problem problems[PLANS] = {PLANS_OF(PROBLEM_OF)};

// ---------------------------------------------------------------- The table

#define UNTOUCHED (-77.0f)
static float result = UNTOUCHED;
static const float start = 1;
static clred_outcome outcome = {7, 8};
static const cl_ulong three = 3, eight = 8;

struct row {
  int line;
  enum plan plan;
  cl_int status;
  const char *words;
  bool is_range;  // clred_enqueue_reduce must answer alike
  clred_call call;
};

#define HIGH ((cl_ulong)1 << 62)
#define OVERWRITES "overwrite another element"
#define TO_HOST .result = &result, .blocking = CL_TRUE
#define LINES .in = LONG_IN, .out = LONG_OUT
#define FEW .in = LONG_IN, .out = PLACE(FEW)
#define SELECTED .outcome = &outcome, .in = THOUSAND
#define SEGMENTED .in = IN, .count = 64, .segments = MARKS, .rows = 8
#define PRODUCTS \
  .in = IN, .inputs = &buffers[OUT_], .input_offsets = &three, .count = 4, .stride = 8, .columns = 8, .rows = 1
#define KEYED_PRODUCTS .in = IN, .inputs = &buffers[BACK_], .count = 16, .segments = MARKS, .rows = 8
#define KEYED(n, to) .in = IN, .count = (n), .segments = MARKS, .out = to

#define REFUSED(plan, code, said, ...) {__LINE__, plan, CLRED_##code, said, false, {__VA_ARGS__}},
#define SERVED(plan, ...) {__LINE__, plan, CL_SUCCESS, "", false, {__VA_ARGS__}},
#define RANGE(plan, code, said, from, to, n) \
  {__LINE__, plan, CLRED_##code, \
   said,     true, {.in = THOUSAND, .in_offset = (from), .out = FOUR, .out_offset = (to), .count = (n)}},
#define RANGE_OF(plan, code, said, from, to) \
  {__LINE__, plan, CLRED_##code, said, true, {.in = (from), .out = (to), .count = 1}},
static const struct row rows[] = {
#include "refused_calls.def"
};

static clred_call call_of(const struct row *row) {
  clred_call call = row->call;
  call.in = buffer_at(call.in);
  call.out = buffer_at(call.out);
  call.segments = buffer_at(call.segments);
  call.keys_out = buffer_at(call.keys_out);
  call.initial_buffer = buffer_at(call.initial_buffer);
  call.outcome_buffer = buffer_at(call.outcome_buffer);
  return call;
}

static void check_untouched(const struct row *row) {
  assert_ok(clFinish(under_test.queue));
  for (enum buffer of = 0; of < IMAGES; of++) {
    const char *trouble = image_check(&images[of], &under_test);
    ck_assert_msg(!trouble, "line %d: %s", row->line, trouble);
  }
  ck_assert_msg(result == UNTOUCHED && outcome.count == 7 && outcome.fault == 8,
                "line %d: the host's memory was written", row->line);
}

static void check_row(const struct row *row, clred_plan *plan) {
  const clred_call call = call_of(row);
  cl_event event = NULL;
  assert_status_at("refused_calls.def", row->line, "clred_enqueue",
                   clred_enqueue(under_test.queue, plan, &call, 0, NULL, &event), row->status);
  check_said_at("refused_calls.def", row->line, row->words);
  if (row->is_range) {
    assert_status_at("refused_calls.def", row->line, "clred_enqueue_reduce",
                     clred_enqueue_reduce(under_test.queue, plan, call.in, call.out, call.in_offset, call.out_offset,
                                          call.count, 0, NULL, &event),
                     row->status);
    check_said_at("refused_calls.def", row->line, row->words);
  }
  ck_assert_msg(!event == (row->status != CL_SUCCESS), "line %d: a refused call has no event", row->line);
  if (event)
    clReleaseEvent(event);
  check_untouched(row);
}

TEST_CASE("calls", open_all, close_all);

TEST_EACH(calls_are_refused, 0, PLANS) {
  clred_plan *plan = fixture_plan(&problems[_i]);
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    if (rows[i].plan == (enum plan)_i && (rows[i].call.in != IMAGE || buffers[IMAGE_]))
      check_row(&rows[i], plan);
  if (_i == ON_HOST && !buffers[IMAGE_])
    fixture_skip("an image for elements", "the device makes none");
}

// ---------------------------------------------------------------- Neighbours

// Adjacent ranges, and other parts of one buffer, are allowed. Each call changes only its results, so the calls of one
// test need not be independent.
static void check_served(enum plan of, const clred_call *call, size_t at, float expected) {
  clred_plan *plan = fixture_plan(&problems[of]);
  const struct row row = {.call = *call};
  const clred_call resolved = call_of(&row);
  fixture_call(plan, &resolved, CL_SUCCESS, "");
  assert_ok(clFinish(under_test.queue));
  ck_assert_float_eq(fixture_read(resolved.out, at), expected);
}
#define CHECK_SERVED(of, at, expected, ...) check_served(of, &(const clred_call){__VA_ARGS__}, at, expected)

TEST(neighbours_are_served) {
  CHECK_SERVED(SUM, 3, fixture_sum(1, 999), .in = THOUSAND, .in_offset = 1, .out = FOUR, .out_offset = 3, .count = 999);
  CHECK_SERVED(SUM, 0, fixture_sum(3, 97), .in = PART, .in_offset = 3, .count = 97, .out = FOUR);
  CHECK_SERVED(BOUNDED, 0, fixture_sum(0, 50), .in = THOUSAND, .count = 50, .out = FOUR);
  CHECK_SERVED(SUM_ROWS, 32, fixture_sum(0, 8), .in = IN, .count = 8, .rows = 4, .out = IN, .out_offset = 32);
  CHECK_SERVED(SUM_ROWS, 1023, fixture_sum(1032, 8), .in = BACK, .count = 8, .rows = 2, .out = WHOLE,
               .out_offset = 1022);
  CHECK_SERVED(DOT_COLUMNS, 35, 4 + 9 * 12 + 17 * 20 + 25 * 28, PRODUCTS, .out = OUT, .out_offset = 35);
  CHECK_SERVED(SEGMENTS, 21, 1, SEGMENTED, .out = MARKS, .out_offset = 20);
  CHECK_SERVED(DOT_KEYS, 0, fixture_sum(1024, 1) + 2 * fixture_sum(1025, 1), KEYED_PRODUCTS, .out = OUT,
               .keys_out = OUT, .keys_out_offset = 8);
  // One result is written after everything was read.
  CHECK_SERVED(SUM_ROWS, 0, fixture_sum(1024, 8), .in = BACK, .count = 8, .rows = 1, .out = BACK);
}

TEST(neighbours_by_key) {
  CHECK_SERVED(HEADS, 1, fixture_sum(8, 4), .in = IN, .count = 16, .segments = MARKS, .out = OUT);
  CHECK_SERVED(KEYS, 24, fixture_sum(48, 2), KEYED(50, OUT), .rows = 50, .keys_out = MARKS, .keys_out_offset = 50);
  ck_assert_float_eq(fixture_read(buffers[OUT_], 25), 26);
  CHECK_SERVED(HISTOGRAM, 0, 1, .in = COUNTS, .count = 32, .out = COUNTS, .out_offset = 16);
}

TEST(neighbours_of_scans) {
  CHECK_SERVED(SCAN, 0, 11, .in = OTHER, .out = WHOLE, .initial_buffer = WHOLE, .initial_offset = 9, .count = 9);
  CHECK_SERVED(SCAN, 2017, fixture_sum(2000, 9), .in = WHOLE, .in_offset = 2000, .out = WHOLE, .out_offset = 2009,
               .count = 9);
  CHECK_SERVED(SCAN, 3008, fixture_sum(3009, 9), .in = WHOLE, .in_offset = 3009, .out = WHOLE, .out_offset = 3000,
               .count = 9);
  CHECK_SERVED(SCAN, 0, 11, .in = FRONT, .out = SHIFTED, .count = 512);
  CHECK_SERVED(IN_PLACE, 203, fixture_sum(200, 4), .in = FRONT, .out = FRONT, .in_offset = 200, .out_offset = 200,
               .count = 824);
  CHECK_SERVED(IN_PLACE, 0, 11, .in = WHOLE, .out = OTHER, .count = 1000);
  CHECK_SERVED(SCAN_STRIDED, 0, 11, .in = WHOLE, .out = WHOLE, .count = 100, .stride = 3, .out_stride = 3);
  CHECK_SERVED(SCAN_STRIDED, 0, 11, .in = WHOLE, .out = WHOLE, .count = 100, .stride = 3);
}

// ---------------------------------------------------------------- Queues, events and other entries

TEST(queues_and_events) {
  const clred_call call = {.in = buffers[THOUSAND_], .count = 9, .out = buffers[FOUR_]};
  const cl_command_queue queue = under_test.queue,
                         stranger = OWN(clCreateCommandQueue(foreign, under_test.id, 0, NULL));
  const cl_event none = NULL, event = OWN(clCreateUserEvent(foreign, NULL));
  clred_plan *plan = fixture_plan(&problems[SUM]);
  assert_ok(clSetUserEventStatus(event, CL_COMPLETE));
  assert_refused(clred_enqueue(stranger, plan, &call, 0, NULL, NULL), CLRED_CONTEXT_MISMATCH, "queue");
  assert_refused(clred_enqueue(queue, plan, &call, 1, &event, NULL), CLRED_CONTEXT_MISMATCH, "event");
  assert_status(clred_plan_run_host(stranger, plan, &(clred_host_call){.in = &start, .count = 1, .out = &result}),
                CLRED_CONTEXT_MISMATCH);
  refused_naming(clred_enqueue(NULL, plan, &call, 0, NULL, NULL), "queue is NULL");
  refused_naming(clred_enqueue(queue, plan, &call, 1, NULL, NULL), "event_wait_list");
  refused_naming(clred_enqueue(queue, plan, &call, 1, &none, NULL), "event_wait_list");
  refused_naming(clred_enqueue(queue, plan, &call, 0, &none, NULL), "is given while");
  assert_invalid(clred_enqueue(queue, NULL, &call, 0, NULL, NULL));
  check_untouched(&(const struct row){0});
}

// Calls of another kind than the plan, and counts above count_max elsewhere.
TEST(other_entries) {
  const cl_command_queue queue = under_test.queue;
  const cl_mem in = buffers[IN_], out = buffers[OUT_];
  clred_plan *sum = fixture_plan(&problems[ON_HOST]), *histogram = fixture_plan(&problems[HISTOGRAM]),
             *selection = fixture_plan(&problems[SELECTION]), *bounded = fixture_plan(&problems[BOUNDED]);
  clred_plan_info info;
  refused_naming(clred_enqueue_scan(queue, sum, in, out, 0, 0, 9, 0, NULL, NULL),
                 "the plan reduces|make it with problem.scan");
  refused_naming(clred_enqueue_reduce(queue, histogram, in, out, 0, 0, 64, 0, NULL, NULL), "give it to clred_enqueue");
  refused_naming(clred_enqueue_scan(queue, histogram, in, out, 0, 0, 64, 0, NULL, NULL), "the plan counts in bins");
  refused_naming(clred_enqueue_scan(queue, selection, in, out, 0, 0, 9, 0, NULL, NULL),
                 "the plan selects, and this call scans");
  refused_naming(clred_enqueue_reduce(queue, selection, in, out, 0, 0, 9, 0, NULL, NULL),
                 "the plan selects, and this call reduces");
  assert_status(clred_plan_inspect(bounded, 51, &info), CLRED_COUNT_ABOVE_MAXIMUM);
  const clred_host_call call = {.in = buffers, .count = 51, .out = &result};
  assert_status(clred_plan_run_host(queue, bounded, &call), CLRED_COUNT_ABOVE_MAXIMUM);
  assert_invalid(clred_plan_reference(selection, &call));
  check_untouched(&(const struct row){0});
}
