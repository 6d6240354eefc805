// grid: every strategy with every finish, operator and type, at sizes and offsets that have broken reductions before,
// against the oracle, bit for bit. Runs on any OpenCL device (CLREDUCE_TEST_DEVICE), in slices if need be.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"

static const uint64_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 1000, 8000, 65535, 65536, 65537, 1000003};

static const char usage[] =
    "usage: grid [--pairwise | --full] [--sizes small | all] [--slice I/N] [--filter TEXT]\n"
    "            [--resume FILE] [--seconds LIMIT] [--list]\n"
    "  --pairwise  a part in which every pair of strategy with finish, operator and type occurs (default)\n"
    "  --full      all combinations, those that must be refused included\n"
    "  --sizes     small: up to 1000 elements; all: up to 1000003 (default)\n"
    "  --slice     the Ith of N equal parts, from 1\n"
    "  --filter    only combinations whose name contains TEXT, as in \"hand_off+host add float\"\n"
    "  --resume    note in FILE what is done, and do not do again what it says has passed\n"
    "  --seconds   begin nothing new after so long, and say how much is left\n"
    "  --list      print the names and do nothing\n";

struct options {
  bool          full;
  bool          small;
  bool          list;
  size_t        slice;
  size_t        slices;
  const char   *filter;
  const char   *resume;
  unsigned long seconds;
};

struct counts {
  size_t passed;
  size_t failed;
  size_t skipped;
  size_t left;
};

static bool wrong(const char *what) {
  fprintf(stderr, "grid: %s\n%s", what, usage);
  return false;
}

static bool parse_value(struct options *options, const char *name, const char *value) {
  char end;
  if (strcmp(name, "--sizes") == 0 && (strcmp(value, "small") == 0 || strcmp(value, "all") == 0))
    options->small = *value == 's';
  else if (strcmp(name, "--slice") == 0 && sscanf(value, "%zu/%zu%c", &options->slice, &options->slices, &end) == 2 &&
           options->slice >= 1 && options->slice <= options->slices)
    return true;
  else if (strcmp(name, "--filter") == 0)
    options->filter = value;
  else if (strcmp(name, "--resume") == 0)
    options->resume = value;
  else if (strcmp(name, "--seconds") == 0 && sscanf(value, "%lu%c", &options->seconds, &end) == 1)
    return true;
  else
    return wrong(name);
  return true;
}

static bool parse(struct options *options, int argc, char **argv) {
  *options = (struct options){.slice = 1, .slices = 1};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--full") == 0 || strcmp(argv[i], "--pairwise") == 0)
      options->full = argv[i][2] == 'f';
    else if (strcmp(argv[i], "--list") == 0)
      options->list = true;
    else if (i + 1 == argc)
      return wrong(argv[i]);
    else if (!parse_value(options, argv[i], argv[i + 1]))
      return false;
    else
      i++;
  }
  return true;
}

// ---------------------------------------------------------------- The run

static void count_outcome(struct counts *counts, enum outcome outcome) {
  counts->passed += outcome == PASSED;
  counts->skipped += outcome == SKIPPED;
  counts->failed += outcome == FAILED || outcome == CRASHED;
}

// A line where the operator or the type changes, so that a long run shows where it is.
static void show_progress(const struct combinations *all, size_t index) {
  const struct combination *one = &all->list[index], *before = one - 1;
  if (index == 0 || one->op != before->op || one->type != before->type)
    printf("%zu of %zu: %s\n", index + 1, all->count, strchr(one->name, ' ') + 1);
  fflush(stdout);
}

static void run_all(const struct options *options, const struct combinations *all, struct run *run,
                    struct record *record, struct counts *counts) {
  const time_t begun = time(NULL);
  for (size_t i = 0; i < all->count; i++) {
    const struct combination *one = &all->list[i];
    enum outcome              outcome = record_look_up(record, one->name);
    if (outcome == CRASHED)
      printf("FAILED %s: it was begun twice and never ended\n", one->name);
    if (outcome == OPEN && options->seconds && difftime(time(NULL), begun) >= (double)options->seconds) {
      counts->left++;
      continue;
    }
    if (outcome == OPEN) {
      show_progress(all, i);
      record_start(record, one->name);
      outcome = run_combination(run, one);
      record_end(record, one->name, outcome);
    }
    count_outcome(counts, outcome);
  }
}

static int run_on_device(const struct options *options, const struct combinations *all, struct record *record) {
  const size_t  size_count = sizeof sizes / sizeof *sizes;
  struct counts counts = {0};
  struct device device;
  struct run    run;
  const char   *trouble = device_open(&device);
  if (trouble) {
    fprintf(stderr, "grid: %s\n", trouble);
    device_close(&device);
    return 2;
  }
  printf("device: %s\n", device.name);
  run_begin(&run, &device, sizes, options->small ? 8 : size_count);
  run_all(options, all, &run, record, &counts);
  run_end(&run);
  device_close(&device);
  if (counts.left)
    printf("%zu left\n", counts.left);
  printf("%zu passed, %zu failed, %zu skipped\n", counts.passed, counts.failed, counts.skipped);
  return counts.failed ? 1 : 0;
}

int main(int argc, char **argv) {
  struct options      options;
  struct combinations all;
  struct record       record;
  int                 result = 0;
  if (!parse(&options, argc, argv))
    return 2;
  combinations_list(&all, options.full);
  if (!options.full)
    combinations_cover(&all);
  combinations_filter(&all, options.filter ? options.filter : "");
  combinations_slice(&all, options.slice, options.slices);
  if (!record_open(&record, options.resume)) {
    fprintf(stderr, "grid: cannot open %s\n", options.resume);
    result = 2;
  }
  for (size_t i = 0; options.list && i < all.count; i++)
    puts(all.list[i].name);
  if (result == 0 && !options.list)
    result = run_on_device(&options, &all, &record);
  record_close(&record);
  combinations_release(&all);
  return result;
}
