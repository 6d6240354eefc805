// The lists of problems, and the options and the loop of a program over a list: see program.h.

#include "program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "options.h"
#include "oracle/tree.h"

// ---------------------------------------------------------------- Names

static void append(struct combination *one, const char *before, const char *text) {
  const size_t length = strlen(one->name);
  snprintf(one->name + length, sizeof one->name - length, "%s%s", before, text);
}

// The first operators.
static void name_list(struct combination *one) {
  char number[16];
  snprintf(number, sizeof number, " %u", (unsigned)one->problem.list_count);
  append(one, number, "");
  for (size_t i = 0; i < one->problem.list_count && i < 3; i++)
    append(one, " ", op_name(one->problem.list[i]));
}

static void name_number(struct combination *one, const char *before, uint64_t number) {
  char text[32];
  snprintf(text, sizeof text, "%s%u", before, (unsigned)number);
  append(one, "", number ? text : "");
}

// Calls with rows, columns, segments or runs.
static void name_layout(struct combination *one) {
  static const char *const layouts[] = {"line", "strided", "rows", "columns", "segments", "heads", "keys"};
  const clred_problem *problem = &one->problem;
  append(one, " ", layouts[problem->layout]);
  append(one, problem->segment_type ? " of " : "", type_name(problem->segment_type));
}

static const char *name_of_bins(const clred_histogram *bins) {
  return bins->edges ? "edges" : bins->edge_elements ? "edge_elements" : bins->low_element ? "ends" : "bins";
}

static void name_it(struct combination *one) {
  static const char *const bits[] = {[CLRED_RESULT_OWN] = "own", [CLRED_RESULT_32] = "32", [CLRED_RESULT_64] = "64"};
  const clred_problem *problem = &one->problem;
  clred_type_info type = {.name = "(no type)"}, state = type;
  clred_op_info op = {.name = "(no operator)"};
  clred_type_inspect(problem->type, &type);
  clred_type_inspect(problem->state, &state);
  clred_op_inspect(problem->op, &op);
  snprintf(one->name, sizeof one->name, "%s", problem->strategy ? problem->strategy : "auto");
  if (problem->finish)
    append(one, "+", problem->finish);
  append(one, " ",
         problem->custom      ? problem->custom->name
         : problem->list      ? "list of"
         : problem->selection ? "select"
         : problem->histogram ? name_of_bins(problem->histogram)
                              : op.name);
  if (problem->list)
    name_list(one);
  append(one, problem->custom ? "" : " ", problem->custom ? "" : type.name);
  if (problem->state != CLRED_TYPE_NONE)
    append(one, " state ", state.name);
  if (problem->nan == CLRED_NAN_IGNORE)
    append(one, " ", "ignore");
  if (problem->overflow == CLRED_OVERFLOW_DETECT)
    append(one, " ", "detect");
  if (problem->result_bits)
    append(one, " into ", bits[problem->result_bits]);
  append(one, "", problem->order == CLRED_ORDER_EXACT ? " exact" : "");
  append(one, problem->selection ? " " : "", problem->selection ? problem->selection->name : "");
  append(one, "", problem->indices ? " indices" : "");
  name_number(one, " ", problem->histogram ? problem->histogram->bins : 0);
}

static void name_scan(struct combination *one) {
  const clred_problem *problem = &one->problem;
  append(one, " ", problem->scan == CLRED_SCAN_INCLUSIVE ? "inclusive" : "exclusive");
  append(one, "", problem->reversed ? " reversed" : "");
  append(one, "", problem->in_place ? " in_place" : "");
}

void combinations_add(struct combinations *all, const clred_problem *problem) {
  struct combination *longer = realloc(all->list, (all->count + 1) * sizeof *longer);
  if (!longer)
    oracle_fail("out of", "memory");
  all->list = longer;
  longer[all->count].problem = *problem;
  name_it(&longer[all->count]);
  if (problem->scan)
    name_scan(&longer[all->count]);
  if (problem->layout)
    name_layout(&longer[all->count]);
  name_number(&longer[all->count], " G", problem->group_size);
  name_number(&longer[all->count], " K", problem->groups);
  name_number(&longer[all->count], " C", problem->elements);
  name_number(&longer[all->count], " H", problem->stop_at);
  all->count++;
}

static void combinations_release(struct combinations *all) {
  free(all->list);
  memset(all, 0, sizeof *all);
}

// Keeps the problems whose names contain the text.
static void combinations_filter(struct combinations *all, const char *text) {
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++)
    if (strstr(all->list[i].name, text))
      all->list[kept++] = all->list[i];
  all->count = kept;
}

// Keeps slice `index` of `count`, from 1.
static void combinations_slice(struct combinations *all, size_t index, size_t count) {
  size_t kept = 0;
  for (size_t i = index - 1; i < all->count; i += count)
    all->list[kept++] = all->list[i];
  all->count = kept;
}

// ---------------------------------------------------------------- Options

#define SIZES_MAX 64

struct wanted {
  bool pairwise, full, list;
  const char *filter, *resume;
  uint64_t seconds, most, runs;
  struct slice slice;
};

static bool parse(const struct program *program, struct wanted *wanted, int argc, char **argv) {
  const struct option options[] = {
    OPTION("--pairwise", program->pairwise, .flag = &wanted->pairwise),
    OPTION("--full", "all of the list", .flag = &wanted->full),
    OPTION("--most", "only ranges of up to N elements", .number = &wanted->most),
    OPTION("--slice", "the Ith of N equal parts, from 1", .slice = &wanted->slice),
    OPTION("--filter", "only problems whose name contains TEXT, as in \"hand_off+host sum float\"",
           .text = &wanted->filter),
    OPTION("--resume", "record the results in the file TEXT, and skip the problems that passed",
           .text = &wanted->resume),
    OPTION("--seconds",
           program->repeats ? "repeat each call for up to N seconds"
                            : "start no more problems after N seconds, and print how many are left",
           .number = &wanted->seconds),
    OPTION("--runs", "runs of each long call", .number = &wanted->runs),
    OPTION("--list", "print the names and do nothing", .flag = &wanted->list),
  };
  *wanted = (struct wanted){.slice = {1, 1}, .most = UINT64_MAX, .filter = ""};
  wanted->runs = program->repeats ? 1000 : 1;
  return OPTIONS_READ(program->name, options, argc, argv);
}

// ---------------------------------------------------------------- The file of a resumable run

// A line "started NAME" before each problem, and a line "passed NAME" after it. A problem that was started twice and
// did not pass has failed, so that a crash happens at most twice.
struct record {
  FILE *file;  // NULL: nothing is recorded
  char *text;  // what it had when it was opened, behind a newline
};

static bool open_record(struct record *record, const char *path) {
  *record = (struct record){path ? fopen(path, "a+") : NULL, NULL};
  if (!record->file)
    return !path;
  fseek(record->file, 0, SEEK_END);
  const size_t size = (size_t)ftell(record->file);
  record->text = calloc(size + 2, 1);
  rewind(record->file);
  *record->text = '\n';
  const bool whole = fread(record->text + 1, 1, size, record->file) == size;
  fseek(record->file, 0, SEEK_END);
  return whole;
}

static void close_record(struct record *record) {
  if (record->file)
    fclose(record->file);
  free(record->text);
}

static void write_line(const struct record *record, const char *word, const char *name) {
  if (!record->file)
    return;
  fprintf(record->file, "%s %s\n", word, name);
  fflush(record->file);
}

static unsigned lines_of(const struct record *record, const char *word, const char *name) {
  char line[200];
  unsigned count = 0;
  snprintf(line, sizeof line, "\n%s %s\n", word, name);
  for (const char *at = record->text; at && (at = strstr(at, line)) != NULL; at++)
    count++;
  return count;
}

// ---------------------------------------------------------------- The run

static enum outcome run_recorded(const struct program *program, struct run *run, const struct record *record,
                                 const struct combination *one) {
  write_line(record, "started", one->name);
  const enum outcome outcome = (program->run ? program->run : run_combination)(run, one);
  if (outcome != FAILED)
    write_line(record, "passed", one->name);
  return outcome;
}

// Prints a line if the operator or the type changes, so that a long run shows its progress.
static void show_progress(const struct combinations *all, size_t index) {
  const struct combination *one = &all->list[index], *before = one - 1;
  if (index == 0 || one->problem.op != before->problem.op || one->problem.type != before->problem.type)
    printf("%zu of %zu: %s\n", index + 1, all->count, strchr(one->name, ' ') + 1);
  fflush(stdout);
}

static void run_all(const struct program *program, const struct wanted *wanted, const struct combinations *all,
                    struct run *run, const struct record *record, size_t counts[OUTCOMES]) {
  const time_t begun = time(NULL);
  for (size_t i = 0; i < all->count; i++) {
    const struct combination *one = &all->list[i];
    const bool is_late =
      wanted->seconds && !run->repeat_seconds && difftime(time(NULL), begun) >= (double)wanted->seconds;
    enum outcome outcome = FAILED;
    if (lines_of(record, "passed", one->name))
      outcome = PASSED;
    else if (lines_of(record, "started", one->name) >= 2)
      printf("FAILED %s: it was started twice and did not pass\n", one->name);
    else if (is_late)
      outcome = LEFT;
    else {
      show_progress(all, i);
      outcome = run_recorded(program, run, record, one);
    }
    counts[outcome]++;
  }
}

static size_t choose_sizes(const struct program *program, const struct wanted *wanted, uint64_t *sizes) {
  size_t chosen = 0;
  for (size_t i = 0; i < program->size_count && i < SIZES_MAX; i++)
    if (program->sizes[i] <= wanted->most)
      sizes[chosen++] = program->sizes[i];
  return chosen;
}

// Trials take long, so runs with trials make no other runtime.
static clred_runtime *runtime_with_host(const struct device *device) {
  const clred_options options = {.assume = getenv("CLREDUCE_TEST_ASSUME"),
                                 .build_options = getenv("CLREDUCE_TEST_BUILD_OPTIONS"),
                                 .trust_driver = CL_TRUE};
  clred_runtime *runtime = NULL;
  if (!getenv("CLREDUCE_TEST_TRIALS") && clred_runtime_create(device->context, device->id, &options, &runtime))
    oracle_fail("there is no second runtime", device->name);
  return runtime;
}

static int run_on_device(const struct program *program, const struct wanted *wanted, const struct combinations *all,
                         const struct record *record) {
  static struct run run;
  size_t counts[OUTCOMES] = {0};
  struct device device;
  uint64_t sizes[SIZES_MAX];
  const char *trouble = device_open(&device);
  if (trouble) {
    fprintf(stderr, "%s: %s\n", program->name, trouble);
    device_close(&device);
    return 2;
  }
  printf("device: %s\n", device.name);
  run =
    (struct run){&device, program->name, {sizes, choose_sizes(program, wanted, sizes), 0}, program->thorough,
                 0,       wanted->runs,  program->repeats ? wanted->seconds : 0,           runtime_with_host(&device)};
  for (size_t i = 0; i < run.sizes.count; i++)
    run.sizes.most = sizes[i] > run.sizes.most ? sizes[i] : run.sizes.most;
  run_all(program, wanted, all, &run, record, counts);
  clred_runtime_release(run.with_host);
  device_close(&device);
  if (counts[LEFT])
    printf("%zu left\n", counts[LEFT]);
  printf("%zu passed, %zu failed, %zu skipped\n", counts[PASSED], counts[FAILED], counts[SKIPPED]);
  return counts[FAILED] || (program->run && !counts[PASSED] && !counts[LEFT]) ? 1 : 0;
}

int program_main(const struct program *program, int argc, char **argv) {
  struct wanted wanted;
  struct combinations all = {0};
  struct record record;
  int result = 0;
  if (!parse(program, &wanted, argc, argv))
    return 2;
  program->list(&all, wanted.full && !wanted.pairwise);
  combinations_filter(&all, wanted.filter);
  if (all.count == 0) {
    fprintf(stderr, "%s: no problem's name contains '%s'\n", program->name, wanted.filter);
    result = 2;
  }
  combinations_slice(&all, wanted.slice.index, wanted.slice.count);
  if (!open_record(&record, wanted.resume)) {
    fprintf(stderr, "%s: cannot open %s\n", program->name, wanted.resume);
    result = 2;
  }
  for (size_t i = 0; wanted.list && i < all.count; i++)
    puts(all.list[i].name);
  if (result == 0 && !wanted.list)
    result = run_on_device(program, &wanted, &all, &record);
  close_record(&record);
  combinations_release(&all);
  return result;
}
