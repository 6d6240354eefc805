// The options and the loop of a program over a list of problems: see program.h.

#include "program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SIZES_MAX 64

static const char options_usage[] =
  "  --full      all of the list\n"
  "  --sizes     small: only short ranges; all (default)\n"
  "  --most      only ranges of up to N elements\n"
  "  --slice     the Ith of N equal parts, from 1\n"
  "  --filter    only problems whose name contains TEXT, as in \"hand_off+host add float\"\n"
  "  --resume    record the results in FILE, and skip the problems that passed\n"
  "  --seconds   start no more problems after this time, and print how many are left\n"
  "  --list      print the names and do nothing\n";

struct options {
  bool full;
  bool small;
  bool list;
  size_t slice;
  size_t slices;
  const char *filter;
  const char *resume;
  unsigned long seconds;
  uint64_t most;
};

struct counts {
  size_t passed;
  size_t failed;
  size_t skipped;
  size_t left;
};

static bool wrong(const struct program *program, const char *what) {
  fprintf(stderr, "%s: %s\n%s%s", program->name, what, program->usage, options_usage);
  return false;
}

static bool parse_value(const struct program *program, struct options *options, const char *name, const char *value) {
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
  else if (strcmp(name, "--most") == 0 && sscanf(value, "%" SCNu64 "%c", &options->most, &end) == 1)
    return true;
  else
    return wrong(program, name);
  return true;
}

static bool parse(const struct program *program, struct options *options, int argc, char **argv) {
  *options = (struct options){.slice = 1, .slices = 1, .most = UINT64_MAX};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--full") == 0 || strcmp(argv[i], "--pairwise") == 0)
      options->full = argv[i][2] == 'f';
    else if (strcmp(argv[i], "--list") == 0)
      options->list = true;
    else if (i + 1 == argc)
      return wrong(program, argv[i]);
    else if (!parse_value(program, options, argv[i], argv[i + 1]))
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

// Prints a line if the operator or the type changes, so that a long run shows its progress.
static void show_progress(const struct combinations *all, size_t index) {
  const struct combination *one = &all->list[index], *before = one - 1;
  if (index == 0 || one->problem.op != before->problem.op || one->problem.type != before->problem.type)
    printf("%zu of %zu: %s\n", index + 1, all->count, strchr(one->name, ' ') + 1);
  fflush(stdout);
}

static void run_all(const struct program *program, const struct options *options, const struct combinations *all,
                    struct run *run, struct record *record, struct counts *counts) {
  const time_t begun = time(NULL);
  for (size_t i = 0; i < all->count; i++) {
    const struct combination *one = &all->list[i];
    enum outcome outcome = record_look_up(record, one->name);
    if (outcome == CRASHED)
      printf("FAILED %s: it was started twice and never ended\n", one->name);
    if (outcome == OPEN && options->seconds && difftime(time(NULL), begun) >= (double)options->seconds) {
      counts->left++;
      continue;
    }
    if (outcome == OPEN) {
      show_progress(all, i);
      record_start(record, one->name);
      outcome = program->check(run, one);
      record_end(record, one->name, outcome);
    }
    count_outcome(counts, outcome);
  }
}

static size_t choose_sizes(const struct program *program, const struct options *options, uint64_t *sizes) {
  const size_t all = options->small ? program->small_count : program->size_count;
  size_t chosen = 0;
  for (size_t i = 0; i < all && i < SIZES_MAX; i++)
    if (program->sizes[i] <= options->most)
      sizes[chosen++] = program->sizes[i];
  return chosen;
}

static int run_on_device(const struct program *program, const struct options *options, const struct combinations *all,
                         struct record *record) {
  static struct run run;
  struct counts counts = {0};
  struct device device;
  uint64_t sizes[SIZES_MAX];
  const char *trouble = device_open(&device);
  if (trouble) {
    fprintf(stderr, "%s: %s\n", program->name, trouble);
    device_close(&device);
    return 2;
  }
  printf("device: %s\n", device.name);
  run_begin(&run, &device, sizes, choose_sizes(program, options, sizes));
  run.thorough = program->thorough;
  run_all(program, options, all, &run, record, &counts);
  run_end(&run);
  device_close(&device);
  if (counts.left)
    printf("%zu left\n", counts.left);
  printf("%zu passed, %zu failed, %zu skipped\n", counts.passed, counts.failed, counts.skipped);
  return counts.failed ? 1 : 0;
}

int program_main(const struct program *program, int argc, char **argv) {
  struct options options;
  struct combinations all = {0};
  struct record record;
  int result = 0;
  if (!parse(program, &options, argc, argv))
    return 2;
  program->list(&all, options.full);
  combinations_filter(&all, options.filter ? options.filter : "");
  combinations_slice(&all, options.slice, options.slices);
  if (!record_open(&record, options.resume)) {
    fprintf(stderr, "%s: cannot open %s\n", program->name, options.resume);
    result = 2;
  }
  for (size_t i = 0; options.list && i < all.count; i++)
    puts(all.list[i].name);
  if (result == 0 && !options.list)
    result = run_on_device(program, &options, &all, &record);
  record_close(&record);
  combinations_release(&all);
  return result;
}
