// counts: compares the analysis of plans (clred_plan_step, clred_plan_analysis) with what kernels do. It runs under
// Oclgrind. The plugin counting.cpp counts accesses, barriers and operations. Numbers that the analysis does not state
// are not compared. The test fails if one is missing that `unknowable` does not name, or if they become more than
// NOT_STATED_MAX.
//   counts [--only STRATEGY]

#include <clreduce_device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts/counting.h"
#include "grid/options.h"
#include "oracle/tree.h"
#include "support/callbacks.h"
#include "support/device.h"

// ---------------------------------------------------------------- The operator

// To mark an operation, the operator's combine reads one byte of constant memory for each lane, or on the host, its
// callback counts. A state is 65536 times the number of operations in its tree, plus their depth.
#define TALLY_DEPTH 65535u

// Operations of the host so far.
static cl_ulong tally_on_host;

static cl_uint tally_of(cl_uint a, cl_uint b) {
  cl_uint deeper = (a & TALLY_DEPTH) > (b & TALLY_DEPTH) ? a & TALLY_DEPTH : b & TALLY_DEPTH;
  tally_on_host++;
  return ((a >> 16) + (b >> 16) + 1) << 16 | (deeper + 1);
}

IDENTITY(tally, cl_uint, 0)
LIFT(tally, cl_uint, cl_uint, 0 * x)
COMBINE(tally, cl_uint, tally_of(a, b))
HOST(tally, cl_uint);

// `mark` is read for each combination.
static const clred_operator tally =
  OPERATOR(.name = "tally", .element = "uint", .state = "uint", .identity = "0", .lift = "0 * x",
           .commutative = CL_TRUE, .host = &tally_host, .preamble = "__constant uchar mark[1] = {0};",
           .combine = "((a >> 16) + (b >> 16) + 1 + mark[0]) << 16 | (max(a & 65535u, b & 65535u) + 1)");

// ---------------------------------------------------------------- Comparing

// How many numbers were compared so far, and how many of them the analysis does not state.
static struct compared { size_t numbers, not_stated, failed; } compared;

// What both sides know. Between two barriers, steps add up; but their active work-items are those of the largest step.
static const struct row {
  const char *name;
  size_t counted, stated;
  bool is_active;
} rows[] = {
#define NUMBER(name, is_active) \
  { #name, offsetof(struct counted_phase, name), offsetof(clred_step, name), is_active }
  NUMBER(operations, false),         NUMBER(global_accesses, false),
  NUMBER(requests, false),           NUMBER(lines, false),
  NUMBER(local_accesses, false),     NUMBER(bank_conflicts, false),
  NUMBER(active_work_items, true),   NUMBER(sub_groups, true),
  NUMBER(divergent_sub_groups, true)};
#define ROWS (sizeof rows / sizeof *rows)

static cl_ulong number_at(const void *numbers, size_t offset) {
  cl_ulong value;
  memcpy(&value, (const char *)numbers + offset, sizeof value);
  return value;
}

// Numbers that depend on the order in which groups arrive: docs/textbook.md, "What is not stated".
static const struct {
  const char *plan, *numbers;
} unknowable[] = {
  {"+atomic", "operations depth"},
};

static void miss(const char *call, const char *where, const char *name) {
  compared.not_stated++;
  for (size_t i = 0; i < sizeof unknowable / sizeof *unknowable; i++)
    if (strstr(call, unknowable[i].plan) && strstr(unknowable[i].numbers, name))
      return;
  compared.failed++;
  printf("FAILED %s, %s: %s: the analysis does not state it\n", call, where, name);
}

static void compare(const char *call, const char *where, const char *name, cl_ulong stated, cl_ulong counted) {
  if (stated == CLRED_NOT_STATED) {
    miss(call, where, name);
    return;
  }
  compared.numbers++;
  if (stated == counted)
    return;
  compared.failed++;
  printf("FAILED %s, %s: %s: the analysis says %llu, the kernels did %llu\n", call, where, name,
         (unsigned long long)stated, (unsigned long long)counted);
}

// The steps of one launch.
struct launch {
  clred_step steps[256];
  size_t count;
  cl_ulong barriers;
  bool by_phase;  // each step passes one barrier at most
};

static cl_ulong add(cl_ulong a, cl_ulong b) {
  return a == CLRED_NOT_STATED || b == CLRED_NOT_STATED ? CLRED_NOT_STATED : a + b;
}

static struct launch launch_of(const clred_plan *plan, cl_ulong count, cl_ulong pass) {
  struct launch launch = {.by_phase = true};
  clred_step step;
  for (cl_ulong i = 0; clred_plan_step(plan, count, i, &step) == CL_SUCCESS; i++) {
    if (step.pass != pass)
      continue;
    launch.by_phase &= step.barriers <= 1;
    launch.barriers = add(launch.barriers, step.barriers);
    launch.steps[launch.count++] = step;
  }
  return launch;
}

// Returns the sum over the steps from `first` to `end`. With `of_largest`, steps without a barrier between them count
// once, with the number of the step that has most active work-items.
static cl_ulong stated_sum(const struct launch *stated, size_t first, size_t end, size_t offset, bool of_largest) {
  cl_ulong sum = 0;
  for (size_t i = first, next, most; i < end; i = next) {
    most = i;
    for (next = i + 1; of_largest && next < end && !stated->steps[next].barriers; next++)
      if (stated->steps[next].active_work_items > stated->steps[most].active_work_items)
        most = next;
    sum = add(sum, number_at(&stated->steps[most], offset));
  }
  return sum;
}

// Steps from `first` to `end` against the phases from `phase` to `last`.
static void compare_steps(const char *call, const struct launch *stated, size_t first, size_t end,
                          const struct counted_launch *counted, size_t phase, size_t last, const char *where) {
  for (size_t r = 0; r < ROWS; r++) {
    cl_ulong done = 0;
    for (size_t i = phase; i < last; i++)
      done += number_at(&counted->phases[i], rows[r].counted);
    compare(call, where, rows[r].name, stated_sum(stated, first, end, rows[r].stated, rows[r].is_active), done);
  }
}

static void compare_launch(const char *call, const struct launch *stated, const struct counted_launch *counted,
                           size_t index) {
  char where[64];
  snprintf(where, sizeof where, "launch %zu", index);
  compare(call, where, "barriers", stated->barriers, counted->barriers);
  // Groups that pass different numbers of barriers do different steps at a time.
  if (!stated->by_phase || stated->barriers != counted->barriers || counted->least_barriers != counted->barriers) {
    compare_steps(call, stated, 0, stated->count, counted, 0, counted->phase_count, where);
    return;
  }
  size_t first = 0;
  for (size_t phase = 0; phase < counted->phase_count; phase++) {
    size_t end = first + (first < stated->count && (phase > 0 || !stated->steps[first].barriers));
    while (end > first && end < stated->count && !stated->steps[end].barriers)
      end++;
    snprintf(where, sizeof where, "launch %zu, step %s", index, end > first ? stated->steps[first].name : "(none)");
    compare_steps(call, stated, first, end, counted, phase, phase + 1, where);
    first = end;
  }
}

// True if the strategy describes its steps. Otherwise the analysis has the numbers of its tree alone.
static bool has_steps(const clred_plan *plan, cl_ulong count) {
  clred_step step;
  return clred_plan_step(plan, count, 0, &step) == CL_SUCCESS && step.active_work_items != CLRED_NOT_STATED;
}

// Compares operations, of the kernels and in the tree that the result describes. A scan's kernels may fold elements
// again.
static void compare_tree(const char *call, const clred_plan *plan, cl_ulong count, const cl_uint *results, bool scans) {
  clred_analysis analysis;
  cl_ulong operations = tally_on_host, depth = 0;
  const struct counted_launch *counted;
  if (clred_plan_analysis(plan, count, &analysis))
    oracle_fail("clred_plan_analysis", call);
  for (size_t i = 0; (counted = counting_launch(i)) != NULL; i++)
    for (size_t k = 0; k < counted->phase_count; k++)
      operations += counted->phases[k].operations;
  for (size_t i = 0; i < (scans ? count : 1); i++)
    depth = (results[i] & TALLY_DEPTH) > depth ? results[i] & TALLY_DEPTH : depth;
  if (!scans || has_steps(plan, count))
    compare(call, "the call", "operations", analysis.operations, operations);
  compare(call, "the call", "depth", analysis.depth, depth);
  if (!scans && analysis.operations != CLRED_NOT_STATED)
    compare(call, "the tree", "operations", analysis.operations, results[0] >> 16);
}

// Compares the analysis of a call with what was counted: launch by launch, and step by step where every group passes
// the same barriers. `results` has the results of the call: `count` if it scans, otherwise one.
static void compare_call(const char *call, const clred_plan *plan, cl_ulong count, const cl_uint *results, bool scans) {
  const struct counted_launch *counted;
  compare_tree(call, plan, count, results, scans);
  for (size_t i = 0; has_steps(plan, count) && (counted = counting_launch(i)) != NULL; i++) {
    const struct launch stated = launch_of(plan, count, i);
    compare_launch(call, &stated, counted, i);
  }
}

// ---------------------------------------------------------------- The plans

#define SUB_GROUP 32
#define GROUP_SIZE 128
#define LINE 128
#define MOST 8000
#define NOT_STATED_MAX 216
// So little local memory that persistent fills it several times.
#define FACTS "cpu=0,compute_units=4,local_mem_size=4096,preferred_multiple=32,line_bytes=128"

static const cl_ulong counts[] = {32, 1000, 2048, MOST};
#define COUNTS (sizeof counts / sizeof *counts)

static struct {
  const char *only;
  struct device device;
  cl_mem in, out;
  cl_uint results[MOST];
  size_t plans;
} checked;

static void check_call(const char *plan_name, const clred_plan *plan, cl_ulong count, bool scans) {
  char call[160];
  const clred_call made = {.in = checked.in, .count = count, .out = checked.out};
  snprintf(call, sizeof call, "%s n=%llu", plan_name, (unsigned long long)count);
  counting_begin(SUB_GROUP, LINE);
  tally_on_host = 0;
  cl_int err = clred_enqueue(checked.device.queue, (clred_plan *)plan, &made, 0, NULL, NULL);
  if (!err)
    err = clEnqueueReadBuffer(checked.device.queue, checked.out, CL_TRUE, 0,
                              (scans ? count : 1) * sizeof *checked.results, checked.results, 0, NULL, NULL);
  if (err)
    oracle_fail(call, clred_last_error(checked.device.runtime));
  compare_call(call, plan, count, checked.results, scans);
}

static void check_nothing(clred_plan *plan) {
  const clred_call made = {.in = checked.in, .count = counts[0], .out = checked.out};
  if (clred_enqueue(checked.device.queue, plan, &made, 0, NULL, NULL) || clFinish(checked.device.queue))
    oracle_fail("clred_enqueue", clred_last_error(checked.device.runtime));
}

// `problem` has what is special about this plan, which `what` names.
static void check_plan(const clred_strategy_info *info, const char *finish, clred_problem problem, const char *what) {
  clred_plan *plan = NULL;
  char name[120];
  problem.custom = &tally;
  problem.strategy = info->name;
  problem.finish = finish;
  problem.count_max = MOST;
  if (!problem.group_size)
    problem.group_size = GROUP_SIZE;
  cl_int err = clred_plan_create(checked.device.runtime, &problem, &plan);
  if (err) {
    problem.group_size = 0;
    err = clred_plan_create(checked.device.runtime, &problem, &plan);
  }
  snprintf(name, sizeof name, "%s%s%s%s", info->name, finish ? "+" : "", finish ? finish : "", what);
  if (err)
    oracle_fail(name, clred_last_error(checked.device.runtime));
  // The first call of a scan by look-back also clears the board.
  if (info->scans)
    check_nothing(plan);
  const struct compared before = compared;
  for (size_t i = 0; i < COUNTS; i++)
    check_call(name, plan, counts[i], info->scans);
  printf("%-36s %6zu compared, %5zu not stated, %zu wrong\n", name, compared.numbers - before.numbers,
         compared.not_stated - before.not_stated, compared.failed - before.failed);
  checked.plans++;
  clred_plan_release(plan);
}

static void check_strategy(const clred_strategy_info *info) {
  const clred_problem usual = {.custom = NULL}, in_registers = {.stage = CLRED_STAGE_REGISTERS};
  const clred_problem inclusive = {SCAN(INCLUSIVE)}, exclusive = {SCAN(EXCLUSIVE)};
  if (info->scans) {
    check_plan(info, NULL, inclusive, " inclusive");
    // In an exclusive scan the first work-item of scan_blelloch_recursive leaves out a turn of a loop, so counting.cpp
    // would take its later stores for earlier ones. The upper levels of its inclusive scan are exclusive, and they are
    // counted.
    if (strcmp(info->name, "scan_blelloch_recursive") != 0)
      check_plan(info, NULL, exclusive, " exclusive");
    return;
  }
  for (size_t f = 0; f < finish_count(info); f++)
    check_plan(info, info->finishes[f], usual, "");
  if (strcmp(info->name, "local_coarsened") == 0)
    check_plan(info, "relaunch", in_registers, " in registers");
}

static cl_mem make_buffer(void) {
  static const cl_uint zeros[MOST];
  cl_int err;
  cl_mem buffer =
    clCreateBuffer(checked.device.context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof zeros, (void *)zeros, &err);
  if (err)
    oracle_fail("clCreateBuffer", clred_status_name(err));
  return buffer;
}

// Opens Oclgrind's device as if it had these facts.
static void open_device(const char *facts) {
  const char *trouble = device_open_assuming(&checked.device, facts);
  if (trouble)
    oracle_fail(facts, trouble);
  checked.in = make_buffer();
  checked.out = make_buffer();
}

static void close_device(void) {
  RELEASE(checked.in, checked.out);
  device_close(&checked.device);
}

static bool is_checked(const clred_strategy_info *info) {
  return !info->counts && info->layouts & 1u << CLRED_LAYOUT_LINE &&
         (!checked.only || strcmp(checked.only, info->name) == 0);
}

int main(int argc, char **argv) {
  const struct option options[] = {
    OPTION("--only", "the plans of this strategy", .text = &checked.only),
  };
  clred_strategy_info info;
  if (!OPTIONS_READ("counts", options, argc, argv))
    return 2;
  open_device(FACTS);
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    if (is_checked(&info))
      check_strategy(&info);
  close_device();
  printf("%zu plans: %zu numbers compared, %zu not stated, %zu wrong\n", checked.plans, compared.numbers,
         compared.not_stated, compared.failed);
  return compared.failed || !checked.plans || compared.not_stated > NOT_STATED_MAX ? 1 : 0;
}
