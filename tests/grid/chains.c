// chains: operators that do not commute, in order, over 2^26 + 3 elements: the bracket-matching monoid and a polynomial
// hash; 2 x 2 matrices over 2^24 + 3. Each runs with the strategy that auto chooses, with wide and with chunked.

#include "program.h"

#define LONG (((uint64_t)1 << 26) + 3)
#define SHORTER (((uint64_t)1 << 24) + 3)

static const uint64_t sizes[] = {SHORTER, LONG};

static void list(struct combinations *all, bool full) {
  static const char *const strategies[] = {NULL, "wide", "chunked"}, *const names[] = {"brackets", "hash", "fraction"};
  (void)full;
  for (size_t i = 0; i < 9; i++)
    combinations_add(all, &(clred_problem){.custom = &sample_named(names[i / 3])->op,
                                           .strategy = strategies[i % 3],
                                           .count_max = i < 6 ? LONG : SHORTER});
}

int main(int argc, char **argv) {
  const struct program chains = {.name = "chains", .pairwise = "all", .sizes = sizes, .size_count = 2, .list = list};
  return program_main(&chains, argc, argv);
}
