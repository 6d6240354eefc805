// Whether a call fails, and which objects live: see fault_state.h.
#include "fault_state.h"

#include <string.h>

#define LISTED_MAX 65536
#define NOTED_MAX 256

const struct _cl_icd_dispatch *fault_below;
struct fault_pretence fault_pretence;

static struct {
  bool armed, gone;
  int paused;
  struct fault_plan plan;
  struct fault_seen seen;
  long live[FAULT_KINDS];
  unsigned char listed[LISTED_MAX];
  size_t listed_count;
} state;

// ---------------------------------------------------------------- Whether a call fails

static void list(enum fault_entry entry) {
  if (state.listed_count < LISTED_MAX)
    state.listed[state.listed_count] = (unsigned char)entry;
  state.listed_count++;
}

static bool can_be_late(enum fault_entry entry) {
  return entry == FAULT_clEnqueueNDRangeKernel || entry == FAULT_clEnqueueReadBuffer ||
         entry == FAULT_clEnqueueWriteBuffer || entry == FAULT_clEnqueueCopyBuffer ||
         entry == FAULT_clEnqueueFillBuffer || entry == FAULT_clEnqueueMarkerWithWaitList;
}

// Whether this is the call that must fail.
static bool is_meant(enum fault_entry entry) {
  if (state.gone)
    return true;
  if (state.plan.mode == FAULT_LATE && !can_be_late(entry))
    return false;
  return ++state.seen.calls == state.plan.at;
}

static bool is_in_order(cl_command_queue queue) {
  cl_command_queue_properties properties = 0;
  fault_below->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

// In an in-order queue the commands after a failed one depend on it, and PoCL aborts there: late failures need a queue
// that is out of order.
static bool falls(enum fault_entry entry, cl_command_queue queue, cl_int *code) {
  const struct fault_row *row = &fault_rows[entry];
  if (!state.armed || state.paused || !row->codes)
    return false;
  list(entry);
  if (state.plan.mode == FAULT_LATE && (!queue || is_in_order(queue)))
    return false;
  if (!is_meant(entry))
    return false;
  if (!state.gone && state.plan.mode != FAULT_LATE && state.plan.code >= row->code_count) {
    state.seen.too_far = true;
    return false;
  }
  *code = row->codes[state.plan.code % row->code_count];
  if (state.gone)
    return true;
  state.seen.entry = entry;
  state.seen.code = *code;
  state.gone = state.plan.mode == FAULT_ON;
  if (state.gone)
    fault_end_all();
  return true;
}

bool fault_falls(enum fault_entry entry, cl_int *code) {
  return falls(entry, NULL, code);
}

bool fault_refuses(enum fault_entry entry, cl_int *err) {
  cl_int code;
  const bool refuses = fault_falls(entry, &code);
  if (refuses && err)
    *err = code;
  return refuses;
}

bool fault_falls_or_late(enum fault_entry entry, cl_command_queue queue, cl_int *code, bool *late) {
  const bool meant = falls(entry, queue, code);
  *late = meant && state.plan.mode == FAULT_LATE;
  return meant && !*late;
}

// ---------------------------------------------------------------- What lives

void fault_count_live(enum fault_kind kind, long change) {
  state.live[kind] += change;
}

long fault_live_of(enum fault_kind kind) {
  return state.live[kind];
}

static struct {
  cl_command_queue queue;
  int references;
} queues[NOTED_MAX];
static cl_event user_events[NOTED_MAX];

void fault_note_queue(cl_command_queue queue, int references) {
  size_t i = 0;
  while (i < NOTED_MAX && queues[i].queue != queue)
    i++;
  for (size_t j = 0; i == NOTED_MAX && j < NOTED_MAX; j++)
    i = queues[j].queue ? i : j;
  if (i == NOTED_MAX)
    return;
  queues[i].queue = queue;
  queues[i].references += references;
  if (queues[i].references <= 0)
    queues[i].queue = NULL;
}

void fault_note_user_event(cl_event event, bool has_value) {
  size_t i = 0;
  while (i < NOTED_MAX && user_events[i] != (has_value ? NULL : event))
    i++;
  if (i < NOTED_MAX)
    user_events[i] = has_value ? event : NULL;
}

// Ends all commands, so that the vanished device no longer reads or writes the caller's memory.
void fault_end_all(void) {
  for (size_t i = 0; i < NOTED_MAX; i++)
    if (user_events[i])
      fault_below->clSetUserEventStatus(user_events[i], CL_OUT_OF_RESOURCES);
  for (size_t i = 0; i < NOTED_MAX; i++)
    if (queues[i].queue)
      fault_below->clFinish(queues[i].queue);
}

// PoCL aborts if an event fails after its last reference was released, so this one is never released.
cl_int fault_enqueue_failing(cl_command_queue queue, cl_event *event) {
  cl_context context = NULL;
  cl_event cause, failing;
  cl_int err = fault_below->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (err)
    return err;
  cause = fault_below->clCreateUserEvent(context, &err);
  if (err)
    return err;
  err = fault_below->clEnqueueMarkerWithWaitList(queue, 1, &cause, &failing);
  fault_below->clSetUserEventStatus(cause, CL_OUT_OF_RESOURCES);
  fault_below->clReleaseEvent(cause);
  if (err)
    return err;
  fault_below->clWaitForEvents(1, &failing);
  if (event) {
    *event = failing;
    fault_below->clRetainEvent(failing);
  }
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Control

static void arm(const struct fault_plan *plan) {
  state.armed = true;
  state.gone = false;
  state.plan = *plan;
  state.seen = (struct fault_seen){.entry = FAULT_ENTRIES};
  state.listed_count = 0;
}

static void disarm(struct fault_seen *seen) {
  state.armed = state.gone = false;
  *seen = state.seen;
}

static bool has_fallen(void) {
  return state.seen.entry != FAULT_ENTRIES;
}

static void pause_(bool paused) {
  state.paused += paused ? 1 : -1;
}

static size_t listed(unsigned char *entries, size_t room) {
  const size_t kept = state.listed_count < LISTED_MAX ? state.listed_count : LISTED_MAX;
  memcpy(entries, state.listed, kept < room ? kept : room);
  return state.listed_count;
}

static void live(long counts[FAULT_KINDS]) {
  memcpy(counts, state.live, sizeof state.live);
}

static void pretend(const struct fault_pretence *pretence) {
  fault_pretence = *pretence;
}

static const char *const kinds[FAULT_KINDS] = {"contexts", "devices", "queues", "buffers",
                                               "programs", "kernels", "events", "mappings"};

extern const struct fault_control clr_fault_control;
__attribute__((visibility("default")))
const struct fault_control clr_fault_control = {.arm = arm,
                                                .disarm = disarm,
                                                .has_fallen = has_fallen,
                                                .pause = pause_,
                                                .list = listed,
                                                .live = live,
                                                .pretend = pretend,
                                                .keep_programs = fault_keep_programs,
                                                .strange_binaries = fault_strange_binaries,
                                                .kinds = kinds};
