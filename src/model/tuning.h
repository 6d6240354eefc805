// Measured numbers, by strategy, operator, type and length of call.
#pragma once

#include "model/problem.h"

// Classes of lengths, each with its own numbers. The class of a plan follows from count_max. Without count_max it is
// ANY.
enum clr_length { CLR_LENGTH_ANY, CLR_LENGTH_SMALL, CLR_LENGTH_MIDDLE, CLR_LENGTH_LARGE, CLR_LENGTHS };
#define CLR_SMALL_BELOW ((cl_ulong)1 << 16)
#define CLR_MIDDLE_BELOW ((cl_ulong)1 << 22)
enum clr_length clr_length_of(cl_ulong count_max);  // 0: not known
const char *clr_length_name(enum clr_length length);

// The conditions that the numbers were measured for. Names are words without blanks.
#define CLR_TUNING_WORD 64
struct clr_tuning_row {
  char strategy[CLR_TUNING_WORD], op[CLR_TUNING_WORD], type[CLR_TUNING_WORD];
  cl_ulong state_size;
  enum clr_length length;
  struct clr_tuned tuned;
};

struct clr_tuning {
  struct clr_tuning_row *rows;
  size_t count, capacity;
};
#define CLR_TUNING_ROWS_MAX 4096

void clr_tuning_release(struct clr_tuning *tuning);

// Makes the row of a problem, without numbers.
void clr_tuning_name(const char *strategy, const struct clr_problem *problem, struct clr_tuning_row *row);

// Adds a row, or replaces the one with the same names. False if memory is out or there are too many.
bool clr_tuning_put(struct clr_tuning *tuning, const struct clr_tuning_row *row);

// Returns the row with these names and this length. If there is none, returns the row with length ANY, or NULL.
const struct clr_tuning_row *clr_tuning_find(const struct clr_tuning *tuning, const struct clr_tuning_row *like);
