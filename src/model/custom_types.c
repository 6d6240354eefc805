// Looks up the types that a caller's operator names.
#include "model/custom_types.h"

#include <string.h>

enum clr_reading clr_custom_reading(const char *type) {
  struct clr_element element;
  clred_type known = clr_type_spelt(type);
  if (!known || !clr_element_make(known, &element) || element.components > 1 ||
      element.row->reading == CLR_READING_COMPLEX || strcmp(element.row->name, type) != 0)
    return CLR_READING_STRUCT;
  return element.row->reading;
}

bool clr_custom_is_storage(enum clr_reading reading) {
  return reading == CLR_READING_HALF || reading == CLR_READING_BFLOAT16;
}

size_t clr_custom_size(const char *type) {
  struct clr_element element;
  clred_type known = clr_type_spelt(type);
  return known && clr_element_make(known, &element) && strcmp(element.name, type) == 0 ? element.size : 0;
}

static bool is_of_doubles(const char *type) {
  struct clr_element element;
  clred_type known = type ? clr_type_spelt(type) : CLRED_TYPE_NONE;
  return known && clr_element_make(known, &element) && element.row->need == CLR_NEEDS_FP64;
}

static bool shape_needs_fp64(const struct clr_shape_of_type *shape) {
  for (size_t i = 0; i < shape->member_count; i++)
    if (shape->members[i].type == CLRED_TYPE_DOUBLE)
      return true;
  return is_of_doubles(shape->type);
}

bool clr_custom_needs_fp64(const struct clr_custom *custom) {
  bool needs = is_of_doubles(custom->element) || shape_needs_fp64(&custom->state) || shape_needs_fp64(&custom->result);
  for (size_t i = 0; i < custom->input_count; i++)
    needs |= is_of_doubles(custom->inputs[i].type);
  for (size_t i = 0; i < custom->parameter_count; i++)
    needs |= is_of_doubles(custom->parameters[i].type);
  return needs;
}

cl_int clr_custom_check_elementwise(const struct clr_custom *custom, struct clr_status *status) {
  struct clr_element element;
  bool scalar_state =
    custom->state.fields || (custom->state.scalar && clr_element_make(custom->state.scalar, &element) &&
                             element.components == 1 && element.row->reading == CLR_READING_PLAIN);
  if (!custom->elementwise)
    return CL_SUCCESS;
  if (!scalar_state)
    return clr_fail_operator(status, custom->name,
                             "elementwise needs a state that is a scalar or a list in braces, not %.60s",
                             custom->state.type);
  if (custom->reading == CLR_READING_STRUCT)
    return clr_fail_operator(status, custom->name, "elementwise needs elements that are scalars, not %.60s",
                             custom->element);
  for (size_t i = 0; i < custom->input_count; i++)
    if (custom->inputs[i].reading == CLR_READING_STRUCT)
      return clr_fail_operator(status, custom->name, "elementwise needs inputs that are scalars, not %.60s",
                               custom->inputs[i].type);
  return CL_SUCCESS;
}
