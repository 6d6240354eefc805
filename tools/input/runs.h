// Keys of --by-key and flags of --heads: where runs begin, told by one of them for each element.

#ifndef CLREDUCE_TOOL_RUNS_H
#define CLREDUCE_TOOL_RUNS_H

#include "cli/args.h"
#include "input/input.h"

// Whether runs are asked for, and the option and the file that tell of them.
bool runs_asked(const struct args *args);
const char *runs_option(const struct args *args);
const char *runs_name(const struct args *args);

// Opens the file and looks at its header: one dimension, of a type that can be a key or a flag. An exit code, as all
// here.
int runs_open(struct input *tells, const struct args *args);

// Whether there is one for each element.
int runs_check(const struct input *tells, const struct args *args, const struct input *elements);

// Makes the runs' offsets from keys or flags that have been loaded, as if a file had them; input_close is due in any
// case.
int runs_find(const struct input *tells, bool by_key, struct input *offsets);

#endif
