// repeat: scans, segments, runs of equal keys, and scans of both, by every strategy that can run them, many times: each
// run must give the bits of the oracle. Sums of floats round, so another order of combination gives other bits; affine
// maps do not commute. Results are overwritten before each run, so that a run that writes nothing is found.

#include "program.h"

static const uint64_t sizes[] = {1 << 18, 1 << 22};

#define SEGMENTED LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT
#define BY_KEY LAYOUT(KEYS), .segment_type = CLRED_TYPE_UINT

// Operators of callers are set later where there is none.
static const clred_problem subjects[] = {
  PROBLEM(OP(SUM, FLOAT), SCAN(INCLUSIVE)),
  {SCAN(EXCLUSIVE)},
  {OP(SUM, FLOAT), SEGMENTED},
  {SEGMENTED},
  PROBLEM(OP(SUM, FLOAT), SEGMENTED, SCAN(INCLUSIVE)),
  {OP(SUM, FLOAT), BY_KEY},
  {BY_KEY},
  PROBLEM(OP(SUM, FLOAT), BY_KEY, SCAN(INCLUSIVE)),
};

static void list(struct combinations *all, bool full) {
  clred_strategy_info info;
  (void)full;
  for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++)
    for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++) {
      clred_problem problem = subjects[i];
      problem.custom = problem.op ? NULL : &sample_named("affine")->op;
      problem.strategy = info.name;
      if (!info.counts && !info.scans == !problem.scan && info.layouts >> problem.layout & 1)
        combinations_add(all, &problem);
    }
}

int main(int argc, char **argv) {
  const struct program repeat = {
    .name = "repeat", .pairwise = "all", .sizes = sizes, .size_count = 2, .list = list, .repeats = true};
  return program_main(&repeat, argc, argv);
}
