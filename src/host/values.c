#include "host/values.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *clr_state_at(const struct clr_states *states, cl_ulong index)
{
  return states->bytes + index * states->operation->state->size;
}

void clr_lift(const struct clr_values *values, cl_ulong index, void *state)
{
  const struct clr_operation *operation = values->operation;
  _Alignas(16) unsigned char wide[CLR_STATE_SIZE_MAX];
  operation->element->widen((const unsigned char *)values->elements + index * operation->element->size, 1,
                            wide);
  operation->host->lift(wide, state);
}

void clr_combine(const struct clr_states *states, cl_ulong into, cl_ulong from)
{
  states->operation->host->combine(clr_state_at(states, into), clr_state_at(states, from));
}

cl_int clr_states_lift(const struct clr_values *values, struct clr_states *states)
{
  size_t size = values->operation->state->size;
  *states = (struct clr_states){.operation = values->operation, .count = values->count};
  if (values->count > SIZE_MAX / size)
    return CL_OUT_OF_HOST_MEMORY;
  states->bytes = malloc((size_t)values->count * size);
  if (!states->bytes)
    return CL_OUT_OF_HOST_MEMORY;
  for (cl_ulong i = 0; i < values->count; i++)
    clr_lift(values, i, clr_state_at(states, i));
  return CL_SUCCESS;
}

void clr_states_release(struct clr_states *states)
{
  free(states->bytes);
  states->bytes = NULL;
}
