// What the files of quantile share while they run.
#pragma once

#include "input/mapping.h"
#include "run/job.h"
#include "verbs/quantile.h"

// Each row has its own search for quantiles. For small rows, a search takes longer than reading the elements.
enum { QUANTILE_ROWS_MOST = 1 << 16 };

struct quantiles {
  struct job job;
  struct quantile_request asked;
  clred_quantile *quantile;
  clred_plan *plan;        // of the other operators of a list; NULL: there are none
  struct mapping mapping;  // if the input is mapped
  clred_quantile_info info;
  struct results values;  // of each row those of all quantiles
  struct results rows;    // the values as they are shown: with places, or one result for each row
  cl_ulong *places;
  off_t start;  // of standard input, with --rows
  double kernel_seconds, wall_seconds;
  bool steady, correct;
};

// True for a list with other operators in it. A plan computes those.
static inline bool quantile_is_mixed(const struct quantiles *at) {
  return at->asked.list.count > 0 && *at->asked.list.plain != '\0';
}

const void *quantile_elements(const struct quantiles *at);

// Computes the values, and verifies them if --verify is given. Both return an exit code.
int quantile_run(struct quantiles *at);
int quantile_verify(struct quantiles *at);
void quantile_explain(const struct quantiles *at);

// For a mixed list. The first reads the command line, the second computes and prints the results. Both return an exit
// code.
int quantile_mix_begin(struct quantiles *at, const struct args *args);
int quantile_mix(struct quantiles *at);

// ---- Rows: the groups of --group, or those of --axis. Without both there is one, of all elements.

struct quantile_range {
  uint64_t first, count;
};
bool quantile_has_rows(const struct quantiles *at);
uint64_t quantile_rows(const struct quantiles *at);
struct quantile_range quantile_range_of(const struct quantiles *at, uint64_t row);

// Refuses too many rows, and rows of too few elements. Returns an exit code.
int quantile_rows_check(const struct quantiles *at);

// Says why the library refused a row. Returns an exit code.
int quantile_rows_refuse(const struct quantiles *at, uint64_t row);

// Prints or writes the results. Returns an exit code.
int quantile_show(struct quantiles *at);

// ---- Lines of text, for --rows. All return an exit code.

// Refuses options that --rows excludes. `chooses` is true for top and bottom.
int quantile_lines_check(const struct args *args, bool chooses);

// Before INPUT is opened, for the first time or again.
int quantile_lines_open(struct quantiles *at, const struct request *request, bool again);

// Closes the inputs, reads the text again and prints the lines of at->rows.
int quantile_show_lines(struct quantiles *at);

int quantile_open_input(struct quantiles *at, bool again);
