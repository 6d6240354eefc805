// Public functions that must refuse their arguments, one row each: NULL for each argument, numbers past the
// end, objects of another kind. The function returns an error and a message that names the argument, or it does
// nothing. The tables refusals.def and refused_calls.def have problems and calls.

#include "support/fixture.h"

#include <math.h>

static const clred_problem sum = {OP(SUM, FLOAT)};
static const clred_selection positive = {.name = "positive", .keep = "x > 0"};

TEST_CASE("functions", fixture_open, fixture_close);

TEST(tables) {
  clred_type_info type;
  clred_op_info op;
  clred_strategy_info strategy;
  clred_type result;
  assert_invalid(clred_type_inspect(CLRED_TYPE_NONE, &type));
  assert_invalid(clred_op_inspect(CLRED_OP_NONE, &op));
  assert_invalid(clred_strategy_at(0, NULL));
  assert_invalid(clred_strategy_at((size_t)-1, &strategy));
  assert_invalid(clred_strategy_at(10000, &strategy));
  assert_invalid(clred_type_inspect(CLRED_TYPE_FLOAT, NULL));
  assert_invalid(clred_type_inspect((clred_type)-1, &type));
  assert_invalid(clred_type_inspect((clred_type)15, &type));
  assert_invalid(clred_type_inspect((clred_type)99, &type));
  assert_invalid(clred_op_inspect(CLRED_OP_SUM, NULL));
  assert_invalid(clred_op_inspect((clred_op)-1, &op));
  assert_invalid(clred_op_inspect((clred_op)28, &op));
  ck_assert_int_eq(clred_type_from_name(NULL), CLRED_TYPE_NONE);
  ck_assert_int_eq(clred_op_from_name(NULL), CLRED_OP_NONE);
  assert_invalid(clred_result_type(CLRED_OP_SUM, CLRED_TYPE_FLOAT, NULL));
  ck_assert_int_ne(clred_result_type((clred_op)-1, CLRED_TYPE_FLOAT, &result), CL_SUCCESS);
  ck_assert_int_ne(clred_result_type(CLRED_OP_SUM, (clred_type)-1, &result), CL_SUCCESS);
  assert_invalid(clred_result_type((clred_op)99, CLRED_TYPE_INT, &result));
  assert_invalid(clred_result_type(CLRED_OP_SUM, CLRED_TYPE_NONE, &result));
}

TEST(runtimes) {
  clred_runtime *runtime = under_test.runtime;
  clred_fact fact;
  char error[128] = "";
  const clred_options options = {.error = error, .error_size = sizeof error};
  assert_invalid(clred_runtime_create(NULL, under_test.id, &options, &runtime));
  ck_assert_ptr_null(runtime);
  ck_assert_ptr_nonnull(strstr(error, "context"));
  assert_invalid(clred_runtime_create(under_test.context, NULL, &options, &runtime));
  ck_assert_ptr_nonnull(strstr(error, "device"));
  assert_invalid(clred_runtime_create(under_test.context, under_test.id, &options, NULL));
  assert_invalid(clred_runtime_create(NULL, NULL, &(clred_options){.error = error}, &runtime));
  assert_invalid(clred_runtime_create(NULL, NULL, NULL, &runtime));
  assert_invalid(clred_runtime_fact(NULL, 0, &fact));
  assert_invalid(clred_runtime_fact(under_test.runtime, 0, NULL));
  assert_invalid(clred_runtime_fact(under_test.runtime, (size_t)-1, &fact));
  assert_invalid(clred_runtime_fact(under_test.runtime, 10000, &fact));
  clred_runtime_info about;
  assert_invalid(clred_runtime_inspect(NULL, &about));
  assert_invalid(clred_runtime_inspect(under_test.runtime, NULL));
  ck_assert_uint_eq(clred_runtime_save_cache(NULL), 0);
  ck_assert_str_eq(clred_last_error(NULL), "");
  ck_assert_int_eq(clred_runtime_inspect(under_test.runtime, &about), CL_SUCCESS);
  ck_assert_str_eq(about.build_log, "");
  ck_assert_str_eq(about.tuning_note, "");
  assert_invalid(clred_tuning_save(NULL, "file"));
  assert_invalid(clred_tuning_save(under_test.runtime, NULL));
  clred_runtime_release(NULL);
  clred_plan_release(NULL);
  clred_stream_release(NULL);
}

TEST(host_memory) {
  clred_runtime *runtime = under_test.runtime;
  const float in[4] = {1, 2, 3, 4};
  float out[4];
  cl_ulong kept;
  assert_invalid(clred_reduce_host(NULL, CLRED_TYPE_FLOAT, CLRED_OP_SUM, in, 4, out));
  refused_naming(clred_reduce_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, NULL, 4, out), "in");
  refused_naming(clred_reduce_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, in, 4, NULL), "result");
  assert_invalid(clred_scan_host(NULL, CLRED_TYPE_FLOAT, CLRED_OP_SUM, CLRED_SCAN_INCLUSIVE, in, 4, out));
  refused_naming(clred_scan_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, CLRED_SCAN_INCLUSIVE, NULL, 4, out), "in");
  refused_naming(clred_scan_host(runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, CLRED_SCAN_INCLUSIVE, in, 4, NULL), "out");
  assert_invalid(clred_select_host(NULL, CLRED_TYPE_FLOAT, &positive, in, 4, out, &kept));
  refused_naming(clred_select_host(runtime, CLRED_TYPE_FLOAT, NULL, in, 4, out, &kept), "selection is NULL");
  refused_naming(clred_select_host(runtime, CLRED_TYPE_FLOAT, &positive, in, 4, out, NULL), "kept is NULL");
  assert_invalid(clred_histogram_host(NULL, CLRED_TYPE_FLOAT, NULL, in, 4, &kept));
  refused_naming(clred_histogram_host(runtime, CLRED_TYPE_FLOAT, NULL, in, 4, &kept), "histogram is NULL");
}

TEST(plans) {
  clred_plan *plan = fixture_plan(&sum), *none;
  clred_plan_info info;
  clred_part part;
  clred_step step;
  double number;
  char reason[64] = "x";
  assert_invalid(clred_plan_create(NULL, &sum, &none));
  refused_naming(clred_plan_create(under_test.runtime, NULL, &none), "problem");
  refused_naming(clred_plan_create(under_test.runtime, &sum, NULL), "plan");
  assert_invalid(clred_plan_inspect(NULL, 1, &info));
  assert_invalid(clred_plan_inspect(plan, 1, NULL));
  assert_invalid(clred_plan_part(NULL, 0, &part));
  assert_invalid(clred_plan_part(plan, 0, NULL));
  assert_invalid(clred_plan_part(plan, (size_t)-1, &part));
  assert_invalid(clred_plan_edge(NULL, 0, &number));
  assert_invalid(clred_plan_edge(plan, 0, NULL));
  assert_invalid(clred_plan_edge(plan, 0, &number));
  assert_invalid(clred_plan_step(NULL, 1, 0, &step));
  assert_invalid(clred_plan_step(plan, 1, 0, NULL));
  assert_invalid(clred_plan_step(plan, 1, (cl_ulong)-1, &step));
  assert_invalid(clred_plan_seconds(NULL, &number));
  assert_invalid(clred_plan_seconds(plan, NULL));
  assert_status(clred_plan_seconds(plan, &number), CL_PROFILING_INFO_NOT_AVAILABLE);
  ck_assert_uint_eq(clred_plan_describe(NULL, 1, reason, sizeof reason), 0);
  size_t length = clred_plan_describe(plan, 1, NULL, 0);
  ck_assert_uint_gt(length, sizeof reason);
  ck_assert_uint_eq(clred_plan_describe(plan, 1, reason, sizeof reason), length);
  ck_assert_uint_eq(strlen(reason), sizeof reason - 1);
  assert_invalid(clred_strategy_applies(NULL, "wide", &sum, reason, sizeof reason));
  assert_invalid(clred_strategy_applies(under_test.runtime, NULL, &sum, reason, sizeof reason));
  assert_invalid(clred_strategy_applies(under_test.runtime, "wide", NULL, reason, sizeof reason));
  ck_assert_int_eq(clred_strategy_applies(under_test.runtime, "none such", &sum, NULL, 0), CLRED_UNKNOWN_NAME);
}

TEST(references) {
  clred_plan *plan = fixture_plan(&sum);
  const float in[4] = {1, 2, 3, 4};
  float result;
  assert_invalid(clred_plan_reference(NULL, &(clred_host_call){.in = in, .count = 4, .out = &result}));
  assert_invalid(clred_plan_reference(plan, &(clred_host_call){.count = 4, .out = &result}));
  assert_invalid(clred_plan_reference(plan, &(clred_host_call){.in = in, .count = 4}));
  assert_invalid(clred_plan_reference(plan, NULL));
  ck_assert_int_eq(clred_plan_reference(plan, &(clred_host_call){.out = &result}), CL_SUCCESS);
  // A second input that is missing.
  plan = PLAN(OP(DOT, FLOAT));
  const void *inputs[1] = {NULL};
  assert_invalid(clred_plan_reference(plan, &(clred_host_call){.in = in, .count = 4, .out = &result}));
  assert_invalid(
    clred_plan_reference(plan, &(clred_host_call){.in = in, .inputs = inputs, .count = 4, .out = &result}));
  refused_naming(clred_plan_run_host(under_test.queue, plan, &(clred_host_call){.in = in, .count = 4, .out = &result}),
                 "inputs");
}

TEST(enqueueing) {
  cl_command_queue queue = under_test.queue;
  clred_plan *plan = fixture_plan(&sum);
  cl_mem buffer = fixture_numbers(4);
  const float one = 1;
  float result = -1;
  cl_ulong kept = 9;
  refused_naming(clred_enqueue(queue, plan, NULL, 0, NULL, NULL), "call");
  assert_invalid(clred_enqueue_reduce(queue, NULL, buffer, buffer, 0, 0, 1, 0, NULL, NULL));
  assert_invalid(clred_enqueue_scan(queue, NULL, buffer, buffer, 0, 0, 4, 0, NULL, NULL));
  assert_invalid(clred_plan_run_host(queue, NULL, &(clred_host_call){.in = &result, .count = 1, .out = &result}));
  assert_invalid(clred_plan_run_host(queue, NULL, &(clred_host_call){.count = 0, .out = &result}));
  assert_invalid(clred_plan_run_host(NULL, plan, &(clred_host_call){.in = &one, .count = 1, .out = &result}));
  assert_invalid(clred_plan_run_host(queue, plan, &(clred_host_call){.count = 1, .out = &result}));
  assert_invalid(clred_plan_run_host(queue, plan, &(clred_host_call){.in = &one, .count = 1}));
  refused_naming(
    clred_plan_run_host(queue, plan, &(clred_host_call){.in = &one, .count = 1, .initial = &one, .out = &result}),
    "initial");
  assert_invalid(
    clred_plan_run_host(queue, plan, &(clred_host_call){.in = &one, .count = 1, .out = &result, .kept = &kept}));
  ck_assert_msg(result == -1 && kept == 0, "a refused call wrote its result");
}

#define NO_STREAM(words, ...) \
  refused_naming(clred_stream_create(under_test.queue, PLAN(__VA_ARGS__), NULL, &stream), words)
#define NO_SCANS(words, ...) \
  refused_naming(clred_scan_stream_create(under_test.queue, PLAN(__VA_ARGS__), NULL, NULL, &scans), words)

TEST(plans_without_streams) {
  clred_stream *stream = NULL;
  clred_scan_stream *scans = NULL;
  NO_STREAM("local_sequential", OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 9);
  NO_STREAM("host_serial", OP(SUM, FLOAT), .strategy = "host_serial");
  NO_STREAM("takes no streams", OP(SUM, FLOAT), SCAN(INCLUSIVE));
  NO_STREAM("layout", OP(SUM, FLOAT), LAYOUT(STRIDED));
  NO_SCANS("problem.scan", OP(SUM, FLOAT));
  NO_SCANS("problem.scan", .type = CLRED_TYPE_FLOAT, .selection = &positive);
  NO_SCANS("reversed", OP(SUM, FLOAT), SCAN(INCLUSIVE), .reversed = CL_TRUE);
  NO_SCANS("layout", OP(SUM, FLOAT), SCAN(INCLUSIVE), LAYOUT(ROWS));
  NO_SCANS("indices", OP(ARGMIN, FLOAT), SCAN(INCLUSIVE));
  NO_SCANS("fixed/1", OP(SUM, FLOAT), SCAN(INCLUSIVE), .strategy = "scan_blelloch");
  ck_assert(!stream && !scans);
}

// The stream works after the refused calls.
TEST(streams) {
  clred_plan *plan = PLAN(OP(DOT, FLOAT), .count_max = 3000);
  clred_stream *stream = NULL;
  clred_stream_info info;
  void *in, *further;
  cl_ulong room = 0;
  const float numbers[4] = {1, 2, 3, 4};
  const void *const inputs[] = {numbers};
  float result = 0;
  assert_invalid(clred_stream_create(under_test.queue, NULL, NULL, &stream));
  assert_invalid(clred_stream_create(under_test.queue, plan, NULL, NULL));
  assert_invalid(clred_stream_create(NULL, plan, NULL, &stream));
  ck_assert_ptr_null(stream);
  stream = STREAM(plan, .chunk = 1);
  assert_invalid(clred_stream_push(NULL, numbers, inputs, 1));
  refused_naming(clred_stream_push(stream, NULL, inputs, 1), "in");
  refused_naming(clred_stream_push(stream, numbers, NULL, 4), "inputs");
  assert_invalid(clred_stream_acquire(NULL, &in, &further, &room));
  refused_naming(clred_stream_acquire(stream, NULL, &further, &room), "in");
  refused_naming(clred_stream_acquire(stream, &in, &further, NULL), "count");
  assert_invalid(clred_stream_acquire(stream, &in, NULL, &room));
  assert_invalid(clred_stream_commit(NULL, 0));
  assert_invalid(clred_stream_commit(stream, 1));
  assert_ok(clred_stream_acquire(stream, &in, &further, &room));
  assert_invalid(clred_stream_commit(stream, room + 1));
  assert_status(clred_stream_push(stream, numbers, inputs, 3001), CLRED_COUNT_ABOVE_MAXIMUM);
  assert_invalid(clred_stream_finish(NULL, &result));
  refused_naming(clred_stream_finish(stream, NULL), "result");
  assert_invalid(clred_stream_inspect(NULL, &info));
  assert_invalid(clred_stream_inspect(stream, NULL));
  assert_ok(clred_stream_push(stream, numbers, inputs, 4));
  assert_ok(clred_stream_finish(stream, &result));
  ck_assert_float_eq(result, 30);
}

TEST(streams_with_a_bound) {
  static const cl_int numbers[6] = {7, -2, 5, 5, -9, 1};
  cl_long result = -1;
  void *room = NULL;
  cl_ulong count = 0;
  clred_stream *stream = fixture_stream(PLAN(OP(SUM, INT), .count_max = 10), NULL);
  assert_ok(clred_stream_push(stream, numbers, NULL, 6));
  assert_status(clred_stream_push(stream, numbers, NULL, 6), CLRED_COUNT_ABOVE_MAXIMUM);
  assert_ok(clred_stream_finish(stream, &result));
  ck_assert_int_eq(result, 7);
  assert_ok(clred_stream_acquire(stream, &room, NULL, &count));
  assert_status(clred_stream_commit(stream, 11), CLRED_COUNT_ABOVE_MAXIMUM);
}

// A strategy without streams refuses more elements than a buffer holds. A stream on the host needs callbacks. A tile
// must fit into a buffer.
TEST(streams_without_room_or_callbacks) {
  static float numbers[20000];
  const float scale = 2;
  const void *parameters[] = {&scale}, *none[] = {NULL};
  const clred_operand parameter = {.name = "scale", .type = "float"};
  const clred_operator own =
    OPERATOR(.name = "scaled", .element = "float", .state = "float", .identity = "0", .lift = "x * scale",
             .combine = "a + b", .parameters = &parameter, .parameter_count = 1);
  const clred_stream_options on_host = {.parameters = parameters, .on_host = CL_TRUE}, without = {.parameters = none};
  const clred_host_call call = {.in = numbers, .count = 20000, .out = numbers};
  clred_stream *stream = NULL;
  fixture_reopen("max_alloc=65536");
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .strategy = "local_sequential", .count_max = 20000);
  assert_status(clred_plan_run_host(under_test.queue, plan, &call), CL_INVALID_BUFFER_SIZE);
  plan = PLAN(.custom = &own);
  assert_status(clred_stream_create(under_test.queue, plan, &on_host, &stream), CLRED_NO_HOST_OPERATOR);
  refused_naming(clred_stream_create(under_test.queue, plan, NULL, &stream), "scale");
  refused_naming(clred_stream_create(under_test.queue, plan, &without, &stream), "parameters[0] is NULL");
  fixture_reopen("max_alloc=4095");
  plan = PLAN(OP(SUM, FLOAT), .groups = 1);
  assert_status(clred_stream_create(under_test.queue, plan, NULL, &stream), CL_INVALID_BUFFER_SIZE);
}

TEST(scan_streams) {
  static float numbers[1 << 16], results[1 << 16];
  clred_plan *plan = PLAN(OP(SUM, FLOAT), SCAN(INCLUSIVE));
  clred_scan_stream *stream;
  double seconds;
  cl_ulong chunk = 1;
  assert_invalid(clred_scan_stream_create(under_test.queue, NULL, NULL, NULL, &stream));
  assert_invalid(clred_scan_stream_create(under_test.queue, plan, NULL, NULL, NULL));
  ck_assert_int_ne(clred_scan_stream_create(NULL, plan, NULL, NULL, &stream), CL_SUCCESS);
  assert_ok(clred_scan_stream_create(under_test.queue, plan, &chunk, NULL, &stream));
  OWN(stream);
  assert_invalid(clred_scan_stream_next(NULL, numbers, NULL, 1, results));
  refused_naming(clred_scan_stream_next(stream, NULL, NULL, 1, results), "in");
  refused_naming(clred_scan_stream_next(stream, numbers, NULL, 1, NULL), "out");
  assert_invalid(clred_scan_stream_next(stream, numbers, NULL, chunk + 1, results));
  assert_invalid(clred_scan_stream_seconds(NULL, &seconds));
  assert_invalid(clred_scan_stream_seconds(stream, NULL));
  assert_ok(clred_scan_stream_next(stream, NULL, NULL, 0, NULL));
  numbers[0] = 1;
  assert_ok(clred_scan_stream_next(stream, numbers, NULL, 1, results));
  ck_assert_float_eq(results[0], 1);
  refused_naming(clred_scan_stream_next(stream, numbers, NULL, 1, results), "last chunk");
  assert_ok(clred_scan_stream_next(stream, NULL, NULL, 0, NULL));
  clred_scan_stream_release(NULL);
}

// ---------------------------------------------------------------- Quantiles

static double many[CLRED_QUANTILES_MAX + 1];

static void no_quantile(cl_int status, const char *words, const clred_quantile_problem *problem) {
  clred_quantile *quantile = (clred_quantile *)&quantile;
  assert_refused(clred_quantile_create(under_test.runtime, problem, &quantile), status, words);
  ck_assert_ptr_null(quantile);
}
#define NO_QUANTILE(status, words, ...) \
  no_quantile(CLRED_##status, words, &(const clred_quantile_problem){.type = CLRED_TYPE_INT, __VA_ARGS__})
#define AT(...) .at = (const double[]){__VA_ARGS__}, .at_count = sizeof((double[]){__VA_ARGS__}) / sizeof(double)

TEST(quantile_problems) {
  NO_QUANTILE(INVALID_PROBLEM, "needs one of at, top and bottom", .at = NULL);
  NO_QUANTILE(INVALID_PROBLEM, "needs one of at, top and bottom", AT(0.5), .top = 1);
  NO_QUANTILE(INVALID_PROBLEM, "needs one of at, top and bottom", .top = 1, .bottom = 1);
  NO_QUANTILE(INVALID_PROBLEM, "at_count: 0 quantiles", .at = many);
  NO_QUANTILE(INVALID_PROBLEM, "257 quantiles", .at = many, .at_count = CLRED_QUANTILES_MAX + 1);
  NO_QUANTILE(INVALID_PROBLEM, "at[1]: 1.5 is no quantile", AT(0.5, 1.5));
  NO_QUANTILE(INVALID_PROBLEM, "at[0]: -0.1 is no quantile", AT(-0.1));
  NO_QUANTILE(INVALID_PROBLEM, "at[0]: nan is no quantile", AT(NAN));
  NO_QUANTILE(INVALID_PROBLEM, "interpolation: there is no value 4", AT(0.5), .interpolation = (clred_interpolation)4);
  NO_QUANTILE(INVALID_PROBLEM, "nan: there is no value 2", AT(0.5), .nan = (clred_nan)2);
  NO_QUANTILE(INVALID_PROBLEM, "top: 1073741825 is too many", .top = ((cl_ulong)1 << 30) + 1);
  NO_QUANTILE(INVALID_PROBLEM, "bottom: 18446744073709551615", .bottom = CL_ULONG_MAX);
  no_quantile(CLRED_OPERATOR_TYPE, "cfloat has no order", &(clred_quantile_problem){CLRED_TYPE_CFLOAT, .top = 1});
  no_quantile(CLRED_OPERATOR_TYPE, "has no order",
              &(clred_quantile_problem){CLRED_VECTOR(CLRED_TYPE_INT, 4), .top = 1});
  no_quantile(CLRED_INVALID_PROBLEM, "type: 0 is no type", &(clred_quantile_problem){CLRED_TYPE_NONE, .top = 1});
  no_quantile(CLRED_INVALID_PROBLEM, "type: 99 is no type", &(clred_quantile_problem){(clred_type)99, .top = 1});
  fixture_reopen("atomics=0");
  NO_QUANTILE(STRATEGY_REFUSED, "atomics of 32 bits", AT(0.5));
  fixture_reopen("local_mem_size=2048");
  for (int i = 0; i < CLRED_QUANTILES_MAX; i++)
    many[i] = i / 256.0;
  NO_QUANTILE(STRATEGY_REFUSED, "at_count: 256 need 8192 bytes of local memory", .at = many,
              .at_count = CLRED_QUANTILES_MAX);
  fixture_reopen("local_mem_size=256");
  NO_QUANTILE(STRATEGY_REFUSED, "top: 3 need 512 bytes of local memory", .top = 3);
  fixture_reopen("types=0");
  NO_QUANTILE(TYPE_NOT_SUPPORTED, "wrong with int (fact types)", AT(0.5));
}

TEST(quantile_functions) {
  clred_quantile *quantile = NULL;
  clred_quantile_info info;
  const clred_quantile_problem problem = {.type = CLRED_TYPE_INT, AT(0.5)};
  assert_invalid(clred_quantile_create(NULL, &problem, &quantile));
  refused_naming(clred_quantile_create(under_test.runtime, NULL, &quantile), "problem is NULL");
  refused_naming(clred_quantile_create(under_test.runtime, &problem, NULL), "quantile is NULL");
  assert_invalid(clred_quantile_inspect(NULL, &info));
  assert_invalid(clred_quantile_warm(under_test.queue, NULL));
  assert_invalid(clred_quantile_run(under_test.queue, NULL, NULL, 0, 1, &info, NULL, 0, NULL));
  assert_invalid(clred_quantile_run_host(under_test.queue, NULL, &info, 1, &info, NULL));
  clred_quantile_release(NULL);
}

// Of 100 elements the first ten are NaN. Refused runs write nothing, and the next run is right.
#define MEDIAN(...) clred_quantile_run(queue, median, __VA_ARGS__, 0, NULL)
#define CHOSEN(...) clred_quantile_run(queue, chosen, __VA_ARGS__, 0, NULL)

TEST(quantile_runs) {
  float elements[100], tops[50] = {0};
  double result = -1;
  cl_ulong places[50] = {0};
  const cl_command_queue queue = under_test.queue;
  for (int i = 0; i < 100; i++)
    elements[i] = i < 10 ? NAN : (float)i;
  clred_quantile *median = QUANTILE(.type = CLRED_TYPE_FLOAT, AT(0.5), .nan = CLRED_NAN_IGNORE, .count_max = 99),
                 *chosen = QUANTILE(.type = CLRED_TYPE_FLOAT, .top = 50, .nan = CLRED_NAN_IGNORE);
  cl_mem in = fixture_buffer(elements, sizeof elements),
         unread = OWN(clCreateBuffer(under_test.context, CL_MEM_WRITE_ONLY, sizeof elements, NULL, NULL));
  refused_naming(MEDIAN(in, 0, 20, NULL, NULL), "results is NULL");
  refused_naming(MEDIAN(in, 0, 0, &result, NULL), "a quantile of 0 elements");
  refused_naming(MEDIAN(in, 0, 20, &result, places), "places: only top and bottom");
  refused_naming(MEDIAN(NULL, 0, 20, &result, NULL), "in is NULL");
  refused_naming(MEDIAN(unread, 0, 20, &result, NULL), "in was created with flags");
  refused_naming(clred_quantile_run_host(queue, median, NULL, 20, &result, NULL), "in is NULL");
  refused_naming(clred_quantile_run(NULL, median, in, 0, 20, &result, NULL, 0, NULL), "queue");
  refused_naming(clred_quantile_run(queue, median, in, 0, 20, &result, NULL, 1, NULL), "event_wait_list");
  assert_refused(MEDIAN(in, 0, 100, &result, NULL), CLRED_COUNT_ABOVE_MAXIMUM, "100 elements, count_max is 99");
  assert_refused(MEDIAN(in, 50, 51, &result, NULL), CLRED_OUT_OF_RANGE, "in: needs 51 elements from offset 50");
  assert_refused(CHOSEN(in, 0, 49, tops, places), CLRED_OUT_OF_RANGE, "50 elements are asked for, there are 49");
  assert_refused(CHOSEN(in, 0, 59, tops, places), CLRED_OUT_OF_RANGE, "there are 49 without the NaNs");
  refused_naming(MEDIAN(in, 0, 10, &result, NULL), "all are NaN");
  ck_assert(result == -1 && tops[0] == 0 && places[0] == 0);
  assert_ok(clred_quantile_warm(queue, median));
  assert_ok(MEDIAN(in, 0, 21, &result, NULL));
  ck_assert(result == 15);
  assert_ok(CHOSEN(in, 0, 60, tops, NULL));
  ck_assert(tops[0] == 59 && tops[49] == 10);
}

// ---------------------------------------------------------------- Sorts

static void no_sorter(cl_int status, const char *words, const clred_sort_problem *problem) {
  clred_sorter *sorter = (clred_sorter *)&sorter;
  assert_refused(clred_sorter_create(under_test.runtime, problem, &sorter), status, words);
  ck_assert_ptr_null(sorter);
}
#define NO_SORTER(status, words, ...) \
  no_sorter(status, words, &(const clred_sort_problem){.type = CLRED_TYPE_INT, .count_max = 1000, __VA_ARGS__})
#define PAIRS(size) .form = CLRED_SORT_PAIRS, .value_size = (size)

TEST(sort_problems) {
  const cl_int wrong = CLRED_INVALID_PROBLEM, refused = CLRED_STRATEGY_REFUSED;
  no_sorter(wrong, "type: 0 is no type", &(clred_sort_problem){CLRED_TYPE_NONE, .count_max = 1});
  no_sorter(wrong, "type: 99 is no type", &(clred_sort_problem){(clred_type)99, .count_max = 1});
  no_sorter(CLRED_OPERATOR_TYPE, "cfloat has no order", &(clred_sort_problem){CLRED_TYPE_CFLOAT, .count_max = 1});
  no_sorter(CLRED_OPERATOR_TYPE, "int4 has no order",
            &(clred_sort_problem){CLRED_VECTOR(CLRED_TYPE_INT, 4), .count_max = 1});
  no_sorter(wrong, "count_max", &(clred_sort_problem){.type = CLRED_TYPE_INT});
  no_sorter(wrong, "count_max", &(clred_sort_problem){CLRED_TYPE_INT, .count_max = (cl_ulong)1 << 40});
  NO_SORTER(wrong, "form: there is no value 3", .form = (clred_sort_form)3);
  NO_SORTER(wrong, "value_size: a value has 1 to 65536 bytes, not 0", PAIRS(0));
  NO_SORTER(wrong, "value_size: a value has 1 to 65536 bytes, not 65537", PAIRS(CLRED_SORT_VALUE_MAX + 1));
  NO_SORTER(wrong, "value_size: only pairs have values", .value_size = 4);
  NO_SORTER(wrong, "value_size: only pairs have values", .form = CLRED_SORT_INDICES, .value_size = 4);
  NO_SORTER(wrong, "end_bit: 33 is above the 32 bits of int", .end_bit = 33);
  NO_SORTER(wrong, "begin_bit: 32 is not below end_bit 32", .begin_bit = 32);
  NO_SORTER(wrong, "begin_bit: 5 is not below end_bit 5", .begin_bit = 5, .end_bit = 5);
  no_sorter(wrong, "begin_bit: float keys are compared as numbers",
            &(clred_sort_problem){CLRED_TYPE_FLOAT, .count_max = 1, .begin_bit = 1});
  no_sorter(wrong, "end_bit: half keys are compared as numbers",
            &(clred_sort_problem){CLRED_TYPE_HALF, .count_max = 1, .end_bit = 16});
  fixture_reopen("cpu=0,atomics=0");
  NO_SORTER(refused, "atomics of 32 bits", .descending = CL_TRUE);
  fixture_reopen("cpu=0,local_atomics=0");
  NO_SORTER(refused, "atomics of 32 bits", .host_calls = CL_TRUE);
  fixture_reopen("loop_trips=40000");
  NO_SORTER(refused, "the device ends loops after 40000", .descending = CL_TRUE);
  fixture_reopen("cpu=0,max_work_group_size=8");
  NO_SORTER(refused, "groups of 16 work-items", .descending = CL_TRUE);
  fixture_reopen("cpu=0,local_mem_size=1024");
  NO_SORTER(refused, "2624 bytes of local memory", PAIRS(8));
  fixture_reopen("types=0");
  NO_SORTER(CLRED_TYPE_NOT_SUPPORTED, "wrong with int (fact types)", .descending = CL_TRUE);
  fixture_reopen("max_alloc=65536");
  NO_SORTER(CL_INVALID_BUFFER_SIZE, "count_max: 1000 needs a buffer of 80000 bytes", PAIRS(80));
}

TEST(sort_functions) {
  clred_sorter *sorter = NULL;
  clred_sorter_info info;
  const clred_sort_problem problem = {.type = CLRED_TYPE_INT, .count_max = 9, .host_calls = CL_TRUE};
  clred_runtime *runtime = under_test.runtime;
  cl_int keys[4] = {4, 3, 2, 1};
  cl_ulong indices[4] = {9, 9, 9, 9};
  assert_invalid(clred_sorter_create(NULL, &problem, &sorter));
  refused_naming(clred_sorter_create(runtime, NULL, &sorter), "problem is NULL");
  refused_naming(clred_sorter_create(runtime, &problem, NULL), "sorter is NULL");
  assert_invalid(clred_sorter_inspect(NULL, &info));
  assert_invalid(clred_sorter_warm(under_test.queue, NULL));
  assert_invalid(clred_enqueue_sort(under_test.queue, NULL, &(clred_sort_call){.count = 0}, 0, NULL, NULL));
  assert_invalid(clred_sorter_run_host(under_test.queue, NULL, &(clred_sort_host_call){.count = 0}));
  assert_invalid(clred_sort_host(NULL, CLRED_TYPE_INT, keys, 4));
  assert_invalid(clred_argsort_host(NULL, CLRED_TYPE_INT, keys, 4, indices));
  refused_naming(clred_sort_host(runtime, CLRED_TYPE_INT, NULL, 4), "keys is NULL");
  refused_naming(clred_argsort_host(runtime, CLRED_TYPE_INT, NULL, 4, indices), "keys is NULL");
  refused_naming(clred_argsort_host(runtime, CLRED_TYPE_INT, keys, 4, NULL), "indices is NULL");
  refused_naming(clred_argsort_host(runtime, CLRED_TYPE_INT, indices + 2, 4, indices), "indices overlaps keys");
  assert_refused(clred_sort_host(runtime, CLRED_TYPE_CFLOAT, keys, 2), CLRED_OPERATOR_TYPE, "has no order");
  sorter = SORTER(.type = CLRED_TYPE_INT, .count_max = 9, .host_calls = CL_TRUE);
  assert_invalid(clred_sorter_inspect(sorter, NULL));
  refused_naming(clred_sorter_warm(NULL, sorter), "queue");
  refused_naming(clred_enqueue_sort(under_test.queue, sorter, &(clred_sort_call){.count = 0}, 0, NULL, NULL),
                 "host_calls");
  ck_assert(keys[0] == 4 && keys[3] == 1 && indices[0] == 9 && indices[3] == 9);
  assert_ok(clred_sort_host(runtime, CLRED_TYPE_INT, NULL, 0));
  assert_ok(clred_argsort_host(runtime, CLRED_TYPE_INT, NULL, 0, NULL));
  clred_sorter_release(NULL);
}

// Buffers of 100 ints: `in` and `also`, for results `out` and `more`, and such that may not be read or written.
#define SORT(sorter, ...) clred_enqueue_sort(queue, sorter, &(clred_sort_call){__VA_ARGS__}, 0, NULL, NULL)
#define NO_SORT(words, sorter, ...) refused_naming(SORT(sorter, __VA_ARGS__), words)

static cl_mem ints_with(cl_mem_flags flags) {
  return OWN(clCreateBuffer(under_test.context, flags, 100 * sizeof(cl_int), NULL, NULL));
}

TEST(sort_calls) {
  const cl_command_queue queue = under_test.queue;
  clred_sorter *keys = SORTER(.type = CLRED_TYPE_INT, .count_max = 99),
               *pairs = SORTER(.type = CLRED_TYPE_INT, PAIRS(4), .count_max = 99),
               *indices = SORTER(.type = CLRED_TYPE_INT, .form = CLRED_SORT_INDICES, .count_max = 99);
  cl_int numbers[100], got[100];
  for (int i = 0; i < 100; i++)
    numbers[i] = (100 - i) * 3;
  cl_mem in = fixture_buffer(numbers, sizeof numbers), out = fixture_buffer(numbers, sizeof numbers), also = out,
         more = fixture_buffer(numbers, sizeof numbers), unread = ints_with(CL_MEM_WRITE_ONLY),
         unwritten = ints_with(CL_MEM_READ_ONLY);
  refused_naming(clred_enqueue_sort(queue, keys, NULL, 0, NULL, NULL), "call is NULL");
  NO_SORT("keys is NULL, and a sort of keys", keys, .count = 9);
  NO_SORT("values is NULL, and a sort of pairs", pairs, in, .count = 9, .values_out = more);
  NO_SORT("values_out is NULL, and a sort of indices", indices, in, .count = 9);
  NO_SORT("values: a sort of keys has none", keys, in, .count = 9, .values = also);
  NO_SORT("values_out: a sort of keys has none", keys, in, .count = 0, .values_out = more);
  NO_SORT("keys_out: a sort of indices has none", indices, in, .count = 9, .keys_out = out, .values_out = more);
  NO_SORT("values: a sort of indices has none", indices, in, .count = 9, .values = also, .values_out = more);
  NO_SORT("keys was created with flags", keys, unread, .count = 9, .keys_out = out);
  NO_SORT("keys_out was created with flags", keys, unwritten, .count = 9);
  NO_SORT("keys_out was created with CL_MEM_WRITE_ONLY", keys, in, .count = 9, .keys_out = unread);
  NO_SORT("values was created with flags", pairs, in, .count = 9, .values = unread);
  NO_SORT("values_out was created with flags", pairs, in, .count = 9, .values = also, .values_out = unwritten);
  NO_SORT("values_out was created with CL_MEM_WRITE_ONLY", indices, in, .count = 9, .values_out = unread);
  NO_SORT("keys_out overlaps keys", keys, in, 1, 50, in, .keys_out_offset = 50);
  NO_SORT("keys_out overlaps keys", keys, in, 0, 50, in, .keys_out_offset = 1);
  NO_SORT("values overlaps keys", pairs, in, .count = 9, .values = in);
  NO_SORT("values overlaps keys_out", pairs, in, .count = 9, .keys_out = out, .values = out, .values_offset = 8);
  NO_SORT("values_out overlaps keys", pairs, in, .count = 9, .keys_out = out, .values = more, .values_out = in);
  NO_SORT("values_out overlaps keys_out", pairs, in, .count = 9, .keys_out = out, .values = more, .values_out = out);
  NO_SORT("values_out overlaps values", pairs, in, .count = 9, .values = more, .values_out = more,
          .values_out_offset = 1);
  NO_SORT("values_out overlaps keys", indices, in, .count = 9, .values_out = in);
  assert_refused(SORT(keys, in, .count = 100), CLRED_COUNT_ABOVE_MAXIMUM, "count: 100 keys, count_max is 99");
  assert_refused(SORT(keys, in, 2, .count = 99), CLRED_OUT_OF_RANGE, "keys: needs 99 elements from offset 2");
  assert_refused(SORT(keys, in, .count = 1, .keys_out = out, .keys_out_offset = 100), CLRED_OUT_OF_RANGE, "keys_out");
  assert_refused(SORT(pairs, in, .count = 9, .values = also, .values_offset = 92), CLRED_OUT_OF_RANGE, "values");
  assert_refused(SORT(indices, in, .count = 9, .values_out = more, .values_out_offset = CL_ULONG_MAX),
                 CLRED_OUT_OF_RANGE, "values_out");
  refused_naming(clred_enqueue_sort(NULL, keys, &(clred_sort_call){in, .count = 9}, 0, NULL, NULL), "queue");
  refused_naming(clred_enqueue_sort(queue, keys, &(clred_sort_call){in, .count = 9}, 1, NULL, NULL), "event_wait_list");
  cl_context context = OWN(clCreateContext(NULL, 1, &under_test.id, NULL, NULL, NULL));
  cl_mem foreign = OWN(clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof got, NULL, NULL));
  cl_command_queue stray = OWN(clCreateCommandQueue(context, under_test.id, 0, NULL));
  assert_refused(SORT(keys, foreign, .count = 9), CLRED_CONTEXT_MISMATCH, "keys");
  assert_refused(SORT(keys, in, .count = 9, .keys_out_offset = 2), CLRED_INVALID_ARGUMENT, "keys_out_offset is 2");
  assert_refused(SORT(indices, in, .count = 9, .values_out = foreign), CLRED_CONTEXT_MISMATCH, "values_out");
  assert_status(clred_enqueue_sort(stray, keys, &(clred_sort_call){in, .count = 9}, 0, NULL, NULL),
                CLRED_CONTEXT_MISMATCH);
  cl_mem const buffers[] = {in, out, more};
  for (size_t i = 0; i < COUNT_OF(buffers); i++) {
    read_buffer(buffers[i], got, sizeof got);
    ck_assert_mem_eq(got, numbers, sizeof got);
  }
  // The halves of a buffer lie apart; and values that are only read may be the keys.
  assert_ok(SORT(keys, in, 0, 50, in, .keys_out_offset = 50));
  assert_ok(SORT(pairs, more, .keys_offset = 1, .count = 9, .keys_out = out, .values = more, .values_offset = 1,
                 .values_out = out, .values_out_offset = 9));
  read_buffer(in, got, sizeof got);
  ck_assert(got[0] == 300 && got[50] == numbers[49] && got[99] == 300);
  read_buffer(out, got, sizeof got);
  ck_assert(got[0] == numbers[9] && got[8] == numbers[1] && got[9] == numbers[9] && got[17] == numbers[1]);
}

#define SORT_HOST(sorter, ...) clred_sorter_run_host(queue, sorter, &(clred_sort_host_call){.keys = __VA_ARGS__})

TEST(sorts_of_host_memory) {
  const cl_command_queue queue = under_test.queue;
  clred_sorter *keys = SORTER(.type = CLRED_TYPE_INT, .count_max = 99, .host_calls = CL_TRUE),
               *pairs = SORTER(.type = CLRED_TYPE_INT, PAIRS(2), .count_max = 99, .host_calls = CL_TRUE),
               *indices = SORTER(.type = CLRED_TYPE_INT, .form = CLRED_SORT_INDICES, .count_max = 99);
  cl_int in[100], out[100], more[100], unchanged[100];
  for (int i = 0; i < 100; i++)
    in[i] = out[i] = more[i] = unchanged[i] = 100 - i;
  refused_naming(clred_sorter_run_host(queue, keys, NULL), "call is NULL");
  refused_naming(SORT_HOST(keys, NULL, .count = 9, .keys_out = out), "keys is NULL");
  refused_naming(SORT_HOST(keys, in, .count = 9), "keys_out is NULL");
  refused_naming(SORT_HOST(pairs, in, .count = 9, .keys_out = out, NULL, more), "values is NULL");
  refused_naming(SORT_HOST(pairs, in, .count = 9, .keys_out = out, more), "values_out is NULL");
  refused_naming(SORT_HOST(indices, in, .count = 9), "values_out is NULL");
  refused_naming(SORT_HOST(keys, in, .count = 9, .keys_out = out, more), "values: a sort of this form has none");
  refused_naming(SORT_HOST(keys, in, .count = 9, .keys_out = out, NULL, more),
                 "values_out: a sort of this form has none");
  refused_naming(SORT_HOST(indices, in, .count = 9, .keys_out = out, NULL, more),
                 "keys_out: a sort of this form has none");
  refused_naming(SORT_HOST(keys, in, .count = 9, .keys_out = in + 1), "keys_out overlaps keys");
  refused_naming(SORT_HOST(pairs, in, .count = 9, .keys_out = out, out, out), "values overlaps keys_out");
  refused_naming(SORT_HOST(pairs, in, .count = 9, .keys_out = out, more, in), "values_out overlaps keys");
  refused_naming(SORT_HOST(pairs, in, .count = 9, .keys_out = out, more, more + 4), "values_out overlaps values");
  refused_naming(SORT_HOST(indices, in, .count = 9, .values_out = in + 8), "values_out overlaps keys");
  refused_naming(clred_sorter_run_host(NULL, keys, &(clred_sort_host_call){.keys = in, .count = 9, .keys_out = out}),
                 "queue");
  assert_refused(SORT_HOST(keys, in, .count = 100, .keys_out = out), CLRED_COUNT_ABOVE_MAXIMUM,
                 "count: 100 keys, count_max is 99");
  ck_assert_mem_eq(in, unchanged, sizeof in);
  ck_assert_mem_eq(out, unchanged, sizeof out);
  ck_assert_mem_eq(more, unchanged, sizeof more);
  assert_ok(SORT_HOST(keys, NULL, .count = 0));
  assert_ok(SORT_HOST(indices, NULL, .count = 0));
  assert_ok(SORT_HOST(indices, in, .count = 9, .values_out = out));
  ck_assert(out[0] == 8 && out[8] == 0 && out[9] == unchanged[9]);
  fixture_reopen("max_alloc=4096");
  keys = SORTER(.type = CLRED_TYPE_INT, .count_max = 2000, .host_calls = CL_TRUE);
  assert_refused(clred_sorter_run_host(under_test.queue, keys, &(clred_sort_host_call){in, 1025, .keys_out = out}),
                 CL_INVALID_BUFFER_SIZE, "keys: 1025 entries are more than one buffer of the device holds: 1024");
}

// ---------------------------------------------------------------- Tunings, laws, axes

TEST(tuning_and_laws) {
  clred_tuned tuned[CLRED_TUNED_MAX];
  clred_law laws[CLRED_LAWS];
  size_t count;
  assert_invalid(clred_tune(NULL, &sum, NULL, tuned, &count));
  refused_naming(clred_tune(under_test.runtime, NULL, NULL, tuned, &count), "problem");
  assert_invalid(clred_check_laws(NULL, &sum, 0, laws));
  refused_naming(clred_check_laws(under_test.runtime, NULL, 0, laws), "problem");
  refused_naming(clred_check_laws(under_test.runtime, &sum, 0, NULL), "laws");
  const clred_operator typo = {.name = "typo", .element = "int", .state = "int", .identity = "0", .combine = "a + c"};
  const struct {
    clred_problem problem;
    cl_int status;
    const char *words;
  } rows[] = {
    {{.type = CLRED_TYPE_FLOAT, .selection = &positive}, CLRED_INVALID_PROBLEM, "selection: only operators"},
    {{.op = CLRED_OP_SUM}, CLRED_INVALID_PROBLEM, "type"},
    {{OP(XOR, FLOAT)}, CLRED_OPERATOR_TYPE, "xor"},
    {{.custom = &typo}, CLRED_OPERATOR_TEXT, "combine"},
  };
  for (size_t i = 0; i < COUNT_OF(rows); i++)
    assert_refused(clred_check_laws(under_test.runtime, &rows[i].problem, 0, laws), rows[i].status, rows[i].words);
}

// Probes that are stopped or look for nothing return their status and write nothing.
static size_t begun;

static cl_bool stop(const char *name, double done, void *user_data) {
  (void)name, (void)done, (void)user_data;
  begun++;
  return CL_TRUE;
}

static cl_ulong probes_in(const clred_probe_result *result) {
  return result->holds + result->avoided + result->wrong + result->lacking;
}

TEST(probing_that_is_stopped) {
  clred_probe_result result = {.holds = 9, .assume = "x"};
  begun = 0;
  assert_ok(clred_probe_device(under_test.runtime, &(clred_probe_options){.begins = stop}, &result));
  ck_assert_uint_eq(begun, 1);
  ck_assert_uint_eq(probes_in(&result), 0);
  ck_assert_str_eq(result.assume, "");
}

TEST(probing_of_nothing) {
  clred_probe_result result = {.holds = 9};
  const clred_probe_options none = {.only = "xmemory,memoryx"}, memory = {.only = "memory"};
  assert_ok(clred_probe_device(under_test.runtime, &none, &result));
  ck_assert_uint_eq(probes_in(&result), 0);
  assert_ok(clred_probe_device(under_test.runtime, &memory, NULL));
  assert_invalid(clred_probe_device(NULL, NULL, NULL));
}

TEST(axes) {
  clred_call call;
  clred_layout layout;
  const cl_ulong shape[3] = {2, 3, 4};
  assert_invalid(clred_call_along_axis(NULL, &layout, 3, shape, 0));
  assert_invalid(clred_call_along_axis(&call, NULL, 3, shape, 0));
  assert_invalid(clred_call_along_axis(&call, &layout, 3, NULL, 0));
  assert_invalid(clred_call_along_axis(&call, &layout, 0, shape, 0));
  assert_invalid(clred_call_along_axis(&call, &layout, 9, shape, 0));
  assert_invalid(clred_call_along_axis(&call, &layout, 3, shape, 3));
}

// Numbers of elements around 2^64. A length of 0 does not hide that the others are too large.
TEST(arrays_of_more_than_64_bits) {
  static const struct {
    cl_ulong lengths[4];
    cl_int status;
  } arrays[] = {{{(cl_ulong)1 << 62, 2, 2, 1}, CLRED_INVALID_ARGUMENT},
                {{2, 2, (cl_ulong)1 << 62, 1}, CLRED_INVALID_ARGUMENT},
                {{(cl_ulong)1 << 40, (cl_ulong)1 << 40, 1, 0}, CLRED_INVALID_ARGUMENT},
                {{0, 6700418, 2753074036095, 1}, CLRED_INVALID_ARGUMENT},
                {{1, 6700417, 2753074036095, 1}, CL_SUCCESS},
                {{(cl_ulong)1 << 61, 2, 2, 0}, CL_SUCCESS}};
  for (size_t i = 0; i < COUNT_OF(arrays); i++)
    for (cl_uint axis = 0; axis < 4; axis++) {
      clred_call call = {.count = 7};
      clred_layout layout = CLRED_LAYOUT_STRIDED;
      const cl_int got = clred_call_along_axis(&call, &layout, 4, arrays[i].lengths, axis);
      ck_assert_msg(got == arrays[i].status, "array %zu along axis %u: %s", i, axis, clred_status_name(got));
      ck_assert(got == CL_SUCCESS ? call.count == arrays[i].lengths[axis] : call.count == 7 && layout == 1);
    }
}

// ---------------------------------------------------------------- Texts without room, and steps past the end

#define GUARD 0x5a

TEST(descriptions_without_room) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .count_max = 50, .strategy = "local_sequential");
  char text[4] = {GUARD, GUARD, GUARD, GUARD};
  ck_assert_uint_gt(clred_plan_describe(plan, 1, text, 0), 10);
  ck_assert_int_eq(text[0], GUARD);
  ck_assert_uint_eq(clred_plan_describe(plan, 51, text, sizeof text), 0);
  ck_assert_str_eq(text, "");
}

TEST(steps_that_are_not_there) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .count_max = 50, .strategy = "local_sequential");
  clred_step step;
  assert_invalid(clred_plan_step(plan, 51, 0, &step));
  assert_invalid(clred_plan_step(plan, 0, 0, &step));
}

TEST(messages_without_room) {
  const clred_problem unknown = {OP(SUM, FLOAT), .strategy = "none such"};
  char text[16];
  memset(text, GUARD, sizeof text);
  fixture_refused_plan(&unknown, CLRED_UNKNOWN_NAME, "");
  const size_t length = clred_copy_error(under_test.runtime, NULL, 0);
  ck_assert_uint_eq(length, strlen(clred_last_error(under_test.runtime)));
  ck_assert_uint_eq(clred_copy_error(under_test.runtime, text, 0), length);
  ck_assert_int_eq(text[0], GUARD);
  assert_status(clred_strategy_applies(under_test.runtime, "none such", &unknown, text, 8), CLRED_UNKNOWN_NAME);
  ck_assert_uint_eq(strlen(text), 7);
  ck_assert_int_eq(text[8], GUARD);
  ck_assert_uint_eq(clred_copy_error(NULL, text, sizeof text), 0);
  ck_assert_str_eq(text, "");
}
