// bench_small: what a call costs where elements are few. Sums of 2^10 to 2^20 floats, from enqueue to finished, in turn
// with an empty kernel and with a loop on one thread; medians of 1001. `allowed` is the empty kernel and 1.3 times the
// loop. Every sum is checked: they are of small integers, so that any order gives the same.
//   bench_small [--device SEL] [--runs N] [--strategy NAME]

#include <stdio.h>
#include <stdlib.h>

#include "fail.h"
#include "flags.h"
#include "progress.h"
#include "quantile.h"
#include "session.h"
#include "small_loop.h"

enum { FIRST_LOG2 = 10, LAST_LOG2 = 20, LOG2_STEP = 2, MOST = 1 << LAST_LOG2, WARM_UP = 20, MOST_RUNS = 10001 };

enum side { OURS, EMPTY, LOOP, SIDES };

struct bench {
  const char *selector, *strategy;
  unsigned runs;
  struct session session;
  cl_command_queue queue;  // without profiling
  cl_program program;
  cl_kernel empty;
  clred_plan *plan;
  cl_mem in, out;
  float *elements, loop_sum;
};

static cl_int prepare(struct bench *bench) {
  const char *text = "__kernel void nothing(void) {}";
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = bench->strategy};
  const cl_context context = bench->session.context;
  cl_int status;
  for (size_t i = 0; i < MOST; i++)
    bench->elements[i] = (float)(i % 7);
  bench->queue = clCreateCommandQueue(context, bench->session.device.id, 0, &status);
  if (status == CL_SUCCESS)
    bench->program = clCreateProgramWithSource(context, 1, &text, NULL, &status);
  if (status == CL_SUCCESS)
    status = clBuildProgram(bench->program, 0, NULL, NULL, NULL, NULL);
  if (status == CL_SUCCESS)
    bench->empty = clCreateKernel(bench->program, "nothing", &status);
  if (status == CL_SUCCESS)
    bench->in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, MOST * sizeof(float), bench->elements, &status);
  if (status == CL_SUCCESS)
    bench->out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof(float), NULL, &status);
  return status == CL_SUCCESS ? session_plan(&bench->session, &problem, &bench->plan) : status;
}

static cl_int run(struct bench *bench, enum side side, size_t count, double *seconds) {
  const size_t one = 1;
  cl_int status = CL_SUCCESS;
  const double begun = seconds_now();
  if (side == OURS)
    status = clred_enqueue_reduce(bench->queue, bench->plan, bench->in, bench->out, 0, 0, count, 0, NULL, NULL);
  else if (side == EMPTY)
    status = clEnqueueNDRangeKernel(bench->queue, bench->empty, 1, NULL, &one, &one, 0, NULL, NULL);
  else
    bench->loop_sum = small_loop(bench->elements, count);
  if (status == CL_SUCCESS && side != LOOP)
    status = clFinish(bench->queue);
  *seconds = seconds_now() - begun;
  return status;
}

static cl_int compare(struct bench *bench, size_t count) {
  static double seconds[SIDES][MOST_RUNS + WARM_UP];
  double times[SIDES];
  float sum;
  size_t wrong = 0;
  cl_int status = CL_SUCCESS;
  for (size_t turn = 0; turn < WARM_UP + bench->runs && status == CL_SUCCESS; turn++)
    for (int side = OURS; side <= EMPTY && status == CL_SUCCESS; side++) {
      // The loop's time is that before the empty kernel, as warm as the other.
      run(bench, LOOP, count, &seconds[LOOP][turn]);
      status = run(bench, (enum side)side, count, &seconds[side][turn]);
      if (status == CL_SUCCESS)
        status = clEnqueueReadBuffer(bench->queue, bench->out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL);
      wrong += status == CL_SUCCESS && sum != bench->loop_sum;
    }
  for (int side = 0; side < SIDES; side++)
    times[side] = 1e6 * median(seconds[side] + WARM_UP, bench->runs);
  const double allowed = times[EMPTY] + 1.3 * times[LOOP];
  if (status == CL_SUCCESS)
    printf("%8zu %9.2f %9.2f %9.2f %9.2f %8.2f   %s\n", count, times[OURS], times[EMPTY], times[LOOP], allowed,
           allowed / times[OURS], wrong ? "WRONG" : "right, all");
  return status == CL_SUCCESS && wrong ? CL_INVALID_VALUE : status;
}

static int run_all(struct bench *bench) {
  cl_int status = prepare(bench);
  printf("%s, driver %s; medians of %u, microseconds\n", bench->session.device.name, bench->session.device.driver,
         bench->runs);
  printf("%8s %9s %9s %9s %9s %8s\n", "n", "ours", "empty", "loop", "allowed", "ratio");
  for (int log2 = FIRST_LOG2; log2 <= LAST_LOG2 && status == CL_SUCCESS; log2 += LOG2_STEP)
    status = compare(bench, (size_t)1 << log2);
  return status == CL_SUCCESS ? EXIT_DONE
                              : fail(EXIT_WORK_FAILED, "bench_small: %s (%s)", clred_status_name(status),
                                     clred_last_error(bench->session.runtime));
}

static void release(struct bench *bench) {
  clred_plan_release(bench->plan);
  if (bench->in != NULL)
    clReleaseMemObject(bench->in);
  if (bench->out != NULL)
    clReleaseMemObject(bench->out);
  if (bench->empty != NULL)
    clReleaseKernel(bench->empty);
  if (bench->program != NULL)
    clReleaseProgram(bench->program);
  if (bench->queue != NULL)
    clReleaseCommandQueue(bench->queue);
  session_close(&bench->session);
  free(bench->elements);
}

int main(int argc, char *argv[]) {
  struct bench bench = {.runs = 1001};
  const struct flag flags[] = {
    {"--device", &bench.selector, NULL, "SEL: an index, or part of a device's or platform's name"},
    {"--runs", NULL, &bench.runs, "N: turns of each size, 10001 at most"},
    {"--strategy", &bench.strategy, NULL, "NAME: ours; default auto"},
    {NULL, NULL, NULL, NULL},
  };
  if (flags_parse("bench_small", flags, argc, argv) != EXIT_DONE || bench.runs == 0 || bench.runs > MOST_RUNS)
    return EXIT_BAD_USE;
  bench.elements = malloc(MOST * sizeof *bench.elements);
  int code = bench.elements == NULL ? fail_memory() : session_open_picked(&bench.session, bench.selector, NULL);
  if (code == EXIT_DONE)
    code = run_all(&bench);
  release(&bench);
  return code;
}
