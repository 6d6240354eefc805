// Scans over elements that lie on several devices of one process. The oracle or a loop gives the expected bits.

#include <inttypes.h>

#include "support/devices.h"
#include "support/operators.h"

enum { SCANNED = 20011 };

// What is scanned, on the host.
struct subject {
  const char *name;
  clred_problem problem;
  const unsigned char *in, *input;  // input NULL: the operator has no further input
  size_t size, input_size, result;  // bytes
  const void *const *parameters;
  const void *initial;
  const unsigned char *expected;
};

struct scanning {
  const struct subject *of;
  clred_plan *scans[DEVICES], *folds[DEVICES];
  clred_partial *before[DEVICES], *partial[DEVICES];
  cl_mem in[DEVICES], input[DEVICES], out[DEVICES];
  clred_call call[DEVICES];
  clred_device_scan share[DEVICES];
};

static void open_scanning(struct scanning *it, const struct subject *of) {
  const clred_partial_options options = {.first = 9, .parameters = of->parameters};
  const size_t bytes = SCANNED * of->result;
  unsigned char *blank = memset(claim(bytes), 0x5a, bytes);
  *it = (struct scanning){.of = of};
  for (size_t i = 0; i < device_count; i++) {
    assert_ok(clred_plan_create(devices[i].runtime, &of->problem, &it->scans[i]));
    assert_ok(clred_plan_create_folds(it->scans[i], &it->folds[i]));
    assert_ok(clred_partial_create(it->folds[i], &options, &it->before[i]));
    assert_ok(clred_partial_create(it->folds[i], &options, &it->partial[i]));
    it->in[i] = upload(i, of->in, SCANNED * of->size);
    it->input[i] = of->input ? upload(i, of->input, SCANNED * of->input_size) : NULL;
    it->out[i] = upload(i, blank, bytes);
    it->share[i] = (clred_device_scan){devices[i].queue, it->scans[i], it->before[i], it->partial[i], &it->call[i]};
  }
  free(blank);
}

static void close_scanning(struct scanning *it) {
  for (size_t i = 0; i < device_count; i++) {
    RELEASE(it->before[i], it->partial[i], it->folds[i], it->scans[i], it->in[i], it->out[i]);
    if (it->input[i])
      clReleaseMemObject(it->input[i]);
  }
}

// Device i gets the elements from cuts[i] to cuts[i + 1], and writes their results at their places.
static void cut_scan(struct scanning *it, const cl_ulong *cuts) {
  for (size_t i = 0; i < device_count; i++)
    it->call[i] = (clred_call){.in = it->in[i],
                               .in_offset = cuts[i],
                               .inputs = it->input[i] ? &it->input[i] : NULL,
                               .input_offsets = it->input[i] ? &cuts[i] : NULL,
                               .count = cuts[i + 1] - cuts[i],
                               .out = it->out[i],
                               .out_offset = cuts[i],
                               .initial = i ? NULL : it->of->initial};
}

// Another queue does not wait for the scan, which must be complete.
static void read_apart(size_t device, cl_mem buffer, void *bytes, size_t size) {
  cl_int err;
  cl_command_queue apart = clCreateCommandQueue(devices[device].context, devices[device].id, 0, &err);
  assert_ok(err);
  assert_ok(clEnqueueReadBuffer(apart, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
  clReleaseCommandQueue(apart);
}

// Results within the share must be the expected ones; all other bytes must be those that the buffer had.
static void check_results(const struct scanning *it, size_t device, const cl_ulong *cuts) {
  const struct subject *of = it->of;
  const size_t bytes = SCANNED * of->result;
  unsigned char *got = claim(bytes), *wanted = memset(claim(bytes), 0x5a, bytes);
  const size_t first = (size_t)cuts[device] * of->result, end = (size_t)cuts[device + 1] * of->result;
  memcpy(wanted + first, of->expected + first, end - first);
  read_apart(device, it->out[device], got, bytes);
  for (size_t i = 0; i < SCANNED; i++)
    ck_assert_msg(memcmp(got + i * of->result, wanted + i * of->result, of->result) == 0,
                  "%s, cut at %" PRIu64 " and %" PRIu64 ": result %zu of device %zu has other bits", of->name,
                  (uint64_t)cuts[1], (uint64_t)cuts[2], i, device);
  memset(wanted, 0x5a, bytes);
  assert_ok(clEnqueueWriteBuffer(devices[device].queue, it->out[device], CL_TRUE, 0, bytes, wanted, 0, NULL, NULL));
  RELEASE(got, wanted);
}

static void check_subject(const struct subject *of) {
  const cl_ulong n = SCANNED;
  // Within tiles, at whole tiles, the same tile, and devices without elements.
  const cl_ulong cuts[][DEVICES + 1] = {
    {0, n / 3, n - n / 7, n}, {0, 8192, 12288, n}, {0, 5000, 5001, n}, {0, 0, 777, n}, {0, n, n, n},
    {0, 3, 3, 4096},          {0, 0, 0, 0}};
  clred_partial_info info;
  struct scanning scanning;
  open_scanning(&scanning, of);
  for (size_t i = 0; i < COUNT_OF(cuts); i++) {
    cut_scan(&scanning, cuts[i]);
    assert_ok(clred_devices_scan(scanning.share, DEVICES));
    for (size_t device = 0; device < DEVICES; device++)
      check_results(&scanning, device, cuts[i]);
    assert_ok(clred_partial_inspect(scanning.before[DEVICES - 1], &info));
    ck_assert_msg(info.first == 0 && info.count == cuts[i][DEVICES], "the last partial is not that of all elements");
  }
  close_scanning(&scanning);
}

TEST_CASE("scans", open_all, close_all);

TEST_EACH(builtin, 0, 3) {
  static const clred_problem scans[] = {
    {OP(ADD, FLOAT), SCAN(INCLUSIVE)}, {OP(MEAN, FLOAT), SCAN(EXCLUSIVE)}, {OP(ARGMIN, FLOAT), SCAN(INCLUSIVE)}};
  static const float start = 0.1f;
  const clred_problem *problem = &scans[_i];
  const oracle_tree tree = {.strategy = "scan_chunked"};
  const oracle_scan scan = {problem->scan == CLRED_SCAN_INCLUSIVE, false, _i ? NULL : &start};
  struct subject subject = {.name = _i == 0 ? "sum" : _i == 1 ? "mean" : "argmin", .problem = *problem};
  clred_plan *plan;
  clred_plan_info info;
  assert_ok(clred_plan_create(devices[0].runtime, problem, &plan));
  assert_ok(clred_plan_inspect(plan, 1, &info));
  unsigned char *expected = claim(SCANNED * info.result_size);
  oracle_solve_scan(problem, &scan, numbers, NULL, SCANNED, &tree, expected);
  subject.in = (const unsigned char *)numbers;
  subject.size = sizeof *numbers;
  subject.result = info.result_size;
  subject.initial = scan.start;
  subject.expected = expected;
  check_subject(&subject);
  RELEASE(plan, expected);
}

// Operators that do not commute, with an input, and states that are structs. Without host functions the devices join.
TEST_EACH(own, 0, 4) {
  const struct sample *of = sample_named(_i % 2 ? "matrix" : "affine");
  const oracle_scan scan = {_i % 2, false, NULL};
  clred_operator op = of->op;
  fixture_open();
  struct material made = material_create(of, SCANNED);
  unsigned char *expected = claim(SCANNED * of->result);
  material_scan(&made, &(struct row){.stride = 1, .count = SCANNED}, &scan, expected);
  op.host = _i < 2 ? of->op.host : NULL;
  check_subject(
    &(struct subject){.name = of->op.name,
                      .problem = {.custom = &op, .scan = _i % 2 ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_EXCLUSIVE},
                      .in = made.elements,
                      .input = made.input,
                      .size = of->element,
                      .input_size = of->input,
                      .result = of->result,
                      .expected = expected});
  material_release(&made);
  free(expected);
  fixture_close();
}

static void check_refused_scan(const struct scanning *it, cl_int status, const char *words) {
  ck_assert_int_eq(clred_devices_scan(it->share, DEVICES), status);
  for (size_t i = 0; i < device_count; i++)
    check_sentence(clred_last_error(devices[i].runtime), words);
}

TEST(refused) {
  const cl_ulong cuts[DEVICES + 1] = {0, 1500, 3000, 4500};
  const float start = 0;
  const struct subject subject = {.problem = {OP(ADD, FLOAT), SCAN(INCLUSIVE)},
                                  .in = (const unsigned char *)numbers,
                                  .size = sizeof *numbers,
                                  .result = sizeof *numbers};
  struct scanning it;
  open_scanning(&it, &subject);
  cut_scan(&it, cuts);
  ck_assert_int_eq(clred_devices_scan(it.share, 0), CLRED_INVALID_ARGUMENT);
  ck_assert_int_eq(clred_devices_scan(NULL, 1), CLRED_INVALID_ARGUMENT);
  it.call[2].out_offset = SCANNED;
  check_refused_scan(&it, CLRED_OUT_OF_RANGE, "shares[2], ");
  check_refused_scan(&it, CLRED_OUT_OF_RANGE, devices[2].name);
  cut_scan(&it, cuts);
  it.call[1].initial = &start;
  check_refused_scan(&it, CLRED_INVALID_ARGUMENT, "shares[1].call->initial: only shares[0] begins with a state");
  cut_scan(&it, cuts);
  it.share[1].before = it.partial[1];
  check_refused_scan(&it, CLRED_INVALID_ARGUMENT, "shares[1]: before and partial are the same");
  it.share[1].before = it.before[0];
  check_refused_scan(&it, CLRED_INVALID_ARGUMENT, "shares[1].before is of another device");
  it.share[1].before = NULL;
  check_refused_scan(&it, CLRED_INVALID_ARGUMENT, "shares[1].before is NULL");
  it.share[1] = it.share[2];
  ck_assert_int_eq(clred_devices_scan(it.share, DEVICES), CLRED_INVALID_ARGUMENT);
  check_sentence(clred_last_error(devices[2].runtime), "shares[1] and shares[2] are on the same device");
  it.share[1] = (clred_device_scan){devices[1].queue, it.scans[1], it.before[1], it.partial[1], &it.call[1]};
  assert_ok(clred_devices_scan(it.share, DEVICES));
  close_scanning(&it);
}
