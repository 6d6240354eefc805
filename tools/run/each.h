// --each: one result for each INPUT. Results are printed after the last input is done, so bad input prints nothing.
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

#include "cli/args.h"
#include "input/input.h"

struct each {
  const char *const *names;
  size_t count, at;  // files, 0 without --each; the current one
  char *label;       // the name of the current file as lines begin with it, with a space behind it
  char *prefix;      // the same for sentences, as it is, with a colon and a space behind it
  bool wrong;        // a result of a file was wrong
  FILE *text;        // lines that wait; NULL with --json
  char *bytes;       // of `text`
  size_t size;
  cJSON *list;  // objects that wait
};

// Does nothing without --each. Returns an exit code. Call each_end in any case.
int each_begin(struct each *each, const struct args *args);

// Makes `request` that of the current file.
int each_choose(struct each *each, struct request *request);

// True if there is a further file, which becomes the current one. A wrong result of a file does not stop the others.
bool each_next(struct each *each, int *code);

// Prints what waits, unless `code` says that the work failed. Returns `code`, or the exit code of its own failure.
int each_end(struct each *each, int code);

// Where lines go, and what each begins with.
FILE *each_lines(const struct each *each);
const char *each_label(const struct each *each);

// What a sentence about the current file begins with; "" without --each.
const char *each_prefix(const struct each *each);

// each_object: a JSON object. With --each or several files it begins with their names. each_print: prints the object,
// or adds it to a list. Returns an exit code.
cJSON *each_object(const struct each *each, const struct input *input);
int each_print(const struct each *each, cJSON *object);

// ---- For the files of each alone

// Prints the results; on a terminal, with aligned columns. Returns an exit code.
int each_print_lines(const char *text, size_t size);
