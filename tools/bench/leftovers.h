// Child processes that must end with this process, also if a signal ends it.

#ifndef CLREDUCE_TOOL_LEFTOVERS_H
#define CLREDUCE_TOOL_LEFTOVERS_H

#include <stdbool.h>
#include <sys/types.h>

enum { LEFTOVERS_MOST = 16 };

// From now on SIGINT, SIGTERM and SIGHUP end the noted processes and then this one.
void leftovers_watch(void);

// Notes the leader of a process group; false if the table is full.
bool leftovers_note(pid_t group);
void leftovers_forget(pid_t group);

#endif
