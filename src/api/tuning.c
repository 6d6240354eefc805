#include "api/tuning.h"

#include <stdio.h>
#include <string.h>

#include "opencl/device.h"
#include "opencl/text_file.h"

cl_int clr_runtime_tuning_key(const clred_runtime *runtime, struct clr_tuning_key *key, struct clr_status *status)
{
  struct clr_device_names names;
  cl_int err = clr_device_name(runtime->device, &names, status);
  if (err)
    return err;
  clr_tuning_key_line(key->device, names.device);
  clr_tuning_key_line(key->platform, names.platform);
  clr_tuning_key_line(key->driver, names.driver);
  clr_tuning_key_line(key->version, clred_version());
  clr_tuning_key_facts(key->facts, &runtime->facts);
  return CL_SUCCESS;
}

static void note(clred_runtime *runtime, const char *file, const char *why)
{
  clr_text_format(&runtime->tuning_note, "tuning file %.300s ignored: %s", file, why);
  if (runtime->log && runtime->tuning_note.bytes)
    runtime->log(runtime->tuning_note.bytes, runtime->user_data);
}

void clr_runtime_read_tuning(clred_runtime *runtime, const char *file)
{
  static const char *const reasons[] = {
    [CLR_TUNING_STALE] = "it was measured with another version of the driver or of this library; tune anew",
    [CLR_TUNING_VERSION] = "it is of a version of the format that this library does not know",
    [CLR_TUNING_DAMAGED] = "it is damaged, or no tuning file",
  };
  struct clr_tuning_key key;
  char *bytes = NULL;
  size_t length = 0;
  enum clr_file_state read = clr_file_read(file, CLR_TUNING_FILE_MAX, &bytes, &length);
  if (read == CLR_FILE_UNREADABLE)
    note(runtime, file, "it cannot be read");
  if (read == CLR_FILE_NO_MEMORY)
    note(runtime, file, "memory is out");
  if (read == CLR_FILE_TOO_LARGE)
    note(runtime, file, "it is too large for a tuning file");
  if (read != CLR_FILE_READ)
    return;
  struct clr_status status;
  if (clr_runtime_tuning_key(runtime, &key, &status)) {
    note(runtime, file, status.sentence);
    clr_file_free(bytes);
    return;
  }
  enum clr_tuning_state state = clr_tuning_read(bytes, length, &key, &runtime->tuning);
  if (state != CLR_TUNING_FOUND && state != CLR_TUNING_ABSENT)
    note(runtime, file, reasons[state]);
  clr_file_free(bytes);
}

const char *clred_tuning_note(const clred_runtime *runtime)
{
  return runtime && runtime->tuning_note.bytes ? runtime->tuning_note.bytes : "";
}

struct clr_tuned clr_runtime_tuned(clred_runtime *runtime, const struct clr_strategy *strategy,
                                   const struct clr_problem *problem)
{
  struct clr_tuning_row like;
  struct clr_tuned tuned = {0};
  clr_tuning_name(strategy->name, problem, &like);
  mtx_lock(&runtime->lock);
  const struct clr_tuning_row *row = clr_tuning_find(&runtime->tuning, &like);
  if (row)
    tuned = row->tuned;
  mtx_unlock(&runtime->lock);
  return tuned;
}

bool clr_runtime_keep_tuned(clred_runtime *runtime, const struct clr_tuning_row *row)
{
  mtx_lock(&runtime->lock);
  bool kept = clr_tuning_put(&runtime->tuning, row);
  mtx_unlock(&runtime->lock);
  return kept;
}

// A file that somebody named by mistake is not to be lost; a tuning file that is damaged may be.
static bool is_replaceable(enum clr_file_state read, const char *bytes, size_t length)
{
  const char begin[] = CLR_TUNING_BEGIN;
  if (read == CLR_FILE_UNREADABLE || read == CLR_FILE_TOO_LARGE)
    return false;
  return read != CLR_FILE_READ || !length || (length >= sizeof begin - 1 && memcmp(bytes, begin, sizeof begin - 1) == 0);
}

static cl_int save(clred_runtime *runtime, const char *file, struct clr_status *status)
{
  struct clr_tuning_key key;
  struct clr_text text = {0};
  char *old = NULL;
  size_t length = 0;
  enum clr_file_state read = clr_file_read(file, CLR_TUNING_FILE_MAX, &old, &length);
  if (read == CLR_FILE_NO_MEMORY)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while reading the tuning file %.300s", file);
  if (!is_replaceable(read, old, length)) {
    clr_file_free(old);
    return clr_fail(status, CLRED_TUNING_FILE, "tuning file %.300s: it is there, is no tuning file, and was not replaced", file);
  }
  cl_int err = clr_runtime_tuning_key(runtime, &key, status);
  mtx_lock(&runtime->lock);
  if (!err)
    clr_tuning_write(read == CLR_FILE_READ ? old : NULL, length, &key, &runtime->tuning, &text);
  mtx_unlock(&runtime->lock);
  const char *why = NULL;
  if (!err && text.failed)
    err = clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing a tuning");
  if (!err)
    why = clr_file_replace(file, text.bytes, text.length);
  if (why)
    err = clr_fail(status, CLRED_TUNING_FILE, "tuning file %.300s: %s", file, why);
  clr_file_free(old);
  clr_text_release(&text);
  return err;
}

cl_int clred_tuning_save(clred_runtime *runtime, const char *file)
{
  struct clr_status status = {0};
  if (!runtime)
    return CLRED_INVALID_ARGUMENT;
  if (!file || !*file)
    clr_fail(&status, CLRED_INVALID_ARGUMENT, "file is %s", file ? "empty" : "NULL");
  else if (!save(runtime, file, &status))
    return CL_SUCCESS;
  return clr_runtime_fail(runtime, &status);
}
