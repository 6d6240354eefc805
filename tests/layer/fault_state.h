// What the layer's files share: whether this call fails, and what lives.
#ifndef FAULT_STATE_H
#define FAULT_STATE_H

#include <CL/cl_icd.h>

#include "fault_control.h"

extern const struct _cl_icd_dispatch *fault_below;
extern struct fault_pretence fault_pretence;

// Counts the call, and says with which code it is to fail, if it is.
bool fault_falls(enum fault_entry entry, cl_int *code);

// The same for commands: `late` says that it is to end in an error instead, and then nothing has failed yet.
bool fault_falls_or_late(enum fault_entry entry, cl_command_queue queue, cl_int *code, bool *late);

void fault_count_live(enum fault_kind kind, long change);
long fault_live_of(enum fault_kind kind);

// A command that ends in an error, in place of one that was asked for.
cl_int fault_enqueue_failing(cl_command_queue queue, cl_event *event);

// Queues and user events there are: a device that vanishes ends what runs.
void fault_note_queue(cl_command_queue queue, int references);
void fault_note_user_event(cl_event event, bool is_there);
void fault_end_all(void);

// --- The wrappers, file by file ---
void fault_hook_making(struct _cl_icd_dispatch *table);
void fault_hook_programs(struct _cl_icd_dispatch *table);
void fault_hook_asking(struct _cl_icd_dispatch *table);
void fault_hook_commands(struct _cl_icd_dispatch *table);

// --- fault_programs.c ---
void fault_keep_programs(bool keep);
long fault_strange_binaries(void);

// --- fault_environment.c ---
void fault_read_environment(void);

#endif
