// Request and results of clreduce tune: one item per operator and type.

#ifndef CLREDUCE_TOOL_TUNE_H
#define CLREDUCE_TOOL_TUNE_H

#include "base/progress.h"
#include "device/kept_files.h"
#include "device/session.h"
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
  size_t at;                  // the current item
  char path[KEPT_PATH_SIZE];  // "" if nothing is kept
};

// Print the results. Both return an exit code.
int tune_print_text(const struct tune *tune);
int tune_print_json(const struct tune *tune);

#endif
