// Lifts, combines and lowers on the host, for built-in operators and for callers' own.
#include "host/values.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// --- The operators of a list, each with its part of the list's state ---

static void part_take(const struct clr_kept_state *kept, const void *state, void *part) {
  for (size_t i = 0; i < kept->member_count; i++)
    memcpy((unsigned char *)part + kept->members[i].inside, (const unsigned char *)state + kept->members[i].at,
           kept->members[i].size);
}

void clr_part_put(const struct clr_kept_state *kept, const void *part, void *state) {
  for (size_t i = 0; i < kept->member_count; i++)
    memcpy((unsigned char *)state + kept->members[i].at, (const unsigned char *)part + kept->members[i].inside,
           kept->members[i].size);
}

static void parts_identity(const struct clr_op_list *several, void *state) {
  union clr_room part;
  for (size_t i = 0; i < several->state_count; i++) {
    several->states[i].owner->host->identity(&part);
    clr_part_put(&several->states[i], &part, state);
  }
}

static void parts_combine(const struct clr_op_list *several, void *a, const void *b) {
  union clr_room left, right;
  for (size_t i = 0; i < several->state_count; i++) {
    const struct clr_kept_state *kept = &several->states[i];
    part_take(kept, a, &left);
    part_take(kept, b, &right);
    kept->owner->host->combine(&left, &right, 1);
    clr_part_put(kept, &left, a);
  }
}

static void parts_lower(const struct clr_op_list *several, const void *state, void *result) {
  union clr_room part, lowered;
  for (size_t i = 0; i < several->listed_count; i++) {
    const struct clr_listed *listed = &several->listed[i];
    part_take(&several->states[listed->state], state, &part);
    clr_listed_lower_on_host(listed, &part, &lowered);
    for (size_t j = 0; j < listed->operation.part_count; j++)
      memcpy((unsigned char *)result + listed->members[j].at, lowered.bytes + listed->members[j].inside,
             listed->members[j].size);
  }
}

// --- Any operator ---

bool clr_has_host(const struct clr_operation *operation) {
  return !operation->custom || operation->custom->has_host;
}

static const clred_host_operator *own(const struct clr_operation *operation) {
  return &operation->custom->host;
}

// As on the device, lift gets storage types as float.
static const void *as_given(enum clr_reading reading, const void *element, cl_float *value) {
  cl_ushort bits;
  if (reading != CLR_READING_HALF && reading != CLR_READING_BFLOAT16)
    return element;
  memcpy(&bits, element, sizeof bits);
  clr_type_row(reading == CLR_READING_HALF ? CLRED_TYPE_HALF : CLRED_TYPE_BFLOAT16)
    ->widen[CLR_KIND_FLOAT](&bits, 1, value);
  return value;
}

// The arguments of the caller's lift on the host, for one position.
struct own_values {
  cl_float given[CLR_INPUTS_MAX + 1];
  const void *inputs[CLR_INPUTS_MAX], *element;
};

static void take_own(const struct clr_values *values, cl_ulong index, struct own_values *own) {
  const struct clr_operation *operation = values->operation;
  const struct clr_custom *custom = operation->custom;
  size_t at = (size_t)(index * values->stride);
  for (size_t i = 0; i < custom->input_count; i++)
    own->inputs[i] =
      as_given(custom->inputs[i].reading, (const unsigned char *)values->inputs[i] + at * operation->input_sizes[i],
               &own->given[i]);
  own->element = as_given(custom->reading, (const unsigned char *)values->elements + at * operation->element.size,
                          &own->given[CLR_INPUTS_MAX]);
}

static void lift_own(const struct clr_values *values, cl_ulong index, void *state) {
  const clred_host_operator *host = own(values->operation);
  struct own_values at;
  take_own(values, index, &at);
  host->lift(at.element, values->first + index, at.inputs, values->parameters, state, host->user_data);
}

bool clr_keeps(const struct clr_values *values, cl_ulong index) {
  const struct clr_custom *custom = values->operation->custom;
  struct own_values at;
  take_own(values, index, &at);
  return custom->keep(at.element, index, at.inputs, values->parameters, custom->keep_data) != 0;
}

// A component's state has members of one size. The state of a vector has, for each member, a vector with one value for
// each component.
static void component_put(const struct clr_operation *operation, unsigned i, const union clr_room *part, void *state) {
  const size_t size = operation->host->state_sizes[0];
  for (size_t j = 0; j < operation->host->state_part_count; j++)
    memcpy((unsigned char *)state + (j * operation->element.stride + i) * size, part->bytes + j * size, size);
}

static void component_take(const struct clr_operation *operation, unsigned i, const void *state, union clr_room *part) {
  const size_t size = operation->host->state_sizes[0];
  for (size_t j = 0; j < operation->host->state_part_count; j++)
    memcpy(part->bytes + j * size, (const unsigned char *)state + (j * operation->element.stride + i) * size, size);
}

static void lift_form(const struct clr_values *values, cl_ulong index, void *state) {
  const struct clr_operation *operation = values->operation;
  const struct clr_element *element = &operation->element;
  size_t at = (size_t)(index * values->stride) * element->size;
  size_t value_size = clr_type_row(clr_kind_type(operation->kind))->size;
  cl_double x[16], y[16];
  union clr_room part;
  struct clr_host_element given = {.index = values->first + index, .ignores_nan = operation->ignores_nan};
  element->row->widen[operation->kind]((const unsigned char *)values->elements + at, element->components, x);
  if (operation->input_count)
    element->row->widen[operation->kind]((const unsigned char *)values->inputs[0] + at, element->components, y);
  for (unsigned i = 0; i < element->components; i++) {
    given.x = (const unsigned char *)x + i * value_size;
    given.y = operation->input_count ? (const unsigned char *)y + i * value_size : given.x;
    if (element->components == 1) {
      operation->host->lift(&given, state);
    } else {
      operation->host->lift(&given, &part);
      component_put(operation, i, &part, state);
    }
  }
}

static void lift_parts(const struct clr_values *values, cl_ulong index, void *state) {
  const struct clr_op_list *several = values->operation->several;
  struct clr_values own = *values;
  union clr_room part;
  for (size_t i = 0; i < several->state_count; i++) {
    own.operation = several->states[i].owner;
    lift_form(&own, index, &part);
    clr_part_put(&several->states[i], &part, state);
  }
}

void clr_state_identity(const struct clr_operation *operation, void *state) {
  if (operation->custom)
    own(operation)->identity(state, own(operation)->user_data);
  else if (operation->several)
    parts_identity(operation->several, state);
  else if (operation->element.components == 1)
    operation->host->identity(state);
  else
    for (unsigned i = 0; i < operation->element.components; i++) {
      union clr_room part;
      operation->host->identity(&part);
      component_put(operation, i, &part, state);
    }
}

void clr_state_combine(const struct clr_operation *operation, void *a, const void *b) {
  if (operation->custom)
    own(operation)->combine(a, b, own(operation)->user_data);
  else if (operation->several)
    parts_combine(operation->several, a, b);
  else if (operation->element.components == 1)
    operation->host->combine(a, b, 1);
  else
    for (unsigned i = 0; i < operation->element.components; i++) {
      union clr_room left, right;
      component_take(operation, i, a, &left);
      component_take(operation, i, b, &right);
      operation->host->combine(&left, &right, 1);
      component_put(operation, i, &left, a);
    }
}

static bool is_one_form(const struct clr_operation *operation) {
  return !operation->custom && !operation->several && operation->element.components == 1;
}

void clr_states_combine(const struct clr_operation *operation, void *a, const void *b, cl_ulong count) {
  if (is_one_form(operation)) {
    operation->host->combine(a, b, count);
    return;
  }
  for (size_t i = 0; i < count; i++)
    clr_state_combine(operation, (unsigned char *)a + i * operation->state_size,
                      (const unsigned char *)b + i * operation->state_size);
}

bool clr_states_fold_pairs(const struct clr_operation *operation, void *states, cl_ulong count) {
  if (!is_one_form(operation))
    return false;
  operation->host->pairs(states, count);
  return true;
}

void clr_state_normal(const struct clr_operation *operation, void *state) {
  for (unsigned i = 0; operation->form && operation->form->normal && i < operation->element.components; i++) {
    union clr_room part;
    component_take(operation, i, state, &part);
    operation->host->normal(&part);
    component_put(operation, i, &part, state);
  }
}

static void lower_members(const struct clr_operation *operation, const void *state, void *result) {
  if (operation->custom)
    own(operation)->lower(state, result, own(operation)->user_data);
  else if (operation->several)
    parts_lower(operation->several, state, result);
  else if (operation->element.components == 1)
    operation->host->lower(state, 1, result, operation->ignores_nan);
  else
    for (unsigned i = 0; i < operation->element.components; i++) {
      union clr_room part;
      component_take(operation, i, state, &part);
      operation->host->lower(&part, 1, (unsigned char *)result + i * operation->host->result_size,
                             operation->ignores_nan);
    }
}

void clr_state_lower(const struct clr_operation *operation, const void *state, void *result) {
  memset(result, 0, operation->result_size);
  lower_members(operation, state, result);
  for (size_t i = 0; operation->padded && i < operation->result_size; i++)
    if (clr_is_padding(operation, i))
      ((unsigned char *)result)[i] = 0;
}

void clr_states_lower(const struct clr_operation *operation, const void *states, cl_ulong count, void *results) {
  if (is_one_form(operation)) {
    operation->host->lower(states, count, results, operation->ignores_nan);
    return;
  }
  for (size_t i = 0; i < count; i++)
    clr_state_lower(operation, (const unsigned char *)states + i * operation->state_size,
                    (unsigned char *)results + i * operation->result_size);
}

void *clr_state_at(const struct clr_states *states, cl_ulong index) {
  return states->bytes + index * states->operation->state_size;
}

void clr_lift(const struct clr_values *values, cl_ulong index, void *state) {
  if (values->operation->custom)
    lift_own(values, index, state);
  else if (values->operation->several)
    lift_parts(values, index, state);
  else
    lift_form(values, index, state);
}

void clr_combine(const struct clr_states *states, cl_ulong into, cl_ulong from) {
  clr_state_combine(states->operation, clr_state_at(states, into), clr_state_at(states, from));
}

struct clr_states clr_states_make(const struct clr_operation *operation, cl_ulong count) {
  bool fits = count <= SIZE_MAX / operation->state_size;
  return (struct clr_states){
    .operation = operation, .bytes = fits ? malloc((size_t)count * operation->state_size) : NULL, .count = count};
}

cl_int clr_states_lift(const struct clr_values *values, struct clr_states *states) {
  *states = clr_states_make(values->operation, values->count);
  for (cl_ulong i = 0; i < values->count && states->bytes; i++)
    clr_lift(values, i, clr_state_at(states, i));
  return states->bytes ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void clr_states_release(struct clr_states *states) {
  free(states->bytes);
  states->bytes = NULL;
}

bool clr_same_parts(const struct clr_operation *operation, const unsigned char *a, const unsigned char *b) {
  for (size_t i = 0; i < operation->part_count; i++) {
    struct clr_element element;
    size_t offset = operation->parts[i].offset;
    clr_element_make(operation->parts[i].type, &element);
    if (memcmp(a + offset, b + offset, element.size) != 0)
      return false;
  }
  return true;
}
