// Opens and closes a device, with facts or by the options of the command line.
#include "device/session.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/capture_stderr.h"
#include "base/fail.h"
#include "base/guard.h"
#include "base/guess.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/verbs.h"

// ---------------------------------------------------------------- Files that are kept between runs

static bool is_absolute(const char *directory) {
  return directory != NULL && *directory == '/';
}

// sudo may keep the HOME of another user. Root must not leave files there that this user cannot change.
static bool is_own(const char *directory) {
  struct stat facts;
  return stat(directory, &facts) == 0 && S_ISDIR(facts.st_mode) && facts.st_uid == geteuid();
}

// $XDG_CACHE_HOME or $HOME/.cache, even if it does not exist. NULL if there is none.
static char *users_directory(void) {
  const char *named = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (is_absolute(named))
    return strdup(named);
  return is_absolute(home) && is_own(home) ? text_join(home, "/", ".cache") : NULL;
}

static void make_directories(const char *path) {
  char *directory = strdup(path);
  for (char *slash = directory; directory != NULL && (slash = strchr(slash + 1, '/')) != NULL; *slash = '/') {
    *slash = '\0';
    mkdir(directory, S_IRWXU);
  }
  free(directory);
  mkdir(path, S_IRWXU);
}

static const struct kind {
  const char *option, *variable;
  const char *place;  // path in the user's cache directory
  const char *noun;
} kinds[] = {[KEPT_CACHE] = {"--cache", "CLREDUCE_CACHE_DIR", "clreduce", "directory"},
             [KEPT_TUNING] = {"--tuning", "CLREDUCE_TUNING", "clreduce/tuning.txt", "file"}};

static const char *named(const struct kind *kind, const char *value) {
  const char *variable = getenv(kind->variable);
  return value != NULL ? value : variable == NULL || *variable == '\0' ? NULL : variable;
}

// For compiled programs the library creates only the last directory of the path, and only when it writes the programs.
// So the directories above it are made here.
static bool may_keep(enum kept kept, const char *users) {
  if (kept == KEPT_CACHE)
    make_directories(users);
  return kept != KEPT_CACHE || is_own(users);
}

static void path_in_cache(enum kept kept, char path[KEPT_PATH_SIZE]) {
  char *users = users_directory();
  if (users != NULL && may_keep(kept, users) &&
      snprintf(path, KEPT_PATH_SIZE, "%s/%s", users, kinds[kept].place) >= KEPT_PATH_SIZE)
    *path = '\0';
  free(users);
}

int kept_path(enum kept kept, const char *value, char path[KEPT_PATH_SIZE]) {
  const struct kind *kind = &kinds[kept];
  const char *name = named(kind, value);
  *path = '\0';
  if (value != NULL && *value == '\0')
    return fail(EXIT_BAD_USE, "%s: the name of the %s is empty; give a %s, or off", kind->option, kind->noun,
                kind->noun);
  if (name == NULL)
    path_in_cache(kept, path);
  else if (strlen(name) >= KEPT_PATH_SIZE)
    return fail(EXIT_BAD_USE, "%s: the name of the %s is too long; give a shorter one",
                value != NULL ? kind->option : kind->variable, kind->noun);
  else if (strcmp(name, "off") != 0)
    strcpy(path, name);
  return EXIT_DONE;
}

void kept_make_directory(enum kept kept, const char *value, const char *path) {
  char directory[KEPT_PATH_SIZE];
  if (named(&kinds[kept], value) != NULL || *path == '\0')
    return;
  snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
  make_directories(directory);
}

enum { PIECE = 1 << 26, DEFAULT_SECONDS = 600 };

static cl_int explain(char error[SESSION_ERROR_SIZE], const char *call, cl_int status) {
  snprintf(error, SESSION_ERROR_SIZE, "%s failed with %s (%d)", call, clred_status_name(status), (int)status);
  return status;
}

static const char *or_null(const char *path) {
  return *path == '\0' ? NULL : path;
}

// ---- Trials in another process

// The last word of the command line that serves them.
static const char serve[] = "--serve-trials";
static const char *self = "";  // "" if this program cannot be started for trials

bool session_serves(int argc, char *const argv[], int *code) {
  self = guard_program(argv);
  if (argc != 2 || strcmp(argv[1], serve) != 0)
    return false;
  *code = clred_serve_trials();
  return true;
}

// A driver that crashes must not end this process. A second process opens the device a second time, which takes longer
// than all trials, so it tries programs only where this process cannot start again after a crash.
static const char *const *trial_command(void) {
  static const char *command[] = {NULL, serve, NULL};
  command[0] = self;
  return *self == '\0' || guard_tries_here() ? NULL : command;
}

static cl_uint trial_seconds(void) {
  const char *variable = getenv("CLREDUCE_TRIAL_SECONDS");
  return variable == NULL ? 0 : (cl_uint)strtoul(variable, NULL, 10);
}

static size_t failed_trials(const struct session *session) {
  clred_runtime_info info = {0};
  clred_runtime_inspect(session->runtime, &info);
  return info.failed_trials;
}

void session_make_begin(const struct session *session, struct making *making) {
  const cl_uint seconds = trial_seconds();
  making->kept = capture_stderr_begin();
  making->failed = failed_trials(session);
  making->guarded = guard_tries_here();
  if (making->guarded)
    guard_begin(GUARD_TRIALS, making->kept, seconds > 0 ? seconds : DEFAULT_SECONDS);
}

// A wrong program may have damaged the memory of this process, and an error may have ended its context.
void session_make_end(const struct session *session, struct making *making) {
  if (making->guarded && failed_trials(session) > making->failed)
    guard_restart();
  if (making->guarded)
    guard_end();
  capture_stderr_end(making->kept);
}

static bool is_set(const char *variable) {
  const char *value = getenv(variable);
  return value != NULL && *value != '\0' && strcmp(value, "0") != 0;
}

static cl_int open_parts(struct session *session, const char *assume, const struct session_files *files,
                         char error[SESSION_ERROR_SIZE]) {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)session->device.platform_id,
                                              0};
  const clred_options options = {.assume = assume,
                                 .tuning_file = or_null(files->tuning),
                                 .cache_directory = or_null(files->cache),
                                 .trust_driver = files->trust_driver || is_set("CLREDUCE_TRUST_DRIVER"),
                                 .trial_command = trial_command(),
                                 .trial_seconds = trial_seconds(),
                                 .device_only = CL_TRUE,
                                 .error = error,
                                 .error_size = SESSION_ERROR_SIZE};
  cl_int status;

  session->context = clCreateContext(properties, 1, &session->device.id, NULL, NULL, &status);
  if (status != CL_SUCCESS)
    return explain(error, "clCreateContext", status);
  session->queue = clCreateCommandQueue(session->context, session->device.id, CL_QUEUE_PROFILING_ENABLE, &status);
  // A device without event profiling works without kernel times.
  if (status == CL_INVALID_QUEUE_PROPERTIES)
    session->queue = clCreateCommandQueue(session->context, session->device.id, 0, &status);
  if (status != CL_SUCCESS)
    return explain(error, "clCreateCommandQueue", status);
  return clred_runtime_create(session->context, session->device.id, &options, &session->runtime);
}

cl_int session_open(struct session *session, const struct device *device, const char *assume,
                    const struct session_files *files, char error[SESSION_ERROR_SIZE]) {
  *session = (struct session){.device = *device};
  *error = '\0';
  cl_int status = open_parts(session, assume, files, error);
  if (status != CL_SUCCESS)
    session_close(session);
  return status;
}

// Offers all facts. Returns true if the word is one of them.
static bool offer_facts(const struct session *session, struct guess *guess) {
  clred_fact fact;
  bool known = false;
  for (size_t i = 0; clred_runtime_fact(session->runtime, i, &fact) == CL_SUCCESS; i++) {
    known = known || strcmp(fact.name, guess->word) == 0;
    guess_offer(guess, fact.name);
  }
  return known;
}

// The library refused a fact. It lists facts only if it is open, so it is opened without --assume.
static int unknown_fact(const struct device *device, const char *assume, const struct session_files *files) {
  char error[SESSION_ERROR_SIZE];
  struct session session;
  struct guess guess = {.text = ""};
  const char *word = "", *list = assume;
  size_t name = 0, whole;
  if (session_open(&session, device, NULL, files, error) != CL_SUCCESS)
    return fail(EXIT_BAD_USE, "--assume: unknown fact in '%s'; 'clreduce query' lists the facts", assume);
  while (list_next(&list, ",", &word, &whole)) {
    name = strcspn(word, "=,");
    guess_begin_part(&guess, word, name);
    if (!offer_facts(&session, &guess))
      break;
  }
  session_close(&session);
  return fail(EXIT_BAD_USE, "--assume: unknown fact '%.*s';%s 'clreduce query' lists the facts", (int)name, word,
              guess.text);
}

int session_refused(const struct device *device, const char *assume, const struct session_files *files, cl_int status,
                    const char *error) {
  return status == CLRED_UNKNOWN_NAME && assume != NULL ? unknown_fact(device, assume, files)
                                                        : fail_library(status, error);
}

int session_open_with(struct session *session, const struct device *device, const char *assume,
                      const struct session_files *files) {
  char error[SESSION_ERROR_SIZE];
  cl_int status = session_open(session, device, assume, files, error);
  return status ? session_refused(device, assume, files, status, error) : EXIT_DONE;
}

// Writing the compiled programs to the cache may take as long as compiling them. Results should be visible before.
static void release_runtime(struct session *session) {
  if (session->runtime == NULL)
    return;
  fflush(stdout);
  int kept = capture_stderr_begin();
  clred_runtime_release(session->runtime);
  capture_stderr_end(kept);
}

void session_close(struct session *session) {
  // After a failure commands may still run, and some drivers crash if the process ends then.
  if (session->queue != NULL)
    clFinish(session->queue);
  release_runtime(session);
  if (session->queue != NULL)
    clReleaseCommandQueue(session->queue);
  if (session->context != NULL)
    clReleaseContext(session->context);
  *session = (struct session){.device = session->device};
}

// The library returns 0 if no kernel ran.
cl_int session_kernel_seconds(clred_plan *plan, double *seconds) {
  cl_int status = clred_plan_seconds(plan, seconds);
  if (status == CL_PROFILING_INFO_NOT_AVAILABLE || (status == CL_SUCCESS && *seconds <= 0))
    *seconds = NAN;
  return status == CL_PROFILING_INFO_NOT_AVAILABLE ? CL_SUCCESS : status;
}

char *session_describe(const clred_plan *plan, cl_ulong count) {
  size_t length = clred_plan_describe(plan, count, NULL, 0);
  char *text = length > 0 ? malloc(length + 1) : NULL;
  if (text != NULL && clred_plan_describe(plan, count, text, length + 1) == length)
    return text;
  free(text);
  return NULL;
}

int session_explain(const struct session *session, const clred_plan *plan, cl_ulong count) {
  char *text = session_describe(plan, count);
  if (text == NULL)
    return fail_memory();
  clred_runtime_info info = {0};
  clred_runtime_inspect(session->runtime, &info);
  fprintf(stderr, "%sprograms: %zu compiled, %zu from the cache\n", text, info.builds, info.loads);
  free(text);
  return EXIT_DONE;
}

cl_int session_plan(const struct session *session, const clred_problem *problem, clred_plan **plan) {
  struct making making;
  session_make_begin(session, &making);
  cl_int status = clred_plan_create(session->runtime, problem, plan);
  session_make_end(session, &making);
  return status;
}

cl_int session_check_laws(const struct session *session, const clred_problem *problem, cl_ulong seed,
                          clred_law laws[CLRED_LAWS]) {
  int kept = capture_stderr_begin();
  cl_int status = clred_check_laws(session->runtime, problem, seed, laws);
  capture_stderr_end(kept);
  return status;
}

// In pieces, because not every driver takes more than 2^32 bytes in one call.
int session_write(const struct session *session, cl_mem buffer, const void *data, size_t bytes, const char *about) {
  cl_int status = CL_SUCCESS;
  for (size_t done = 0; done < bytes && status == CL_SUCCESS; done += PIECE)
    status = clEnqueueWriteBuffer(session->queue, buffer, CL_TRUE, done, bytes - done < PIECE ? bytes - done : PIECE,
                                  (const char *)data + done, 0, NULL, NULL);
  return status ? fail_opencl("clEnqueueWriteBuffer", status, about) : EXIT_DONE;
}

int session_buffer(const struct session *session, void *data, size_t bytes, const char *about, cl_mem *buffer) {
  const bool shares = session_fact(session, "unified_memory", 0) != 0;
  cl_int status;
  *buffer = clCreateBuffer(session->context, CL_MEM_READ_ONLY | (shares ? CL_MEM_USE_HOST_PTR : 0), bytes,
                           shares ? data : NULL, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateBuffer", status, about);
  return shares ? EXIT_DONE : session_write(session, *buffer, data, bytes, about);
}

int session_room(const struct session *session, void *contents, size_t bytes, const char *about, cl_mem *buffer) {
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (contents != NULL ? CL_MEM_COPY_HOST_PTR : 0);
  cl_int status;
  *buffer = clCreateBuffer(session->context, flags, bytes, contents, &status);
  return status ? fail_opencl("clCreateBuffer", status, about) : EXIT_DONE;
}

int session_read(const struct session *session, cl_mem buffer, size_t bytes, void *to, const char *about) {
  cl_int status = clEnqueueReadBuffer(session->queue, buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL);
  return status ? fail_opencl("clEnqueueReadBuffer", status, about) : EXIT_DONE;
}

void buffer_release(cl_mem buffer) {
  if (buffer != NULL)
    clReleaseMemObject(buffer);
}

int session_check(const struct session *session, cl_int status) {
  if (status == CLRED_OVERFLOW)
    return fail(EXIT_WORK_FAILED, "--overflow detect: %s (CLRED_OVERFLOW)", clred_last_error(session->runtime));
  return status ? fail_library(status, clred_last_error(session->runtime)) : EXIT_DONE;
}

cl_ulong session_fact(const struct session *session, const char *name, cl_ulong otherwise) {
  clred_fact fact;
  for (size_t i = 0; clred_runtime_fact(session->runtime, i, &fact) == CL_SUCCESS; i++)
    if (strcmp(fact.name, name) == 0)
      return fact.value;
  return otherwise;
}

// ---- By the options of the command line

int session_files_take(struct session_files *files, const struct args *args, bool tuned) {
  *files = (struct session_files){.cache = "", .trust_driver = args->trust_driver};
  int code = tuned ? kept_path(KEPT_TUNING, args->tuning, files->tuning) : EXIT_DONE;
  return code ? code : kept_path(KEPT_CACHE, args->cache, files->cache);
}

static void take_note(const struct args *args, const char *message) {
  if (!args->quiet && *message != '\0')
    note(message);
}

static void take_notes(const struct session *session, const struct args *args) {
  clred_runtime_info info = {0};
  clred_runtime_inspect(session->runtime, &info);
  take_note(args, info.tuning_note);
  take_note(args, devices_broken());
}

int session_open_on(struct session *session, const struct device *device, const struct args *args, bool tuned) {
  struct session_files files;
  int code = session_files_take(&files, args, tuned);
  code = code ? code : session_open_with(session, device, args->assume, &files);
  if (!code)
    take_notes(session, args);
  return code;
}

// Opens the first device of the list that can be used, and notes those before it. A wrong command line opens none. If
// none opens, *status and `error` are of the first one.
static void open_first(struct session *session, const struct devices *devices, const struct args *args,
                       const struct session_files *files, cl_int *status, char error[SESSION_ERROR_SIZE]) {
  char line[SESSION_ERROR_SIZE + DEVICE_TEXT_SIZE + 32], other[SESSION_ERROR_SIZE];
  *status = session_open(session, &devices->list[0], args->assume, files, error);
  cl_int last = *status;
  for (size_t i = 1; i < devices->count && last != CL_SUCCESS && fail_code(last) != EXIT_BAD_USE; i++) {
    snprintf(line, sizeof line, "the device %s is left out: %s", devices->list[i - 1].name, i == 1 ? error : other);
    take_note(args, line);
    last = session_open(session, &devices->list[i], args->assume, files, other);
  }
  *status = last == CL_SUCCESS ? last : *status;
}

// Without --device: GPUs are tried first.
static int open_default(struct session *session, const struct args *args, bool tuned) {
  struct devices devices;
  struct session_files files;
  char error[SESSION_ERROR_SIZE];
  cl_int status;
  int code = session_files_take(&files, args, tuned);
  code = code ? code : devices_list(&devices);
  if (code)
    return code;
  devices_order(&devices);
  open_first(session, &devices, args, &files, &status, error);
  if (status == CL_SUCCESS)
    take_notes(session, args);
  else
    code = session_refused(&devices.list[0], args->assume, &files, status, error);
  devices_release(&devices);
  return code;
}

bool spread_wanted(const struct args *args) {
  return (args->verb->bit & (VERB_REDUCE | VERB_SCAN)) != 0 && device_is_list(args->device);
}

int session_open_picked(struct session *session, const struct args *args, bool tuned) {
  struct devices devices;
  struct device device = {0};
  if (args->device == NULL)
    return open_default(session, args, tuned);
  if (!spread_wanted(args)) {
    int code = device_pick(args->device, &device);
    return code ? code : session_open_on(session, &device, args, tuned);
  }
  int code = devices_pick(args->device, &devices);
  code = code ? code : session_open_on(session, &devices.list[0], args, tuned);
  devices_release(&devices);
  return code;
}

void device_add_json(cJSON *object, const struct device *device) {
  json_add_text(object, "device", device->name);
  json_add_text(object, "platform", device->platform);
  json_add_text(object, "driver", device->driver);
}
