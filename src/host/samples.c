// Makes the elements, inputs and parameters for trials of laws.
#include "host/samples.h"

#include <stdlib.h>
#include <string.h>

// Patterns that choose the edge value of each scalar in a value with several scalars.
#define PATTERNS 13

typedef void put_scalar(const struct clr_type *type, unsigned index, unsigned count, void *from, void *to);

static void for_each(const struct clr_layout *layout, put_scalar *put, void *from, void *value) {
  unsigned index = 0;
  const unsigned count = clr_layout_scalars(layout);
  memset(value, 0, layout->size);
  for (size_t i = 0; i < layout->run_count; i++) {
    const struct clr_run *run = &layout->runs[i];
    const struct clr_type *type = clr_type_row(run->type);
    for (unsigned j = 0; j < run->count; j++)
      put(type, index++, count, from, (unsigned char *)value + run->offset + j * type->size);
  }
}

// Gives each scalar a different value, so that a swap of scalars is detected.
static struct clr_sample pattern_at(unsigned pattern, unsigned i, unsigned count) {
  static const double small[] = {1, 2, 0, -1, 3, -2};
  const struct clr_sample one = {CLR_EDGE_NUMBER, 1}, zero = {CLR_EDGE_NUMBER, 0};
  switch (pattern) {
  case 0:
    return one;
  case 1:
    return (struct clr_sample){CLR_EDGE_NUMBER, 1 + i};
  case 2:
    return i == 0 ? one : zero;
  case 3:
    return i == 1 ? one : zero;
  case 4:
    return i == count - 1 ? one : zero;
  case 5:
    return zero;
  case 6:
    return (struct clr_sample){CLR_EDGE_NUMBER, -1.0 - i % 100};
  case 7:
  case 8:
    return (struct clr_sample){CLR_EDGE_NUMBER, small[(i + 3 * (pattern - 7)) % 6]};
  case 9:
    return (struct clr_sample){i % 2 ? CLR_EDGE_BIG : CLR_EDGE_TINY, 0};
  case 10:
    return (struct clr_sample){CLR_EDGE_INFINITY, 0};
  case 11:
    return (struct clr_sample){CLR_EDGE_MINUS_INFINITY, 0};
  default:
    return (struct clr_sample){CLR_EDGE_NAN, 0};
  }
}

static void put_pattern(const struct clr_type *type, unsigned index, unsigned count, void *from, void *to) {
  const struct clr_sample sample = pattern_at(*(const unsigned *)from, index, count);
  clr_put_sample(type, &sample, to);
}

// The types in these bytes are unknown. Words of 4 bytes get small integers.
static void put_bytes(const struct clr_layout *layout, unsigned pattern, unsigned char *bytes) {
  const bool has_words = layout->size % 4 == 0;
  memset(bytes, pattern == 6 ? 0xff : pattern == 3 ? 1 : 0, layout->size);
  for (size_t i = 0; i < layout->size; i++)
    if (pattern == 4)
      bytes[i] = (unsigned char)i;
    else if (pattern < 2 && (!has_words || i % 4 == 0))
      bytes[i] = (unsigned char)(1 + pattern);
    else if (pattern == 5 && (!has_words || i % 4 == 0))
      bytes[i] = (unsigned char)(1 + i / (has_words ? 4 : 1));
}

static unsigned edge_count(const struct clr_layout *layout) {
  unsigned count;
  if (layout->is_opaque)
    return 7;
  if (clr_layout_scalars(layout) == 1)
    return clr_edges_of(clr_type_row(layout->runs[0].type), &count), count;
  return PATTERNS;
}

void clr_put_edge(const struct clr_layout *layout, unsigned index, void *value) {
  unsigned count;
  const struct clr_type *type = clr_type_row(layout->runs[0].type);
  if (layout->is_opaque)
    put_bytes(layout, index, value);
  else if (clr_layout_scalars(layout) == 1)
    memset(value, 0, layout->size), clr_put_sample(type, &clr_edges_of(type, &count)[index], value);
  else
    for_each(layout, put_pattern, &index, value);
}

struct draw {
  enum clr_range range;
  cl_ulong *random;
};

static void put_drawn(const struct clr_type *type, unsigned index, unsigned count, void *from, void *to) {
  const struct draw *draw = from;
  (void)index, (void)count;
  clr_put_drawn(type, draw->range, draw->random, to);
}

static void put_random(const struct clr_layout *layout, enum clr_range range, cl_ulong *random, void *value) {
  struct draw draw = {range, random};
  unsigned char *bytes = value;
  for_each(layout, put_drawn, &draw, value);
  // Turn random small bytes into random small words.
  for (size_t i = 0; layout->is_opaque && range != CLR_RANGE_WIDE && layout->size % 4 == 0 && i < layout->size; i++)
    bytes[i] = i % 4 == 0 ? bytes[i] : 0;
}

static void put_mixed(const struct clr_type *type, unsigned index, unsigned count, void *from, void *to) {
  unsigned edges;
  const struct clr_sample *of_type = clr_edges_of(type, &edges);
  (void)index, (void)count;
  clr_put_sample(type, &of_type[clr_random(from) % edges], to);
}

// Makes a value from edge values picked at random for each scalar.
static void put_mixed_edges(const struct clr_layout *layout, cl_ulong *random, void *value) {
  for_each(layout, put_mixed, random, value);
}

struct ramp {
  int first, step;
};

static void put_ramp(const struct clr_type *type, unsigned index, unsigned count, void *from, void *to) {
  const struct ramp *ramp = from;
  const struct clr_sample sample = {CLR_EDGE_NUMBER, ramp->first + ramp->step * (int)index};
  (void)count;
  clr_put_sample(type, &sample, to);
}

void clr_put_ramp(const struct clr_layout *layout, int first, int step, void *value) {
  struct ramp ramp = {first, step};
  if (layout->is_opaque)
    put_bytes(layout, first == 0 ? 2 : step ? 5 : 0, value);
  else
    for_each(layout, put_ramp, &ramp, value);
}

// ---------------------------------------------------------------- The pool

static void put_pooled(const struct clr_layout *layout, unsigned index, unsigned shift, unsigned edges,
                       cl_ulong *random, void *value) {
  if (index < edges)
    clr_put_edge(layout, (index + shift) % edge_count(layout), value);
  else if (index < CLR_POOL_MIXED_END)
    put_mixed_edges(layout, random, value);
  else if (index < CLR_POOL_MODERATE_END)
    put_random(layout, index % 2 ? CLR_RANGE_MODERATE : CLR_RANGE_POSITIVE, random, value);
  else
    put_random(layout, CLR_RANGE_WIDE, random, value);
}

static unsigned char *fill(const struct clr_layout *layout, unsigned shift, unsigned edges, cl_ulong *random) {
  unsigned char *values = malloc(CLR_POOL_SIZE * layout->size);
  for (unsigned i = 0; i < CLR_POOL_SIZE && values; i++)
    put_pooled(layout, i, shift, edges, random, values + i * layout->size);
  return values;
}

cl_int clr_pool_make(const struct clr_operation *operation, cl_ulong *random, struct clr_pool *pool) {
  struct clr_layout layout;
  clr_layout_element(operation, &layout);
  *pool = (struct clr_pool){.edges = edge_count(&layout)};
  pool->elements = fill(&layout, 0, pool->edges, random);
  bool is_made = pool->elements != NULL;
  // Each input gets other values than the elements.
  for (size_t i = 0; i < operation->input_count && is_made; i++) {
    clr_layout_input(operation, i, &layout);
    pool->inputs[i] = fill(&layout, (unsigned)i + 1, pool->edges, random);
    is_made = pool->inputs[i] != NULL;
  }
  return is_made ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void clr_pool_release(struct clr_pool *pool) {
  free(pool->elements);
  for (size_t i = 0; i < CLR_INPUTS_MAX; i++)
    free(pool->inputs[i]);
  *pool = (struct clr_pool){0};
}
