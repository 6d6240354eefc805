// An open device: context, profiling queue and the library's runtime.
#pragma once

#include <cjson/cJSON.h>
#include <clreduce_device.h>
#include <stdbool.h>

#include "cli/args.h"
#include "device/device_pick.h"

// ---- Files that the tool keeps from one run to the next

enum { KEPT_PATH_SIZE = 4096 };

// A directory of compiled programs, and the tuning file (numbers that the verb tune measured).
enum kept { KEPT_CACHE, KEPT_TUNING };

// Writes the path that the option names (`value` is its value or NULL), else the path of the environment variable, else
// a path in the user's cache directory. Writes "" if there is none of them, or if the path is the word off. Compiled
// programs are kept in the user's cache directory, made if missing, only if the user owns it. Returns an exit code.
int kept_path(enum kept kept, const char *value, char path[KEPT_PATH_SIZE]);

// Makes the directory of a file in the user's cache directory. A failure shows when the file is written.
void kept_make_directory(enum kept kept, const char *value, const char *path);

enum { SESSION_ERROR_SIZE = 1024 };

struct session {
  struct device device;
  cl_context context;
  cl_command_queue queue;
  clred_runtime *runtime;
};

// Files that are kept between runs. "" if one is not kept.
struct session_files {
  char cache[KEPT_PATH_SIZE];   // directory of compiled programs
  char tuning[KEPT_PATH_SIZE];  // what tune measured
  bool trust_driver;            // try no programs
};

// Call it first in main: remembers how to start this program to try the library's programs. If the command line asks to
// serve such trials, serves them and returns true with the exit code.
bool session_serves(int argc, char *const argv[], int *code);

// Opens a device; `assume` may replace facts (or is NULL). Returns CL_SUCCESS, or a status with a message in `error`
// and nothing to close. `query` uses this to go on to the next device.
cl_int session_open(struct session *session, const struct device *device, const char *assume,
                    const struct session_files *files, char error[SESSION_ERROR_SIZE]);

// Prints the error of a session that did not open. Returns an exit code.
int session_refused(const struct device *device, const char *assume, const struct session_files *files, cl_int status,
                    const char *error);

// The same as session_open, but prints the error and returns an exit code.
int session_open_with(struct session *session, const struct device *device, const char *assume,
                      const struct session_files *files);

void session_close(struct session *session);

// Make plans and quantiles between these calls. They hide the messages of the driver's compiler. If a trial of a
// program fails, session_make_end starts the process again.
struct making {
  int kept;
  bool guarded;
  size_t failed;
};
void session_make_begin(const struct session *session, struct making *making);
void session_make_end(const struct session *session, struct making *making);

// clred_plan_create between them.
cl_int session_plan(const struct session *session, const clred_problem *problem, clred_plan **plan);

// clred_check_laws without the messages of the driver's compiler.
cl_int session_check_laws(const struct session *session, const clred_problem *problem, cl_ulong seed,
                          clred_law laws[CLRED_LAWS]);

// Seconds of the kernels of the plan's last call. NaN if no kernel ran or the device has no kernel times, which is no
// error.
cl_int session_kernel_seconds(clred_plan *plan, double *seconds);

// The description of a plan for calls of `count` elements, to be freed; NULL if memory is short.
char *session_describe(const clred_plan *plan, cl_ulong count);

// Prints the description and the number of compiled programs on standard error. Returns an exit code.
int session_explain(const struct session *session, const clred_plan *plan, cl_ulong count);

// Makes a buffer of `data`. A device that uses the host's memory shares it; for other devices it is copied. `about`
// names the data in messages. Returns an exit code. A failed call may leave a buffer, too.
int session_buffer(const struct session *session, void *data, size_t bytes, const char *about, cl_mem *buffer);

// Makes a buffer for what the device writes. `contents` are its first contents; NULL: any. Returns an exit code.
int session_room(const struct session *session, void *contents, size_t bytes, const char *about, cl_mem *buffer);

// Reads a buffer from its first byte on, after all work in the queue. Returns an exit code.
int session_read(const struct session *session, cl_mem buffer, size_t bytes, void *to, const char *about);

// Fills a buffer from host memory. Returns an exit code.
int session_write(const struct session *session, cl_mem buffer, const void *data, size_t bytes, const char *about);

// Releases a buffer, which may be NULL.
void buffer_release(cl_mem buffer);

// EXIT_DONE, or reports the failure of a call of the library and returns its exit code.
int session_check(const struct session *session, cl_int status);

// The value of a fact in use; `otherwise` if the library has no such fact.
cl_ulong session_fact(const struct session *session, const char *name, cl_ulong otherwise);

// ---- By the options of the command line

// Reads --cache and, if `tuned`, --tuning. Returns an exit code.
int session_files_take(struct session_files *files, const struct args *args, bool tuned);

// True if --device names several devices: each takes a share of the elements. The results have the same bits as on one.
bool spread_wanted(const struct args *args);

// Opens the device that --device selects, or for reduce and scan the first of several, with the facts of --assume and
// the kept files; it reads the file of --tuning only if `tuned`. A file that is ignored is noted, unless --quiet is
// given. Returns an exit code.
int session_open_picked(struct session *session, const struct args *args, bool tuned);

// The same on a device that is already selected.
int session_open_on(struct session *session, const struct device *device, const struct args *args, bool tuned);

// Adds the name of the device, its platform and its driver.
void device_add_json(cJSON *object, const struct device *device);
