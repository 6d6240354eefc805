// Copies values to the bytes of little-endian machines and back.
#include "partial/portable.h"

#include <string.h>

bool clr_is_big_endian(void) {
  const cl_ushort one = 1;
  return *(const unsigned char *)&one == 0;
}

unsigned char clr_portable_order(bool is_opaque, bool is_big_endian) {
  if (!is_opaque)
    return CLR_ORDER_ANY;
  return is_big_endian ? CLR_ORDER_BIG : CLR_ORDER_LITTLE;
}

// --- Layouts ---

// A type of a caller's operator, by its name. The preamble is not parsed: it may hide from the library what a type is,
// for example by #if.
static void of_name(const char *type, size_t size, struct clr_layout *layout) {
  struct clr_element element;
  *layout = (struct clr_layout){.size = 0};
  bool is_understood =
    clr_element_make(clr_type_spelt(type), &element) && clr_layout_add(layout, element.row, element.components, "");
  clr_layout_resolve(layout, is_understood, size);
}

void clr_portable_source(const struct clr_operation *operation, size_t index, struct clr_layout *layout) {
  const struct clr_custom *custom = operation->custom;
  if (!custom)
    clr_layout_element(operation, layout);
  else if (index)
    of_name(custom->inputs[index - 1].type, operation->input_sizes[index - 1], layout);
  else
    of_name(custom->element, operation->element.size, layout);
}

void clr_portable_parameter(const struct clr_operation *operation, size_t index, struct clr_layout *layout) {
  of_name(operation->custom->parameters[index].type, operation->parameter_sizes[index], layout);
}

void clr_portable_state(const struct clr_operation *operation, struct clr_layout *layout) {
  if (operation->custom && operation->custom->state.type)
    of_name(operation->custom->state.type, operation->state_size, layout);
  else
    clr_layout_state(operation, layout);
}

bool clr_portable_is_opaque(const struct clr_operation *operation) {
  struct clr_layout layout;
  clr_portable_state(operation, &layout);
  bool is_opaque = layout.is_opaque;
  for (size_t i = 0; i <= operation->input_count && !is_opaque; i++) {
    clr_portable_source(operation, i, &layout);
    is_opaque = layout.is_opaque;
  }
  for (size_t i = 0; i < operation->parameter_count && !is_opaque; i++) {
    clr_portable_parameter(operation, i, &layout);
    is_opaque = layout.is_opaque;
  }
  return is_opaque;
}

// --- Values ---

// Layouts have no runs of complex numbers: those are runs of both parts.
static size_t number_size(const struct clr_run *run) {
  return clr_type_row(run->type)->size;
}

static void copy_numbers(const unsigned char *from, size_t bytes, size_t size, bool swaps, unsigned char *to) {
  if (!swaps || size == 1) {
    memcpy(to, from, bytes);
    return;
  }
  for (size_t at = 0; at < bytes; at += size)
    for (size_t i = 0; i < size; i++)
      to[at + i] = from[at + size - 1 - i];
}

void clr_portable_copy(const struct clr_layout *layout, const void *from, cl_ulong count, bool is_big_endian,
                       void *to) {
  const struct clr_run *only = &layout->runs[0];
  const size_t all = (size_t)count * layout->size;
  // Values without padding are a row of numbers.
  if (layout->run_count == 1 && only->count * number_size(only) == layout->size) {
    copy_numbers(from, all, number_size(only), is_big_endian, to);
    return;
  }
  memset(to, 0, all);
  for (size_t at = 0; at < all; at += layout->size)
    for (size_t i = 0; i < layout->run_count; i++) {
      const struct clr_run *run = &layout->runs[i];
      copy_numbers((const unsigned char *)from + at + run->offset, run->count * number_size(run), number_size(run),
                   is_big_endian, (unsigned char *)to + at + run->offset);
    }
}
