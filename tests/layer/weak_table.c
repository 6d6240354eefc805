// The rows of weak and wrong devices.

#include "weak_device.h"

#include <stdlib.h>
#include <string.h>

#define KIB (cl_ulong)1024
#define MIB (1024 * KIB)
#define ROW(...) \
  { __VA_ARGS__ }

static const struct weak_device devices[] = {
  // Weak devices: they do what they report.
  {.name = "groups_of_1", .group = 1},
  {.name = "groups_of_48", .group = 48},
  {.name = "groups_of_64", .group = 64},
  {.name = "gpu_groups_of_1", .group = 1, .type = CL_DEVICE_TYPE_GPU},
  {.name = "gpu_groups_of_64", .group = 64, .type = CL_DEVICE_TYPE_GPU},
  {.name = "gpu_groups_of_100", .group = 100, .type = CL_DEVICE_TYPE_GPU},
  {.name = "gpu", .type = CL_DEVICE_TYPE_GPU, .multiple = 32, .traits = LACKS_SHARED_MEMORY},
  {.name = "gpu_small_memory", .type = CL_DEVICE_TYPE_GPU, .local = 16 * KIB, .alloc = 16 * MIB, .memory = 64 * MIB},
  {.name = "local_of_1024", .local = KIB, .type = CL_DEVICE_TYPE_GPU},
  {.name = "local_of_none", .local = 64, .traits = LACKS_LOCAL, .type = CL_DEVICE_TYPE_GPU},
  {.name = "kernel_groups_of_32", .kernel_group = 32, .type = CL_DEVICE_TYPE_GPU},
  {.name = "sub_groups_of_64", .multiple = 64, .group = 256, .type = CL_DEVICE_TYPE_GPU},
  {.name = "lanes_of_8", .multiple = 8, .group = 1024, .sub_groups = 128, .vector = 1, .type = CL_DEVICE_TYPE_CPU},
  {.name = "rows_of_8", .multiple = 8, .group = 512, .sub_groups = 128, .vector = 1, .type = CL_DEVICE_TYPE_CPU},
  {.name = "no_double", .traits = LACKS_DOUBLE},
  {.name = "no_long_atomics", .traits = LACKS_LONG_ATOMICS, .type = CL_DEVICE_TYPE_GPU},
  {.name = "opencl_12", .version = "1.2"},
  {.name = "gpu_opencl_12", .version = "1.2", .type = CL_DEVICE_TYPE_GPU, .traits = LACKS_LONG_ATOMICS | LACKS_DOUBLE},
  {.name = "opencl_11", .version = "1.1"},
  {.name = "alloc_of_65536", .alloc = 64 * KIB},
  {.name = "in_order_only", .traits = LACKS_DISORDER},
  {.name = "no_profiling", .traits = LACKS_PROFILING},
  {.name = "units_of_256", .units = 256},
  {.name = "units_of_1", .units = 1},
  {.name = "small_constants", .constant = KIB, .parameter = 256},
  ROW(.name = "embedded", .group = 16, .local = KIB, .alloc = MIB, .memory = 4 * MIB, .units = 1, .multiple = 1,
      .version = "1.2", .parameter = 256, .traits = LACKS_DOUBLE | LACKS_LONG_ATOMICS | LACKS_DISORDER | LACKS_LOCAL),
  // Wrong devices: they report more than they can do.
  {.name = "lies_group", .held_group = 64},
  {.name = "lies_group_silently", .held_group = 64, .traits = LIES_IN_LAUNCHES},
  {.name = "lies_local", .held_local = 16 * KIB},
  {.name = "lies_alloc", .held_alloc = 64 * MIB},
  {.name = "lies_atomics", .traits = LIES_IN_ATOMICS},
  {.name = "lies_long_atomics", .traits = LIES_IN_LONG_ATOMICS},
  {.name = "lies_local_atomics", .traits = LIES_IN_LOCAL_ATOMICS},
  {.name = "lies_fills", .traits = LIES_IN_FILLS},
  {.name = "lies_copies", .traits = LIES_IN_COPIES},
  {.name = "lies_loops", .traits = LIES_IN_LOOPS},
  {.name = "lies_shorts", .traits = LIES_IN_SHORTS},
  {.name = "lies_doubles", .traits = LIES_IN_DOUBLES},
  {.name = "lies_nans", .traits = LIES_IN_NANS},
  {.name = "lies_denormals", .traits = LIES_IN_DENORMALS},
  {.name = "lies_host_memory", .traits = LIES_IN_HOST_MEMORY},
  {.name = "lies_chunked", .traits = LIES_IN_CHUNKED},
  {.name = "lies_offsets", .traits = LIES_IN_OFFSETS},
  {.name = "exits_in_builds", .traits = EXITS_IN_BUILDS},
  {.name = "exits_in_launches", .traits = EXITS_IN_LAUNCHES},
  {.name = "crashes_in_chunked", .traits = CRASHES_IN_CHUNKED},
  {.name = "hangs_in_chunked", .traits = HANGS_IN_CHUNKED},
  {.name = "breaks_in_chunked", .traits = BREAKS_IN_CHUNKED},
  {.name = "slow_at_first", .traits = SLOW_AT_FIRST},
  // This device has no weakness; the layer counts the turns of its loops.
  {.name = "counts_loops", .traits = COUNTS_LOOPS},
};

const struct weak_device *weak_device(void) {
  static const struct weak_device plain;
  const char *name = getenv("WEAK_DEVICE");
  for (size_t i = 0; name && i < sizeof devices / sizeof *devices; i++)
    if (strcmp(devices[i].name, name) == 0)
      return &devices[i];
  return &plain;
}
