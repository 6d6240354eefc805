// One result for each INPUT with --each, and for each of several columns of text. Each pass opens its file anew.
// Results are printed after the last pass, so bad input prints nothing.
#pragma once

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "cli/args.h"
#include "input/input.h"
#include "run/results.h"

struct each {
  const struct args *args;
  size_t count, at;          // passes, 0 if there is one result; the current pass
  const char *const *names;  // the files of --each
  size_t files;              // their number; 0: without --each all files are one range
  size_t column_count;       // columns with a result each; 0: each pass reads the columns that the operator needs
  off_t start;               // where standard input began, if it is read several times
  char *label;               // the beginning of lines of the current pass: file and column, each with a space
  char *prefix;              // the beginning of messages: file and column without quotes, each with a colon
  bool wrong;                // a result of a pass was wrong
  FILE *text;                // lines that wait; NULL with --json
  char *bytes;               // of `text`
  size_t size;
  cJSON *list;  // objects that wait
};

// Does nothing without --each. Returns an exit code. Call each_end in any case.
int each_begin(struct each *each, const struct args *args);

// Call it after each_begin if the operator reads one column: several columns give one result each.
int each_columns(struct each *each);

// Makes `request` that of the current pass. `progress` shows how standard input is kept for further passes.
int each_choose(struct each *each, struct request *request, struct progress *progress);

// True if there is a further pass, which becomes the current one. A wrong result of a pass does not stop the others.
bool each_next(struct each *each, int *code);

// Prints what waits, unless `code` says that the work failed. Returns `code`, or the exit code of its own failure.
int each_end(struct each *each, int code);

// Where lines of the current pass go, and what each begins with.
struct lines each_lines(const struct each *each);

// What a message about the current pass begins with; "" if there is one result.
const char *each_prefix(const struct each *each);

// each_object: a JSON object. With --each or several files it begins with their names. each_print: prints the object,
// or adds it to a list. Returns an exit code.
cJSON *each_object(const struct each *each, const struct input *input);
int each_print(const struct each *each, cJSON *object);
