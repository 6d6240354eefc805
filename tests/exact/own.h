// Operators of a caller that sum exactly, with the words of cl/exact/float_sum.clh and double_sum.clh.
#pragma once

#include "exact/oracle.h"

// The operator over elements of a real type: EXACT_SUM, whose state is one sum, or EXACT_MEAN, whose state has a sum
// and a count. It has no callbacks. Valid until the next call.
const clred_operator *exact_own(enum exact_kind kind, clred_type type);
