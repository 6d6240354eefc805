// bench_segments: sums of the segments of an array of floats: rows of one length, and by offsets of 32 bits, of one
// length, of lengths by a power law, and one of half the data among many of 8. On a GPU beside CUB, on a CPU beside our
// own plain sum of all elements, in turn in one process, by two clocks, medians; GB/s of elements. All results are
// compared, before the runs and after.
//   bench_segments [--log2 N] [--only TEXT] ...      bench_segments --help

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data.h"
#include "fail.h"
#include "flags.h"
#include "ours_segments.h"
#include "ours_work.h"

#ifdef BENCH_HAVE_CUB
extern const struct segments_side segments_cub;
#endif

enum { MOST_SIDES = 2, UNIT = 64, LOG2_MAX = 30, LOG2_LONGEST = 22 };

struct bench {
  const char *selector, *strategy, *only;
  unsigned log2, runs, calls;
  struct session session;
  const struct segments_side *sides[MOST_SIDES];
  size_t side_count;
  size_t count;
  float *data, *expected, *results;
  uint32_t *offsets;
  size_t wrong;
};

// --- The elements and the segments ---

// Small multiples of 1/64, whose sums are exact in any order, so that results must be equal.
static void fill(float *data, size_t count) {
  for (size_t i = 0; i < count; i++)
    data[i] = (float)((int)((bench_random_bits(i) >> 32) % 127) - 63) / UNIT;
}

static size_t fill_equal(uint32_t *offsets, size_t count, size_t length) {
  for (size_t i = 0; i <= count / length; i++)
    offsets[i] = (uint32_t)(i * length);
  return count / length;
}

// Density l^-1.5 over 1 to 2^22, by the inverse of its integral; the last is as long as there are elements left.
static size_t fill_power_law(uint32_t *offsets, size_t count) {
  const uint64_t seed = (uint64_t)1 << 40;  // other bits than the elements'
  const double longest = (double)(1 << LOG2_LONGEST), least = 1 / sqrt(longest);
  size_t segments = 0, at = 0;

  while (at < count) {
    const double uniform = (double)(bench_random_bits(seed + segments) >> 11) * 0x1p-53;
    const double root = 1 - uniform * (1 - least), length = floor(1 / (root * root));
    offsets[segments++] = (uint32_t)at;
    at += length < (double)(count - at) ? (size_t)length : count - at;
  }
  offsets[segments] = (uint32_t)count;
  return segments;
}

static size_t fill_giant(uint32_t *offsets, size_t count) {
  const size_t small = count / 2 / 8;
  size_t segments = 0, at = 0;

  for (; segments < small + 1; segments++) {
    offsets[segments] = (uint32_t)at;
    at += segments == small / 2 ? count / 2 : 8;
  }
  offsets[segments] = (uint32_t)count;
  return segments;
}

static void solve(const struct bench *bench, const struct segments *segments) {
  for (size_t i = 0; i < segments->count; i++) {
    double sum = 0;
    for (uint32_t j = bench->offsets[i]; j < bench->offsets[i + 1]; j++)
      sum += (double)bench->data[j];
    bench->expected[i] = (float)sum;
  }
}

// --- One comparison ---

static int check(struct bench *bench, const struct segments *segments, size_t wrong[]) {
  for (size_t i = 0; i < bench->side_count; i++) {
    if (!bench->sides[i]->read)
      continue;
    if (bench->sides[i]->read(bench->results))
      return EXIT_WORK_FAILED;
    for (size_t j = 0; j < segments->count; j++)
      wrong[i] += !(bench->results[j] == bench->expected[j]);
    bench->wrong += wrong[i];
  }
  return EXIT_DONE;
}

static int run_each_once(const struct bench *bench, enum bench_clock clock) {
  double seconds;

  for (size_t i = 0; i < bench->side_count; i++)
    if (bench->sides[i]->spoil() || bench->sides[i]->turn.run(clock, 1, &seconds))
      return EXIT_WORK_FAILED;
  return EXIT_DONE;
}

static void print_row(const struct bench *bench, const struct segments *segments, enum bench_clock clock,
                      const double medians[], const size_t wrong[]) {
  const double bytes = (double)bench->count * sizeof(float) * 1e-9;
  const bool beside = bench->side_count > 1;
  char text[128] = "";

  ours_segments_describe(text, sizeof text);
  printf("%-18s %10zu %-7s %-12s %11.2f %11.2f %9.1f %9.1f %7.3f   ", segments->name, segments->count,
         clock == BENCH_DEVICE ? "device" : "wall", beside ? bench->sides[1]->turn.name : "none", medians[0] * 1e6,
         beside ? medians[1] * 1e6 : 0, bytes / medians[0], beside ? bytes / medians[1] : 0,
         beside ? medians[1] / medians[0] : 0);
  if (wrong[0] || wrong[1])
    printf("WRONG: %zu of ours, %zu of the peer's (%s)\n", wrong[0], wrong[1], text);
  else
    printf("right (%s)\n", text);
  fflush(stdout);
}

static int compare_by(struct bench *bench, const struct segments *segments, enum bench_clock clock) {
  const struct turn_side *turns[MOST_SIDES];
  double medians[MOST_SIDES] = {0};
  size_t wrong[MOST_SIDES] = {0};

  for (size_t i = 0; i < bench->side_count; i++)
    turns[i] = &bench->sides[i]->turn;
  if (run_each_once(bench, clock) || check(bench, segments, wrong) ||
      take_turns(turns, bench->side_count, clock, bench->runs, bench->calls, medians) || check(bench, segments, wrong))
    return EXIT_WORK_FAILED;
  print_row(bench, segments, clock, medians, wrong);
  return EXIT_DONE;
}

static int compare(struct bench *bench, const struct segments *segments) {
  if (bench->only && !strstr(segments->name, bench->only))
    return EXIT_DONE;
  solve(bench, segments);
  for (size_t i = 0; i < bench->side_count; i++)
    if (bench->sides[i]->choose(segments))
      return EXIT_WORK_FAILED;
  return compare_by(bench, segments, BENCH_DEVICE) || compare_by(bench, segments, BENCH_WALL);
}

// --- All of them ---

static int compare_lengths(struct bench *bench, bool rows) {
  static const size_t lengths[] = {16, 64, 256, 1024, 16384, 1 << 20};

  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    char name[32];
    const size_t length = lengths[i];
    const struct segments segments = {name, bench->count / length, rows ? length : 0, bench->offsets};
    snprintf(name, sizeof name, "%s of %zu", rows ? "rows" : "offsets", length);
    if (length > bench->count)
      break;
    fill_equal(bench->offsets, bench->count, length);
    if (compare(bench, &segments))
      return EXIT_WORK_FAILED;
  }
  return EXIT_DONE;
}

static int compare_all(struct bench *bench) {
  struct segments power_law = {"power law", 0, 0, bench->offsets}, giant = {"one of half", 0, 0, bench->offsets};

  printf("%s, 2^%u floats in segments; GB/s of elements\n", bench->session.device.name, bench->log2);
  printf("%-18s %10s %-7s %-12s %11s %11s %9s %9s %7s\n", "segments", "number", "clock", "peer", "ours us", "peer us",
         "ours GB/s", "peer GB/s", "ratio");
  if (compare_lengths(bench, true) || compare_lengths(bench, false))
    return EXIT_WORK_FAILED;
  power_law.count = fill_power_law(bench->offsets, bench->count);
  if (compare(bench, &power_law))
    return EXIT_WORK_FAILED;
  giant.count = fill_giant(bench->offsets, bench->count);
  return compare(bench, &giant);
}

// --- The program ---

static void pick_sides(struct bench *bench) {
  bench->sides[bench->side_count++] = &segments_ours;
  if (ours_on_cpu(&bench->session))
    bench->sides[bench->side_count++] = &segments_plain_sum;
#ifdef BENCH_HAVE_CUB
  else
    bench->sides[bench->side_count++] = &segments_cub;
#endif
}

static void *claim(size_t bytes) {
  const size_t page = 4096;
  void *memory = aligned_alloc(page, (bytes + page - 1) / page * page);

  if (memory)
    memset(memory, 0, bytes);  // so that no page fault is timed
  return memory;
}

// There are at most as many segments as elements, should all of the power law be of 1.
static int prepare(struct bench *bench) {
  bench->count = (size_t)1 << bench->log2;
  bench->data = claim(bench->count * sizeof *bench->data);
  bench->offsets = claim((bench->count + 1) * sizeof *bench->offsets);
  bench->expected = claim(bench->count * sizeof *bench->expected);
  bench->results = claim(bench->count * sizeof *bench->results);
  if (!bench->data || !bench->offsets || !bench->expected || !bench->results)
    return fail_memory();
  fill(bench->data, bench->count);
  for (size_t i = 0; i < bench->side_count; i++)
    if (bench->sides[i]->prepare(bench->data, bench->count))
      return EXIT_WORK_FAILED;
  return EXIT_DONE;
}

static void release(struct bench *bench) {
  for (size_t i = bench->side_count; i > 0; i--)
    bench->sides[i - 1]->release();
  free(bench->data);
  free(bench->offsets);
  free(bench->expected);
  free(bench->results);
  session_close(&bench->session);
}

static int parse(struct bench *bench, int argc, char *argv[]) {
  const struct flag flags[] = {
    {"--log2", NULL, &bench->log2, "2^N elements in all, 8 to 30 (default: on a GPU 28, else 26)"},
    {"--only", &bench->only, NULL, "segments whose name contains TEXT, as rows, offsets, \"of 64\", power"},
    {"--strategy", &bench->strategy, NULL, "as in clred_problem"},
    {"--device", &bench->selector, NULL, "as in clreduce"},
    {"--runs", NULL, &bench->runs, "timed runs of each side (default 21)"},
    {"--calls", NULL, &bench->calls, "calls back to back by the wall clock (default: 10 on a GPU, else 1)"},
    {NULL, NULL, NULL, NULL}};
  int code = flags_parse("bench_segments", flags, argc, argv);

  if (!code &&
      ((bench->log2 && bench->log2 < 8) || bench->log2 > LOG2_MAX || !bench->runs || bench->runs > TURNS_MOST_RUNS))
    code = fail(EXIT_BAD_USE, "bench_segments: an option's value is out of range; see --help");
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
  bench.log2 = bench.log2 ? bench.log2 : ours_on_cpu(&bench.session) ? 26 : 28;
  ours_segments_set(&bench.session, bench.strategy);
  pick_sides(&bench);
  code = prepare(&bench);
  if (!code)
    code = compare_all(&bench);
  release(&bench);
  return code ? code : bench.wrong ? EXIT_WRONG : EXIT_DONE;
}
