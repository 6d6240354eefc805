// The tuning file, which a runtime reads when it is created and replaces when it saves.
#include "runtime/runtime.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cache/cache_files.h"
#include "model/tuning_text.h"
#include "opencl/device.h"
#include "platform/files.h"

// Makes the key that marks the rows of this device.
static cl_int make_key(const clred_runtime *runtime, struct clr_tuning_key *key, struct clr_status *status) {
  struct clr_device_names names;
  cl_int err = clr_device_name(runtime->device, &names, status);
  if (err)
    return err;
  clr_tuning_key_make(names.device, names.platform, names.driver, &runtime->facts, key);
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Reading

static void note(clred_runtime *runtime, const char *file, const char *why) {
  struct clr_text *note = &runtime->tuning_note;
  clr_text_format(note, "tuning file %.300s ignored: %s", file, why);
  if (runtime->log && note->bytes)
    runtime->log(note->bytes, runtime->user_data);
}

// A useless file is no failure: the note and the log get a line about it.
void clr_runtime_read_tuning(clred_runtime *runtime, const char *file) {
  static const char *const unread[] = {[CLR_FILE_UNREADABLE] = "it cannot be read",
                                       [CLR_FILE_TOO_LARGE] = "it is too large",
                                       [CLR_FILE_NO_MEMORY] = "memory is out"};
  static const char *const unused[] = {
    [CLR_TUNING_STALE] = "it was measured with another version of the driver or of this library; tune anew",
    [CLR_TUNING_VERSION] = "it is of a version of the format that this library does not know",
    [CLR_TUNING_DAMAGED] = "it is damaged, or no tuning file"};
  struct clr_tuning_key key;
  struct clr_status status;
  struct clr_bytes bytes;
  enum clr_file_state read = clr_file_read(file, CLR_TUNING_FILE_MAX, &bytes);
  if (read != CLR_FILE_READ && read != CLR_FILE_ABSENT)
    note(runtime, file, unread[read]);
  if (read != CLR_FILE_READ)
    return;
  if (make_key(runtime, &key, &status)) {
    note(runtime, file, status.message);
    free(bytes.data);
    return;
  }
  enum clr_tuning_state state = clr_tuning_read((const char *)bytes.data, bytes.size, &key, &runtime->tuning);
  if (state != CLR_TUNING_FOUND && state != CLR_TUNING_ABSENT)
    note(runtime, file, unused[state]);
  free(bytes.data);
}

// ---------------------------------------------------------------- Writing

// True if we may overwrite the existing file: it is a tuning file, even if damaged. If a file of another kind exists,
// the user probably named it by mistake.
static bool is_replaceable(enum clr_file_state read, const struct clr_bytes *old) {
  size_t begin = strlen(CLR_TUNING_BEGIN);
  if (read == CLR_FILE_UNREADABLE || read == CLR_FILE_TOO_LARGE)
    return false;
  return read != CLR_FILE_READ || !old->size || (old->size >= begin && memcmp(old->data, CLR_TUNING_BEGIN, begin) == 0);
}

static cl_int replace(const char *file, const struct clr_text *text, struct clr_status *status) {
  if (text->failed)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing a tuning file");
  if (clr_file_replace(file, text->bytes, text->length, false))
    return CL_SUCCESS;
  char why[128];
  clr_os_error_words(errno, why, sizeof why);
  return clr_fail(status, CLRED_TUNING_FILE, "tuning file %.300s: %s", file, why);
}

cl_int clr_runtime_save_tuning(clred_runtime *runtime, const char *file, struct clr_status *status) {
  struct clr_tuning_key key;
  struct clr_text text = {0};
  struct clr_bytes old;
  if (!file || !*file)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "file is %s", file ? "empty" : "NULL");
  enum clr_file_state read = clr_file_read(file, CLR_TUNING_FILE_MAX, &old);
  if (read == CLR_FILE_NO_MEMORY)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while reading the tuning file %.300s", file);
  if (!is_replaceable(read, &old)) {
    free(old.data);
    return clr_fail(status, CLRED_TUNING_FILE,
                    "tuning file %.300s: it exists and is no tuning file, so it was not replaced; give another name",
                    file);
  }
  cl_int err = make_key(runtime, &key, status);
  if (!err) {
    clr_mutex_lock(&runtime->lock);
    clr_tuning_write((const char *)old.data, old.size, &key, &runtime->tuning, &text);
    clr_mutex_unlock(&runtime->lock);
    err = replace(file, &text, status);
  }
  free(old.data);
  clr_text_release(&text);
  return err;
}
