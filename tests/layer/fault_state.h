// What the files of the layer share: whether a call fails, and which objects live.
#pragma once

#include <CL/cl_icd.h>

#include "fault_control.h"

extern const struct _cl_icd_dispatch *fault_below;
extern struct fault_pretence fault_pretence;

// The wrappers, one for each row of fault_table.h.
#define FAULT_DECLARE(name, ...) extern __typeof__(*fault_below->name) wrap_##name;
#define FAULT_DECLARE_COUNTED(name) FAULT_DECLARE(name, )
FAULT_ENTRY_MAP(FAULT_DECLARE, FAULT_DECLARE, FAULT_DECLARE_COUNTED)

// Counts the call. True if it must fail, with this code.
bool fault_falls(enum fault_entry entry, cl_int *code);

// The same for a call that makes an object: stores the code in `err` if that is not NULL.
bool fault_refuses(enum fault_entry entry, cl_int *err);

// The same for a command. If `late` is set, the call succeeds and its command must end in an error.
bool fault_falls_or_late(enum fault_entry entry, cl_command_queue queue, cl_int *code, bool *late);

void fault_count_live(enum fault_kind kind, long change);
long fault_live_of(enum fault_kind kind);

// Enqueues a command that ends in an error, instead of the caller's.
cl_int fault_enqueue_failing(cl_command_queue queue, cl_event *event);

// Records the queues and user events that exist, because a device that vanishes must end all commands.
void fault_note_queue(cl_command_queue queue, int references);
void fault_note_user_event(cl_event event, bool has_value);
void fault_end_all(void);

// --- fault_programs.c ---
void fault_keep_programs(bool keep);
long fault_strange_binaries(void);
