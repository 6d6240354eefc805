// The groups of --group: elements with equal keys, wherever they stand.
#pragma once

#include "run/job.h"

// Puts the elements of each group side by side, in their order, and the groups in the order of their keys: numbers by
// value and NaN last, words by their bytes. All NaNs are one group, and so are 0 and -0. Sets job->runs and
// job->group_keys. The inputs and the keys must be loaded, and of one length. Returns an exit code.
int groups_gather(struct job *job);

// For --by-key: prints a note if equal keys stand apart. `keys` are those of the elements or of the runs.
void groups_note_apart(const struct job *job, const clred_type_info *type, const void *keys, uint64_t count);
