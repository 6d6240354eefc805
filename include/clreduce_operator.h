// clreduce_operator.h: custom operators, the predicates of selections, and the bins of histograms. clreduce.h includes
// this file.

#ifndef CLREDUCE_OPERATOR_H
#define CLREDUCE_OPERATOR_H

// An operator has four pieces: `lift` makes a state from an element, `combine` joins two states, `identity` is the
// state that changes nothing, `lower` makes the result from the last state. Source: Blelloch (1990). Each piece is text
// in OpenCL C 1.2: an expression, or the body of a function in braces (not identity). The preamble is text that stands
// before the pieces. It may include exact/float_sum.clh and exact/double_sum.clh, for exact sums in a state. Names must
// not begin with clred_. docs/operators.md lists the macros and functions that a text may use.
// clred_check_laws (clreduce_device.h) tests an operator.

// A further input or a parameter. An input is read at the index of the element.
typedef struct clred_operand {
  const char *name;  // the name that lift uses
  const char *type;  // an OpenCL type or a type of the preamble; inputs: also half or bfloat16, read as float
  size_t size;       // sizeof on the host; 0: not checked
} clred_operand;

// The operator on the host, for host_serial, finish host and clred_plan_reference. All four functions are needed.
// `inputs` points to the values for this element, in the order of clred_operator.inputs; `parameters` to the values for
// this call, in the order of clred_operator.parameters.
typedef struct clred_host_operator {
  void (*identity)(void *state, void *user_data);  // writes the identity to `state`
  // Makes `state` from the element and its index in the row.
  void (*lift)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
               void *state, void *user_data);
  void (*combine)(void *a, const void *b, void *user_data);         // a = combine(a, b)
  void (*lower)(const void *state, void *result, void *user_data);  // makes the result from the last state
  void *user_data;                                                  // is passed to the four functions
} clred_host_operator;

// `element`, `state` and `result` name an OpenCL type or a type of the preamble. `state` and `result` may also be a
// list of members, "{ float value; ulong index; }", which declares a struct.
struct clred_operator {
  const char *name;                              // for messages; required
  const char *preamble;                          // structs, functions, constants; NULL: none
  const char *element;                           // half and bfloat16 are read as float; required
  const char *state;                             // at most 1088 bytes; required
  const char *result;                            // NULL: the type of the state
  size_t element_size, state_size, result_size;  // sizeof on the host; 0: not checked
  const char *identity;                          // of type state, or an initialiser in braces; required
  const char *lift;  // uses x (the element), index (its position in the row, ulong), inputs, parameters; NULL: x
  // Uses a and b; a comes before b, in the order in which the elements are read: in a reversed scan, a is nearer the
  // end of the row. Must be associative; required.
  const char *combine;
  const char *lower;                // uses s, the last state; NULL: s
  const clred_operand *inputs;      // further inputs, with one value for each element
  size_t input_count;               // up to 8
  const clred_operand *parameters;  // values that hold for a whole call
  size_t parameter_count;           // up to 16
  cl_bool commutative;              // true if combine(a, b) = combine(b, a); false: elements are combined in order
  // True if lift and combine stay correct when OpenCL vectors of one width replace all scalars (docs/operators.md). The
  // state must be a scalar or a list in braces. Much faster on CPUs.
  cl_bool elementwise;
  const clred_host_operator *host;  // NULL: plans that compute on the host are refused
};

// ---------------------------------------------------------------- Selections

// A selection keeps the elements that satisfy a predicate (stream compaction, Blelloch 1990). The rules for texts
// are those of clred_operator.
struct clred_selection {
  const char *name;                 // for messages; required
  const char *preamble;             // structs, functions, constants; NULL: none
  const char *element;              // NULL: problem.type; a complex number is then a vector of two
  size_t element_size;              // sizeof on the host; 0: not checked
  const char *keep;                 // uses x, index, inputs and parameters; nonzero: the element is kept. Required
  const clred_operand *inputs;      // further inputs, with one value for each element
  size_t input_count;               // up to 8
  const clred_operand *parameters;  // values that hold for a whole call
  size_t parameter_count;           // up to 16
  // The predicate on the host, for scan_host_serial; NULL: none.
  cl_uint (*host)(const void *element, cl_ulong index, const void *const *inputs, const void *const *parameters,
                  void *user_data);
  void *user_data;  // is passed to `host`
};

// ---------------------------------------------------------------- Histograms

// Bin k counts the elements x with edge(k) <= x < edge(k + 1). The last bin includes its upper edge. Elements outside
// all bins and NaNs are not counted; -0 equals 0. The counts are the same on every device. docs/quantiles.md says how
// edges are computed, and where NumPy's histogram counts differently.
//
// With a weight_type, a bin holds the sum of its elements' weights, in the type of a sum (clred_result_type): long or
// ulong for integers, which wrap; float for half, bfloat16 and float; double. Sums of floating weights are exact and
// rounded once, as in the order exact, so the bits are the same on every device and in every run. A sum that is zero,
// also that of a bin without elements, is +0.
//
// Two or three dimensions are a list of axes (`next`). Results are C-ordered: the last axis varies fastest. An element
// outside the bins of one axis is not counted. call.inputs has the samples of the second and the third axis, of
// problem.type, and last the weights. For a density, divide by the widths of the bins and by the total.
struct clred_histogram {
  cl_ulong bins;        // 1 to 2^31; fewer if memory is short: CLRED_STRATEGY_REFUSED (docs/quantiles.md)
  double low, high;     // equal bins: the first and the last edge
  const double *edges;  // instead of low and high: bins + 1 increasing edges; NULL: equal bins
  // Instead of the doubles above: edges as elements of problem.type. Needed for values of long and ulong that a double
  // cannot represent. NULL: not used.
  const void *low_element;
  const void *high_element;
  const void *edge_elements;
  clred_type weight_type;       // CHAR to BFLOAT16: the type of the weights. NONE: elements are counted
  const clred_histogram *next;  // the bins of the next axis, without weight_type; up to 3 axes. NULL: the last axis
};

// Writes edge `index` (0 to `bins`) as the nearest double. For floating elements this is the edge after rounding to the
// element type. The edges of a second axis have the indices after those of the first axis, and so on.
// CLRED_INVALID_ARGUMENT after the last edge, and for plans without a histogram.
CLRED_API cl_int clred_plan_edge(const clred_plan *plan, cl_ulong index, double *edge);

#endif
