// Operators: the rows of CLRED_OP_MAP and of forms.def, and an operator over one element type.
#ifndef CLR_MODEL_OPERATOR_H
#define CLR_MODEL_OPERATOR_H

#include "base/status.h"
#include "model/custom.h"
#include "model/element.h"
#include "model/facts.h"

// The largest state an operator may have, in bytes.
#define CLR_STATE_SIZE_MAX 256

enum clr_domain { CLR_DOMAIN_ANY, CLR_DOMAIN_INTEGERS, CLR_DOMAIN_FLOATING, CLR_DOMAIN_COMPLEX };
enum clr_exact { CLR_EXACT_NONE, CLR_EXACT_INTEGERS, CLR_EXACT_ALL };

struct clr_op {
  clred_op id;
  const char *name;
  const char *synonym;
  const char *sentence;
};

// A row of forms.def. Texts are kernel code in the words of docs/operators.md.
struct clr_form {
  clred_op op;
  enum clr_domain domain;
  bool detects;              // overflow
  unsigned inputs;           // 1 or 2
  const char *state_type;    // "WIDE", "uint", ...; NULL if it has members
  const char *state_fields;  // "F(KEY, key) F(ulong, index) "; NULL if it is one value
  const char *result_type, *result_fields;
  const char *identity, *lift, *combine, *lower;
  enum clr_exact exact;
  bool commutes, elementwise;
  bool uses_real;
  const char *atomic;  // suffix of the direct atomic, "" if there is none
  bool portable;
  bool has_identity;  // the result over no elements is defined
  bool lowers_lanes;  // lower's text holds for vectors of states, too
};

// The arguments of a lift on the host: values of the operation's kind; of a complex number, two.
struct clr_host_element {
  const void *x, *y;
  cl_ulong index;
  bool ignores_nan;
};

// A form on the host, over one kind. States and results are laid out as the kernel's.
struct clr_host_form {
  size_t state_size, result_size;
  const clred_part *parts;
  size_t part_count;
  void (*identity)(void *state);
  void (*lift)(const struct clr_host_element *at, void *state);
  void (*combine)(void *a, const void *b);  // a = combine(a, b)
  void (*lower)(const void *state, void *result, bool ignores_nan);
};

#define CLR_PARTS_MAX 16

// An operator over an element type: all that planning, kernels and the host's trees need.
struct clr_operation {
  const char *name;
  const struct clr_form *form;       // NULL for a caller's own
  const struct clr_custom *custom;   // a caller's own, or NULL
  const struct clr_host_form *host;  // of the form
  struct clr_element element;        // for a caller's own operator, row is NULL; size and name are set
  enum clr_kind kind;                // of WIDE
  bool ignores_nan;
  bool commutes, elementwise, exact, portable, detects;
  bool needs_fp64;
  size_t state_size, result_size;
  size_t input_count, input_sizes[CLR_OPERANDS_MAX];  // besides the first
  size_t parameter_count, parameter_sizes[CLR_OPERANDS_MAX];
  clred_type result_type;  // NONE if it has parts
  clred_part parts[CLR_PARTS_MAX];
  size_t part_count;
  bool padded;                                // results have bytes that belong to no member, as far as is known,
  cl_ulong padding[CLR_STATE_SIZE_MAX / 64];  // which are 0 in every result: a bit for each byte
};

// A built-in operator with its options.
struct clr_choice {
  clred_op op;
  clred_type type;
  clred_type state;  // NONE: the table's
  clred_nan nan;
  clred_overflow overflow;
};

static inline bool clr_is_padding(const struct clr_operation *operation, size_t byte) {
  return operation->padding[byte / 64] >> byte % 64 & 1;
}

const struct clr_op *clr_op_row(clred_op op);
const struct clr_op *clr_op_at(size_t index);

// The form of an operator for a class of elements; NULL if there is none.
const struct clr_form *clr_form_for(clred_op op, enum clr_class class, bool detects);

// Makes the operation, or refuses an unknown operator or type, or an operator that is not defined for the type.
cl_int clr_operation_make(const struct clr_choice *choice, struct clr_operation *operation, struct clr_status *status);

// CLRED_TYPE_NOT_SUPPORTED if it needs double and the device has none.
cl_int clr_check_types(const struct clr_operation *operation, const struct clr_facts *facts, struct clr_status *status);

// How the operator's states are moved (forms.def), as kernel text; NULL if its states have no index.
const char *clr_move_text(clred_op op);

// For an operator that chooses by a key, the functions that choose between two keys and between two values; otherwise
// NULL.
struct clr_words_of_choice {
  clred_op op;
  const char *keys, *values;
};
const struct clr_words_of_choice *clr_words_of_choice(clred_op op);

// Whether lanes of a tile are carried in 32 bits (forms.def). They are widened before lanes are combined.
bool clr_narrows(const struct clr_operation *operation);

// The forms on the host, by kind and by row of forms.def; NULL where a form does not serve a kind.
extern const struct clr_host_form *const *const clr_host_forms[CLR_KINDS];

// What several states side by side are in the kernel: cl/lanes.clh.
enum clr_lanes_form { CLR_LANES_VECTOR, CLR_LANES_FIELDS, CLR_LANES_ARRAY };
enum clr_lanes_form clr_lanes_form(const struct clr_operation *operation);

// The words that choose between its keys; NULL where keys alone do not say which element it is.
const struct clr_words_of_choice *clr_operation_choice(const struct clr_operation *operation);

// The text that moves its states; NULL where nothing in them counts positions.
const char *clr_operation_move(const struct clr_operation *operation);

#endif
