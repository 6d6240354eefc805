// The results of a plan: one, or an array of them; each a value, or several parts with names.

#ifndef CLREDUCE_TOOL_RESULTS_H
#define CLREDUCE_TOOL_RESULTS_H

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/value.h"

enum { PART_NAME_SIZE = 64 };

struct part {
  char name[PART_NAME_SIZE];  // "" where the result is one value
  clred_type type;
  size_t offset;
};

struct results {
  const char *type_name;  // "struct" where there are several parts; a complex number has two and its own name
  clred_type type;        // NONE for a struct
  struct part *parts;
  size_t part_count;
  size_t overflow;  // where the part of that name is, which is not among `parts`; 0 if there is none
  size_t size;      // bytes from a result to the next
  uint64_t count;
  unsigned char *bytes;
};

// Learns the parts from the plan and makes room for `count` results, all zero. Refuses structs whose members nobody
// knows. Of a checked sum the part `overflow` is left out: where it is not 0 there is no result. An exit code;
// results_release is due in any case.
int results_make(struct results *results, const clred_plan *plan, const clred_plan_info *info, uint64_t count,
                 bool checked);

// Values of a type, without a plan.
int results_make_values(struct results *results, clred_type type, uint64_t count);

// The same with room of its own, for a second opinion.
int results_make_like(struct results *results, const struct results *other);

// Room for `count` of them in place of what there was.
int results_make_more(struct results *results, uint64_t count);

void results_release(struct results *results);

void *results_at(const struct results *results, uint64_t index);

// The last of them, or the place of the first where there is none.
uint64_t results_last(const struct results *results);

// The address of a part of a result.
const void *results_part(const struct results *results, uint64_t index, size_t part);

// Whether the exact sum of a result did not fit.
bool results_overflowed(const struct results *results, uint64_t index);

// Whether the parts have names.
bool results_named(const struct results *results);

// Whether the parts of one result are the same in both, all NaNs being one. What lies between parts does not count.
bool results_same(const struct results *a, const struct results *b, uint64_t index);

// The parts of one result in one line, separated by `between`, to be freed; NULL if memory is short.
char *results_text(const struct results *results, uint64_t index, const char *between);

#endif
