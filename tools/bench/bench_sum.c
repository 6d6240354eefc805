// bench_sum: how fast the library sums an array, beside a peer that sums the same array in the same process, in turn.
// On a CPU the peer is a plain C loop with OpenMP, on a GPU CUB; each where its toolchain was found.

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "data.h"
#include "fail.h"
#include "number.h"
#include "openmp_wait.h"
#include "ours.h"
#include "peers.h"

struct options {
  struct ours_options ours;
  enum bench_type type;
  const char *type_name;
  cl_ulong count;  // 0: by device
  cl_ulong pairs;
};

static const char usage[] =
  "usage: bench_sum [options]\n"
  "  -n N              elements (default 2^26 on a CPU, 2^28 on a GPU); 2^K is understood\n"
  "  --runs N          timed runs of each side, after 3 to warm up (default 21)\n"
  "  --type TYPE       float, double, int or uchar (default float)\n"
  "  --device SEL      index, or part of the device's or its platform's name (default: first GPU, else first device)\n"
  "  --strategy NAME   --finish NAME   --group-size N   --groups N      as in clreduce\n";

static const struct option long_options[] = {{"device", required_argument, NULL, 'd'},
                                             {"strategy", required_argument, NULL, 's'},
                                             {"finish", required_argument, NULL, 'f'},
                                             {"group-size", required_argument, NULL, 'g'},
                                             {"groups", required_argument, NULL, 'G'},
                                             {"runs", required_argument, NULL, 'r'},
                                             {"type", required_argument, NULL, 't'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static int parse_count(const char *text, cl_ulong *count) {
  int is_power = strncmp(text, "2^", 2) == 0;
  const char *digits = text + 2 * is_power;
  uint64_t value;

  if (!count_parse(digits, strlen(digits), &value) || (is_power && value > 62))
    return fail(EXIT_BAD_USE, "'%s' is not a count; give decimal digits, or 2^ and decimal digits", text);
  *count = is_power ? (cl_ulong)1 << value : value;
  return EXIT_DONE;
}

static int parse_type(const char *name, struct options *options) {
  static const char *const names[] = {
    [BENCH_FLOAT] = "float", [BENCH_DOUBLE] = "double", [BENCH_INT] = "int", [BENCH_UCHAR] = "uchar"};

  options->type_name = name;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(names[i], name) == 0) {
      options->type = (enum bench_type)i;
      return EXIT_DONE;
    }
  return fail(EXIT_BAD_USE, "unknown type '%s'; there are float, double, int and uchar", name);
}

static int parse_option(int letter, const char *value, struct options *options) {
  switch (letter) {
  case 'n':
    return parse_count(value, &options->count);
  case 'r':
    return parse_count(value, &options->pairs);
  case 'g':
    return parse_count(value, &options->ours.group_size);
  case 'G':
    return parse_count(value, &options->ours.groups);
  case 't':
    return parse_type(value, options);
  case 'd':
    options->ours.device = value;
    return EXIT_DONE;
  case 's':
    options->ours.strategy = value;
    return EXIT_DONE;
  case 'f':
    options->ours.finish = value;
    return EXIT_DONE;
  case 'h':
    fputs(usage, stdout);
    exit(EXIT_DONE);
  default:
    fputs(usage, stderr);
    return EXIT_BAD_USE;
  }
}

static int parse(int argc, char **argv, struct options *options) {
  int letter, status = EXIT_DONE;

  while (!status && (letter = getopt_long(argc, argv, "n:", long_options, NULL)) != -1)
    status = parse_option(letter, optarg, options);
  if (!status && (optind < argc || !options->pairs || options->pairs > BENCH_MOST_RUNS)) {
    fputs(usage, stderr);
    status = EXIT_BAD_USE;
  }
  return status;
}

static void print_row(const struct options *options, const struct comparison *row) {
  double bytes = (double)options->count * (double)bench_element_size(options->type);
  double ours = bytes / row->median_seconds[0] * 1e-9, peer = 0;
  size_t wrong = row->wrong[0] + row->wrong[1];

  if (row->median_seconds[1] > 0)
    peer = bytes / row->median_seconds[1] * 1e-9;
  printf("%-7s %12llu %11.2f %11.2f %7.3f   ", row->clock == BENCH_DEVICE ? "device" : "wall",
         (unsigned long long)options->count, ours, peer, peer > 0 ? ours / peer : 0);
  if (wrong)
    printf("WRONG: %zu of ours, %zu of the peer's\n", row->wrong[0], row->wrong[1]);
  else
    printf("right, all %zu\n", row->runs);
}

static int compare_by_each_clock(const struct options *options, const struct bench_side *const sides[2],
                                 const struct expectation expected[2]) {
  size_t wrong = 0;

  for (int clock = BENCH_WALL; clock <= BENCH_DEVICE; clock++) {
    struct comparison row;
    if (clock == BENCH_DEVICE && sides[1] && !sides[1]->has_device_clock)
      continue;
    if (bench_compare(sides, expected, (enum bench_clock)clock, (size_t)options->pairs, &row))
      return EXIT_WORK_FAILED;
    print_row(options, &row);
    wrong += row.wrong[0] + row.wrong[1];
  }
  return wrong ? EXIT_WRONG : EXIT_DONE;
}

static int bench(const struct options *options, const void *data, double sum) {
  const struct bench_side *sides[2] = {&bench_ours, bench_peer(ours_on_gpu())};
  struct expectation expected[2] = {{sum, 0}, {sum, bench_tolerance(options->type, sum)}};
  char description[512];
  int in_bits = 0;

  for (size_t i = 0; i < 2 && sides[i]; i++)
    if (sides[i]->prepare(data, options->type, BENCH_ADD, (size_t)options->count))
      return EXIT_WORK_FAILED;
  if (ours_describe(description, sizeof description) || ours_reference(&expected[0].sum, &in_bits))
    return EXIT_WORK_FAILED;
  if (!in_bits)
    expected[0] = expected[1];
  printf("sum of %s on %s\n", options->type_name, description);
  printf("peer: %s; in turn, %llu runs each, medians\n\n", sides[1] ? sides[1]->name : "none was built",
         (unsigned long long)options->pairs);
  printf("%-7s %12s %11s %11s %7s   %s\n", "clock", "n", "ours GB/s", "peer GB/s", "ratio", "results");
  return compare_by_each_clock(options, sides, expected);
}

int main(int argc, char **argv) {
  struct options options = {.type = BENCH_FLOAT, .type_name = "float", .pairs = 21};
  double sum = 0;
  void *data;
  int status;

  make_openmp_wait_passively(argv);
  status = parse(argc, argv, &options);
  if (status)
    return status;
  status = ours_open(&options.ours);
  if (status)
    return status;
  if (!options.count)
    options.count = (cl_ulong)1 << (ours_on_gpu() ? 28 : 26);
  data = bench_make_data(options.type, (size_t)options.count, &sum);
  if (!data) {
    ours_close();
    return fail_memory();
  }
  status = bench(&options, data, sum);
  bench_ours.release();
  if (bench_peer(ours_on_gpu()))
    bench_peer(ours_on_gpu())->release();
  ours_close();
  free(data);
  return status;
}
