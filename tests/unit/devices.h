// Simulated devices: lists of the facts that a driver would report, before clr_facts_make_sane.
#pragma once

#include "model/facts.h"

struct device {
  const char *name;
  struct clr_facts facts;
  cl_ulong group_size;   // expected for local_sequential over floats; 0: it cannot run
  cl_ulong fixed_group;  // expected for auto over floats
};

// Initializers from named fields.
#define FACTS(...) \
  { __VA_ARGS__ }
#define OPERATOR(...) \
  { __VA_ARGS__ }

#define GIB ((cl_ulong)1 << 30)
#define KIB ((cl_ulong)1 << 10)

// Facts that are not queried from the driver: everything works unless the selftest finds an error.
#define NOTHING_FOUND .atomics = 1, .local_atomics = 1, .fills = 1, .types = CLR_ALL_TYPES

// A GPU of today. The other GPUs vary it.
#define GPU_48K \
  .compute_units = 132, .max_work_group_size = 1024, .max_work_item_size = 1024, .preferred_multiple = 32, \
  .local_mem_size = 48 * KIB, .local_mem_dedicated = 1, .global_mem_size = 140 * GIB, .max_alloc = 35 * GIB, \
  .fp64 = 1, .int64_atomics = 1, .device_fence = 2, .ptx_target = 90, .shared_cache = 50 * 1024 * KIB, \
  .forward_progress = 1, .opencl_version = 300, NOTHING_FOUND

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverride-init"
static const struct device devices[] = {
  {"GPU with 48 KiB of local memory", {GPU_48K}, 256, 256},
  {"GPU with 16 KiB of local memory", {GPU_48K, .local_mem_size = 16 * KIB, .device_fence = 0}, 256, 256},
  {"GPU with 1 KiB of local memory", {GPU_48K, .local_mem_size = KIB}, 128, 128},
  {"work-groups of at most 64", {GPU_48K, .max_work_group_size = 64, .max_work_item_size = 64}, 64, 64},
  {"work-groups of 1", {GPU_48K, .max_work_group_size = 1, .max_work_item_size = 1}, 1, 1},
  {"local memory is global memory", {GPU_48K, .local_mem_dedicated = 0, .local_mem_size = 32 * KIB}, 256, 256},
  {"no local memory at all", {GPU_48K, .local_mem_size = 0}, 0, 1},
  {"1 compute unit", {GPU_48K, .compute_units = 1}, 256, 256},
  {"256 compute units", {GPU_48K, .compute_units = 256}, 256, 256},
  {"a limit that is no power of two", {GPU_48K, .max_work_group_size = 100, .max_work_item_size = 100}, 64, 64},
  {"kernel limit below the device's", {GPU_48K, .kernel_work_group_size = 96}, 64, 64},
  {"item limit below the group's", {GPU_48K, .max_work_item_size = 128}, 128, 128},
  {"sub-groups of 64, no double", {GPU_48K, .preferred_multiple = 64, .fp64 = 0, .int64_atomics = 0}, 256, 256},
  {"CPU of 2 units",
   FACTS(.cpu = 1, .compute_units = 2, .max_work_group_size = 4096, .max_work_item_size = 4096, .preferred_multiple = 8,
         .local_mem_size = 2048 * KIB, .global_mem_size = 4 * GIB, .max_alloc = GIB, .unified_memory = 1, .fp64 = 1,
         .int64_atomics = 1, .device_fence = 1, .opencl_version = 300, NOTHING_FOUND),
   64, 1},
  {"CPU of 128 units",
   FACTS(.cpu = 1, .compute_units = 128, .max_work_group_size = 8192, .max_work_item_size = 8192,
         .preferred_multiple = 1, .local_mem_size = 32 * KIB, .global_mem_size = 512 * GIB, .max_alloc = 128 * GIB,
         .fp64 = 1, .opencl_version = 120, NOTHING_FOUND),
   64, 1},
  {"all zeros", {.opencl_version = 120, NOTHING_FOUND}, 0, 1},
  {"all ones",
   FACTS(.cpu = ~0ull, .compute_units = ~0ull, .max_work_group_size = ~0ull, .kernel_work_group_size = ~0ull,
         .max_work_item_size = ~0ull, .preferred_multiple = ~0ull, .local_mem_size = ~0ull,
         .local_mem_dedicated = ~0ull, .global_mem_size = ~0ull, .max_alloc = ~0ull, .unified_memory = ~0ull,
         .fp64 = ~0ull, .int64_atomics = ~0ull, .device_fence = 0, .opencl_version = ~0ull, NOTHING_FOUND),
   256, 1},
};
#pragma GCC diagnostic pop
#define DEVICES (sizeof devices / sizeof *devices)
