// bench_scan_rows: scans by sum of 2^N elements in rows of many lengths, along the fastest axis and across it, by each strategy that serves
// them, each beside the scan of one line of as many elements, alternating in one process. Bytes read and written a second of device time
// (event profiling), medians, and the ratio.
//   bench_scan_rows [--log2 N] [--type TYPE] [--runs N] [--device SEL] [--assume FACTS]

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "session.h"

enum { MOST_RUNS = 500, WARM_UP = 2 };

struct bench {
  const char     *selector, *assume;
  clred_type_info type;
  unsigned        log2, runs;
  cl_ulong        count;
  struct session  session;
  cl_mem          in, out;
  clred_plan     *line;
};

static int fail_call(const struct bench *bench, cl_int status, const char *what)
{
  return fail(EXIT_WORK_FAILED, "bench_scan_rows: %s: %s (%s)", what, clred_status_name(status),
              clred_last_error(bench->session.runtime));
}

static cl_int run_once(const struct bench *bench, clred_plan *plan, const clred_call *call, double *seconds)
{
  cl_event event = NULL;
  cl_int   status = clred_enqueue(bench->session.queue, plan, call, 0, NULL, &event);
  if (status == CL_SUCCESS)
    status = clWaitForEvents(1, &event);
  if (event != NULL)
    clReleaseEvent(event);
  return status == CL_SUCCESS ? clred_plan_seconds(plan, seconds) : status;
}

static int by_value(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double median(double *seconds, unsigned count)
{
  qsort(seconds, count, sizeof *seconds, by_value);
  return seconds[count / 2];
}

static int compare(const struct bench *bench, const char *name, clred_plan *plan, const clred_call *call)
{
  static double    times[2][MOST_RUNS];
  const clred_call plain = {.in = bench->in, .out = bench->out, .count = bench->count};
  cl_int           status = CL_SUCCESS;
  clred_plan_info  info;
  double           unused;
  for (unsigned i = 0; i < bench->runs + WARM_UP && status == CL_SUCCESS; i++) {
    status = run_once(bench, bench->line, &plain, i < WARM_UP ? &unused : &times[0][i - WARM_UP]);
    if (status == CL_SUCCESS)
      status = run_once(bench, plan, call, i < WARM_UP ? &unused : &times[1][i - WARM_UP]);
  }
  if (status == CL_SUCCESS)
    status = clred_plan_inspect(plan, call->count, &info);
  if (status != CL_SUCCESS)
    return fail_call(bench, status, name);
  const double bytes = (double)bench->count * (double)(info.element_size + info.result_size);
  const double line = bytes / median(times[0], bench->runs) / 1e9, ours = bytes / median(times[1], bench->runs) / 1e9;
  printf("%-28s %-11s %9.1f GB/s   line %9.1f GB/s   ratio %.2f\n", name, info.strategy, ours, line, ours / line);
  return EXIT_DONE;
}

static int compare_by(const struct bench *bench, const char *strategy, const cl_ulong shape[2], cl_uint axis)
{
  char          name[64];
  clred_call    call = {.in = bench->in, .out = bench->out};
  clred_problem problem = {.type = bench->type.type, .op = CLRED_OP_ADD, .scan = CLRED_SCAN_INCLUSIVE, .profile = CL_TRUE,
                           .strategy = strategy};
  clred_plan   *plan = NULL;
  cl_int        status = clred_call_along_axis(&call, &problem.layout, 2, shape, axis);
  snprintf(name, sizeof name, "(%llu x %llu) axis %u", (unsigned long long)shape[0], (unsigned long long)shape[1], axis);
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

static int compare_all(const struct bench *bench)
{
  static const char *const strategies[] = {"scan_rows", "scan_lines"};
  int                      code = EXIT_DONE;
  for (unsigned length = 4; length <= bench->log2 && code == EXIT_DONE; length += length < 12 ? 2 : 4)
    for (size_t i = 0; i < 4 && code == EXIT_DONE; i++) {
      const cl_ulong shape[2] = {bench->count >> length, (cl_ulong)1 << length}, across[2] = {shape[1], shape[0]};
      code = compare_by(bench, strategies[i % 2], i < 2 ? shape : across, i < 2);
    }
  return code;
}

// --- The elements: small numbers, so that sums of integers stay what they are ---

static cl_int make_buffer(struct bench *bench, cl_mem *buffer, size_t size)
{
  static cl_uchar bytes[1 << 22];
  cl_int          status;
  memset(bytes, 1, sizeof bytes);
  *buffer = clCreateBuffer(bench->session.context, CL_MEM_READ_WRITE, size, NULL, &status);
  // Written, not filled: beyond 2^31 bytes NVIDIA's driver fills wrongly.
  for (size_t at = 0; status == CL_SUCCESS && at < size; at += sizeof bytes)
    status = clEnqueueWriteBuffer(bench->session.queue, *buffer, CL_TRUE, at,
                                  size - at < sizeof bytes ? size - at : sizeof bytes, bytes, 0, NULL, NULL);
  return status;
}

static int prepare(struct bench *bench)
{
  const clred_problem line = {
      .type = bench->type.type, .op = CLRED_OP_ADD, .scan = CLRED_SCAN_INCLUSIVE, .profile = CL_TRUE};
  clred_plan_info info;
  const int       code = session_open_picked(&bench->session, bench->selector, bench->assume);
  if (code != EXIT_DONE)
    return code;
  cl_int status = session_plan(&bench->session, &line, &bench->line);
  if (status == CL_SUCCESS)
    status = clred_plan_inspect(bench->line, bench->count, &info);
  if (status == CL_SUCCESS)
    status = make_buffer(bench, &bench->in, (size_t)bench->count * info.element_size);
  if (status == CL_SUCCESS)
    status = make_buffer(bench, &bench->out, (size_t)bench->count * info.result_size);
  printf("%s, 2^%u elements of %s\n", bench->session.device.name, bench->log2, bench->type.name);
  return status == CL_SUCCESS ? EXIT_DONE : fail_call(bench, status, "preparing");
}

static void release(struct bench *bench)
{
  clred_plan_release(bench->line);
  if (bench->in != NULL)
    clReleaseMemObject(bench->in);
  if (bench->out != NULL)
    clReleaseMemObject(bench->out);
  session_close(&bench->session);
}

static int parse(struct bench *bench, int argc, char *argv[])
{
  clred_type type = CLRED_TYPE_FLOAT;
  *bench = (struct bench){.log2 = 26, .runs = 21};
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--log2") == 0)
      bench->log2 = (unsigned)atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--runs") == 0)
      bench->runs = (unsigned)atoi(argv[i + 1]);
    else if (strcmp(argv[i], "--type") == 0)
      type = clred_type_from_name(argv[i + 1]);
    else if (strcmp(argv[i], "--device") == 0)
      bench->selector = argv[i + 1];
    else if (strcmp(argv[i], "--assume") == 0)
      bench->assume = argv[i + 1];
    else
      return fail(EXIT_BAD_USE, "bench_scan_rows: unknown option %s", argv[i]);
  }
  if (clred_type_describe(type, &bench->type) != CL_SUCCESS || bench->log2 < 12 || bench->log2 > 32 || bench->runs < 1 ||
      bench->runs > MOST_RUNS || argc % 2 == 0)
    return fail(EXIT_BAD_USE, "bench_scan_rows: give --log2 12 to 32, --runs 1 to %d, --type TYPE, --device SEL, --assume FACTS",
                MOST_RUNS);
  bench->count = (cl_ulong)1 << bench->log2;
  return EXIT_DONE;
}

int main(int argc, char *argv[])
{
  struct bench bench;
  int          code = parse(&bench, argc, argv);
  if (code != EXIT_DONE)
    return code;
  code = prepare(&bench);
  if (code == EXIT_DONE)
    code = compare_all(&bench);
  release(&bench);
  return code;
}
