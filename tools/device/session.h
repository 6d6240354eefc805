// An open device: context, profiling queue and the library's runtime.

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

// Files that are kept between runs. NULL: not kept.
struct session_files {
  const char *cache;     // folder of compiled programs
  const char *tuning;    // what tune measured
  const char *findings;  // what selftest found
};

// Opens a device; `assume` may replace facts (or is NULL). Returns CL_SUCCESS, or a status with a message in `error`
// and nothing to close. `query` uses this to go on to the next device.
cl_int session_open(struct session *session, const struct device *device, const char *assume,
                    const struct session_files *files, char error[SESSION_ERROR_SIZE]);

// The same, but prints the error and returns an exit code.
int session_open_with(struct session *session, const struct device *device, const char *assume,
                      const struct session_files *files);

// Selects a device and opens it without kept files. Returns an exit code.
int session_open_picked(struct session *session, const char *selector, const char *assume);

void session_close(struct session *session);

// clred_plan_create without the messages of the driver's compiler.
cl_int session_plan(const struct session *session, const clred_problem *problem, clred_plan **plan);

// clred_check_laws without the messages of the driver's compiler.
cl_int session_check_laws(const struct session *session, const clred_problem *problem, cl_ulong seed,
                          clred_law laws[CLRED_LAWS]);

// The description of a plan for calls of `count` elements, to be freed; NULL if memory is short.
char *session_describe(const clred_plan *plan, cl_ulong count);

// Prints the description on standard error, and how many programs were compiled: an exit code.
int session_explain(const struct session *session, const clred_plan *plan, cl_ulong count);

// The value of a fact in use; `otherwise` if the library has no such fact.
cl_ulong session_fact(const struct session *session, const char *name, cl_ulong otherwise);

#endif
