// What clreduce selftest asks for and finds: one row for each probe.

#ifndef CLREDUCE_TOOL_SELFTEST_H
#define CLREDUCE_TOOL_SELFTEST_H

#include "base/progress.h"
#include "cli/args.h"
#include "device/session.h"
#include "device/tuning.h"

enum { SELFTEST_ROWS = 128, SELFTEST_NAME = 48 };

struct selftest_row {
  char name[SELFTEST_NAME];
  const char *about;
  clred_verdict verdict;
  char detail[CLRED_FINDING_DETAIL];
};

struct selftest {
  const struct args *args;
  struct session session;
  struct progress progress;
  struct selftest_row rows[SELFTEST_ROWS];
  size_t count;
  clred_probe_counts counts;
  double seconds;
  char path[TUNING_PATH_SIZE];  // "": nothing is kept
  int hushed;                   // of hush.h, while the library works
};

// Prints what was found: an exit code.
int selftest_print_text(const struct selftest *selftest);
int selftest_print_json(const struct selftest *selftest);

const char *selftest_verdict(clred_verdict verdict);

#endif
