// The keys of --group and --by-key. There are one or several, and each is a file or a column of INPUT, which may be
// several texts. A group of --group has all elements with equal keys, wherever they are in INPUT.
#pragma once

#include <stdbool.h>

#include "cli/args.h"
#include "input/input.h"
#include "run/results.h"

struct job;

enum { KEYS_MAX = 4 };

struct keys {
  char *copy;                       // of the list that `names` points into
  const char *names[KEYS_MAX];      // as the user wrote them
  size_t count;                     // at least 1 after keys_open
  struct input more[KEYS_MAX - 1];  // behind job->segments, which is the first key
  struct words words[KEYS_MAX];     // of columns of several texts
  bool by_file;                     // columns of several texts: keys_load reads them with the elements
};

// Opens the file of rows, or all keys. Does nothing if no option has rows. Returns an exit code, like all functions
// here. Call keys_close in any case.
int keys_open(struct job *job);

// Reads INPUT and its columns of keys, if they are several texts. Does nothing otherwise, and if it is done.
int keys_load(struct job *job);

struct input *keys_at(struct job *job, size_t index);

// Closes all keys but the first.
void keys_close(struct job *job);

// ---- Groups

// Puts the elements of each group side by side, in their order, and the groups in the order of their keys: numbers by
// value and NaN last, words by their bytes. All NaNs are one group, and so are 0 and -0. Sets job->runs,
// job->group_keys and, if job->wants_places, job->places. The inputs and the keys must be loaded, and of one length.
// Returns an exit code.
int groups_gather(struct job *job);

// Replaces indices within a group by indices within INPUT, in the results of all groups. Needs job->places. If all
// elements of a group are ignored NaNs, its index is outside the group and does not change.
void groups_place(const struct job *job, struct results *results);

// Replaces indices of elements by those of their rows of text, if --missing left out rows. Indices within segments and
// runs stay as they are.
void groups_number_rows(const struct job *job, struct results *results);

// For --by-key: prints a note if equal keys stand apart. `keys` are those of the elements or of the runs.
void groups_note_apart(const struct job *job, const clred_type_info *type, const void *keys, uint64_t count);
