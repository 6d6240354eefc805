// repeat: scans, segments, runs of equal keys, and scans of both, by every strategy that can run them, many times: each
// run must give the bits of the first. The operators are sums of floats, and maps x -> scale x + shift of floats, which
// do not commute. Both round, so another order of combination gives other bits. The device compares the runs and then
// overwrites the results, so that a run that writes nothing is found.

#include <clreduce_device.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "options.h"
#include "support/device.h"
#include "support/random.h"

#define ITEMS 4096  // work-items that compare: neighbours for each on a CPU, interleaved on other devices

static const char source[] =
  "__kernel void differing(__global const uint16 *first, __global uint16 *now, uint rows, __global uint *count) {\n"
  "  const uint items = (uint)get_global_size(0), item = (uint)get_global_id(0);\n"
  "#ifdef NEIGHBOURS\n"
  "  const uint each = (rows + items - 1) / items, from = item * each, to = min(from + each, rows), step = 1;\n"
  "#else\n"
  "  const uint from = item, to = rows, step = items;\n"
  "#endif\n"
  "  int16 differ = 0;\n"
  "  for (uint i = from; i < to; i += step) {\n"
  "    differ -= first[i] != now[i];\n"
  "    now[i] = (uint16)(0xffffffffu);\n"
  "  }\n"
  "  const int8 a = differ.lo + differ.hi;\n"
  "  const int4 b = a.lo + a.hi;\n"
  "  const int2 c = b.lo + b.hi;\n"
  "  if (c.x + c.y)\n"
  "    atomic_add(count, (uint)(c.x + c.y));\n"
  "}\n";

// ---------------------------------------------------------------- Problems

static const clred_operator maps =
  OPERATOR(.name = "maps", .element = "float", .state = "{ float scale; float shift; }", .identity = "{ 1, 0 }",
           .lift = "MAKE(x < 0 ? -1.0f : 1.0f, x)", .combine = "MAKE(a.scale * b.scale, a.shift * b.scale + b.shift)");

// The strategy and count_max are set later. Results have this many floats.
#define SUBJECT(name, floats, ...) \
  { name, {__VA_ARGS__}, (floats) * sizeof(cl_float) }
#define SEGMENTS LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT
#define BY_KEY LAYOUT(KEYS), .segment_type = CLRED_TYPE_UINT

static const struct subject {
  const char *name;
  clred_problem problem;
  size_t result_size;
} subjects[] = {
  SUBJECT("sum", 1, OP(SUM, FLOAT), SCAN(INCLUSIVE)),
  SUBJECT("maps", 2, .custom = &maps, SCAN(EXCLUSIVE)),
  SUBJECT("sum of segments", 1, OP(SUM, FLOAT), SEGMENTS),
  SUBJECT("maps of segments", 2, .custom = &maps, SEGMENTS),
  SUBJECT("sums in segments", 1, OP(SUM, FLOAT), SEGMENTS, SCAN(INCLUSIVE)),
  SUBJECT("sum by key", 1, OP(SUM, FLOAT), BY_KEY),
  SUBJECT("maps by key", 2, .custom = &maps, BY_KEY),
  SUBJECT("sums in runs of keys", 1, OP(SUM, FLOAT), BY_KEY, SCAN(INCLUSIVE)),
};

#define LARGEST_RESULT (2 * sizeof(cl_float))
#define MEAN_LENGTH 32  // elements a segment

struct repeat {
  struct device device;
  cl_program program;
  cl_kernel kernel;
  cl_mem in, segments, keys, first, now, count;
  uint64_t elements, rows;
  uint64_t log2, runs, seconds;
  const char *filter;
  unsigned failed;
};

// ---------------------------------------------------------------- One run

static uint64_t result_bytes(const struct repeat *repeat, const struct subject *subject) {
  const bool by_row = subject->problem.layout >= CLRED_LAYOUT_SEGMENTS && subject->problem.scan == CLRED_SCAN_NONE;
  return (by_row ? repeat->rows : repeat->elements) * subject->result_size;
}

static cl_int compare(struct repeat *repeat, uint64_t bytes, uint64_t *differing) {
  const cl_uint rows = (cl_uint)(bytes / sizeof(cl_uint16));
  const size_t items = ITEMS;
  cl_uint count = 0;
  cl_int err =
    clEnqueueWriteBuffer(repeat->device.queue, repeat->count, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL);
  if (!err)
    err = clSetKernelArg(repeat->kernel, 2, sizeof rows, &rows);
  if (!err)
    err = clEnqueueNDRangeKernel(repeat->device.queue, repeat->kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  if (!err)
    err = clEnqueueReadBuffer(repeat->device.queue, repeat->count, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL);
  *differing = count;
  return err;
}

static cl_int run_into(struct repeat *repeat, const struct subject *subject, clred_plan *plan, cl_mem out) {
  clred_call call = {.in = repeat->in, .count = repeat->elements, .out = out};
  if (subject->problem.layout >= CLRED_LAYOUT_SEGMENTS) {
    call.segments = subject->problem.layout == CLRED_LAYOUT_KEYS ? repeat->keys : repeat->segments;
    call.rows = repeat->rows;
  }
  return clred_enqueue(repeat->device.queue, plan, &call, 0, NULL, NULL);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// ---------------------------------------------------------------- One case

struct tally {
  unsigned long runs, differed;
  uint64_t words;
  bool wrote;
};

// Both buffers start with the same pattern, so that bytes that no run writes are equal. The first run must write some.
static cl_int run_first(struct repeat *repeat, const struct subject *subject, clred_plan *plan, uint64_t bytes,
                        bool *wrote) {
  uint64_t differing = 0;
  cl_int err = compare(repeat, bytes, &differing);
  if (!err)
    err = run_into(repeat, subject, plan, repeat->now);
  if (!err)
    err = clEnqueueCopyBuffer(repeat->device.queue, repeat->now, repeat->first, 0, 0, bytes, 0, NULL, NULL);
  if (!err)
    err = compare(repeat, bytes, &differing);
  if (!err)
    err = compare(repeat, bytes, &differing);
  *wrote = differing != 0;
  return err;
}

static cl_int repeat_plan(struct repeat *repeat, const struct subject *subject, clred_plan *plan, struct tally *tally) {
  const uint64_t bytes = result_bytes(repeat, subject);
  const double begun = now();
  cl_int err = run_first(repeat, subject, plan, bytes, &tally->wrote);
  for (tally->runs = 1; !err && tally->runs < repeat->runs && now() - begun < (double)repeat->seconds; tally->runs++) {
    uint64_t differing = 0;
    err = run_into(repeat, subject, plan, repeat->now);
    if (!err)
      err = compare(repeat, bytes, &differing);
    tally->words += differing;
    tally->differed += differing != 0;
  }
  return err;
}

static void report(struct repeat *repeat, const char *name, cl_int err, const struct tally *tally, double seconds) {
  const bool right = !err && tally->runs > 1 && !tally->differed && tally->wrote;
  const char *why = err ? clred_last_error(repeat->device.runtime) : tally->wrote ? "" : "nothing is written";
  printf("%s: %s: %lu runs, %lu of them differ, in %" PRIu64 " words; %.1f s%s%s\n", right ? "right" : "FAILED", name,
         tally->runs, tally->differed, tally->words, seconds, *why ? ": " : "", why);
  repeat->failed += !right;
  fflush(stdout);
}

static bool is_wanted(const struct repeat *repeat, const char *name) {
  return !repeat->filter || strstr(name, repeat->filter);
}

// False if the strategy cannot run the problem.
static bool repeat_by(struct repeat *repeat, const struct subject *subject, const char *strategy) {
  clred_problem problem = subject->problem;
  clred_plan *plan = NULL;
  struct tally tally = {0, 0, 0, false};
  const double begun = now();
  char name[100], reason[400];
  problem.strategy = strategy;
  problem.count_max = repeat->elements;
  snprintf(name, sizeof name, "%s %s", strategy, subject->name);
  cl_int err = clred_strategy_applies(repeat->device.runtime, strategy, &problem, reason, sizeof reason);
  if (err || !is_wanted(repeat, name))
    return !err;
  err = clred_plan_create(repeat->device.runtime, &problem, &plan);
  if (!err)
    err = repeat_plan(repeat, subject, plan, &tally);
  clred_plan_release(plan);
  report(repeat, name, err, &tally, now() - begun);
  return true;
}

static void repeat_all(struct repeat *repeat) {
  for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
    clred_strategy_info strategy;
    unsigned served = 0;
    for (size_t i = 0; clred_strategy_at(i, &strategy) == CL_SUCCESS; i++)
      served += repeat_by(repeat, &subjects[s], strategy.name);
    if (!served)
      printf("FAILED: no strategy runs %s\n", subjects[s].name);
    repeat->failed += !served;
  }
}

// ---------------------------------------------------------------- The program

static cl_int make_kernel(struct repeat *repeat) {
  const char *text = source;
  cl_device_type type = 0;
  cl_int err;
  clGetDeviceInfo(repeat->device.id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  repeat->program = clCreateProgramWithSource(repeat->device.context, 1, &text, NULL, &err);
  if (!err)
    err = clBuildProgram(repeat->program, 1, &repeat->device.id, type & CL_DEVICE_TYPE_CPU ? "-DNEIGHBOURS" : "", NULL,
                         NULL);
  if (!err)
    repeat->kernel = clCreateKernel(repeat->program, "differing", &err);
  if (!repeat->runs)
    repeat->runs = type & CL_DEVICE_TYPE_CPU ? 200 : 1000;
  return err;
}

static cl_int make_filled(struct repeat *repeat, cl_mem *buffer, void *data, size_t bytes) {
  cl_int err = data ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  if (!err)
    *buffer = clCreateBuffer(repeat->device.context, CL_MEM_COPY_HOST_PTR, bytes, data, &err);
  free(data);
  return err;
}

static float *draw_elements(uint64_t count) {
  random_state random = random_seed(24);
  float *elements = malloc(count * sizeof *elements);
  for (uint64_t i = 0; elements && i < count; i++)
    elements[i] = (float)(random_word(&random) >> 40) * 0x1p-23f - 1;
  return elements;
}

// One segment has a quarter of all elements. The others are short, some are empty, and the last has the rest.
static cl_uint *draw_offsets(uint64_t rows, uint64_t count) {
  random_state random = random_seed(25);
  cl_uint *offsets = malloc((rows + 1) * sizeof *offsets);
  uint64_t at = 0;
  for (uint64_t i = 0; offsets && i < rows; i++) {
    offsets[i] = (cl_uint)at;
    at += i == rows / 2 ? count / 4 : random_below(&random, MEAN_LENGTH * 3 / 2);
    at = at < count ? at : count;
  }
  if (offsets)
    offsets[rows] = (cl_uint)count;
  return offsets;
}

// The elements of segment i have the key i.
static cl_uint *draw_keys(uint64_t rows, uint64_t count) {
  cl_uint *offsets = draw_offsets(rows, count), *keys = malloc(count * sizeof *keys);
  for (cl_uint row = 0; offsets && keys && row < rows; row++)
    for (uint64_t i = offsets[row]; i < offsets[row + 1]; i++)
      keys[i] = row;
  free(offsets);
  return keys;
}

static cl_int make_buffers(struct repeat *repeat) {
  const size_t bytes = repeat->elements * LARGEST_RESULT;
  cl_mem *const buffers[] = {&repeat->first, &repeat->now, &repeat->count};
  cl_int err = make_filled(repeat, &repeat->in, draw_elements(repeat->elements), repeat->elements * sizeof(float));
  if (!err)
    err = make_filled(repeat, &repeat->segments, draw_offsets(repeat->rows, repeat->elements),
                      (repeat->rows + 1) * sizeof(cl_uint));
  if (!err)
    err =
      make_filled(repeat, &repeat->keys, draw_keys(repeat->rows, repeat->elements), repeat->elements * sizeof(cl_uint));
  for (size_t i = 0; i < 3 && !err; i++)
    *buffers[i] =
      clCreateBuffer(repeat->device.context, CL_MEM_READ_WRITE, i < 2 ? bytes : sizeof(cl_uint), NULL, &err);
  return err;
}

static cl_int set_arguments(struct repeat *repeat) {
  cl_int err = clSetKernelArg(repeat->kernel, 0, sizeof(cl_mem), &repeat->first);
  if (!err)
    err = clSetKernelArg(repeat->kernel, 1, sizeof(cl_mem), &repeat->now);
  return err ? err : clSetKernelArg(repeat->kernel, 3, sizeof(cl_mem), &repeat->count);
}

static void release(struct repeat *repeat) {
  const cl_mem buffers[] = {repeat->in, repeat->segments, repeat->keys, repeat->first, repeat->now, repeat->count};
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    if (buffers[i])
      clReleaseMemObject(buffers[i]);
  if (repeat->kernel)
    clReleaseKernel(repeat->kernel);
  if (repeat->program)
    clReleaseProgram(repeat->program);
  device_close(&repeat->device);
}

static bool parse(struct repeat *repeat, int argc, char **argv) {
  const struct option options[] = {
    OPTION("--log2", "the logarithm of the number of elements, 10 to 27", .number = &repeat->log2),
    OPTION("--runs", "the number of runs of each case", .number = &repeat->runs),
    OPTION("--seconds", "the time limit of each case", .number = &repeat->seconds),
    OPTION("--filter", "only cases whose name contains TEXT", .text = &repeat->filter),
  };
  *repeat = (struct repeat){.log2 = 24, .seconds = 120};
  const bool right = OPTIONS_READ("repeat", options, argc, argv);
  repeat->elements = (uint64_t)1 << repeat->log2 % 64;
  repeat->rows = repeat->elements / MEAN_LENGTH;
  if (right && (repeat->log2 < 10 || repeat->log2 > 27))
    fputs("repeat: --log2 takes 10 to 27\n", stderr);
  return right && repeat->log2 >= 10 && repeat->log2 <= 27;
}

int main(int argc, char **argv) {
  struct repeat repeat;
  if (!parse(&repeat, argc, argv))
    return 2;
  const char *trouble = device_open(&repeat.device);
  cl_int err = trouble ? CL_SUCCESS : make_kernel(&repeat);
  if (!trouble && !err)
    err = make_buffers(&repeat);
  if (!trouble && !err)
    err = set_arguments(&repeat);
  if (trouble || err) {
    printf("FAILED: %s\n", trouble ? trouble : clred_status_name(err));
    repeat.failed++;
  } else {
    printf("device: %s; 2^%" PRIu64 " elements, %" PRIu64 " runs\n", repeat.device.name, repeat.log2, repeat.runs);
    repeat_all(&repeat);
  }
  release(&repeat);
  return repeat.failed != 0;
}
