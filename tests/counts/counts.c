// counts: compares the analysis of plans (clred_plan_step, clred_plan_analysis) with what kernels do. It runs under
// Oclgrind. The plugin counting.cpp counts accesses, barriers and operations. Numbers that the analysis does not state
// are not compared. The test fails if one is missing that compare.c does not name, or if they become more than
// NOT_STATED_MAX.
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
