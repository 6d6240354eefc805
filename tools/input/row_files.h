// The files that divide an array into rows: offsets of --segments, keys of --by-key and --group, flags of --heads.
#pragma once

#include "cli/args.h"
#include "input/input.h"

// True if --by-key or --heads is given.
bool runs_given(const struct args *args);

// True if any of the four options is given.
bool row_file_given(const struct args *args);

// Opens the file and checks its header. Keys may be a column of `elements`, which must be open.
// Returns an exit code, like all functions here.
int row_file_open(struct input *file, const struct args *args, const struct input *elements);

// Checks that loaded offsets ascend within `count` elements. If `op` is not NULL, an empty segment is refused: the
// operator of that name has no result for no elements.
int segments_check(const struct input *segments, uint64_t count, const char *op);

uint64_t segments_number(const struct input *segments);

// Offset `index` of a file that passed segments_check.
uint64_t segments_offset(const struct input *segments, uint64_t index);

// The words that the keys are numbers of; NULL: the keys are numbers.
const struct words *row_file_words(const struct input *file);

// Checks that there is one key or flag for each element.
int runs_check(const struct input *file, const struct args *args, const struct input *elements);

// Computes the offsets of the runs from loaded keys or flags. input_close releases `offsets`, also after a failure.
int runs_find(const struct input *file, bool by_key, struct input *offsets);
