// Host callbacks of user-defined operators, from one statement each. They copy states, which may have any alignment.
// `state_type` and `element_type` are C types as the operator's texts describe them.
#pragma once

#include <string.h>

#include "clreduce.h"

// The last argument initializes the state.
#define IDENTITY(name, state_type, ...) \
  static void name##_identity(void *state, void *user_data) { \
    const state_type nothing = __VA_ARGS__; \
    (void)user_data; \
    memcpy(state, &nothing, sizeof nothing); \
  }

// The last argument is an expression: the state of the element `x`. It can read `index`, `inputs` and `parameters`.
#define LIFT(name, element_type, state_type, ...) \
  static void name##_lift(const void *element, cl_ulong index, const void *const *inputs, \
                          const void *const *parameters, void *state, void *user_data) { \
    element_type x; \
    (void)index, (void)inputs, (void)parameters, (void)user_data; \
    memcpy(&x, element, sizeof x); \
    const state_type one = __VA_ARGS__; \
    memcpy(state, &one, sizeof one); \
  }

// The last argument is an expression: the combination of the states `a` and `b`.
#define COMBINE(name, state_type, ...) \
  static void name##_combine(void *state, const void *other, void *user_data) { \
    state_type a, b; \
    (void)user_data; \
    memcpy(&a, state, sizeof a); \
    memcpy(&b, other, sizeof b); \
    const state_type both = __VA_ARGS__; \
    memcpy(state, &both, sizeof both); \
  }

// Makes an operator of the callbacks above and a `lower` that copies the first bytes of the state to the result.
#define HOST(name, result_type) \
  static void name##_lower(const void *state, void *result, void *user_data) { \
    (void)user_data; \
    memcpy(result, state, sizeof(result_type)); \
  } \
  static const clred_host_operator name##_host = {name##_identity, name##_lift, name##_combine, name##_lower, NULL}
