// The product of the operators of a list, from their rows in operators.def.
#include "model/several.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "model/layout.h"

// --- The operators ---

static cl_int check_list(const clred_problem *given, struct clr_status *status) {
  if (given->op)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "op is given together with list; leave one of them out");
  if (!given->list)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "list is NULL, but list_count is %zu", given->list_count);
  if (given->list_count == 0)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "list: list_count is 0; give 1 to %d operators", CLRED_LIST_MAX);
  if (given->list_count > CLRED_LIST_MAX)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "list_count: %zu is above %d, the most operators of a list",
                    given->list_count, CLRED_LIST_MAX);
  if (given->scan)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "list: a scan computes one operator; set op, or leave scan out to reduce");
  return CL_SUCCESS;
}

static cl_int check_listed(const clred_problem *given, size_t index, const struct clr_operation *operation,
                           struct clr_status *status) {
  for (size_t i = 0; i < index; i++)
    if (given->list[i] == given->list[index])
      return clr_fail(status, CLRED_INVALID_PROBLEM, "list[%zu]: %s is already list[%zu]; give each operator once",
                      index, operation->name, i);
  if (operation->input_count)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "list[%zu]: %s reads a second input, and lists have only one; make a separate problem for it",
                    index, operation->name);
  if (operation->element.components > 1)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "list: elements of %s are vectors; a list takes scalars and complex numbers",
                    operation->element.name);
  return CL_SUCCESS;
}

static cl_int take_list(const clred_problem *given, struct clr_op_list *several, struct clr_status *status) {
  cl_int err = check_list(given, status);
  for (size_t i = 0; i < given->list_count && !err; i++) {
    const struct clr_choice choice = clr_choice_of(given, given->list[i]);
    struct clr_operation *operation = &several->listed[several->listed_count].operation;
    if (!clr_op_row(choice.op))
      return clr_fail(status, CLRED_INVALID_PROBLEM, "list[%zu]: %d is no operator of CLRED_OP_MAP", i, (int)choice.op);
    err = clr_operation_make(&choice, operation, status);
    if (!err)
      err = check_listed(given, i, operation, status);
    several->listed_count += !err;
  }
  return err;
}

// --- Their states ---

static bool same_state(const struct clr_operation *a, const struct clr_operation *b) {
  const struct clr_host_form *x = a->host, *y = b->host;
  bool same = strcmp(a->form->identity, b->form->identity) == 0 && strcmp(a->form->lift, b->form->lift) == 0 &&
              strcmp(a->form->combine, b->form->combine) == 0 && x->state_part_count == y->state_part_count;
  for (size_t i = 0; same && i < x->state_part_count; i++)
    same = x->state_parts[i].type == y->state_parts[i].type && x->state_sizes[i] == y->state_sizes[i] &&
           strcmp(x->state_parts[i].name, y->state_parts[i].name) == 0;
  return same;
}

// True if the row lowers the operator from the state of `other`.
static bool takes_from(const struct clr_derived *row, const clred_problem *given, const struct clr_operation *other) {
  const struct clr_choice choice = clr_choice_of(given, row->from);
  struct clr_operation source;
  struct clr_status ignored;
  return !clr_operation_make(&choice, &source, &ignored) && source.form->domain == row->from_domain &&
         source.form->mode == row->mode && same_state(&source, other);
}

// Finds the first row that lowers the operator from the state of another one of the list.
static void find_taken(const clred_problem *given, struct clr_op_list *several, size_t index) {
  struct clr_listed *listed = &several->listed[index];
  const struct clr_operation *operation = &listed->operation;
  for (const struct clr_derived *row = clr_derived_rows[operation->kind]; row->op && !listed->taken; row++) {
    bool fits =
      row->op == operation->form->op && row->domain == operation->form->domain && operation->form->mode == row->mode;
    for (size_t i = 0; fits && i < several->listed_count && !listed->taken; i++)
      if (i != index && takes_from(row, given, &several->listed[i].operation)) {
        listed->taken = row;
        listed->state = i;  // index of the operator, until settle_states replaces it by the index of the state
      }
  }
}

// Returns the index of the operator's state. Adds the state if no earlier operator has an equal one.
static size_t add_state(struct clr_op_list *several, const struct clr_operation *operation) {
  for (size_t i = 0; i < several->state_count; i++)
    if (same_state(several->states[i].owner, operation))
      return i;
  several->states[several->state_count].owner = operation;
  return several->state_count++;
}

static void settle_states(const clred_problem *given, struct clr_op_list *several) {
  for (size_t i = 0; i < several->listed_count; i++)
    find_taken(given, several, i);
  for (size_t i = 0; i < several->listed_count; i++) {
    struct clr_listed *listed = &several->listed[i];
    const size_t from = listed->taken ? listed->state : i;
    listed->state = add_state(several, &several->listed[from].operation);
  }
}

const char *clr_listed_lower(const struct clr_listed *listed) {
  return listed->taken ? listed->taken->lower : listed->operation.form->lower;
}

void clr_listed_lower_on_host(const struct clr_listed *listed, const void *state, void *result) {
  const struct clr_operation *operation = &listed->operation;
  if (listed->taken)
    listed->taken->host(state, result, operation->ignores_nan);
  else
    operation->host->lower(state, 1, result, operation->ignores_nan);
}

// --- The members of the product ---

// "argmin" and "index" become "argmin_index"; a single value has the name of its operator.
static void name_member(const char *op, const char *member, char *name, size_t size) {
  snprintf(name, size, *member ? "%s_%s" : "%s%s", op, member);
}

// The members of an operator's own state, at the offsets that C gives them. A single value that has the kind's type is
// spelled WIDE, because lanes may be narrower (clr_operation.narrows).
static void list_members(struct clr_kept_state *state) {
  const struct clr_operation *owner = state->owner;
  const struct clr_host_form *host = owner->host;
  size_t end = 0;
  for (size_t i = 0; i < host->state_part_count; i++) {
    const struct clr_type *type = clr_type_row(host->state_parts[i].type);
    const bool is_wide = type->id == clr_kind_type(owner->kind);
    struct clr_part_member *member = &state->members[state->member_count++];
    *member = (struct clr_part_member){.inside = clr_round_up(end, type->size),
                                       .size = host->state_sizes[i],
                                       .align = type->size,
                                       .name = host->state_parts[i].name};
    member->type = owner->form->state_fields ? owner->form->state_fields[i].type : is_wide ? "WIDE" : type->name;
    end = member->inside + member->size;
  }
}

static void add_state_member(struct clr_op_list *several, struct clr_kept_state *state, size_t index, size_t *end) {
  const struct clr_host_form *host = state->owner->host;
  struct clr_part_member *member = &state->members[index];
  const size_t at = several->host.state_part_count++;
  char *name = several->state_names[at];
  name_member(state->owner->name, member->name, name, sizeof several->state_names[at]);
  member->at = *end;
  member->whole = name;
  *end += member->size;
  several->state_parts[at] = (clred_part){.name = name, .type = host->state_parts[index].type, .offset = member->at};
  several->state_sizes[at] = member->size;
  several->state_fields[at] = (struct clr_field){member->type, name};
}

// Larger members first, so that no bytes are lost between them.
static void lay_out_state(struct clr_op_list *several) {
  size_t end = 0, largest = 0;
  for (size_t i = 0; i < several->state_count; i++)
    list_members(&several->states[i]);
  for (size_t size = sizeof(cl_ulong); size > 0; size /= 2)
    for (size_t i = 0; i < several->state_count; i++)
      for (size_t j = 0; j < several->states[i].member_count; j++)
        if (several->states[i].members[j].align == size) {
          largest = size > largest ? size : largest;
          add_state_member(several, &several->states[i], j, &end);
        }
  several->host.state_size = clr_round_up(end, largest);
}

static void lay_out_result(struct clr_op_list *several, struct clr_operation *operation) {
  size_t end = 0, largest = 0;
  for (size_t i = 0; i < several->listed_count; i++) {
    struct clr_listed *listed = &several->listed[i];
    for (size_t j = 0; j < listed->operation.part_count; j++) {
      const clred_part *part = &listed->operation.parts[j];
      const struct clr_type *type = clr_type_row(part->type);
      const size_t at = operation->part_count++;
      char *name = several->result_names[at];
      name_member(listed->operation.name, part->name, name, sizeof several->result_names[at]);
      listed->members[j] = (struct clr_part_member){
        part->offset, clr_round_up(end, type->size), type->size, type->size, part->name, name, type->name};
      operation->parts[at] = (clred_part){
        .name = name, .type = part->type, .offset = listed->members[j].at, .op = listed->operation.form->op};
      several->result_fields[at] = (struct clr_field){type->name, name};
      largest = type->size > largest ? type->size : largest;
      end = listed->members[j].at + type->size;
    }
  }
  operation->result_size = several->host.result_size = clr_round_up(end, largest);
}

// --- The product ---

static void make_form(struct clr_op_list *several) {
  const struct clr_form *first = several->listed[0].operation.form;
  bool uses_real = false;
  for (size_t i = 0; i < several->state_count; i++)
    uses_real |= several->states[i].owner->form->uses_real;
  several->form = (struct clr_form){.domain = first->domain,
                                    .inputs = 1,
                                    .state_fields = several->state_fields,
                                    .result_fields = several->result_fields,
                                    .commutes = true,
                                    .elementwise = true,
                                    .uses_real = uses_real,
                                    .atomic = ""};
  several->host.state_parts = several->state_parts;
  several->host.state_sizes = several->state_sizes;
}

static void make_product(struct clr_op_list *several, struct clr_operation *operation) {
  const struct clr_operation *first = &several->listed[0].operation;
  *operation = (struct clr_operation){.name = several->name,
                                      .form = &several->form,
                                      .host = &several->host,
                                      .several = several,
                                      .element = first->element,
                                      .kind = first->kind,
                                      .ignores_nan = first->ignores_nan,
                                      .commutes = true,
                                      .elementwise = true,
                                      .exact = true,
                                      .portable = true,
                                      .narrows = true,
                                      .input_sizes = {first->element.size}};
  for (size_t i = 0; i < several->listed_count; i++) {
    const struct clr_operation *other = &several->listed[i].operation;
    snprintf(several->name + strlen(several->name), sizeof several->name - strlen(several->name), "%s%s", i ? "," : "",
             other->name);
    operation->commutes &= other->commutes;
    operation->elementwise &= other->elementwise;
    operation->exact &= other->exact;
    operation->portable &= other->portable;
    operation->detects |= other->detects;
    operation->words = other->words ? other->words : operation->words;
    operation->needs_fp64 |= other->needs_fp64;
  }
  for (size_t i = 0; i < several->state_count; i++) {
    operation->moves |= several->states[i].owner->moves;
    operation->has_indices |= several->states[i].owner->has_indices;
    operation->narrows &= several->states[i].owner->narrows;
  }
}

static void make(const clred_problem *given, struct clr_op_list *several, struct clr_operation *operation) {
  settle_states(given, several);
  make_form(several);
  make_product(several, operation);
  lay_out_state(several);
  lay_out_result(several, operation);
  operation->state_size = several->host.state_size;
  clr_operation_resolve(operation);
  clr_layout_pad(operation);
}

cl_int clr_op_list_make(const clred_problem *given, struct clr_op_list **several, struct clr_operation *operation,
                        struct clr_status *status) {
  *several = calloc(1, sizeof **several);
  if (!*several)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying a list of operators");
  cl_int err = take_list(given, *several, status);
  if (err)
    return err;
  make(given, *several, operation);
  if (operation->state_size > CLR_STATE_SIZE_MAX)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "list: the exact states of %s have %zu bytes in all, more than %d; give fewer operators",
                    operation->name, operation->state_size, CLR_STATE_SIZE_MAX);
  return CL_SUCCESS;
}
