// Tables as the caller sees them.
#include <stdio.h>
#include <string.h>

#include "call/segments_call.h"
#include "runtime/runtime.h"

#define TEXT_NOW(x) #x
#define TEXT(x) TEXT_NOW(x)

const char *clred_version(void) {
  return TEXT(CLRED_VERSION_MAJOR) "." TEXT(CLRED_VERSION_MINOR) "." TEXT(CLRED_VERSION_PATCH);
}

// The parts of a complex number and the components of a vector are types of the table.
static clred_type component_of(const struct clr_element *element) {
  return element->row->reading == CLR_READING_COMPLEX ? element->row->wide : element->row->id;
}

// OpenCL's and NumPy's names of rows are constants; a vector's name is one of these.
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

static cl_int describe_type(clred_type type, clred_type_info *info) {
  struct clr_element element;
  if (!info || !clr_element_make(type, &element))
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

cl_int clred_type_at(size_t index, clred_type_info *info) {
  const struct clr_type *row = clr_type_at(index);
  return row ? describe_type(row->id, info) : CLRED_INVALID_ARGUMENT;
}

cl_int clred_type_describe(clred_type type, clred_type_info *info) {
  return describe_type(type, info);
}

clred_type clred_type_from_name(const char *name) {
  return name ? clr_type_named(name) : CLRED_TYPE_NONE;
}

static cl_int describe_op(const struct clr_op *row, clred_op_info *info) {
  if (!row || !info)
    return CLRED_INVALID_ARGUMENT;
  // What is said of an operator holds for all its forms; those over integers are there for all of them.
  const struct clr_form *form = clr_form_for(row->id, CLR_SIGNED, false);
  *info = (clred_op_info){
    .op = row->id,
    .name = row->name,
    .synonym = row->synonym,
    .sentence = row->sentence,
    .integers_only = !clr_form_for(row->id, CLR_FLOATING, false),
    .commutative = form->commutes,
    .inputs = form->inputs,
    .has_identity = !strstr(form->identity, "_KEY"),
    .portable = form->portable,
  };
  return CL_SUCCESS;
}

cl_int clred_op_at(size_t index, clred_op_info *info) {
  return describe_op(clr_op_at(index), info);
}

cl_int clred_op_describe(clred_op op, clred_op_info *info) {
  return describe_op(clr_op_row(op), info);
}

clred_op clred_op_from_name(const char *name) {
  const struct clr_op *row;
  for (size_t i = 0; name && (row = clr_op_at(i)) != NULL; i++)
    if (strcmp(row->name, name) == 0 || strcmp(row->synonym, name) == 0)
      return row->id;
  return CLRED_OP_NONE;
}

cl_int clred_result_type(clred_op op, clred_type type, clred_type *result) {
  struct clr_operation operation;
  struct clr_status status = {0};
  struct clr_element element;
  if (!result || !clr_op_row(op) || !clr_element_make(type, &element))
    return CLRED_INVALID_ARGUMENT;
  cl_int err = clr_operation_make(&(struct clr_choice){.op = op, .type = type}, &operation, &status);
  if (!err)
    *result = operation.result_type;
  return err;
}

cl_int clred_strategy_at(size_t index, clred_strategy_info *info) {
  const struct clr_strategy *row = clr_strategy_at(index);
  const struct clr_shape shape = {.group_size = 2, .groups_max = 1, .state_size = 4, .finish = CLR_FINISH_RELAUNCH};
  bool bounded = true;
  size_t count = 0;
  if (!row || !info)
    return CLRED_INVALID_ARGUMENT;
  if (row->scratch && row->finish != CLR_FINISH_ATOMIC)
    row->scratch(&shape, 0, &bounded);
  *info = (clred_strategy_info){.name = row->name,
                                .sentence = row->sentence,
                                .scans = row->scans,
                                .counts = row->counts,
                                .fixed_order = row->fixed_order,
                                .layouts = row->layouts ? row->layouts : CLR_LAYOUT_LINES,
                                .needs_bound = !bounded};
  if (row->finishes)
    info->finishes[count++] = clr_finish_name(row->finish);
  for (int finish = 0; finish < CLR_FINISHES; finish++)
    if ((row->finishes & CLR_FINISH_BIT(finish)) && finish != (int)row->finish)
      info->finishes[count++] = clr_finish_name((enum clr_finish)finish);
  return CL_SUCCESS;
}

static void give_reason(const struct clr_status *status, char *reason, size_t size) {
  if (!reason || !size)
    return;
  size_t length = strlen(status->sentence);
  length = length < size ? length : size - 1;
  memcpy(reason, status->sentence, length);
  reason[length] = 0;
}

cl_int clred_strategy_applies(clred_runtime *runtime, const char *strategy, const clred_problem *problem, char *reason,
                              size_t size) {
  struct clr_problem asked = {.custom = NULL};
  struct clr_shape shape;
  struct clr_status status = {0};
  give_reason(&status, reason, size);
  if (!runtime || !strategy || !problem)
    return CLRED_INVALID_ARGUMENT;
  const struct clr_strategy *row = clr_strategy_named(strategy);
  cl_int err = clr_problem_make(problem, &asked, &status);
  if (!err && !row)
    err = clr_fail(&status, CLRED_UNKNOWN_NAME, "strategy: there is none named '%.60s'", strategy);
  if (!err && (!asked.operation.state_size || !asked.operation.element.size))
    err =
      clr_fail(&status, CLRED_INVALID_PROBLEM, "custom: element_size and state_size are needed where nothing is built");
  if (!err)
    snprintf(asked.strategy, sizeof asked.strategy, "%s", row->name);
  if (!err)
    err = clr_segments_check_bound(&asked, &runtime->facts, &status);
  if (!err)
    err = clr_strategy_fit(row, &runtime->facts, &asked, &shape, &status);
  clr_problem_release(&asked);
  give_reason(&status, reason, size);
  return err;
}
