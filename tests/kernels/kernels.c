// kernels: launches every kernel of cl/ on up to 4000 elements, by every strategy with each finish and layout, so that
// Oclgrind can check them (tools/scripts/oclgrind.sh). It runs on any device, compares the results, and fails if a
// kernel was never launched.

#include <clreduce_device.h>
#include <clreduce_quantile.h>
#include <clreduce_sort.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/options.h"
#include "oracle/tree.h"
#include "prototypes.h"
#include "source/source.h"
#include "strategies/strategies.h"
#include "support/calls.h"

// ---------------------------------------------------------------- Launches by strategy and kernel

#define LAUNCHED_MAX 256
#define NAME_MAX 96

static struct {
  const char *strategy;
  char kernel[NAME_MAX];
  unsigned long times;
} launched[LAUNCHED_MAX];

static const char *strategy_now = "";

// The launches from now on belong to this strategy.
static void launched_for(const char *strategy) {
  strategy_now = strategy;
}

static size_t place_of(const char *strategy, const char *kernel) {
  size_t i = 0;
  while (i < LAUNCHED_MAX && launched[i].times &&
         (strcmp(launched[i].strategy, strategy) != 0 || strcmp(launched[i].kernel, kernel) != 0))
    i++;
  if (i == LAUNCHED_MAX)
    oracle_fail("too many", "kernels");
  return i;
}

// The linker puts these two functions between the library and OpenCL.
cl_int __real_clEnqueueNDRangeKernel PARAMETERS_clEnqueueNDRangeKernel;
cl_int __wrap_clEnqueueNDRangeKernel PARAMETERS_clEnqueueNDRangeKernel;

cl_int __wrap_clEnqueueNDRangeKernel PARAMETERS_clEnqueueNDRangeKernel {
  char name[NAME_MAX] = "";
  const cl_int err = __real_clEnqueueNDRangeKernel ARGUMENTS_clEnqueueNDRangeKernel;
  if (err || clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL))
    return err;
  const size_t place = place_of(strategy_now, name);
  launched[place].strategy = strategy_now;
  strcpy(launched[place].kernel, name);
  launched[place].times++;
  return err;
}

// Oclgrind 21.10 reports memory as unwritten unless the host wrote it, even after kernels wrote it. So buffers begin
// with a pattern of NaNs and huge offsets: reads of unwritten memory give wrong results.
cl_mem __real_clCreateBuffer PARAMETERS_clCreateBuffer;
cl_mem __wrap_clCreateBuffer PARAMETERS_clCreateBuffer;

cl_mem __wrap_clCreateBuffer PARAMETERS_clCreateBuffer {
  if (host_ptr || flags & CL_MEM_ALLOC_HOST_PTR)
    return __real_clCreateBuffer ARGUMENTS_clCreateBuffer;
  void *pattern = oracle_claim(size, 1);
  memset(pattern, 0xff, size);
  cl_mem made = __real_clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, size, pattern, errcode_ret);
  free(pattern);
  return made;
}

// Kernels that a program has but that its strategy never launches: strategies without atomics need no BEGIN, those with
// one launch no STATES, and counters in rows no CLEAR.
static int is_spare(const struct clr_strategy *strategy, enum clr_kernel kernel) {
  static const char *const one_launch[] = {"device_serial", "bottom_up_mono", "top_down_mono", "atomic"};
  if (kernel == CLR_KERNEL_BEGIN)
    return !(strategy->reduce.finishes & CLR_FINISH_BIT(CLR_FINISH_ATOMIC));
  for (size_t i = 0; i < sizeof one_launch / sizeof *one_launch; i++)
    if (kernel == CLR_KERNEL_STATES && strcmp(strategy->name, one_launch[i]) == 0)
      return 1;
  return kernel == CLR_KERNEL_CLEAR && strcmp(strategy->name, "histogram_chunked") == 0;
}

static size_t show(const char *strategy, const char *kernel, int is_spare) {
  const unsigned long times = launched[place_of(strategy, kernel)].times;
  if (times || !is_spare)
    printf("kernel %s %s %lu\n", strategy, kernel, times);
  return !times && !is_spare;
}

static size_t show_strategy(const struct clr_strategy *strategy) {
  const unsigned kernels = strategy->exec == CLR_EXEC_HOST ? 0 : clr_strategy_kernels(strategy);
  size_t missing = 0;
  for (int kernel = 0; kernel < CLR_KERNELS; kernel++) {
    char name[NAME_MAX];
    if (!(kernels & CLR_KERNEL_BIT(kernel)))
      continue;
    clr_source_entry(strategy, (enum clr_kernel)kernel, name, sizeof name);
    missing += show(strategy->name, name, is_spare(strategy, (enum clr_kernel)kernel));
  }
  return missing;
}

// Prints a line "kernel STRATEGY NAME TIMES" for each kernel of each strategy. Returns the number of kernels that were
// never launched but that some plan launches.
static size_t launched_show(void) {
  static const char *const sorts[] = {"count", "choose", "recount", "scan", "move", "copy", "small", "gather"};
  const struct clr_strategy *strategy;
  size_t missing = show("(probe)", "clred_probe", 0) + show("(laws)", "clred_laws", 0);
  for (size_t s = 0; (strategy = clr_strategy_at(s)) != NULL; s++)
    missing += show_strategy(strategy);
  for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
    char name[NAME_MAX];
    snprintf(name, sizeof name, "clred_sort_%s", sorts[i]);
    missing += show("(sorts)", name, 0);
  }
  return missing;
}

// ---------------------------------------------------------------- Devices

// The assumed devices: a GPU, a CPU, a device with words of 32 bits and little local memory, and one whose groups may
// wait for each other.
static const char *const shapes[] = {"cpu=0,compute_units=4", "cpu=1,compute_units=4",
                                     "cpu=0,compute_units=4,int64_atomics=0,local_mem_size=4096",
                                     "cpu=0,compute_units=4,forward_progress=1"};
#define SHAPES 4
enum { AS_GPU, AS_CPU, AS_LITTLE, AS_WAITING };

static struct {
  bool full, list;
  const char *only, *except;
  struct device device;
  struct numbers numbers;
  cl_mem out, keys_out;
  random_state random;
  size_t passed, failed, refused;
} checked;

// ---------------------------------------------------------------- One case

static bool compare(const clred_problem *problem, const struct asked *asked) {
  static cl_ulong out[NUMBERS];
  static cl_int keys[NUMBERS];
  cl_int err = clFinish(checked.device.queue);
  if (asked->in_memory)
    memcpy(out, &asked->result, sizeof asked->result);
  else if (!err)
    err = clEnqueueReadBuffer(checked.device.queue, checked.out, CL_TRUE, 0, asked->bytes, out, 0, NULL, NULL);
  if (!err && asked->has_keys)
    err = clEnqueueReadBuffer(checked.device.queue, checked.keys_out, CL_TRUE, 0, sizeof keys, keys, 0, NULL, NULL);
  return !err && call_is_right(problem, &checked.numbers, asked, out, keys);
}

static bool call(const clred_problem *problem, clred_plan *plan, cl_ulong elements, cl_ulong rows) {
  struct asked asked;
  const clred_call made = call_draw(problem, &checked.numbers, (struct call_limits){elements, rows}, checked.out,
                                    checked.keys_out, &asked, &checked.random);
  const cl_int err = clred_enqueue(checked.device.queue, plan, &made, 0, NULL, NULL);
  return !err && compare(problem, &asked);
}

// Several rows, one long row, and no elements.
static bool call_all(const clred_problem *problem, clred_plan *plan) {
  return call(problem, plan, 70, 20) && call(problem, plan, 3900, 1) &&
         (!call_may_be_empty(problem) || call(problem, plan, 0, 2));
}

// A plan with small groups, and with many for rows and columns, so that a short range fills several; with the default
// size if that is refused.
static cl_int make_plan(clred_problem *problem, clred_plan **plan) {
  problem->group_size = problem->layout == CLRED_LAYOUT_SEGMENTS  ? 16
                        : problem->layout == CLRED_LAYOUT_COLUMNS ? 4
                                                                  : 64;
  const bool cut = problem->layout == CLRED_LAYOUT_COLUMNS || problem->layout == CLRED_LAYOUT_ROWS;
  problem->groups = cut && !problem->scan ? 1024 : 0;
  cl_int err = clred_plan_create(checked.device.runtime, problem, plan);
  problem->group_size = 0;
  if (err)
    err = clred_plan_create(checked.device.runtime, problem, plan);
  problem->groups = 0;
  return err;
}

static bool fits(const char *pattern, const char *name) {
  regex_t compiled;
  if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NOSUB))
    oracle_fail(pattern, "no regular expression");
  const bool fits = regexec(&compiled, name, 0, NULL, 0) == 0;
  regfree(&compiled);
  return fits;
}

// Prints the name, so that the output ends with it if the case crashes Oclgrind.
static bool is_wanted(const char *name) {
  const bool wanted = (!checked.only || fits(checked.only, name)) && (!checked.except || !fits(checked.except, name));
  if (wanted)
    puts(name);
  fflush(stdout);
  return wanted && !checked.list;
}

static void judge(const char *name, bool right) {
  checked.passed += right;
  checked.failed += !right;
  if (!right)
    printf("FAILED %s: %s\n", name, clred_last_error(checked.device.runtime));
}

static void check(const char *strategy, const char *finish, const char *what, clred_problem problem,
                  const char *shape) {
  char name[200];
  clred_plan *plan = NULL;
  snprintf(name, sizeof name, "%s%s%s %s on %s", strategy, finish ? "+" : "", finish ? finish : "", what, shape);
  if (!is_wanted(name))
    return;
  problem.strategy = strategy;
  problem.finish = finish;
  problem.count_max = NUMBERS;
  launched_for(strategy);
  const cl_int err = make_plan(&problem, &plan);
  const bool refused = err == CLRED_STRATEGY_REFUSED || err == CLRED_TYPE_NOT_SUPPORTED;
  checked.refused += refused;
  if (!refused)
    judge(name, !err && call_all(&problem, plan));
  clred_plan_release(plan);
}

// ---------------------------------------------------------------- Every strategy

#define SUM .type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM

#define BY_OFFSETS .layout = CLRED_LAYOUT_SEGMENTS, .segment_type = CLRED_TYPE_UINT
#define INCLUSIVE .scan = CLRED_SCAN_INCLUSIVE
#define EXCLUSIVE .scan = CLRED_SCAN_EXCLUSIVE

// Each case is for strategies that reduce, scan or count. A case with ONCE runs with one finish unless --full is given.
enum { REDUCES, SCANS, COUNTS, ONCE = 4 };

static const struct question {
  const char *name;
  unsigned task;
  clred_problem problem;
} questions[] = {
  {"sum", REDUCES, {SUM}},
  {"last", REDUCES | ONCE, {.custom = &calls_last}},
  // The state has no padding. Kernels never write padding, so Oclgrind would report groups that hand over states word
  // by word.
  {"argmax", REDUCES | ONCE, PROBLEM(.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ARGMAX, .state = CLRED_TYPE_DOUBLE)},
  {"rows", REDUCES, {SUM, .layout = CLRED_LAYOUT_ROWS}},
  {"columns", REDUCES, {SUM, .layout = CLRED_LAYOUT_COLUMNS}},
  {"segments", REDUCES, {SUM, BY_OFFSETS}},
  {"blocks", REDUCES | ONCE, {.custom = &calls_blocks, BY_OFFSETS}},
  {"keys", REDUCES, {SUM, .layout = CLRED_LAYOUT_KEYS, .segment_type = CLRED_TYPE_INT}},
  {"heads", REDUCES | ONCE, {SUM, .layout = CLRED_LAYOUT_HEADS}},
  {"blocks by heads", REDUCES | ONCE, {.custom = &calls_blocks, .layout = CLRED_LAYOUT_HEADS}},
  {"inclusive", SCANS, {SUM, INCLUSIVE}},
  {"exclusive", SCANS | ONCE, {SUM, EXCLUSIVE}},
  {"selection", SCANS, {.type = CLRED_TYPE_FLOAT, .selection = &calls_selection}},
  {"rows scanned", SCANS, {SUM, .layout = CLRED_LAYOUT_ROWS, INCLUSIVE}},
  {"segments scanned", SCANS, {SUM, BY_OFFSETS, EXCLUSIVE}},
  {"runs scanned", SCANS, {SUM, .layout = CLRED_LAYOUT_HEADS, INCLUSIVE}},
  {"blocks scanned", SCANS | ONCE, {.custom = &calls_blocks, BY_OFFSETS, EXCLUSIVE}},
  ROW("blocks scanned by heads", SCANS | ONCE, {.custom = &calls_blocks, .layout = CLRED_LAYOUT_HEADS, EXCLUSIVE}),
  {"histogram", COUNTS, {.type = CLRED_TYPE_FLOAT, .histogram = &calls_histogram}},
  {"weights", COUNTS, {.type = CLRED_TYPE_FLOAT, .histogram = &calls_weights}},
};
#define QUESTIONS (sizeof questions / sizeof *questions)

// Without --full a strategy runs on the device it is made for. Histograms have other kernels without 64-bit atomics,
// and wide has another way to hand over partials if groups may wait.
static bool is_due(const char *strategy, const char *shape) {
  if (shape == shapes[AS_WAITING])
    return strcmp(strategy, "wide") == 0;
  if (shape == shapes[AS_LITTLE] && strstr(strategy, "histogram"))
    return true;
  return checked.full || shape == shapes[strstr(strategy, "chunked") ? AS_CPU : AS_GPU];
}

// The finish on the host is the same for all strategies: without --full one of them runs it.
static bool is_due_with(const char *strategy, const char *finish, const struct question *question) {
  return !(question->task & ONCE) && (strcmp(finish, "host") != 0 || strcmp(strategy, "local_sequential") == 0);
}

static void check_question(const clred_strategy_info *info, const struct question *question, const char *shape) {
  const bool on_host = strstr(info->name, "host_serial") != NULL;
  const unsigned task = info->scans ? SCANS : info->counts ? COUNTS : REDUCES;
  if ((question->task & ~(unsigned)ONCE) != task || on_host || !is_due(info->name, shape) ||
      !(info->layouts >> question->problem.layout & 1))
    return;
  for (size_t f = 0; f < finish_count(info); f++)
    if (f == 0 || checked.full || is_due_with(info->name, info->finishes[f], question))
      check(info->name, info->finishes[f], question->name, question->problem, shape);
}

// ---------------------------------------------------------------- Kernels of no strategy

static void check_stream(const char *strategy, const char *shape) {
  const clred_problem problem = {SUM, .strategy = strategy};
  const clred_stream_options options = {.chunk = 1024};
  clred_plan *plan = NULL;
  clred_stream *stream = NULL;
  char name[200];
  float sum = -1;
  snprintf(name, sizeof name, "%s stream on %s", strategy, shape);
  if (!is_due(strategy, shape) || !is_wanted(name))
    return;
  launched_for(strategy);
  cl_int err = clred_plan_create(checked.device.runtime, &problem, &plan);
  if (!err)
    err = clred_stream_create(checked.device.queue, plan, &options, &stream);
  for (cl_ulong done = 0; done < NUMBERS && !err; done += NUMBERS / 4)
    err = clred_stream_push(stream, checked.numbers.values + done, NULL, NUMBERS / 4);
  if (!err)
    err = clred_stream_finish(stream, &sum);
  judge(name, !err && call_is_right(&problem, &checked.numbers, &CALL_OVER(0, NUMBERS), &sum, NULL));
  clred_stream_release(stream);
  clred_plan_release(plan);
}

static void check_laws(const clred_problem *problem, const char *name) {
  clred_law laws[CLRED_LAWS];
  if (!is_wanted(name))
    return;
  launched_for("(laws)");
  const cl_int err = clred_check_laws(checked.device.runtime, problem, 1, laws);
  judge(name, !err && laws[0].holds && laws[1].holds);
}

// The first plan of a caller's operator launches a kernel that finds its sizes.
static void check_probe(void) {
  const clred_problem problem = {.custom = &calls_last};
  clred_plan *plan = NULL;
  if (!is_wanted("probe"))
    return;
  launched_for("(probe)");
  judge("probe", clred_plan_create(checked.device.runtime, &problem, &plan) == CL_SUCCESS);
  clred_plan_release(plan);
}

// More elements than a sample has: the numbers 0, 1, 2, ..., each `alike` times. With many quantiles the kernels that
// count keys run.
#define RANKED 16400

static void check_quantile(const char *what, const char *shape, int alike, clred_quantile_problem problem,
                           double expected) {
  static double at[9] = {0.5};
  float *elements = oracle_claim(RANKED, sizeof *elements), top[3];
  double quantiles[9];
  cl_ulong places[3];
  clred_quantile *quantile = NULL;
  char name[200];
  snprintf(name, sizeof name, "%s on %s", what, shape);
  problem.type = CLRED_TYPE_FLOAT;
  problem.at = problem.at_count ? at : NULL;
  for (int i = 0; i < RANKED; i++)
    elements[i] = (float)(i * 7919 % RANKED / alike);
  if (is_wanted(name)) {
    launched_for("(quantiles)");
    cl_int err = clred_quantile_create(checked.device.runtime, &problem, &quantile);
    if (!err)
      err = clred_quantile_warm(checked.device.queue, quantile);
    if (!err)
      err = clred_quantile_run_host(checked.device.queue, quantile, elements, RANKED,
                                    problem.at ? (void *)quantiles : top, problem.at ? NULL : places);
    judge(name, !err && (problem.at ? quantiles[0] == expected
                                    : top[2] == expected && places[1] < places[2] && elements[places[2]] == expected));
  }
  clred_quantile_release(quantile);
  free(elements);
}

static void check_quantiles(const char *shape) {
  const double median = (RANKED - 1) / 2.0, last = RANKED / 10 - 1;
  check_quantile("median", shape, 1, (clred_quantile_problem){.at_count = 1}, median);
  check_quantile("quantiles", shape, 1, (clred_quantile_problem){.at_count = 9}, median);
  check_quantile("top", shape, 10, (clred_quantile_problem){.top = 3}, last);
}

// Warming sorts a tile, and by passes. Three digits are an odd number of passes, so the last kernel copies back; the
// values are copied at the end.
#define SORTED 5000

static void check_sorts(const char *shape) {
  static const clred_sort_problem problem = {
    .type = CLRED_TYPE_UINT, .form = CLRED_SORT_PAIRS, .end_bit = 20, .value_size = 12, .count_max = 4 * SORTED};
  cl_uint keys[SORTED], values[SORTED][3] = {{0}};
  clred_sorter *sorter = NULL;
  char name[200];
  snprintf(name, sizeof name, "sorts on %s", shape);
  if (!is_wanted(name))
    return;
  for (cl_uint i = 0; i < SORTED; i++)
    keys[i] = values[i][2] = i * 7919 % SORTED * 200;
  launched_for("(sorts)");
  cl_int err = clred_sorter_create(checked.device.runtime, &problem, &sorter);
  if (!err)
    err = clred_sorter_warm(checked.device.queue, sorter);
  if (!err)
    err = clred_sorter_run_host(
      checked.device.queue, sorter,
      &(clred_sort_host_call){.keys = keys, .count = SORTED, .keys_out = keys, .values = values, .values_out = values});
  for (cl_uint i = 0; i < SORTED && !err; i++)
    err = keys[i] != i * 200 || values[i][2] != keys[i];
  judge(name, !err);
  clred_sorter_release(sorter);
}

static void check_rest(const char *shape) {
  if (shape == shapes[AS_GPU] || shape == shapes[AS_CPU]) {
    check_quantiles(shape);
    check_sorts(shape);
  }
  check_stream("wide", shape);
  check_stream("chunked", shape);
  if (shape != shapes[0])
    return;
  check("local_coarsened", "relaunch", "sum in registers", (clred_problem){SUM, .stage = CLRED_STAGE_REGISTERS}, shape);
  check_laws(&(clred_problem){.type = CLRED_TYPE_INT, .op = CLRED_OP_MAX}, "laws");
  check_probe();
}

// ---------------------------------------------------------------- The run

static cl_mem make_buffer(size_t bytes) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(checked.device.context, CL_MEM_READ_WRITE, bytes, NULL, &err);
  if (err)
    oracle_fail("clCreateBuffer", clred_status_name(err));
  return buffer;
}

static bool check_all(const char *shape) {
  clred_strategy_info info;
  const char *trouble = device_open_assuming(&checked.device, shape);
  if (trouble) {
    fprintf(stderr, "kernels: %s: %s\n", shape, trouble);
    return false;
  }
  if (!checked.list)
    printf("device: %s, %s\n", checked.device.name, shape);
  numbers_create(&checked.numbers, &checked.device, 1);
  checked.out = make_buffer(NUMBERS * sizeof(cl_ulong));
  checked.keys_out = make_buffer(NUMBERS * sizeof(cl_int));
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t q = 0; q < QUESTIONS; q++)
      check_question(&info, &questions[q], shape);
  check_rest(shape);
  clReleaseMemObject(checked.out);
  clReleaseMemObject(checked.keys_out);
  numbers_release(&checked.numbers);
  device_close(&checked.device);
  return true;
}

int main(int argc, char **argv) {
  const struct option options[] = {
    OPTION("--full", "every case on each of the assumed devices, every operator with every finish",
           .flag = &checked.full),
    OPTION("--only", "the cases whose names fit this regular expression", .text = &checked.only),
    OPTION("--except", "all other cases than those", .text = &checked.except),
    OPTION("--list", "print the names of the cases", .flag = &checked.list),
  };
  if (!OPTIONS_READ("kernels", options, argc, argv))
    return 2;
  checked.random = random_seed(4);
  for (size_t i = 0; i < SHAPES; i++)
    if (!check_all(shapes[i]))
      return 2;
  if (checked.list)
    return 0;
  size_t missing = launched_show();
  if (checked.only || checked.except)  // the caller sums up what several runs launched
    missing = checked.passed + checked.failed + checked.refused == 0;
  printf("%zu passed, %zu failed, %zu refused; kernels never launched: %zu\n", checked.passed, checked.failed,
         checked.refused, missing);
  return checked.failed || missing ? 1 : 0;
}
