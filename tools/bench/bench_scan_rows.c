// bench_scan_rows: scans by sum of 2^N elements in rows of many lengths, along the fastest axis and across it, by each
// strategy that serves them, each beside the scan of one line of as many elements, alternating in one process. Bytes
// read and written a second of device time (event profiling), medians, and the ratio.
//   bench_scan_rows [--log2 N] [--type TYPE] [--runs N] [--device SEL] [--assume FACTS]

#include <stdio.h>

#include "beside.h"
#include "fail.h"
#include "flags.h"

struct bench {
  const char *selector, *assume;
  clred_type_info type;
  unsigned log2, runs;
  cl_ulong count;
  struct session session;
  cl_mem in, out;
  clred_plan *line;
};

static int fail_call(const struct bench *bench, cl_int status, const char *what) {
  return fail(EXIT_WORK_FAILED, "bench_scan_rows: %s: %s (%s)", what, clred_status_name(status),
              clred_last_error(bench->session.runtime));
}

static int compare(const struct bench *bench, const char *name, clred_plan *plan, const clred_call *call) {
  const clred_call plain = {.in = bench->in, .out = bench->out, .count = bench->count};
  const struct beside_side sides[2] = {{bench->line, &plain}, {plan, call}};
  double seconds[2];
  clred_plan_info info;
  cl_int status = beside_run(&bench->session, sides, bench->runs, seconds);
  if (status == CL_SUCCESS)
    status = clred_plan_inspect(plan, call->count, &info);
  if (status != CL_SUCCESS)
    return fail_call(bench, status, name);
  const double bytes = (double)bench->count * (double)(info.element_size + info.result_size);
  const double line = bytes / seconds[0] / 1e9, ours = bytes / seconds[1] / 1e9;
  printf("%-28s %-11s %9.1f GB/s   line %9.1f GB/s   ratio %.2f\n", name, info.strategy, ours, line, ours / line);
  return EXIT_DONE;
}

static int compare_by(const struct bench *bench, const char *strategy, const cl_ulong shape[2], cl_uint axis) {
  char name[64];
  clred_call call = {.in = bench->in, .out = bench->out};
  clred_problem problem = {.type = bench->type.type,
                           .op = CLRED_OP_ADD,
                           .scan = CLRED_SCAN_INCLUSIVE,
                           .profile = CL_TRUE,
                           .strategy = strategy};
  clred_plan *plan = NULL;
  cl_int status = clred_call_along_axis(&call, &problem.layout, 2, shape, axis);
  snprintf(name, sizeof name, "(%llu x %llu) axis %u", (unsigned long long)shape[0], (unsigned long long)shape[1],
           axis);
  if (status == CL_SUCCESS)
    status = session_plan(&bench->session, &problem, &plan);
  if (status == CLRED_STRATEGY_REFUSED)
    return EXIT_DONE;
  if (status != CL_SUCCESS)
    return fail_call(bench, status, name);
  const int code = compare(bench, name, plan, &call);
  clred_plan_release(plan);
  return code;
}

static int compare_all(const struct bench *bench) {
  static const char *const strategies[] = {"scan_rows", "scan_lines"};
  int code = EXIT_DONE;
  for (unsigned length = 4; length <= bench->log2 && code == EXIT_DONE; length += length < 12 ? 2 : 4)
    for (size_t i = 0; i < 4 && code == EXIT_DONE; i++) {
      const cl_ulong shape[2] = {bench->count >> length, (cl_ulong)1 << length}, across[2] = {shape[1], shape[0]};
      code = compare_by(bench, strategies[i % 2], i < 2 ? shape : across, i < 2);
    }
  return code;
}

// Elements are small numbers, so that sums of integers stay what they are.
static int prepare(struct bench *bench) {
  static const cl_uchar one = 1;
  const clred_problem line = {
    .type = bench->type.type, .op = CLRED_OP_ADD, .scan = CLRED_SCAN_INCLUSIVE, .profile = CL_TRUE};
  clred_plan_info info;
  const int code = session_open_picked(&bench->session, bench->selector, bench->assume);
  if (code != EXIT_DONE)
    return code;
  cl_int status = session_plan(&bench->session, &line, &bench->line);
  if (status == CL_SUCCESS)
    status = clred_plan_inspect(bench->line, bench->count, &info);
  if (status == CL_SUCCESS)
    status = beside_buffer(&bench->session, &one, sizeof one, (size_t)bench->count * info.element_size, &bench->in);
  if (status == CL_SUCCESS)
    status = beside_buffer(&bench->session, &one, sizeof one, (size_t)bench->count * info.result_size, &bench->out);
  printf("%s, 2^%u elements of %s\n", bench->session.device.name, bench->log2, bench->type.name);
  return status == CL_SUCCESS ? EXIT_DONE : fail_call(bench, status, "preparing");
}

static void release(struct bench *bench) {
  clred_plan_release(bench->line);
  if (bench->in != NULL)
    clReleaseMemObject(bench->in);
  if (bench->out != NULL)
    clReleaseMemObject(bench->out);
  session_close(&bench->session);
}

static int parse(struct bench *bench, int argc, char *argv[]) {
  const char *type = "float";
  *bench = (struct bench){.log2 = 26, .runs = 21};
  const struct flag flags[] = {{"--log2", NULL, &bench->log2, "2^N elements, 12 to 32 (default 26)"},
                               {"--type", &type, NULL, "of the elements (default float)"},
                               {"--runs", NULL, &bench->runs, "timed runs of each side, up to 500 (default 21)"},
                               {"--device", &bench->selector, NULL, "by name or index, as in clreduce"},
                               {"--assume", &bench->assume, NULL, "FACT=VALUE,...: plan for a device of other facts"},
                               {0}};
  const int code = flags_parse("bench_scan_rows", flags, argc, argv);
  if (code != EXIT_DONE)
    return code;
  if (clred_type_inspect(clred_type_from_name(type), &bench->type) != CL_SUCCESS)
    return fail(EXIT_BAD_USE, "bench_scan_rows: unknown type '%s'", type);
  if (bench->log2 < 12 || bench->log2 > 32 || bench->runs < 1 || bench->runs > BESIDE_RUNS_MAX)
    return fail(EXIT_BAD_USE, "bench_scan_rows: give --log2 12 to 32 and --runs 1 to %d", BESIDE_RUNS_MAX);
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
