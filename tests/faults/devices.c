// Reductions and scans over elements on two devices, each with a context of its own. Every failure must name a device.
#define _POSIX_C_SOURCE 200809L

#include <clreduce_partial.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"
#include "support/callbacks.h"

// The first device has the elements before CUT, which is within a tile.
#define CUT 1700

// Sums in order: joined by the host, or by the devices.
IDENTITY(sum, cl_long, 0)
LIFT(sum, cl_int, cl_long, x)
COMBINE(sum, cl_long, a + b)
HOST(sum, cl_long);
#define SUM_IN_ORDER \
  .name = "sum", .element = "int", .state = "long", .identity = "0", .lift = "(long)x", .combine = "a + b"
static const clred_operator on_host = OPERATOR(SUM_IN_ORDER, .host = &sum_host);
static const clred_operator on_device = OPERATOR(SUM_IN_ORDER);

// ---------------------------------------------------------------- Two devices

// What the bench has for the first device, for the second one; and the partials of both.
static struct {
  struct device second;
  cl_command_queue queues[2];
  struct image in, out;
  clred_plan *plans[2], *folds[2];
  clred_partial *before[2], *partials[2];
  bool names_no_device;  // a failure
} both;

static const clred_problem *problem_of(const struct bench *bench) {
  return &bench->scenario->problem;
}

static const char *open_second(void) {
  const char *was = getenv("CLREDUCE_TEST_DEVICE");
  setenv("CLREDUCE_TEST_DEVICE", "1", 1);
  const char *trouble = device_open_assuming(&both.second, "cpu=0");
  if (was)
    setenv("CLREDUCE_TEST_DEVICE", was, 1);
  else
    unsetenv("CLREDUCE_TEST_DEVICE");
  if (!trouble)
    trouble = image_create(&both.in, &both.second, NUMBERS * sizeof *numbers);
  if (!trouble)
    trouble = image_create(&both.out, &both.second, NUMBERS * sizeof(cl_long));
  if (trouble)
    return trouble;
  fill_numbers(both.in.bytes, both.in.size);
  return image_upload(&both.in, &both.second);
}

static cl_int make_queue(const struct bench *bench, const struct device *device, size_t index) {
  cl_int err;
  both.queues[index] =
    clCreateCommandQueue(device->context, device->id,
                         bench->scenario->flags & OUT_OF_ORDER ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, &err);
  return err;
}

// A reduction is folded by its own plan.
static cl_int make_partials(size_t device, bool scans) {
  clred_plan *plan = both.plans[device];
  cl_int status = scans ? clred_plan_create_scan_partials(plan, &both.folds[device]) : CL_SUCCESS;
  if (!status)
    status = clred_partial_create(scans ? both.folds[device] : plan, NULL, &both.partials[device]);
  return status || !scans ? status : clred_partial_create(both.folds[device], NULL, &both.before[device]);
}

static const char *open_both(struct bench *bench) {
  memset(&both, 0, sizeof both);
  const bool scans = problem_of(bench)->scan != CLRED_SCAN_NONE;
  const char *trouble = bench_image(bench, &bench->in, NUMBERS * sizeof *numbers, fill_numbers);
  if (!trouble)
    trouble = bench_image(bench, &bench->out, NUMBERS * sizeof(cl_long), image_pattern);
  bench->out_size = scans ? CUT * sizeof(cl_long) : 0;
  if (!trouble)
    trouble = bench_open_plan(bench, NULL, problem_of(bench));
  if (!trouble)
    trouble = open_second();
  if (trouble)
    return trouble;
  both.plans[0] = bench->plan;
  cl_int status = make_queue(bench, &bench->device, 0);
  if (!status)
    status = make_queue(bench, &both.second, 1);
  if (!status)
    status = clred_plan_create(both.second.runtime, problem_of(bench), &both.plans[1]);
  for (size_t i = 0; i < 2 && !status; i++)
    status = make_partials(i, scans);
  return status ? bench_say(bench, "no partials: %s", clred_status_name(status)) : NULL;
}

static void close_both(struct bench *bench) {
  (void)bench;
  for (size_t i = 0; i < 2; i++)
    RELEASE(both.before[i], both.partials[i], both.folds[i], both.queues[i]);
  clred_plan_release(both.plans[1]);
  image_release(&both.in);
  image_release(&both.out);
  device_close(&both.second);
}

// ---------------------------------------------------------------- Calls

static cl_int call_both(struct bench *bench, const clred_call *calls) {
  clred_device_share shares[2];
  clred_device_scan scans[2];
  for (size_t i = 0; i < 2; i++) {
    shares[i] = (clred_device_share){both.queues[i], both.partials[i], &calls[i]};
    scans[i] = (clred_device_scan){both.queues[i], both.plans[i], both.before[i], both.partials[i], &calls[i]};
  }
  return problem_of(bench)->scan ? clred_devices_scan(scans, 2)
                                 : clred_devices_reduce(shares, 2, bench->host.bytes + GUARD);
}

static cl_int act(struct bench *bench) {
  const bool scans = problem_of(bench)->scan != CLRED_SCAN_NONE;
  const clred_call calls[] = {
    {.in = bench->in.mem, .count = CUT, .out = scans ? bench->out.mem : NULL},
    ROW(.in = both.in.mem, .in_offset = CUT, .count = NUMBERS - CUT, .out = scans ? both.out.mem : NULL,
        .out_offset = scans ? CUT : 0),
  };
  const cl_int status = call_both(bench, calls);
  const char *message = clred_last_error(bench->runtime);
  both.names_no_device = status && status != CL_OUT_OF_HOST_MEMORY && strncmp(message, "shares[", 7) != 0;
  bench_begin_release(bench);
  return status;
}

// ---------------------------------------------------------------- What must hold

static const char *reset_second(struct bench *bench) {
  (void)bench;
  return image_upload(&both.out, &both.second);
}

static cl_long sum_of(size_t count) {
  cl_long sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += numbers[i];
  return sum;
}

// The results on the second device; of a reduction there are none.
static const char *judge_second(struct bench *bench, bool succeeded) {
  const bool scans = problem_of(bench)->scan != CLRED_SCAN_NONE;
  static cl_long results[NUMBERS];
  const size_t size = scans ? (NUMBERS - CUT) * sizeof *results : 0;
  const char *trouble = image_check_except(&both.out, &both.second, CUT * sizeof *results, size, results);
  cl_long sum = sum_of(CUT);
  for (size_t i = 0; i < size / sizeof *results && succeeded && !trouble; i++) {
    sum += numbers[CUT + i];
    if (results[i] != sum)
      trouble = bench_say(bench, "WRONG RESULT %zu on the second device", i);
  }
  return trouble;
}

static const char *judge_both(struct bench *bench, bool succeeded) {
  cl_long result;
  const char *trouble = bench_judge(bench, succeeded);
  if (!trouble)
    trouble = judge_second(bench, succeeded);
  memcpy(&result, bench->host.bytes + GUARD, sizeof result);
  if (!trouble && succeeded && !problem_of(bench)->scan && result != sum_of(NUMBERS))
    trouble = "WRONG RESULT of both devices";
  return trouble || !both.names_no_device ? trouble : "the message names no device";
}

#define DEVICES \
  .open = open_both, .before = reset_second, .act = act, .judge = judge_both, .close = close_both, \
  .forgives = "clGetEventInfo clGetDeviceInfo"
#define REDUCTION(of) DEVICES, .problem = {.custom = &(of)}, .bytes = sizeof(cl_long)
#define SCAN_OF(of) DEVICES, .problem = {.custom = &(of), SCAN(INCLUSIVE)}

// Out of order, commands may fail on the device, after the call that enqueued them.
static const struct scenario rows[] = {
  ROW(REDUCTION(on_host), .name = "reduction on two devices"),
  ROW(SCAN_OF(on_host), .name = "scan on two devices"),
  ROW(REDUCTION(on_host), .name = "reduction on two devices, out of order", .flags = OUT_OF_ORDER),
  ROW(SCAN_OF(on_host), .name = "scan on two devices, out of order", .flags = OUT_OF_ORDER),
  ROW(REDUCTION(on_device), .name = "reduction on two devices, joined by them", .flags = ONLY_IN_FULL),
  ROW(SCAN_OF(on_device), .name = "scan on two devices, joined by them", .flags = ONLY_IN_FULL),
};

void add_devices(struct scenarios *all) {
  ADD_TABLE(all, rows);
}
