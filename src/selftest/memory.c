// Probes of data transfers: between host and device, and from one launch to the next.
#include <string.h>

#include "platform/platform.h"
#include "selftest/probe.h"

#define COUNT 3000
#define BYTES (COUNT * sizeof(cl_uint))

static void draw(cl_uint *words, cl_ulong seed) {
  for (size_t i = 0; i < COUNT; i++)
    words[i] = (cl_uint)clr_random(&seed);
}

static void report_error(struct clr_prober *prober) {
  if (prober->err)
    clr_probe_say(prober, CLRED_WRONG, "failed with %s", clr_status_name(prober->err));
}

// ---------------------------------------------------------------- Reads, writes, copies

void clr_probe_transfers(struct clr_prober *prober) {
  const size_t from = 40, some = 1000;  // bytes
  cl_uint words[COUNT], got[COUNT] = {0}, piece[COUNT];
  struct clr_status ignored;
  draw(words, 1);
  draw(piece, 2);
  cl_mem a = clr_probe_buffer(prober, BYTES, words), b = NULL;
  if (!prober->err)
    prober->err = clr_session_buffer(&prober->session, BYTES, piece, &b, &ignored);
  clr_probe_write(prober, a, from, some, piece);
  memcpy((char *)words + from, piece, some);
  clr_probe_read(prober, a, 0, BYTES, got);
  if (!prober->err && memcmp(words, got, BYTES) != 0)
    clr_probe_say(prober, CLRED_WRONG, "what was written from byte %zu on is not what is read", from);
  clr_probe_read(prober, b, from, some, got);
  if (!prober->err && memcmp((char *)piece + from, got, some) != 0)
    clr_probe_say(prober, CLRED_WRONG, "a buffer made as a copy, read from byte %zu on, is not what was copied", from);
  cl_int err_of_copy =
    prober->err ? prober->err : clEnqueueCopyBuffer(prober->session.queue, a, b, 0, 0, BYTES, 0, NULL, NULL);
  if (!err_of_copy)
    clr_probe_read(prober, b, 0, BYTES, got);
  if (!prober->err && (err_of_copy || memcmp(words, got, BYTES) != 0))
    clr_probe_say(prober, CLRED_AVOIDED, "clEnqueueCopyBuffer does not copy; it is not used");
  report_error(prober);
}

void clr_probe_fills(struct clr_prober *prober) {
  const cl_ulong pattern[2] = {0x0123456789abcdefu, 0};
  cl_uint words[COUNT], got[COUNT];
  draw(words, 3);
  cl_mem buffer = clr_probe_buffer(prober, BYTES, words);
  cl_int err_of_fill = prober->err ? prober->err
                                   : clEnqueueFillBuffer(prober->session.queue, buffer, pattern, sizeof pattern, 32,
                                                         sizeof pattern, 0, NULL, NULL);
  memcpy(words + 8, pattern, sizeof pattern);
  clr_probe_read(prober, buffer, 0, BYTES, got);
  if (!prober->err && (err_of_fill || memcmp(words, got, BYTES) != 0))
    clr_probe_correct(prober, "fills", 0, "clEnqueueFillBuffer: %s",
                      err_of_fill ? clr_status_name(err_of_fill) : "the buffer has wrong contents");
  report_error(prober);
}

// ---------------------------------------------------------------- Mapping

static void map_and(struct clr_prober *prober, cl_mem buffer, cl_map_flags how, cl_uint *seen, const cl_uint *written) {
  cl_command_queue queue = prober->session.queue;
  if (prober->err)
    return;
  void *memory = clEnqueueMapBuffer(queue, buffer, CL_TRUE, how, 0, BYTES, 0, NULL, NULL, &prober->err);
  if (prober->err)
    return;
  if (seen)
    memcpy(seen, memory, BYTES);
  if (written)
    memcpy(memory, written, BYTES);
  prober->err = clEnqueueUnmapMemObject(queue, buffer, memory, 0, NULL, NULL);
  if (!prober->err)
    prober->err = clFinish(queue);
}

void clr_probe_mapping(struct clr_prober *prober) {
  cl_uint words[COUNT], others[COUNT], got[COUNT];
  draw(words, 4);
  draw(others, 5);
  cl_mem buffer = clr_probe_buffer(prober, BYTES, words);
  map_and(prober, buffer, CL_MAP_READ, got, NULL);
  if (!prober->err && memcmp(words, got, BYTES) != 0)
    clr_probe_say(prober, CLRED_WRONG, "what is mapped is not what was written");
  map_and(prober, buffer, CL_MAP_WRITE, NULL, others);
  clr_probe_read(prober, buffer, 0, BYTES, got);
  if (!prober->err && memcmp(others, got, BYTES) != 0)
    clr_probe_say(prober, CLRED_WRONG, "what was written where a buffer was mapped is not there");
  report_error(prober);
}

// ---------------------------------------------------------------- Host memory

static const char limits[] = "probes/limits.cl";

// A kernel reads and writes a buffer in host memory; then the host maps the buffer and checks it.
static bool use_host_memory(struct clr_prober *prober, cl_uint *words) {
  cl_command_queue queue = prober->session.queue;
  cl_uint seen[2] = {0, 0};
  cl_ulong last = COUNT - 1;
  cl_mem buffer = NULL;
  words[0] = 11;
  words[last] = 4;
  cl_kernel kernel = clr_probe_kernel(prober, "", limits, false, "probe_end");
  if (!prober->err)
    buffer =
      clCreateBuffer(prober->session.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES, words, &prober->err);
  const struct clr_argument arguments[] = {CLR_ARGUMENT(buffer), CLR_ARGUMENT(last)};
  clr_probe_launch(prober, kernel, 1, 1, arguments, 2);
  void *memory =
    prober->err ? NULL : clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &prober->err);
  if (!prober->err) {
    seen[0] = words[last];
    seen[1] = ((const cl_uint *)memory)[last];
    prober->err = clEnqueueUnmapMemObject(queue, buffer, memory, 0, NULL, NULL);
  }
  clFinish(queue);
  if (buffer)
    clReleaseMemObject(buffer);
  return seen[0] == 15 && seen[1] == 15;
}

void clr_probe_host_memory(struct clr_prober *prober) {
  if (!prober->reported->unified_memory) {
    clr_probe_say(prober, CLRED_LACKING, "device and host do not share their memory");
    return;
  }
  cl_uint *words = clr_aligned_alloc(4096, (BYTES + 4095) / 4096 * 4096);
  bool good = words && use_host_memory(prober, words);
  clr_aligned_free(words);
  if (!good)
    clr_probe_correct(prober, "unified_memory", 0, "a buffer in the host's memory: %s",
                      prober->err ? clr_status_name(prober->err) : "the host does not see what a kernel wrote");
}

// ---------------------------------------------------------------- Queues

#define STEPS 100
#define ITEMS 256

// Check the event's state first: some drivers wait forever on an event that follows a failed one.
static cl_int check_event(cl_event event) {
  cl_int state = CL_COMPLETE,
         err = clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
  return err || state >= 0 ? err : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

// Enqueues dependent steps, ordered by an in-order queue or by events.
static cl_int walk(cl_command_queue queue, cl_kernel kernel, cl_mem words, bool by_events) {
  const size_t items = ITEMS, one = 1;
  cl_event events[STEPS] = {NULL};
  cl_int err = clSetKernelArg(kernel, 0, sizeof words, &words);
  for (cl_uint step = 0; step < STEPS && !err; step++) {
    const cl_event *last = by_events && step > 0 ? &events[step - 1] : NULL;
    err = clSetKernelArg(kernel, 1, sizeof step, &step);
    if (!err && last)
      err = check_event(*last);
    if (!err)
      err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &one, last ? 1 : 0, last,
                                   by_events ? &events[step] : NULL);
  }
  cl_int finished = clFinish(queue);
  for (cl_uint step = 0; step < STEPS && events[step]; step++)
    clReleaseEvent(events[step]);
  return err ? err : finished;
}

static bool steps_follow(struct clr_prober *prober, cl_command_queue queue, bool by_events) {
  cl_uint words[2 * ITEMS] = {0};
  bool good = true;
  for (cl_uint i = 0; i < ITEMS; i++)
    words[ITEMS + i] = words[i] = 1000 * i;
  cl_kernel kernel = clr_probe_kernel(prober, "", limits, false, "probe_step");
  cl_mem buffer = clr_probe_buffer(prober, sizeof words, words);
  if (!prober->err)
    prober->err = walk(queue, kernel, buffer, by_events);
  clr_probe_read(prober, buffer, 0, sizeof words, words);
  for (cl_uint i = 0; i < ITEMS && !prober->err; i++)
    good &= words[i] == 1000 * ((i + STEPS) % ITEMS) + STEPS;
  clr_probe_drop(prober);
  return good && !prober->err;
}

void clr_probe_queues(struct clr_prober *prober) {
  cl_int none;
  if (!steps_follow(prober, prober->session.queue, false))
    clr_probe_say(prober, CLRED_WRONG, "launches of an in-order queue do not see what those before them wrote%s",
                  clr_probe_because(prober));
  cl_command_queue queue = clCreateCommandQueue(prober->session.context, prober->programs.device,
                                                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &none);
  if (none)
    return;
  prober->err = CL_SUCCESS;
  if (!steps_follow(prober, queue, true))
    clr_probe_say(prober, CLRED_WRONG, "launches of an out-of-order queue do not see what those they wait for wrote%s",
                  clr_probe_because(prober));
  clReleaseCommandQueue(queue);
}
