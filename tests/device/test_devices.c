// Several devices of one process: their shares, and reductions and scans over elements that lie on all of them, which
// have the bits of one call on one device. POCL_DEVICES must name three. Each device has a context of its own and other
// assumed facts, so that their kernels differ.

#include "support/fixture.h"
#include "support/operators.h"

enum { DEVICES = 3, COUNT = 20011, MOST = 3000017 };

static struct device devices[DEVICES];
static size_t device_count;

static void open_all(void) {
  static const char *const assumed[DEVICES] = {"cpu=1", "cpu=0", "cpu=1,native_vector_width=4"};
  for (device_count = 0; device_count < DEVICES; device_count++) {
    char index[8];
    snprintf(index, sizeof index, "%zu", device_count);
    setenv("CLREDUCE_TEST_DEVICE", index, 1);
    if (device_open_assuming(&devices[device_count], assumed[device_count]))
      break;
  }
  ck_assert_msg(device_count == DEVICES, "only %zu devices; POCL_DEVICES names %d", device_count, (int)DEVICES);
}

static void close_all(void) {
  fixture_close();
  for (size_t i = 0; i < device_count; i++)
    device_close(&devices[i]);
}

// A buffer of a device with these bytes.
static cl_mem upload(size_t device, const void *bytes, size_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(devices[device].context, CL_MEM_READ_WRITE, size, NULL, &err);
  assert_ok(err);
  assert_ok(clEnqueueWriteBuffer(devices[device].queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
  return OWN(buffer);
}

// ---------------------------------------------------------------- Elements on all devices

static const struct subject {
  clred_problem problem;
  const char *sample;  // an operator of a caller
  bool is_bare;        // without host functions, so that the devices join
  bool starts;
} subjects[] = {
  {{OP(SUM, FLOAT)}, NULL, false, false},
  {{OP(VAR, FLOAT)}, NULL, false, false},
  {{OP(STATS, FLOAT)}, NULL, false, false},
  {{OP(NONE, NONE)}, "affine", false, false},
  {{OP(NONE, NONE)}, "hash", false, false},
  {{OP(NONE, NONE)}, "matrix", true, false},
  {{OP(SUM, FLOAT), SCAN(INCLUSIVE)}, NULL, false, true},
  {{OP(MEAN, FLOAT), SCAN(EXCLUSIVE)}, NULL, false, false},
  {{OP(ARGMIN, FLOAT), SCAN(INCLUSIVE)}, NULL, false, false},
  {{OP(NONE, NONE), SCAN(EXCLUSIVE)}, "affine", false, false},
  {{OP(NONE, NONE), SCAN(INCLUSIVE)}, "matrix", true, false},
};

// What is computed, and what each device needs for its share.
struct work {
  const clred_problem *problem;
  unsigned char *elements, *input;
  size_t size, input_size, result;  // bytes of one
  const void *const *parameters;
  const void *initial;
  clred_plan *plan[DEVICES], *folds[DEVICES];
  clred_partial *before[DEVICES], *partial[DEVICES];
  cl_mem in[DEVICES], further[DEVICES], out[DEVICES];
  clred_call call[DEVICES];
  clred_device_share share[DEVICES];
  clred_device_scan scan[DEVICES];
};

static void make_elements(struct work *work, const struct sample *of) {
  random_state random = random_seed(COUNT);
  work->size = of ? of->element : sizeof(float);
  work->input_size = of ? of->input : 0;
  work->elements = claim(COUNT * work->size);
  work->input = work->input_size ? claim(COUNT * work->input_size) : NULL;
  work->parameters = of && of->parameter ? &of->parameter : NULL;
  if (!of)
    random_addends((float *)(void *)work->elements, COUNT, 3);
  else
    sample_fill(of, false, work->elements, COUNT, &random);
  if (work->input)
    sample_fill(of, true, work->input, COUNT, &random);
}

static void make_share(struct work *work, size_t i) {
  const clred_partial_options options = {.first = work->problem->scan ? 9 : 0, .parameters = work->parameters};
  assert_ok(clred_plan_create(devices[i].runtime, work->problem, &work->plan[i]));
  OWN(work->plan[i]);
  work->folds[i] = work->plan[i];
  if (work->problem->scan)
    assert_ok(clred_plan_create_scan_partials(work->plan[i], &work->folds[i]));
  if (work->problem->scan)
    OWN(work->folds[i]);
  assert_ok(clred_partial_create(work->folds[i], &options, &work->before[i]));
  assert_ok(clred_partial_create(work->folds[i], &options, &work->partial[i]));
  OWN(work->before[i]), OWN(work->partial[i]);
  work->in[i] = upload(i, work->elements, COUNT * work->size);
  work->further[i] = work->input ? upload(i, work->input, COUNT * work->input_size) : NULL;
  work->result = fixture_inspect(work->plan[i], 1).result_size;
  work->out[i] = upload(i, memset(claim(COUNT * work->result), 0x5a, COUNT * work->result), COUNT * work->result);
  work->share[i] = (clred_device_share){devices[i].queue, work->partial[i], &work->call[i]};
  work->scan[i] =
    (clred_device_scan){devices[i].queue, work->plan[i], work->before[i], work->partial[i], &work->call[i]};
}

static void make_work(struct work *work, const clred_problem *problem, const struct sample *of) {
  *work = (struct work){.problem = problem};
  make_elements(work, of);
  for (size_t i = 0; i < device_count; i++)
    make_share(work, i);
}

// Device i gets the elements from cuts[i] to cuts[i + 1]; a scan writes their results at their places.
static void cut(struct work *work, const cl_ulong *cuts) {
  for (size_t i = 0; i < device_count; i++) {
    clred_call *call = &work->call[i];
    *call = (clred_call)CALL(.in = work->in[i], .in_offset = cuts[i], .count = cuts[i + 1] - cuts[i], .stride = 1,
                             .inputs = work->input ? &work->further[i] : NULL,
                             .input_offsets = work->input ? &cuts[i] : NULL);
    if (work->problem->scan)
      call->out = work->out[i], call->out_offset = cuts[i], call->stride = 0;
    call->initial = i ? NULL : work->initial;
  }
}

// One call on the first device.
static void compute(const struct work *work, cl_ulong count, void *results) {
  const void *input = work->input;
  assert_ok(clred_plan_run_host(devices[0].queue, work->plan[0],
                                &(clred_host_call)CALL(.in = work->elements, .inputs = input ? &input : NULL,
                                                       .parameters = work->parameters, .count = count,
                                                       .initial = work->initial, .out = results)));
}

static void check_reduction(struct work *work, const cl_ulong *cuts) {
  _Alignas(128) unsigned char result[256] = {0}, expected[256] = {0};
  assert_ok(clred_devices_reduce(work->share, DEVICES, result));
  compute(work, cuts[DEVICES], expected);
  ck_assert_msg(memcmp(result, expected, work->result) == 0, "cut at %" PRIu64 " and %" PRIu64 ": other bits",
                (uint64_t)cuts[1], (uint64_t)cuts[2]);
}

// Results within the share must be the expected ones; all other bytes must be those that the buffer had. Another queue
// does not wait for the scan, which must be complete.
static void check_share(const struct work *work, size_t i, const cl_ulong *cuts, const unsigned char *expected) {
  const size_t bytes = COUNT * work->result, first = (size_t)cuts[i] * work->result;
  unsigned char *got = claim(bytes), *wanted = memset(claim(bytes), 0x5a, bytes);
  cl_command_queue apart = OWN(clCreateCommandQueue(devices[i].context, devices[i].id, 0, NULL));
  memcpy(wanted + first, expected + first, (size_t)(cuts[i + 1] - cuts[i]) * work->result);
  assert_ok(clEnqueueReadBuffer(apart, work->out[i], CL_TRUE, 0, bytes, got, 0, NULL, NULL));
  for (size_t at = 0; at < bytes; at++)
    ck_assert_msg(got[at] == wanted[at], "cut at %" PRIu64 " and %" PRIu64 ": byte %zu of device %zu",
                  (uint64_t)cuts[1], (uint64_t)cuts[2], at, i);
  memset(wanted, 0x5a, bytes);
  assert_ok(clEnqueueWriteBuffer(devices[i].queue, work->out[i], CL_TRUE, 0, bytes, wanted, 0, NULL, NULL));
}

static void check_scan(struct work *work, const cl_ulong *cuts, const unsigned char *expected) {
  clred_partial_info info;
  assert_ok(clred_devices_scan(work->scan, DEVICES));
  for (size_t i = 0; i < DEVICES; i++)
    check_share(work, i, cuts, expected);
  assert_ok(clred_partial_inspect(work->before[DEVICES - 1], &info));
  ck_assert_msg(info.first == 0 && info.count == cuts[DEVICES], "the last partial is not that of all elements");
}

TEST_CASE("devices", open_all, close_all);

TEST_ROWS(elements_on_all_devices, subjects) {
  // Within tiles, at whole tiles, the same tile, and devices without elements.
  static const cl_ulong cuts[][DEVICES + 1] = {
    {0, 6670, 17153, COUNT},  {0, 8192, 12288, COUNT}, {0, 5000, 5001, COUNT}, {0, 0, 777, COUNT},
    {0, COUNT, COUNT, COUNT}, {0, 3, 3, 4096},         {0, 1, 1, 1},           {0, 0, 0, 0}};
  static const float start = 0.1f;
  const struct subject *subject = &subjects[_i];
  const struct sample *of = subject->sample ? sample_named(subject->sample) : NULL;
  clred_problem problem = subject->problem;
  clred_operator op;
  struct work work;
  if (of) {
    op = of->op;
    op.host = subject->is_bare ? NULL : op.host;
    problem.custom = &op;
  }
  make_work(&work, &problem, of);
  work.initial = subject->starts ? &start : NULL;
  unsigned char *expected = claim(COUNT * work.result);
  if (problem.scan)
    compute(&work, COUNT, expected);
  for (size_t i = 0; i < COUNT_OF(cuts); i++) {
    cut(&work, cuts[i]);
    if (problem.scan)
      check_scan(&work, cuts[i], expected);
    else
      check_reduction(&work, cuts[i]);
  }
}

static const clred_problem sum = {OP(SUM, FLOAT)}, sums = {OP(SUM, FLOAT), SCAN(INCLUSIVE)};

// Shares are neighbours, cover everything, and follow the weights.
TEST(shares) {
  const double weights[] = {3, 0, 1};
  const cl_ulong counts[] = {0, 1, 5000, MOST, (cl_ulong)1 << 40};
  struct work work;
  make_work(&work, &sum, NULL);
  for (size_t i = 0; i < COUNT_OF(counts) * 2; i++) {
    const double *given = i % 2 ? weights : NULL;
    cl_ulong first, share, end = 0;
    for (size_t part = 0; part < 3; part++) {
      // Plans of other devices cut alike.
      assert_ok(clred_share_weighted(work.plan[part], counts[i / 2], 3, given, part, &first, &share));
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

// ---------------------------------------------------------------- Refusals

// Every device whose share was given has the message.
static void check_refused(cl_int got, cl_int status, size_t used, const char *words) {
  ck_assert_int_eq(got, status);
  for (size_t i = 0; i < used; i++)
    check_message(clred_last_error(devices[i].runtime), words);
}

TEST(refused_reductions) {
  const cl_ulong cuts[DEVICES + 1] = {0, 10, 20, 30};
  const double bad[] = {1, -1, 1};
  cl_ulong first, share;
  float result = 0;
  struct work work;
  make_work(&work, &sum, NULL);
  cut(&work, cuts);
  ck_assert_int_eq(clred_devices_reduce(work.share, 0, &result), CLRED_INVALID_ARGUMENT);
  for (size_t used = 1; used <= 2; used++) {
    work.call[0].out = work.in[0];
    check_refused(clred_devices_reduce(work.share, used, &result), CLRED_INVALID_ARGUMENT, 1, "shares[0], |out: ");
    work.call[0].out = NULL;
  }
  work.call[1].count = COUNT;
  check_refused(clred_devices_reduce(work.share, DEVICES, &result), CLRED_OUT_OF_RANGE, DEVICES, "shares[1], ");
  check_message(clred_last_error(devices[0].runtime), devices[1].name);
  work.call[1].count = 10;
  work.share[2] = work.share[0];
  check_refused(clred_devices_reduce(work.share, DEVICES, &result), CLRED_INVALID_ARGUMENT, 1,
                "shares[0] and shares[2] are on the same device");
  work.share[2] = (clred_device_share){devices[2].queue, NULL, &work.call[2]};
  check_refused(clred_devices_reduce(work.share, DEVICES, &result), CLRED_INVALID_ARGUMENT, 1,
                "shares[2].partial is NULL");
  work.share[2].partial = work.partial[2];
  check_reduction(&work, cuts);
  check_refused(clred_share(work.plan[0], 5, 3, 3, &first, &share), CLRED_INVALID_ARGUMENT, 1,
                "part is 3, but there are 3 parts");
  check_refused(clred_share_weighted(work.plan[0], 5, 3, bad, 0, &first, &share), CLRED_INVALID_ARGUMENT, 1,
                "weights[1] is -1");
}

static void check_refused_scan(const struct work *work, cl_int status, const char *words) {
  check_refused(clred_devices_scan(work->scan, DEVICES), status, DEVICES, words);
}

TEST(refused_scans) {
  const cl_ulong cuts[DEVICES + 1] = {0, 1500, 3000, 4500};
  const float start = 0;
  struct work work;
  make_work(&work, &sums, NULL);
  cut(&work, cuts);
  const clred_device_scan second = work.scan[1];
  ck_assert_int_eq(clred_devices_scan(work.scan, 0), CLRED_INVALID_ARGUMENT);
  ck_assert_int_eq(clred_devices_scan(NULL, 1), CLRED_INVALID_ARGUMENT);
  work.call[2].out_offset = COUNT;
  check_refused_scan(&work, CLRED_OUT_OF_RANGE, "shares[2], ");
  check_refused_scan(&work, CLRED_OUT_OF_RANGE, devices[2].name);
  cut(&work, cuts);
  work.call[1].initial = &start;
  check_refused_scan(&work, CLRED_INVALID_ARGUMENT, "shares[1].call->initial: only shares[0] begins with a state");
  cut(&work, cuts);
  work.scan[1].before = work.partial[1];
  check_refused_scan(&work, CLRED_INVALID_ARGUMENT, "shares[1]: before and partial are the same");
  work.scan[1].before = work.before[0];
  check_refused_scan(&work, CLRED_INVALID_ARGUMENT, "shares[1].before is of another device");
  work.scan[1].before = NULL;
  check_refused_scan(&work, CLRED_INVALID_ARGUMENT, "shares[1].before is NULL");
  work.scan[1] = work.scan[2];
  ck_assert_int_eq(clred_devices_scan(work.scan, DEVICES), CLRED_INVALID_ARGUMENT);
  check_message(clred_last_error(devices[2].runtime), "shares[1] and shares[2] are on the same device");
  work.scan[1] = second;
  assert_ok(clred_devices_scan(work.scan, DEVICES));
}
