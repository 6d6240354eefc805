// repeat: scans by every strategy, over and over: the bits of every result must be those of the first run. Sums of floats, and maps
// x -> scale x + shift of floats, which do not commute; both round, so that another order of combinations shows. Runs are compared on
// the device, which also spoils what was compared, so that a run that writes nothing is seen.
//   repeat [--log2 N] [--runs N] [--seconds LIMIT] [--filter TEXT]

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../device.h"
#include "random.h"

#define ITEMS 4096  // that compare: on a CPU each a stretch of neighbours, elsewhere side by side

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

// ---------------------------------------------------------------- What is repeated

static const clred_operator maps = {.name = "maps",
                                    .element = "float",
                                    .state = "{ float scale; float shift; }",
                                    .identity = "{ 1, 0 }",
                                    .lift = "MAKE(x < 0 ? -1.0f : 1.0f, x)",
                                    .combine = "MAKE(a.scale * b.scale, a.shift * b.scale + b.shift)"};

// Strategies and count_max are added. By hand-written cases of other layouts `strategies` is false: auto alone.
static const struct subject {
  const char   *name;
  clred_problem problem;
  size_t        result_size;
  bool          strategies;
} subjects[] = {
    {"sum", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .scan = CLRED_SCAN_INCLUSIVE}, sizeof(cl_float), true},
    {"maps", {.custom = &maps, .scan = CLRED_SCAN_EXCLUSIVE}, 2 * sizeof(cl_float), true},
};

#define LARGEST_RESULT (2 * sizeof(cl_float))

struct repeat {
  struct device device;
  cl_program    program;
  cl_kernel     kernel;
  cl_mem        in, first, now, count;
  uint64_t      elements;
  unsigned long log2, runs, seconds;
  const char   *filter;
  unsigned      failed;
};

// ---------------------------------------------------------------- One run

static cl_int compare(struct repeat *repeat, size_t size, uint64_t *differing) {
  const cl_uint rows = (cl_uint)(repeat->elements * size / sizeof(cl_uint16));
  const size_t  items = ITEMS;
  cl_uint       count = 0;
  cl_int        err = clEnqueueWriteBuffer(repeat->device.queue, repeat->count, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL);
  if (!err)
    err = clSetKernelArg(repeat->kernel, 2, sizeof rows, &rows);
  if (!err)
    err = clEnqueueNDRangeKernel(repeat->device.queue, repeat->kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
  if (!err)
    err = clEnqueueReadBuffer(repeat->device.queue, repeat->count, CL_TRUE, 0, sizeof count, &count, 0, NULL, NULL);
  *differing = count;
  return err;
}

static cl_int run_into(struct repeat *repeat, clred_plan *plan, cl_mem out) {
  const clred_call call = {.in = repeat->in, .count = repeat->elements, .out = out};
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
  uint64_t      words;
};

// `first` begins as zeros, `now` as ones: a strategy that never writes differs from itself. Fills stay below 2^31 bytes, from
// where on NVIDIA's driver does them wrong.
static cl_int prepare(struct repeat *repeat, size_t size) {
  const cl_uint zero = 0;
  uint64_t      unused;
  cl_int        err = clEnqueueFillBuffer(repeat->device.queue, repeat->first, &zero, sizeof zero, 0, repeat->elements * size, 0,
                                          NULL, NULL);
  return err ? err : compare(repeat, size, &unused);
}

static cl_int repeat_plan(struct repeat *repeat, clred_plan *plan, size_t size, struct tally *tally) {
  const double begun = now();
  cl_int       err = prepare(repeat, size);
  if (!err)
    err = run_into(repeat, plan, repeat->first);
  for (tally->runs = 1; !err && tally->runs < repeat->runs && now() - begun < (double)repeat->seconds; tally->runs++) {
    uint64_t differing = 0;
    err = run_into(repeat, plan, repeat->now);
    if (!err)
      err = compare(repeat, size, &differing);
    tally->words += differing;
    tally->differed += differing != 0;
  }
  return err;
}

static void report(struct repeat *repeat, const char *name, cl_int err, const struct tally *tally, double seconds) {
  const bool right = !err && tally->runs > 1 && !tally->differed;
  printf("%s: %s: %lu runs, %lu of them differ, in %" PRIu64 " words; %.1f s%s%s\n", right ? "right" : "FAILED", name, tally->runs,
         tally->differed, tally->words, seconds, err ? ": " : "", err ? clred_last_error(repeat->device.runtime) : "");
  repeat->failed += !right;
  fflush(stdout);
}

static void repeat_by(struct repeat *repeat, const struct subject *subject, const char *strategy) {
  clred_problem problem = subject->problem;
  clred_plan   *plan = NULL;
  struct tally  tally = {0, 0, 0};
  const double  begun = now();
  char          name[100];
  problem.strategy = strategy;
  problem.count_max = repeat->elements;
  snprintf(name, sizeof name, "%s %s", strategy ? strategy : "auto", subject->name);
  if (repeat->filter && !strstr(name, repeat->filter))
    return;
  cl_int err = clred_plan_create(repeat->device.runtime, &problem, &plan);
  if (err == CLRED_STRATEGY_REFUSED || err == CLRED_NO_HOST_OPERATOR) {
    printf("skipped: %s: %s\n", name, clred_last_error(repeat->device.runtime));
    return;
  }
  if (!err)
    err = repeat_plan(repeat, plan, subject->result_size, &tally);
  clred_plan_release(plan);
  report(repeat, name, err, &tally, now() - begun);
}

static void repeat_all(struct repeat *repeat) {
  clred_strategy_info strategy;
  for (size_t s = 0; s < sizeof subjects / sizeof *subjects; s++) {
    if (!subjects[s].strategies)
      repeat_by(repeat, &subjects[s], NULL);
    for (size_t i = 0; subjects[s].strategies && clred_strategy_at(i, &strategy) == CL_SUCCESS; i++)
      if (strategy.scans)
        repeat_by(repeat, &subjects[s], strategy.name);
  }
}

// ---------------------------------------------------------------- The program

static cl_int make_kernel(struct repeat *repeat) {
  const char    *text = source;
  cl_device_type type = 0;
  cl_int         err;
  clGetDeviceInfo(repeat->device.id, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  repeat->program = clCreateProgramWithSource(repeat->device.context, 1, &text, NULL, &err);
  if (!err)
    err = clBuildProgram(repeat->program, 1, &repeat->device.id, type & CL_DEVICE_TYPE_CPU ? "-DNEIGHBOURS" : "", NULL, NULL);
  if (!err)
    repeat->kernel = clCreateKernel(repeat->program, "differing", &err);
  if (!repeat->runs)
    repeat->runs = type & CL_DEVICE_TYPE_CPU ? 200 : 1000;
  return err;
}

static cl_int make_buffers(struct repeat *repeat) {
  const size_t  bytes = repeat->elements * LARGEST_RESULT;
  cl_mem *const buffers[] = {&repeat->first, &repeat->now, &repeat->count};
  random_state  random = random_seed(24);
  float        *elements = malloc(repeat->elements * sizeof *elements);
  cl_int        err = elements ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  for (size_t i = 0; elements && i < repeat->elements; i++)
    elements[i] = (float)(random_word(&random) >> 40) * 0x1p-23f - 1;
  if (!err)
    repeat->in = clCreateBuffer(repeat->device.context, CL_MEM_COPY_HOST_PTR, repeat->elements * sizeof *elements, elements, &err);
  for (size_t i = 0; i < 3 && !err; i++)
    *buffers[i] = clCreateBuffer(repeat->device.context, CL_MEM_READ_WRITE, i < 2 ? bytes : sizeof(cl_uint), NULL, &err);
  free(elements);
  return err;
}

static cl_int set_arguments(struct repeat *repeat) {
  cl_int err = clSetKernelArg(repeat->kernel, 0, sizeof(cl_mem), &repeat->first);
  if (!err)
    err = clSetKernelArg(repeat->kernel, 1, sizeof(cl_mem), &repeat->now);
  return err ? err : clSetKernelArg(repeat->kernel, 3, sizeof(cl_mem), &repeat->count);
}

static void release(struct repeat *repeat) {
  const cl_mem buffers[] = {repeat->in, repeat->first, repeat->now, repeat->count};
  for (size_t i = 0; i < 4; i++)
    if (buffers[i])
      clReleaseMemObject(buffers[i]);
  if (repeat->kernel)
    clReleaseKernel(repeat->kernel);
  if (repeat->program)
    clReleaseProgram(repeat->program);
  device_close(&repeat->device);
}

static bool parse(struct repeat *repeat, int argc, char **argv) {
  char end;
  *repeat = (struct repeat){.log2 = 24, .seconds = 120};
  for (int i = 1; i < argc; i += 2) {
    unsigned long *number = strcmp(argv[i], "--log2") == 0      ? &repeat->log2
                            : strcmp(argv[i], "--runs") == 0    ? &repeat->runs
                            : strcmp(argv[i], "--seconds") == 0 ? &repeat->seconds
                                                                : NULL;
    const bool     known = number || strcmp(argv[i], "--filter") == 0;
    if (!known || i + 1 == argc || (number && sscanf(argv[i + 1], "%lu%c", number, &end) != 1))
      return false;
    if (!number)
      repeat->filter = argv[i + 1];
  }
  repeat->elements = (uint64_t)1 << repeat->log2;
  return repeat->log2 >= 4 && repeat->log2 <= 27;
}

int main(int argc, char **argv) {
  struct repeat repeat;
  if (!parse(&repeat, argc, argv)) {
    fprintf(stderr, "usage: repeat [--log2 4..27] [--runs N] [--seconds LIMIT, of each case] [--filter TEXT]\n");
    return 2;
  }
  const char *trouble = device_open(&repeat.device);
  cl_int      err = trouble ? CL_SUCCESS : make_kernel(&repeat);
  if (!trouble && !err)
    err = make_buffers(&repeat);
  if (!trouble && !err)
    err = set_arguments(&repeat);
  if (trouble || err) {
    printf("FAILED: %s\n", trouble ? trouble : clred_status_name(err));
    repeat.failed++;
  } else {
    printf("device: %s; 2^%lu elements, %lu runs\n", repeat.device.name, repeat.log2, repeat.runs);
    repeat_all(&repeat);
  }
  release(&repeat);
  return repeat.failed != 0;
}
