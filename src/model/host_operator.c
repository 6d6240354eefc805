// The host's sequential reference for every built-in operator, made from the rows that also make the kernels.
#include <math.h>
#include <string.h>

#include "model/operator.h"

struct entry {
  clred_op                 op;
  struct clr_host_operator host;
};

#define JOIN_NOW(a, b) a##_##b
#define JOIN(a, b) JOIN_NOW(a, b)
#define NAMED(name) JOIN(name, KIND)

#define ZERO 0
#define ONE 1
#define ALL_ONES (-1)
#define TRUTH(v) ((v) != 0)

// --- Integers: arithmetic wraps, so it is done unsigned ---
#define IF_INTEGERS(...) __VA_ARGS__
#define WRAP(v) ((cl_ulong)(v))
#define LESSER(a, b) ((b) < (a) ? (b) : (a))
#define GREATER(a, b) ((b) > (a) ? (b) : (a))
#define CANONICAL(s) (s)

#define KIND of_long
#define HOST cl_long
#define HIGHEST CL_LONG_MAX
#define LOWEST CL_LONG_MIN
#include "model/host_operator.inc"

#define KIND of_ulong
#define HOST cl_ulong
#define HIGHEST CL_ULONG_MAX
#define LOWEST 0
#include "model/host_operator.inc"

#undef IF_INTEGERS
#undef WRAP
#undef LESSER
#undef GREATER
#undef CANONICAL

// --- Floating: -0 is less than +0, and a NaN result is the one canonical NaN ---
// The states of all and any are uints in rows of floating elements, too: CANONICAL goes by the type it is given.
#define IF_INTEGERS(...)
#define WRAP(v) (v)
#define LESSER(a, b) ((a) < (b) ? (a) : (b) < (a) ? (b) : (a) == (b) ? (signbit(a) ? (a) : (b)) : (a) + (b))
#define GREATER(a, b) ((a) > (b) ? (a) : (b) > (a) ? (b) : (a) == (b) ? (signbit(a) ? (b) : (a)) : (a) + (b))
#define CANONICAL(s) _Generic((s), cl_float: canonical_float, cl_double: canonical_double, cl_uint: same_uint)(s)

static cl_float canonical_float(cl_float s)
{
  const cl_uint bits = 0x7fc00000u;
  if (s != s)
    memcpy(&s, &bits, sizeof s);
  return s;
}

static cl_double canonical_double(cl_double s)
{
  const cl_ulong bits = 0x7ff8000000000000u;
  if (s != s)
    memcpy(&s, &bits, sizeof s);
  return s;
}

static cl_uint same_uint(cl_uint s)
{
  return s;
}

#define KIND of_float
#define HOST cl_float
#define HIGHEST INFINITY
#define LOWEST (-INFINITY)
#include "model/host_operator.inc"

#define KIND of_double
#define HOST cl_double
#define HIGHEST INFINITY
#define LOWEST (-INFINITY)
#include "model/host_operator.inc"

static const struct {
  clred_type          wide;
  const struct entry *entries;
} kinds[] = {
  {CLRED_TYPE_LONG, entries_of_long},
  {CLRED_TYPE_ULONG, entries_of_ulong},
  {CLRED_TYPE_FLOAT, entries_of_float},
  {CLRED_TYPE_DOUBLE, entries_of_double},
};

const struct clr_host_operator *clr_host_operator(clred_op op, clred_type wide)
{
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i].wide != wide)
      continue;
    for (const struct entry *entry = kinds[i].entries; entry->op != CLRED_OP_NONE; entry++)
      if (entry->op == op)
        return &entry->host;
  }
  return NULL;
}
