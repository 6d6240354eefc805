// The files that divide an array into rows: offsets of --segments, keys of --by-key and --group, flags of --heads.
#pragma once

#include "cli/args.h"
#include "input/input.h"

// True if --by-key or --heads is given.
bool runs_given(const struct args *args);

// True if any of the four options is given.
bool row_file_given(const struct args *args);

// The value of the option that is given; NULL if none is.
const char *row_file_name(const struct args *args);

// True if a list of keys with commas is the name of one file or column.
bool row_file_is_whole(const char *list, const struct input *elements);

// True if the name of a key means a column of text, not a file.
bool row_file_is_column(const char *name);

// Opens the file and checks its header. Keys may be a column of `elements`, which must be open. `name` is the option's
// value, or key number `index` of several. Returns an exit code, like all functions here.
int row_file_open(struct input *file, const struct args *args, const struct input *elements, size_t index,
                  const char *name);

// Checks that loaded offsets ascend within `count` elements. If `op` is not NULL, an empty segment is refused: the
// operator of that name has no result for no elements.
int segments_check(const struct input *segments, uint64_t count, const char *op);

uint64_t segments_number(const struct input *segments);

// Offset `index` of a file that passed segments_check.
uint64_t segments_offset(const struct input *segments, uint64_t index);

// Checks that there is one key or flag for each element.
int runs_check(const struct input *file, const struct args *args, const struct input *elements, const char *name);

// Computes the offsets of the runs from loaded keys or flags. input_close releases `offsets`, also after a failure.
int runs_find(const struct input *file, bool by_key, struct input *offsets);
