// Reads the options about devices and kept files.

#include "device/session_asked.h"

#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"
#include "device/kept_files.h"

static int open_with(struct session *session, const struct device *device, const struct args *args,
                     const char *tuning) {
  char *folder, findings[KEPT_PATH_SIZE];
  int code = findings_path(args->findings, findings);
  if (code == EXIT_DONE)
    code = cache_place(args->cache, &folder);
  if (code != EXIT_DONE)
    return code;
  code = session_open_with(session, device, args->assume,
                           &(struct session_files){folder, tuning, *findings == '\0' ? NULL : findings});
  free(folder);
  clred_runtime_info info = {0};
  clred_runtime_inspect(session->runtime, &info);
  if (code == EXIT_DONE && !args->quiet && *info.findings_note != '\0')
    fail(EXIT_DONE, "%s", info.findings_note);
  return code;
}

int session_open_asked(struct session *session, const struct args *args) {
  struct device device;
  int code = device_pick(args->device, &device);
  return code == EXIT_DONE ? open_with(session, &device, args, NULL) : code;
}

int session_open_tuned(struct session *session, const struct args *args) {
  struct device device;
  int code = device_pick(args->device, &device);
  return code == EXIT_DONE ? session_open_tuned_on(session, &device, args) : code;
}

int session_open_tuned_on(struct session *session, const struct device *device, const struct args *args) {
  char path[KEPT_PATH_SIZE];
  int code = tuning_path(args->tuning, path);
  if (code == EXIT_DONE)
    code = open_with(session, device, args, *path == '\0' ? NULL : path);
  clred_runtime_info info = {0};
  clred_runtime_inspect(session->runtime, &info);
  if (code == EXIT_DONE && !args->quiet && *info.tuning_note != '\0')
    fail(EXIT_DONE, "%s", info.tuning_note);
  return code;
}

void device_add_json(cJSON *object, const struct device *device) {
  json_add_text(object, "device", device->name);
  json_add_text(object, "platform", device->platform);
  json_add_text(object, "driver", device->driver);
}
