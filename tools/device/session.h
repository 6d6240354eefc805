// One device opened for work: context, profiling queue and the library's runtime.

#ifndef CLREDUCE_TOOL_SESSION_H
#define CLREDUCE_TOOL_SESSION_H

#include <clreduce_device.h>
#include <stdint.h>

#include "device/device_pick.h"

enum { SESSION_ERROR_SIZE = 1024 };

struct session {
  struct device device;
  cl_context context;
  cl_command_queue queue;
  clred_runtime *runtime;
};

// What a session keeps from one process to the next; NULL: nowhere.
struct session_files {
  const char *cache;     // a folder of binaries
  const char *tuning;    // a file of numbers that tune has measured
  const char *findings;  // a file of what selftest has found
};

// Opens a device, with facts to assume (NULL: none). On failure nothing is left to close; CL_SUCCESS or a status, with
// a sentence in `error`, because `query` goes on to the next device.
cl_int session_open(struct session *session, const struct device *device, const char *assume,
                    const struct session_files *files, char error[SESSION_ERROR_SIZE]);

// The same: an exit code, with the line on standard error written.
int session_open_with(struct session *session, const struct device *device, const char *assume,
                      const struct session_files *files);

// Picks the device that `selector` means and opens it, without files: likewise.
int session_open_picked(struct session *session, const char *selector, const char *assume);

void session_close(struct session *session);

// On standard error, how many programs were compiled and how many the cache had.
void session_tell_programs(const struct session *session);

// clred_plan_create, without what the driver's compiler prints.
cl_int session_plan(const struct session *session, const clred_problem *problem, clred_plan **plan);

// clred_check_laws, likewise.
cl_int session_check_laws(const struct session *session, const clred_problem *problem, cl_ulong seed,
                          clred_law laws[CLRED_LAWS]);

// The fact in use, by name; `otherwise` where the library has no such fact.
cl_ulong session_fact(const struct session *session, const char *name, cl_ulong otherwise);

#endif
