// Every public function with NULL for each argument in turn, and with numbers past the end. The function returns an
// error and a message that names the argument, or it does nothing.

#include "support/fixture.h"

static const clred_problem sum = {OP(SUM, FLOAT)};
static const clred_selection positive = {.name = "positive", .keep = "x > 0"};

TEST_CASE("all", fixture_open, fixture_close);

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
  assert_invalid(clred_enqueue(queue, NULL, &(clred_call){.in = buffer}, 0, NULL, NULL));
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

TEST(streams) {
  clred_plan *plan = fixture_plan(&sum);
  clred_stream *stream = NULL;
  clred_stream_info info;
  void *in;
  cl_ulong count;
  const float one = 1;
  float result;
  assert_invalid(clred_stream_create(under_test.queue, NULL, NULL, &stream));
  assert_invalid(clred_stream_create(under_test.queue, plan, NULL, NULL));
  assert_invalid(clred_stream_create(NULL, plan, NULL, &stream));
  ck_assert_ptr_null(stream);
  assert_ok(clred_stream_create(under_test.queue, plan, NULL, &stream));
  assert_invalid(clred_stream_push(NULL, &one, NULL, 1));
  refused_naming(clred_stream_push(stream, NULL, NULL, 1), "in");
  assert_invalid(clred_stream_acquire(NULL, &in, NULL, &count));
  refused_naming(clred_stream_acquire(stream, NULL, NULL, &count), "in");
  refused_naming(clred_stream_acquire(stream, &in, NULL, NULL), "count");
  assert_invalid(clred_stream_commit(NULL, 0));
  assert_invalid(clred_stream_commit(stream, 1));
  assert_invalid(clred_stream_finish(NULL, &result));
  refused_naming(clred_stream_finish(stream, NULL), "result");
  assert_invalid(clred_stream_inspect(NULL, &info));
  assert_invalid(clred_stream_inspect(stream, NULL));
  // The stream works after the refused calls.
  assert_ok(clred_stream_push(stream, &one, NULL, 1));
  assert_ok(clred_stream_finish(stream, &result));
  ck_assert_float_eq(result, 1);
  RELEASE(stream);
}

TEST(scan_streams) {
  clred_plan *plan = PLAN(OP(SUM, FLOAT), .scan = CLRED_SCAN_INCLUSIVE);
  clred_scan_stream *stream;
  const float one = 1;
  float result;
  double seconds;
  assert_invalid(clred_scan_stream_create(under_test.queue, NULL, NULL, NULL, &stream));
  assert_invalid(clred_scan_stream_create(under_test.queue, plan, NULL, NULL, NULL));
  ck_assert_int_ne(clred_scan_stream_create(NULL, plan, NULL, NULL, &stream), CL_SUCCESS);
  assert_ok(clred_scan_stream_create(under_test.queue, plan, NULL, NULL, &stream));
  assert_invalid(clred_scan_stream_next(NULL, &one, NULL, 1, &result));
  refused_naming(clred_scan_stream_next(stream, NULL, NULL, 1, &result), "in");
  refused_naming(clred_scan_stream_next(stream, &one, NULL, 1, NULL), "out");
  assert_invalid(clred_scan_stream_seconds(NULL, &seconds));
  assert_invalid(clred_scan_stream_seconds(stream, NULL));
  assert_ok(clred_scan_stream_next(stream, NULL, NULL, 0, NULL));
  assert_ok(clred_scan_stream_next(stream, &one, NULL, 1, &result));
  ck_assert_float_eq(result, 1);
  clred_scan_stream_release(stream);
  clred_scan_stream_release(NULL);
}

TEST(tuning_and_laws) {
  clred_tuned tuned[CLRED_TUNED_MAX];
  clred_law laws[CLRED_LAWS];
  size_t count;
  assert_invalid(clred_tune(NULL, &sum, NULL, tuned, &count));
  refused_naming(clred_tune(under_test.runtime, NULL, NULL, tuned, &count), "problem");
  assert_invalid(clred_check_laws(NULL, &sum, 0, laws));
  refused_naming(clred_check_laws(under_test.runtime, NULL, 0, laws), "problem");
  refused_naming(clred_check_laws(under_test.runtime, &sum, 0, NULL), "laws");
  const clred_problem selecting = {.type = CLRED_TYPE_FLOAT, .selection = &positive};
  assert_refused(clred_check_laws(under_test.runtime, &selecting, 0, laws), CLRED_INVALID_PROBLEM,
                 "selection: only operators");
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
