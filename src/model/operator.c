#include "model/operator.h"

#define CLR_YES true
#define CLR_NO false
#define ROW(id, value, name, synonym, domain, state, exact, identity, lift, combine, lower, commutes, elementwise, atomic, \
            sentence)                                                                                                    \
  {CLRED_OP_##id, name, synonym, CLR_DOMAIN_##domain, CLR_STATE_##state, CLR_EXACT_##exact, #identity, #lift, #combine,  \
   #lower, CLR_##commutes, CLR_##elementwise, atomic, sentence},
static const struct clr_op ops[] = {CLRED_OP_MAP(ROW)};

const struct clr_op *clr_op_at(size_t index)
{
  return index < sizeof ops / sizeof *ops ? &ops[index] : NULL;
}

const struct clr_op *clr_op_row(clred_op op)
{
  for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
    if (ops[i].id == op)
      return &ops[i];
  return NULL;
}

cl_int clr_operation_make(clred_op op, clred_type type, struct clr_operation *operation, struct clr_status *status)
{
  const struct clr_op *row = clr_op_row(op);
  const struct clr_type *element = clr_type_row(type);
  if (!row)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "op: %d is no operator of CLRED_OP_MAP", (int)op);
  if (!element)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "type: %d is no type of CLRED_TYPE_MAP", (int)type);
  if (row->domain == CLR_DOMAIN_INTEGERS && element->class == CLR_FLOATING)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "%s is defined for integers only, not for %s", row->name,
                    element->name);
  clred_type state = row->state == CLR_STATE_WIDE ? element->wide : CLRED_TYPE_UINT;
  *operation = (struct clr_operation){
    .op = row,
    .element = element,
    .state = clr_type_row(state),
    .host = clr_host_operator(op, element->wide),
    .exact = row->exact == CLR_EXACT_ALL || element->class != CLR_FLOATING,
  };
  return CL_SUCCESS;
}
