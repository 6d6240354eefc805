// clreduce_operator.h: included by clreduce.h. Operators of your own, and the predicates of selections.

#ifndef CLREDUCE_OPERATOR_H
#define CLREDUCE_OPERATOR_H

// An operator is a monoid: `lift` makes a state from an element, `combine` joins two states, `identity` changes
// nothing, `lower` makes the result. Blelloch (1990). Each is text in OpenCL C 1.2: an expression, or, except for
// identity, the body of a function in braces. Names must not begin with clred_. docs/operators.md lists the macros
// that a text may use. clred_check_laws (clreduce_device.h) tests an operator.

// A further input or a parameter. An input is read at the index of the element.
typedef struct clred_operand {
  const char *name;  // in lift
  const char *type;  // an OpenCL type, one that the preamble declares, or (inputs) half or bfloat16, read as float
  size_t size;       // sizeof on the host; 0: not checked
} clred_operand;

// The operator on the host, for host_serial, finish host and clred_plan_reference. All four functions are needed.
// `inputs` and `parameters` point to the values for this element and this call, in the order of the operator.
typedef struct clred_host_operator {
  void (*identity)(void *state, void *user_data);
  void (*lift)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
               void *state, void *user_data);
  void (*combine)(void *a, const void *b, void *user_data);  // a = combine(a, b)
  void (*lower)(const void *state, void *result, void *user_data);
  void *user_data;
} clred_host_operator;

// `element`, `state` and `result` name an OpenCL type or a type of the preamble. `state` and `result` may also be a
// list of members, "{ float value; ulong index; }", which declares a struct.
struct clred_operator {
  const char *name;                              // for messages; required
  const char *preamble;                          // structs, functions, constants; NULL: none
  const char *element;                           // half and bfloat16 are read as float; required
  const char *state;                             // at most 256 bytes; required
  const char *result;                            // NULL: that of the state
  size_t element_size, state_size, result_size;  // sizeof on the host; 0: not checked
  const char *identity;                          // of type state, or an initialiser in braces; required
  const char *lift;     // from x (the element), index (ulong, in its row), inputs and parameters; NULL: x
  const char *combine;  // from a and b; a precedes b. Must be associative; required
  const char *lower;    // from s, the last state; NULL: s
  const clred_operand *inputs;
  size_t input_count;  // up to 8
  const clred_operand *parameters;
  size_t parameter_count;  // up to 16
  cl_bool commutative;     // without it, elements are combined in order
  // lift and combine are valid if every scalar becomes an OpenCL vector of one width. The state is a scalar or a list
  // in braces. Much faster on CPUs.
  cl_bool elementwise;
  const clred_host_operator *host;  // NULL: plans that compute on the host are refused
};

// ---------------------------------------------------------------- Selections

// Keeps the elements that satisfy a predicate (stream compaction, Blelloch 1990). Text as for an operator.
struct clred_selection {
  const char *name;      // for messages; required
  const char *preamble;  // structs, functions, constants; NULL: none
  const char *element;   // NULL: problem.type; a complex number is then a vector of two
  size_t element_size;   // sizeof on the host; 0: not checked
  const char *keep;      // from x, index, inputs and parameters: nonzero keeps the element; required
  const clred_operand *inputs;
  size_t input_count;  // up to 8
  const clred_operand *parameters;
  size_t parameter_count;  // up to 16
  // The predicate on the host, for scan_host_serial; NULL: none.
  cl_uint (*host)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                  void *user_data);
  void *user_data;
};

#endif
