// counts: compares the analysis of plans (clred_plan_step, clred_plan_analysis) with what kernels do. It runs under
// Oclgrind. The plugin counting.cpp counts accesses, barriers and operations. Numbers that the analysis does not state
// are not compared. The test fails if one is missing that compare.c does not name, or if they become more than
// NOT_STATED_MOST.
//   counts [--only STRATEGY]

#include <clreduce_device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "counts/compare.h"
#include "counts/counting.h"
#include "counts/tally.h"
#include "grid/options.h"
#include "oracle/tree.h"
#include "support/device.h"

#define SUB_GROUP 32
#define GROUP_SIZE 128
#define LINE 128
#define MOST 8000
#define NOT_STATED_MOST 330
#define FACTS(cpu, units, local) \
  "cpu=" cpu ",compute_units=" units ",local_mem_size=" local ",preferred_multiple=32,line_bytes=128"
// So little local memory that persistent fills it several times.
#define SMALL FACTS("0", "4", "4096")
#define LARGE FACTS("0", "4", "32768")
#define SINGLE FACTS("0", "1", "32768")
#define MANY FACTS("0", "16", "4096")
#define CPU FACTS("1", "1", "32768")

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
  compared.unmarked = problem.type != 0;
  if (!problem.custom && !problem.type)
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
    // In an exclusive scan its first work-item leaves out a turn of a loop, so counting.cpp would take its later stores
    // for earlier ones. Its inclusive scan has exclusive levels, which are counted.
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

// Plans that the usual facts and numbers do not give.
#define VARIANT(strategy, what, facts, ...) \
  { strategy, " " what, {__VA_ARGS__}, facts }

static const struct variant {
  const char *strategy, *what;
  clred_problem problem;
  const char *facts;
} variants[] = {
  VARIANT("scan_reduce_then_scan", "inclusive, through local memory", LARGE, SCAN(INCLUSIVE)),
  VARIANT("scan_reduce_then_scan", "exclusive, in long strips", SINGLE, SCAN(EXCLUSIVE), .group_size = 32),
  VARIANT("scan_reduce_then_scan", "inclusive, in runs of tiles", MANY, SCAN(INCLUSIVE), .group_size = 8, .groups = 16),
  VARIANT("scan_look_back", "exclusive, through local memory", LARGE, SCAN(EXCLUSIVE)),
  VARIANT("scan_look_back", "inclusive, of small groups", MANY, SCAN(INCLUSIVE), .group_size = 8),
  VARIANT("scan_look_back", "inclusive, in several launches", MANY, SCAN(INCLUSIVE), .group_size = 8, .groups = 32),
  VARIANT("wide", "in vectors", SMALL, .custom = &tally_of_vectors, .finish = "host"),
  VARIANT("wide", "of small groups", SMALL, .group_size = 8, .finish = "last_group"),
  VARIANT("wide", "in vectors, of small groups", LARGE, .custom = &tally_of_vectors, .group_size = 8, .groups = 4,
          .finish = "relaunch"),
  VARIANT("wide", "of the greatest float", SMALL, OP(MAX, FLOAT), .finish = "host"),
  VARIANT("wide", "of the greatest float, of small groups", LARGE, OP(MAX, FLOAT), .group_size = 8, .groups = 4,
          .finish = "last_group"),
  VARIANT("wide", "with polling", SMALL ",groups_go_on=1", .group_size = 16, .finish = "last_group"),
  VARIANT("chunked", "in vectors", CPU, .custom = &tally_of_vectors, .finish = "last_group"),
  VARIANT("scan_chunked", "inclusive, in vectors", CPU, SCAN(INCLUSIVE), .custom = &tally_of_vectors),
  VARIANT("scan_chunked", "exclusive, in vectors", CPU, SCAN(EXCLUSIVE), .custom = &tally_of_vectors),
  VARIANT("scan_chunked", "inclusive, in several launches", MANY, SCAN(INCLUSIVE), .groups = 32),
};

static void check_variants(void) {
  clred_strategy_info info;
  for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
    for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
      if (is_checked(&info) && strcmp(info.name, variants[v].strategy) == 0) {
        open_device(variants[v].facts);
        check_plan(&info, variants[v].problem.finish, variants[v].problem, variants[v].what);
        close_device();
      }
}

int main(int argc, char **argv) {
  const struct option options[] = {
    OPTION("--only", "the plans of this strategy", .text = &checked.only),
  };
  clred_strategy_info info;
  if (!OPTIONS_READ("counts", options, argc, argv))
    return 2;
  open_device(SMALL);
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    if (is_checked(&info))
      check_strategy(&info);
  close_device();
  check_variants();
  printf("%zu plans: %zu numbers compared, %zu not stated, %zu wrong\n", checked.plans, compared.numbers,
         compared.not_stated, compared.failed);
  return compared.failed || !checked.plans || compared.not_stated > NOT_STATED_MOST ? 1 : 0;
}
