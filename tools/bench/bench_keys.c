// bench_keys: sums by key and scans by key of floats in runs of 1 to 15 equal keys, and floats above 0 selected, which
// are half of them: on a GPU beside CUB, on a CPU beside loops on two threads, in turn in one process, by two clocks,
// medians. All results are compared, before the runs and after. GB/s of all that must be read and written.
//   bench_keys [--log2 N] [--task reduce|scan|select] ...      bench_keys --help

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "fail.h"
#include "flags.h"
#include "ours_keys.h"
#include "ours_work.h"

#ifdef BENCH_HAVE_CUB
extern const struct keys_side keys_cub;
#endif
extern const struct keys_side keys_loop;

enum { MOST_SIDES = 2, UNIT = 64, LOG2_MAX = 30, LONGEST_RUN = 15 };

static const char *const task_names[] = {[KEYS_REDUCE] = "reduce", [KEYS_SCAN] = "scan", [KEYS_SELECT] = "select"};

// Results that a task must give; `keys` and `number` only where it has them.
struct answer {
  float *results;
  int32_t *keys;
  size_t count;
  uint64_t number;
};

struct bench {
  const char *selector, *strategy, *task;
  unsigned log2, runs, calls;
  struct session session;
  const struct keys_side *sides[MOST_SIDES];
  size_t side_count;
  size_t count;
  int32_t *keys, *keys_read;
  float *values, *results_read;
  struct answer expected;
  size_t wrong;
};

// --- The elements, and what is right ---

// Values are small multiples of 1/64, whose sums are exact in any order; keys of neighbouring runs differ.
static void fill(struct bench *bench) {
  const uint64_t other = (uint64_t)1 << 40;
  size_t at = 0;

  for (uint32_t run = 0; at < bench->count; run++)
    for (size_t left = 1 + bench_random_bits(other + run) % LONGEST_RUN; left > 0 && at < bench->count; left--)
      bench->keys[at++] = (int32_t)(run * 2654435761u);
  for (size_t i = 0; i < bench->count; i++)
    bench->values[i] = (float)((int)((bench_random_bits(i) >> 32) % 127) - 63) / UNIT;
}

static void solve_reduce(const struct bench *bench, struct answer *answer) {
  for (size_t i = 0; i < bench->count; answer->count++) {
    double sum = 0;
    answer->keys[answer->count] = bench->keys[i];
    for (; i < bench->count && bench->keys[i] == answer->keys[answer->count]; i++)
      sum += (double)bench->values[i];
    answer->results[answer->count] = (float)sum;
  }
  answer->number = answer->count;
}

static void solve_scan(const struct bench *bench, struct answer *answer) {
  double sum = 0;

  for (size_t i = 0; i < bench->count; i++) {
    sum = (i > 0 && bench->keys[i] == bench->keys[i - 1] ? sum : 0) + (double)bench->values[i];
    answer->results[i] = (float)sum;
  }
  answer->count = bench->count;
}

static void solve_select(const struct bench *bench, struct answer *answer) {
  for (size_t i = 0; i < bench->count; i++)
    if (bench->values[i] > 0)
      answer->results[answer->count++] = bench->values[i];
  answer->number = answer->count;
}

static void solve(struct bench *bench, enum keys_task task) {
  static void (*const solves[])(const struct bench *, struct answer *) = {solve_reduce, solve_scan, solve_select};

  bench->expected.count = 0;
  bench->expected.number = 0;
  solves[task](bench, &bench->expected);
}

static int check_side(struct bench *bench, const struct keys_side *side, enum keys_task task, size_t *wrong) {
  const struct answer *expected = &bench->expected;
  uint64_t number = 0;

  if (side->read(expected->count, bench->results_read, bench->keys_read, &number))
    return EXIT_WORK_FAILED;
  *wrong += number != expected->number;
  for (size_t i = 0; i < expected->count; i++)
    *wrong += !(bench->results_read[i] == expected->results[i]) ||
              (task == KEYS_REDUCE && bench->keys_read[i] != expected->keys[i]);
  return EXIT_DONE;
}

// --- One comparison ---

static double gigabytes(const struct bench *bench, enum keys_task task) {
  const double read = (double)bench->count * (task == KEYS_SELECT ? 4 : 8);

  return (read + (double)bench->expected.count * (task == KEYS_REDUCE ? 8 : 4)) * 1e-9;
}

static void print_row(const struct bench *bench, enum keys_task task, enum bench_clock clock, const double medians[],
                      const size_t wrong[]) {
  const double bytes = gigabytes(bench, task);
  const bool beside = bench->side_count > 1;
  char text[128] = "";

  ours_keys_describe(text, sizeof text);
  printf("%-8s %11zu %11zu %-7s %-12s %11.2f %11.2f %9.1f %9.1f %7.3f   ", task_names[task], bench->count,
         bench->expected.count, clock == BENCH_DEVICE ? "device" : "wall", beside ? bench->sides[1]->turn.name : "none",
         medians[0] * 1e6, medians[1] * 1e6, bytes / medians[0], beside ? bytes / medians[1] : 0,
         beside ? medians[1] / medians[0] : 0);
  if (wrong[0] || wrong[1])
    printf("WRONG: %zu of ours, %zu of the peer's (%s)\n", wrong[0], wrong[1], text);
  else
    printf("right (%s)\n", text);
  fflush(stdout);
}

static int check_all(struct bench *bench, enum keys_task task, size_t wrong[]) {
  for (size_t i = 0; i < bench->side_count; i++)
    if (check_side(bench, bench->sides[i], task, &wrong[i]))
      return EXIT_WORK_FAILED;
  return EXIT_DONE;
}

// Choosing spoils the results, so the first check sees what one run by this clock wrote.
static int compare_by(struct bench *bench, enum keys_task task, enum bench_clock clock) {
  const struct turn_side *turns[MOST_SIDES];
  double medians[MOST_SIDES] = {0}, seconds;
  size_t wrong[MOST_SIDES] = {0};

  for (size_t i = 0; i < bench->side_count; i++) {
    turns[i] = &bench->sides[i]->turn;
    if (bench->sides[i]->choose(task) || turns[i]->run(turns[i]->has_device_clock ? clock : BENCH_WALL, 1, &seconds))
      return EXIT_WORK_FAILED;
  }
  if (check_all(bench, task, wrong) ||
      take_turns(turns, bench->side_count, clock, bench->runs, bench->calls, medians) || check_all(bench, task, wrong))
    return EXIT_WORK_FAILED;
  print_row(bench, task, clock, medians, wrong);
  bench->wrong += wrong[0] + wrong[1];
  return EXIT_DONE;
}

static int compare_all(struct bench *bench) {
  const int cpu = ours_on_cpu(&bench->session);

  printf("%s, 2^%u floats; GB/s read and written\n", bench->session.device.name, bench->log2);
  printf("%-8s %11s %11s %-7s %-12s %11s %11s %9s %9s %7s\n", "task", "elements", "results", "clock", "peer", "ours us",
         "peer us", "ours GB/s", "peer GB/s", "ratio");
  for (int task = 0; task < KEYS_TASKS; task++) {
    if (bench->task && strcmp(bench->task, task_names[task]) != 0)
      continue;
    solve(bench, (enum keys_task)task);
    if ((!cpu && compare_by(bench, (enum keys_task)task, BENCH_DEVICE)) ||
        compare_by(bench, (enum keys_task)task, BENCH_WALL))
      return EXIT_WORK_FAILED;
  }
  return EXIT_DONE;
}

// --- The program ---

static void pick_sides(struct bench *bench) {
  bench->sides[bench->side_count++] = &keys_ours;
  if (ours_on_cpu(&bench->session))
    bench->sides[bench->side_count++] = &keys_loop;
#ifdef BENCH_HAVE_CUB
  else
    bench->sides[bench->side_count++] = &keys_cub;
#endif
}

static void *claim(size_t count) {
  const size_t page = 4096, bytes = (count * 4 + page - 1) / page * page;
  void *memory = aligned_alloc(page, bytes);

  if (memory)
    memset(memory, 0, bytes);  // so that no page fault is timed
  return memory;
}

static int prepare(struct bench *bench) {
  const size_t count = (size_t)1 << bench->log2;

  bench->count = count;
  bench->keys = claim(count);
  bench->keys_read = claim(count);
  bench->values = claim(count);
  bench->results_read = claim(count);
  bench->expected = (struct answer){.results = claim(count), .keys = claim(count)};
  if (!bench->keys || !bench->keys_read || !bench->values || !bench->results_read || !bench->expected.results ||
      !bench->expected.keys)
    return fail_memory();
  fill(bench);
  for (size_t i = 0; i < bench->side_count; i++)
    if (bench->sides[i]->prepare(&(struct keys_work){bench->keys, bench->values, count}))
      return EXIT_WORK_FAILED;
  return EXIT_DONE;
}

static void release(struct bench *bench) {
  void *const memory[] = {bench->keys,         bench->keys_read,        bench->values,
                          bench->results_read, bench->expected.results, bench->expected.keys};

  for (size_t i = 0; i < bench->side_count; i++)
    bench->sides[i]->release();
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    free(memory[i]);
  session_close(&bench->session);
}

static int parse(struct bench *bench, int argc, char *argv[]) {
  const struct flag flags[] = {
    {"--log2", NULL, &bench->log2, "2^N elements, up to 30 (default: on a GPU 27, else 26)"},
    {"--task", &bench->task, NULL, "reduce, scan or select (default: each)"},
    {"--strategy", &bench->strategy, NULL, "as in clred_problem"},
    {"--device", &bench->selector, NULL, "as in clreduce"},
    {"--runs", NULL, &bench->runs, "timed runs of each side (default 21)"},
    {"--calls", NULL, &bench->calls, "calls back to back by the wall clock (default: 10 on a GPU, else 1)"},
    {NULL, NULL, NULL, NULL}};
  int code = flags_parse("bench_keys", flags, argc, argv);
  bool known = !bench->task;

  for (int task = 0; task < KEYS_TASKS && !known; task++)
    known = strcmp(bench->task, task_names[task]) == 0;
  if (!code && (!known || bench->log2 > LOG2_MAX || !bench->runs || bench->runs > TURNS_MOST_RUNS))
    code = fail(EXIT_BAD_USE, "bench_keys: an option's value is out of range; see --help");
  return code;
}

int main(int argc, char *argv[]) {
  struct bench bench = {.runs = 21};
  int code = parse(&bench, argc, argv);

  if (!code)
    code = session_open_picked(&bench.session, bench.selector, NULL);
  if (code)
    return code;
  bench.calls = bench.calls ? bench.calls : ours_on_cpu(&bench.session) ? 1 : 10;
  bench.log2 = bench.log2 ? bench.log2 : ours_on_cpu(&bench.session) ? 26 : 27;
  ours_keys_set(&bench.session, bench.strategy);
  pick_sides(&bench);
  code = prepare(&bench);
  if (!code)
    code = compare_all(&bench);
  release(&bench);
  return code ? code : bench.wrong ? EXIT_WRONG : EXIT_DONE;
}
