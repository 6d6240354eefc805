// Compares the analysis of a call with what was counted: see compare.h.
#include "counts/compare.h"

#include <clreduce_device.h>
#include <stdio.h>
#include <string.h>

#include "counts/counting.h"
#include "counts/tally.h"
#include "oracle/tree.h"

struct compared compared;

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

void compare_call(const char *call, const clred_plan *plan, cl_ulong count, const cl_uint *results, bool scans) {
  const struct counted_launch *counted;
  compare_tree(call, plan, count, results, scans);
  for (size_t i = 0; has_steps(plan, count) && (counted = counting_launch(i)) != NULL; i++) {
    const struct launch stated = launch_of(plan, count, i);
    compare_launch(call, &stated, counted, i);
  }
}
