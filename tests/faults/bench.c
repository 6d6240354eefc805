// The bench of a scenario: see scenario.h.
#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "memory.h"
#include "scenario.h"

cl_int numbers[NUMBERS + 2];

void fill_numbers(void *bytes, size_t size) {
  cl_int *filled = bytes;
  for (size_t i = 0; i < size / sizeof *filled; i++)
    filled[i] = (cl_int)(i * 7 % 50);
}

const char *bench_say(struct bench *bench, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(bench->message, sizeof bench->message, format, values);
  va_end(values);
  return bench->message;
}

// ---------------------------------------------------------------- The device

static const char *find_layer(struct bench *bench) {
  void *layer = dlopen(FAULTS_LAYER, RTLD_NOW | RTLD_NOLOAD);
  bench->layer = layer ? dlsym(layer, FAULT_CONTROL_SYMBOL) : NULL;
  return bench->layer ? NULL : bench_say(bench, "the layer is not loaded: OPENCL_LAYERS should name it");
}

const char *bench_open(struct bench *bench, const struct scenario *scenario) {
  memset(bench, 0, sizeof *bench);
  fill_numbers(numbers, sizeof numbers);
  bench->scenario = scenario;
  const char *trouble = device_open_assuming(&bench->device, NULL);
  if (!trouble)
    trouble = find_layer(bench);
  if (trouble)
    return trouble;
  clred_runtime_release(bench->device.runtime);
  bench->device.runtime = NULL;
  bench->queue = bench->device.queue;
  bench->layer->keep_programs(true);
  bench->layer->pretend(&scenario->pretence);
  bench->host_size = scenario->bytes;
  return NULL;
}

void bench_close(struct bench *bench) {
  bench_release(bench);
  image_release(&bench->in);
  image_release(&bench->second);
  image_release(&bench->segments);
  image_release(&bench->out);
  image_release(&bench->keys);
  free(bench->expected);
  if (bench->queue != bench->device.queue)
    clReleaseCommandQueue(bench->queue);
  if (bench->other)
    clReleaseCommandQueue(bench->other);
  bench->layer->keep_programs(false);
  device_close(&bench->device);
}

cl_int bench_runtime(struct bench *bench, const clred_options *options) {
  clred_options all = options ? *options : (clred_options){0};
  all.build_options = all.build_options ? all.build_options : getenv("CLREDUCE_TEST_BUILD_OPTIONS");
  all.trust_driver = !(bench->scenario && bench->scenario->flags & TRIED);
  all.device_only = CL_TRUE;
  all.error = bench->error;
  all.error_size = sizeof bench->error;
  bench->error[0] = '\0';
  return clred_runtime_create(bench->device.context, bench->device.id, &all, &bench->runtime);
}

const char *bench_open_runtime(struct bench *bench, const char *assume) {
  const clred_options options = {.assume = assume};
  return bench_runtime(bench, &options) ? bench->error : NULL;
}

const char *bench_open_plan(struct bench *bench, const char *assume, const clred_problem *problem) {
  const char *trouble = bench_open_runtime(bench, assume);
  if (!trouble && clred_plan_create(bench->runtime, problem, &bench->plan))
    return bench_say(bench, "no plan: %s", clred_last_error(bench->runtime));
  return trouble;
}

const char *bench_open_queue(struct bench *bench, cl_command_queue_properties properties) {
  cl_int err;
  bench->queue = clCreateCommandQueue(bench->device.context, bench->device.id, properties, &err);
  return bench->queue ? NULL : "no queue";
}

const char *bench_open_directory(struct bench *bench) {
  const char *parent = getenv("TMPDIR");
  snprintf(bench->directory, sizeof bench->directory, "%s/clreduce-faults-XXXXXX", parent ? parent : "/tmp");
  return mkdtemp(bench->directory) ? NULL : "no temporary directory";
}

const char *bench_file(const struct bench *bench, const char *name) {
  static char path[sizeof bench->directory + 32];
  snprintf(path, sizeof path, "%s/%s", bench->directory, name);
  return path;
}

cl_int bench_run_host(struct bench *bench) {
  const clred_host_call call = {.in = numbers, .count = NUMBERS, .out = bench->host.bytes + GUARD};
  return clred_plan_run_host(bench->queue, bench->plan, &call);
}

cl_int bench_reduce(struct bench *bench, const clred_options *options) {
  const clred_problem problem = {OP(SUM, INT)};
  cl_int status = bench_runtime(bench, options);
  if (!status)
    status = clred_plan_create(bench->runtime, &problem, &bench->plan);
  return status ? status : bench_run_host(bench);
}

cl_int bench_end(struct bench *bench, cl_int status) {
  if (status && bench->runtime)
    snprintf(bench->error, sizeof bench->error, "%s", clred_last_error(bench->runtime));
  bench_begin_release(bench);
  bench_release(bench);
  return status;
}

void bench_release(struct bench *bench) {
  clred_plan_release(bench->plan);
  clred_runtime_release(bench->runtime);
  bench->plan = NULL;
  bench->runtime = NULL;
}

void bench_begin_release(struct bench *bench) {
  bench->is_over = true;
  bench->fell = bench->layer->has_fallen() || memory_has_failed();
}

void bench_pause(struct bench *bench, bool paused) {
  bench->layer->pause(paused);
  memory_pause(paused);
}

// ---------------------------------------------------------------- Memory

const char *bench_image(struct bench *bench, struct image *image, size_t size, void (*fill)(void *bytes, size_t size)) {
  const char *trouble = image_create(image, &bench->device, size);
  if (trouble || !fill)
    return trouble;
  fill(image->bytes, size);
  return image_upload(image, &bench->device);
}

const char *bench_reset(struct bench *bench) {
  image_pattern(bench->host.bytes, sizeof bench->host.bytes);
  bench->outcome = (clred_outcome){77, 77};
  bench->is_over = bench->is_silent = false;
  const char *trouble = bench->out.mem ? image_upload(&bench->out, &bench->device) : NULL;
  return trouble || !bench->keys.mem ? trouble : image_upload(&bench->keys, &bench->device);
}

static const char *check_host(struct bench *bench) {
  unsigned char pattern[sizeof bench->host.bytes];
  const size_t end = GUARD + bench->host_size;
  const struct guarded *host = &bench->host;
  image_pattern(pattern, sizeof pattern);
  for (size_t i = 0; i < sizeof pattern; i++)
    if ((i < GUARD || i >= end) && host->bytes[i] != pattern[i])
      return bench_say(bench, "host memory beside the result was written, at %zd", (ptrdiff_t)i - GUARD);
  cl_int kept[NUMBERS + 2];
  fill_numbers(kept, sizeof kept);
  return memcmp(kept, numbers, sizeof kept) ? "WRONG: elements of the caller were changed" : NULL;
}

// The bytes behind the last key must not change.
static const char *check_keys(struct bench *bench) {
  unsigned char keys[65536];
  const size_t guard = 16;
  return image_check_except(&bench->keys, &bench->device, 0, bench->keys.size - guard, keys);
}

// Checks the bytes that no call may change. `results` gets the bytes that calls may write.
static const char *check_guards(struct bench *bench, unsigned char *results) {
  const struct image *const stays[] = {&bench->in, &bench->second, &bench->segments};
  const char *trouble = check_host(bench);
  for (size_t i = 0; i < sizeof stays / sizeof *stays && !trouble; i++)
    if (stays[i]->mem)
      trouble = image_check((struct image *)stays[i], &bench->device);
  if (!trouble && bench->out.mem)
    trouble = image_check_except(&bench->out, &bench->device, bench->out_at, bench->out_size, results);
  if (!trouble && bench->keys.mem)
    trouble = check_keys(bench);
  memcpy(results + bench->out_size, bench->host.bytes + GUARD, bench->host_size);
  memcpy(results + bench->out_size + bench->host_size, &bench->outcome, sizeof bench->outcome);
  return trouble;
}

static const char *compare(struct bench *bench, const unsigned char *results, size_t size) {
  if (!bench->expected) {
    bench->expected = malloc(size);
    if (!bench->expected)
      return bench_say(bench, "no memory");
    memcpy(bench->expected, results, size);
    return NULL;
  }
  for (size_t i = 0; i < size; i++)
    if (results[i] != bench->expected[i])
      return bench_say(bench, "WRONG RESULT: byte %zu of %zu is 0x%02x, at first it was 0x%02x", i, size, results[i],
                       bench->expected[i]);
  return NULL;
}

const char *bench_judge(struct bench *bench, bool succeeded) {
  const size_t size = bench->out_size + bench->host_size + sizeof bench->outcome;
  unsigned char *results = calloc(size, 1);
  if (!results)
    return bench_say(bench, "no memory");
  const char *trouble = check_guards(bench, results);
  memset(results + bench->out_size + bench->host_size - bench->padding, 0, bench->padding);
  if (!trouble && succeeded)
    trouble = compare(bench, results, size);
  free(results);
  return trouble;
}

cl_int bench_resolve(struct bench *bench, cl_event event) {
  cl_int state = CL_COMPLETE;
  bench_pause(bench, true);
  clFinish(bench->queue);
  if (bench->other)
    clFinish(bench->other);
  if (event) {
    clWaitForEvents(1, &event);
    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    clReleaseEvent(event);
  }
  bench_pause(bench, false);
  return state < 0 ? state : CL_SUCCESS;
}

// ---------------------------------------------------------------- The clock

static bool pretends;
static long looks;

void clock_pretend(bool wanted) {
  pretends = wanted;
}

int __real_timespec_get(struct timespec *time, int base);
int __wrap_timespec_get(struct timespec *time, int base);

int __wrap_timespec_get(struct timespec *time, int base) {
  if (!pretends)
    return __real_timespec_get(time, base);
  looks++;
  *time = (struct timespec){1000 + looks / 5, looks % 5 * 200000000};
  return base;
}
