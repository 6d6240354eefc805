// Operators of a caller that sum exactly: own.h.
#include "exact/own.h"

#include <clreduce_device.h>

#define SUM_OF(real) \
  { .name = "own_sum", EXACT_SUM_FIELDS(real) }

#define MEAN_OF(real) \
  { \
    .name = "own_mean", \
    .preamble = "// A mean.\n#include \"exact/" #real "_sum.clh\"\n" \
                "typedef struct { exact_" #real " sum; ulong count; } mean_state;\n" \
                "mean_state one(" #real " x) { mean_state s = { exact_" #real "_of(x), 1 }; return s; }\n", \
    .state = "mean_state", .result = #real, .identity = "{ exact_" #real "_empty(), 0 }", .lift = "one(x)", \
    .combine = "{ a.sum = exact_" #real "_add(a.sum, b.sum); a.count += b.count; return a; }", \
    .lower = "exact_" #real "_mean(s.sum, s.count)", .commutative = CL_TRUE \
  }

const clred_operator *exact_own(enum exact_kind kind, clred_type type) {
  static const clred_operator rows[2][2] = {{SUM_OF(float), SUM_OF(double)}, {MEAN_OF(float), MEAN_OF(double)}};
  static clred_operator made;
  clred_type_info info = {.name = NULL};
  clred_type_inspect(type, &info);
  made = rows[kind == EXACT_MEAN][type == CLRED_TYPE_DOUBLE];
  made.element = info.name;
  return &made;
}
