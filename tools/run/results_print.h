// Results as text, as JSON and as a .npy file.

#ifndef CLREDUCE_TOOL_RESULTS_PRINT_H
#define CLREDUCE_TOOL_RESULTS_PRINT_H

#include <cjson/cJSON.h>

#include "input/layout.h"
#include "run/results.h"

// One result: its value alone, or a line "name value" for each part. A list of them: one result a line, parts separated
// by spaces. An exit code.
int results_print(const struct results *results, bool listed);

// A list of results with the key of each before it.
int results_print_keyed(const struct results *keys, const struct results *results);

// A number, a list (of a vector's components), an object (of parts); of several results a list of these, in C order.
cJSON *results_json(const struct results *results, bool listed);

// One of them.
cJSON *results_one_json(const struct results *results, uint64_t index);

// Writes an array of the layout's shape: vectors as one more axis, parts as a structured dtype. The file is there in
// full or, if this fails, not at all. An exit code. `option` named the path.
int results_write(const struct results *results, const struct layout *layout, const char *option, const char *path);

#endif
