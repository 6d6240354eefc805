// Elements of cases: single elements of built-in operators; elements that a selection keeps or not, so that the results
// are known; and elements of histograms, with their expected counts.
#pragma once

#include "support/device.h"
#include "support/random.h"

// ---------------------------------------------------------------- Single elements

// Special values among the elements. Integers have only PLAIN, ZEROS, EXTREMES and SCALED: elements around a number and
// of a size that are drawn for each line; their variances must not lose digits.
enum flavour { PLAIN, ZEROS, DENORMALS, ONE_INFINITY, BOTH_INFINITIES, NANS, EXTREMES, SCALED, FLAVOURS };
extern const char *const flavour_names[FLAVOURS];

// Whether the smallest, or the largest, element decides a part of the result.
bool seeks_least(clred_op op);
bool seeks_greatest(clred_op op);

// An element that does not decide the result. `imaginary`: the second part of a complex number. `turn`: the line.
uint64_t element_draw(clred_op op, clred_type type, bool imaginary, unsigned turn, random_state *random);

// An element that changes the result of every range that contains it.
uint64_t element_poison(clred_op op, clred_type type, clred_nan nan, random_state *random);

// The element that decides an extreme, `all` or `any`. Each line has another element that decides, so the result of an
// earlier call would be wrong.
uint64_t element_decisive(clred_op op, clred_type type, bool least, unsigned turn);

// A special value of the flavour, the `turn`th of its line.
uint64_t element_special(enum flavour flavour, clred_type type, uint64_t turn, random_state *random);

// ---------------------------------------------------------------- Selections

// An element has random bytes and one number that decides whether it is kept: first + step * random. Those of elements
// that are not kept come first.
struct choice {
  clred_type type;
  clred_selection selection;
  size_t size;
  clred_type number;  // NONE: the index alone decides
  double first[2], step[2];
};

extern const struct choice choices[];
extern const size_t choice_count;
extern const void *const choice_parameters[];

// The choice of a problem with a selection.
const struct choice *choice_of(const clred_problem *problem);

// CHOOSE_MOST: all elements but the last one of each lane.
enum choice_pattern {
  CHOOSE_RANDOM,
  CHOOSE_ALL,
  CHOOSE_NONE,
  CHOOSE_ALTERNATING,
  CHOOSE_MOST,
  CHOOSE_LAST,
  CHOICE_PATTERNS
};

bool choice_keeps(const struct choice *of, enum choice_pattern pattern, uint64_t i, uint64_t count);

// Changes an element, which has random bytes, so that it is kept or not. NaNs among floats are kept with their bits.
void choice_make(const struct choice *of, void *at, bool kept, uint64_t random);

// ---------------------------------------------------------------- Histograms

// Each element is searched among all edges, as docs/quantiles.md defines them, in numbers that hold every element
// exactly.

// Equal bins between whole numbers (EQUAL), between fractions (FRACTION) or between elements (LOW_ELEMENT); edges given
// as doubles (EDGES) or as elements (EDGE_ELEMENTS).
enum bins_kind { BINS_EQUAL, BINS_FRACTION, BINS_EDGES, BINS_LOW_ELEMENT, BINS_EDGE_ELEMENTS, BINS_KINDS };

struct bins {
  clred_histogram given;  // points into this struct's memory
  clred_type type;
  size_t size;  // of an element
  enum bins_kind kind;
  double *numbers;          // the edges as given, or as computed
  unsigned char *elements;  // the edges as elements
  long double *edges;       // compared with elements; unused for equal bins between whole numbers
};

// False if the type has too few values for edges that all differ.
bool bins_make(struct bins *bins, clred_type type, uint64_t count, enum bins_kind kind);

// Fills `elements` with values at the edges, next to them, between them and outside; zeros, NaNs and infinities.
void bins_fill(const struct bins *bins, void *elements, uint64_t count, random_state *random);

void bins_count(const struct bins *bins, const void *elements, uint64_t count, uint64_t *counts);
