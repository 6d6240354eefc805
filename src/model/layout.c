// Lists of members: parses a caller's lists, and computes the layout of elements, inputs, states and results.
#include "model/layout.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/identifiers.h"

// --- A caller's lists ---

static const char blanks[] = " \t\r\n";

static cl_int complain(const char *name, const char *what, const char *at, struct clr_status *status) {
  size_t length = strcspn(at, ";}");
  return clr_fail_operator(
    status, name, "%s: '%.*s' should be a scalar type and a name of its own, as in { float value; ulong index; }", what,
    (int)(length < 60 ? length : 60), at);
}

// Reads one member "type name" of this length. `name` is allocated, with enough bytes for the name. If the member is
// valid, it owns this memory; otherwise the memory is freed.
static bool parse_member(const char *at, size_t length, char *name, clred_part *member, struct clr_element *element) {
  char type[16] = "";
  size_t letters = strcspn(at, blanks);
  if (letters < sizeof type && letters < length) {
    memcpy(type, at, letters);
    memcpy(name, at + letters, length - letters);
    name[length - letters] = 0;
    clr_trim(name);
    *member = (clred_part){.name = name, .type = clr_type_spelt(type)};
    if (member->type && clr_element_make(member->type, element) && element->components == 1 &&
        element->row->reading == CLR_READING_PLAIN && strcmp(element->row->name, type) == 0 && clr_is_identifier(name))
      return true;
  }
  free(name);
  *member = (clred_part){0};
  return false;
}

static bool has_member(const struct clr_shape_of_type *type, const char *name) {
  for (size_t i = 0; i < type->member_count; i++)
    if (strcmp(type->members[i].name, name) == 0)
      return true;
  return false;
}

// Sets the offsets of C and OpenCL C: each member is aligned to its size, the struct's size to the largest member.
static void lay_out(struct clr_shape_of_type *type, size_t *align, const struct clr_element *element) {
  clred_part *member = &type->members[type->member_count++];
  member->offset = clr_round_up(type->size, element->size);
  type->size = member->offset + element->size;
  *align = element->size > *align ? element->size : *align;
}

cl_int clr_members_parse(const char *name, const char *what, struct clr_shape_of_type *type,
                         struct clr_status *status) {
  size_t align = 1;
  const char *at = strchr(type->type, '{') + 1;
  for (at += strspn(at, blanks); *at && *at != '}'; at += strspn(at, blanks)) {
    struct clr_element element;
    size_t length = strcspn(at, ";}");
    if (type->member_count == CLR_MEMBERS_MAX)
      return clr_fail_operator(status, name, "%s: a list has at most %d members", what, CLR_MEMBERS_MAX);
    if (at[length] != ';')
      return clr_fail_operator(status, name, "%s: a ';' is missing after '%.*s'", what,
                               (int)(length < 60 ? length : 60), at);
    char *room = malloc(length + 1);
    if (!room)
      return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying an operator");
    if (!parse_member(at, length, room, &type->members[type->member_count], &element) ||
        has_member(type, type->members[type->member_count].name))
      return complain(name, what, at, status);
    lay_out(type, &align, &element);
    at += length + 1;
  }
  if (*at != '}' || at[1 + strspn(at + 1, blanks)] || !type->member_count)
    return complain(name, what, type->type, status);
  type->size = clr_round_up(type->size, align);
  free(type->type);
  type->type = NULL;
  return CL_SUCCESS;
}

void clr_members_release(struct clr_shape_of_type *type) {
  // We allocated the names ourselves; only their users see them as const.
  for (size_t i = 0; i < CLR_MEMBERS_MAX; i++) {
    union {
      const char *read;
      char *owned;
    } name = {type->members[i].name};
    free(name.owned);
  }
}

// --- Layouts ---

unsigned clr_layout_scalars(const struct clr_layout *layout) {
  unsigned scalars = 0;
  for (size_t i = 0; i < layout->run_count; i++)
    scalars += layout->runs[i].count;
  return scalars;
}

void clr_layout_resolve(struct clr_layout *layout, bool is_understood, size_t size) {
  if (is_understood && clr_layout_end(layout) == size) {
    layout->size = size;
    return;
  }
  *layout = (struct clr_layout){.run_count = 1, .size = size, .align = 1, .is_opaque = true};
  layout->runs[0] = (struct clr_run){.type = CLRED_TYPE_UCHAR, .count = (unsigned)size};
}

static void declared(const struct clr_operation *operation, const char *type, size_t size, struct clr_layout *layout) {
  const char *preamble = operation->custom->preamble;
  clr_layout_resolve(layout, clr_layout_declared(type, preamble ? preamble : "", layout), size);
}

// Lays out members, or a single value. `sizes` has the bytes of members that may be arrays; NULL: there are none.
static void of_parts(const clred_part *parts, const size_t *sizes, size_t count, size_t size,
                     struct clr_layout *layout) {
  bool is_understood = true;
  *layout = (struct clr_layout){.size = 0};
  for (size_t i = 0; i < count && is_understood; i++) {
    struct clr_element element;
    is_understood = clr_element_make(parts[i].type, &element) &&
                    (sizes && sizes[i] > element.size
                       ? clr_layout_add_array(layout, element.row, (unsigned)(sizes[i] / element.size), parts[i].name)
                       : clr_layout_add(layout, element.row, element.components, parts[i].name));
  }
  clr_layout_resolve(layout, is_understood, size);
}

static void own(const struct clr_operation *operation, const struct clr_shape_of_type *type, size_t size,
                struct clr_layout *layout) {
  *layout = (struct clr_layout){.size = 0};
  if (type->member_count)
    of_parts(type->members, NULL, type->member_count, size, layout);
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
  clr_layout_resolve(layout, clr_layout_add(layout, component, is_complex ? 2 : element->components, ""),
                     element->size);
}

void clr_layout_input(const struct clr_operation *operation, size_t index, struct clr_layout *layout) {
  *layout = (struct clr_layout){.size = 0};
  if (operation->custom)
    declared(operation, operation->custom->inputs[index].type, operation->input_sizes[index], layout);
  else if (operation->weights && index + 1 == operation->input_count)
    clr_layout_element(operation->weights, layout);
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
  const struct clr_host_form *host = operation->host;
  clred_part vectors[CLR_PARTS_MAX];
  for (size_t i = 0; i < host->state_part_count; i++) {
    vectors[i] = host->state_parts[i];
    vectors[i].type = CLRED_VECTOR(vectors[i].type, operation->element.components);
  }
  if (operation->element.components > 1)
    of_parts(vectors, NULL, host->state_part_count, operation->state_size, layout);
  else
    of_parts(host->state_parts, host->state_sizes, host->state_part_count, operation->state_size, layout);
}

void clr_layout_result(const struct clr_operation *operation, struct clr_layout *layout) {
  if (operation->custom)
    own(operation, &operation->custom->result, operation->result_size, layout);
  else
    of_parts(operation->parts, NULL, operation->part_count, operation->result_size, layout);
}

// True if it is certain which bytes of a result are padding, so that they may be cleared. False for vectors, which use
// all bytes, and for selections, which copy elements as they are. Also false if the preamble contains #if: the compiler
// may see another struct than we do.
static bool is_certain(const struct clr_operation *operation) {
  const struct clr_custom *custom = operation->custom;
  if (!custom)
    return operation->element.components == 1;
  return !custom->keeping.keeps &&
         (custom->result.member_count || !custom->preamble || !strstr(custom->preamble, "#if"));
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

// --- Built-in operators ---

// Results of vectors are vectors; three components occupy the space of four.
void clr_layout_results(struct clr_operation *operation) {
  const struct clr_host_form *host = operation->host;
  unsigned components = operation->element.components;
  operation->state_size = host->state_size * operation->element.stride;
  operation->result_size = host->result_size * operation->element.stride;
  operation->part_count = host->part_count;
  size_t end = 0;
  for (size_t i = 0; i < host->part_count; i++) {
    // C's layout of a struct: each member is aligned to its size.
    size_t size = clr_type_row(host->parts[i].type)->size;
    operation->parts[i] = host->parts[i];
    operation->parts[i].offset = clr_round_up(end, size);
    end = operation->parts[i].offset + size;
  }
  if (components > 1)
    operation->parts[0].type = CLRED_VECTOR(operation->parts[0].type, components);
  operation->result_type = host->part_count == 1 ? operation->parts[0].type : CLRED_TYPE_NONE;
  if (operation->form->domain == CLR_DOMAIN_COMPLEX && operation->form->result_fields)
    operation->result_type = operation->element.row->id;
  clr_layout_pad(operation);
}
