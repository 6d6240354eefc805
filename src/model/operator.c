// The tables of operators and of their forms, and operations: an operator over an element type, or the caller's.
#include "model/operator.h"

#include <string.h>

#include "model/layout.h"
#include "model/operators.def"
#include "model/shortcuts.def"

// --- The tables ---

#define OP_ROW(op, number, word, text) \
  [CLRED_OP_##op].id = CLRED_OP_##op, [CLRED_OP_##op].name = word, [CLRED_OP_##op].summary = text,
#define CHOICE_ROW(op, of_keys, of_values) [CLRED_OP_##op].choice = {#of_keys, #of_values},
#define ROWS_ROW(op, ...) [CLRED_OP_##op].row_fold = {true, __VA_ARGS__},
#define BINS_ROW(op, term, products, counts, squares) [CLRED_OP_##op].bins = {#term, products, counts, squares},
#define MOVE_ROW(op, text) [CLRED_OP_##op].move = #text,
#define NARROW_ROW(op, bytes) [CLRED_OP_##op].narrow_bytes = bytes,
const struct clr_op clr_ops[] = {CLRED_OP_MAP(OP_ROW) CLR_CHOICE_MAP(CHOICE_ROW) CLR_ROWS_MAP(ROWS_ROW)
                                   CLR_BINS_MAP(BINS_ROW) CLR_MOVE_MAP(MOVE_ROW) CLR_NARROW_MAP(NARROW_ROW)};
const size_t clr_op_count = sizeof clr_ops / sizeof *clr_ops;

#define CLR_YES true
#define CLR_NO false
#define CLR_SINGLE 1
#define CLR_PAIR 2
// The members of VALUE(type) or of FIELDS(list).
#define FIELD_ROW(type, name) {#type, #name},
#define FIELDS_VALUE(type) NULL
#define FIELDS_SCALED_FIELDS(list) FIELDS_FIELDS(list)
#define NORMAL_VALUE(type) NULL
#define NORMAL_FIELDS(list) NULL
#define NORMAL_SCALED_FIELDS(list) "NORMAL_" #list "(s)"
#define FIELDS_FIELDS(list) ((const struct clr_field[]){CLR_FIELDS_##list(FIELD_ROW){NULL, NULL}})
#define FORM_ROW(op, domain, mode, inputs, state, result, identity, lift, combine, lower, exact, commutes, \
                 elementwise, real, atomic, portable, has_identity, lowers_lanes) \
  {CLRED_OP_##op,      CLR_DOMAIN_##domain, \
   CLR_MODE_##mode,    CLR_##inputs, \
   FIELDS_##state,     FIELDS_##result, \
   #identity,          #lift, \
   #combine,           #lower, \
   NORMAL_##state,     CLR_EXACT_##exact, \
   CLR_##commutes,     CLR_##elementwise, \
   CLR_##real,         atomic, \
   CLR_##portable,     CLR_##has_identity, \
   CLR_##lowers_lanes, CLR_CUTS_##result},
const struct clr_form clr_forms[] = {CLR_FORM_MAP(FORM_ROW)};
const size_t clr_form_count = sizeof clr_forms / sizeof *clr_forms;

// The operators on the host: each kind has a file, host_char.c to host_double.c.
#define HOST_TABLES(id, type, ...) \
  extern const struct clr_host_form *const clr_forms_of_##type[]; \
  extern const struct clr_derived clr_taken_of_##type[];
CLR_KIND_MAP(HOST_TABLES, )

#define FORMS_OF(id, type, ...) [CLR_KIND_##id] = clr_forms_of_##type,
const struct clr_host_form *const *const clr_host_forms[CLR_KINDS] = {CLR_KIND_MAP(FORMS_OF, )};

#define TAKEN_OF(id, type, ...) [CLR_KIND_##id] = clr_taken_of_##type,
const struct clr_derived *const clr_derived_rows[CLR_KINDS] = {CLR_KIND_MAP(TAKEN_OF, )};

// --- Operations ---

const struct clr_op *clr_op_at(size_t index) {
  return index + 1 < clr_op_count ? &clr_ops[index + 1] : NULL;
}

const struct clr_op *clr_op_row(clred_op op) {
  return op > 0 && (size_t)op < clr_op_count ? &clr_ops[op] : NULL;
}

static bool narrows(const struct clr_operation *operation) {
  bool integers = operation->kind == CLR_KIND_LONG || operation->kind == CLR_KIND_ULONG;
  return !operation->detects && integers && operation->element.components <= 1 &&
         operation->element.size <= clr_ops[operation->form->op].narrow_bytes;
}

static bool serves(enum clr_domain domain, enum clr_class class) {
  static const unsigned classes[] = {
    [CLR_DOMAIN_ANY] = 1u << CLR_SIGNED | 1u << CLR_UNSIGNED | 1u << CLR_FLOATING,
    [CLR_DOMAIN_INTEGERS] = 1u << CLR_SIGNED | 1u << CLR_UNSIGNED,
    [CLR_DOMAIN_FLOATING] = 1u << CLR_FLOATING,
    [CLR_DOMAIN_COMPLEX] = 1u << CLR_COMPLEX,
  };
  return classes[domain] >> class & 1;
}

const struct clr_form *clr_form_for(clred_op op, enum clr_class class, enum clr_mode mode) {
  for (size_t i = 0; i < clr_form_count; i++)
    if (clr_forms[i].op == op && clr_forms[i].mode == mode && serves(clr_forms[i].domain, class))
      return &clr_forms[i];
  return NULL;
}

// Chooses the integers for arithmetic that are as wide as the caller wants results.
static cl_int choose_bits(const struct clr_choice *choice, const struct clr_element *element, enum clr_kind *kind,
                          struct clr_status *status) {
  const struct clr_type *row = element->row;
  const size_t sizes[] = {
    [CLRED_RESULT_OWN] = row->size, [CLRED_RESULT_32] = sizeof(cl_uint), [CLRED_RESULT_64] = sizeof(cl_ulong)};
  const size_t size = sizes[choice->result_bits];
  if (row->class != CLR_SIGNED && row->class != CLR_UNSIGNED)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "elements of %s: only results over integers can have another width",
                    element->name);
  if (choice->state != CLRED_TYPE_NONE)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "a width of results and a state are both given; leave one of them out");
  if (size < row->size)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "results of %zu bits are narrower than elements of %s, which have %zu; choose 64", 8 * size,
                    element->name, 8 * row->size);
  *kind = clr_kind_of_integer(row->class, size);
  return CL_SUCCESS;
}

// Chooses the kind for arithmetic: the table's, or another one that the caller asks for.
static cl_int choose_kind(const struct clr_choice *choice, const struct clr_element *element, enum clr_kind *kind,
                          struct clr_status *status) {
  *kind = clr_kind_of(element->row->wide);
  if (choice->result_bits)
    return choose_bits(choice, element, kind, status);
  if (choice->state != CLRED_TYPE_NONE && element->row->class == CLR_COMPLEX)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "state: elements of %s cannot have another state; leave state out",
                    element->name);
  if (choice->state == CLRED_TYPE_NONE || choice->state == element->row->wide)
    return CL_SUCCESS;
  if (choice->state != CLRED_TYPE_DOUBLE)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "state: %s does not work for %s; use double, or leave state out",
                    clr_type_row(choice->state) ? clr_type_row(choice->state)->name : "that type", element->name);
  *kind = CLR_KIND_DOUBLE;
  return CL_SUCCESS;
}

// For the order exact, the states of a form must not round.
static cl_int choose_exact(const struct clr_op *op, const struct clr_element *element, enum clr_class class,
                           enum clr_kind kind, const struct clr_form **form, struct clr_status *status) {
  const struct clr_form *exact = clr_form_for(op->id, class, CLR_MODE_EXACT);
  bool floating = kind == CLR_KIND_FLOAT || kind == CLR_KIND_DOUBLE;
  if ((*form)->exact == CLR_EXACT_ALL || ((*form)->exact == CLR_EXACT_INTEGERS && !floating))
    return CL_SUCCESS;
  if (!exact && clr_form_for(op->id, CLR_FLOATING, CLR_MODE_EXACT) && !floating)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "order: exact is not defined for %s of %s; compute it in double (state), or use order fixed",
                    op->name, element->name);
  if (!exact)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "order: exact is not defined for %s of %s; sums, squares, dot, means and variances have it. Use "
                    "order fixed",
                    op->name, element->name);
  *form = exact;
  return CL_SUCCESS;
}

static cl_int find_form(const struct clr_choice *choice, const struct clr_op *op, const struct clr_element *element,
                        enum clr_kind kind, const struct clr_form **form, struct clr_status *status) {
  // With a floating state, integers are treated as floating elements.
  bool integers = element->row->class == CLR_SIGNED || element->row->class == CLR_UNSIGNED;
  enum clr_class class = integers && kind == CLR_KIND_DOUBLE ? CLR_FLOATING : element->row->class;
  bool detects = choice->overflow == CLRED_OVERFLOW_DETECT;
  *form = clr_form_for(op->id, class, CLR_MODE_WRAP);
  if (!*form && clr_form_for(op->id, CLR_SIGNED, CLR_MODE_WRAP) && class == CLR_FLOATING)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "%s is defined for integers only, not for %s", op->name,
                    element->name);
  if (!*form)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "%s is not defined for %s", op->name, element->name);
  if (detects)
    *form = clr_form_for(op->id, class, CLR_MODE_DETECT);
  if (!*form)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "overflow: %s of %s%s cannot detect it; sum, prod, norm1, sumsq and dot of integers can", op->name,
                    element->name, integers && class == CLR_FLOATING ? " in double" : "");
  if (choice->exact) {
    cl_int err = choose_exact(op, element, class, kind, form, status);
    if (err)
      return err;
  }
  if (choice->result_bits && !(*form)->cuts)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "results of %s of %s have a fixed width; leave the choice of a width out", op->name, element->name);
  if (element->components > 1 && detects)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "overflow: it cannot be detected for vectors such as %s; leave overflow out", element->name);
  if (element->components > 1 && !(*form)->lowers_lanes)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "%s is not defined for vectors such as %s%s", op->name, element->name,
                    (*form)->mode == CLR_MODE_EXACT ? " in the order exact" : "");
  return CL_SUCCESS;
}

static enum clr_lanes_form lanes_form(const struct clr_operation *operation) {
  bool has_fields =
    operation->custom ? operation->custom->state.member_count > 0 : operation->form->state_fields != NULL;
  if (!operation->elementwise || operation->element.components > 1)
    return CLR_LANES_ARRAY;
  return has_fields ? CLR_LANES_FIELDS : CLR_LANES_VECTOR;
}

static bool lowers_lanes(const struct clr_operation *operation) {
  const struct clr_custom *custom = operation->custom;
  if (operation->lanes_form == CLR_LANES_ARRAY)
    return false;
  if (custom)
    return operation->lanes_form == CLR_LANES_VECTOR && !custom->lower && custom->result.scalar &&
           custom->result.scalar == custom->state.scalar;
  return operation->form->lowers_lanes;
}

// If NaNs are ignored, there are no shortcuts: lanes have different counts, a state without an index may have the best
// key, and bins would need a test for each element.
static void find_shortcuts(struct clr_operation *operation) {
  const struct clr_op *op = &clr_ops[operation->form->op];
  const bool all_count = !operation->ignores_nan, has_fields = operation->lanes_form == CLR_LANES_FIELDS;
  const bool is_floating = clr_kind_real(operation->kind) == operation->kind;
  if (all_count && has_fields && op->choice.keys)
    operation->choice = &op->choice;
  const struct clr_row_fold *fold = &op->row_fold;
  const bool folds = fold->product ? operation->form->normal != NULL
                                   : fold->folds && all_count && (is_floating || !fold->mean) &&
                                       operation->form->domain != CLR_DOMAIN_COMPLEX;
  if (has_fields && folds)
    operation->row_fold = fold;
  if (all_count && op->bins.term && operation->form->mode == CLR_MODE_EXACT &&
      operation->element.row->class == CLR_FLOATING)
    operation->bins = &op->bins;
  if (operation->form->mode == CLR_MODE_WRAP)
    operation->move = op->move;
}

void clr_operation_resolve(struct clr_operation *operation) {
  operation->lanes_form = lanes_form(operation);
  operation->lowers_lanes = lowers_lanes(operation);
  if (operation->form)
    find_shortcuts(operation);
}

cl_int clr_operation_make(const struct clr_choice *choice, struct clr_operation *operation, struct clr_status *status) {
  const struct clr_op *op = clr_op_row(choice->op);
  struct clr_element element;
  const struct clr_form *form = NULL;
  enum clr_kind kind;
  if (!op)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "op: %d is no operator of CLRED_OP_MAP", (int)choice->op);
  if (!clr_element_make(choice->type, &element))
    return clr_fail(status, CLRED_INVALID_PROBLEM, CLR_NO_TYPE, (int)choice->type);
  cl_int err = choose_kind(choice, &element, &kind, status);
  if (!err)
    err = find_form(choice, op, &element, kind, &form, status);
  if (err)
    return err;
  bool floating = kind == CLR_KIND_FLOAT || kind == CLR_KIND_DOUBLE;
  *operation = (struct clr_operation){
    .name = op->name,
    .form = form,
    .host = clr_host_forms[kind][form - clr_forms],
    .element = element,
    .kind = kind,
    .ignores_nan = choice->nan == CLRED_NAN_IGNORE,
    .commutes = form->commutes,
    .elementwise = form->elementwise,
    .exact = form->exact == CLR_EXACT_ALL || (form->exact == CLR_EXACT_INTEGERS && !floating),
    .portable = form->portable,
    .detects = form->mode == CLR_MODE_DETECT,
    .words = form->mode == CLR_MODE_EXACT                             ? "exact/words.clh"
             : form->domain == CLR_DOMAIN_INTEGERS && form->uses_real ? "exact/moments.clh"
                                                                      : NULL,
    .needs_fp64 = element.row->need == CLR_NEEDS_FP64 || kind == CLR_KIND_DOUBLE ||
                  (form->uses_real && clr_kind_real(kind) == CLR_KIND_DOUBLE),
    .input_count = form->inputs - 1,
    .input_sizes = {element.size},
  };
  operation->narrows = narrows(operation);
  clr_operation_resolve(operation);
  operation->moves = operation->move != NULL;
  // The order exact has no text that moves indices.
  operation->has_indices = operation->moves || (operation->form && clr_op_row(operation->form->op)->move);
  clr_layout_results(operation);
  return CL_SUCCESS;
}

void clr_operation_of_custom(const struct clr_custom *custom, struct clr_operation *operation) {
  *operation = (struct clr_operation){
    .name = custom->name,
    .custom = custom,
    .element = {.components = 1, .stride = 1, .size = custom->element_size},
    .commutes = custom->commutative,
    .elementwise = custom->elementwise,
    .needs_fp64 = custom->needs_fp64,
    .portable = true,
    .state_size = custom->state.size,
    .result_size = custom->result.size,
    .input_count = custom->input_count,
    .parameter_count = custom->parameter_count,
    .result_type = custom->result.scalar,
  };
  strncpy(operation->element.name, custom->element, sizeof operation->element.name - 1);
  for (size_t i = 0; i < custom->input_count; i++)
    operation->input_sizes[i] = custom->inputs[i].size;
  for (size_t i = 0; i < custom->parameter_count; i++)
    operation->parameter_sizes[i] = custom->parameters[i].size;
  for (size_t i = 0; i < custom->result.member_count; i++)
    operation->parts[operation->part_count++] = custom->result.members[i];
  if (custom->result.scalar)
    operation->parts[operation->part_count++] = (clred_part){.name = "", .type = custom->result.scalar};
  clr_operation_resolve(operation);
}

cl_int clr_check_types(const struct clr_operation *operation, const struct clr_facts *facts,
                       struct clr_status *status) {
  if (!operation->custom && operation->element.row && !(facts->types >> operation->element.row->id & 1))
    return clr_fail(status, CLRED_TYPE_NOT_SUPPORTED, "this device computes elements of %s wrong (fact types)",
                    operation->element.row->name);
  if (!operation->needs_fp64 || facts->fp64)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_TYPE_NOT_SUPPORTED, "the device has no double, which %s of %s needs (fact fp64 is 0)",
                  operation->name, operation->element.name);
}

size_t clr_source_sizes(const struct clr_operation *operation, size_t *sizes) {
  sizes[0] = operation->element.size;
  memcpy(sizes + 1, operation->input_sizes, operation->input_count * sizeof *sizes);
  return 1 + operation->input_count;
}

size_t clr_largest_operand(const struct clr_operation *operation) {
  size_t size = operation->element.size;
  for (size_t i = 0; i < operation->input_count; i++)
    size = operation->input_sizes[i] > size ? operation->input_sizes[i] : size;
  return size;
}

size_t clr_operand_bytes(const struct clr_operation *operation) {
  size_t bytes = operation->element.size;
  for (size_t i = 0; i < operation->input_count; i++)
    bytes += operation->input_sizes[i];
  return bytes;
}

const char *clr_operation_direct_atomic(const struct clr_operation *operation) {
  clred_type state = operation->part_count == 1 ? operation->parts[0].type : CLRED_TYPE_NONE;
  bool floating = state == CLRED_TYPE_FLOAT || state == CLRED_TYPE_DOUBLE;
  bool has = operation->form && *operation->form->atomic && !floating && operation->element.components == 1;
  return has ? operation->form->atomic : NULL;
}
