// Counts the turns of loops by a layer (weak_layer.c), for devices that end loops. No work-item may take more turns
// than the plan's bound, and every call that a plan accepts must stay below the device's limit.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "planning/strategy.h"
#include "support/device.h"

#define LIMIT 65535
#define ASSUMED "loop_trips=65535"

static unsigned (*most_turns)(void);
static size_t tried, failed, refused;

static const struct trial {
  const char *assume;
  clred_problem problem;
} trials[] = {
  {ASSUMED, {OP(SUM, FLOAT), .strategy = "chunked"}},
  {ASSUMED, {OP(ARGMIN, FLOAT), .strategy = "chunked", .finish = "last_group"}},
  {ASSUMED, {.type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 4), .op = CLRED_OP_SUM, .strategy = "chunked"}},
  {ASSUMED ",cpu=0,device_fence=0", {OP(VAR, FLOAT), .strategy = "wide", .finish = "last_group"}},
  {ASSUMED ",cpu=0,max_work_group_size=1", {OP(SUM, FLOAT), .strategy = "wide"}},
  {ASSUMED ",cpu=0,max_work_group_size=1,device_fence=0", {OP(SUM, INT), .strategy = "wide"}},
  {ASSUMED ",cpu=0", {OP(ARGMAX, FLOAT), .strategy = "wide", .finish = "last_group"}},
  {ASSUMED ",cpu=0,local_mem_size=1024", {OP(SUM, DOUBLE), .strategy = "wide"}},
  {ASSUMED, {OP(SUM, FLOAT), .strategy = "scan_reduce_then_scan", SCAN(INCLUSIVE)}},
  {ASSUMED ",cpu=0", {OP(SUM, FLOAT), .strategy = "scan_reduce_then_scan", SCAN(INCLUSIVE)}},
  {ASSUMED, PROBLEM(OP(SUM, FLOAT), .strategy = "scan_blelloch", SCAN(INCLUSIVE), .group_size = 2)},
  {ASSUMED, {OP(SUM, FLOAT), .strategy = "device_serial"}},
  {ASSUMED, {OP(SUM, FLOAT), .strategy = "bottom_up_mono", .count_max = 30011}},
  {ASSUMED, {OP(SUM, FLOAT), .strategy = "local_coarsened", .count_max = 300007}},
  {ASSUMED, {OP(SUM, FLOAT), .strategy = "persistent", .finish = "last_group"}},
  {ASSUMED, {OP(SUM, FLOAT), .strategy = "persistent_interleaved", .finish = "last_group"}},
  {ASSUMED, {OP(SUM, UINT), .strategy = "hand_off", .finish = "atomic", .count_max = 300007}},
};

// The largest bound of the call's launches.
static cl_ulong bound_of(const clred_plan *plan, cl_ulong count) {
  const struct clr_extent extent = clr_extent_line(count);
  struct clr_pass pass;
  cl_ulong most = 0;
  for (unsigned i = 0; clr_strategy_pass(&plan->shape, &extent, i, &pass); i++) {
    if (pass.kind != CLR_PASS_LAUNCH)
      continue;
    const cl_ulong trips = clr_trips(&plan->shape, &extent, &pass);
    most = trips > most ? trips : most;
  }
  return most;
}

static void try_count(struct device *device, clred_plan *plan, const clred_problem *problem, cl_mem buffer,
                      cl_ulong count) {
  most_turns();
  const clred_call call = {.in = buffer, .out = buffer, .out_offset = ((cl_ulong)1 << 20), .count = count};
  const cl_int err = clred_enqueue(device->queue, plan, &call, 0, NULL, NULL);
  clFinish(device->queue);
  const unsigned turns = most_turns();
  const cl_ulong bound = bound_of(plan, count);
  tried++;
  refused += err == CLRED_COUNT_ABOVE_MAXIMUM;
  const bool right = err ? err == CLRED_COUNT_ABOVE_MAXIMUM && bound > LIMIT
                         : turns <= bound && turns <= LIMIT && (turns > 0 || count == 1);
  failed += !right;
  if (!right || getenv("VERBOSE"))
    printf("%s %s type %d op %d n %llu: %s, %u turns, bound %llu\n", right ? "right" : "FAILED", problem->strategy,
           problem->type, problem->op, (unsigned long long)count, clred_status_name(err), turns,
           (unsigned long long)bound);
}

static void try_one(const struct trial *trial) {
  static const cl_ulong counts[] = {1, 1000, 15000, 16384, 300007, 1000003};
  struct device device;
  clred_plan *plan = NULL;
  cl_int err;
  const char *trouble = device_open_assuming(&device, trial->assume);
  if (trouble || clred_plan_create(device.runtime, &trial->problem, &plan)) {
    failed++;
    printf("FAILED %s: %s\n", trial->problem.strategy, trouble ? trouble : clred_last_error(device.runtime));
    device_close(&device);
    return;
  }
  cl_mem buffer = clCreateBuffer(device.context, CL_MEM_READ_WRITE, (size_t)256 << 20, NULL, &err);
  for (size_t i = 0; i < sizeof counts / sizeof *counts && !err; i++)
    if (!trial->problem.count_max || counts[i] <= trial->problem.count_max)
      try_count(&device, plan, &trial->problem, buffer, counts[i]);
  failed += err != CL_SUCCESS;
  clReleaseMemObject(buffer);
  clred_plan_release(plan);
  device_close(&device);
}

int main(void) {
  struct device device;
  const char *trouble = device_open(&device);  // this loads the layer
  void *layer = dlopen(WEAK_LAYER, RTLD_NOW | RTLD_NOLOAD);
  void *symbol = layer ? dlsym(layer, "weak_loops_most") : NULL;
  device_close(&device);
  if (trouble || !symbol) {
    fprintf(stderr, "turns: %s\n", trouble ? trouble : "the layer is not there: OPENCL_LAYERS should name it");
    return 2;
  }
  memcpy(&most_turns, &symbol, sizeof symbol);
  for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
    try_one(&trials[i]);
  printf("%zu calls, %zu of them refused; %zu failed\n", tried, refused, failed);
  return failed || refused == 0 ? 1 : 0;
}
