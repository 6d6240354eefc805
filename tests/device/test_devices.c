// Several devices of one process: their shares, and what is refused. The program parts compares results. POCL_DEVICES
// must name three. Each device has a context of its own.

#include "support/fixture.h"
#include "support/random.h"

enum { DEVICES = 3, COUNT = 5000, MOST = 3000017 };

static struct device devices[DEVICES];
static size_t device_count;
static float numbers[COUNT];

static void open_all(void) {
  random_addends(numbers, COUNT, 3);
  for (device_count = 0; device_count < DEVICES; device_count++) {
    char index[8];
    snprintf(index, sizeof index, "%zu", device_count);
    setenv("CLREDUCE_TEST_DEVICE", index, 1);
    if (device_open_assuming(&devices[device_count], NULL))
      break;
  }
  ck_assert_msg(device_count == DEVICES, "only %zu devices; POCL_DEVICES names %d", device_count, (int)DEVICES);
}

static void close_all(void) {
  fixture_close();
  for (size_t i = 0; i < device_count; i++)
    device_close(&devices[i]);
}

// What each device needs for its share: of sums, and of their scan.
struct work {
  clred_plan *plan[DEVICES], *scan_plan[DEVICES], *folds[DEVICES];
  clred_partial *sum[DEVICES], *before[DEVICES], *partial[DEVICES];
  cl_mem in[DEVICES], out[DEVICES];
  clred_call call[DEVICES], scan_call[DEVICES];
  clred_device_share share[DEVICES];
  clred_device_scan scan[DEVICES];
};

static cl_mem upload(size_t i) {
  cl_mem buffer = OWN(clCreateBuffer(devices[i].context, CL_MEM_READ_WRITE, sizeof numbers, NULL, NULL));
  assert_ok(clEnqueueWriteBuffer(devices[i].queue, buffer, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
  return buffer;
}

// Elements 1000 i to 1000 (i + 1) are on device i.
static void make_share(struct work *work, size_t i) {
  const clred_problem sums = {OP(SUM, FLOAT)}, scans = {OP(SUM, FLOAT), SCAN(INCLUSIVE)};
  assert_ok(clred_plan_create(devices[i].runtime, &sums, &work->plan[i]));
  assert_ok(clred_plan_create(devices[i].runtime, &scans, &work->scan_plan[i]));
  assert_ok(clred_plan_create_scan_partials(OWN(work->scan_plan[i]), &work->folds[i]));
  work->sum[i] = fixture_partial(OWN(work->plan[i]), 0);
  work->before[i] = fixture_partial(OWN(work->folds[i]), 9);
  work->partial[i] = fixture_partial(work->folds[i], 9);
  work->in[i] = upload(i), work->out[i] = upload(i);
  work->call[i] = (clred_call)CALL(.in = work->in[i], .in_offset = 1000 * i, .count = 1000);
  work->scan_call[i] = work->call[i];
  work->scan_call[i].out = work->out[i], work->scan_call[i].out_offset = 1000 * i;
  work->share[i] = (clred_device_share){devices[i].queue, work->sum[i], &work->call[i]};
  work->scan[i] =
    (clred_device_scan){devices[i].queue, work->scan_plan[i], work->before[i], work->partial[i], &work->scan_call[i]};
}

static void make_work(struct work *work) {
  *work = (struct work){.plan = {NULL}};
  for (size_t i = 0; i < device_count; i++)
    make_share(work, i);
}

TEST_CASE("devices", open_all, close_all);

// Shares are neighbours, cover everything, and follow the weights.
TEST(shares) {
  const double weights[] = {3, 0, 1};
  const cl_ulong counts[] = {0, 1, 5000, MOST, (cl_ulong)1 << 40};
  struct work work;
  make_work(&work);
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
  const double bad[] = {1, -1, 1};
  cl_ulong first, share;
  float result = 0, expected = 0;
  struct work work;
  make_work(&work);
  ck_assert_int_eq(clred_devices_reduce(work.share, 0, &result), CLRED_INVALID_ARGUMENT);
  for (size_t used = 1; used <= 2; used++) {
    work.call[0].out = work.in[0];
    check_refused(clred_devices_reduce(work.share, used, &result), CLRED_INVALID_ARGUMENT, 1, "shares[0], |out: ");
    work.call[0].out = NULL;
  }
  work.call[1].count = COUNT;
  check_refused(clred_devices_reduce(work.share, DEVICES, &result), CLRED_OUT_OF_RANGE, DEVICES, "shares[1], ");
  check_message(clred_last_error(devices[0].runtime), devices[1].name);
  work.call[1].count = 1000;
  work.share[2] = work.share[0];
  check_refused(clred_devices_reduce(work.share, DEVICES, &result), CLRED_INVALID_ARGUMENT, 1,
                "shares[0] and shares[2] are on the same device");
  work.share[2] = (clred_device_share){devices[2].queue, NULL, &work.call[2]};
  check_refused(clred_devices_reduce(work.share, DEVICES, &result), CLRED_INVALID_ARGUMENT, 1,
                "shares[2].partial is NULL");
  work.share[2].partial = work.sum[2];
  assert_ok(clred_devices_reduce(work.share, DEVICES, &result));
  assert_ok(clred_reduce_host(devices[0].runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, numbers, 3000, &expected));
  ck_assert_msg(memcmp(&result, &expected, sizeof result) == 0, "refused calls left something behind");
  check_refused(clred_share(work.plan[0], 5, 3, 3, &first, &share), CLRED_INVALID_ARGUMENT, 1,
                "part is 3, but there are 3 parts");
  check_refused(clred_share_weighted(work.plan[0], 5, 3, bad, 0, &first, &share), CLRED_INVALID_ARGUMENT, 1,
                "weights[1] is -1");
}

static void check_refused_scan(const struct work *work, cl_int status, const char *words) {
  check_refused(clred_devices_scan(work->scan, DEVICES), status, DEVICES, words);
}

TEST(refused_scans) {
  const float start = 0;
  struct work work;
  make_work(&work);
  const clred_device_scan second = work.scan[1];
  ck_assert_int_eq(clred_devices_scan(work.scan, 0), CLRED_INVALID_ARGUMENT);
  ck_assert_int_eq(clred_devices_scan(NULL, 1), CLRED_INVALID_ARGUMENT);
  work.scan_call[2].out_offset = COUNT;
  check_refused_scan(&work, CLRED_OUT_OF_RANGE, "shares[2], ");
  check_refused_scan(&work, CLRED_OUT_OF_RANGE, devices[2].name);
  work.scan_call[2].out_offset = 2000;
  work.scan_call[1].initial = &start;
  check_refused_scan(&work, CLRED_INVALID_ARGUMENT, "shares[1].call->initial: only shares[0] begins with a state");
  work.scan_call[1].initial = NULL;
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
