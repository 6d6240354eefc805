// bench_histogram: how fast the library counts an array in equal bins, beside a peer that counts the same array in the
// same process, in turn: on a CPU a loop with OpenMP, on a GPU CUB, each where its toolchain was found. Every run's
// counts are checked.

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "histogram_side.h"
#include "number.h"
#include "openmp_wait.h"
#include "progress.h"
#include "quantile.h"
#include "session.h"

#ifdef BENCH_HAVE_OPENMP
extern const struct histogram_side bench_openmp_histogram;
#endif
#ifdef BENCH_HAVE_CUB
extern const struct histogram_side bench_cub_histogram;
#endif

enum { WARM_UP = 3, RUNS_MOST = 1000 };

static struct options {
  const char *device, *strategy, *assume, *type_name;
  enum histogram_type type;
  uint64_t log2, bins, runs, groups, group_size;
  int alike;
} options = {.type_name = "uchar", .log2 = 0, .bins = 256, .runs = 21};

static const char usage[] =
  "usage: bench_histogram [options]\n"
  "  --log2 N      2^N elements (default 28 on a CPU, 30 on a GPU)\n"
  "  --bins N      equal bins over all values of uchar and ushort, over [0, 1048576) of int, [0, 1) of float (default "
  "256)\n"
  "  --type TYPE   uchar, ushort, int or float (default uchar)\n"
  "  --alike       all elements are one\n"
  "  --runs N      timed runs of each side, after 3 to warm up (default 21)\n"
  "  --device SEL  --strategy NAME  --group-size N  --groups N  --assume FACT=VALUE,...   as in clreduce\n";

static const struct option long_options[] = {
  {"log2", required_argument, NULL, 'l'},     {"bins", required_argument, NULL, 'b'},
  {"type", required_argument, NULL, 't'},     {"alike", no_argument, NULL, 'a'},
  {"runs", required_argument, NULL, 'r'},     {"device", required_argument, NULL, 'd'},
  {"strategy", required_argument, NULL, 's'}, {"group-size", required_argument, NULL, 'g'},
  {"groups", required_argument, NULL, 'G'},   {"assume", required_argument, NULL, 'A'},
  {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0}};

static const struct {
  const char *name;
  clred_type type;
  size_t size;
  double high;
} types[HISTOGRAM_TYPES] = {
  [HISTOGRAM_UCHAR] = {"uchar", CLRED_TYPE_UCHAR, 1, 256},
  [HISTOGRAM_USHORT] = {"ushort", CLRED_TYPE_USHORT, 2, 65536},
  [HISTOGRAM_INT] = {"int", CLRED_TYPE_INT, 4, 1048576},
  [HISTOGRAM_FLOAT] = {"float", CLRED_TYPE_FLOAT, 4, 1},
};

// ---- The library

static struct {
  struct session session;
  struct histogram_task task;
  clred_plan *plan;
  cl_mem in, out;
} ours;

static int check(cl_int status) {
  return status ? fail_library(status, clred_last_error(ours.session.runtime)) : EXIT_DONE;
}

static int prepare_ours(const struct histogram_task *task) {
  const clred_histogram histogram = {.bins = task->bins, .low = task->low, .high = task->high};
  const clred_problem problem = {.type = types[task->type].type,
                                 .histogram = &histogram,
                                 .strategy = options.strategy,
                                 .groups = options.groups,
                                 .group_size = options.group_size,
                                 .profile = CL_TRUE};
  int shares = (ours.session.device.type & CL_DEVICE_TYPE_CPU) != 0;
  size_t bytes = task->count * types[task->type].size;
  void *memory = (void *)(size_t)task->elements;
  cl_int status = CL_SUCCESS, second = CL_SUCCESS;
  ours.task = *task;
  if (check(session_plan(&ours.session, &problem, &ours.plan)))
    return EXIT_WORK_FAILED;
  ours.in = clCreateBuffer(ours.session.context, CL_MEM_READ_ONLY | (shares ? CL_MEM_USE_HOST_PTR : 0), bytes,
                           shares ? memory : NULL, &status);
  ours.out = clCreateBuffer(ours.session.context, CL_MEM_READ_WRITE, task->bins * sizeof(cl_ulong), NULL, &second);
  if (!status && !second && !shares)
    status = clEnqueueWriteBuffer(ours.session.queue, ours.in, CL_TRUE, 0, bytes, memory, 0, NULL, NULL);
  return status || second ? fail_opencl("clCreateBuffer", status ? status : second, "the elements and counts")
                          : EXIT_DONE;
}

static int run_ours(int device_clock, double *seconds) {
  // So that a run that writes nothing is seen.
  cl_ulong spoilt = ~(cl_ulong)0;
  clEnqueueWriteBuffer(ours.session.queue, ours.out, CL_TRUE, 0, sizeof spoilt, &spoilt, 0, NULL, NULL);
  double start = seconds_now();
  int code =
    check(clred_enqueue(ours.session.queue, ours.plan,
                        &(clred_call){.in = ours.in, .count = ours.task.count, .out = ours.out}, 0, NULL, NULL));
  if (!code && clFinish(ours.session.queue))
    code = fail(EXIT_WORK_FAILED, "clFinish failed");
  *seconds = seconds_now() - start;
  return code || !device_clock ? code : check(clred_plan_seconds(ours.plan, seconds));
}

static int result_ours(uint64_t *counts) {
  cl_int status = clEnqueueReadBuffer(ours.session.queue, ours.out, CL_TRUE, 0, ours.task.bins * sizeof *counts, counts,
                                      0, NULL, NULL);
  return status ? fail_opencl("clEnqueueReadBuffer", status, "the counts") : EXIT_DONE;
}

static void release_ours(void) {
  clred_plan_release(ours.plan);
  if (ours.in)
    clReleaseMemObject(ours.in);
  if (ours.out)
    clReleaseMemObject(ours.out);
}

static const struct histogram_side side_ours = {"ours", 0, 1, prepare_ours, run_ours, result_ours, release_ours};

static const struct histogram_side *find_peer(int on_gpu) {
#ifdef BENCH_HAVE_CUB
  if (on_gpu)
    return &bench_cub_histogram;
#endif
#ifdef BENCH_HAVE_OPENMP
  if (!on_gpu)
    return &bench_openmp_histogram;
#endif
  return NULL;
}

// ---- Elements and their counts

// splitmix64 of the index.
static uint64_t random_bits(uint64_t index) {
  uint64_t z = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

// Floats in units of 2^-20, so that both sides' roundings agree for bins of powers of two.
static void *make_elements(size_t count) {
  size_t page = 4096, bytes = (count * types[options.type].size + page - 1) / page * page;
  void *elements = aligned_alloc(page, bytes);
  for (size_t i = 0; i < count && elements; i++) {
    uint64_t bits = random_bits(options.alike ? 5 : i) >> 44;
    if (options.type == HISTOGRAM_UCHAR)
      ((unsigned char *)elements)[i] = (unsigned char)(bits >> 12);
    else if (options.type == HISTOGRAM_USHORT)
      ((unsigned short *)elements)[i] = (unsigned short)(bits >> 4);
    else if (options.type == HISTOGRAM_INT)
      ((int *)elements)[i] = (int)bits;
    else
      ((float *)elements)[i] = (float)bits * 0x1p-20f;
  }
  return elements;
}

// ---- The comparison

static double gigabytes_a_second(double bytes, double *seconds) {
  return bytes * 1e-9 / median(seconds + WARM_UP, options.runs);
}

static int compare(const struct histogram_side *const sides[2], const struct histogram_task *task, int device_clock,
                   const uint64_t *expected, uint64_t *got) {
  static double seconds[2][WARM_UP + RUNS_MOST];
  size_t wrong[2] = {0, 0};
  for (size_t run = 0; run < WARM_UP + options.runs; run++)
    for (size_t i = 0; i < 2 && sides[i]; i++) {
      if (sides[i]->run(device_clock, &seconds[i][run]) || sides[i]->result(got))
        return EXIT_WORK_FAILED;
      wrong[i] += memcmp(got, expected, task->bins * sizeof *got) != 0;
    }
  double bytes = (double)task->count * (double)types[task->type].size;
  double first = gigabytes_a_second(bytes, seconds[0]), second = sides[1] ? gigabytes_a_second(bytes, seconds[1]) : 0;
  printf("%-7s %11.2f %11.2f %7.3f   %s\n", device_clock ? "device" : "wall", first, second,
         second > 0 ? first / second : 0,
         wrong[0]   ? "OURS ARE WRONG"
         : wrong[1] ? "the peer's differ: it places elements near edges by rounding"
                    : "right, all");
  return wrong[0] ? EXIT_WRONG : EXIT_DONE;
}

static int bench(const struct histogram_task *task) {
  const struct histogram_side *sides[2] = {&side_ours, find_peer((ours.session.device.type & CL_DEVICE_TYPE_GPU) != 0)};
  uint64_t *expected = calloc(2 * task->bins, sizeof *expected);
  clred_plan_info info;
  int code = expected ? EXIT_DONE : fail_memory();
  for (size_t i = 0; i < 2 && sides[i] && !code; i++)
    code = sides[i]->prepare(task);
  if (!code)
    code = check(
      clred_plan_reference(ours.plan, &(clred_host_call){.in = task->elements, .count = task->count, .out = expected}));
  if (!code)
    code = check(clred_plan_inspect(ours.plan, task->count, &info));
  if (!code) {
    printf("2^%llu %s in %llu bins%s on %s\n%s: %llu groups of %llu, %llu bytes of local memory, %llu launches; peer: "
           "%s; %llu runs\n\n",
           (unsigned long long)options.log2, options.type_name, (unsigned long long)options.bins,
           options.alike ? ", all alike" : "", ours.session.device.name, info.strategy, (unsigned long long)info.groups,
           (unsigned long long)info.group_size, (unsigned long long)info.local_bytes, (unsigned long long)info.passes,
           sides[1] ? sides[1]->name : "none was built", (unsigned long long)options.runs);
    printf("%-7s %11s %11s %7s   %s\n", "clock", "ours GB/s", "peer GB/s", "ratio", "counts");
  }
  for (int clock = 0; clock < 2 && !code; clock++)
    if (!clock || !sides[1] || sides[1]->has_device_clock)
      code = compare(sides, task, clock, expected, expected + task->bins);
  for (size_t i = 0; i < 2 && sides[i]; i++)
    sides[i]->release();
  free(expected);
  return code;
}

// ---- The command line

static int parse_number(const char *text, uint64_t *value) {
  return count_parse(text, strlen(text), value) && *value ? EXIT_DONE : fail(EXIT_BAD_USE, "'%s' is no count", text);
}

static int parse_type(const char *name) {
  options.type_name = name;
  for (size_t i = 0; i < HISTOGRAM_TYPES; i++)
    if (strcmp(types[i].name, name) == 0) {
      options.type = (enum histogram_type)i;
      return EXIT_DONE;
    }
  return fail(EXIT_BAD_USE, "unknown type '%s'; there are uchar, ushort, int and float", name);
}

static int parse_option(int letter, const char *value) {
  switch (letter) {
  case 'l':
    return parse_number(value, &options.log2);
  case 'b':
    return parse_number(value, &options.bins);
  case 'r':
    return parse_number(value, &options.runs);
  case 'g':
    return parse_number(value, &options.group_size);
  case 'G':
    return parse_number(value, &options.groups);
  case 't':
    return parse_type(value);
  case 'a':
    options.alike = 1;
    return EXIT_DONE;
  case 'd':
    options.device = value;
    return EXIT_DONE;
  case 's':
    options.strategy = value;
    return EXIT_DONE;
  case 'A':
    options.assume = value;
    return EXIT_DONE;
  case 'h':
    fputs(usage, stdout);
    exit(EXIT_DONE);
  default:
    fputs(usage, stderr);
    return EXIT_BAD_USE;
  }
}

static int parse(int argc, char **argv) {
  int letter, code = EXIT_DONE;
  while (!code && (letter = getopt_long(argc, argv, "", long_options, NULL)) != -1)
    code = parse_option(letter, optarg);
  if (!code && (optind < argc || options.runs > RUNS_MOST || options.log2 > 40)) {
    fputs(usage, stderr);
    code = EXIT_BAD_USE;
  }
  return code;
}

int main(int argc, char **argv) {
  make_openmp_wait_passively(argv);
  int code = parse(argc, argv);
  if (!code)
    code = session_open_picked(&ours.session, options.device, options.assume);
  if (code)
    return code;
  options.log2 = options.log2 ? options.log2 : ours.session.device.type & CL_DEVICE_TYPE_GPU ? 30 : 28;
  struct histogram_task task = {.type = options.type,
                                .count = (size_t)1 << options.log2,
                                .bins = options.bins,
                                .low = 0,
                                .high = types[options.type].high};
  void *elements = make_elements(task.count);
  task.elements = elements;
  code = elements ? bench(&task) : fail_memory();
  session_close(&ours.session);
  free(elements);
  return code;
}
