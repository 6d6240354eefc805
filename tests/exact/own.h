// Operators of a caller that sum exactly, with the words of cl/exact/float_sum.clh and double_sum.clh.
#pragma once

#include "exact/oracle.h"

// Returns a caller's operator over elements of a real type. EXACT_SUM: its state is one sum. EXACT_MEAN: its state is a
// sum and a count. It has no host callbacks. Valid until the next call.
const clred_operator *exact_own(enum exact_kind kind, clred_type type);

// The fields of clred_operator that make a sum of float or double.
#define EXACT_SUM_FIELDS(real) \
  .preamble = "#include \"exact/" #real "_sum.clh\"\n", .state = "exact_" #real, .result = #real, \
  .identity = "exact_" #real "_empty()", .lift = "exact_" #real "_of(x)", .combine = "exact_" #real "_add(a, b)", \
  .lower = "exact_" #real "_value(s)", .commutative = CL_TRUE
