// Probes of limits that drivers report: group sizes, local memory, buffer sizes, iterations of loops.
#include <string.h>

#include "base/arithmetic.h"
#include "runtime/loop_limit.h"
#include "selftest/probe.h"

static cl_kernel kernel_in(struct clr_prober *prober, const char *file, const char *name) {
  cl_kernel kernel = clr_probe_kernel(prober, "", file, false, name);
  if (prober->err)
    clr_probe_say(prober, CLRED_WRONG, "%s cannot be built: %s", name, clr_status_name(prober->err));
  return kernel;
}

static cl_kernel kernel_of(struct clr_prober *prober, const char *name) {
  return kernel_in(prober, "probes/limits.cl", name);
}

// ---------------------------------------------------------------- Work-groups

#define GROUPS 3

static const char *run_groups(struct clr_prober *prober, cl_kernel kernel, size_t size, cl_mem places, cl_mem sums) {
  cl_uint got[GROUPS] = {0};
  const struct clr_argument arguments[] = {CLR_ARGUMENT(places), CLR_ARGUMENT(sums)};
  clr_probe_write(prober, sums, 0, sizeof got, got);
  clr_probe_launch(prober, kernel, GROUPS, size, arguments, 2);
  clr_probe_read(prober, sums, 0, sizeof got, got);
  const char *trouble = clr_probe_trouble(prober);
  for (size_t i = 0; i < GROUPS && !trouble; i++)
    trouble = got[i] == (cl_uint)(3 * size * (size + 1) / 2) ? NULL : "a wrong result";
  return trouble;
}

static size_t largest_group(const struct clr_facts *facts) {
  return (size_t)clr_pow2_floor(clr_min(facts->max_work_group_size, facts->max_work_item_size));
}

void clr_probe_groups(struct clr_prober *prober) {
  size_t most = largest_group(prober->reported), size = most, reported_by_kernel = 0;
  cl_kernel kernel = kernel_of(prober, "probe_group");
  cl_mem places = clr_probe_buffer(prober, GROUPS * most * sizeof(cl_uint), NULL);
  cl_mem sums = clr_probe_buffer(prober, GROUPS * sizeof(cl_uint), NULL);
  const char *trouble = clr_probe_trouble(prober);
  if (kernel)
    clGetKernelWorkGroupInfo(kernel, prober->programs.device, CL_KERNEL_WORK_GROUP_SIZE, sizeof reported_by_kernel,
                             &reported_by_kernel, NULL);
  if (!trouble)
    while ((trouble = run_groups(prober, kernel, size, places, sums)) != NULL && size > 1)
      size /= 2;
  if (trouble)
    clr_probe_say(prober, CLRED_WRONG, "not even a work-group of 1 runs: %s", trouble);
  else if (size < most && size < reported_by_kernel)
    clr_probe_correct(prober, "max_work_group_size", size, "groups of %zu are reported, but at most %zu run", most,
                      size);
  else if (size < most)
    clr_probe_correct(prober, "kernel_work_group_size", size, "groups of %zu are reported, and kernels hold %zu", most,
                      size);
}

// ---------------------------------------------------------------- Local memory

static const char *run_local(struct clr_prober *prober, cl_kernel kernel, size_t bytes, size_t groups, size_t size,
                             cl_mem wrong) {
  cl_uint *counts = prober->got;
  const cl_uint words = (cl_uint)(bytes / sizeof(cl_uint));
  const size_t count_bytes = groups * size * sizeof *counts;
  const struct clr_argument arguments[] = {{words * sizeof(cl_uint), NULL}, CLR_ARGUMENT(words), CLR_ARGUMENT(wrong)};
  memset(counts, 0xff, count_bytes);
  clr_probe_write(prober, wrong, 0, count_bytes, counts);
  clr_probe_launch(prober, kernel, groups, size, arguments, 3);
  clr_probe_read(prober, wrong, 0, count_bytes, counts);
  const char *trouble = clr_probe_trouble(prober);
  for (size_t i = 0; i < groups * size && !trouble; i++)
    trouble = counts[i] ? "a wrong result" : NULL;
  return trouble;
}

void clr_probe_local_memory(struct clr_prober *prober) {
  const size_t groups = 4 * (size_t)(prober->reported->compute_units < 256 ? prober->reported->compute_units : 256);
  const size_t size = clr_probe_group_size(prober), least = 64;
  size_t most = (size_t)prober->reported->local_mem_size, bytes = most;
  if (most < 2 * least) {
    clr_probe_say(prober, CLRED_LACKING, "the device reports %zu bytes", most);
    return;
  }
  cl_kernel kernel = kernel_of(prober, "probe_local");
  cl_mem wrong = clr_probe_buffer(prober, groups * size * sizeof(cl_uint), NULL);
  const char *trouble = clr_probe_trouble(prober);
  if (trouble) {
    clr_probe_say(prober, CLRED_WRONG, "no memory for the probe: %s", trouble);
    return;
  }
  // Leave `least` bytes free: compilers use a little local memory themselves.
  while (bytes >= least && (trouble = run_local(prober, kernel, bytes - least, groups, size, wrong)) != NULL)
    bytes /= 2;
  if (bytes < most)
    clr_probe_correct(prober, "local_mem_size", bytes < least ? 0 : bytes,
                      "%zu bytes are reported, but only %zu can be used: %s", most, bytes < least ? 0 : bytes,
                      trouble ? trouble : "more than half of it fails");
}

// ---------------------------------------------------------------- Buffers

static const char *touch_end(struct clr_prober *prober, cl_kernel kernel, size_t bytes) {
  const cl_uint seven = 7, five = 5;
  cl_ulong last = bytes / sizeof(cl_uint) - 1;
  cl_uint got = 0;
  cl_mem buffer = clCreateBuffer(prober->session.context, CL_MEM_READ_WRITE, bytes, NULL, &prober->err);
  const struct clr_argument arguments[] = {CLR_ARGUMENT(buffer), CLR_ARGUMENT(last)};
  clr_probe_write(prober, buffer, 0, sizeof seven, &seven);
  clr_probe_write(prober, buffer, (size_t)last * sizeof five, sizeof five, &five);
  clr_probe_launch(prober, kernel, 1, 1, arguments, 2);
  clr_probe_read(prober, buffer, (size_t)last * sizeof got, sizeof got, &got);
  if (buffer)
    clReleaseMemObject(buffer);
  const char *trouble = clr_probe_trouble(prober);
  return trouble || got == seven + five ? trouble : "its end does not keep what is written";
}

void clr_probe_buffers(struct clr_prober *prober) {
  const size_t least = 4096;
  size_t most = (size_t)prober->reported->max_alloc & ~(size_t)63, bytes = most;
  cl_kernel kernel = kernel_of(prober, "probe_end");
  const char *trouble = NULL, *last = NULL;
  while (kernel && bytes >= least && (last = touch_end(prober, kernel, bytes)) != NULL) {
    trouble = trouble ? trouble : last;
    bytes = bytes / 2 & ~(size_t)63;
  }
  if (kernel && bytes < most)
    clr_probe_correct(prober, "max_alloc", bytes, "%zu bytes are reported, but the largest buffer has %zu: %s", most,
                      bytes, trouble);
}

// ---------------------------------------------------------------- Loops

struct loop {
  const char *name;
  size_t arguments;
};

// Runs the loop and gives the number of iterations that the device made. False after an error.
static bool run_loop(struct clr_prober *prober, const struct loop *loop, cl_uint count, cl_uint *turns) {
  const cl_uint inner = 100;
  cl_uint state = 0;
  cl_kernel kernel = kernel_in(prober, "probes/loops.cl", loop->name);
  cl_mem out = clr_probe_buffer(prober, sizeof state, &state);
  const struct clr_argument arguments[] = {CLR_ARGUMENT(out), CLR_ARGUMENT(count), CLR_ARGUMENT(inner)};
  clr_probe_launch(prober, kernel, 1, 1, arguments, loop->arguments);
  clr_probe_read(prober, out, 0, sizeof state, &state);
  *turns = clr_loop_turns(state, count);
  clr_probe_drop(prober);
  if (prober->err)
    clr_probe_say(prober, CLRED_WRONG, "a loop of %u turns failed with %s", count, clr_status_name(prober->err));
  return !prober->err;
}

void clr_probe_loops(struct clr_prober *prober) {
  static const struct loop loops[] = {{"probe_loops", 2}, {"probe_two_loops", 2}, {"probe_nested_loops", 3}};
  const cl_uint usual = 100000, many = 1u << 22;
  for (size_t i = 0; i <= sizeof loops / sizeof *loops; i++) {
    bool is_long = i == sizeof loops / sizeof *loops;
    cl_uint count = is_long ? many : usual, turns;
    if (!run_loop(prober, &loops[is_long ? 0 : i], count, &turns))
      return;
    if (turns < count && turns > 0)
      clr_probe_correct(prober, "loop_trips", turns, "a loop of %u turns ended after %u", count, turns);
    else if (turns != count)
      clr_probe_say(prober, CLRED_WRONG, "a loop of %u turns gave a wrong result", count);
    if (turns != count)
      return;
  }
}

// ---------------------------------------------------------------- Sizes

void clr_probe_sizes(struct clr_prober *prober) {
  static const cl_ulong expected[] = {1 + 32 + 1024 + 4096 * 8 + 65536 * 4, 24, 20, 16, 16, 32};
  cl_ulong got[6] = {0};
  cl_kernel kernel = kernel_of(prober, "probe_sizes");
  cl_mem out = clr_probe_buffer(prober, sizeof got, got);
  const struct clr_argument arguments[] = {CLR_ARGUMENT(out)};
  clr_probe_launch(prober, kernel, 1, 1, arguments, 1);
  clr_probe_read(prober, out, 0, sizeof got, got);
  for (size_t i = 0; !prober->err && i < 6; i++)
    if (got[i] != expected[i])
      clr_probe_say(prober, CLRED_WRONG,
                    "types are laid out otherwise than on the host: size number %zu is %llu, not %llu", i,
                    (unsigned long long)got[i], (unsigned long long)expected[i]);
  if (prober->err)
    clr_probe_say(prober, CLRED_WRONG, "reading sizes failed with %s", clr_status_name(prober->err));
}
