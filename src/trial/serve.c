// The other side of trials in a process of their own: reads jobs from standard input, which is a connection, makes
// their plans, and sends a note when the trial of a program begins and ends.
#include <stdlib.h>
#include <string.h>

#include "model/message.h"
#include "platform/process.h"
#include "trial/trial.h"
#include "trial/worker.h"

#define INPUT 0
#define BYTES_MAX ((cl_ulong)1 << 32)

struct server {
  clred_runtime *runtime;
  cl_context context;
  unsigned seconds;
};

// Also sets a time limit for this process: if the parent is gone, nothing else would end a driver that hangs.
static void send_note(const struct clr_note *note, void *user_data) {
  const struct clr_message_head head = {CLR_MESSAGE_NOTE, sizeof *note};
  const clred_runtime *runtime = user_data;
  clr_os_end_after(2 * runtime->outside.seconds);
  if (clr_os_send(INPUT, &head, sizeof head))
    clr_os_send(INPUT, note, sizeof *note);
}

static bool send_done(bool served) {
  const struct clr_message_head head = {CLR_MESSAGE_DONE, sizeof served};
  return clr_os_send(INPUT, &head, sizeof head) && clr_os_send(INPUT, &served, sizeof served);
}

static void send_failure(const struct clr_status *status) {
  const struct clr_message_head head = {CLR_MESSAGE_FAILED, strlen(status->message)};
  if (clr_os_send(INPUT, &head, sizeof head))
    clr_os_send(INPUT, status->message, (size_t)head.size);
}

static cl_int open_device(struct server *server, cl_device_id device, const clred_options *options,
                          struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  server->context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  if (err)
    return clr_fail_call(status, err, "clCreateContext", "the process of trials");
  return clr_runtime_make(server->context, device, options, &server->runtime, status);
}

// Opens the device with the options of the other process. Programs are tried here.
static bool open(struct server *server, const char *bytes, size_t size) {
  struct clr_device_identity identity;
  struct clr_unpacked blocks = {.count = 0};
  struct clr_status status = {0};
  clred_options options;
  const char *from = bytes + sizeof identity;
  if (size < sizeof identity || server->runtime)
    return false;
  memcpy(&identity, bytes, sizeof identity);
  cl_device_id device = clr_device_find(&identity);
  cl_int err = CL_SUCCESS;
  if (!device)
    err = clr_fail(&status, CL_DEVICE_NOT_FOUND, "it is another build of the library, or it does not find the device");
  else if (!clr_unpack(CLR_PACKED_OPTIONS, &from, bytes + size, &options, &blocks))
    err = clr_fail(&status, CL_INVALID_VALUE, "it cannot read the options");
  else
    err = open_device(server, device, &options, &status);
  if (err)
    send_failure(&status);
  else {
    server->runtime->programs.is_alone = true;
    server->runtime->programs.noted = send_note;
    server->runtime->programs.user_data = server->runtime;
    server->seconds = server->runtime->outside.seconds;
  }
  clr_unpacked_release(&blocks);
  return !err;
}

static bool try_problem(clred_runtime *runtime, const char *from, const char *behind, struct clr_unpacked *blocks) {
  struct clr_status ignored = {0};
  clred_problem problem;
  clred_plan *plan = NULL;
  if (!clr_unpack(CLR_PACKED_PROBLEM, &from, behind, &problem, blocks))
    return false;
  clr_plan_make_tried(runtime, &problem, &plan, &ignored);
  clr_plan_release(plan);
  return true;
}

static bool try_quantile(clred_runtime *runtime, const char *from, const char *behind, struct clr_unpacked *blocks) {
  struct clr_status ignored = {0};
  clred_quantile_problem problem;
  clred_quantile *quantile = NULL;
  if (!clr_unpack(CLR_PACKED_QUANTILE, &from, behind, &problem, blocks))
    return false;
  clr_quantile_make_tried(runtime, &problem, &quantile, &ignored);
  clr_quantile_release(quantile);
  return true;
}

static bool try_sort(clred_runtime *runtime, const char *from, const char *behind, struct clr_unpacked *blocks) {
  struct clr_status ignored = {0};
  clred_sort_problem problem;
  clred_sorter *sorter = NULL;
  if (!clr_unpack(CLR_PACKED_SORT, &from, behind, &problem, blocks))
    return false;
  clr_sorter_make_tried(runtime, &problem, &sorter, &ignored);
  clr_sorter_release(sorter);
  return true;
}

static bool serve_job(const struct server *server, cl_ulong kind, const char *bytes, size_t size) {
  struct clr_unpacked blocks = {.count = 0};
  bool served = false;
  clr_os_end_after(2 * server->seconds);
  if (server->runtime)
    served = (kind == CLR_MESSAGE_PROBLEM    ? try_problem
              : kind == CLR_MESSAGE_QUANTILE ? try_quantile
                                             : try_sort)(server->runtime, bytes, bytes + size, &blocks);
  clr_os_end_after(0);
  clr_unpacked_release(&blocks);
  return send_done(served);
}

static void take_note(struct server *server, const char *bytes, size_t size) {
  struct clr_note note;
  if (!server->runtime || size != sizeof note)
    return;
  memcpy(&note, bytes, sizeof note);
  clr_note_put(&server->runtime->programs, note.name, note.words, note.is_saved);
}

// Reads one message and serves it. False at the end of the input.
static bool serve(struct server *server) {
  struct clr_message_head head;
  bool goes_on = false;
  if (clr_os_receive(INPUT, &head, sizeof head, 0) || head.size > BYTES_MAX)
    return false;
  char *bytes = malloc((size_t)head.size + 1);
  if (bytes && !clr_os_receive(INPUT, bytes, (size_t)head.size, 0)) {
    goes_on = true;
    if (head.kind == CLR_MESSAGE_OPEN)
      goes_on = open(server, bytes, (size_t)head.size);
    else if (head.kind == CLR_MESSAGE_NOTE)
      take_note(server, bytes, (size_t)head.size);
    else
      goes_on = serve_job(server, head.kind, bytes, (size_t)head.size);
  }
  free(bytes);
  return goes_on;
}

int clr_worker_serve(void) {
  struct server server = {0};
  while (serve(&server))
    ;
  const bool opened = server.runtime != NULL;
  clr_runtime_release(server.runtime);
  if (server.context)
    clReleaseContext(server.context);
  return opened ? EXIT_SUCCESS : EXIT_FAILURE;
}
