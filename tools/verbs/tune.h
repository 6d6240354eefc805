// What clreduce tune asks for and finds: one item for each operator and type.

#ifndef CLREDUCE_TOOL_TUNE_H
#define CLREDUCE_TOOL_TUNE_H

#include "base/progress.h"
#include "device/session.h"
#include "device/tuning.h"
#include "operator/operation.h"

struct tune_item {
  struct operation operation;
  clred_type_info type;
  clred_problem problem;
  clred_tuned found[CLRED_TUNED_MAX];
  size_t found_count;
};

struct tune {
  const struct args *args;
  struct tune_item *items;
  size_t count;
  struct session session;
  struct progress progress;
  size_t at;                    // the item that is measured
  char path[TUNING_PATH_SIZE];  // "": nothing is kept
};

// Prints what was found: an exit code.
int tune_print_text(const struct tune *tune);
int tune_print_json(const struct tune *tune);

#endif
