// variants.h: variants of the library, and the same reduction by each in turn.

#ifndef BENCH_VARIANTS_H
#define BENCH_VARIANTS_H

#include <stdbool.h>
#include <stdint.h>

#include "session.h"

enum { MOST_VARIANTS = 8, MOST_RUNS = 1000, MOST_RESULT = 256 };

struct variant {
  const char *words;   // as they were given
  const char *folder;  // NULL: the library's own
  clred_problem problem;
  clred_options options;
  clred_runtime *runtime;
  clred_plan *plan;
  unsigned char result[MOST_RESULT];
  double wall[MOST_RUNS], device[MOST_RUNS];
};

// The same memory for all.
struct variants {
  struct session session;
  cl_command_queue queue;  // without profiling
  cl_mem in, out;
  cl_mem other;     // elements that are reduced before each call that the device's clock times
  cl_ulong others;  // how many; 0: nothing is
  struct variant *list;
  size_t count;
};

// Reads "FOLDER@groups=N@...", of which `words` stays in use. As all here that gives an int: an exit code, with a line
// on standard error.
int variant_take(struct variant *variant, const char *words);

// A decimal number; the same of one that a power of two is to have.
int variants_take_count(const char *words, cl_ulong *count);
int variants_take_log2(const char *words, cl_ulong *log2_count);

// A plan of each, and none again.
int variants_plan(struct variants *variants, clred_op op, clred_type type);
void variants_release_plans(struct variants *variants);

// `runs` runs of each after some to warm up, over `count` elements, into wall, device and result of each.
cl_int variants_take_turns(struct variants *variants, cl_ulong count, uint64_t runs);

// Whether their last results are the same bits.
bool variants_agree(const struct variant *a, const struct variant *b);

void variants_release_elements(struct variants *variants);
void variants_release(struct variants *variants);

#endif
