// The groups of --group: elements with equal keys, wherever they stand.
#pragma once

#include "run/job.h"

// Puts the elements of each group side by side, in their order, and the groups in the order of their keys: numbers by
// value and NaN last, words by their bytes. All NaNs are one group, and so are 0 and -0. Sets job->runs,
// job->group_keys and, if job->wants_places, job->places. The inputs and the keys must be loaded, and of one length.
// Returns an exit code.
int groups_gather(struct job *job);

// Replaces indices within a group by indices within INPUT, in the results of all groups. Needs job->places. An index
// outside its group does not change: then all elements of the group are ignored NaNs.
void groups_place(const struct job *job, struct results *results);

// Replaces indices of elements by those of their rows of text, if --missing left out rows. Indices within segments and
// runs stay as they are.
void groups_number_rows(const struct job *job, struct results *results);

// For --by-key: prints a note if equal keys stand apart. `keys` are those of the elements or of the runs.
void groups_note_apart(const struct job *job, const clred_type_info *type, const void *keys, uint64_t count);
