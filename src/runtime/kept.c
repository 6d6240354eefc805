// The two files that a runtime reads when it is created and replaces when it saves: tuning (measured numbers) and
// findings of probes.
#include "runtime/runtime.h"

#include <string.h>

#include "base/version.h"
#include "model/kept_text.h"
#include "model/tuning_text.h"
#include "opencl/device.h"
#include "opencl/text_file.h"

// The differences between the two kinds of file.
struct kind {
  const char *name;
  const char *begin;    // the first bytes of such a file
  const char *stale;    // message for a file of another version, which is ignored
  const char *foreign;  // message for a file of another kind, which is ignored
  bool by_reported;     // rows match the device by its reported facts, not by the corrected ones
  // Reads the rows about this device.
  enum clr_tuning_state (*take)(clred_runtime *runtime, const char *bytes, size_t length,
                                const struct clr_tuning_key *key);
  // Appends the new file's text: the rows of the old file (NULL: none) with this device's rows replaced.
  void (*write)(clred_runtime *runtime, const char *old, size_t length, const struct clr_tuning_key *key,
                struct clr_text *text);
};

static enum clr_tuning_state take_tuning(clred_runtime *runtime, const char *bytes, size_t length,
                                         const struct clr_tuning_key *key) {
  return clr_tuning_read(bytes, length, key, &runtime->tuning);
}

static void write_tuning(clred_runtime *runtime, const char *old, size_t length, const struct clr_tuning_key *key,
                         struct clr_text *text) {
  clr_tuning_write(old, length, key, &runtime->tuning, text);
}

static enum clr_tuning_state take_findings(clred_runtime *runtime, const char *bytes, size_t length,
                                           const struct clr_tuning_key *key) {
  return clr_findings_read(bytes, length, key, &runtime->known);
}

static void write_findings(clred_runtime *runtime, const char *old, size_t length, const struct clr_tuning_key *key,
                           struct clr_text *text) {
  clr_findings_write(old, length, key, runtime->has_found ? &runtime->found : &runtime->known, text);
}

static const struct kind tuning_kind = {
  "tuning",
  CLR_TUNING_BEGIN,
  "it was measured with another version of the driver or of this library; tune anew",
  "it is damaged, or no tuning file",
  .by_reported = false,
  .take = take_tuning,
  .write = write_tuning,
};
static const struct kind findings_kind = {
  "findings",
  CLR_FINDINGS_BEGIN,
  "it was written with another version of the driver or of this library; run selftest anew",
  "it is damaged, or no file of findings",
  .by_reported = true,
  .take = take_findings,
  .write = write_findings,
};

// Makes the key that marks the rows of this device.
static cl_int make_key(const clred_runtime *runtime, const struct kind *kind, struct clr_tuning_key *key,
                       struct clr_status *status) {
  struct clr_device_names names;
  cl_int err = clr_device_name(runtime->device, &names, status);
  if (err)
    return err;
  clr_tuning_key_line(key->device, names.device);
  clr_tuning_key_line(key->platform, names.platform);
  clr_tuning_key_line(key->driver, names.driver);
  clr_tuning_key_line(key->version, CLR_VERSION);
  clr_tuning_key_facts(key->facts, kind->by_reported ? &runtime->reported : &runtime->facts);
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Reading

static void note(clred_runtime *runtime, const struct kind *kind, const char *file, const char *why,
                 struct clr_text *note) {
  clr_text_format(note, "%s file %.300s ignored: %s", kind->name, file, why);
  if (runtime->log && note->bytes)
    runtime->log(note->bytes, runtime->user_data);
}

static const char *reason(const struct kind *kind, enum clr_tuning_state state) {
  if (state == CLR_TUNING_VERSION)
    return "it is of a version of the format that this library does not know";
  return state == CLR_TUNING_STALE ? kind->stale : kind->foreign;
}

// Reads a file. A useless file is no failure: `said` and the log get a line about it.
static void load(clred_runtime *runtime, const struct kind *kind, const char *file, struct clr_text *said) {
  static const char *const unread[] = {[CLR_FILE_UNREADABLE] = "it cannot be read",
                                       [CLR_FILE_TOO_LARGE] = "it is too large",
                                       [CLR_FILE_NO_MEMORY] = "memory is out"};
  struct clr_tuning_key key;
  struct clr_status status;
  char *bytes = NULL;
  size_t length = 0;
  enum clr_file_state read = clr_file_read(file, CLR_KEPT_FILE_MAX, &bytes, &length);
  if (read != CLR_FILE_READ && read != CLR_FILE_ABSENT)
    note(runtime, kind, file, unread[read], said);
  if (read != CLR_FILE_READ)
    return;
  if (make_key(runtime, kind, &key, &status)) {
    note(runtime, kind, file, status.sentence, said);
    clr_file_free(bytes);
    return;
  }
  enum clr_tuning_state state = kind->take(runtime, bytes, length, &key);
  if (state != CLR_TUNING_FOUND && state != CLR_TUNING_ABSENT)
    note(runtime, kind, file, reason(kind, state), said);
  clr_file_free(bytes);
}

// ---------------------------------------------------------------- Writing

// True if we may overwrite the existing file: it is of this kind, even if damaged. If a file of another kind exists,
// the user probably named it by mistake.
static bool is_replaceable(const struct kind *kind, enum clr_file_state read, const char *bytes, size_t length) {
  size_t begin = strlen(kind->begin);
  if (read == CLR_FILE_UNREADABLE || read == CLR_FILE_TOO_LARGE)
    return false;
  return read != CLR_FILE_READ || !length || (length >= begin && memcmp(bytes, kind->begin, begin) == 0);
}

static cl_int replace(const struct kind *kind, const char *file, const struct clr_text *text,
                      struct clr_status *status) {
  if (text->failed)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing a %s file", kind->name);
  const char *why = clr_file_replace(file, text->bytes, text->length);
  return why ? clr_fail(status, CLRED_TUNING_FILE, "%s file %.300s: %s", kind->name, file, why) : CL_SUCCESS;
}

static cl_int save(clred_runtime *runtime, const struct kind *kind, const char *file, struct clr_status *status) {
  struct clr_tuning_key key;
  struct clr_text text = {0};
  char *old = NULL;
  size_t length = 0;
  if (!file || !*file)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "file is %s", file ? "empty" : "NULL");
  enum clr_file_state read = clr_file_read(file, CLR_KEPT_FILE_MAX, &old, &length);
  if (read == CLR_FILE_NO_MEMORY)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while reading the %s file %.300s", kind->name, file);
  if (!is_replaceable(kind, read, old, length)) {
    clr_file_free(old);
    return clr_fail(status, CLRED_TUNING_FILE,
                    "%s file %.300s: it exists and is no %s file, so it was not replaced; give another name",
                    kind->name, file, kind->name);
  }
  cl_int err = make_key(runtime, kind, &key, status);
  if (!err) {
    clr_lock_take(&runtime->lock);
    kind->write(runtime, read == CLR_FILE_READ ? old : NULL, length, &key, &text);
    clr_lock_give(&runtime->lock);
    err = replace(kind, file, &text, status);
  }
  clr_file_free(old);
  clr_text_release(&text);
  return err;
}

// ---------------------------------------------------------------- Both kinds

void clr_runtime_read_tuning(clred_runtime *runtime, const char *file) {
  load(runtime, &tuning_kind, file, &runtime->tuning_note);
}

cl_int clr_runtime_save_tuning(clred_runtime *runtime, const char *file, struct clr_status *status) {
  return save(runtime, &tuning_kind, file, status);
}

void clr_runtime_read_findings(clred_runtime *runtime, const char *file) {
  if (file && *file)
    load(runtime, &findings_kind, file, &runtime->findings_note);
}

cl_int clr_runtime_save_findings(clred_runtime *runtime, const char *file, struct clr_status *status) {
  return save(runtime, &findings_kind, file, status);
}
