// Rows of different lengths, which offsets, flags or keys describe: what a call computes and the expected results.
// Built-in operators are compared with the oracle, and the samples of support/operators.h with a loop on the host.
#pragma once

#include "support/material.h"

struct segmented_subject {
  const char *name;  // the name of a sample if `type` is NONE
  clred_type type;
  clred_op op;
};

enum { SUMS, MAXIMA, MEANS, LEAST, MAPS, MATRICES, MOMENTS };
extern const struct segmented_subject segmented_subjects[];

enum { REDUCES, INCLUSIVE, EXCLUSIVE };

struct segmented_question {
  int subject;
  clred_type marks;  // type of the offsets or keys; NONE: flags
  int scan;
  enum { PLAINLY = 0, REVERSED = 1, IN_PLACE = 2, INITIAL = 4, FEW_GROUPS = 8 } how;  // FEW_GROUPS: 32 a launch
};

struct segmented_way {
  const char *strategy, *assume;
  cl_ulong group_size;
  size_t elements;
  int number;  // the number of questions
  struct segmented_question questions[4];
};

struct segmented_task {
  const struct segmented_way *way;
  const struct segmented_question *question;
  const struct segmented_subject *subject;
  const struct material *material;
  clred_plan *plan;
  size_t result;   // bytes
  char what[128];  // begins messages
};

// Calls `check` for each question of the way, on the device that the way assumes.
void segmented_ask(const struct segmented_way *way, bool by_offsets, void (*check)(struct segmented_task *task));

// Elements in the buffer before those of a call; places for results before and after those of a call that is not in
// place.
#define IN_BEFORE 7
#define OUT_BEFORE 3
#define OUT_AFTER 5

// Returns the memory that the results go to. It has room for `results`. If the task works in place, it holds the
// elements.
struct image segmented_out(const struct segmented_task *task, size_t results);
size_t segmented_out_offset(const struct segmented_task *task);

// The state in front of the first element of each row; NULL: none.
const void *segmented_start(const struct segmented_task *task);

// Writes the expected results of the call into the image's bytes. Row r has the elements from begins[r] up to begins[r
// + 1].
void segmented_expect(const struct segmented_task *task, const cl_ulong *begins, size_t rows, struct image *out);
