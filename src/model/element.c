#include "model/element.h"

#include <string.h>

typedef cl_long   host_LONG;
typedef cl_ulong  host_ULONG;
typedef cl_float  host_FLOAT;
typedef cl_double host_DOUBLE;

// Callers' memory may be aligned in any way, so elements are copied out of it.
#define WIDEN(id, value, name, numpy, class, wide, ...)                            \
  static void widen_##id(const void *elements, cl_ulong count, void *states)       \
  {                                                                                \
    for (cl_ulong i = 0; i < count; i++) {                                         \
      cl_##name element;                                                           \
      memcpy(&element, (const unsigned char *)elements + i * sizeof element, sizeof element); \
      ((host_##wide *)states)[i] = (host_##wide)element;                           \
    }                                                                              \
  }
CLRED_TYPE_MAP(WIDEN)

#define ROW(id, value, name, numpy, class, wide, lowest, highest, need)                                  \
  {CLRED_TYPE_##id, #name, numpy, CLR_##class, CLRED_TYPE_##wide, #lowest, #highest, CLR_NEEDS_##need, \
   sizeof(cl_##name), widen_##id},
static const struct clr_type types[] = {CLRED_TYPE_MAP(ROW)};

const struct clr_type *clr_type_at(size_t index)
{
  return index < sizeof types / sizeof *types ? &types[index] : NULL;
}

const struct clr_type *clr_type_row(clred_type type)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].id == type)
      return &types[i];
  return NULL;
}
