// The file of a resumable run: a line "started NAME" before each combination, and a line "passed NAME", "skipped NAME"
// or "failed NAME" after it. A combination that was started twice and never ended counts as failed, so that a crash
// happens at most twice.
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum outcome { OPEN, PASSED, SKIPPED, FAILED, CRASHED };

struct record {
  FILE *file;
  char *text;  // the file when it was opened
};

// Opens or creates the file. With `path` NULL nothing is recorded.
bool record_open(struct record *record, const char *path);
void record_close(struct record *record);

// The outcome in earlier runs. A combination that failed is OPEN and runs again.
enum outcome record_look_up(const struct record *record, const char *name);

// Both write to the file immediately.
void record_start(struct record *record, const char *name);
void record_end(struct record *record, const char *name, enum outcome outcome);
