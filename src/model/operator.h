// Operators: the rows of CLRED_OP_MAP and of operators.def, and an operator over one element type.
#pragma once

#include "base/status.h"
#include "model/custom.h"
#include "model/element.h"
#include "model/facts.h"

// The largest state an operator may have, in bytes: exact sums have long states (docs/order.md). The elements, results
// and parameters of a caller's operator have at most CLR_OWN_SIZE_MAX.
#define CLR_STATE_SIZE_MAX 1088
#define CLR_OWN_SIZE_MAX 256

enum clr_domain { CLR_DOMAIN_ANY, CLR_DOMAIN_INTEGERS, CLR_DOMAIN_FLOATING, CLR_DOMAIN_COMPLEX };
enum clr_mode { CLR_MODE_WRAP, CLR_MODE_DETECT, CLR_MODE_EXACT };
enum clr_exact { CLR_EXACT_NONE, CLR_EXACT_INTEGERS, CLR_EXACT_ALL };

// The functions that choose between two keys, and between two values.
struct clr_words_of_choice {
  const char *keys, *values;
};

// Kernels may fold rows by these members of a state (CLR_ROWS_MAP).
struct clr_row_fold {
  bool folds;  // false: they cannot
  bool mean, m2, ends, sum, product;
};

// How kernels add terms in bins.
struct clr_bins {
  const char *term;
  bool products, counts, squares;
};

// A row of CLRED_OP_MAP, with the columns of shortcuts.def. A column is 0 if shortcuts.def has no row for the operator.
struct clr_op {
  clred_op id;
  const char *name;
  const char *summary;
  struct clr_words_of_choice choice;
  struct clr_row_fold row_fold;
  struct clr_bins bins;
  const char *move;     // the text that replaces the indices in a state
  size_t narrow_bytes;  // lanes may be held in 32 bits for elements of up to this size
};
extern const struct clr_op clr_ops[];  // indexed by id; row 0 is no operator
extern const size_t clr_op_count;

// A member of a state or result, in the macros of operators.def, such as KEY key.
struct clr_field {
  const char *type, *name;
};

// A row of operators.def. Its texts are kernel code; docs/operators.md lists the macros that they use.
struct clr_form {
  clred_op op;
  enum clr_domain domain;
  enum clr_mode mode;
  unsigned inputs;                                       // 1 or 2
  const struct clr_field *state_fields, *result_fields;  // end with a row without a name; NULL: a single value
  const char *identity, *lift, *combine, *lower;
  const char *normal;  // brings a state into its range; NULL: all states are in range
  enum clr_exact exact;
  bool commutes, elementwise;
  bool uses_real;
  const char *atomic;  // suffix of the direct atomic, "" if there is none
  bool portable;
  bool has_identity;  // the result over no elements is defined
  bool lowers_lanes;  // lower's text also works on vectors of states
  bool cuts;          // an integer result may be narrow (clred_result_bits)
};

extern const struct clr_form clr_forms[];
extern const size_t clr_form_count;

// The arguments of lift on the host: values of the operation's kind; a complex number has two values. For operators of
// one input y is x.
struct clr_host_element {
  const unsigned char *x, *y;
  cl_ulong index;
  bool ignores_nan;
};

// A run of elements, one after another, for the loop of a form. Elements may be unaligned. The run of a reversed scan
// begins at its last element and has negative steps.
struct clr_host_run {
  const unsigned char *x, *y;   // the first elements; for operators of one input y is x
  ptrdiff_t step, apart;        // bytes from one element to the next, and from one result or lane to the next
  unsigned char *results;       // the results of a scan; NULL to fold
  cl_ulong count, index, turn;  // index: of the first element; turn: step from one index to the next
  cl_ulong across;              // step from an element's index to that of the next lane's element
  bool inclusive, ignores_nan;
};

// Combines the state with each element of the run, in order. In a scan the loop also writes the results and sets their
// padding to 0. A result may overwrite the element at the same index.
typedef void clr_host_loop(const struct clr_host_run *run, void *state);

// Folds `width` lanes of run->count elements each, in order, and writes their states. Several lanes are folded at once.
#define CLR_LANES_AT_ONCE 8
typedef void clr_host_lanes(const struct clr_host_run *run, cl_ulong width, void *states);

// Returns the index in loops[] for elements of numbers of this size.
#define CLR_LOOP_OF(bytes) ((bytes) / 2)

typedef void clr_host_combine(void *a, const void *b, cl_ulong count);  // a[i] = combine(a[i], b[i])
typedef void clr_host_pairs(void *states, cl_ulong count);              // folds adjacent pairs until states[0] is left

// A form on the host, over one kind. States and results have the kernel's layout.
struct clr_host_form {
  size_t state_size, result_size;
  const clred_part *state_parts, *parts;  // types and names of the members, or of the single value
  const size_t *state_sizes;              // bytes of each member of a state; a member may be an array of its type
  size_t state_part_count, part_count;
  void (*identity)(void *state);
  void (*lift)(const struct clr_host_element *at, void *state);
  clr_host_combine *combine;
  void (*lower)(const void *states, cl_ulong count, void *results, bool ignores_nan);
  void (*normal)(void *state);
  clr_host_loop *loops[CLR_LOOP_OF(8) + 1];  // one for each size of numbers in memory; NULL: no such type of this kind
  clr_host_lanes *lanes;                     // reads the kind's own type
  clr_host_pairs *pairs;
};

// An operator that can be lowered from the state of another one (CLR_DERIVED_MAP).
struct clr_derived {
  clred_op op;
  enum clr_domain domain;
  enum clr_mode mode;  // of both operators
  clred_op from;
  enum clr_domain from_domain;
  const char *lower;  // the kernel's text; `host` does the same on the host
  void (*host)(const void *state, void *result, bool ignores_nan);
};
extern const struct clr_derived *const clr_derived_rows[CLR_KINDS];  // each list ends with a row without an operator

// Members of a state or a result. A list of CLRED_LIST_MAX operators has at most 30: stats has 9, argminmax 4.
#define CLR_PARTS_MAX 32

// How the kernel holds several neighbouring states: cl/common/lanes.clh.
enum clr_lanes_form { CLR_LANES_VECTOR, CLR_LANES_FIELDS, CLR_LANES_ARRAY };

// An operator over an element type: all that planning, kernels and the host's trees need.
struct clr_operation {
  const char *name;
  const struct clr_form *form;        // NULL for a caller's own
  const struct clr_custom *custom;    // the caller's operator, or NULL
  const struct clr_op_list *several;  // the operators of a list, or NULL; `form` and `host` are of their product
  const struct clr_host_form *host;   // of the form
  // Histograms: the exact sum of the last input, the weights; NULL: elements are counted
  const struct clr_operation *weights;
  struct clr_element element;  // for a caller's operator, row is NULL; size and name are set
  enum clr_kind kind;          // the kind of WIDE
  bool ignores_nan;
  bool commutes, elementwise, exact, portable, detects;
  bool needs_fp64;
  const char *words;  // the file of cl/exact that the texts use: sums of floats in the order exact, or moments of
                      // integers; NULL: none
  bool narrows;       // the lanes of a tile are held in 32 bits (operators.def), and widened before lanes are combined
  enum clr_lanes_form lanes_form;
  bool lowers_lanes;  // lower also works on several states at once: they are a vector; and operators.def allows it, or
                      // a caller's operator has no text for lower
  // Shortcuts of the operator; NULL if it has none. With some options, a row of shortcuts.def does not apply.
  const struct clr_words_of_choice *choice;
  const struct clr_row_fold *row_fold;
  const struct clr_bins *bins;
  const char *move;
  bool has_indices;  // states contain indices
  bool moves;  // states contain indices, and `move` replaces them. Combine is shorter if all indices of one side are
               // above those of the other side
  size_t state_size, result_size;
  size_t input_count, input_sizes[CLR_OPERANDS_MAX];  // the further inputs
  size_t parameter_count, parameter_sizes[CLR_OPERANDS_MAX];
  clred_type result_type;  // NONE if it has parts
  clred_part parts[CLR_PARTS_MAX];
  size_t part_count;
  bool padded;                                // results have bytes that belong to no member, as far as the library can
                                              // parse the type; these bytes are 0 in every result
  cl_ulong padding[CLR_STATE_SIZE_MAX / 64];  // one bit for each byte: 1 if the byte belongs to no member
};

// A built-in operator with its options.
struct clr_choice {
  clred_op op;
  clred_type type;
  clred_type state;  // NONE: the table's
  clred_nan nan;
  clred_overflow overflow;
  clred_result_bits result_bits;
  bool exact;  // the order exact
};

// The choice of this operator with the problem's options.
static inline struct clr_choice clr_choice_of(const clred_problem *problem, clred_op op) {
  return (struct clr_choice){op,
                             problem->type,
                             problem->state,
                             problem->nan,
                             problem->overflow,
                             problem->result_bits,
                             problem->order == CLRED_ORDER_EXACT};
}

// Writes the sizes of an element and of its further inputs, in bytes. Returns the number of sizes.
size_t clr_source_sizes(const struct clr_operation *operation, size_t *sizes);

// Return the largest size of an element and its further inputs, and the sum of these sizes, in bytes.
size_t clr_largest_operand(const struct clr_operation *operation);
size_t clr_operand_bytes(const struct clr_operation *operation);

// Returns the atomic that combines a state, without its prefix. NULL: there is none, or the state is not an integer.
const char *clr_operation_direct_atomic(const struct clr_operation *operation);

static inline bool clr_is_padding(const struct clr_operation *operation, size_t byte) {
  return operation->padding[byte / 64] >> byte % 64 & 1;
}

const struct clr_op *clr_op_row(clred_op op);
const struct clr_op *clr_op_at(size_t index);

// The form of an operator for a class of elements; NULL if there is none.
const struct clr_form *clr_form_for(clred_op op, enum clr_class class, enum clr_mode mode);

// Makes the operation, or refuses an unknown operator or type, or an operator that is not defined for the type.
cl_int clr_operation_make(const struct clr_choice *choice, struct clr_operation *operation, struct clr_status *status);

// Makes the operation of a caller's operator. The operation points to the texts in `custom`, which must outlive it.
void clr_operation_of_custom(const struct clr_custom *custom, struct clr_operation *operation);

// Computes the fields from `lanes_form` to `move` from the other fields.
void clr_operation_resolve(struct clr_operation *operation);

// Returns CLRED_TYPE_NOT_SUPPORTED if the operation needs double and the device has none.
cl_int clr_check_types(const struct clr_operation *operation, const struct clr_facts *facts, struct clr_status *status);

// The forms on the host, by kind and by row of operators.def; NULL if a form has no version for a kind.
extern const struct clr_host_form *const *const clr_host_forms[CLR_KINDS];
