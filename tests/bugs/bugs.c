// bugs: small kernels that some drivers get wrong, each in a file of this directory, with the expected result.
// docs/portability.md lists the drivers that fail. The program runs once for each kernel, because a driver may crash.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/device.h"

#define WORDS 4096

// The first `words` words of `out` must be `expected`. Further arguments of a kernel are 0 and 4.
static const struct bug {
  const char *name;
  size_t global, local;
  cl_uint words, expected;
  const char *summary;
} bugs[] = {
  {"long_loop", 1, 1, 1, 100000, "a loop of 100000 turns"},
  {"two_loops", 1, 1, 1, 80000, "two loops of 40000 turns each, counted together"},
  {"add_sat", 1, 1, 1, 0x7fffffff, "INT_MAX + 1, saturated"},
  {"by_value", 1, 1, 1, 4, "a struct given by value, which the function changes"},
  {"copied_struct", 1, 1, 1, 8, "a struct that is copied, changed, and copied again"},
  {"run_twice", 1, 1, 1, 1, "an increment after two loops, in a group of one work-item"},
  {"volatile_padding", 1, 1, 1, 7, "a volatile copy of a struct with padding"},
  {"half_set", 8, 8, 4, 7, "a variable that is set and read in conditions, in one of two parts with barriers"},
  {"reloaded", 8, 8, 8, 7, "a value that is read from local memory before barriers, and used behind them"},
  {"after_barrier", 64, 64, 4079, 0, "a branch on the work-item after a barrier in a condition"},
  {"large_frames", 4096, 4096, 4096, 1, "512 private floats an item, kept across a barrier, in a group of 4096"},
};

static const struct bug *find(const char *name) {
  for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++)
    if (strcmp(bugs[i].name, name) == 0)
      return &bugs[i];
  return NULL;
}

static char *read_text(const char *name) {
  char path[512];
  char *text = calloc(1, 1 << 14);
  snprintf(path, sizeof path, "%s/%s.cl", CLREDUCE_TEST_BUGS_DIR, name);
  FILE *file = fopen(path, "r");
  if (text && file)
    fread(text, 1, (1 << 14) - 1, file);
  if (file)
    fclose(file);
  return file ? text : NULL;
}

static cl_int launch(const struct device *device, const struct bug *bug, cl_kernel kernel, cl_uint *words) {
  const cl_uint numbers[] = {0, 4};
  cl_uint arguments = 0;
  cl_int err;
  cl_mem out =
    clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, WORDS * sizeof *words, words, &err);
  if (!err)
    err = clSetKernelArg(kernel, 0, sizeof out, &out);
  if (!err)
    err = clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof arguments, &arguments, NULL);
  for (cl_uint i = 1; i < arguments && !err; i++)
    err = clSetKernelArg(kernel, i, sizeof *numbers, &numbers[i - 1]);
  if (!err)
    err = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &bug->global, &bug->local, 0, NULL, NULL);
  if (!err)
    err = clEnqueueReadBuffer(device->queue, out, CL_TRUE, 0, WORDS * sizeof *words, words, 0, NULL, NULL);
  if (out)
    clReleaseMemObject(out);
  return err;
}

static int judge(const struct bug *bug, const cl_uint *words) {
  for (cl_uint i = 0; i < bug->words; i++)
    if (words[i] != bug->expected) {
      printf("%s: WRONG: word %u is %u, not %u: %s\n", bug->name, i, words[i], bug->expected, bug->summary);
      return 1;
    }
  printf("%s: right\n", bug->name);
  return 0;
}

static int try(const struct device *device, const struct bug *bug) {
  static cl_uint words[WORDS];
  char *text = read_text(bug->name);
  const char *texts = text;
  cl_int err = CL_INVALID_VALUE;
  cl_kernel kernel = NULL;
  cl_program program = text ? clCreateProgramWithSource(device->context, 1, &texts, NULL, &err) : NULL;
  if (!err)
    err = clBuildProgram(program, 1, &device->id, "", NULL, NULL);
  if (!err)
    kernel = clCreateKernel(program, "bug", &err);
  if (!err)
    err = launch(device, bug, kernel, words);
  free(text);
  if (kernel)
    clReleaseKernel(kernel);
  if (program)
    clReleaseProgram(program);
  if (!err)
    return judge(bug, words);
  printf("%s: refused, %s\n", bug->name, clred_status_name(err));
  return 0;
}

int main(int argc, char **argv) {
  struct device device;
  const struct bug *bug = argc == 2 ? find(argv[1]) : NULL;
  if (!bug) {
    for (size_t i = 0; i < sizeof bugs / sizeof *bugs; i++)
      printf("%-16s %s\n", bugs[i].name, bugs[i].summary);
    return argc == 1 ? 0 : 2;
  }
  const char *trouble = device_open(&device);
  if (trouble)
    fprintf(stderr, "bugs: %s\n", trouble);
  const int result = trouble ? 2 : try(&device, bug);
  device_close(&device);
  return result;
}
