// This side of trials in another process; serve.c is the other side.
#include "trial/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "model/message.h"
#include "opencl/device.h"
#include "platform/process.h"

// If a process ends in a trial, the tried program counts as wrong. A problem has fewer programs than this.
#define PROCESSES_MAX 32
#define NOTE_SIZE (sizeof(struct clr_note))
#define CLR_MESSAGE_SIZES (sizeof(struct clr_note) + 4096 * (sizeof(clred_problem) + 4096 * sizeof(clred_options)))

// ---------------------------------------------------------------- The device

static bool has_names(cl_device_id device, const struct clr_device_identity *wanted) {
  struct clr_device_names names;
  struct clr_status ignored;
  return !clr_device_name(device, &names, &ignored) && strcmp(names.platform, wanted->platform) == 0 &&
         strcmp(names.device, wanted->device) == 0;
}

// Finds device `wanted`, or device number `before` with these names if `wanted` is NULL. Counts the devices before it.
static cl_device_id find_device(const struct clr_device_identity *names, cl_device_id wanted, cl_ulong *before) {
  cl_platform_id platforms[64];
  cl_device_id devices[64], found = NULL;
  cl_uint platform_count = 0, count;
  cl_ulong passed = 0;
  if (clGetPlatformIDs(64, platforms, &platform_count))
    return NULL;
  for (cl_uint p = 0; p < platform_count && p < 64 && !found; p++) {
    count = 0;
    if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 64, devices, &count))
      continue;
    for (cl_uint d = 0; d < count && d < 64 && !found; d++) {
      bool is_same = has_names(devices[d], names);
      if (is_same && (wanted ? devices[d] == wanted : passed == *before))
        found = devices[d];
      else
        passed += is_same;
    }
  }
  *before = passed;
  return found;
}

bool clr_device_identify(cl_device_id device, struct clr_device_identity *identity) {
  struct clr_device_names names;
  struct clr_status ignored;
  if (clr_device_name(device, &names, &ignored))
    return false;
  *identity = (struct clr_device_identity){.sizes = CLR_MESSAGE_SIZES};
  clr_text_copy(CLR_VERSION, identity->version, sizeof identity->version);
  clr_text_copy(names.platform, identity->platform, sizeof identity->platform);
  clr_text_copy(names.device, identity->device, sizeof identity->device);
  return find_device(identity, device, &identity->before) != NULL;
}

cl_device_id clr_device_find(const struct clr_device_identity *identity) {
  if (identity->sizes != CLR_MESSAGE_SIZES || strcmp(identity->version, CLR_VERSION) != 0)
    return NULL;
  cl_ulong before = identity->before;
  return find_device(identity, NULL, &before);
}

// ---------------------------------------------------------------- Messages

static bool send(struct clr_outside *outside, enum clr_message kind, const void *bytes, size_t size) {
  const struct clr_message_head head = {kind, size};
  return clr_os_send(outside->process.connection, &head, sizeof head) &&
         clr_os_send(outside->process.connection, bytes, size);
}

static bool send_text(struct clr_outside *outside, enum clr_message kind, const struct clr_text *text) {
  return !text->failed && send(outside, kind, text->bytes, text->length);
}

static void send_notes(clred_runtime *runtime) {
  bool sent = true;
  clr_mutex_lock(&runtime->lock);
  for (const struct clr_note *note = runtime->programs.notes; note && sent; note = note->next)
    sent = send(&runtime->outside, CLR_MESSAGE_NOTE, note, NOTE_SIZE);
  clr_mutex_unlock(&runtime->lock);
}

// ---------------------------------------------------------------- The process

// Errors of sending are ignored: if the process has ended, follow() reads what it sent before.
static bool start(clred_runtime *runtime) {
  struct clr_outside *outside = &runtime->outside;
  struct clr_device_identity identity;
  struct clr_text opening = {0};
  if (outside->process.connection >= 0)
    return true;
  if (!clr_device_identify(runtime->device, &identity) || !clr_os_process_start(outside->command, &outside->process))
    return false;
  clr_text_add(&opening, (const char *)&identity, sizeof identity);
  clr_text_add(&opening, outside->options.bytes, outside->options.length);
  if (send_text(outside, CLR_MESSAGE_OPEN, &opening))
    send_notes(runtime);
  clr_text_release(&opening);
  return true;
}

// A program whose trial the driver did not survive counts as wrong.
static void judge_begun(clred_runtime *runtime, const struct clr_note *begun, enum clr_received how,
                        const char *ended) {
  struct clr_device_names names;
  struct clr_status ignored;
  char words[CLR_MESSAGE_SIZE];
  if (clr_device_name(runtime->device, &names, &ignored))
    *names.platform = *names.driver = 0;
  snprintf(words, sizeof words, "wrong %.130s: the driver %.80s %.80s %s while it compiled or ran its kernels%s%.60s",
           clr_note_begun(begun), names.platform, names.driver,
           how == CLR_RECEIVED_LATE ? "did not end" : "ended the process", *ended ? ": " : "", ended);
  clr_mutex_lock(&runtime->lock);
  clr_note_put(&runtime->programs, begun->name, words, false);
  clr_mutex_unlock(&runtime->lock);
}

static void log_failure(const clred_runtime *runtime, const char *why) {
  clr_runtime_log(runtime, "programs are tried in this process, because the other one failed: %s", why);
}

// The other process ends after this message.
static enum clr_received take_failure(const struct clr_outside *outside, cl_ulong size, char why[CLR_MESSAGE_SIZE]) {
  if (size < CLR_MESSAGE_SIZE && !clr_os_receive(outside->process.connection, why, (size_t)size, outside->seconds))
    why[size] = 0;
  return CLR_RECEIVED_ENDED;
}

// Reads notes until the job is done, or until a trial has failed: then the process may be of no more use. `last`
// becomes the latest note, and `why` the reason of a process that cannot try.
static enum clr_received follow(clred_runtime *runtime, struct clr_note *last, bool *served,
                                char why[CLR_MESSAGE_SIZE]) {
  struct clr_message_head head;
  const int connection = runtime->outside.process.connection;
  const unsigned seconds = runtime->outside.seconds;
  for (;;) {
    enum clr_received got = clr_os_receive(connection, &head, sizeof head, seconds);
    if (!got && head.kind == CLR_MESSAGE_FAILED)
      return take_failure(&runtime->outside, head.size, why);
    if (!got && head.kind == CLR_MESSAGE_DONE)
      got = clr_os_receive(connection, served, sizeof *served, seconds);
    else if (!got)
      got = head.size == NOTE_SIZE ? clr_os_receive(connection, last, NOTE_SIZE, seconds) : CLR_RECEIVED_ENDED;
    if (got || head.kind == CLR_MESSAGE_DONE)
      return got;
    // A driver may have damaged the memory of the other process.
    last->name[sizeof last->name - 1] = last->words[sizeof last->words - 1] = 0;
    clr_mutex_lock(&runtime->lock);
    clr_note_put(&runtime->programs, last->name, last->words, last->is_saved);
    clr_mutex_unlock(&runtime->lock);
    if (clr_note_failed(last))
      return CLR_RECEIVED_ENDED;
  }
}

static bool try_once(clred_runtime *runtime, enum clr_message kind, const struct clr_text *job, bool *goes_on) {
  struct clr_note last = {.next = NULL};
  bool served = false;
  char ended[128], why[CLR_MESSAGE_SIZE] = "it ended before it tried any";
  *goes_on = false;
  if (!start(runtime)) {
    log_failure(runtime, "it cannot be started");
    return false;
  }
  send_text(&runtime->outside, kind, job);
  const enum clr_received got = job->failed ? CLR_RECEIVED_ENDED : follow(runtime, &last, &served, why);
  if (!got)
    return served;
  // A driver that exits lacks something of the system, such as room on the disk; one that crashes gets a signal.
  clr_os_process_end(&runtime->outside.process, ended, sizeof ended);
  if (clr_note_failed(&last)) {
    *goes_on = true;
    return false;
  }
  if ((got == CLR_RECEIVED_ENDED && !*ended) || !clr_note_begun(&last)) {
    log_failure(runtime, why);
    return false;
  }
  judge_begun(runtime, &last, got, ended);
  *goes_on = true;
  return false;
}

static bool try(clred_runtime *runtime, enum clr_message kind, enum clr_packed what, const void *problem) {
  struct clr_text job = {0};
  bool done = false, goes_on = true;
  char ended[128];
  clr_pack(what, problem, &job);
  clr_mutex_lock(&runtime->outside.lock);
  for (int i = 0; i < PROCESSES_MAX && !done && goes_on && atomic_load(&runtime->outside.works); i++)
    done = try_once(runtime, kind, &job, &goes_on);
  // Further jobs would fail, too, so start no more processes.
  if (!done) {
    clr_os_process_end(&runtime->outside.process, ended, sizeof ended);
    atomic_store(&runtime->outside.works, false);
  }
  clr_mutex_unlock(&runtime->outside.lock);
  clr_text_release(&job);
  return done;
}

bool clr_worker_try(clred_runtime *runtime, const clred_problem *problem) {
  return try(runtime, CLR_MESSAGE_PROBLEM, CLR_PACKED_PROBLEM, problem);
}

bool clr_worker_try_quantile(clred_runtime *runtime, const clred_quantile_problem *problem) {
  return try(runtime, CLR_MESSAGE_QUANTILE, CLR_PACKED_QUANTILE, problem);
}

bool clr_worker_try_sort(clred_runtime *runtime, const clred_sort_problem *problem) {
  return try(runtime, CLR_MESSAGE_SORT, CLR_PACKED_SORT, problem);
}
