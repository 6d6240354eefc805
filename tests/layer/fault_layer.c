// An OpenCL layer (OPENCL_LAYERS) that makes chosen calls fail, and counts calls and live objects. Programs control it
// by fault_layer.h or by the environment: FAULT_AT (the number of a call, from 1), FAULT_CODE (an index of the entry's
// codes), FAULT_MODE (once, on, late). At exit FAULT_REPORT, a file, gets what failed and which objects live.
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault_layer.h"
#include "prototypes.h"

#define LISTED_MAX 65536
#define NOTED_MAX 256

static const struct _cl_icd_dispatch *below;  // the driver's functions
static struct fault_pretence pretence;

static struct {
  bool armed, gone;
  int paused;
  struct fault_plan plan;
  struct fault_seen seen;
  long live[FAULT_KINDS];
  unsigned char listed[LISTED_MAX];
  size_t listed_count;
} state;

// ---------------------------------------------------------------- What lives

static void count_live(enum fault_kind kind, long change) {
  state.live[kind] += change;
}

static struct {
  cl_command_queue queue;
  int references;
} queues[NOTED_MAX];
static cl_event user_events[NOTED_MAX];

// Records the queues and user events that exist, because a device that vanishes must end all commands.
static void note_queue(cl_command_queue queue, int references) {
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

static void note_user_event(cl_event event, bool has_value) {
  size_t i = 0;
  while (i < NOTED_MAX && user_events[i] != (has_value ? NULL : event))
    i++;
  if (i < NOTED_MAX)
    user_events[i] = has_value ? event : NULL;
}

// Ends all commands, so that the vanished device no longer reads or writes the caller's memory.
static void end_all(void) {
  for (size_t i = 0; i < NOTED_MAX; i++)
    if (user_events[i])
      below->clSetUserEventStatus(user_events[i], CL_OUT_OF_RESOURCES);
  for (size_t i = 0; i < NOTED_MAX; i++)
    if (queues[i].queue)
      below->clFinish(queues[i].queue);
}

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
  below->clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  return !(properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

// Counts the call. True if it must fail, with this code. In an in-order queue the commands after a failed one depend on
// it, and PoCL aborts there. So late failures need an out-of-order queue; `queue` is NULL if the call has none.
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
    end_all();
  return true;
}

// The same for a call that makes an object: stores the code in `err` if that is not NULL.
static bool refuses(enum fault_entry entry, cl_int *err) {
  cl_int code;
  const bool fails = falls(entry, NULL, &code);
  if (fails && err)
    *err = code;
  return fails;
}

// The same for a command. If `late` is set, the call succeeds and its command must end in an error.
static bool falls_or_late(enum fault_entry entry, cl_command_queue queue, cl_int *code, bool *late) {
  const bool meant = falls(entry, queue, code);
  *late = meant && state.plan.mode == FAULT_LATE;
  return meant && !*late;
}

// Enqueues a command that ends in an error, instead of the caller's. PoCL aborts if an event fails after its last
// reference was released, so this event is never released.
static cl_int enqueue_failing(cl_command_queue queue, cl_event *event) {
  cl_context context = NULL;
  cl_event cause, failing;
  cl_int err = below->clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  if (err)
    return err;
  cause = below->clCreateUserEvent(context, &err);
  if (err)
    return err;
  err = below->clEnqueueMarkerWithWaitList(queue, 1, &cause, &failing);
  below->clSetUserEventStatus(cause, CL_OUT_OF_RESOURCES);
  below->clReleaseEvent(cause);
  if (err)
    return err;
  below->clWaitForEvents(1, &failing);
  if (event) {
    *event = failing;
    below->clRetainEvent(failing);
  }
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Wrappers
//
// The loader calls these functions instead of the driver's. Parameters and arguments have the names of CL/cl.h
// (prototypes.h).

#define FAULT_WRAPPED(name) static CL_API_ENTRY RETURNS_##name CL_API_CALL wrap_##name PARAMETERS_##name

// A call that returns only a status. The statement `then` runs after the driver's function.
#define FAULT_CALL_THEN(name, then) \
  FAULT_WRAPPED(name) { \
    cl_int code; \
    if (falls(FAULT_##name, NULL, &code)) \
      return code; \
    code = below->name ARGUMENTS_##name; \
    then; \
    return code; \
  }
#define FAULT_CALL(name) FAULT_CALL_THEN(name, (void)0)

// A call that makes an object. The statement `note` runs if the driver made the object.
#define FAULT_MAKE(name, kind, note) \
  FAULT_WRAPPED(name) { \
    if (refuses(FAULT_##name, errcode_ret)) \
      return NULL; \
    RETURNS_##name made = below->name ARGUMENTS_##name; \
    count_live(kind, made != NULL); \
    if (made) \
      note; \
    return made; \
  }

// A retain or a release. The statement `note` runs before the driver's function.
#define FAULT_COUNT_NOTED(name, kind, change, note) \
  FAULT_WRAPPED(name) { \
    note; \
    const cl_int code = below->name ARGUMENTS_##name; \
    count_live(kind, code == CL_SUCCESS ? change : 0); \
    return code; \
  }
#define FAULT_COUNT(name, kind, change) FAULT_COUNT_NOTED(name, kind, change, (void)0)

// ---------------------------------------------------------------- Queries

#define OTHER(name, ...)
#define OTHER_COUNTED(name)
#define FAULT_PLAIN(name, ...) FAULT_CALL(name)
FAULT_ENTRY_MAP(OTHER, FAULT_PLAIN, OTHER_COUNTED)

// These two report what the program pretends.
FAULT_CALL_THEN(clGetDeviceInfo, {
  if (!code && param_value && param_name == CL_DEVICE_TYPE && pretence.gpu)
    *(cl_device_type *)param_value = CL_DEVICE_TYPE_GPU;
})
FAULT_CALL_THEN(clGetKernelWorkGroupInfo, {
  if (!code && param_value && param_name == CL_KERNEL_WORK_GROUP_SIZE && pretence.kernel_group_size)
    *(size_t *)param_value = pretence.kernel_group_size;
})

// ---------------------------------------------------------------- Objects: made, retained and released

FAULT_MAKE(clCreateContext, FAULT_CONTEXTS, (void)0)
FAULT_MAKE(clCreateBuffer, FAULT_BUFFERS, (void)0)
FAULT_MAKE(clCreateKernel, FAULT_KERNELS, (void)0)
FAULT_MAKE(clCreateCommandQueue, FAULT_QUEUES, note_queue(made, 1))
FAULT_MAKE(clCreateUserEvent, FAULT_EVENTS, note_user_event(made, true))

// Tests make these for buffers between guards. The library makes none, so they never fail.
FAULT_WRAPPED(clCreateSubBuffer) {
  cl_mem made = below->clCreateSubBuffer ARGUMENTS_clCreateSubBuffer;
  count_live(FAULT_BUFFERS, made != NULL);
  return made;
}

// A user event that is set no longer blocks commands.
FAULT_WRAPPED(clSetUserEventStatus) {
  cl_int code;
  if (falls(FAULT_clSetUserEventStatus, NULL, &code))
    return code;
  note_user_event(event, false);
  return below->clSetUserEventStatus(event, execution_status);
}

FAULT_COUNT_NOTED(clRetainCommandQueue, FAULT_QUEUES, 1, note_queue(command_queue, 1))
FAULT_COUNT_NOTED(clReleaseCommandQueue, FAULT_QUEUES, -1, note_queue(command_queue, -1))
FAULT_COUNT(clRetainDevice, FAULT_DEVICES, 1)
FAULT_COUNT(clReleaseDevice, FAULT_DEVICES, -1)
FAULT_COUNT(clRetainContext, FAULT_CONTEXTS, 1)
FAULT_COUNT(clReleaseContext, FAULT_CONTEXTS, -1)
FAULT_COUNT(clRetainMemObject, FAULT_BUFFERS, 1)
FAULT_COUNT(clReleaseMemObject, FAULT_BUFFERS, -1)
FAULT_COUNT(clRetainKernel, FAULT_KERNELS, 1)
FAULT_COUNT(clReleaseKernel, FAULT_KERNELS, -1)
FAULT_COUNT(clRetainEvent, FAULT_EVENTS, 1)

// A user event that is released can no longer be set.
FAULT_COUNT_NOTED(clReleaseEvent, FAULT_EVENTS, -1, note_user_event(event, false))

// ---------------------------------------------------------------- Commands, and waits for them

// A blocking transfer returns the error of its command as its status.
static cl_int end_late(cl_command_queue queue, cl_bool blocking, cl_event *event) {
  const cl_int code = enqueue_failing(queue, blocking ? NULL : event);
  return code || !blocking ? code : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

// Wraps a function that enqueues a command with a wait list and an event.
#define FAULT_ENQUEUED(name, blocking) \
  FAULT_WRAPPED(name) { \
    bool late; \
    cl_int code; \
    if (falls_or_late(FAULT_##name, command_queue, &code, &late)) \
      return code; \
    code = late ? end_late(command_queue, blocking, event) : below->name ARGUMENTS_##name; \
    count_live(FAULT_EVENTS, !code && event); \
    return code; \
  }

FAULT_ENQUEUED(clEnqueueNDRangeKernel, CL_FALSE)
FAULT_ENQUEUED(clEnqueueCopyBuffer, CL_FALSE)
FAULT_ENQUEUED(clEnqueueFillBuffer, CL_FALSE)
FAULT_ENQUEUED(clEnqueueCopyBufferRect, CL_FALSE)
FAULT_ENQUEUED(clEnqueueMarkerWithWaitList, CL_FALSE)
FAULT_ENQUEUED(clEnqueueReadBuffer, blocking_read)
FAULT_ENQUEUED(clEnqueueWriteBuffer, blocking_write)

FAULT_WRAPPED(clEnqueueMapBuffer) {
  if (refuses(FAULT_clEnqueueMapBuffer, errcode_ret))
    return NULL;
  void *mapped = below->clEnqueueMapBuffer ARGUMENTS_clEnqueueMapBuffer;
  count_live(FAULT_MAPPINGS, mapped != NULL);
  count_live(FAULT_EVENTS, mapped && event);
  return mapped;
}

// The mapping counts as ended even if the call fails: the caller cannot end it again.
FAULT_WRAPPED(clEnqueueUnmapMemObject) {
  cl_int code;
  count_live(FAULT_MAPPINGS, -1);
  if (falls(FAULT_clEnqueueUnmapMemObject, NULL, &code)) {
    below->clEnqueueUnmapMemObject(command_queue, memobj, mapped_ptr, 0, NULL, NULL);
    return code;
  }
  code = below->clEnqueueUnmapMemObject ARGUMENTS_clEnqueueUnmapMemObject;
  count_live(FAULT_EVENTS, !code && event);
  return code;
}

// Waits before it returns a planted failure. After a failed wait of a real driver, too, no command of the queue runs.
#define FAULT_WAIT(name) \
  FAULT_WRAPPED(name) { \
    cl_int code; \
    const bool fell = falls(FAULT_##name, NULL, &code); \
    const cl_int waited = below->name ARGUMENTS_##name; \
    return fell ? code : waited; \
  }
FAULT_WAIT(clWaitForEvents)
FAULT_WAIT(clFinish)

// ---------------------------------------------------------------- Programs that are kept

// If programs are kept, a text is built only once with the same options. Later calls are counted, but they do not reach
// the driver.
struct kept {
  struct kept *next;
  cl_program program;
  cl_context context;
  char *text, *options;  // options NULL: not built
};

static bool keeps;
static struct kept *first;

static struct kept *find_text(cl_context context, const char *text) {
  struct kept *kept = first;
  while (kept && (kept->context != context || !kept->options || strcmp(kept->text, text) != 0))
    kept = kept->next;
  return kept;
}

static struct kept *find_program(cl_program program) {
  struct kept *kept = first;
  while (kept && kept->program != program)
    kept = kept->next;
  return kept;
}

static void forget(struct kept *kept) {
  below->clReleaseProgram(kept->program);
  free(kept->text);
  free(kept->options);
  free(kept);
}

static void keep_programs(bool keep) {
  keeps = keep;
  while (!keep && first) {
    struct kept *kept = first;
    first = kept->next;
    forget(kept);
  }
}

static void keep(cl_context context, cl_program program, const char *text) {
  struct kept *kept = malloc(sizeof *kept);
  if (!kept)
    return;
  *kept = (struct kept){first, program, context, strdup(text), NULL};
  below->clRetainProgram(program);
  first = kept;
}

// ---------------------------------------------------------------- Binaries

#define SUMS_MAX 4096

// Checksums of binaries that the driver returned.
static uint64_t sums[SUMS_MAX];
static size_t sum_count;
static long strange;

static uint64_t sum_of(const unsigned char *bytes, size_t size) {
  uint64_t sum = 0xcbf29ce484222325u ^ size;
  for (size_t i = 0; i < size; i++)
    sum = (sum ^ bytes[i]) * 0x100000001b3u;
  return sum;
}

static bool is_known(uint64_t sum) {
  for (size_t i = 0; i < sum_count && i < SUMS_MAX; i++)
    if (sums[i] == sum)
      return true;
  return false;
}

static void note_returned(cl_program program, unsigned char *const *binaries, size_t count) {
  size_t sizes[64] = {0};
  if (count > 64 || below->clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, NULL))
    return;
  for (size_t i = 0; i < count; i++)
    if (binaries[i] && sizes[i] && !is_known(sum_of(binaries[i], sizes[i])) && sum_count < SUMS_MAX)
      sums[sum_count++] = sum_of(binaries[i], sizes[i]);
}

static void note_received(const unsigned char *bytes, size_t size) {
  strange += !is_known(sum_of(bytes, size));
}

static long strange_binaries(void) {
  return strange;
}

FAULT_CALL_THEN(clGetProgramInfo, {
  if (!code && param_value && param_name == CL_PROGRAM_BINARIES)
    note_returned(program, param_value, param_value_size / sizeof(unsigned char *));
})

// ---------------------------------------------------------------- Made and built

FAULT_WRAPPED(clCreateProgramWithSource) {
  const bool can_keep = keeps && count == 1 && !lengths;
  if (refuses(FAULT_clCreateProgramWithSource, errcode_ret))
    return NULL;
  struct kept *kept = can_keep ? find_text(context, *strings) : NULL;
  count_live(FAULT_PROGRAMS, kept != NULL);
  if (kept && errcode_ret)
    *errcode_ret = CL_SUCCESS;
  if (kept) {
    below->clRetainProgram(kept->program);
    return kept->program;
  }
  cl_program made = below->clCreateProgramWithSource ARGUMENTS_clCreateProgramWithSource;
  count_live(FAULT_PROGRAMS, made != NULL);
  if (made && can_keep)
    keep(context, made, *strings);
  return made;
}

FAULT_WRAPPED(clBuildProgram) {
  struct kept *kept = find_program(program);
  cl_int code;
  if (falls(FAULT_clBuildProgram, NULL, &code))
    return code;
  if (kept && kept->options && strcmp(kept->options, options ? options : "") == 0)
    return CL_SUCCESS;
  code = below->clBuildProgram ARGUMENTS_clBuildProgram;
  if (kept && !code) {
    free(kept->options);
    kept->options = strdup(options ? options : "");
  }
  return code;
}

FAULT_WRAPPED(clCreateProgramWithBinary) {
  cl_int code;
  for (cl_uint i = 0; i < num_devices; i++)
    note_received(binaries[i], lengths[i]);
  if (falls(FAULT_clCreateProgramWithBinary, NULL, &code)) {
    for (cl_uint i = 0; binary_status && i < num_devices; i++)
      binary_status[i] = code;
    if (errcode_ret)
      *errcode_ret = code;
    return NULL;
  }
  cl_program made = below->clCreateProgramWithBinary ARGUMENTS_clCreateProgramWithBinary;
  count_live(FAULT_PROGRAMS, made != NULL);
  return made;
}

FAULT_WRAPPED(clCreateKernelsInProgram) {
  cl_uint made = 0;
  cl_int code;
  if (falls(FAULT_clCreateKernelsInProgram, NULL, &code))
    return code;
  code = below->clCreateKernelsInProgram(program, num_kernels, kernels, &made);
  count_live(FAULT_KERNELS, !code && kernels ? (long)made : 0);
  if (!code && num_kernels_ret)
    *num_kernels_ret = made;
  return code;
}

FAULT_COUNT(clRetainProgram, FAULT_PROGRAMS, 1)

// A program that was not built is not kept.
static void forget_unbuilt(cl_program program) {
  struct kept **at = &first, *kept = find_program(program);
  if (!kept || kept->options)
    return;
  while (*at != kept)
    at = &(*at)->next;
  *at = kept->next;
  forget(kept);
}

FAULT_COUNT_NOTED(clReleaseProgram, FAULT_PROGRAMS, -1, forget_unbuilt(program))

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

static void pretend(const struct fault_pretence *wanted) {
  pretence = *wanted;
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
                                                .keep_programs = keep_programs,
                                                .strange_binaries = strange_binaries,
                                                .kinds = kinds};

// ---------------------------------------------------------------- The environment

static long number(const char *name, long otherwise) {
  const char *text = getenv(name);
  return text && *text ? strtol(text, NULL, 10) : otherwise;
}

static enum fault_mode mode(void) {
  const char *text = getenv("FAULT_MODE");
  return !text || strcmp(text, "once") == 0 ? FAULT_ONCE : strcmp(text, "on") == 0 ? FAULT_ON : FAULT_LATE;
}

static void report(void) {
  FILE *file = fopen(getenv("FAULT_REPORT"), "w");
  struct fault_seen seen;
  if (!file)
    return;
  clr_fault_control.disarm(&seen);
  fprintf(file, "calls %ld\n", seen.calls);
  fprintf(file, "failed %s %d\n", seen.entry < FAULT_ENTRIES ? fault_rows[seen.entry].name : "none",
          seen.entry < FAULT_ENTRIES ? (int)seen.code : 0);
  fprintf(file, "beyond %d\n", seen.too_far);
  for (int i = 0; i < FAULT_KINDS; i++)
    fprintf(file, "live %s %ld\n", clr_fault_control.kinds[i], state.live[i]);
  fclose(file);
}

static void read_environment(void) {
  const struct fault_plan plan = {mode(), number("FAULT_AT", 0), (size_t)number("FAULT_CODE", 0)};
  if (getenv("FAULT_REPORT") && atexit(report) == 0)
    clr_fault_control.arm(&plan);
}

// ---------------------------------------------------------------- The loader's entry point

#define LAYER_API __attribute__((visibility("default")))

static struct _cl_icd_dispatch table;

#define HOOK(name, ...) table.name = wrap_##name;
#define HOOK_COUNTED(name) HOOK(name, )

LAYER_API cl_int CL_API_CALL clInitLayer(cl_uint entries, const struct _cl_icd_dispatch *driver, cl_uint *made,
                                         const struct _cl_icd_dispatch **layer) {
  if (!driver || !made || !layer || entries < sizeof table / sizeof(void *))
    return CL_INVALID_VALUE;
  below = driver;
  FAULT_ENTRY_MAP(HOOK, HOOK, HOOK_COUNTED)
  read_environment();
  *made = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
