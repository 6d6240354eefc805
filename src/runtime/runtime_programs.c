// The programs of a runtime: written, then loaded or built, and told of.
#include "runtime/runtime.h"

#include <stdio.h>
#include <string.h>

#include "source/build_log.h"
#include "source/kernel_text.h"

// What the cache could not do, taken from under the lock and told outside of it, line by line.
static void tell_remarks(clred_runtime *runtime) {
  mtx_lock(&runtime->lock);
  struct clr_text remarks = runtime->programs.cache.remarks;
  runtime->programs.cache.remarks = (struct clr_text){0};
  mtx_unlock(&runtime->lock);
  for (char *line = remarks.bytes, *end; runtime->log && line && (end = strchr(line, '\n')) != NULL; line = end + 1) {
    *end = 0;
    runtime->log(line, runtime->user_data);
  }
  clr_text_release(&remarks);
}

size_t clr_runtime_save(clred_runtime *runtime) {
  mtx_lock(&runtime->lock);
  size_t saved = clr_programs_save(&runtime->programs);
  mtx_unlock(&runtime->lock);
  tell_remarks(runtime);
  return saved;
}

static void tell(const clred_runtime *runtime, const char *done, const char *what,
                 const struct clr_operation *operation) {
  char line[160];
  if (!runtime->log)
    return;
  snprintf(line, sizeof line, "%s %s for %.60s of %s", done, what, operation->name, operation->element.name);
  runtime->log(line, runtime->user_data);
}

// Loads or builds a text that was written, or says why there is none.
static cl_int build(clred_runtime *runtime, const char *what, const struct clr_operation *operation,
                    struct clr_text *text, struct clr_built **made, struct clr_status *status) {
  mtx_lock(&runtime->lock);
  size_t builds = runtime->programs.builds, loads = runtime->programs.loads;
  cl_int err =
    clr_programs_get(&runtime->programs, text->bytes, runtime->facts.device_fence == CLR_FENCE_C11, made, status);
  bool built = runtime->programs.builds > builds, loaded = runtime->programs.loads > loads;
  if (err == CL_BUILD_PROGRAM_FAILURE && operation->custom && runtime->programs.log.bytes &&
      clr_explain_log(runtime->programs.log.bytes, text->bytes, operation->name, status))
    err = status->code;
  mtx_unlock(&runtime->lock);
  tell_remarks(runtime);
  if (built || loaded)
    tell(runtime, built ? "built" : "loaded", what, operation);
  return err;
}

static cl_int name_folder(cl_int err, const struct clr_kernel_reader *reader, struct clr_status *status) {
  struct clr_status inner = *status;
  if (err == CLRED_KERNEL_SOURCE && reader->folder)
    clr_fail(status, err, "%.200s from the folder %.200s (CLREDUCE_CL_DIR)", inner.sentence, reader->folder);
  return err;
}

cl_int clr_runtime_program(clred_runtime *runtime, const struct clr_strategy *strategy,
                           const struct clr_operation *operation, const struct clr_shape *shape, unsigned kernels,
                           struct clr_built **built, struct clr_status *status) {
  enum clr_fence fence = (enum clr_fence)runtime->facts.device_fence;
  struct clr_kernel_reader reader = clr_kernel_reader_open();
  const struct clr_source_from from = {clr_kernel_read, &reader, runtime->programs.options};
  struct clr_text text = {0};
  cl_int err = clr_source_write(strategy, operation, shape, kernels, fence, &from, &text, status);
  name_folder(err, &reader, status);
  clr_kernel_reader_close(&reader);
  if (!err)
    err = build(runtime, strategy->name, operation, &text, built, status);
  clr_text_release(&text);
  return err;
}

typedef cl_int write_alone(const struct clr_operation *operation, const struct clr_source_from *from,
                           struct clr_text *text, struct clr_status *status);

static cl_int program_alone(clred_runtime *runtime, const struct clr_operation *operation, write_alone *write,
                            const char *what, struct clr_built **built, struct clr_status *status) {
  struct clr_kernel_reader reader = clr_kernel_reader_open();
  const struct clr_source_from from = {clr_kernel_read, &reader, runtime->programs.options};
  struct clr_text text = {0};
  cl_int err = write(operation, &from, &text, status);
  name_folder(err, &reader, status);
  clr_kernel_reader_close(&reader);
  if (!err)
    err = build(runtime, what, operation, &text, built, status);
  // Nothing but the caller's text can be wrong here, also where the compiler's words lead to no piece.
  if (err == CL_BUILD_PROGRAM_FAILURE && operation->custom) {
    struct clr_status inner = *status;
    err = clr_fail_operator(status, operation->name, "%.300s", inner.sentence);
  }
  clr_text_release(&text);
  return err;
}

cl_int clr_runtime_probe(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                         struct clr_status *status) {
  return program_alone(runtime, operation, clr_source_probe, "a probe", built, status);
}

cl_int clr_runtime_laws(clred_runtime *runtime, const struct clr_operation *operation, struct clr_built **built,
                        struct clr_status *status) {
  return program_alone(runtime, operation, clr_source_laws, "the laws", built, status);
}
