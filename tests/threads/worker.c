// One thread: alternates between two queues with several calls in flight, and compares every result. See stress.h.

#include "stress.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ASIDE_PERCENT 25

static void set_trouble(struct worker *worker, const char *what, const char *why) {
  if (!worker->trouble[0])
    snprintf(worker->trouble, sizeof worker->trouble, "%s: %s", what, why);
}

static void check(struct worker *worker, const char *what, cl_int err) {
  if (err)
    set_trouble(worker, what, clred_status_name(err));
}

// ---------------------------------------------------------------- The end of a call

static void wait(struct worker *worker, struct ticket *ticket) {
  cl_int state = CL_COMPLETE;
  cl_int err = ticket->event ? clWaitForEvents(1, &ticket->event) : clFinish(ticket->queue);
  if (ticket->event && !err)
    err = clGetEventInfo(ticket->event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  check(worker, "waiting", err);
  if (state != CL_COMPLETE)
    set_trouble(worker, subjects[ticket->subject].name, "its event is not complete after waiting");
  if (ticket->event)
    clReleaseEvent(ticket->event);
  ticket->event = NULL;
}

static void compare(struct worker *worker, struct ticket *ticket) {
  const struct subject *subject = &subjects[ticket->subject];
  cl_ulong out[NUMBERS];
  cl_int keys[NUMBERS];
  char text[200];
  cl_int err = CL_SUCCESS;
  if (ticket->asked.in_memory)
    memcpy(out, &ticket->asked.result, sizeof ticket->asked.result);
  else
    err = clEnqueueReadBuffer(ticket->queue, ticket->out, CL_TRUE, 0, ticket->asked.bytes, out, 0, NULL, NULL);
  if (!err && ticket->asked.has_keys)
    err = clEnqueueReadBuffer(ticket->queue, ticket->keys_out, CL_TRUE, 0, sizeof keys, keys, 0, NULL, NULL);
  check(worker, "reading results", err);
  if (err || call_is_right(&subject->problem, &worker->shared->numbers, &ticket->asked, out, keys))
    return;
  snprintf(text, sizeof text, "wrong: from %llu, %llu elements, %llu rows", (unsigned long long)ticket->asked.first,
           (unsigned long long)ticket->asked.count, (unsigned long long)ticket->asked.rows);
  set_trouble(worker, subject->name, text);
}

static void complete(struct worker *worker, struct ticket *ticket) {
  if (!ticket->is_taken)
    return;
  wait(worker, ticket);
  if (!worker->trouble[0])
    compare(worker, ticket);
  ticket->is_taken = false;
}

// ---------------------------------------------------------------- A call

// Sometimes a call waits for one on the thread's other queue, which must be flushed then.
static cl_event draw_wait(struct worker *worker, size_t queue) {
  struct ticket *other = &worker->tickets[!queue][random_below(&worker->random, IN_FLIGHT)];
  if (!other->is_taken || !other->event || random_below(&worker->random, 3))
    return NULL;
  check(worker, "flushing", clFlush(other->queue));
  return other->event;
}

static void enqueue(struct worker *worker, size_t queue, struct ticket *ticket) {
  const struct shared *shared = worker->shared;
  const cl_event waits = draw_wait(worker, queue);
  const struct call_limits limits = {.elements = 2048, .rows = 20};
  ticket->subject = random_below(&worker->random, subject_count);
  const clred_call call = call_draw(&subjects[ticket->subject].problem, &shared->numbers, limits, ticket->out,
                                    ticket->keys_out, &ticket->asked, &worker->random);
  const cl_int err = clred_enqueue(worker->queues[queue], shared->plans[ticket->subject], &call, waits ? 1 : 0,
                                   waits ? &waits : NULL, random_below(&worker->random, 2) ? &ticket->event : NULL);
  check(worker, subjects[ticket->subject].name, err);
  ticket->is_taken = !err;
  worker->asked[ticket->subject]++;
}

static void do_aside(struct worker *worker, size_t queue) {
  unsigned weight = 0;
  size_t i = 0;
  for (size_t a = 0; a < aside_count; a++)
    weight += asides[a].weight;
  for (uint64_t at = random_below(&worker->random, weight); at >= asides[i].weight; i++)
    at -= asides[i].weight;
  const char *trouble = asides[i].run(worker->shared, worker->queues[queue], &worker->random);
  worker->done_aside[i]++;
  if (trouble)
    set_trouble(worker, asides[i].name, trouble);
}

void worker_run(struct worker *worker) {
  for (unsigned i = 0; i < QUEUES * worker->calls && !worker->trouble[0]; i++) {
    const size_t queue = i % QUEUES;
    struct ticket *ticket = &worker->tickets[queue][random_below(&worker->random, IN_FLIGHT)];
    complete(worker, ticket);
    if (worker->trouble[0])
      break;
    if (random_below(&worker->random, 100) < ASIDE_PERCENT)
      do_aside(worker, queue);
    else
      enqueue(worker, queue, ticket);
  }
  for (size_t queue = 0; queue < QUEUES; queue++)
    for (size_t i = 0; i < IN_FLIGHT; i++)
      complete(worker, &worker->tickets[queue][i]);
}

// ---------------------------------------------------------------- Beginning and end

static cl_mem make_buffer(struct worker *worker, size_t bytes) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(worker->shared->device.context, CL_MEM_READ_WRITE, bytes, NULL, &err);
  check(worker, "clCreateBuffer", err);
  return buffer;
}

// The first queue of each thread is in order. The second one is out of order if the device has such queues.
void worker_open(struct worker *worker, struct shared *shared, uint64_t seed, unsigned calls) {
  memset(worker, 0, sizeof *worker);
  worker->shared = shared;
  worker->random = random_seed(seed);
  worker->calls = calls;
  for (size_t queue = 0; queue < QUEUES; queue++) {
    const cl_command_queue_properties order =
      queue && shared->out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    cl_int err;
    worker->queues[queue] =
      clCreateCommandQueue(shared->device.context, shared->device.id, order | CL_QUEUE_PROFILING_ENABLE, &err);
    check(worker, "clCreateCommandQueue", err);
    for (size_t i = 0; i < IN_FLIGHT; i++)
      worker->tickets[queue][i] = (struct ticket){.queue = worker->queues[queue],
                                                  .out = make_buffer(worker, NUMBERS * sizeof(cl_ulong)),
                                                  .keys_out = make_buffer(worker, NUMBERS * sizeof(cl_int))};
  }
}

void worker_close(struct worker *worker) {
  for (size_t queue = 0; queue < QUEUES; queue++) {
    for (size_t i = 0; i < IN_FLIGHT; i++) {
      RELEASE(worker->tickets[queue][i].out, worker->tickets[queue][i].keys_out);
    }
    clReleaseCommandQueue(worker->queues[queue]);
  }
}
