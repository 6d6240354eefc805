// Tunings have effects. Measured numbers are kept, saved, read, reported and ignored as clreduce_device.h says. The
// program bits compares the results of plans with tunings.

#include "support/fixture.h"

#include "grid/bits_kinds.h"
#include "trial/trial.h"

static const clred_problem plain_sum = {OP(SUM, FLOAT)};

static clred_plan *plan_with(const clred_problem *problem, const struct clr_tuned *tuned) {
  clred_plan *plan = NULL;
  struct clr_status status;
  ck_assert_msg(clr_plan_make_tuned(under_test.runtime, problem, tuned, &plan, &status) == CL_SUCCESS, "%s",
                status.message);
  return OWN(plan);
}

TEST_CASE("effects", NULL, NULL);

// A tuning must have an effect. Otherwise the program bits would show nothing. Not every device has a cache for KEPT.
TEST(tunings_have_an_effect) {
  static const char *const assumed[] = {"cpu=1", "cpu=0"};
  for (size_t i = 0; i < 2; i++) {
    fixture_open_assuming(assumed[i]);
    for (size_t t = 0; t < bits_tuning_count; t++) {
      clred_plan *plan = plan_with(&plain_sum, &bits_tunings[t]);
      const unsigned free = bits_tunings[t].given & plan->strategy->reduce.tunables & ~CLR_TUNE_BIT(KEPT);
      const unsigned got = plan->shape.tuned.given & ~CLR_TUNE_BIT(KEPT);
      ck_assert_msg(got == free, "%s: tuning %zu: %x of %x", assumed[i], t, got, free);
      RELEASE(plan);
    }
    fixture_close();
  }
}

// ---------------------------------------------------------------- Files

static char notes[512];

static void keep_note(const char *line, void *user_data) {
  (void)user_data;
  snprintf(notes, sizeof notes, "%s", line);
}

// A device with little memory, so that measuring is quick.
static void open_small(void) {
  fixture_open_assuming("max_alloc=67108864");
}

static clred_runtime *runtime_with(const char *file) {
  clred_runtime *runtime = NULL;
  const clred_options options = {.tuning_file = file, .log = keep_note};
  *notes = 0;
  assert_ok(clred_runtime_create(under_test.context, under_test.id, &options, &runtime));
  return OWN(runtime);
}

#define FILE_NAME "test_tuned.made.txt"

static void keep_a_number(clred_runtime *runtime) {
  struct clr_tuning_row row = {.op = "sum", .type = "float", .state_size = 4, .length = CLR_LENGTH_ANY};
  strcpy(row.strategy, device_fact(&under_test, "cpu", 0) ? "chunked" : "wide");
  clr_tuned_set(&row.tuned, CLR_TUNE_GROUPS, 3);
  ck_assert(clr_runtime_keep_tuned(runtime, &row));
}

static cl_bool is_tuned(clred_runtime *runtime, clred_problem problem) {
  clred_plan *plan = NULL;
  char text[8192];
  assert_ok(clred_plan_create(runtime, &problem, &plan));
  const clred_plan_info info = fixture_inspect(plan, 1000000);
  clred_plan_describe(plan, 1000000, text, sizeof text);
  ck_assert_int_eq(strstr(text, "groups 3: tuned") != NULL, info.tuned);
  ck_assert(!info.tuned || info.groups <= 3);
  clred_plan_release(plan);
  return info.tuned;
}

TEST_CASE("files", fixture_open, fixture_close);

TEST(what_is_kept_is_read) {
  clred_runtime *runtime = runtime_with(NULL);
  ck_assert(!is_tuned(runtime, plain_sum));
  keep_a_number(runtime);
  ck_assert(is_tuned(runtime, plain_sum));
  assert_ok(clred_tuning_save(runtime, FILE_NAME));
  runtime = runtime_with(FILE_NAME);
  ck_assert_str_eq(runtime_info(runtime).tuning_note, "");
  ck_assert(is_tuned(runtime, plain_sum));
  ck_assert(!is_tuned(runtime, (clred_problem){OP(SUM, INT)}));
  ck_assert(!is_tuned(runtime, (clred_problem){OP(SUM, FLOAT), .groups = 100}));
  remove(FILE_NAME);
}

static void write_file(const char *bytes) {
  FILE *file = fopen(FILE_NAME, "wb");
  ck_assert_ptr_nonnull(file);
  fputs(bytes, file);
  fclose(file);
}

TEST(bad_files_are_noted) {
  static const char *const bad[] = {"", "nonsense", "clreduce tuning 9\n", "clreduce tuning 1\ncheck 0\n"};
  for (size_t i = 0; i < COUNT_OF(bad); i++) {
    write_file(bad[i]);
    clred_runtime *runtime = runtime_with(FILE_NAME);
    check_message(runtime_info(runtime).tuning_note, FILE_NAME);
    ck_assert_str_eq(runtime_info(runtime).tuning_note, notes);
    ck_assert(!is_tuned(runtime, plain_sum));
  }
  remove(FILE_NAME);
  clred_runtime *runtime = runtime_with(FILE_NAME);
  ck_assert_str_eq(runtime_info(runtime).tuning_note, "");
  runtime = runtime_with("/");
  ck_assert_str_ne(runtime_info(runtime).tuning_note, "");
}

TEST(unwritable_files_are_named) {
  assert_refused(clred_tuning_save(under_test.runtime, "no/such/directory/tuning"), CLRED_TUNING_FILE,
                 "no/such/directory/tuning");
  assert_invalid(clred_tuning_save(under_test.runtime, ""));
}

// ---------------------------------------------------------------- Measuring

static cl_bool count_calls(double done, void *user_data) {
  ck_assert(done >= 0 && done <= 1);
  ++*(unsigned *)user_data;
  return CL_FALSE;
}

static cl_bool stop(double done, void *user_data) {
  (void)done;
  ++*(unsigned *)user_data;
  return CL_TRUE;
}

TEST_CASE("measuring", open_small, fixture_close);

TEST(measuring_finds_and_keeps) {
  unsigned calls = 0;
  clred_tuned tuned[CLRED_TUNED_MAX];
  size_t count = 99;
  const clred_problem small = {OP(SUM, FLOAT), .count_max = 5000};
  const clred_tune_options options = {.seconds = 0.5, .progress = count_calls, .user_data = &calls};
  assert_ok(clred_tune(under_test.runtime, &small, &options, tuned, &count));
  ck_assert_uint_eq(count, 1);
  ck_assert_str_eq(tuned[0].length, "small");
  ck_assert_uint_eq(tuned[0].count, 5000);
  ck_assert(tuned[0].before > 0 && tuned[0].after > 0 && tuned[0].tried > 0 && calls > 0);
  clred_plan *plan = fixture_plan(&small);
  ck_assert_int_eq(fixture_inspect(plan, 5000).tuned != CL_FALSE, *tuned[0].numbers != 0);
}

// Three lengths, and "any". The library makes values for the operator's further input and parameters.
TEST(all_lengths_are_measured) {
  static const char *const names[] = {"small", "middle", "large", "any"};
  clred_tuned tuned[CLRED_TUNED_MAX];
  size_t count = 0;
  const clred_tune_options options = {.seconds = 0.01};
  assert_ok(clred_tune(under_test.runtime, &bits_weighted, &options, tuned, &count));
  ck_assert_uint_eq(count, 4);
  for (size_t i = 0; i < 4; i++)
    ck_assert_str_eq(tuned[i].length, names[i]);
}

TEST(measuring_can_be_stopped_and_refused) {
  unsigned calls = 0;
  size_t count = 99;
  const clred_tune_options options = {.seconds = 60, .progress = stop, .user_data = &calls};
  assert_ok(clred_tune(under_test.runtime, &plain_sum, &options, NULL, &count));
  ck_assert_uint_eq(calls, 1);
  ck_assert_uint_le(count, 1);
  const clred_problem refused[] = {{OP(SUM, FLOAT), LAYOUT(ROWS)},
                                   {OP(SUM, FLOAT), LAYOUT(STRIDED)},
                                   {OP(SUM, FLOAT), SCAN(INCLUSIVE)},
                                   {OP(SUM, FLOAT), SCAN(INCLUSIVE), .reversed = CL_TRUE},
                                   PROBLEM(OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 1000)};
  for (size_t i = 0; i < COUNT_OF(refused); i++) {
    assert_status(clred_tune(under_test.runtime, &refused[i], NULL, NULL, &count), CLRED_STRATEGY_REFUSED);
    ck_assert_uint_eq(count, 0);
  }
}

// ---------------------------------------------------------------- Little memory

static const clred_operator pairs =
  OPERATOR(.name = "pairs",
           .preamble = "typedef struct { int value, other; } pair;\n"
                       "pair pair_of(int v, int o)\n{\n  pair p;\n  p.value = v;\n  p.other = o;\n  return p;\n}\n",
           .element = "int", .state = "pair", .identity = "{ 0, 0 }", .lift = "pair_of(x, 1)",
           .combine = "pair_of(a.value + b.value, a.other + b.other)", .commutative = CL_TRUE);

#define TUNE(max) \
  { OP(SUM, FLOAT), .strategy = "chunked", .count_max = (max) }
static const struct {
  const char *assume;
  clred_problem problem;
  cl_int status;
  cl_ulong measured;  // elements of a call; 0: not looked at
} tunings[] = {
  {"cpu=0,global_mem_size=0,max_alloc=1048576", TUNE(0), CL_SUCCESS, 0},
  {"max_alloc=65536", TUNE(5000), CL_SUCCESS, 4096},
  {"global_mem_size=16", TUNE(0), CL_OUT_OF_RESOURCES, 0},
  // If the parts of a result are unknown, tuning compares its bytes.
  {"", {.custom = &pairs, .strategy = "chunked", .count_max = 5000}, CL_SUCCESS, 5000},
};

TEST_ROWS(tuning_with_little_memory, tunings) {
  unsigned calls = 0;
  clred_tuned tuned[CLRED_TUNED_MAX] = {{0}};
  const clred_tune_options options = {
    .seconds = 0.2, .progress = tunings[_i].problem.custom ? NULL : stop, .user_data = &calls};
  fixture_reopen(tunings[_i].assume);
  assert_status(clred_tune(under_test.runtime, &tunings[_i].problem, &options, tuned, NULL), tunings[_i].status);
  ck_assert(!tunings[_i].measured || tuned[0].count == tunings[_i].measured);
  check_said(tunings[_i].status ? "no memory for elements" : "");
}
