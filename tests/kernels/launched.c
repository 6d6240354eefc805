// Counts launches by strategy and kernel: see launched.h.

#include "launched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/tree.h"
#include "prototypes.h"
#include "source/source.h"
#include "strategies/strategies.h"

#define LAUNCHED_MAX 256
#define NAME_MAX 96

static struct {
  const char *strategy;
  char kernel[NAME_MAX];
  unsigned long times;
} launched[LAUNCHED_MAX];

static const char *strategy_now = "";

void launched_for(const char *strategy) {
  strategy_now = strategy;
}

static size_t place_of(const char *strategy, const char *kernel) {
  size_t i = 0;
  while (i < LAUNCHED_MAX && launched[i].times &&
         (strcmp(launched[i].strategy, strategy) != 0 || strcmp(launched[i].kernel, kernel) != 0))
    i++;
  if (i == LAUNCHED_MAX)
    oracle_fail("too many", "kernels");
  return i;
}

// ---------------------------------------------------------------- Between the library and OpenCL

cl_int __real_clEnqueueNDRangeKernel PARAMETERS_clEnqueueNDRangeKernel;
cl_int __wrap_clEnqueueNDRangeKernel PARAMETERS_clEnqueueNDRangeKernel;

cl_int __wrap_clEnqueueNDRangeKernel PARAMETERS_clEnqueueNDRangeKernel {
  char name[NAME_MAX] = "";
  const cl_int err = __real_clEnqueueNDRangeKernel ARGUMENTS_clEnqueueNDRangeKernel;
  if (err || clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL))
    return err;
  const size_t place = place_of(strategy_now, name);
  launched[place].strategy = strategy_now;
  strcpy(launched[place].kernel, name);
  launched[place].times++;
  return err;
}

// Oclgrind 21.10 reports memory as unwritten unless the host wrote it, even after kernels wrote it. So buffers begin
// with a pattern of NaNs and huge offsets: reads of unwritten memory give wrong results.
cl_mem __real_clCreateBuffer PARAMETERS_clCreateBuffer;
cl_mem __wrap_clCreateBuffer PARAMETERS_clCreateBuffer;

cl_mem __wrap_clCreateBuffer PARAMETERS_clCreateBuffer {
  if (host_ptr || flags & CL_MEM_ALLOC_HOST_PTR)
    return __real_clCreateBuffer ARGUMENTS_clCreateBuffer;
  void *pattern = oracle_claim(size, 1);
  memset(pattern, 0xff, size);
  cl_mem made = __real_clCreateBuffer(context, flags | CL_MEM_COPY_HOST_PTR, size, pattern, errcode_ret);
  free(pattern);
  return made;
}

// ---------------------------------------------------------------- The list of kernels

// Kernels that a program has but that its strategy never launches: strategies without atomics need no BEGIN, those with
// one launch no STATES, and counters in rows no CLEAR.
static int is_spare(const struct clr_strategy *strategy, enum clr_kernel kernel) {
  static const char *const one_launch[] = {"device_serial", "bottom_up_mono", "top_down_mono", "atomic"};
  if (kernel == CLR_KERNEL_BEGIN)
    return !(strategy->reduce.finishes & CLR_FINISH_BIT(CLR_FINISH_ATOMIC));
  for (size_t i = 0; i < sizeof one_launch / sizeof *one_launch; i++)
    if (kernel == CLR_KERNEL_STATES && strcmp(strategy->name, one_launch[i]) == 0)
      return 1;
  return kernel == CLR_KERNEL_CLEAR && strcmp(strategy->name, "histogram_chunked") == 0;
}

static size_t show(const char *strategy, const char *kernel, int is_spare) {
  const unsigned long times = launched[place_of(strategy, kernel)].times;
  if (times || !is_spare)
    printf("kernel %s %s %lu\n", strategy, kernel, times);
  return !times && !is_spare;
}

static size_t show_strategy(const struct clr_strategy *strategy) {
  const unsigned kernels = strategy->exec == CLR_EXEC_HOST ? 0 : clr_strategy_kernels(strategy);
  size_t missing = 0;
  for (int kernel = 0; kernel < CLR_KERNELS; kernel++) {
    char name[NAME_MAX];
    if (!(kernels & CLR_KERNEL_BIT(kernel)))
      continue;
    clr_source_entry(strategy, (enum clr_kernel)kernel, name, sizeof name);
    missing += show(strategy->name, name, is_spare(strategy, (enum clr_kernel)kernel));
  }
  return missing;
}

size_t launched_show(void) {
  const struct clr_strategy *strategy;
  size_t missing = show("(probe)", "clred_probe", 0) + show("(laws)", "clred_laws", 0);
  for (size_t s = 0; (strategy = clr_strategy_at(s)) != NULL; s++)
    missing += show_strategy(strategy);
  return missing;
}
