// Reductions and scans in parts: on several devices, and reduce --partial.
#include "run/partial.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "run/streaming.h"

enum { SOURCES = 1 + USER_INPUTS_MAX };

// A device and its share of the elements.
struct share {
  struct session *session;  // that of the job, or `own`
  struct session own;
  clred_plan *plan;
  clred_plan *folds;      // makes its partials: `plan`, or for a scan the plan that folds its elements
  uint64_t first, count;  // elements
  clred_partial *partial, *before;
  cl_mem buffers[SOURCES], out;
  clred_call call;
};

struct spread {
  struct job *job;
  struct share *shares;
  size_t count;
};

// ---------------------------------------------------------------- Options

int partial_check_parts(const struct args *args, const char *asking) {
  int code = args_exclude(args, asking, PARTS_EXCLUDE);
  code = code || !spread_wanted(args) ? code : args_exclude(args, asking, "chunk");
  if (!code && args->strategy != NULL && !list_has("auto,wide,chunked", ",", args->strategy, strlen(args->strategy)))
    return fail(EXIT_BAD_USE, "--strategy %s: makes no partials; give wide or chunked, or leave --strategy out",
                args->strategy);
  return code;
}

int partial_check(const struct args *args) {
  char asking[DEVICE_TEXT_SIZE];
  if (args->weights.text != NULL && !spread_wanted(args))
    return fail(EXIT_BAD_USE, "--weights: applies only to several devices; name them, as in --device 0,1");
  if (spread_wanted(args)) {
    snprintf(asking, sizeof asking, "--device %s", args->device);
    return partial_check_parts(args, asking);
  }
  return args->partial != NULL ? partial_check_parts(args, "--partial") : EXIT_DONE;
}

// ---------------------------------------------------------------- Devices

// Prints a failure with the name of the device, if there are several.
static int check(const struct spread *spread, const struct share *share, cl_int status) {
  const struct device *device = &share->session->device;
  char name[DEVICE_TEXT_SIZE + 40];
  snprintf(name, sizeof name, "device %zu (%s)", device->index, device->name);
  fail_about(spread->count > 1 ? name : NULL);
  int code = session_check(share->session, status);
  fail_about(NULL);
  return code;
}

static int make_partial(const struct spread *spread, const struct share *share, uint64_t first,
                        clred_partial **partial) {
  const struct operation *operation = &spread->job->operation;
  const clred_partial_options given = {.first = first,
                                       .parameters = operation->own ? operation->user.value_pointers : NULL};
  return check(spread, share, clred_partial_create(share->folds, &given, partial));
}

static int open_device(struct spread *spread, size_t index, const struct device *device) {
  struct share *opened = &spread->shares[index];
  const struct job *job = spread->job;
  opened->session = &opened->own;
  spread->count = index + 1;
  int code = session_open_on(&opened->own, device, job->args, true);
  return code ? code : check(spread, opened, session_plan(&opened->own, &job->problem, &opened->plan));
}

static int open_partials(struct spread *spread) {
  const bool scans = spread->job->problem.scan != CLRED_SCAN_NONE;
  int code = EXIT_DONE;
  for (size_t i = 0; i < spread->count && !code; i++) {
    struct share *share = &spread->shares[i];
    share->folds = share->plan;
    if (scans)
      code = check(spread, share, clred_plan_create_scan_partials(share->plan, &share->folds));
    code = code ? code : make_partial(spread, share, 0, &share->partial);
    if (!code && scans)
      code = make_partial(spread, share, 0, &share->before);
  }
  return code;
}

// The first device is that of the job and has its plan; the others get plans of the same problem.
static int open_spread(struct spread *spread, struct job *job, clred_plan *plan) {
  struct devices picked = {0};
  *spread = (struct spread){.job = job};
  int code = spread_wanted(job->args) ? devices_pick(job->args->device, &picked) : EXIT_DONE;
  const size_t count = picked.count > 0 ? picked.count : 1;
  if (!code)
    spread->shares = calloc(count, sizeof *spread->shares);
  if (spread->shares != NULL) {
    spread->shares[0] = (struct share){.session = &job->session, .plan = plan};
    spread->count = 1;
  } else if (!code)
    code = fail_memory();
  for (size_t i = 1; i < count && !code; i++)
    code = open_device(spread, i, &picked.list[i]);
  devices_release(&picked);
  return code ? code : open_partials(spread);
}

// Releasing a partial waits for its folds, which read the buffers. So partials are released first.
static void close_share(struct spread *spread, struct share *share) {
  clred_partial_release(share->partial);
  clred_partial_release(share->before);
  for (size_t i = 0; i < SOURCES; i++)
    buffer_release(share->buffers[i]);
  buffer_release(share->out);
  if (share->folds != share->plan)
    clred_plan_release(share->folds);
  if (share != spread->shares) {
    clred_plan_release(share->plan);
    session_close(&share->own);
  }
}

static void close_spread(struct spread *spread) {
  for (size_t i = 0; i < spread->count; i++)
    close_share(spread, &spread->shares[i]);
  free(spread->shares);
}

// ---------------------------------------------------------------- Loaded elements

static int check_weights(const struct spread *spread) {
  const struct wholes *weights = &spread->job->args->weights;
  return weights->text == NULL || weights->count == spread->count
           ? EXIT_DONE
           : fail(EXIT_BAD_USE, "--weights %s: has %zu numbers for %zu devices; give one for each", weights->text,
                  weights->count, spread->count);
}

// Sets which of the loaded elements each device gets: by --weights, or equal shares.
static int cut(struct spread *spread) {
  const struct job *job = spread->job;
  const struct wholes *weights = &job->args->weights;
  double *ratio = calloc(spread->count, sizeof *ratio);
  int code = ratio == NULL ? fail_memory() : check_weights(spread);
  for (size_t i = 0; i < spread->count && !code; i++)
    ratio[i] = weights->text == NULL ? 1 : (double)weights->list[i];
  for (size_t i = 0; i < spread->count && !code; i++) {
    struct share *share = &spread->shares[i];
    cl_ulong first = 0;
    code =
      check(spread, share,
            clred_share_weighted(share->folds, job->work.call.count, spread->count, ratio, i, &first, &share->count));
    share->first = job->args->first.value + first;
  }
  free(ratio);
  return code;
}

// Copies one input's share to the device. The elements of the call are `stride` elements apart.
static int make_buffer(const struct spread *spread, struct share *share, size_t source) {
  const struct input *input = &spread->job->inputs[source];
  const uint64_t stride = spread->job->work.call.stride > 0 ? spread->job->work.call.stride : 1;
  const size_t size = input->type.size, bytes = (size_t)((share->count - 1) * stride + 1) * size;
  const uint64_t begin = (share->first - spread->job->args->first.value) * stride;
  char *data = (char *)input->data + (size_t)begin * size;
  const cl_ulong most = session_fact(share->session, "max_alloc", CL_ULONG_MAX);
  if (bytes > most)
    return run_too_large(share->session, input, bytes, most);
  return session_buffer(share->session, data, bytes, "a share of the input", &share->buffers[source]);
}

static int fill_buffers(struct spread *spread, size_t size) {
  const struct job *job = spread->job;
  int code = cut(spread);
  for (size_t i = 0; i < spread->count && !code; i++) {
    struct share *share = &spread->shares[i];
    for (size_t k = 0; k <= job->other_count && !code && share->count > 0; k++)
      code = make_buffer(spread, share, k);
    if (!code && size > 0 && share->count > 0)
      code = session_room(share->session, NULL, (size_t)share->count * size, "the results of a share", &share->out);
    share->call = job->work.call;
    share->call.in = share->buffers[0];
    share->call.inputs = job->other_count > 0 ? share->buffers + 1 : NULL;
    share->call.count = share->count;
    share->call.out = share->out;
    share->call.initial = i == 0 ? job->work.call.initial : NULL;
  }
  return code;
}

// Starts the folds on all devices before it waits for the first one.
static int fold_shares(struct spread *spread, clred_partial *whole) {
  int code = fill_buffers(spread, 0);
  for (size_t i = 0; i < spread->count && !code; i++) {
    struct share *share = &spread->shares[i];
    cl_int status = clred_partial_reset(share->partial, share->first);
    if (status == CL_SUCCESS)
      status = clred_partial_fold(share->session->queue, share->partial, &share->call, 0, NULL, NULL);
    code = check(spread, share, status);
  }
  for (size_t i = 0; i < spread->count && !code; i++)
    code = check(spread, &spread->shares[i], clred_partial_join(whole, spread->shares[i].partial));
  return code;
}

static int run_scans(struct spread *spread) {
  clred_device_scan *scans = calloc(spread->count, sizeof *scans);
  for (size_t i = 0; i < spread->count && scans != NULL; i++) {
    const struct share *share = &spread->shares[i];
    scans[i] = (clred_device_scan){share->session->queue, share->plan, share->before, share->partial, &share->call};
  }
  int code =
    scans == NULL ? fail_memory() : session_check(&spread->job->session, clred_devices_scan(scans, spread->count));
  free(scans);
  return code;
}

static int scan_shares(struct spread *spread, const struct results *results) {
  int code = fill_buffers(spread, results->size);
  code = code ? code : run_scans(spread);
  for (size_t i = 0; i < spread->count && !code; i++) {
    const struct share *share = &spread->shares[i];
    if (share->count > 0)
      code = session_read(share->session, share->out, (size_t)share->count * results->size,
                          results_at(results, share->first), "the results of a share");
  }
  return code;
}

// ---------------------------------------------------------------- What is written

static int print_json(const struct job *job, clred_partial *partial, size_t size, double seconds, const cJSON *more) {
  clred_partial_info info = {0};
  clred_partial_inspect(partial, &info);
  cJSON *object = each_object(&job->each, &job->input);
  json_add_text(object, "partial", job->args->partial);
  json_add_count(object, "bytes", size);
  json_add_text(object, "op", job->operation.name);
  json_add_text(object, "type", job->input.type.name);
  json_add_count(object, "first", info.first);
  json_add_count(object, "count", info.count);
  device_add_json(object, &job->session.device);
  json_add_text(object, "assumed", job->args->assume);
  json_add_programs(object, job->session.runtime);
  json_add_measure(object, "wall_seconds", seconds);
  json_add_all(object, more);
  return json_print(object);
}

// ---- The result

static int print_result(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more) {
  struct outcome outcome = {.steady = true, .calls = 1, .kernel_seconds = NAN, .wall_seconds = seconds, .more = more};
  int code = session_check(&job->session, clred_plan_inspect(plan, job->input.count, &outcome.info));
  outcome.info.passes = 0;
  code = code ? code : results_make(&outcome.results, plan, &outcome.info, 1, job->work.checked, job->work.words);
  code = code ? code : session_check(&job->session, clred_partial_result(whole, outcome.results.bytes));
  code = code ? code : answer_joined(job, &outcome);
  outcome_release(&outcome);
  return code;
}

static int write_partial(struct job *job, clred_partial *whole, double seconds, const cJSON *more) {
  size_t size = 0;
  int code = partial_file_write(job, whole, &size);
  return code || !job->args->json ? code : print_json(job, whole, size, seconds, more);
}

int partial_finish(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more) {
  if (job->args->partial == NULL)
    return print_result(job, plan, whole, seconds, more);
  int code = write_partial(job, whole, seconds, more);
  cJSON_Delete(more);
  return code;
}

// ---------------------------------------------------------------- Reductions and scans in parts

// An object with the devices, if there are several, or NULL.
static cJSON *devices_json(const struct spread *spread) {
  if (!spread_wanted(spread->job->args))
    return NULL;
  cJSON *more = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(more, "devices");
  for (size_t i = 0; i < spread->count; i++) {
    const struct share *share = &spread->shares[i];
    cJSON *item = json_add_item(list);
    json_add_count(item, "index", share->session->device.index);
    device_add_json(item, &share->session->device);
    json_add_count(item, "first", share->first);
    json_add_count(item, "count", share->count);
    json_add_programs(item, share->session->runtime);
  }
  return more;
}

static int explain(const struct spread *spread) {
  const struct job *job = spread->job;
  if (!job->args->explain || job->args->quiet)
    return EXIT_DONE;
  int code = session_explain(&job->session, spread->shares[0].plan, job->layout.call.count);
  for (size_t i = 0; i < spread->count && !code && spread_wanted(job->args); i++)
    fprintf(stderr, "device %zu (%s): %" PRIu64 " elements\n", spread->shares[i].session->device.index,
            spread->shares[i].session->device.name, spread->shares[i].count);
  return code;
}

static int fold_and_print(struct spread *spread) {
  struct job *job = spread->job;
  clred_partial *whole = NULL;
  const double begun = seconds_now();
  int code = make_partial(spread, &spread->shares[0], job->args->first.value, &whole);
  if (!code)
    code = job->streams ? streaming_push(job, spread->shares[0].plan, whole) : fold_shares(spread, whole);
  const double seconds = seconds_now() - begun;
  code = code ? code : partial_finish(job, spread->shares[0].plan, whole, seconds, devices_json(spread));
  clred_partial_release(whole);
  return code;
}

static int scan_and_print(struct spread *spread) {
  struct job *job = spread->job;
  const uint64_t count = job->work.call.count;
  clred_plan *plan = spread->shares[0].plan;
  struct outcome outcome = {.steady = true, .calls = 1, .kernel_seconds = NAN};
  int code = session_check(&job->session, clred_plan_inspect(plan, count, &outcome.info));
  outcome.info.passes = 0;
  code = code ? code : results_make(&outcome.results, plan, &outcome.info, count, job->work.checked, NULL);
  const double begun = seconds_now();
  code = code ? code : scan_shares(spread, &outcome.results);
  outcome.wall_seconds = seconds_now() - begun;
  code = code ? code : results_check_overflows(&outcome.results);
  outcome.more = code ? NULL : devices_json(spread);
  code = code ? code : answer_joined(job, &outcome);
  outcome_release(&outcome);
  return code;
}

int partial_answer(struct job *job, clred_plan *plan) {
  struct spread spread;
  int code = open_spread(&spread, job, plan);
  if (!code)
    code = job->problem.scan == CLRED_SCAN_NONE ? fold_and_print(&spread) : scan_and_print(&spread);
  code = code ? code : explain(&spread);
  close_spread(&spread);
  return code;
}
