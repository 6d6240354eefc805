// Host memory as a list of elements of one operation, and arrays of states made from it.
#ifndef CLR_HOST_VALUES_H
#define CLR_HOST_VALUES_H

#include "model/operator.h"

struct clr_values {
  const struct clr_operation *operation;
  const void                 *elements;
  cl_ulong                    count;
};

// An array of states; release with clr_states_release.
struct clr_states {
  const struct clr_operation *operation;
  unsigned char              *bytes;
  cl_ulong                    count;
};

// The largest state an operator may have, in bytes.
#define CLR_STATE_SIZE_MAX 256

void *clr_state_at(const struct clr_states *states, cl_ulong index);
void clr_lift(const struct clr_values *values, cl_ulong index, void *state);
void clr_combine(const struct clr_states *states, cl_ulong into, cl_ulong from);

// Lifts every element; CL_OUT_OF_HOST_MEMORY if that many states cannot be had.
cl_int clr_states_lift(const struct clr_values *values, struct clr_states *states);
void clr_states_release(struct clr_states *states);

#endif
