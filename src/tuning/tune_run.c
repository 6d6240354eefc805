// Runs and times calls for clred_tune: the data they read, the results they must give, and the rounds.
#include <stdlib.h>
#include <string.h>

#include "platform/platform.h"
#include "tuning/tune.h"

#define ROUNDS_MAX 32

// ---------------------------------------------------------------- Data

// More bytes than caches hold, but only a small part of the memory.
static cl_ulong most_bytes(const struct clr_facts *facts) {
  cl_ulong wanted = (cl_ulong)(facts->cpu ? 128 : 1024) << 20;
  const cl_ulong limits[] = {facts->max_alloc / 4, facts->global_mem_size ? facts->global_mem_size / 16 : wanted};
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
    wanted = wanted < limits[i] ? wanted : limits[i];
  return wanted;
}

// Fills in bytes that are different positive numbers of moderate size in every floating type.
static void fill(unsigned char *bytes, size_t size) {
  unsigned state = 12345;
  for (size_t i = 0; i < size; i++) {
    state = state * 1664525u + 1013904223u;
    bytes[i] = (unsigned char)(0x3c | state >> 30);
  }
}

static cl_int write_elements(const struct clr_tune_run *run, size_t size, struct clr_status *status) {
  // Not a power of two, so that the rows of a tile differ.
  const size_t block_size = 999984;
  unsigned char *block = malloc(block_size);
  cl_int err = CL_SUCCESS;
  if (!block)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for elements to measure with");
  fill(block, block_size);
  for (size_t at = 0; at < size && !err; at += block_size)
    err = clEnqueueWriteBuffer(run->session.queue, run->in, CL_TRUE, at,
                               size - at < block_size ? size - at : block_size, block, 0, NULL, NULL);
  free(block);
  return err ? clr_fail_call(status, err, "clEnqueueWriteBuffer", "elements to measure with") : CL_SUCCESS;
}

static cl_int make_parameters(const struct clr_operation *operation, struct clr_tune_run *run) {
  size_t size = 1;
  for (size_t i = 0; i < operation->parameter_count; i++)
    size = operation->parameter_sizes[i] > size ? operation->parameter_sizes[i] : size;
  run->zeros = calloc(size, 1);
  run->expected = malloc(operation->result_size);
  run->got = malloc(operation->result_size);
  for (size_t i = 0; i < operation->parameter_count; i++)
    run->parameters[i] = run->zeros;
  return run->zeros && run->expected && run->got ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_int clr_tune_run_open(clred_plan *plan, cl_ulong count_max, struct clr_tune_run *run, struct clr_status *status) {
  const struct clr_operation *operation = &plan->problem.operation;
  const cl_ulong most_elements = (cl_ulong)1 << 28;
  clred_runtime *runtime = plan->runtime;
  size_t size = clr_largest_operand(operation);
  cl_ulong count = most_bytes(&runtime->facts) / size;
  *run = (struct clr_tune_run){.count_most = 0};
  count = count < most_elements ? count : most_elements;
  run->count_most = count_max && count_max < count ? count_max : count;
  if (!run->count_most)
    return clr_fail(status, CL_OUT_OF_RESOURCES, "the device has no memory for elements to measure with");
  if (make_parameters(operation, run))
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for measurements");
  cl_int err = clr_session_open(runtime->context, runtime->device, "calls to measure", &run->session, status);
  if (!err)
    err = clr_session_buffer(&run->session, (size_t)run->count_most * size, NULL, &run->in, status);
  if (!err)
    err = clr_session_buffer(&run->session, operation->result_size, NULL, &run->out, status);
  if (err)
    return err;
  for (size_t i = 0; i < operation->input_count; i++)
    run->inputs[i] = run->in;
  return write_elements(run, (size_t)run->count_most * size, status);
}

void clr_tune_run_close(struct clr_tune_run *run) {
  clr_session_close(&run->session);
  free(run->zeros);
  free(run->expected);
  free(run->got);
  *run = (struct clr_tune_run){0};
}

// ---------------------------------------------------------------- Calls

static cl_int call(const struct clr_tune_run *run, clred_plan *plan, cl_ulong count, struct clr_status *status) {
  const struct clr_request request = {.queue = run->session.queue,
                                      .call = {.in = run->in,
                                               .inputs = run->inputs,
                                               .parameters = run->parameters,
                                               .count = count,
                                               .stride = 1,
                                               .rows = 1,
                                               .columns = 1,
                                               .out = run->out}};
  return clr_enqueue(plan, &request, status);
}

static cl_int read_result(struct clr_tune_run *run, clred_plan *plan, cl_ulong count, void *result,
                          struct clr_status *status) {
  size_t size = plan->problem.operation.result_size;
  memset(result, 0, size);
  cl_int err = clr_session_write(&run->session, run->out, size, result, status);
  if (!err)
    err = call(run, plan, count, status);
  return err ? err : clr_session_read(&run->session, run->out, size, result, status);
}

cl_int clr_tune_expect(struct clr_tune_run *run, clred_plan *plan, cl_ulong count, struct clr_status *status) {
  return read_result(run, plan, count, run->expected, status);
}

bool clr_tune_agrees(struct clr_tune_run *run, clred_plan *plan, cl_ulong count) {
  const struct clr_operation *operation = &plan->problem.operation;
  struct clr_status ignored;
  if (read_result(run, plan, count, run->got, &ignored))
    return false;
  if (!operation->part_count)
    return memcmp(run->got, run->expected, operation->result_size) == 0;
  return clr_same_parts(operation, run->got, run->expected);
}

// ---------------------------------------------------------------- Times

// Measures the seconds of `calls` calls, one after the other.
static cl_int time_calls(const struct clr_tune_run *run, clred_plan *plan, cl_ulong count, unsigned calls,
                         double *seconds, struct clr_status *status) {
  double begun = clr_seconds();
  cl_int err = CL_SUCCESS;
  for (unsigned i = 0; i < calls && !err; i++)
    err = call(run, plan, count, status);
  cl_int finished = clFinish(run->session.queue);
  *seconds = (clr_seconds() - begun) / calls;
  if (err)
    return err;
  return finished ? clr_fail_call(status, finished, "clFinish", "calls that are measured") : CL_SUCCESS;
}

static int by_value(const void *a, const void *b) {
  double first = *(const double *)a, second = *(const double *)b;
  return (first > second) - (first < second);
}

static double median(double *values, unsigned count) {
  qsort(values, count, sizeof *values, by_value);
  return values[count / 2];
}

// Returns how many calls together take `wanted` seconds, long enough for the resolution of the clock.
static unsigned calls_of(double seconds) {
  const double wanted = 4e-3, most = 400;
  double calls = seconds > 0 ? wanted / seconds : most;
  return calls < 1 ? 1 : calls > most ? (unsigned)most : (unsigned)calls;
}

// Slow calls get fewer rounds: a comparison takes about a second, but at least three rounds.
static unsigned rounds_of(unsigned wanted, unsigned calls, double seconds) {
  const unsigned least = 3;
  while (wanted > least && 2 * wanted * calls * seconds > 1)
    wanted--;
  return wanted < ROUNDS_MAX ? wanted : ROUNDS_MAX;
}

cl_ulong clr_tune_affordable(struct clr_tune_run *run, clred_plan *plan, cl_ulong count, cl_ulong least) {
  const double most_seconds = 0.05;
  struct clr_status ignored;
  double seconds = 0;
  // Time twice: in the first call the driver may still compile.
  for (unsigned i = 0; i < 2; i++)
    if (time_calls(run, plan, count, 1, &seconds, &ignored))
      return count;
  for (; seconds > most_seconds && count / 2 >= least; count /= 2)
    seconds /= 2;
  return count;
}

cl_int clr_tune_compare(struct clr_tune_run *run, clred_plan *first, clred_plan *second, cl_ulong count,
                        unsigned rounds, struct clr_tune_times *times, struct clr_status *status) {
  double taken[2][ROUNDS_MAX], ratios[ROUNDS_MAX];
  clred_plan *const plans[2] = {first, second};
  cl_int err = time_calls(run, first, count, 1, &taken[0][0], status);
  if (err)
    return err;
  unsigned calls = calls_of(taken[0][0]);
  rounds = rounds_of(rounds, calls, taken[0][0]);
  for (unsigned i = 0; i < rounds && !err; i++) {
    // Alternate which plan runs first, so that drift affects both equally.
    for (unsigned j = 0; j < 2 && !err; j++)
      err = time_calls(run, plans[(i + j) % 2], count, calls, &taken[(i + j) % 2][i], status);
    if (!err)
      ratios[i] = taken[0][i] > 0 ? taken[1][i] / taken[0][i] : 1;
  }
  if (err)
    return err;
  unsigned won = 0;
  for (unsigned i = 0; i < rounds; i++)
    won += ratios[i] < 1;
  *times = (struct clr_tune_times){median(taken[0], rounds), median(taken[1], rounds), median(ratios, rounds), false};
  times->clear = times->ratio < CLR_TUNE_GAIN && 3 * won >= 2 * rounds;
  return CL_SUCCESS;
}
