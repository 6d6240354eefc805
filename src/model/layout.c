// Computes the layout of elements, inputs, states and results.
#include "model/layout.h"

#include <stdio.h>
#include <string.h>

unsigned clr_layout_scalars(const struct clr_layout *layout) {
  unsigned scalars = 0;
  for (size_t i = 0; i < layout->run_count; i++)
    scalars += layout->runs[i].count;
  return scalars;
}

// Treats a type as an array of bytes if it could not be parsed, or if the device has another size.
static void settle(struct clr_layout *layout, bool is_understood, size_t size) {
  if (is_understood && clr_layout_end(layout) == size) {
    layout->size = size;
    return;
  }
  *layout = (struct clr_layout){.run_count = 1, .size = size, .align = 1, .is_opaque = true};
  layout->runs[0] = (struct clr_run){.type = CLRED_TYPE_UCHAR, .count = (unsigned)size};
}

static void declared(const struct clr_operation *operation, const char *type, size_t size, struct clr_layout *layout) {
  const char *preamble = operation->custom->preamble;
  settle(layout, clr_layout_declared(type, preamble ? preamble : "", layout), size);
}

static clred_type type_in(const struct clr_operation *operation, const char *type) {
  clred_type wide = clr_kind_type(operation->kind);
  if (strcmp(type, "WIDE") == 0)
    return wide;
  if (strcmp(type, "REAL") == 0)
    return clr_kind_type(clr_kind_real(operation->kind));
  if (strcmp(type, "KEY") == 0)
    return wide == CLRED_TYPE_FLOAT ? CLRED_TYPE_INT : wide == CLRED_TYPE_DOUBLE ? CLRED_TYPE_LONG : wide;
  return clr_type_spelt(type);
}

static bool add_fields(const struct clr_operation *operation, const char *fields, struct clr_layout *layout) {
  char type[16], name[24];
  for (; (fields = strchr(fields, '(')) != NULL; fields++) {
    const struct clr_type *row =
      sscanf(fields, "(%15[^,], %23[^)])", type, name) == 2 ? clr_type_row(type_in(operation, type)) : NULL;
    if (!row || !clr_layout_add(layout, row, 1, name))
      return false;
  }
  return true;
}

static void own(const struct clr_operation *operation, const struct clr_shape_of_type *type, size_t size,
                struct clr_layout *layout) {
  *layout = (struct clr_layout){.size = 0};
  if (type->fields)
    settle(layout, add_fields(operation, type->fields, layout), size);
  else
    declared(operation, type->type, size, layout);
}

void clr_layout_element(const struct clr_operation *operation, struct clr_layout *layout) {
  const struct clr_element *element = &operation->element;
  *layout = (struct clr_layout){.size = 0};
  if (operation->custom) {
    declared(operation, operation->custom->element, element->size, layout);
    return;
  }
  bool is_complex = element->row->reading == CLR_READING_COMPLEX;
  const struct clr_type *component = is_complex ? clr_type_row(element->row->wide) : element->row;
  settle(layout, clr_layout_add(layout, component, is_complex ? 2 : element->components, ""), element->size);
}

void clr_layout_input(const struct clr_operation *operation, size_t index, struct clr_layout *layout) {
  *layout = (struct clr_layout){.size = 0};
  if (operation->custom)
    declared(operation, operation->custom->inputs[index].type, operation->input_sizes[index], layout);
  else
    clr_layout_element(operation, layout);
}

void clr_layout_parameter(const struct clr_operation *operation, size_t index, struct clr_layout *layout) {
  *layout = (struct clr_layout){.size = 0};
  declared(operation, operation->custom->parameters[index].type, operation->parameter_sizes[index], layout);
}

void clr_layout_state(const struct clr_operation *operation, struct clr_layout *layout) {
  if (operation->custom) {
    own(operation, &operation->custom->state, operation->state_size, layout);
    return;
  }
  const struct clr_form *form = operation->form;
  *layout = (struct clr_layout){.size = 0};
  bool is_understood = form->state_fields ? add_fields(operation, form->state_fields, layout)
                                          : clr_layout_add(layout, clr_type_row(type_in(operation, form->state_type)),
                                                           operation->element.components, "");
  settle(layout, is_understood, operation->state_size);
}

void clr_layout_result(const struct clr_operation *operation, struct clr_layout *layout) {
  if (operation->custom) {
    own(operation, &operation->custom->result, operation->result_size, layout);
    return;
  }
  bool is_understood = true;
  *layout = (struct clr_layout){.size = 0};
  for (size_t i = 0; i < operation->part_count && is_understood; i++) {
    struct clr_element part;
    is_understood = clr_element_make(operation->parts[i].type, &part) &&
                    clr_layout_add(layout, part.row, part.components, operation->parts[i].name);
  }
  settle(layout, is_understood, operation->result_size);
}

// False if no byte may be cleared: results of vectors use all bytes, and a selection copies elements as they are. Or if
// the padding is uncertain: under #if the compiler may see another struct than we do.
static bool is_certain(const struct clr_operation *operation) {
  const struct clr_custom *custom = operation->custom;
  if (!custom)
    return operation->element.components == 1;
  return !custom->keeping.keeps && (custom->result.fields || !custom->preamble || !strstr(custom->preamble, "#if"));
}

static void mark(struct clr_operation *operation, size_t begin, size_t end, bool is_padding) {
  for (size_t at = begin; at < end; at++) {
    cl_ulong bit = (cl_ulong)1 << at % 64;
    operation->padding[at / 64] = is_padding ? operation->padding[at / 64] | bit : operation->padding[at / 64] & ~bit;
  }
}

void clr_layout_pad(struct clr_operation *operation) {
  struct clr_layout layout;
  if (!is_certain(operation))
    return;
  clr_layout_result(operation, &layout);
  mark(operation, 0, layout.size, true);
  for (size_t i = 0; i < layout.run_count; i++) {
    const struct clr_run *run = &layout.runs[i];
    mark(operation, run->offset, run->offset + run->count * clr_type_row(run->type)->size, false);
  }
  for (size_t i = 0; i < sizeof operation->padding / sizeof *operation->padding; i++)
    operation->padded |= operation->padding[i] != 0;
}
