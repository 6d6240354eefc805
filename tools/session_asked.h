// A session as a command line asks for it.

#ifndef CLREDUCE_TOOL_SESSION_ASKED_H
#define CLREDUCE_TOOL_SESSION_ASKED_H

#include "args.h"
#include "session.h"

// By --device, --assume and --cache: an exit code, with the line on standard error written.
int session_open_asked(struct session *session, const struct args *args);

#endif
