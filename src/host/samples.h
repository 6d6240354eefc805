// Elements to try an operator on: edge values, small first, and random ones.
#pragma once

#include "host/scalars.h"
#include "model/layout.h"

// Makes edge value `index`; the first ones are small.
void clr_put_edge(const struct clr_layout *layout, unsigned index, void *value);

// Makes a value with the scalars first, first + step, ...; used for parameters.
void clr_put_ramp(const struct clr_layout *layout, int first, int step, void *value);

// The elements and further inputs of trials: first edge values, then mixed edge values, then random values of moderate
// size, then of any size.
#define CLR_POOL_MIXED_END 32
#define CLR_POOL_MODERATE_END 160
#define CLR_POOL_SIZE 256
struct clr_pool {
  unsigned char *elements, *inputs[CLR_INPUTS_MAX];
  unsigned edges;
};

// CL_OUT_OF_HOST_MEMORY if memory is out. Release also after a failure.
cl_int clr_pool_make(const struct clr_operation *operation, cl_ulong *random, struct clr_pool *pool);
void clr_pool_release(struct clr_pool *pool);
