// Operators of a caller that sum exactly, with the words of cl/exact/float_sum.clh and double_sum.clh.
#pragma once

#include <clreduce_device.h>

// The fields of clred_operator that make a sum of float or double.
#define EXACT_SUM_FIELDS(real) \
  .preamble = "#include \"exact/" #real "_sum.clh\"\n", .state = "exact_" #real, .result = #real, \
  .identity = "exact_" #real "_empty()", .lift = "exact_" #real "_of(x)", .combine = "exact_" #real "_add(a, b)", \
  .lower = "exact_" #real "_value(s)", .commutative = CL_TRUE

#define EXACT_SUM_OF(real) \
  { .name = "own_sum", EXACT_SUM_FIELDS(real) }

#define EXACT_MEAN_OF(real) \
  { \
    .name = "own_mean", \
    .preamble = "// A mean.\n#include \"exact/" #real "_sum.clh\"\n" \
                "typedef struct { exact_" #real " sum; ulong count; } mean_state;\n" \
                "mean_state one(" #real " x) { mean_state s = { exact_" #real "_of(x), 1 }; return s; }\n", \
    .state = "mean_state", .result = #real, .identity = "{ exact_" #real "_empty(), 0 }", .lift = "one(x)", \
    .combine = "{ a.sum = exact_" #real "_add(a.sum, b.sum); a.count += b.count; return a; }", \
    .lower = "exact_" #real "_mean(s.sum, s.count)", .commutative = CL_TRUE \
  }

// A caller's operator over elements of a real type, without host callbacks; valid until the next call. CLRED_OP_SUM:
// its state is one sum. CLRED_OP_MEAN: its state is a sum and a count.
static inline const clred_operator *exact_own(clred_op op, clred_type type) {
  static const clred_operator rows[2][2] = {{EXACT_SUM_OF(float), EXACT_SUM_OF(double)},
                                            {EXACT_MEAN_OF(float), EXACT_MEAN_OF(double)}};
  static clred_operator made;
  clred_type_info info = {.name = NULL};
  clred_type_inspect(type, &info);
  made = rows[op == CLRED_OP_MEAN][type == CLRED_TYPE_DOUBLE];
  made.element = info.name;
  return &made;
}
