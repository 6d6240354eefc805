// The keys of --group and --by-key: one or several, each a file or a column of INPUT, which may be several texts.
#pragma once

#include <stdbool.h>

#include "cli/args.h"
#include "input/input.h"

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
