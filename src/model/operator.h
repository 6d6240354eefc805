// Operators: the rows of CLRED_OP_MAP and of forms.def, and what an operator comes to over one element type.
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
  const char *state_type;    // "WIDE", "uint", ...; NULL where it has members
  const char *state_fields;  // "F(KEY, key) F(ulong, index) "; NULL where it is one value
  const char *result_type, *result_fields;
  const char *identity, *lift, *combine, *lower;
  enum clr_exact exact;
  bool commutes, elementwise;
  bool uses_real;
  const char *atomic;  // suffix of the direct atomic, "" if there is none
  bool portable;
};

// What a lift on the host is given: values of the operation's kind, two of a complex number.
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

// An operator over an element type: all that planning, kernels and the host's trees need to know of either.
struct clr_operation {
  const char *name;
  const struct clr_form *form;       // NULL for a caller's own
  const struct clr_custom *custom;   // a caller's own, or NULL
  const struct clr_host_form *host;  // of the form
  struct clr_element element;        // of a built-in; of a caller's own: row NULL, with size and name
  enum clr_kind kind;                // of WIDE
  bool ignores_nan;
  bool commutes, elementwise, exact, portable, detects;
  bool needs_fp64;
  size_t state_size, result_size;
  size_t input_count, input_sizes[CLR_OPERANDS_MAX];  // beside the first
  size_t parameter_count, parameter_sizes[CLR_OPERANDS_MAX];
  clred_type result_type;  // NONE where it has parts
  clred_part parts[CLR_PARTS_MAX];
  size_t part_count;
  bool padded;                                // results have bytes that belong to no member, as far as is known,
  cl_ulong padding[CLR_STATE_SIZE_MAX / 64];  // which are 0 in every result: a bit for each byte
};

// What is asked of a built-in operator beside its name and elements.
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

// Whether any of the operator's forms serves such elements; the first form of an operator by its row.
const struct clr_form *clr_form_for(clred_op op, enum clr_class class, bool detects);

// Fills `operation`, or says which of operator and type is unknown, or that they do not go together.
cl_int clr_operation_make(const struct clr_choice *choice, struct clr_operation *operation, struct clr_status *status);

// CLRED_TYPE_NOT_SUPPORTED if it needs double and the device has none.
cl_int clr_check_types(const struct clr_operation *operation, const struct clr_facts *facts, struct clr_status *status);

// How the operator's states are moved (forms.def), as kernel text; NULL where nothing in them counts positions.
const char *clr_move_text(clred_op op);

// Of an operator that chooses by a key, the words that choose between two keys, and between two values; NULL of others.
struct clr_words_of_choice {
  clred_op op;
  const char *keys, *values;
};
const struct clr_words_of_choice *clr_words_of_choice(clred_op op);

// Whether lanes of a tile are carried in 32 bits (forms.def); they are widened where lanes meet.
bool clr_narrows(const struct clr_operation *operation);

// REAL of this kind: double for integers.
enum clr_kind clr_kind_real(enum clr_kind kind);

// The forms on the host, by kind and by row of forms.def; NULL where a form does not serve a kind.
extern const struct clr_host_form *const *const clr_host_forms[CLR_KINDS];

#endif
