// bench_scan: inclusive and exclusive sums beside a peer that scans the same elements in the same process, in turn: on
// a GPU CUB, on a CPU a loop on one thread. Two clocks, medians, and every configuration's results compared, before its
// runs and after.
//   bench_scan [--log2 N] [--type TYPE] [--kind inclusive|exclusive] [--strategy NAME] ...      bench_scan --help

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data.h"
#include "fail.h"
#include "flags.h"
#include "ours_scan.h"
#include "ours_work.h"
#include "scan_check.h"

#ifdef BENCH_HAVE_CUB
extern const struct scan_side scan_cub, scan_cub_narrow;
#endif
extern const struct scan_side scan_loop;

enum { MOST_SIDES = 3, LOG2_MAX = 30 };

static const char *const type_names[] = {
  [BENCH_FLOAT] = "float", [BENCH_DOUBLE] = "double", [BENCH_INT] = "int", [BENCH_UCHAR] = "uchar"};

struct bench {
  const char *selector, *strategy, *type, *kind;
  unsigned log2, runs, calls, in_flight;
  struct session session;
  const struct scan_side *sides[MOST_SIDES];
  size_t side_count;
  size_t wrong;
};

struct configuration {
  enum bench_type type;
  int exclusive;
  size_t count;
};

// --- Sides ---

// Where results are as wide as elements anyway there is nothing to be narrow about.
static void pick_sides(struct bench *bench, enum bench_type type) {
  size_t count = 0;

  bench->sides[count++] = &scan_ours;
  if (ours_on_cpu(&bench->session))
    bench->sides[count++] = &scan_loop;
#ifdef BENCH_HAVE_CUB
  else
    bench->sides[count++] = &scan_cub;
  if (!ours_on_cpu(&bench->session) && (type == BENCH_INT || type == BENCH_UCHAR))
    bench->sides[count++] = &scan_cub_narrow;
#else
  (void)type;
#endif
  bench->side_count = count;
}

// --- One configuration ---

static double gigabytes(const struct configuration *one, const struct scan_side *side) {
  const size_t element = bench_element_size(one->type);
  const size_t result = side->narrow || one->type == BENCH_FLOAT ? element : 8;

  return (double)one->count * (double)(element + result) * 1e-9;
}

static void print_rows(const struct bench *bench, const struct configuration *one, enum bench_clock clock,
                       const double medians[], const size_t wrong[]) {
  for (size_t i = bench->side_count > 1 ? 1 : 0; i < bench->side_count; i++) {
    const struct scan_side *peer = bench->sides[i];
    printf("%-7s %-10s %11zu %-7s %-11s %11.2f %11.2f %9.1f %9.1f %7.3f", type_names[one->type],
           one->exclusive ? "exclusive" : "inclusive", one->count, clock == BENCH_DEVICE ? "device" : "wall",
           peer->turn.name, medians[0] * 1e6, medians[i] * 1e6, gigabytes(one, bench->sides[0]) / medians[0],
           gigabytes(one, peer) / medians[i], medians[i] / medians[0]);
    if (wrong[0] || wrong[i])
      printf("   WRONG: %zu of ours, %zu of the peer's\n", wrong[0], wrong[i]);
    else
      printf("   right\n");
  }
  fflush(stdout);
}

// What is there was written by the last run of this clock.
static int check_all(const struct bench *bench, const struct configuration *one, const struct scan_check *check,
                     size_t wrong[]) {
  for (size_t i = 0; i < bench->side_count; i++)
    if (scan_check_results(check, bench->sides[i], one->exclusive, &wrong[i]))
      return EXIT_WORK_FAILED;
  return EXIT_DONE;
}

static int run_each_once(const struct bench *bench, enum bench_clock clock) {
  double seconds;

  for (size_t i = 0; i < bench->side_count; i++)
    if (bench->sides[i]->turn.run(bench->sides[i]->turn.has_device_clock ? clock : BENCH_WALL, 1, &seconds))
      return EXIT_WORK_FAILED;
  return EXIT_DONE;
}

static int spoil_all(const struct bench *bench, const struct scan_check *check) {
  for (size_t i = 0; i < bench->side_count; i++)
    if (scan_check_spoil(check, bench->sides[i]))
      return EXIT_WORK_FAILED;
  return EXIT_DONE;
}

// One run is checked alone, so that no other run has written its results; then the last of all that were timed.
static int compare_by(struct bench *bench, const struct configuration *one, const struct scan_check *check,
                      enum bench_clock clock) {
  const struct turn_side *turns[MOST_SIDES];
  double medians[MOST_SIDES];
  size_t wrong[MOST_SIDES] = {0};

  for (size_t i = 0; i < bench->side_count; i++)
    turns[i] = &bench->sides[i]->turn;
  if (spoil_all(bench, check) || run_each_once(bench, clock) || check_all(bench, one, check, wrong) ||
      take_turns(turns, bench->side_count, clock, bench->runs, bench->calls, medians) ||
      check_all(bench, one, check, wrong))
    return EXIT_WORK_FAILED;
  print_rows(bench, one, clock, medians, wrong);
  for (size_t i = 0; i < bench->side_count; i++)
    bench->wrong += wrong[i];
  return EXIT_DONE;
}

static int compare_kind(struct bench *bench, const struct configuration *one, const struct scan_check *check) {
  static bool told;
  char text[128];

  for (size_t i = 0; i < bench->side_count; i++)
    if (bench->sides[i]->choose(one->exclusive))
      return EXIT_WORK_FAILED;
  if (!told && ours_scan_describe(text, sizeof text) == EXIT_DONE)
    printf("%s: %s\n%-7s %-10s %11s %-7s %-11s %11s %11s %9s %9s %7s\n", bench->session.device.name, text, "type",
           "kind", "n", "clock", "peer", "ours us", "peer us", "ours GB/s", "peer GB/s", "ratio");
  told = true;
  for (int clock = BENCH_DEVICE; clock >= BENCH_WALL; clock--)
    if ((clock == BENCH_WALL || !ours_on_cpu(&bench->session)) &&
        compare_by(bench, one, check, (enum bench_clock)clock))
      return EXIT_WORK_FAILED;
  return EXIT_DONE;
}

// --- All of them ---

static bool is_wanted(const char *only, const char *name) {
  return only == NULL || strcmp(only, name) == 0;
}

// Elements and results of two sides and a narrow one, with a fifth to spare; on the host, the elements.
static bool fits(const struct bench *bench, enum bench_type type, size_t count) {
  const double element = (double)bench_element_size(type), all = (double)count * (3 * element + 16);
  const double host = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  cl_ulong most = 0, memory = 0;

  clGetDeviceInfo(bench->session.device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL);
  clGetDeviceInfo(bench->session.device.id, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof memory, &memory, NULL);
  return (double)count * (type == BENCH_FLOAT ? 4 : 8) <= (double)most && all < 0.8 * (double)memory &&
         (double)count * element < 0.4 * host;
}

static int compare_kinds(struct bench *bench, enum bench_type type, const struct scan_check *check) {
  for (int exclusive = 0; exclusive < 2; exclusive++) {
    const struct configuration one = {type, exclusive, check->count};
    if (is_wanted(bench->kind, exclusive ? "exclusive" : "inclusive") && compare_kind(bench, &one, check))
      return EXIT_WORK_FAILED;
  }
  return EXIT_DONE;
}

static int compare_count(struct bench *bench, enum bench_type type, size_t count) {
  static struct scan_check check;
  void *data;
  int code = EXIT_DONE;

  if (!fits(bench, type, count)) {
    printf("%-7s %-10s %11zu skipped: too little memory\n", type_names[type], "", count);
    return EXIT_DONE;
  }
  data = scan_check_make(&check, type, count);
  if (!data)
    return fail_memory();
  pick_sides(bench, type);
  for (size_t i = 0; i < bench->side_count && !code; i++)
    code = bench->sides[i]->prepare(data, type, count) ? EXIT_WORK_FAILED : EXIT_DONE;
  if (!code)
    code = compare_kinds(bench, type, &check);
  for (size_t i = 0; i < bench->side_count; i++)
    bench->sides[i]->release();
  free(data);
  return code;
}

static int compare_all(struct bench *bench) {
  static const unsigned on_gpu[] = {20, 28, 30}, on_cpu[] = {20, 26};
  const bool cpu = ours_on_cpu(&bench->session);
  const unsigned *log2s = bench->log2 ? &bench->log2 : cpu ? on_cpu : on_gpu;
  const size_t count = bench->log2 ? 1 : cpu ? 2 : 3;
  int code = EXIT_DONE;

  for (size_t i = 0; i < count && !code; i++)
    for (int type = BENCH_FLOAT; type <= BENCH_UCHAR && !code; type++)
      if (is_wanted(bench->type, type_names[type]))
        code = compare_count(bench, (enum bench_type)type, (size_t)1 << log2s[i]);
  return code ? code : bench->wrong ? EXIT_WRONG : EXIT_DONE;
}

static bool is_known(const struct bench *bench) {
  bool known = bench->type == NULL;

  for (int type = BENCH_FLOAT; type <= BENCH_UCHAR; type++)
    known = known || strcmp(bench->type, type_names[type]) == 0;
  return known && (!bench->kind || !strcmp(bench->kind, "inclusive") || !strcmp(bench->kind, "exclusive"));
}

static int parse(struct bench *bench, int argc, char *argv[]) {
  const struct flag flags[] = {
    {"--log2", NULL, &bench->log2, "2^N elements, up to 2^30 (default: on a GPU 20, 28 and 30, else 20 and 26)"},
    {"--type", &bench->type, NULL, "float, double, int or uchar (default: each)"},
    {"--kind", &bench->kind, NULL, "inclusive or exclusive (default: both)"},
    {"--strategy", &bench->strategy, NULL, "as in clreduce"},
    {"--device", &bench->selector, NULL, "as in clreduce"},
    {"--runs", NULL, &bench->runs, "timed runs of each side (default 21)"},
    {"--calls", NULL, &bench->calls, "calls back to back by the wall clock (default: 10 on a GPU, else 1)"},
    {"--in-flight", NULL, &bench->in_flight, "calls of ours that may overlap (default 1)"},
    {NULL, NULL, NULL, NULL}};
  int code = flags_parse("bench_scan", flags, argc, argv);

  if (!code && (!is_known(bench) || bench->log2 > LOG2_MAX || !bench->runs || bench->runs > TURNS_MOST_RUNS))
    code = fail(EXIT_BAD_USE, "bench_scan: an option's value is out of range; see --help");
  return code;
}

int main(int argc, char *argv[]) {
  struct bench bench = {.runs = 21};
  int code = parse(&bench, argc, argv);

  if (!code)
    code = session_open_picked(&bench.session, bench.selector, NULL);
  if (code)
    return code;
  if (!bench.calls)
    bench.calls = ours_on_cpu(&bench.session) ? 1 : 10;
  ours_scan_set(&(struct ours_scan_options){&bench.session, bench.strategy, bench.in_flight});
  code = compare_all(&bench);
  session_close(&bench.session);
  return code;
}
