// Programs that this one started and that must not outlive it, however it ends.

#ifndef CLREDUCE_TOOL_LEFTOVERS_H
#define CLREDUCE_TOOL_LEFTOVERS_H

#include <stdbool.h>
#include <sys/types.h>

enum { LEFTOVERS_MOST = 16 };

// From here on SIGINT, SIGTERM and SIGHUP end the programs noted as well as this one.
void leftovers_watch(void);

// Notes the leader of a process group; false if there is no more room.
bool leftovers_note(pid_t group);
void leftovers_forget(pid_t group);

#endif
