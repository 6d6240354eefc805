// Creates and releases a runtime: a context and a device, what is known of the device, and its programs.
#include "runtime/runtime.h"

#include <stdlib.h>
#include <string.h>

#include "model/message.h"
#include "opencl/device.h"

static cl_int check_device(cl_context context, cl_device_id device, struct clr_status *status) {
  size_t size = 0;
  cl_int err = clGetContextInfo(context, CL_CONTEXT_DEVICES, 0, NULL, &size);
  if (err)
    return clr_fail_call(status, err, "clGetContextInfo", "context");
  cl_device_id *devices = malloc(size ? size : 1);
  if (!devices)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while looking at the context");
  bool found = false;
  err = clGetContextInfo(context, CL_CONTEXT_DEVICES, size, devices, NULL);
  for (size_t i = 0; i < size / sizeof *devices && !err; i++)
    found |= devices[i] == device;
  free(devices);
  if (err)
    return clr_fail_call(status, err, "clGetContextInfo", "context");
  return found ? CL_SUCCESS : clr_fail(status, CL_INVALID_DEVICE, "the device does not belong to the context");
}

static cl_int settle_facts(clred_runtime *runtime, const clred_options *options, struct clr_status *status) {
  cl_int err = clr_device_ask(runtime->device, &runtime->reported, status);
  if (err)
    return err;
  runtime->facts = runtime->reported;
  return options->assume ? clr_facts_assume(&runtime->facts, options->assume, status) : CL_SUCCESS;
}

// One block has the pointers and then the strings.
static const char **copy_command(const char *const *command) {
  size_t count = 0, bytes = 0;
  while (command[count])
    bytes += strlen(command[count++]) + 1;
  const char **copy = malloc((count + 1) * sizeof *copy + bytes);
  char *to = copy ? (char *)(copy + count + 1) : NULL;
  for (size_t i = 0; copy && i < count; i++) {
    copy[i] = strcpy(to, command[i]);
    to += strlen(command[i]) + 1;
  }
  if (copy)
    copy[count] = NULL;
  return copy;
}

static cl_int take_trials(clred_runtime *runtime, const clred_options *options, struct clr_status *status) {
  const unsigned seconds = 600;
  struct clr_outside *outside = &runtime->outside;
  runtime->trusts = options->trust_driver != CL_FALSE;
  runtime->device_only = options->device_only != CL_FALSE;
  outside->seconds = options->trial_seconds ? options->trial_seconds : seconds;
  if (!options->trial_command || runtime->trusts)
    return CL_SUCCESS;
  outside->command = copy_command(options->trial_command);
  atomic_store(&outside->works, outside->command != NULL);
  clr_pack(CLR_PACKED_OPTIONS, options, &outside->options);
  return outside->command && !outside->options.failed
           ? CL_SUCCESS
           : clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while making a runtime");
}

static cl_int fill(clred_runtime *runtime, const clred_options *options, struct clr_status *status) {
  const char *build_options = options->build_options ? options->build_options : "";
  runtime->log = options->log;
  runtime->user_data = options->user_data;
  cl_int err = check_device(runtime->context, runtime->device, status);
  if (!err)
    err = take_trials(runtime, options, status);
  if (!err)
    err = settle_facts(runtime, options, status);
  if (!err)
    err = clr_device_rounds_divide(runtime->device, &runtime->programs.rounds_divide, status);
  if (err)
    return err;
  runtime->options = malloc(strlen(build_options) + 1);
  if (!runtime->options)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while making a runtime");
  strcpy(runtime->options, build_options);
  runtime->programs = (struct clr_programs){
    .context = runtime->context,
    .device = runtime->device,
    .options = runtime->options,
    .rounds_divide = runtime->programs.rounds_divide,
    // Drivers of CPUs compile for a group size at its first launch; other drivers compile everything in the build.
    .late = runtime->reported.cpu,
  };
  clr_cache_open(options->cache_directory, runtime->device, &runtime->programs.cache);
  if (options->tuning_file)
    clr_runtime_read_tuning(runtime, options->tuning_file);
  return CL_SUCCESS;
}

#define LOCKS 4

cl_int clr_runtime_make(cl_context context, cl_device_id device, const clred_options *options, clred_runtime **made,
                        struct clr_status *status) {
  clred_runtime *runtime = calloc(1, sizeof *runtime);
  clr_mutex *const locks[] = {&runtime->lock, &runtime->mapping, &runtime->measuring, &runtime->outside.lock};
  size_t locked = 0;
  while (runtime && locked < LOCKS && clr_mutex_init(locks[locked]))
    locked++;
  if (locked < LOCKS) {
    while (locked)
      clr_mutex_destroy(locks[--locked]);
    free(runtime);
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while making a runtime");
  }
  runtime->outside.process.connection = -1;
  runtime->context = context;
  runtime->device = device;
  clRetainContext(context);
  clRetainDevice(device);
  cl_int err = fill(runtime, options, status);
  if (err)
    clr_runtime_release(runtime);
  else
    *made = runtime;
  return err;
}

void clr_runtime_release(clred_runtime *runtime) {
  char ended[64];
  if (!runtime)
    return;
  clr_os_process_end(&runtime->outside.process, ended, sizeof ended);
  clr_runtime_save(runtime);
  clr_programs_release(&runtime->programs);
  clr_tuning_release(&runtime->tuning);
  clr_text_release(&runtime->tuning_note);
  clReleaseDevice(runtime->device);
  clReleaseContext(runtime->context);
  clr_mutex_destroy(&runtime->lock);
  clr_mutex_destroy(&runtime->mapping);
  clr_mutex_destroy(&runtime->measuring);
  clr_mutex_destroy(&runtime->outside.lock);
  clr_text_release(&runtime->outside.options);
  free(runtime->outside.command);
  free(runtime->options);
  free(runtime);
}

bool clr_runtime_keep_tuned(clred_runtime *runtime, const struct clr_tuning_row *row) {
  clr_mutex_lock(&runtime->lock);
  bool kept = clr_tuning_put(&runtime->tuning, row);
  clr_mutex_unlock(&runtime->lock);
  return kept;
}
