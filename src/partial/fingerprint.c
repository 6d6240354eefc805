// The fingerprint of a problem: partials join only if their problems are the same.
#include "partial/partial.h"

#include <stdio.h>
#include <string.h>

#include "base/checksum.h"
#include "partial/portable.h"

// Increases whenever the library computes other bits for the same problem (docs/numerics.md, docs/order.md).
#define NUMERICS_VERSION 2

static void add_bytes(cl_ulong *hash, const void *bytes, size_t size) {
  *hash = clr_checksum(*hash, bytes, size);
}

static void add_number(cl_ulong *hash, cl_ulong number) {
  unsigned char bytes[sizeof number];
  for (size_t i = 0; i < sizeof number; i++)
    bytes[i] = (unsigned char)(number >> 8 * i);
  add_bytes(hash, bytes, sizeof bytes);
}

// NULL counts as "".
static void add_text(cl_ulong *hash, const char *text) {
  const size_t length = text ? strlen(text) : 0;
  add_number(hash, length);
  add_bytes(hash, text, length);
}

static void add_form(cl_ulong *hash, const struct clr_operation *operation) {
  const struct clr_form *form = operation->form;
  const char *const texts[] = {operation->name, form->identity, form->lift, form->combine, form->lower};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    add_text(hash, texts[i]);
  for (size_t i = 0; i < operation->part_count; i++)
    add_number(hash, (cl_ulong)operation->parts[i].type);
}

static void add_members(cl_ulong *hash, const struct clr_shape_of_type *type) {
  add_number(hash, type->member_count);
  for (size_t i = 0; i < type->member_count; i++)
    add_number(hash, (cl_ulong)type->members[i].type), add_text(hash, type->members[i].name);
}

static void add_custom(cl_ulong *hash, const struct clr_custom *custom) {
  const char *const texts[] = {custom->preamble, custom->identity,   custom->lift,       custom->combine,
                               custom->lower,    custom->state.type, custom->result.type};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    add_text(hash, texts[i]);
  for (size_t i = 0; i < custom->input_count; i++)
    add_text(hash, custom->inputs[i].type), add_text(hash, custom->inputs[i].name);
  for (size_t i = 0; i < custom->parameter_count; i++)
    add_text(hash, custom->parameters[i].type), add_text(hash, custom->parameters[i].name);
  add_members(hash, &custom->state);
  add_members(hash, &custom->result);
}

static void add_operator(cl_ulong *hash, const struct clr_operation *operation) {
  const struct clr_op_list *several = operation->several;
  if (operation->custom)
    add_custom(hash, operation->custom);
  for (size_t i = 0; several && i < several->listed_count; i++)
    add_form(hash, &several->listed[i].operation);
  if (!operation->custom && !several)
    add_form(hash, operation);
}

// The same on machines of both byte orders, unless the parameter is opaque.
static void add_parameter(cl_ulong *hash, const struct clr_operation *operation, size_t index, const void *value) {
  const size_t size = operation->parameter_sizes[index];
  unsigned char bytes[sizeof(cl_double16)];
  struct clr_layout layout;
  clr_portable_parameter(operation, index, &layout);
  if (!layout.is_opaque)
    clr_portable_copy(&layout, value, 1, clr_is_big_endian(), bytes);
  add_bytes(hash, layout.is_opaque ? value : bytes, size);
}

static cl_ulong fingerprint_of(const struct clr_operation *operation, const struct clr_shape *shape,
                               const void *const *parameters) {
  const cl_ulong numbers[] = {NUMERICS_VERSION,       shape->rows,
                              shape->lanes,           operation->element.size,
                              operation->state_size,  operation->result_size,
                              operation->ignores_nan, operation->commutes,
                              operation->exact,       operation->detects,
                              operation->input_count, operation->parameter_count};
  cl_ulong hash = CLR_CHECKSUM_BEGIN;
  add_text(&hash, "fixed/1");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    add_number(&hash, numbers[i]);
  add_text(&hash, operation->element.name);
  for (size_t i = 0; i < operation->input_count; i++)
    add_number(&hash, operation->input_sizes[i]);
  add_operator(&hash, operation);
  for (size_t i = 0; parameters && i < operation->parameter_count; i++)
    add_parameter(&hash, operation, i, parameters[i]);
  return hash;
}

cl_ulong clr_partial_fingerprint(const clred_plan *plan, const void *const *parameters) {
  return fingerprint_of(&plan->problem.operation, &plan->shape, parameters);
}

bool clr_partial_is_of_scan(const clred_partial *partial, const clred_plan *scan) {
  const struct clr_operation operation = clr_plan_nodes_operation(scan);
  return partial->fingerprint == fingerprint_of(&operation, &partial->plan->shape, partial->parameters);
}

void clr_partial_describe(const clred_plan *plan, char *text, size_t size) {
  const struct clr_operation *operation = &plan->problem.operation;
  snprintf(text, size, "%s of %s", operation->name, operation->element.name);
}
