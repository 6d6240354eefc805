// Copies rows of the tables of types and operators into the caller's structs.
#include "model/describe.h"

#include <string.h>

// Returns the type of a part of a complex number, of a component of a vector, or of the element itself.
static clred_type component_of(const struct clr_element *element) {
  return element->row->reading == CLR_READING_COMPLEX ? element->row->wide : element->row->id;
}

// The names of vector types must be constants, too, so each is listed here.
static const char *name_of(const struct clr_element *element) {
#define VECTORS(id, value, name, ...) {CLRED_TYPE_##id, {#name "2", #name "3", #name "4", #name "8", #name "16"}},
  static const struct {
    clred_type type;
    const char *names[5];
  } vectors[] = {CLRED_TYPE_MAP(VECTORS)};
#undef VECTORS
  static const unsigned widths[5] = {2, 3, 4, 8, 16};
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
    for (size_t j = 0; j < 5; j++)
      if (vectors[i].type == element->row->id && widths[j] == element->components)
        return vectors[i].names[j];
  return element->row->name;
}

cl_int clr_type_describe(clred_type type, clred_type_info *info) {
  struct clr_element element;
  if (!clr_element_make(type, &element))
    return CLRED_INVALID_ARGUMENT;
  *info = (clred_type_info){
    .type = type,
    .name = name_of(&element),
    .numpy_name = element.row->numpy_name,
    .size = element.size,
    .components = element.row->reading == CLR_READING_COMPLEX ? 2 : element.components,
    .component = component_of(&element),
    .floating = element.row->class == CLR_FLOATING || element.row->class == CLR_COMPLEX,
    .is_signed = element.row->class != CLR_UNSIGNED,
    .is_complex = element.row->class == CLR_COMPLEX,
    .needs_fp64 = element.row->need == CLR_NEEDS_FP64,
  };
  return CL_SUCCESS;
}

void clr_op_describe(const struct clr_op *row, clred_op_info *info) {
  // These properties are the same in all forms of an operator. Take the form over integers if there is one.
  const struct clr_form *form = clr_form_for(row->id, CLR_SIGNED, CLR_MODE_WRAP);
  *info = (clred_op_info){
    .op = row->id,
    .name = row->name,
    .summary = row->summary,
    .integers_only = !clr_form_for(row->id, CLR_FLOATING, CLR_MODE_WRAP),
    .commutative = form->commutes,
    .inputs = form->inputs,
    .has_identity = form->has_identity,
    .portable = form->portable,
  };
}

clred_op clr_op_named(const char *name) {
  const struct clr_op *row;
  for (size_t i = 0; (row = clr_op_at(i)) != NULL; i++)
    if (strcmp(row->name, name) == 0)
      return row->id;
  return CLRED_OP_NONE;
}

cl_int clr_result_type(clred_op op, clred_type type, clred_type *result) {
  struct clr_operation operation;
  struct clr_status status = {0};
  struct clr_element element;
  if (!clr_op_row(op) || !clr_element_make(type, &element))
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_operation_make(&(struct clr_choice){.op = op, .type = type}, &operation, &status);
  if (!err)
    *result = operation.result_type;
  return err;
}
