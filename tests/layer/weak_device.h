// An OpenCL layer (OPENCL_LAYERS) that makes the device weaker or wrong: it reports less than the device has, holds
// less than it reports, or changes programs. WEAK_DEVICE names a row of weak_table.c.
#pragma once

#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <stdbool.h>
#include <stddef.h>

// What a device lacks, or does wrong without an error, or how it ends the process.
enum weak_trait {
  LACKS_DOUBLE = 1 << 0,
  LACKS_LONG_ATOMICS = 1 << 1,
  LACKS_DISORDER = 1 << 2,  // queues are in-order only
  LACKS_PROFILING = 1 << 3,
  LACKS_SHARED_MEMORY = 1 << 4,
  LACKS_LOCAL = 1 << 5,      // local memory is global memory
  LIES_IN_ATOMICS = 1 << 6,  // loses counts in global memory
  LIES_IN_LONG_ATOMICS = 1 << 7,
  LIES_IN_LOCAL_ATOMICS = 1 << 8,
  LIES_IN_FILLS = 1 << 9,  // fills do nothing
  LIES_IN_COPIES = 1 << 10,
  LIES_IN_LOOPS = 1 << 11,        // loops end after 65535 turns, counted over all loops of a work-item
  LIES_IN_SHORTS = 1 << 12,       // shorts have no sign
  LIES_IN_DOUBLES = 1 << 13,      // doubles are floats
  LIES_IN_NANS = 1 << 14,         // NaNs are taken for numbers
  LIES_IN_DENORMALS = 1 << 15,    // denormals are 0
  LIES_IN_HOST_MEMORY = 1 << 16,  // buffers in host memory are copies
  LIES_IN_OFFSETS = 1 << 17,      // offsets of writes are ignored
  LIES_IN_LAUNCHES = 1 << 18,     // launches of groups that are too large do nothing and report no error
  COUNTS_LOOPS = 1 << 19,         // counts the turns of loops and does not end them
  LIES_IN_CHUNKED = 1 << 20,      // kernels of one work-item skip every second tile
  EXITS_IN_BUILDS = 1 << 21,      // ends the process, with words on standard error, as LLVM does on a full disk
  EXITS_IN_LAUNCHES = 1 << 22,
  CRASHES_IN_CHUNKED = 1 << 24,  // launching the kernel of one strategy ends the process by a signal
  HANGS_IN_CHUNKED = 1 << 25,    // launching it never returns
  BREAKS_IN_CHUNKED = 1 << 26,   // launching it fails, and so do all launches of the process from then on
  SLOW_AT_FIRST = 1 << 23,       // the first launch of each kernel takes 1000 seconds more, by the device's clock
};

// A field of 0 leaves the value of the device.
struct weak_device {
  const char *name;
  unsigned traits;
  size_t group, kernel_group;     // work-items, as reported
  cl_ulong local, alloc, memory;  // bytes, as reported
  cl_uint units, multiple, sub_groups;
  cl_uint vector;       // floats
  const char *version;  // "1.2"
  cl_device_type type;
  size_t constant, parameter;  // bytes
  size_t held_group;           // the real limits of a device that reports more
  cl_ulong held_local, held_alloc;
};

// The row that WEAK_DEVICE names; without one, a row of zeros, which changes nothing.
const struct weak_device *weak_device(void);

// The driver's functions.
extern const struct _cl_icd_dispatch *weak_driver;

// --- weak_info.c: what the device reports ---
cl_int CL_API_CALL weak_device_info(cl_device_id id, cl_device_info what, size_t size, void *value, size_t *taken);
cl_int CL_API_CALL weak_kernel_info(cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info what, size_t size,
                                    void *value, size_t *taken);
cl_int CL_API_CALL weak_platform_info(cl_platform_id id, cl_platform_info what, size_t size, void *value,
                                      size_t *taken);

// --- weak_source.c: changed programs ---
// The text with the changes for what the device lacks or does wrong. The caller frees it.
char *weak_source(const char *text);

// weak_loops_most returns the most turns of any work-item in the last launch, and starts a new count.
void weak_loops_begin(void);
unsigned weak_loops_most(void);
