// A session as a command line asks for it.

#ifndef CLREDUCE_TOOL_SESSION_ASKED_H
#define CLREDUCE_TOOL_SESSION_ASKED_H

#include "cli/args.h"
#include "device/session.h"

// By --device, --assume and --cache: an exit code, with the line on standard error written.
int session_open_asked(struct session *session, const struct args *args);

// The same, with what the file that --tuning names says of the device. A file that is ignored is told of, unless
// --quiet.
int session_open_tuned(struct session *session, const struct args *args);

// Likewise, on a device that was picked already.
int session_open_tuned_on(struct session *session, const struct device *device, const struct args *args);

#endif
