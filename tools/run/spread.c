// Spreads loaded elements over several devices.
#include "run/spread.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/verbs.h"

// ---------------------------------------------------------------- Scans

// Scans a share of loaded elements on each of several devices: all fold their shares, the partials are joined, then all
// scan from the partial of everything before their share.

struct scanner {
  struct spread_share share;
  clred_call call;
  clred_partial *before;
  cl_mem out;
  struct spread_fold scan;
};

static int spread_cut(struct spread *spread);
static int spread_begin(struct spread *spread, size_t device, struct spread_share *share, clred_call *call);
static void spread_release(const struct spread *spread, size_t device, struct spread_share *share);

// Joins what is before the share of this device. `before` of the device before it has no elements of its share yet.
static int join_before(const struct spread *spread, size_t device, struct scanner *scanners) {
  int code = spread_partial(spread, device, 0, &scanners[device].before);
  if (code || device == 0)
    return code;
  clred_partial *before = scanners[device].before;
  code = spread_check(spread, device, clred_partial_join(before, scanners[device - 1].before));
  return code ? code : spread_check(spread, device, clred_partial_join(before, scanners[device - 1].share.partial));
}

// The queue is in order, so the marker is complete when the scan can begin.
static int begin_scan(const struct spread *spread, size_t device, size_t size, struct scanner *scanner) {
  const struct spread_device *on = &spread->devices[device];
  const cl_command_queue queue = on->session->queue;
  if (scanner->call.count == 0)
    return EXIT_DONE;
  int code =
    session_room(on->session, NULL, (size_t)scanner->call.count * size, "the results of a share", &scanner->out);
  if (code)
    return code;
  cl_int status = clEnqueueMarkerWithWaitList(queue, 0, NULL, &scanner->scan.begun);
  if (status != CL_SUCCESS)
    return fail_opencl("clEnqueueMarkerWithWaitList", status, "the begin of a scan");
  scanner->call.out = scanner->out;
  scanner->call.initial = spread->job->work.call.initial;
  status = clred_partial_scan(queue, on->plan, scanner->before, scanner->share.partial, &scanner->call, 0, NULL,
                              &scanner->scan.folded);
  return spread_check(spread, device, status);
}

static int read_results(struct spread *spread, size_t device, const struct results *results, struct scanner *scanner) {
  const struct spread_device *on = &spread->devices[device];
  if (scanner->call.count == 0)
    return EXIT_DONE;
  // PoCL 3.1 never ends a blocking command that waits for a failed event.
  cl_int status = clWaitForEvents(1, &scanner->scan.folded);
  if (status != CL_SUCCESS)
    return fail_opencl("clWaitForEvents", status, "the scan of a share");
  int code = spread_wait(spread, device, scanner->before, &scanner->scan);
  return code ? code
              : session_read(on->session, scanner->out, (size_t)scanner->call.count * results->size,
                             results_at(results, on->first), "the results of a share");
}

static int scan_all(struct spread *spread, const struct results *results, struct scanner *scanners) {
  int code = spread_cut(spread);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = spread_begin(spread, i, &scanners[i].share, &scanners[i].call);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = spread_wait(spread, i, scanners[i].share.partial, &scanners[i].share.fold);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = join_before(spread, i, scanners);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = begin_scan(spread, i, results->size, &scanners[i]);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = read_results(spread, i, results, &scanners[i]);
  return code;
}

int spread_scan(struct spread *spread, const struct results *results) {
  struct scanner *scanners = calloc(spread->count, sizeof *scanners);
  if (scanners == NULL)
    return fail_memory();
  int code = scan_all(spread, results, scanners);
  for (size_t i = 0; i < spread->count; i++) {
    spread_release(spread, i, &scanners[i].share);
    spread_drop(&scanners[i].scan);
    clred_partial_release(scanners[i].before);
    buffer_release(scanners[i].out);
  }
  free(scanners);
  return code;
}

// ---------------------------------------------------------------- The devices, and reductions

bool spread_wanted(const struct args *args) {
  return (args->verb->bit & (VERB_REDUCE | VERB_SCAN)) != 0 && device_is_list(args->device);
}

// ---- Devices

// While a device is in use, messages of failures begin with this text.
static void name_device(const struct spread *spread, size_t device, char name[DEVICE_TEXT_SIZE + 40]) {
  const struct device *row = &spread->devices[device].session->device;
  snprintf(name, DEVICE_TEXT_SIZE + 40, "device %zu (%s)", row->index, row->name);
  fail_about(spread->count > 1 ? name : NULL);
}

int spread_check(const struct spread *spread, size_t device, cl_int status) {
  char name[DEVICE_TEXT_SIZE + 40];
  name_device(spread, device, name);
  int code = session_check(spread->devices[device].session, status);
  fail_about(NULL);
  return code;
}

static int open_device(struct spread *spread, size_t index, const struct device *device) {
  struct spread_device *opened = &spread->devices[index];
  const struct job *job = spread->job;
  opened->session = &opened->own;
  spread->count = index + 1;
  int code = session_open_on(&opened->own, device, job->args, true);
  return code ? code : spread_check(spread, index, session_plan(&opened->own, &job->problem, &opened->plan));
}

// The plans of partials.
static int open_folds(struct spread *spread) {
  int code = EXIT_DONE;
  for (size_t i = 0; i < spread->count && !code; i++) {
    struct spread_device *device = &spread->devices[i];
    if (spread->job->problem.scan == CLRED_SCAN_NONE)
      device->folds = device->plan;
    else
      code = spread_check(spread, i, clred_plan_create_scan_partials(device->plan, &device->folds));
  }
  return code;
}

int spread_open(struct spread *spread, struct job *job, clred_plan *plan) {
  struct devices picked = {0};
  *spread = (struct spread){.job = job};
  int code = spread_wanted(job->args) ? devices_pick(job->args->device, &picked) : EXIT_DONE;
  const size_t count = picked.count > 0 ? picked.count : 1;
  if (!code)
    spread->devices = calloc(count, sizeof *spread->devices);
  if (spread->devices != NULL) {
    spread->devices[0] = (struct spread_device){.session = &job->session, .plan = plan};
    spread->count = 1;
  } else if (!code)
    code = fail_memory();
  for (size_t i = 1; i < count && !code; i++)
    code = open_device(spread, i, &picked.list[i]);
  devices_release(&picked);
  return code ? code : open_folds(spread);
}

void spread_close(struct spread *spread) {
  for (size_t i = 0; i < spread->count; i++)
    if (spread->devices[i].folds != spread->devices[i].plan)
      clred_plan_release(spread->devices[i].folds);
  for (size_t i = 1; i < spread->count; i++) {
    clred_plan_release(spread->devices[i].plan);
    session_close(&spread->devices[i].own);
  }
  free(spread->devices);
  *spread = (struct spread){.count = 0};
}

int spread_partial(const struct spread *spread, size_t device, uint64_t first, clred_partial **partial) {
  const struct operation *operation = &spread->job->operation;
  const clred_partial_options options = {.first = first,
                                         .parameters = operation->own ? operation->user.value_pointers : NULL};
  return spread_check(spread, device, clred_partial_create(spread->devices[device].folds, &options, partial));
}

// ---- Folds

// The queue is in order, so the marker is complete when the fold can begin.
int spread_enqueue(const struct spread *spread, size_t device, clred_partial *partial, const clred_call *call,
                   cl_event ready, struct spread_fold *fold) {
  const cl_command_queue queue = spread->devices[device].session->queue;
  cl_int status = clEnqueueMarkerWithWaitList(queue, ready != NULL, ready != NULL ? &ready : NULL, &fold->begun);
  if (status != CL_SUCCESS)
    return fail_opencl("clEnqueueMarkerWithWaitList", status, "the begin of a fold");
  status = clred_partial_fold(queue, partial, call, 0, NULL, &fold->folded);
  if (status != CL_SUCCESS)
    return spread_check(spread, device, status);
  status = clFlush(queue);
  return status ? fail_opencl("clFlush", status, "a fold") : EXIT_DONE;
}

static double seconds_of(const struct spread_fold *fold) {
  cl_ulong begin = 0, end = 0;
  cl_int status = clGetEventProfilingInfo(fold->begun, CL_PROFILING_COMMAND_END, sizeof begin, &begin, NULL);
  if (status == CL_SUCCESS)
    status = clGetEventProfilingInfo(fold->folded, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
  return status == CL_SUCCESS && end >= begin ? (double)(end - begin) * 1e-9 : NAN;
}

void spread_drop(struct spread_fold *fold) {
  if (fold->begun != NULL)
    clReleaseEvent(fold->begun);
  if (fold->folded != NULL)
    clReleaseEvent(fold->folded);
  *fold = (struct spread_fold){.begun = NULL};
}

int spread_wait(struct spread *spread, size_t device, clred_partial *partial, struct spread_fold *fold) {
  clred_partial_info info;
  // Waits for the fold, and has its error.
  int code = fold->folded != NULL ? spread_check(spread, device, clred_partial_inspect(partial, &info)) : EXIT_DONE;
  if (!code && fold->folded != NULL)
    spread->devices[device].seconds += seconds_of(fold);
  spread_drop(fold);
  return code;
}

// ---- Shares

static int check_weights(const struct spread *spread) {
  const struct wholes *weights = &spread->job->args->weights;
  return weights->text == NULL || weights->count == spread->count
           ? EXIT_DONE
           : fail(EXIT_BAD_USE, "--weights %s: has %zu numbers for %zu devices; give one for each", weights->text,
                  weights->count, spread->count);
}

// Sets which of the loaded elements each device gets: by --weights, or equal shares.
static int spread_cut(struct spread *spread) {
  const struct wholes *weights = &spread->job->args->weights;
  double *ratio = calloc(spread->count, sizeof *ratio);
  int code = ratio == NULL ? fail_memory() : check_weights(spread);
  for (size_t i = 0; i < spread->count && !code; i++)
    ratio[i] = weights->text == NULL ? 1 : (double)weights->list[i];
  for (size_t i = 0; i < spread->count && !code; i++) {
    struct spread_device *on = &spread->devices[i];
    cl_ulong first = 0;
    code = spread_check(
      spread, i,
      clred_share_weighted(on->folds, spread->job->work.call.count, spread->count, ratio, i, &first, &on->count));
    on->first = spread->job->args->first.value + first;
  }
  free(ratio);
  return code;
}

// ---- Loaded elements

// The share of the elements of one input, which are `stride` elements apart.
static int make_buffer(const struct spread *spread, size_t device, size_t source, struct spread_share *share) {
  const struct spread_device *on = &spread->devices[device];
  const struct input *input = &spread->job->inputs[source];
  const uint64_t stride = spread->job->work.call.stride > 0 ? spread->job->work.call.stride : 1;
  const size_t size = input->type.size, bytes = (size_t)((on->count - 1) * stride + 1) * size;
  const uint64_t begin = (on->first - spread->job->args->first.value) * stride;
  char *data = (char *)input->data + (size_t)begin * size;
  return session_buffer(on->session, data, bytes, "a share of the input", &share->buffers[source]);
}

// Copies the share of a device to it and enqueues its fold. *call gets the call of the fold.
static int spread_begin(struct spread *spread, size_t device, struct spread_share *share, clred_call *call) {
  const struct job *job = spread->job;
  const struct spread_device *on = &spread->devices[device];
  int code = spread_partial(spread, device, on->first, &share->partial);
  for (size_t i = 0; i <= job->other_count && !code && on->count > 0; i++)
    code = make_buffer(spread, device, i, share);
  *call = job->work.call;
  call->in = share->buffers[0];
  call->inputs = job->other_count > 0 ? share->buffers + 1 : NULL;
  call->count = on->count;
  call->initial = NULL;
  return code || on->count == 0 ? code : spread_enqueue(spread, device, share->partial, call, NULL, &share->fold);
}

// Waits for the device and releases what spread_begin made, also after a failure.
static void spread_release(const struct spread *spread, size_t device, struct spread_share *share) {
  clFinish(spread->devices[device].session->queue);
  spread_drop(&share->fold);
  clred_partial_release(share->partial);
  for (size_t i = 0; i < SPREAD_SOURCES; i++)
    buffer_release(share->buffers[i]);
}

// Starts the folds on all devices before it waits for the first one.
int spread_fold(struct spread *spread, clred_partial *whole) {
  struct spread_share *shares = calloc(spread->count, sizeof *shares);
  clred_call call;
  int code = shares == NULL ? fail_memory() : spread_cut(spread);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = spread_begin(spread, i, &shares[i], &call);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = spread_wait(spread, i, shares[i].partial, &shares[i].fold);
  for (size_t i = 0; i < spread->count && !code; i++)
    code = spread_check(spread, 0, clred_partial_join(whole, shares[i].partial));
  for (size_t i = 0; i < spread->count && shares != NULL; i++)
    spread_release(spread, i, &shares[i]);
  free(shares);
  return code;
}

// ---- Output

cJSON *spread_json(const struct spread *spread) {
  cJSON *list = cJSON_CreateArray();
  for (size_t i = 0; i < spread->count; i++) {
    const struct spread_device *device = &spread->devices[i];
    cJSON *item = json_add_item(list);
    json_add_count(item, "index", device->session->device.index);
    device_add_json(item, &device->session->device);
    json_add_known_count(item, "first", !spread->job->streams, device->first);
    json_add_count(item, "count", device->count);
    json_add_measure(item, "seconds", device->count > 0 ? device->seconds : 0);
    json_add_programs(item, device->session->runtime);
  }
  return list;
}

void spread_explain(const struct spread *spread) {
  char seconds[CELL_SIZE];
  for (size_t i = 0; i < spread->count; i++) {
    const struct spread_device *device = &spread->devices[i];
    write_time(device->seconds, seconds);
    fprintf(stderr, "device %zu (%s): %" PRIu64 " elements, %s\n", device->session->device.index,
            device->session->device.name, device->count, seconds);
  }
}
