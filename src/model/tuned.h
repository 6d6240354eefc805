// Numbers of a plan that can be measured instead of computed from facts. The numbers say how groups share the tree, and
// never change the tree. A row of CLR_TUNABLE_MAP is a value of enum clr_tunable, a word of a tuning file, and a number
// that `clreduce tune` tries. The functions are in tuning.c.
#pragma once

#include <stdbool.h>

#include "clreduce.h"

// A file may give numbers from least to most; facts may narrow this range. kind: POWER, powers of two; COUNT, any
// number; FLAG, 0 or 1.
//  enum             name             kind   least  most     summary
#define CLR_TUNABLE_MAP(X) \
  X(GROUPS, groups, COUNT, 1, 1 << 20, "most groups") \
  X(TILES, tiles_at_least, POWER, 1, 1 << 16, "fewest tiles of a group, so that few elements use few groups") \
  X(GROUP_SIZE, group_size, POWER, 1, 1024, "work-items of a group") \
  X(VECTOR, vector, POWER, 1, 16, "elements of one load") \
  X(ROWS_AT_ONCE, rows_at_once, POWER, 1, 16, "loads in flight for each work-item") \
  X(TURNS, turns, POWER, 1, 64, "nodes that a work-item folds before the barrier") \
  X(VECTORS_AT_ONCE, vectors_at_once, FLAG, 0, 1, "1: read all vectors of a row before the next row") \
  X(PREFETCHES, prefetches, FLAG, 0, 1, "1: prefetch the next tile") \
  X(KEPT, kept_mib, COUNT, 1, 4096, "MiB of a call's elements that stay in the cache")

enum clr_tunable {
#define CLR_TUNABLE_ENUM(id, ...) CLR_TUNE_##id,
  CLR_TUNABLE_MAP(CLR_TUNABLE_ENUM)
#undef CLR_TUNABLE_ENUM
    CLR_TUNABLES
};
#define CLR_TUNE_BIT(id) (1u << CLR_TUNE_##id)

enum clr_tunable_kind { CLR_TUNABLE_COUNT, CLR_TUNABLE_POWER, CLR_TUNABLE_FLAG };

struct clr_tunable_row {
  const char *name;
  const char *summary;
  enum clr_tunable_kind kind;
  cl_ulong least, most;
};
const struct clr_tunable_row *clr_tunable_row(enum clr_tunable tunable);

// True if the number is within the row's bounds and of its kind.
bool clr_tunable_allows(enum clr_tunable tunable, cl_ulong value);

// Measured numbers. Numbers that are not in `given` follow from facts.
struct clr_tuned {
  unsigned given;  // set of 1 << enum clr_tunable
  cl_ulong values[CLR_TUNABLES];
};
bool clr_tuned_has(const struct clr_tuned *tuned, enum clr_tunable tunable);
void clr_tuned_set(struct clr_tuned *tuned, enum clr_tunable tunable, cl_ulong value);
