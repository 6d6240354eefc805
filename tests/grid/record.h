// The file by which a run can be broken off and taken up again: a line "started NAME" before a combination and a line
// "passed NAME", "skipped NAME" or "failed NAME" after it. What was started twice and never ended counts as failed, so
// a combination that brings the process down does so twice and no more.

#ifndef CLREDUCE_TESTS_GRID_RECORD_H
#define CLREDUCE_TESTS_GRID_RECORD_H

#include <stdbool.h>
#include <stdio.h>

enum outcome { OPEN, PASSED, SKIPPED, FAILED, CRASHED };

struct record {
  FILE *file;
  char *text;  // as the file was when it was opened
};

// Opens the file, making it if need be; `path` NULL gives a record that keeps nothing.
bool record_open(struct record *record, const char *path);
void record_close(struct record *record);

// What earlier runs made of the combination. One that failed is OPEN: it is tried again.
enum outcome record_look_up(const struct record *record, const char *name);

// Both write through to the file at once.
void record_start(struct record *record, const char *name);
void record_end(struct record *record, const char *name, enum outcome outcome);

#endif
