// Operators: the rows of CLRED_OP_MAP, and what an operator comes to over one element type.
#ifndef CLR_MODEL_OPERATOR_H
#define CLR_MODEL_OPERATOR_H

#include "base/status.h"
#include "model/element.h"

enum clr_domain { CLR_DOMAIN_ANY, CLR_DOMAIN_INTEGERS };
enum clr_state { CLR_STATE_WIDE, CLR_STATE_FLAG };
enum clr_exact { CLR_EXACT_INTEGERS, CLR_EXACT_ALL };

struct clr_op {
  clred_op        id;
  const char     *name;
  const char     *synonym;
  enum clr_domain domain;
  enum clr_state  state;
  enum clr_exact  exact;
  const char     *identity;  // kernel text, as are the next three
  const char     *lift;
  const char     *combine;
  const char     *lower;
  bool            commutes;
  bool            elementwise;
  const char     *atomic;    // suffix of the direct atomic, "" if there is none
  const char     *sentence;
};

// The host's form of an operator over one kind of state; elements are widened before they are lifted.
struct clr_host_operator {
  void (*identity)(void *state);
  void (*lift)(const void *wide, void *state);
  void (*combine)(void *a, const void *b);  // a = combine(a, b)
  void (*fold)(void *state, const void *wide, cl_ulong count);  // takes in widened elements, in order
  void (*lower)(const void *state, void *result);
};

// An operator over an element type: all that planning, kernels and the host's trees need to know of either.
struct clr_operation {
  const struct clr_op            *op;
  const struct clr_type          *element;
  const struct clr_type          *state;   // also the result's type
  const struct clr_host_operator *host;
  bool                            exact;   // any order gives the same bits
};

const struct clr_op *clr_op_row(clred_op op);
const struct clr_op *clr_op_at(size_t index);

// Fills `operation`, or says which of operator and type is unknown, or that they do not go together.
cl_int clr_operation_make(clred_op op, clred_type type, struct clr_operation *operation, struct clr_status *status);

// NULL where the operator is not defined for states of this wide type.
const struct clr_host_operator *clr_host_operator(clred_op op, clred_type wide);

#endif
