// Several devices of one process: their shares, and reductions over elements that lie on all of them. The oracle gives
// the expected bits.

#include "support/devices.h"
#include "support/material.h"

// What each device needs for its share.
struct holding {
  clred_plan *plan[DEVICES];
  clred_partial *partial[DEVICES];
  cl_mem buffer[DEVICES];
  clred_call call[DEVICES];
  clred_device_share share[DEVICES];
};

static void hold_elements(struct holding *holding, const clred_problem *problem, const void *const *parameters,
                          const void *elements, size_t size) {
  const clred_partial_options options = {.parameters = parameters};
  for (size_t i = 0; i < device_count; i++) {
    assert_ok(clred_plan_create(devices[i].runtime, problem, &holding->plan[i]));
    OWN(holding->plan[i]);
    assert_ok(clred_partial_create(holding->plan[i], &options, &holding->partial[i]));
    OWN(holding->partial[i]);
    holding->buffer[i] = upload(i, elements, size);
    holding->share[i] = (clred_device_share){devices[i].queue, holding->partial[i], &holding->call[i]};
  }
}

static void hold(struct holding *holding, const clred_problem *problem) {
  hold_elements(holding, problem, NULL, numbers, sizeof numbers);
}

// Device i gets the elements from cuts[i] to cuts[i + 1].
static void cut(struct holding *holding, const cl_ulong *cuts, size_t count) {
  for (size_t i = 0; i < count; i++)
    holding->call[i] =
      (clred_call){.in = holding->buffer[i], .in_offset = cuts[i], .count = cuts[i + 1] - cuts[i], .stride = 1};
}

TEST_CASE("devices", open_all, close_all);

static const clred_problem problems[] = {{OP(SUM, FLOAT)}, {OP(VAR, FLOAT)}, {OP(STATS, FLOAT)}};

TEST_EACH(bits, 0, 3) {
  const cl_ulong counts[] = {1, 777, 300000, MOST};
  const oracle_tree tree = {.strategy = "wide"};
  struct holding holding;
  hold(&holding, &problems[_i]);
  for (size_t i = 0; i < COUNT_OF(counts) * device_count; i++) {
    const cl_ulong n = counts[i / device_count], used = 1 + i % device_count;
    const cl_ulong cuts[DEVICES + 1] = {0, used > 1 ? n / 3 : n, used > 2 ? n - n / 7 : n, n};
    _Alignas(128) unsigned char result[256];
    oracle_result expected;
    char text[400];
    cut(&holding, cuts, used);
    assert_ok(clred_devices_reduce(holding.share, used, result));
    oracle_solve(&problems[_i], numbers, NULL, n, &tree, &expected);
    ck_assert_msg(oracle_same(&expected, result, text, sizeof text), "%" PRIu64 " elements on %" PRIu64 " devices: %s",
                  (uint64_t)n, (uint64_t)used, text);
  }
}

// Operators with an input, with a parameter, and without host functions. A loop gives the expected results.
TEST_EACH(own, 0, 3) {
  static const char *const names[] = {"affine", "hash", "matrix"};
  const cl_ulong cuts[][DEVICES + 1] = {{0, 9001, 9001, 9001}, {0, 0, 9001, 9001}, {0, 3333, 7000, 9001}};
  const struct sample *of = sample_named(names[_i]);
  clred_operator op = of->op;
  struct holding holding;
  cl_mem inputs[DEVICES];
  _Alignas(128) unsigned char result[256], expected[256];
  fixture_open();
  struct material made = material_create(of, 9001);
  material_fold(&made, &(struct row){.stride = 1, .count = 9001}, expected);
  op.host = _i == 2 ? NULL : of->op.host;
  hold_elements(&holding, &(clred_problem){.custom = &op}, made.parameters, made.elements, 9001 * of->element);
  for (size_t i = 0; i < DEVICES; i++)
    inputs[i] = upload(i, of->input ? made.input : made.elements, 9001 * (of->input ? of->input : of->element));
  for (size_t i = 0; i < COUNT_OF(cuts); i++) {
    cut(&holding, cuts[i], DEVICES);
    for (size_t k = 0; k < DEVICES && of->input; k++) {
      holding.call[k].inputs = &inputs[k];
      holding.call[k].input_offsets = &cuts[i][k];
    }
    assert_ok(clred_devices_reduce(holding.share, DEVICES, result));
    ck_assert_msg(memcmp(result, expected, of->result) == 0, "%s, cut %zu: other bits", names[_i], i);
  }
}

// Shares are neighbours, cover everything, and follow the weights.
TEST(shares) {
  const double weights[] = {3, 0, 1};
  const cl_ulong counts[] = {0, 1, 5000, MOST, (cl_ulong)1 << 40};
  struct holding holding;
  hold(&holding, &problems[0]);
  for (size_t i = 0; i < COUNT_OF(counts) * 2; i++) {
    const double *given = i % 2 ? weights : NULL;
    cl_ulong first, share, end = 0;
    for (size_t part = 0; part < 3; part++) {
      // Plans of other devices cut alike.
      assert_ok(clred_share_weighted(holding.plan[part], counts[i / 2], 3, given, part, &first, &share));
      ck_assert_uint_eq(first, end);
      end = first + share;
      if (counts[i / 2] < 100000)
        ck_assert_msg(part == 0 || share == 0, "few elements on several devices");
      if (given && part == 1)
        ck_assert_uint_eq(share, 0);
      // A device's groups take runs of 2^29 elements here, so shares are multiples of them.
      if (counts[i / 2] > MOST && part == 0)
        ck_assert_uint_eq(share >> 29, given ? 1536 : 682);
    }
    ck_assert_uint_eq(end, counts[i / 2]);
  }
}

// The first device has the message.
static void check_refused(cl_int got, cl_int status, const char *words) {
  ck_assert_int_eq(got, status);
  check_message(clred_last_error(devices[0].runtime), words);
}

TEST(refused) {
  const cl_ulong cuts[DEVICES + 1] = {0, 10, 20, 30};
  const double bad[] = {1, -1, 1};
  cl_ulong first, share;
  float result = 0, expected = 0;
  struct holding holding;
  hold(&holding, &problems[0]);
  cut(&holding, cuts, DEVICES);
  ck_assert_int_eq(clred_devices_reduce(holding.share, 0, &result), CLRED_INVALID_ARGUMENT);
  for (size_t used = 1; used <= 2; used++) {
    holding.call[0].out = holding.buffer[0];
    check_refused(clred_devices_reduce(holding.share, used, &result), CLRED_INVALID_ARGUMENT, "shares[0], ");
    check_message(clred_last_error(devices[0].runtime), "out: ");
    holding.call[0].out = NULL;
  }
  holding.call[1].count = MOST;
  ck_assert_int_eq(clred_devices_reduce(holding.share, DEVICES, &result), CLRED_OUT_OF_RANGE);
  for (size_t i = 0; i < device_count; i++) {
    check_message(clred_last_error(devices[i].runtime), "shares[1], ");
    check_message(clred_last_error(devices[i].runtime), devices[1].name);
  }
  holding.call[1].count = 10;
  holding.share[2] = holding.share[0];
  check_refused(clred_devices_reduce(holding.share, DEVICES, &result), CLRED_INVALID_ARGUMENT,
                "shares[0] and shares[2] are on the same device");
  holding.share[2] = (clred_device_share){devices[2].queue, NULL, &holding.call[2]};
  check_refused(clred_devices_reduce(holding.share, DEVICES, &result), CLRED_INVALID_ARGUMENT,
                "shares[2].partial is NULL");
  holding.share[2].partial = holding.partial[2];
  assert_ok(clred_devices_reduce(holding.share, DEVICES, &result));
  assert_ok(clred_reduce_host(devices[0].runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, numbers, 30, &expected));
  ck_assert_msg(memcmp(&result, &expected, sizeof result) == 0, "refused calls left something behind");
  check_refused(clred_share(holding.plan[0], 5, 3, 3, &first, &share), CLRED_INVALID_ARGUMENT,
                "part is 3, but there are 3 parts");
  check_refused(clred_share_weighted(holding.plan[0], 5, 3, bad, 0, &first, &share), CLRED_INVALID_ARGUMENT,
                "weights[1] is -1");
}
