// The table of element types, and their conversion to values.
#include "model/element.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/storage.h"

// Callers' memory may be unaligned, so elements are copied.
#define READ_PLAIN(type, value) (value)
#define READ_HALF(type, value) clr_half_to_float(value)
#define READ_BFLOAT16(type, value) clr_bfloat16_to_float(value)
#define READ_COMPLEX(type, value) (value)
#define PARTS_PLAIN 1
#define PARTS_HALF 1
#define PARTS_BFLOAT16 1
#define PARTS_COMPLEX 2

#define WIDEN(id, stored, reading, kind) \
  static void widen_##id##_to_##kind(const void *elements, cl_ulong count, void *values) { \
    for (cl_ulong i = 0; i < count * PARTS_##reading; i++) { \
      cl_##stored value; \
      memcpy(&value, (const unsigned char *)elements + i * sizeof value, sizeof value); \
      ((cl_##kind *)values)[i] = (cl_##kind)READ_##reading(stored, value); \
    } \
  }
#define WIDEN_ALL(id, value, name, numpy, class, wide, stored, reading, ...) \
  WIDEN(id, stored, reading, long) \
  WIDEN(id, stored, reading, ulong) WIDEN(id, stored, reading, float) WIDEN(id, stored, reading, double)
CLRED_TYPE_MAP(WIDEN_ALL)

#define ROW(id, value, name, numpy, class, wide, stored, reading, need) \
  {CLRED_TYPE_##id, \
   #name, \
   numpy, \
   CLR_##class, \
   CLRED_TYPE_##wide, \
   #stored, \
   CLR_READING_##reading, \
   CLR_NEEDS_##need, \
   sizeof(cl_##stored) * PARTS_##reading, \
   {widen_##id##_to_long, widen_##id##_to_ulong, widen_##id##_to_float, widen_##id##_to_double}},
static const struct clr_type types[] = {CLRED_TYPE_MAP(ROW)};

const struct clr_type *clr_type_at(size_t index) {
  return index < sizeof types / sizeof *types ? &types[index] : NULL;
}

const struct clr_type *clr_type_row(clred_type type) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].id == type)
      return &types[i];
  return NULL;
}

static bool is_vector_width(unsigned components) {
  return components == 2 || components == 3 || components == 4 || components == 8 || components == 16;
}

bool clr_element_make(clred_type type, struct clr_element *element) {
  unsigned components = (unsigned)type >> 8;
  const struct clr_type *row = clr_type_row((clred_type)((unsigned)type & 0xff));
  if (!row || (components && (!is_vector_width(components) || row->reading != CLR_READING_PLAIN)))
    return false;
  *element = (struct clr_element){.row = row, .components = components ? components : 1};
  element->stride = components == 3 ? 4 : element->components;
  element->size = row->size * element->stride;
  if (components)
    snprintf(element->name, sizeof element->name, "%s%u", row->name, components);
  else
    snprintf(element->name, sizeof element->name, "%s", row->name);
  return true;
}

bool clr_element_is_complex(const struct clr_element *element) {
  return element->row && element->row->reading == CLR_READING_COMPLEX;
}

static clred_type vector_named(const char *name) {
  size_t letters = strcspn(name, "0123456789");
  for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
    struct clr_element element;
    if (strlen(types[i].name) != letters || strncmp(types[i].name, name, letters) != 0)
      continue;
    clred_type vector = CLRED_VECTOR(types[i].id, strtoul(name + letters, NULL, 10) & 0xff);
    if (clr_element_make(vector, &element) && strcmp(element.name, name) == 0)
      return vector;
  }
  return CLRED_TYPE_NONE;
}

clred_type clr_type_spelt(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].reading != CLR_READING_COMPLEX && strcmp(types[i].name, name) == 0)
      return types[i].id;
  return vector_named(name);
}

// int8 and float16 are NumPy's scalars here, not OpenCL's vectors.
clred_type clr_type_named(const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (strcmp(types[i].name, name) == 0 || strcmp(types[i].numpy_name, name) == 0)
      return types[i].id;
  return vector_named(name);
}

static const clred_type kinds[CLR_KINDS] = {CLRED_TYPE_LONG, CLRED_TYPE_ULONG, CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE};

enum clr_kind clr_kind_of(clred_type wide) {
  for (int kind = 0; kind < CLR_KINDS; kind++)
    if (kinds[kind] == wide)
      return (enum clr_kind)kind;
  return CLR_KINDS;
}

clred_type clr_kind_type(enum clr_kind kind) {
  return kinds[kind];
}

enum clr_kind clr_kind_real(enum clr_kind kind) {
  return kind == CLR_KIND_FLOAT ? CLR_KIND_FLOAT : CLR_KIND_DOUBLE;
}
