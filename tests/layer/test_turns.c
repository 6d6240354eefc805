// Turns of loops, counted by a layer (weak_source.c): no work-item of any launch takes more than the bound that plans
// go by where a device ends loops, and calls that plans take there stay below what the device bears.

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "planning/strategy.h"
#include "support/device.h"

#define BEARS 65535
#define ASSUMED "loop_trips=65535"

static unsigned (*most_turns)(void);
static size_t tried, failed, refused;

static const struct trial {
  const char *assume;
  clred_problem problem;
} trials[] = {
  {ASSUMED, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "chunked"}},
  {ASSUMED, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ARGMIN, .strategy = "chunked", .finish = "last_group"}},
  {ASSUMED, {.type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 4), .op = CLRED_OP_ADD, .strategy = "chunked"}},
  {ASSUMED ",cpu=0,device_fence=0",
   {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_VAR, .strategy = "wide", .finish = "last_group"}},
  {ASSUMED ",cpu=0,max_work_group_size=1", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "wide"}},
  {ASSUMED ",cpu=0,max_work_group_size=1,device_fence=0",
   {.type = CLRED_TYPE_INT, .op = CLRED_OP_ADD, .strategy = "wide"}},
  {ASSUMED ",cpu=0", {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ARGMAX, .strategy = "wide", .finish = "last_group"}},
  {ASSUMED ",cpu=0,local_mem_size=1024", {.type = CLRED_TYPE_DOUBLE, .op = CLRED_OP_ADD, .strategy = "wide"}},
  {ASSUMED,
   {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "scan_reduce_then_scan", .scan = CLRED_SCAN_INCLUSIVE}},
  {ASSUMED ",cpu=0",
   {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "scan_reduce_then_scan", .scan = CLRED_SCAN_INCLUSIVE}},
  {ASSUMED, PROBLEM(.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "scan_blelloch",
                    .scan = CLRED_SCAN_INCLUSIVE, .group_size = 2)},
  {ASSUMED, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "device_serial"}},
  {ASSUMED, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "bottom_up_mono", .count_max = 30011}},
  {ASSUMED, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "local_coarsened", .count_max = 300007}},
  {ASSUMED, {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "persistent", .finish = "last_group"}},
  {ASSUMED,
   {.type = CLRED_TYPE_UINT, .op = CLRED_OP_ADD, .strategy = "hand_off", .finish = "atomic", .count_max = 300007}},
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
  const bool right = err ? err == CLRED_COUNT_ABOVE_MAXIMUM && bound > BEARS
                         : turns <= bound && turns <= BEARS && (turns > 0 || count == 1);
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
  const char *path = getenv("OPENCL_LAYERS");
  struct device device;
  const char *trouble = device_open(&device);  // which loads the layer
  void *layer = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
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
