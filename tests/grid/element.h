// Single elements of calls, as bits of one scalar type.
#pragma once

#include "support/random.h"

// Special values among the elements. Integers have only PLAIN, ZEROS, EXTREMES and SCALED: elements around a number and
// of a size that are drawn for each line; their variances must not lose digits.
enum flavour { PLAIN, ZEROS, DENORMALS, ONE_INFINITY, BOTH_INFINITIES, NANS, EXTREMES, SCALED, FLAVOURS };
extern const char *const flavour_names[FLAVOURS];

// Whether the least, or the greatest, element decides a part of the result.
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
