// Several operators in one pass: makes one operator, the product, of the operators in a problem's list. The product's
// state has the members of all operators' states, but equal states only once. The product's result has the parts of all
// operators' results. problem.c makes it; the kernels' text is in source/several_text.c, the host's version in
// host/values.c.
#pragma once

#include "model/operator.h"

// A member of an operator's state or result, and its place in the state or result of the product.
struct clr_part_member {
  size_t inside, at;  // offsets in bytes: in the operator's own state or result, and in the product's
  size_t size, align;
  const char *name, *whole;  // the member's name, "" for a single value; its name in the product
  const char *type;          // the type in the macros of kernels
};

// A state that operators of the list need. The first of these operators owns it.
struct clr_kept_state {
  const struct clr_operation *owner;
  struct clr_part_member members[CLR_PARTS_MAX];
  size_t member_count;
};

// An operator of the list.
struct clr_listed {
  struct clr_operation operation;
  const struct clr_derived
    *taken;      // how it is lowered from another operator's state; NULL: from its own or an equal one
  size_t state;  // index in `states`
  struct clr_part_member members[CLR_PARTS_MAX];  // the members of its result
};

struct clr_op_list {
  struct clr_listed listed[CLRED_LIST_MAX];
  size_t listed_count;
  struct clr_kept_state states[CLRED_LIST_MAX];
  size_t state_count;
  // Of the product:
  char name[CLRED_LIST_MAX * 16];
  struct clr_form form;
  struct clr_host_form host;
  struct clr_field state_fields[CLR_PARTS_MAX + 1], result_fields[CLR_PARTS_MAX + 1];
  clred_part state_parts[CLR_PARTS_MAX];
  size_t state_sizes[CLR_PARTS_MAX];
  char state_names[CLR_PARTS_MAX][32], result_names[CLR_PARTS_MAX][32];
};

// The text and the function that lower an operator of the list.
const char *clr_listed_lower(const struct clr_listed *listed);
void clr_listed_lower_on_host(const struct clr_listed *listed, const void *state, void *result);

// Makes the product of the problem's list, or refuses the list. `*several` gets memory that the operation uses; free it
// in any case.
cl_int clr_op_list_make(const clred_problem *given, struct clr_op_list **several, struct clr_operation *operation,
                        struct clr_status *status);
