// Wrappers for programs. If programs are kept, a text that was built before with the same options is not built again.
// The calls are counted as if they had been made.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fault_wrap.h"

struct kept {
  struct kept *next;
  cl_program program;
  cl_context context;
  char *text, *options;  // options NULL: not built
};

static bool keeps;
static struct kept *first;

static struct kept *find_text(cl_context context, const char *text) {
  struct kept *kept = first;
  while (kept && (kept->context != context || !kept->options || strcmp(kept->text, text) != 0))
    kept = kept->next;
  return kept;
}

static struct kept *find_program(cl_program program) {
  struct kept *kept = first;
  while (kept && kept->program != program)
    kept = kept->next;
  return kept;
}

static void forget(struct kept *kept) {
  fault_below->clReleaseProgram(kept->program);
  free(kept->text);
  free(kept->options);
  free(kept);
}

void fault_keep_programs(bool keep) {
  keeps = keep;
  while (!keep && first) {
    struct kept *kept = first;
    first = kept->next;
    forget(kept);
  }
}

static void keep(cl_context context, cl_program program, const char *text) {
  struct kept *kept = malloc(sizeof *kept);
  if (!kept)
    return;
  *kept = (struct kept){first, program, context, strdup(text), NULL};
  fault_below->clRetainProgram(program);
  first = kept;
}

// ---------------------------------------------------------------- Binaries

#define SUMS_MAX 4096

// Checksums of binaries that the driver returned.
static uint64_t sums[SUMS_MAX];
static size_t sum_count;
static long strange;

static uint64_t sum_of(const unsigned char *bytes, size_t size) {
  uint64_t sum = 0xcbf29ce484222325u ^ size;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ bytes[i]) * 0x100000001b3u;
  return sum;
}

static bool is_known(uint64_t sum) {
  for (size_t i = 0; i < sum_count && i < SUMS_MAX; i++)
    if (sums[i] == sum)
      return true;
  return false;
}

static void note_returned(cl_program program, unsigned char *const *binaries, size_t count) {
  size_t sizes[64] = {0};
  if (count > 64 || fault_below->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL))
    return;
  for (size_t i = 0; i < count; i++)
    if (binaries[i] && sizes[i] && !is_known(sum_of(binaries[i], sizes[i])) && sum_count < SUMS_MAX)
      sums[sum_count++] = sum_of(binaries[i], sizes[i]);
}

static void note_received(const unsigned char *bytes, size_t size) {
  strange += !is_known(sum_of(bytes, size));
}

long fault_strange_binaries(void) {
  return strange;
}

FAULT_CALL_THEN(clGetProgramInfo, {
  if (!code && param_value && param_name == CL_PROGRAM_BINARIES)
    note_returned(program, param_value, param_value_size / sizeof(unsigned char *));
})

// ---------------------------------------------------------------- Made and built

FAULT_WRAPPED(clCreateProgramWithSource) {
  const bool can_keep = keeps && count == 1 && !lengths;
  if (fault_refuses(FAULT_clCreateProgramWithSource, errcode_ret))
    return NULL;
  struct kept *kept = can_keep ? find_text(context, *strings) : NULL;
  fault_count_live(FAULT_PROGRAMS, kept != NULL);
  if (kept && errcode_ret)
    *errcode_ret = CL_SUCCESS;
  if (kept) {
    fault_below->clRetainProgram(kept->program);
    return kept->program;
  }
  cl_program made = fault_below->clCreateProgramWithSource ARGUMENTS_clCreateProgramWithSource;
  fault_count_live(FAULT_PROGRAMS, made != NULL);
  if (made && can_keep)
    keep(context, made, *strings);
  return made;
}

FAULT_WRAPPED(clBuildProgram) {
  struct kept *kept = find_program(program);
  cl_int code;
  if (fault_falls(FAULT_clBuildProgram, &code))
    return code;
  if (kept && kept->options && strcmp(kept->options, options ? options : "") == 0)
    return CL_SUCCESS;
  code = fault_below->clBuildProgram ARGUMENTS_clBuildProgram;
  if (kept && !code) {
    free(kept->options);
    kept->options = strdup(options ? options : "");
  }
  return code;
}

FAULT_WRAPPED(clCreateProgramWithBinary) {
  cl_int code;
  for (cl_uint i = 0; i < num_devices; i++)
    note_received(binaries[i], lengths[i]);
  if (fault_falls(FAULT_clCreateProgramWithBinary, &code)) {
    for (cl_uint i = 0; binary_status && i < num_devices; i++)
      binary_status[i] = code;
    if (errcode_ret)
      *errcode_ret = code;
    return NULL;
  }
  cl_program made = fault_below->clCreateProgramWithBinary ARGUMENTS_clCreateProgramWithBinary;
  fault_count_live(FAULT_PROGRAMS, made != NULL);
  return made;
}

FAULT_WRAPPED(clCreateKernelsInProgram) {
  cl_uint made = 0;
  cl_int code;
  if (fault_falls(FAULT_clCreateKernelsInProgram, &code))
    return code;
  code = fault_below->clCreateKernelsInProgram(program, num_kernels, kernels, &made);
  fault_count_live(FAULT_KERNELS, !code && kernels ? (long)made : 0);
  if (!code && num_kernels_ret)
    *num_kernels_ret = made;
  return code;
}

FAULT_COUNT(clRetainProgram, FAULT_PROGRAMS, 1)

// A program that was not built is not kept.
static void forget_unbuilt(cl_program program) {
  struct kept **at = &first, *kept = find_program(program);
  if (!kept || kept->options)
    return;
  while (*at != kept)
    at = &(*at)->next;
  *at = kept->next;
  forget(kept);
}

FAULT_COUNT_NOTED(clReleaseProgram, FAULT_PROGRAMS, -1, forget_unbuilt(program))
