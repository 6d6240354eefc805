// One scan on the device: see scan_run.h. Each failure is one line with all that is needed to repeat it.

#include "scan_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "oracle/tree.h"
#include "scan_case.h"

#define SHORT 1100      // shorter stretches have several calls and one of the library's reference
#define BEHIND 5        // results behind the last one, which must not change
#define START_OFFSET 2  // states before the one on the device

// ---------------------------------------------------------------- Calls

static bool fail_at(char *text, size_t size, const char *what, const char *why) {
  snprintf(text, size, "%s%s%s", what, why ? ": " : "", why ? why : "");
  return false;
}

static uint64_t reach(uint64_t count, uint64_t stride) {
  return count ? (count - 1) * stride + 1 : 0;
}

// Returns the call. Strides that are the default are given as 0, which means the default.
static clred_call call_of(const struct run *run, const struct scan_case *one, const cl_ulong *other_offset) {
  const bool strided = one->problem->layout == CLRED_LAYOUT_STRIDED;
  const bool is_default = one->out_stride == (one->stride ? one->stride : 1);
  return (clred_call)CALL(.in = run->in.mem, .in_offset = one->in_offset,
                          .inputs = run->data.others ? &run->other.mem : NULL,
                          .input_offsets = run->data.others ? other_offset : NULL, .count = one->count,
                          .stride = strided ? one->stride : 0, .out_offset = one->out_offset,
                          .out_stride = strided && !is_default ? one->out_stride : 0,
                          .initial = one->start == START_ON_HOST ? one->state : NULL);
}

// Compares the results in `out`; the bytes around them must not have changed.
static bool check_image(struct run *run, const struct scan_case *one, struct image *out, char *text, size_t size) {
  const size_t at = one->out_offset * one->size, span = reach(one->count, one->out_stride) * one->size;
  unsigned char *got = oracle_claim(span, 1);
  const char *trouble = image_check_except(out, run->device, at, span, got);
  bool same = trouble ? fail_at(text, size, trouble, NULL) : scan_case_same(one, got, one->out_stride, text, size);
  for (uint64_t i = 0; same && i + 1 < one->count; i++) {
    const size_t gap = (i * one->out_stride + 1) * one->size, length = (one->out_stride - 1) * one->size;
    if (memcmp(got + gap, out->bytes + at + gap, length) != 0)
      same = fail_at(text, size, "bytes between results were changed", NULL);
  }
  free(got);
  return same;
}

static const char *upload_start(struct run *run, const struct scan_case *one, struct image *start) {
  const char *trouble = image_create(start, run->device, (START_OFFSET + 1) * one->state_size);
  if (!trouble)
    memcpy(start->bytes + START_OFFSET * one->state_size, one->state, one->state_size);
  return trouble ? trouble : image_upload(start, run->device);
}

static bool enqueue(struct run *run, const struct scan_case *one, clred_plan *plan, cl_mem out, char *text,
                    size_t size) {
  const cl_ulong other_offset = one->in_offset + DATA_OTHER_LEAD;
  clred_call call = call_of(run, one, &other_offset);
  struct image start = {0};
  const char *trouble = one->start == START_ON_DEVICE ? upload_start(run, one, &start) : NULL;
  bool passed = !trouble || fail_at(text, size, trouble, NULL);
  call.out = out;
  call.initial_buffer = start.mem;
  call.initial_offset = start.mem ? START_OFFSET : 0;
  const cl_int err = passed ? clred_enqueue(run->device->queue, plan, &call, 0, NULL, NULL) : CL_SUCCESS;
  if (err)
    passed = fail_at(text, size, clred_status_name(err), clred_last_error(run->device->runtime));
  if (passed && start.mem && (trouble = image_check(&start, run->device)) != NULL)
    passed = fail_at(text, size, "the start was changed", trouble);
  image_release(&start);
  return passed;
}

static bool call_apart(struct run *run, const struct scan_case *one, clred_plan *plan, char *text, size_t size) {
  struct image out;
  const char *trouble =
    image_create(&out, run->device, (one->out_offset + reach(one->count, one->out_stride) + BEHIND) * one->size);
  const bool passed = trouble ? fail_at(text, size, trouble, NULL)
                              : enqueue(run, one, plan, out.mem, text, size) && check_image(run, one, &out, text, size);
  image_release(&out);
  return passed;
}

// Restores the elements for the next call.
static bool call_in_place(struct run *run, const struct scan_case *one, clred_plan *plan, char *text, size_t size) {
  const bool passed = enqueue(run, one, plan, run->in.mem, text, size) && check_image(run, one, &run->in, text, size);
  const char *trouble = image_upload(&run->in, run->device);
  return trouble ? fail_at(text, size, trouble, NULL) : passed;
}

static bool check_reference(const struct scan_case *one, clred_plan *plan, char *text, size_t size) {
  const void *inputs[] = {one->others};
  unsigned char *results = oracle_claim(one->count, one->size);
  const clred_host_call call = CALL(.in = one->elements, .inputs = inputs, .count = one->count,
                                    .initial = one->start == START_ABSENT ? NULL : one->state, .out = results);
  char why[400];
  const cl_int err = clred_plan_reference(plan, &call);
  bool same = true;
  if (err)
    same = fail_at(text, size, "clred_plan_reference", clred_status_name(err));
  else if (!scan_case_same(one, results, 1, why, sizeof why))
    same = fail_at(text, size, "clred_plan_reference", why);
  free(results);
  return same;
}

// ---------------------------------------------------------------- Which calls a stretch has

static struct scan_case case_of(struct run *run, const clred_problem *problem, const clred_plan_info *info,
                                const struct stretch *stretch) {
  static const uint64_t out_offsets[] = {1, 0, 7, 16, 3}, strides[] = {2, 1, 3, 0, 7}, out_strides[] = {0, 1, 3, 0};
  const bool can_start = oracle_takes_start(problem);
  const uint64_t call = run->calls++;
  struct scan_case one = ROW(.problem = problem, .data = &run->data, .in_offset = stretch->offset, .stride = 1,
                             .out_stride = 1, .out_offset = out_offsets[call % 5], .state_size = info->state_size,
                             .in_place = problem->in_place && call / 3 % 3 != 2);
  if (problem->layout == CLRED_LAYOUT_STRIDED) {
    one.stride = strides[call % 5 == 3 && one.in_place ? 0 : call % 5];
    one.out_stride = one.stride ? one.stride : 1;
    if (!one.in_place && out_strides[call % 4])
      one.out_stride = out_strides[call % 4];
  }
  one.count = stretch->count && one.stride ? (stretch->count - 1) / one.stride + 1 : stretch->count;
  one.start = can_start ? (enum start)(call % STARTS) : START_ABSENT;
  if (one.start == START_ON_DEVICE && info->group_size == 0)
    one.start = START_ON_HOST;
  one.out_offset = one.in_place ? one.in_offset : one.out_offset;
  return one;
}

static void show(const struct combination *named, const struct scan_case *one, const struct stretch *at,
                 const char *text) {
  static const char *const starts[] = {"no start", "start", "start buffer"};
  printf("FAILED %s count %" PRIu64 " offset %" PRIu64 " stride %" PRIu64 " out %" PRIu64 " by %" PRIu64
         ", %s, %s (%s) %.*s\n",
         named->name, one->count, one->in_offset, one->stride, one->out_offset, one->out_stride,
         one->in_place ? "in place" : "apart", starts[one->start], flavour_names[at->flavour], (int)strcspn(text, "\n"),
         text);
}

// True if the call passes; a failure is printed if `shown`.
static bool check_call(struct run *run, const struct combination *named, clred_plan *plan, const struct stretch *at,
                       bool shown) {
  char text[700] = "";
  clred_plan_info info = {0};
  oracle_tree tree;
  const char *trouble = device_tree(run->device, plan, at->count, &tree);
  clred_plan_inspect(plan, at->count, &info);
  struct scan_case one = case_of(run, &named->problem, &info, at);
  bool passed = !trouble || fail_at(text, sizeof text, "clred_plan_inspect", trouble);
  if (passed) {
    scan_case_solve(&one, &tree);
    passed =
      one.in_place ? call_in_place(run, &one, plan, text, sizeof text) : call_apart(run, &one, plan, text, sizeof text);
    if (passed && one.count <= SHORT)
      passed = check_reference(&one, plan, text, sizeof text);
    scan_case_release(&one);
  }
  if (!passed && shown)
    show(named, &one, at, text);
  return passed;
}

// The oracle computes each prefix of these as a reduction.
static bool is_slow(const clred_problem *problem) {
  return problem->op == CLRED_OP_STATS || problem->overflow == CLRED_OVERFLOW_DETECT ||
         (problem->op == CLRED_OP_MEAN && !oracle_is_floating(problem->type));
}

static unsigned check_stretches(struct run *run, const struct combination *one, clred_plan *plan) {
  const uint64_t most = is_slow(&one->problem) ? SHORT : UINT64_MAX;
  unsigned failures = 0;
  for (size_t i = 0; i < run->data.stretch_count; i++) {
    const struct stretch *at = &run->data.stretches[i];
    for (int call = 0; at->count <= most && call < (at->flavour == PLAIN && at->count <= SHORT ? 3 : 1); call++)
      failures += !check_call(run, one, plan, at, failures < RUN_LINES_MAX);
  }
  return failures;
}

static bool may_refuse(const struct run *run, const clred_problem *problem, cl_int err, const char *message) {
  // If loops end early, groups must not wait for each other.
  if (err == CLRED_STRATEGY_REFUSED && strstr(message, "loop_trips"))
    return true;
  if (err == CLRED_STRATEGY_REFUSED && problem->in_place && !device_fact(run->device, "device_fence", 1))
    return strstr(message, "device_fence") != NULL;
  if (err == CLRED_STRATEGY_REFUSED)
    return strstr(message, "local_mem_size") || strstr(message, "group_size");
  return expect_refusal(run->device, problem, err) && *message;
}

const struct run_kind run_scans = {may_refuse, check_stretches, .own_data = false};
