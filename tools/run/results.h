// Results of a plan: one or an array. Each is a value, or several parts with names.
#pragma once

#include <cjson/cJSON.h>
#include <clreduce.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/output.h"
#include "base/value.h"
#include "base/words.h"
#include "input/layout.h"

enum { PART_NAME_SIZE = 64 };

struct part {
  char name[PART_NAME_SIZE];  // "" if the result is a single value. Of a list: the operator's word, or argmin_index
  clred_op op;                // of a list: the operator that it belongs to
  size_t word;                // of a list: the length of the operator's word in the name
  clred_type type;
  size_t offset;
};

struct results {
  const char *type_name;  // "struct" for several parts; a complex number has two parts and a name of its type
  clred_type type;        // NONE for a struct
  struct part *parts;
  size_t part_count;
  size_t overflows[CLRED_LIST_MAX];  // offsets of the parts "overflow", which are not among `parts`
  size_t overflow_count;
  size_t size;  // bytes per result
  uint64_t count;
  unsigned char *bytes;
  const struct words *words;   // if not NULL, each value is the number of one of these words
  const struct results *next;  // of keys: the keys of the next column, or NULL
  const char *title;           // of keys: their heading; NULL: "key"
  uint64_t per_line;           // results in one line, and in one inner list of JSON; 0: one in a line, no inner lists
};

// Reads the parts from the plan and allocates `count` results of zeros. Refuses structs with unknown members. With
// `checked`, the parts "overflow" go to `overflows` instead of `parts`: if one is not 0, the result is invalid. `words`
// are the operators of a list as the user spells them, with NULL behind the last; it is NULL if there is no list.
// Returns an exit code. Call results_release in any case.
int results_make(struct results *results, const clred_plan *plan, const clred_plan_info *info, uint64_t count,
                 bool checked, const char *const *words);

// Allocates single values of a type, without a plan.
int results_make_values(struct results *results, clred_type type, uint64_t count);

// Allocates results of the same kind and count, for verification.
int results_make_like(struct results *results, const struct results *other);

// Replaces the memory by memory for `count` results.
int results_make_more(struct results *results, uint64_t count);

void results_release(struct results *results);

void *results_at(const struct results *results, uint64_t index);

// Index of the last result; 0 if there is none.
uint64_t results_last(const struct results *results);

// Address of a part of a result.
const void *results_part(const struct results *results, uint64_t index, size_t part);

// Fails if the exact sum of a result did not fit. Returns an exit code.
int results_check_overflows(const struct results *results);

// A part's name as its operator alone has it: "index" for argmin_index of a list, "" for a single value.
const char *part_own_name(const struct part *part);

// True if all parts of a result are equal in both. All NaNs count as equal; padding is ignored.
bool results_same(const struct results *a, const struct results *b, uint64_t index);

// The keys of a row as its line has them, to be freed. NULL if memory is short.
char *results_keys_text(const struct results *keys, uint64_t row);

// The parts of one result in one line with `between` between them, to be freed. NULL if memory is short.
char *results_text(const struct results *results, uint64_t index, const char *between);

// Where lines are printed.
struct lines {
  FILE *file;
  const char *label;    // what each line begins with, or ""
  const char *heading;  // what stands above labels
  bool first;           // nothing was printed there
};

// Prints lines of cells with blanks between them; on a terminal, with aligned columns, if all lines have as many cells.
// `labelled`: the first column has labels. Returns an exit code.
int lines_print(const char *text, size_t size, bool labelled);

// Prints results. One result without a label: its value, or a line "name value" for each part; values are aligned for a
// list of operators. Otherwise each result is a line: the label, the keys unless `keys` is NULL, and the parts, with
// spaces between them. On a terminal the columns are aligned below their names; per_file.h aligns lines with labels.
// Returns an exit code; after a failure nothing was printed.
int results_print(const struct results *results, const struct results *keys, bool listed, const struct lines *lines);

// JSON of the results: a number, a list for a vector, an object for parts, an object by operator for a list. Several
// results are a list of these in C order, or a list of lists if there are several per line.
cJSON *results_json(const struct results *results, bool listed);

// JSON of one result.
cJSON *results_one_json(const struct results *results, uint64_t index);

// True if --text is given, or if the path is a terminal.
bool results_want_text(const struct args *args, const char *path);

// If results_want_text is true, writes lines, each after its key (without keys if `keys` is NULL). Otherwise does what
// results_write does.
int results_write_wanted(const struct results *results, const struct results *keys, const struct layout *layout,
                         const struct args *args, const char *option, const char *path);

// ---- For files that are written piece by piece

// Writes the header of a .npy file. It has at least *size bytes; *size becomes its length.
int results_write_header(FILE *file, const struct results *results, const struct layout *layout, size_t *size);

// Bytes of a result in a .npy file of numbers.
size_t results_size_in_file(const struct results *results);

// Writes the results without a header. The file keeps the error if that fails.
void results_write_bytes(FILE *file, const struct results *results);

// Writes a word of a line so that a reader of .csv can read it: names of files, and keys that are text. Text that is
// empty or has blanks, control characters, quotes or any of , ; | is written in quotes, with each quote in it twice.
void quote_put(FILE *file, const char *text, size_t length);

// ---- Keys that are words: their values are numbers of words

// Refuses keys that are needed as JSON or .npy and are not UTF-8. NULL: there are none. Returns an exit code.
int results_check_keys(const struct results *keys, const struct args *args);

// ---- A .npy file, or a text, of results that are computed piece by piece: their number may be unknown before the last

struct results_file {
  struct output output;
  FILE *data;     // the output, or a temporary file if the output is a pipe: a header in a pipe cannot be rewritten
  size_t header;  // bytes
  bool text;      // lines, without a header
};

// Reserves the header. `layout` has the final number of dimensions, and lengths that are final or larger. Returns an
// exit code, like all functions here. Call results_file_close in any case.
int results_file_open(struct results_file *file, const struct results *results, const struct layout *layout,
                      const char *option, const char *path, bool text);

int results_file_append(struct results_file *file, const struct results *results);

// If `code` is EXIT_DONE, writes the final header, and the file appears; otherwise nothing is left. Returns `code`, or
// the exit code of its own failure.
int results_file_close(struct results_file *file, const struct results *results, const struct layout *layout, int code);
