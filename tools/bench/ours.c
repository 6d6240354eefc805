// The library as a side: a plan for each clock, buffers for what calls write, and, for reductions, a check of each
// run's result. Opened by reduce.c and beside.c.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/progress.h"
#include "base/value.h"
#include "bench/side.h"
#include "bench/variants.h"
#include "verify/verify.h"

enum { CHUNK = 1 << 20 };

struct ours {
  const struct bench_bed *bed;
  const struct bench_work *work;  // from struct plan_side, as is `expected`
  const struct expected *expected;
  clred_plan *plans[BENCH_CLOCKS];
  clred_plan_info info;
  clred_call call;
  cl_mem parts[BENCH_PARTS];
  unsigned char *result, *first;  // used if `expected` is set. result: of the last run; first: of the first run, which
                                  // was verified completely
  bool judged, first_right;
};

static int failed(cl_int status, const char *call) {
  return status ? fail_opencl(call, status, "the results of a timed call") : EXIT_DONE;
}

// ---- Buffers of results

static size_t size_in_buffer(const struct bench_work *work, enum bench_part part) {
  return part == BENCH_NUMBER ? sizeof(clred_outcome) : bench_part_size(work, part);
}

static size_t bytes_of_part(const struct ours *ours, const struct plan_side *plan, enum bench_part part) {
  if (ours->work != NULL)
    return bench_part_count(ours->work, part) * size_in_buffer(ours->work, part);
  if (part != BENCH_RESULTS)
    return 0;
  return ours->expected != NULL ? ours->info.result_size : plan->out_bytes;
}

static int make_parts(struct ours *ours, const struct plan_side *plan) {
  cl_int status = CL_SUCCESS;
  for (int i = 0; i < BENCH_PARTS && status == CL_SUCCESS; i++) {
    const size_t bytes = bytes_of_part(ours, plan, (enum bench_part)i);
    if (bytes > 0)
      ours->parts[i] =
        clCreateBuffer(ours->bed->session.context, CL_MEM_READ_WRITE, bytes < 64 ? 64 : bytes, NULL, &status);
  }
  ours->call.out = ours->parts[BENCH_RESULTS];
  ours->call.keys_out = ours->parts[BENCH_KEYS_OUT];
  ours->call.outcome_buffer = ours->parts[BENCH_NUMBER];
  if (status == CL_SUCCESS && ours->expected != NULL && (ours->result = calloc(2, ours->info.result_size)) == NULL)
    return fail_memory();
  ours->first = ours->result == NULL ? NULL : ours->result + ours->info.result_size;
  return failed(status, "clCreateBuffer");
}

// Sets all bits, so that a run that writes nothing is found.
static int spoil_bytes(const struct ours *ours, enum bench_part part, size_t first, size_t bytes) {
  static unsigned char spoilt[CHUNK];
  cl_int status = CL_SUCCESS;
  memset(spoilt, 0xff, bytes < CHUNK ? bytes : CHUNK);
  for (size_t done = 0; done < bytes && status == CL_SUCCESS; done += CHUNK)
    status = clEnqueueWriteBuffer(ours->bed->wall_queue, ours->parts[part], CL_TRUE, first + done,
                                  bytes - done < CHUNK ? bytes - done : CHUNK, spoilt, 0, NULL, NULL);
  return failed(status, "clEnqueueWriteBuffer");
}

// A selection may keep no element, and drivers refuse to read 0 bytes.
static int read_bytes(const struct ours *ours, enum bench_part part, size_t first, size_t bytes, void *to) {
  if (bytes == 0)
    return EXIT_DONE;
  return failed(clEnqueueReadBuffer(ours->bed->wall_queue, ours->parts[part], CL_TRUE, first, bytes, to, 0, NULL, NULL),
                "clEnqueueReadBuffer");
}

static int spoil_ours(struct side *side, enum bench_part part, size_t first, size_t count) {
  const struct ours *ours = side->own;
  const size_t size = size_in_buffer(ours->work, part);
  return spoil_bytes(ours, part, first * size, count * size);
}

// Converts a reduction's result to a double. Of an outcome it reads only the count.
static int read_ours(struct side *side, enum bench_part part, size_t first, size_t count, void *to) {
  const struct ours *ours = side->own;
  const bool reduces = ours->work->kind <= BENCH_ARGMIN && part == BENCH_RESULTS;
  const size_t size = reduces ? ours->info.result_size : size_in_buffer(ours->work, part);
  unsigned char bytes[64];
  const bool small = reduces || part == BENCH_NUMBER;
  int code = read_bytes(ours, part, first * size, count * size, small ? bytes : to);
  if (reduces)
    *(double *)to = number_as_double(ours->info.result_type, bytes);
  else if (small)
    memcpy(to, bytes, sizeof(uint64_t));
  return code;
}

// ---- The check of each run

// Compares part by part, because the bytes between parts mean nothing.
static bool same_parts(const struct ours *ours, const unsigned char *a, const unsigned char *b) {
  clred_part part;
  for (size_t i = 0; clred_plan_part(ours->plans[BENCH_WALL], i, &part) == CL_SUCCESS; i++)
    if (!value_same(part.type, a + part.offset, b + part.offset))
      return false;
  return true;
}

// argmin and argmax have two parts, the index and the value.
static bool is_right_place(const struct ours *ours) {
  clred_part index, value;
  cl_ulong found;
  if (clred_plan_part(ours->plans[BENCH_WALL], 0, &index) != CL_SUCCESS ||
      clred_plan_part(ours->plans[BENCH_WALL], 1, &value) != CL_SUCCESS)
    return false;
  memcpy(&found, ours->result + index.offset, sizeof found);
  return expected_allows_place(ours->expected, found, value.type, ours->result + value.offset);
}

// Results of several parts have no other check than the library's own reference on the host.
static bool is_right(const struct ours *ours) {
  const struct expected *expected = ours->expected;
  if (expected->whole || expected->real)
    return expected_allows(expected, ours->result, verify_depth(&ours->info, expected->count));
  if (expected->place)
    return is_right_place(ours);
  unsigned char *wanted = calloc(1, ours->info.result_size);
  const clred_host_call call = {.in = expected->elements, .count = expected->count, .out = wanted};
  bool right = wanted != NULL && clred_plan_reference(ours->plans[BENCH_WALL], &call) == CL_SUCCESS &&
               same_parts(ours, wanted, ours->result);
  free(wanted);
  return right;
}

// The first result is checked in full. Later ones must have the same bits, unless the order is free.
static void judge(struct side *side) {
  struct ours *ours = side->own;
  bool same = ours->judged && same_parts(ours, ours->first, ours->result);
  bool free_order = strcmp(ours->info.order, "any") == 0;
  bool right = same ? ours->first_right : (!ours->judged || free_order) && is_right(ours);
  if (!ours->judged) {
    memcpy(ours->first, ours->result, ours->info.result_size);
    ours->first_right = right;
    ours->judged = true;
  }
  side->wrong = side->wrong || !right;
}

bool bench_ours_agree(const struct side *a, const struct side *b) {
  const struct ours *first = a->own, *second = b->own;
  return !first->judged || !second->judged || same_parts(first, first->first, second->first);
}

// Enqueues a call over other elements, so that the next call finds the caches as another program would leave them.
static cl_int enqueue_others(const struct ours *ours, cl_command_queue queue) {
  clred_call call = ours->call;
  call.in = ours->bed->second;
  call.count = ours->bed->others;
  return clred_enqueue(queue, ours->plans[BENCH_DEVICE], &call, 0, NULL, NULL);
}

static int time_calls(const struct ours *ours, enum bench_clock clock, uint64_t calls, double *seconds) {
  cl_command_queue queue = clock == BENCH_DEVICE ? ours->bed->session.queue : ours->bed->wall_queue;
  uint64_t left = clock == BENCH_DEVICE ? 1 : calls;
  cl_int finished = clFinish(queue), status = CL_SUCCESS;
  if (clock == BENCH_DEVICE && ours->bed->others > 0)
    status = enqueue_others(ours, queue);
  double begun = seconds_now();
  for (uint64_t i = 0; i < left && status == CL_SUCCESS; i++)
    status = clred_enqueue(queue, ours->plans[clock], &ours->call, 0, NULL, NULL);
  if (finished == CL_SUCCESS)
    finished = clFinish(queue);
  *seconds = (seconds_now() - begun) / (double)left;
  if (status != CL_SUCCESS)
    return session_check(&ours->bed->session, status);
  if (finished != CL_SUCCESS)
    return failed(finished, "clFinish");
  return clock == BENCH_WALL ? EXIT_DONE
                             : session_check(&ours->bed->session, session_kernel_seconds(ours->plans[clock], seconds));
}

static int run_ours(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds) {
  const struct ours *ours = side->own;
  const size_t size = ours->info.result_size;
  if (ours->expected == NULL)
    return time_calls(ours, clock, calls, seconds);
  int code = spoil_bytes(ours, BENCH_RESULTS, 0, size);
  code = code ? code : time_calls(ours, clock, calls, seconds);
  code = code ? code : read_bytes(ours, BENCH_RESULTS, 0, size, ours->result);
  if (!code)
    judge(side);
  return code;
}

// ---- Opening and closing

static void close_ours(struct side *side) {
  struct ours *ours = side->own;
  for (int clock = 0; clock < BENCH_CLOCKS; clock++)
    clred_plan_release(ours->plans[clock]);
  for (int part = 0; part < BENCH_PARTS; part++)
    buffer_release(ours->parts[part]);
  free(ours->result);
  free(ours);
}

// Sets side->lost if this device refuses the problem. Any other failure ends the run.
static int make_plans(struct ours *ours, struct side *side, const struct plan_side *plan) {
  struct session session = ours->bed->session;
  clred_problem problem = plan->problem;
  if (plan->variant != NULL) {
    variant_enter(plan->variant, &problem);
    session.runtime = plan->variant->runtime;
  }
  for (int clock = 0; clock < BENCH_CLOCKS; clock++) {
    problem.profile = clock == BENCH_DEVICE;
    cl_int status = session_plan(&session, &problem, &ours->plans[clock]);
    if (status == CLRED_STRATEGY_REFUSED || status == CLRED_TYPE_NOT_SUPPORTED || status == CLRED_OPERATOR_TEXT) {
      snprintf(side->lost, sizeof side->lost, "%s", clred_last_error(session.runtime));
      return EXIT_DONE;
    }
    if (status != CL_SUCCESS)
      return session_check(&session, status);
  }
  return session_check(&session, clred_plan_inspect(ours->plans[BENCH_WALL], plan->call.count, &ours->info));
}

static void note_choice(const struct ours *ours, struct bench_row *row) {
  snprintf(row->strategy, sizeof row->strategy, "%s", ours->info.strategy);
  snprintf(row->finish, sizeof row->finish, "%s", ours->info.finish == NULL ? "" : ours->info.finish);
  snprintf(row->order, sizeof row->order, "%s", ours->info.order);
}

int bench_ours_open(struct side *side, const struct bench_bed *bed, const struct plan_side *plan,
                    struct bench_row *row) {
  struct ours *ours = calloc(1, sizeof *ours);
  if (ours == NULL)
    return fail_memory();
  *ours = (struct ours){.bed = bed, .work = plan->work, .expected = plan->expected, .call = plan->call};
  *side = (struct side){.kind = plan->reference ? SIDE_LIMIT : SIDE_OURS,
                        .has_device_clock = true,
                        .bytes = plan->bytes,
                        .run = run_ours,
                        .spoil = plan->work == NULL ? NULL : spoil_ours,
                        .read = plan->work == NULL ? NULL : read_ours,
                        .close = close_ours,
                        .work = plan->work,
                        .own = ours};
  snprintf(side->name, sizeof side->name, "%s", plan->name);
  int code = make_plans(ours, side, plan);
  if (code || *side->lost != '\0')
    return code;
  note_choice(ours, row);
  return make_parts(ours, plan);
}

void ours_set_strategy(clred_problem *problem, const struct bench_strategy *strategy) {
  problem->strategy = strategy->name;
  problem->order = strategy->order;
  problem->finish = *strategy->finish == '\0' ? NULL : strategy->finish;
}
