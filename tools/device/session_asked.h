// Opens a session as the command line says.

#ifndef CLREDUCE_TOOL_SESSION_ASKED_H
#define CLREDUCE_TOOL_SESSION_ASKED_H

#include <cjson/cJSON.h>

#include "cli/args.h"
#include "device/session.h"

// Reads --device, --assume, --cache and --findings. Returns an exit code.
int session_open_asked(struct session *session, const struct args *args);

// The same, and loads the file of --tuning. A file that is ignored is reported, unless --quiet is given.
int session_open_tuned(struct session *session, const struct args *args);

// The same on a device that is already selected.
int session_open_tuned_on(struct session *session, const struct device *device, const struct args *args);

// Adds the name of the device, its platform and its driver.
void device_add_json(cJSON *object, const struct device *device);

#endif
