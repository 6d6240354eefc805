// Scans over elements that lie on several devices of one process. The oracle or a loop gives the expected bits.

#include "support/devices.h"
#include "support/material.h"

enum { SCANNED = 20011 };

// What is scanned, on the host.
struct subject {
  struct material of;
  size_t result;  // bytes
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
  const clred_partial_options options = {.first = 9, .parameters = of->of.parameters};
  const size_t bytes = SCANNED * of->result;
  const unsigned char *blank = memset(claim(bytes), 0x5a, bytes);
  *it = (struct scanning){.of = of};
  for (size_t i = 0; i < device_count; i++) {
    assert_ok(clred_plan_create(devices[i].runtime, &of->of.problem, &it->scans[i]));
    assert_ok(clred_plan_create_scan_partials(OWN(it->scans[i]), &it->folds[i]));
    assert_ok(clred_partial_create(OWN(it->folds[i]), &options, &it->before[i]));
    assert_ok(clred_partial_create(it->folds[i], &options, &it->partial[i]));
    OWN(it->before[i]), OWN(it->partial[i]);
    it->in[i] = upload(i, of->of.elements, SCANNED * of->of.size);
    it->input[i] = of->of.input ? upload(i, of->of.input, SCANNED * of->of.input_size) : NULL;
    it->out[i] = upload(i, blank, bytes);
    it->share[i] = (clred_device_scan){devices[i].queue, it->scans[i], it->before[i], it->partial[i], &it->call[i]};
  }
}

// Device i gets the elements from cuts[i] to cuts[i + 1], and writes their results at their places.
static void cut_scan(struct scanning *it, const cl_ulong *cuts) {
  for (size_t i = 0; i < device_count; i++)
    it->call[i] = (clred_call)CALL(.in = it->in[i], .in_offset = cuts[i], .inputs = it->input[i] ? &it->input[i] : NULL,
                                   .input_offsets = it->input[i] ? &cuts[i] : NULL, .count = cuts[i + 1] - cuts[i],
                                   .out = it->out[i], .out_offset = cuts[i], .initial = i ? NULL : it->of->initial);
}

// Another queue does not wait for the scan, which must be complete.
static void read_apart(size_t device, cl_mem buffer, void *bytes, size_t size) {
  cl_command_queue apart = OWN(clCreateCommandQueue(devices[device].context, devices[device].id, 0, NULL));
  assert_ok(clEnqueueReadBuffer(apart, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
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
                  "%s, cut at %" PRIu64 " and %" PRIu64 ": result %zu of device %zu has other bits", of->of.name,
                  (uint64_t)cuts[1], (uint64_t)cuts[2], i, device);
  memset(wanted, 0x5a, bytes);
  assert_ok(clEnqueueWriteBuffer(devices[device].queue, it->out[device], CL_TRUE, 0, bytes, wanted, 0, NULL, NULL));
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
}

TEST_CASE("scans", open_all, close_all);

static void check_material(const struct material *of, size_t result, const void *initial) {
  const oracle_scan scan = {of->problem.scan == CLRED_SCAN_INCLUSIVE, false, initial};
  check_subject(&(struct subject){*of, result, initial, material_scan_all(of, &scan, SCANNED, result)});
}

TEST_EACH(builtin, 0, 3) {
  static const clred_problem scans[] = {
    {OP(SUM, FLOAT), SCAN(INCLUSIVE)}, {OP(MEAN, FLOAT), SCAN(EXCLUSIVE)}, {OP(ARGMIN, FLOAT), SCAN(INCLUSIVE)}};
  static const float start = 0.1f;
  fixture_open();
  const struct material made = material_of_problem(&scans[_i], SCANNED, 12, 19);
  check_material(&made, fixture_inspect(fixture_plan(&scans[_i]), 1).result_size, _i ? NULL : &start);
}

// Operators that do not commute, with an input, and states that are structs. Without host functions the devices join.
TEST_EACH(own, 0, 4) {
  const struct sample *of = sample_named(_i % 2 ? "matrix" : "affine");
  clred_operator op = of->op;
  fixture_open();
  struct material made = material_create(of, SCANNED);
  op.host = _i < 2 ? of->op.host : NULL;
  made.problem = (clred_problem){.custom = &op, .scan = _i % 2 ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_EXCLUSIVE};
  check_material(&made, of->result, NULL);
}

static void check_refused_scan(const struct scanning *it, cl_int status, const char *words) {
  ck_assert_int_eq(clred_devices_scan(it->share, DEVICES), status);
  for (size_t i = 0; i < device_count; i++)
    check_message(clred_last_error(devices[i].runtime), words);
}

TEST(refused) {
  const cl_ulong cuts[DEVICES + 1] = {0, 1500, 3000, 4500};
  const float start = 0;
  fixture_open();
  const struct subject subject = {
    .of = material_of_problem(&(clred_problem){OP(SUM, FLOAT), SCAN(INCLUSIVE)}, SCANNED, 12, 19),
    .result = sizeof(float)};
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
  check_message(clred_last_error(devices[2].runtime), "shares[1] and shares[2] are on the same device");
  it.share[1] = (clred_device_scan){devices[1].queue, it.scans[1], it.before[1], it.partial[1], &it.call[1]};
  assert_ok(clred_devices_scan(it.share, DEVICES));
}
