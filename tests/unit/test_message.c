// Problems and options that were packed and unpacked, and messages that are cut off or damaged.

#include "support/suite.h"

#include "model/message.h"

static const clred_op list[] = {CLRED_OP_SUM, CLRED_OP_MAX};
static const clred_operand inputs[] = {{.name = "y", .type = "float", .size = 4}, {.name = "z", .type = "int"}};
static const clred_operand parameters[] = {{.name = "scale", .type = "double"}};
static const clred_operator custom = {.name = "mine",
                                      .element = "float",
                                      .state = "{ float a; }",
                                      .identity = "{0}",
                                      .combine = "a",
                                      .inputs = inputs,
                                      .input_count = 2,
                                      .parameters = parameters,
                                      .parameter_count = 1,
                                      .host = &(const clred_host_operator){.user_data = NULL}};
static const clred_selection selection = {.name = "positive", .keep = "x > 0"};
static const double edges[] = {0, 1, 3};
static const clred_histogram histogram = {.bins = 2, .edges = edges},
                             two_axes = {.bins = 3, .high = 1, .next = &histogram};

static const clred_problem problems[] = {
  {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .strategy = "wide", .count_max = 77},
  {.type = CLRED_TYPE_INT, .list = list, .list_count = 2},
  {.custom = &custom},
  {.type = CLRED_TYPE_FLOAT, .selection = &selection, .indices = CL_TRUE},
  {.type = CLRED_TYPE_FLOAT, .histogram = &histogram},
  {.type = CLRED_TYPE_FLOAT, .histogram = &two_axes},
};

static void check_custom(const clred_operator *got) {
  ck_assert_str_eq(got->state, "{ float a; }");
  ck_assert_ptr_null(got->lift);
  ck_assert_ptr_null(got->host);
  ck_assert_str_eq(got->inputs[1].name, "z");
  ck_assert_uint_eq(got->inputs[0].size, 4);
  ck_assert_str_eq(got->parameters[0].type, "double");
}

static void check_same(const clred_problem *got, const clred_problem *given) {
  ck_assert_int_eq(got->type, given->type);
  ck_assert_uint_eq(got->count_max, given->count_max);
  ck_assert_int_eq(!got->strategy, !given->strategy);
  if (given->strategy)
    ck_assert_str_eq(got->strategy, given->strategy);
  if (given->list)
    ck_assert_mem_eq(got->list, list, sizeof list);
  if (given->custom)
    check_custom(got->custom);
  if (given->selection)
    ck_assert_str_eq(got->selection->keep, "x > 0");
  const clred_histogram *bins = given->histogram && given->histogram->next ? got->histogram->next : got->histogram;
  ck_assert(!bins || (bins->edges != edges && memcmp(bins->edges, edges, sizeof edges) == 0));
}

TEST_CASE("message", NULL, NULL);

TEST_ROWS(a_problem_arrives_whole, problems) {
  struct clr_text bytes = {0};
  struct clr_unpacked blocks = {.count = 0};
  clred_problem got;
  clr_pack(CLR_PACKED_PROBLEM, &problems[_i], &bytes);
  const char *from = bytes.bytes;
  ck_assert(clr_unpack(CLR_PACKED_PROBLEM, &from, bytes.bytes + bytes.length, &got, &blocks));
  ck_assert_ptr_eq(from, bytes.bytes + bytes.length);
  check_same(&got, &problems[_i]);
  clr_unpacked_release(&blocks);
  clr_text_release(&bytes);
}

TEST_ROWS(a_message_that_is_cut_off_is_refused, problems) {
  struct clr_text bytes = {0};
  clred_problem got;
  clr_pack(CLR_PACKED_PROBLEM, &problems[_i], &bytes);
  for (size_t length = 0; length < bytes.length; length++) {
    struct clr_unpacked blocks = {.count = 0};
    // Memory of exactly this size, so that a sanitizer sees reads behind it.
    char *part = malloc(length + 1);
    memcpy(part, bytes.bytes, length);
    const char *from = part;
    ck_assert(!clr_unpack(CLR_PACKED_PROBLEM, &from, part + length, &got, &blocks));
    clr_unpacked_release(&blocks);
    free(part);
  }
  clr_text_release(&bytes);
}

TEST(options_arrive_without_what_belongs_to_this_process) {
  char error[8];
  const clred_options given = {
    .assume = "cpu=0", .cache_directory = "here", .error = error, .error_size = sizeof error, .trial_seconds = 7};
  struct clr_text bytes = {0};
  struct clr_unpacked blocks = {.count = 0};
  clred_options got;
  clr_pack(CLR_PACKED_OPTIONS, &given, &bytes);
  const char *from = bytes.bytes;
  ck_assert(clr_unpack(CLR_PACKED_OPTIONS, &from, bytes.bytes + bytes.length, &got, &blocks));
  ck_assert_str_eq(got.assume, "cpu=0");
  ck_assert_str_eq(got.cache_directory, "here");
  ck_assert_ptr_null(got.build_options);
  ck_assert_ptr_null(got.error);
  ck_assert_uint_eq(got.trial_seconds, 7);
  clr_unpacked_release(&blocks);
  clr_text_release(&bytes);
}
