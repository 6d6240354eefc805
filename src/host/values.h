// Elements of an operation in host memory, arrays of states, and the operation on states.
#pragma once

#include "model/several.h"

struct clr_values {
  const struct clr_operation *operation;
  const void *elements;
  cl_ulong count;
  cl_ulong stride;            // distance from one element to the next, in elements
  const void *const *inputs;  // the operator's further inputs, with the same stride
  const void *const *parameters;
  cl_ulong first;  // the index of the first element
};

// An array of states; release with clr_states_release.
struct clr_states {
  const struct clr_operation *operation;
  unsigned char *bytes;
  cl_ulong count;
};

// Memory that can hold one state or result of any type.
union clr_room {
  unsigned char bytes[CLR_STATE_SIZE_MAX];
  cl_double16 aligned;
};

// False for a caller's operator without host callbacks.
bool clr_has_host(const struct clr_operation *operation);

void clr_state_identity(const struct clr_operation *operation, void *state);
void clr_state_combine(const struct clr_operation *operation, void *a, const void *b);  // a = combine(a, b)

// For `count` states each: a[i] = combine(a[i], b[i]).
void clr_states_combine(const struct clr_operation *operation, void *a, const void *b, cl_ulong count);

// Folds adjacent pairs of states, then adjacent pairs of the results, and so on, until the first state is the fold. A
// last state without a partner is kept. False if the operation has no function for it.
bool clr_states_fold_pairs(const struct clr_operation *operation, void *states, cl_ulong count);

// Brings a state of the caller into its range (model/operators.def).
void clr_state_normal(const struct clr_operation *operation, void *state);

void clr_state_lower(const struct clr_operation *operation, const void *state, void *result);
void clr_states_lower(const struct clr_operation *operation, const void *states, cl_ulong count, void *results);

// Copies `part`, the state of one operator of a list, into the state of the list.
void clr_part_put(const struct clr_kept_state *kept, const void *part, void *state);

void *clr_state_at(const struct clr_states *states, cl_ulong index);
void clr_lift(const struct clr_values *values, cl_ulong index, void *state);
bool clr_keeps(const struct clr_values *values, cl_ulong index);  // for selections: true if the element is kept
void clr_combine(const struct clr_states *states, cl_ulong into, cl_ulong from);

// Makes an array of uninitialized states; its `bytes` are NULL if memory is out.
struct clr_states clr_states_make(const struct clr_operation *operation, cl_ulong count);

// Lifts every element. CL_OUT_OF_HOST_MEMORY if memory is out.
cl_int clr_states_lift(const struct clr_values *values, struct clr_states *states);
void clr_states_release(struct clr_states *states);

// True if two results have the same bits in all parts. Padding between the parts is ignored.
bool clr_same_parts(const struct clr_operation *operation, const unsigned char *a, const unsigned char *b);
