// bench_algebra: every built-in operator, two of a caller's own, and sums along both axes of arrays of three shapes,
// each beside the plain sum of as many elements, alternating in one process. Bytes a second of device time (event
// profiling), medians, and the ratio.
//   bench_algebra [--log2 N] [--type TYPE] [--runs N] [--device SEL] [--only NAME]   an operator, own or axis

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "beside.h"
#include "fail.h"
#include "flags.h"

struct bench {
  const char *selector, *only;
  clred_type_info type;
  unsigned log2, runs;
  cl_ulong count;
  struct session session;
  cl_mem in, second, out;
  clred_plan *sum;
};

// --- One side of a comparison ---

static int fail_call(const struct bench *bench, cl_int status, const char *what) {
  return fail(EXIT_WORK_FAILED, "bench_algebra: %s: %s (%s)", what, clred_status_name(status),
              clred_last_error(bench->session.runtime));
}

// `inputs` buffers of elements are read in the time of one for the sum.
static int compare(const struct bench *bench, const char *name, clred_plan *plan, const clred_call *call,
                   cl_uint inputs) {
  const clred_call plain = {.in = bench->in, .out = bench->out, .count = bench->count};
  const struct beside_side sides[2] = {{bench->sum, &plain}, {plan, call}};
  const double bytes = (double)bench->count * (double)bench->type.size;
  double seconds[2];
  clred_plan_info info;
  cl_int status = beside_run(&bench->session, sides, bench->runs, seconds);
  if (status == CL_SUCCESS)
    status = clred_plan_inspect(plan, call->count, &info);
  if (status != CL_SUCCESS)
    return fail_call(bench, status, name);
  const double sum = bytes / seconds[0] / 1e9;
  const double ours = bytes * inputs / seconds[1] / 1e9;
  printf("%-26s %-16s %9.1f GB/s   sum %9.1f GB/s   ratio %.2f\n", name, info.strategy, ours, sum, ours / sum);
  return EXIT_DONE;
}

// --- What is compared ---

static bool is_wanted(const struct bench *bench, const char *name) {
  return bench->only == NULL || strcmp(bench->only, name) == 0;
}

static int compare_operator(const struct bench *bench, const clred_op_info *op) {
  const clred_problem problem = {.type = bench->type.type, .op = op->op, .profile = CL_TRUE};
  const clred_call call = {.in = bench->in, .inputs = &bench->second, .out = bench->out, .count = bench->count};
  clred_plan *plan = NULL;
  const cl_int status = session_plan(&bench->session, &problem, &plan);
  if (status == CLRED_OPERATOR_TYPE)
    return EXIT_DONE;
  if (status != CL_SUCCESS)
    return fail_call(bench, status, op->name);
  const int code = compare(bench, op->name, plan, &call, op->inputs);
  clred_plan_release(plan);
  return code;
}

// What a caller would write for add and dot.
static int compare_own(const struct bench *bench, bool with_input) {
  const clred_operand y = {"y", bench->type.name, bench->type.size};
  const clred_operator own = {.name = with_input ? "own dot" : "own add",
                              .element = bench->type.name,
                              .state = bench->type.name,
                              .identity = "0",
                              .lift = with_input ? "x * y" : NULL,
                              .combine = "a + b",
                              .inputs = &y,
                              .input_count = with_input,
                              .commutative = CL_TRUE,
                              .elementwise = CL_TRUE};
  const clred_problem problem = {.custom = &own, .profile = CL_TRUE};
  const clred_call call = {.in = bench->in, .inputs = &bench->second, .out = bench->out, .count = bench->count};
  clred_plan *plan = NULL;
  const cl_int status = session_plan(&bench->session, &problem, &plan);
  if (status == CLRED_OPERATOR_TEXT)
    return EXIT_DONE;  // a storage type: no state has it
  if (status != CL_SUCCESS)
    return fail_call(bench, status, own.name);
  const int code = compare(bench, own.name, plan, &call, with_input ? 2 : 1);
  clred_plan_release(plan);
  return code;
}

static int compare_axis(const struct bench *bench, const cl_ulong shape[2], cl_uint axis) {
  char name[64];
  clred_call call = {.in = bench->in, .out = bench->out};
  clred_problem problem = {.type = bench->type.type, .op = CLRED_OP_ADD, .profile = CL_TRUE};
  clred_plan *plan = NULL;
  cl_int status = clred_call_along_axis(&call, &problem.layout, 2, shape, axis);
  snprintf(name, sizeof name, "(%llu x %llu) axis %u", (unsigned long long)shape[0], (unsigned long long)shape[1],
           axis);
  if (status == CL_SUCCESS)
    status = session_plan(&bench->session, &problem, &plan);
  if (status != CL_SUCCESS)
    return fail_call(bench, status, name);
  const int code = compare(bench, name, plan, &call, 1);
  clred_plan_release(plan);
  return code;
}

static int compare_all(const struct bench *bench) {
  clred_op_info op;
  int code = EXIT_DONE;
  for (size_t i = 0; code == EXIT_DONE && clred_op_inspect((clred_op)(i + 1), &op) == CL_SUCCESS; i++)
    if (is_wanted(bench, op.name))
      code = compare_operator(bench, &op);
  for (int inputs = 0; inputs < 2 && code == EXIT_DONE && is_wanted(bench, "own"); inputs++)
    code = compare_own(bench, inputs == 1);
  const unsigned half = bench->log2 / 2;
  const cl_ulong all = bench->count;
  const cl_ulong shapes[][2] = {{all / 64, 64}, {64, all / 64}, {(cl_ulong)1 << half, all >> half}};
  for (size_t i = 0; i < 6 && code == EXIT_DONE && is_wanted(bench, "axis"); i++)
    code = compare_axis(bench, shapes[i / 2], (cl_uint)(i % 2));
  return code;
}

// Elements are 1.5 in every word of a float's size, which is a harmless value of every type.
static int prepare(struct bench *bench) {
  static const cl_float word = 1.5f;
  const size_t bytes = (size_t)bench->count * bench->type.size;
  const clred_problem sum = {.type = bench->type.type, .op = CLRED_OP_ADD, .profile = CL_TRUE};
  const int code = session_open_picked(&bench->session, bench->selector, NULL);
  if (code != EXIT_DONE)
    return code;
  cl_int status = beside_buffer(&bench->session, &word, sizeof word, bytes, &bench->in);
  if (status == CL_SUCCESS)
    status = beside_buffer(&bench->session, &word, sizeof word, bytes, &bench->second);
  if (status == CL_SUCCESS)
    status = beside_buffer(&bench->session, &word, sizeof word, bytes / 8 + 1024, &bench->out);
  if (status == CL_SUCCESS)
    status = session_plan(&bench->session, &sum, &bench->sum);
  printf("%s, 2^%u elements of %s\n", bench->session.device.name, bench->log2, bench->type.name);
  return status == CL_SUCCESS ? EXIT_DONE : fail_call(bench, status, "preparing");
}

static void release(struct bench *bench) {
  const cl_mem buffers[] = {bench->in, bench->second, bench->out};
  clred_plan_release(bench->sum);
  for (size_t i = 0; i < 3; i++)
    if (buffers[i] != NULL)
      clReleaseMemObject(buffers[i]);
  session_close(&bench->session);
}

static int parse(struct bench *bench, int argc, char *argv[]) {
  const char *type = "float";
  *bench = (struct bench){.log2 = 26, .runs = 21};
  const struct flag flags[] = {{"--log2", NULL, &bench->log2, "2^N elements, 12 to 34 (default 26)"},
                               {"--type", &type, NULL, "of the elements (default float)"},
                               {"--runs", NULL, &bench->runs, "timed runs of each side, up to 500 (default 21)"},
                               {"--device", &bench->selector, NULL, "by name or index, as in clreduce"},
                               {"--only", &bench->only, NULL, "an operator, own, or axis"},
                               {0}};
  const int code = flags_parse("bench_algebra", flags, argc, argv);
  if (code != EXIT_DONE)
    return code;
  if (clred_type_inspect(clred_type_from_name(type), &bench->type) != CL_SUCCESS)
    return fail(EXIT_BAD_USE, "bench_algebra: unknown type '%s'", type);
  if (bench->log2 < 12 || bench->log2 > 34 || bench->runs < 1 || bench->runs > BESIDE_RUNS_MAX)
    return fail(EXIT_BAD_USE, "bench_algebra: give --log2 12 to 34 and --runs 1 to %d", BESIDE_RUNS_MAX);
  bench->count = (cl_ulong)1 << bench->log2;
  return EXIT_DONE;
}

int main(int argc, char *argv[]) {
  struct bench bench;
  int code = parse(&bench, argc, argv);
  if (code != EXIT_DONE)
    return code;
  code = prepare(&bench);
  if (code == EXIT_DONE)
    code = compare_all(&bench);
  release(&bench);
  return code;
}
