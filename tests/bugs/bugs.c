// bugs: small kernels that some drivers get wrong, each in a file of this directory, with the expected result; and
// calls that some drivers get wrong. docs/portability.md lists the drivers that fail. The program runs once for each of
// them, because a driver may crash.

#define _POSIX_C_SOURCE 200809L

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/device.h"

#define WORDS 4096

static cl_int map_at_once(const struct device *device, cl_uint *words);
static cl_int complete_event(const struct device *device, cl_uint *words);

// The first `words` words of `out` must be `expected`. Further arguments of a kernel are 0 and 4.
static const struct bug {
  const char *name;
  size_t global, local;
  cl_uint words, expected;
  const char *summary;
  cl_int (*calls)(const struct device *device, cl_uint *words);  // NULL: a launch of the kernel is enough
} bugs[] = {
  {"long_loop", 1, 1, 1, 100000, "a loop of 100000 turns", NULL},
  {"two_loops", 1, 1, 1, 80000, "two loops of 40000 turns each, counted together", NULL},
  {"add_sat", 1, 1, 1, 0x7fffffff, "INT_MAX + 1, saturated", NULL},
  {"by_value", 1, 1, 1, 4, "a struct given by value, which the function changes", NULL},
  {"copied_struct", 1, 1, 1, 8, "a struct that is copied, changed, and copied again", NULL},
  {"run_twice", 1, 1, 1, 1, "an increment after two loops, in a group of one work-item", NULL},
  {"volatile_padding", 1, 1, 1, 7, "a volatile copy of a struct with padding", NULL},
  {"half_set", 8, 8, 4, 7, "a variable that is set and read in conditions, in one of two parts with barriers", NULL},
  {"reloaded", 8, 8, 8, 7, "a value that is read from local memory before barriers, and used behind them", NULL},
  {"after_barrier", 64, 64, 4079, 0, "a branch on the work-item after a barrier in a condition", NULL},
  {"large_frames", 4096, 4096, 4096, 1, "512 private floats an item, kept across a barrier, in a group of 4096", NULL},
  {"map_at_once", 0, 0, 1, 0, "several threads map one buffer for reading at the same time", map_at_once},
  {"user_event", 1, 1, 1, 2, "a launch that waits for a user event, which the host then completes", complete_event},
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

static cl_kernel make_kernel(const struct device *device, const char *name, cl_int *err) {
  char *text = read_text(name);
  const char *texts = text;
  *err = CL_INVALID_VALUE;
  cl_program program = text ? clCreateProgramWithSource(device->context, 1, &texts, NULL, err) : NULL;
  if (!*err)
    *err = clBuildProgram(program, 1, &device->id, "", NULL, NULL);
  cl_kernel kernel = *err ? NULL : clCreateKernel(program, "bug", err);
  free(text);
  if (program)
    clReleaseProgram(program);
  return kernel;
}

// ---------------------------------------------------------------- Calls

#define THREADS 8
#define TURNS 5000

static struct {
  const struct device *device;
  cl_mem buffer;  // word i is i
} mapped;

static size_t count_wrong(size_t thread) {
  cl_command_queue queue = clCreateCommandQueue(mapped.device->context, mapped.device->id, 0, NULL);
  size_t wrong = 0;
  for (size_t i = 0; i < TURNS; i++) {
    const size_t first = (i * 7919 + thread) % (WORDS / 2);
    cl_int err;
    const cl_uint *memory = clEnqueueMapBuffer(queue, mapped.buffer, CL_TRUE, CL_MAP_READ, first * sizeof *memory,
                                               WORDS / 2 * sizeof *memory, 0, NULL, NULL, &err);
    wrong += err || !memory || memory[0] != first;
    if (memory)
      clEnqueueUnmapMemObject(queue, mapped.buffer, (void *)memory, 0, NULL, NULL);
    clFinish(queue);
  }
  clReleaseCommandQueue(queue);
  return wrong;
}

static void *work(void *of) {
  size_t *number = of;
  *number = count_wrong(*number);
  return NULL;
}

// PoCL 3.1 returns NULL without an error, or crashes. A lock around clEnqueueMapBuffer and clEnqueueUnmapMemObject, but
// not around the waits, avoids it.
static cl_int map_at_once(const struct device *device, cl_uint *words) {
  pthread_t threads[THREADS];
  size_t numbers[THREADS];
  cl_int err;
  for (cl_uint i = 0; i < WORDS; i++)
    words[i] = i;
  mapped.device = device;
  mapped.buffer =
    clCreateBuffer(device->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, WORDS * sizeof *words, words, &err);
  for (size_t i = 0; i < THREADS && !err; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (size_t i = 0; i < THREADS && !err; i++) {
    pthread_join(threads[i], NULL);
    words[0] += (cl_uint)numbers[i];
  }
  if (mapped.buffer)
    clReleaseMemObject(mapped.buffer);
  return err;
}

// PoCL 3.1's driver without threads (POCL_DEVICES=basic) runs the launch within clSetUserEventStatus, waits there for a
// lock that it holds, and never returns. Then the process ends after ten seconds, without a word.
static cl_int complete_event(const struct device *device, cl_uint *words) {
  const size_t one = 1;
  cl_event done = NULL;
  cl_int err;
  cl_kernel kernel = make_kernel(device, "user_event", &err);
  cl_event gate = clCreateUserEvent(device->context, NULL);
  words[0] = 1;
  cl_mem out = clCreateBuffer(device->context, CL_MEM_COPY_HOST_PTR, sizeof *words, words, NULL);
  if (!err)
    err = clSetKernelArg(kernel, 0, sizeof out, &out);
  if (!err)
    err = clEnqueueNDRangeKernel(device->queue, kernel, 1, NULL, &one, &one, 1, &gate, &done);
  if (!err)
    err = clFlush(device->queue);
  alarm(10);
  if (!err)
    err = clSetUserEventStatus(gate, CL_COMPLETE);
  return err ? err : clEnqueueReadBuffer(device->queue, out, CL_TRUE, 0, sizeof *words, words, 1, &done, NULL);
}

// ---------------------------------------------------------------- One of them

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
  cl_int err = CL_SUCCESS;
  cl_kernel kernel = bug->calls ? NULL : make_kernel(device, bug->name, &err);
  if (!err)
    err = bug->calls ? bug->calls(device, words) : launch(device, bug, kernel, words);
  if (kernel)
    clReleaseKernel(kernel);
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
