// The strategies host_serial and scan_host_serial beside plain loops of the same arithmetic, in turn in one process, by
// the wall clock: no driver is called. Compiled with -O2. Prints a table; docs/performance-log.md has the ratios.
// serial_loops [DEVICE [NAME]]: with NAME, measures only the rows that have NAME in their names, as "mean int".
#include <clreduce.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/number.h"
#include "base/progress.h"
#include "device/device_pick.h"

// ---- Plain loops of the library's arithmetic: they give its bits for any elements. Each writes its result, or
// results.

typedef void plain_loop(const void *elements, size_t count, void *to);

// The library's results have one NaN.
static inline float canonical_float(float v) {
  return v == v ? v : NAN;
}

static inline double canonical_double(double v) {
  return v == v ? v : (double)NAN;
}

#define SAME(v) (v)
#define LOOPS(type, state, key_type, key_of, canonical) \
  static void sum_##type(const void *elements, size_t count, void *to) { \
    const type *x = elements; \
    state sum = x[0]; \
    for (size_t i = 1; i < count; i++) \
      sum += x[i]; \
    *(state *)to = sum; \
  } \
  static void argmin_##type(const void *elements, size_t count, void *to) { \
    const type *x = elements; \
    key_type least = key_of(x[0]); \
    cl_ulong at = 0; \
    for (size_t i = 1; i < count; i++) { \
      key_type key = key_of(x[i]); \
      if (key < least) { \
        least = key; \
        at = i; \
      } \
    } \
    *(cl_ulong *)to = at; \
  } \
  static void inclusive_##type(const void *elements, size_t count, void *to) { \
    const type *x = elements; \
    state sum = ((state *)to)[0] = x[0]; \
    for (size_t i = 1; i < count; i++) { \
      sum += x[i]; \
      ((state *)to)[i] = canonical(sum); \
    } \
  } \
  static void exclusive_##type(const void *elements, size_t count, void *to) { \
    const type *x = elements; \
    state sum = 0; \
    for (size_t i = 0; i < count; i++) { \
      state before = sum; \
      sum += x[i]; \
      ((state *)to)[i] = canonical(before); \
    } \
  }

// NaNs win, and -0 is less than 0. Each element updates the mean, with a quotient. `rest` is what rounding left out.
#define FLOATING(type, magnitude) \
  static void max_##type(const void *elements, size_t count, void *to) { \
    const type *x = elements; \
    type a = x[0]; \
    for (size_t i = 1; i < count; i++) \
      a = a > x[i] ? a : x[i] > a ? x[i] : a == x[i] ? (signbit(a) ? x[i] : a) : a + x[i]; \
    *(type *)to = a; \
  } \
  static void mean_##type(const void *elements, size_t count, void *to) { \
    const type *x = elements; \
    type mean = x[0], rest = (type)-0.0; \
    for (size_t i = 1; i < count; i++) { \
      type apart = x[i] - mean - rest, share = 1 / (type)(i + 1), before = mean; \
      if (magnitude(apart) < (type)INFINITY) { \
        type step = rest + apart * share; \
        mean = before + step; \
        rest = step - (mean - before); \
      } else { \
        mean = before * ((type)i / (type)(i + 1)) + x[i] * share; \
        rest = (type)-0.0; \
      } \
    } \
    *(type *)to = mean; \
  }

static int key_of_float(float v) {
  int bits;
  memcpy(&bits, &v, sizeof bits);
  return v != v ? CL_INT_MIN : bits < 0 ? bits ^ CL_INT_MAX : bits;
}

static cl_long key_of_double(double v) {
  cl_long bits;
  memcpy(&bits, &v, sizeof bits);
  return v != v ? CL_LONG_MIN : bits < 0 ? bits ^ CL_LONG_MAX : bits;
}

LOOPS(float, float, int, key_of_float, canonical_float)
LOOPS(double, double, cl_long, key_of_double, canonical_double)
LOOPS(int, cl_long, int, SAME, SAME)
FLOATING(float, fabsf)
FLOATING(double, fabs)

static void max_int(const void *elements, size_t count, void *to) {
  const int *x = elements;
  int most = x[0];
  for (size_t i = 1; i < count; i++)
    most = x[i] > most ? x[i] : most;
  *(cl_long *)to = most;
}

// The sum has 128 bits.
static void mean_int(const void *elements, size_t count, void *to) {
  const int *x = elements;
  cl_ulong low = 0;
  cl_long high = 0;
  for (size_t i = 0; i < count; i++) {
    cl_ulong value = (cl_ulong)(cl_long)x[i];
    high += (x[i] < 0 ? -1 : 0) + (cl_long)(low + value < low);
    low += value;
  }
  const cl_bool is_long = high == ((cl_long)low < 0 ? -1 : 0);
  *(double *)to = (is_long ? (double)(cl_long)low : (double)high * 0x1p64 + (double)low) / (double)count;
}

// ---- The rows of the table

struct row {
  const char *name;
  clred_op op;
  clred_scan scan;
  clred_type type;
  size_t size, result_size;  // bytes of an element; bytes that are compared, for each result of a scan
  plain_loop *plain;
};

#define ROWS(type, id, result, wide) \
  {"sum " #type, CLRED_OP_ADD, CLRED_SCAN_NONE, id, sizeof(type), sizeof(result), sum_##type}, \
    {"max " #type, CLRED_OP_MAX, CLRED_SCAN_NONE, id, sizeof(type), sizeof(result), max_##type}, \
    {"argmin " #type, CLRED_OP_ARGMIN, CLRED_SCAN_NONE, id, sizeof(type), sizeof(cl_ulong), argmin_##type}, \
    {"mean " #type, CLRED_OP_MEAN, CLRED_SCAN_NONE, id, sizeof(type), sizeof(wide), mean_##type}, \
    {"inclusive " #type, CLRED_OP_ADD, CLRED_SCAN_INCLUSIVE, id, sizeof(type), sizeof(result), inclusive_##type}, { \
    "exclusive " #type, CLRED_OP_ADD, CLRED_SCAN_EXCLUSIVE, id, sizeof(type), sizeof(result), exclusive_##type \
  }
static const struct row rows[] = {ROWS(float, CLRED_TYPE_FLOAT, float, float),
                                  ROWS(int, CLRED_TYPE_INT, cl_long, double),
                                  ROWS(double, CLRED_TYPE_DOUBLE, double, double)};

// ---- Measuring

enum { RUNS_MOST = 2001, RESULT_ROOM = 64 };

struct times {
  double ours[RUNS_MOST], plain[RUNS_MOST], ratio[RUNS_MOST];
};

static void fill(const struct row *row, void *to, size_t count) {
  unsigned random = 7;
  for (size_t i = 0; i < count; i++) {
    random = random * 1664525u + 1013904223u;
    const int value = (int)(random >> 16) - 32768;
    if (row->type == CLRED_TYPE_FLOAT)
      ((float *)to)[i] = (float)value / 65536;
    else if (row->type == CLRED_TYPE_DOUBLE)
      ((double *)to)[i] = value / 65536.0;
    else
      ((int *)to)[i] = value;
  }
}

// Both write to the same memory, so that caches treat them alike. The ratio is the median of the ratios of the runs,
// because a busy machine slows neighbouring runs alike.
static int measure(const struct row *row, const clred_plan *plan, void *elements, void *results, void *kept,
                   size_t count) {
  static struct times times;
  const size_t runs = count > 1000000 ? 21 : RUNS_MOST, bytes = (row->scan ? count : 1) * row->result_size;
  const clred_host_call call = {.in = elements, .count = count, .out = results};
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < runs && err == CL_SUCCESS; i++) {
    const double begun = seconds_now();
    err = clred_plan_reference(plan, &call);
    times.ours[i] = seconds_now() - begun;
    if (i + 1 == runs)
      memcpy(kept, results, bytes);
    const double then = seconds_now();
    row->plain(elements, count, results);
    times.plain[i] = seconds_now() - then;
    times.ratio[i] = times.ours[i] / times.plain[i];
  }
  if (err != CL_SUCCESS)
    return fail_library(err, row->name);
  const double ours = median(times.ours, runs) * 1e6, plain = median(times.plain, runs) * 1e6;
  printf("| %s | %zu | %.2f | %.2f | %.2f |\n", row->name, count, ours, plain, median(times.ratio, runs));
  fflush(stdout);
  return memcmp(kept, results, bytes) == 0 ? EXIT_DONE
                                           : fail(EXIT_WRONG, "%s: the bits of the plain loop differ", row->name);
}

static int measure_row(clred_runtime *runtime, const struct row *row, size_t count) {
  const clred_problem problem = {
    .type = row->type, .op = row->op, .scan = row->scan, .strategy = row->scan ? "scan_host_serial" : "host_serial"};
  clred_plan *plan = NULL;
  void *elements = malloc(count * row->size), *results = calloc(count + RESULT_ROOM, sizeof(cl_ulong)),
       *kept = calloc(count + RESULT_ROOM, sizeof(cl_ulong));
  int code = elements && results && kept ? EXIT_DONE : fail_memory();
  if (!code && clred_plan_create(runtime, &problem, &plan) != CL_SUCCESS)
    code = fail(EXIT_WORK_FAILED, "%s: %s", row->name, clred_last_error(runtime));
  if (!code) {
    fill(row, elements, count);
    code = measure(row, plan, elements, results, kept, count);
  }
  clred_plan_release(plan);
  free(elements);
  free(results);
  free(kept);
  return code;
}

int main(int argc, char *argv[]) {
  static const size_t counts[] = {8000, 1 << 24};
  struct device device;
  clred_runtime *runtime = NULL;
  cl_int status = CL_SUCCESS;
  int code = device_pick(argc > 1 ? argv[1] : NULL, &device);
  if (code)
    return code;
  cl_context context = clCreateContext(NULL, 1, &device.id, NULL, NULL, &status);
  if (status == CL_SUCCESS)
    status = clred_runtime_create(context, device.id, NULL, &runtime);
  if (status != CL_SUCCESS)
    return fail_library(status, device.name);
  printf("| us | elements | ours | plain loop | ratio |\n|---|---|---|---|---|\n");
  for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows && !code; i++)
    if (argc < 3 || strstr(rows[i / 2].name, argv[2]))
      code = measure_row(runtime, &rows[i / 2], counts[i % 2]);
  clred_runtime_release(runtime);
  clReleaseContext(context);
  return code;
}
