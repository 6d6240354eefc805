// Checks a caller's problem and makes a clr_problem of it. Called when a plan is made.
#include "model/problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"

static cl_int copy_name(const char *what, const char *name, const char *none, char *to, size_t size,
                        struct clr_status *status) {
  *to = 0;
  if (!name || strcmp(name, none) == 0)
    return CL_SUCCESS;
  if (!*name || strlen(name) >= size)
    return clr_fail(status, CLRED_UNKNOWN_NAME, "%s: there is none named '%.60s'", what, name);
  memcpy(to, name, strlen(name) + 1);
  return CL_SUCCESS;
}

static cl_int make_custom(const clred_problem *given, struct clr_problem *problem, struct clr_status *status) {
  const char *beside = given->op ? "op" : given->type ? "type" : given->list || given->list_count ? "list" : NULL;
  if (beside)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "%s is given together with custom; leave it out", beside);
  if (given->state || given->nan || given->overflow || given->result_bits)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "%s is for built-in operators, not for custom",
                    given->state      ? "state"
                    : given->nan      ? "nan"
                    : given->overflow ? "overflow"
                                      : "result_bits");
  problem->custom = calloc(1, sizeof *problem->custom);
  if (!problem->custom)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying an operator");
  cl_int err = clr_custom_make(given->custom, problem->custom, status);
  if (!err)
    clr_operation_of_custom(problem->custom, &problem->operation);
  return err;
}

// Refuses fields that a problem of this kind, a selection or a histogram, does not use.
static cl_int refuse_others(const clred_problem *given, const char *kind, struct clr_status *status) {
  const struct {
    const char *name;
    bool is_given;
  } fields[] = {{"op", given->op != CLRED_OP_NONE},
                {"custom", given->custom != NULL},
                {"list", given->list || given->list_count},
                {"selection", given->selection && given->histogram},
                {"indices", given->indices && given->histogram},
                {"state", given->state != CLRED_TYPE_NONE},
                {"nan", given->nan != CLRED_NAN_PROPAGATE},
                {"overflow", given->overflow != CLRED_OVERFLOW_WRAP},
                {"result_bits", given->result_bits != CLRED_RESULT_DEFAULT},
                {"scan", given->scan != CLRED_SCAN_NONE},
                {"reversed", given->reversed != CL_FALSE},
                {"in_place", given->in_place != CL_FALSE}};
  for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
    if (fields[i].is_given)
      return clr_fail(status, CLRED_INVALID_PROBLEM, "%s is given together with %s; leave it out", fields[i].name,
                      kind);
  return CL_SUCCESS;
}

// --- A selection ---

static cl_int check_selection(const clred_problem *given, struct clr_status *status) {
  cl_int err = refuse_others(given, "selection", status);
  if (err)
    return err;
  if (given->layout != CLRED_LAYOUT_LINE && given->layout != CLRED_LAYOUT_STRIDED)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "layout: a selection reads one row; use LINE or STRIDED");
  if (!given->type && !given->selection->element)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "selection: the element type is missing; set type or the selection's element");
  return CL_SUCCESS;
}

// The results of a selection: the kept elements, or their positions.
static void describe_selection(const struct clr_custom *custom, struct clr_operation *operation) {
  struct clr_element element;
  clred_type type = custom->keeping.indices ? CLRED_TYPE_ULONG : clr_type_named(custom->element);
  operation->result_size = custom->keeping.indices ? sizeof(cl_ulong) : custom->element_size;
  operation->result_type = type && clr_element_make(type, &element) ? type : CLRED_TYPE_NONE;
  operation->part_count = 0;
  if (operation->result_type)
    operation->parts[operation->part_count++] = (clred_part){.name = "", .type = type};
}

static cl_int make_selection(const clred_problem *given, struct clr_keeping keeping, struct clr_problem *problem,
                             struct clr_status *status) {
  cl_int err = check_selection(given, status);
  if (err)
    return err;
  problem->custom = calloc(1, sizeof *problem->custom);
  if (!problem->custom)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying a selection");
  problem->selects = true;
  problem->scan = CLRED_SCAN_EXCLUSIVE;
  problem->outcome = CLR_OUTCOME_COUNT;
  keeping.keeps = true;
  keeping.wide = !given->count_max || given->count_max > CL_UINT_MAX;
  err = clr_custom_make_selection(given->selection, given->type, keeping, problem->custom, status);
  if (err)
    return err;
  clr_operation_of_custom(problem->custom, &problem->operation);
  describe_selection(problem->custom, &problem->operation);
  return CL_SUCCESS;
}

// --- A histogram ---

// An operation whose results are counts or sums of weights. Its inputs are the samples of further axes, and weights.
// Sums of weights are sums in the order exact.
static void describe_histogram(const struct clr_element *element, const struct clred_histogram *given,
                               const struct clr_operation *weights, struct clr_operation *operation) {
  const clred_type result = weights ? weights->result_type : CLRED_TYPE_ULONG;
  *operation = (struct clr_operation){
    .name = "histogram",
    .element = *element,
    .weights = weights,
    .commutes = true,
    .exact = true,
    .portable = true,
    .needs_fp64 = element->row->need == CLR_NEEDS_FP64,
    .state_size = sizeof(cl_uint),
    .result_size = weights ? weights->result_size : sizeof(cl_ulong),
    .result_type = result,
    .parts = {{.name = "", .type = result}},
    .part_count = 1,
  };
  for (given = given->next; given; given = given->next)
    operation->input_sizes[operation->input_count++] = element->size;
  if (weights)
    operation->input_sizes[operation->input_count++] = weights->element.size;
}

static cl_int make_weights(clred_type type, struct clr_problem *problem, struct clr_status *status) {
  const struct clr_choice sum = {.op = CLRED_OP_SUM, .type = type, .exact = true};
  struct clr_element element;
  if (!type)
    return CL_SUCCESS;
  if (!clr_element_make(type, &element) || element.components > 1 || element.row->class == CLR_COMPLEX)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "histogram: weight_type %d is no type from CHAR to BFLOAT16",
                    (int)type);
  problem->weights = calloc(1, sizeof *problem->weights);
  return problem->weights ? clr_operation_make(&sum, problem->weights, status)
                          : clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying a histogram");
}

static cl_int make_histogram(const clred_problem *given, struct clr_problem *problem, struct clr_status *status) {
  struct clr_element element;
  cl_int err = refuse_others(given, "histogram", status);
  if (err)
    return err;
  if (!clr_element_make(given->type, &element))
    return clr_fail(status, CLRED_INVALID_PROBLEM, CLR_NO_TYPE, (int)given->type);
  if (element.components > 1 || element.row->class == CLR_COMPLEX)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "histogram is not defined for %s, which has several components",
                    element.name);
  problem->histogram = calloc(1, sizeof *problem->histogram);
  if (!problem->histogram)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while copying a histogram");
  err = clr_histogram_make(given->histogram, element.row, problem->histogram, status);
  if (!err)
    err = make_weights(given->histogram->weight_type, problem, status);
  if (!err)
    describe_histogram(&element, given->histogram, problem->weights, &problem->operation);
  return err;
}

// --- Make a problem ---

static cl_int make_operation(const clred_problem *given, struct clr_keeping keeping, struct clr_problem *problem,
                             struct clr_status *status) {
  const struct clr_choice choice = clr_choice_of(given, given->op);
  if (given->histogram)
    return make_histogram(given, problem, status);
  if (given->selection)
    return make_selection(given, keeping, problem, status);
  if (given->indices)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "indices is for selections");
  if (given->custom && given->order == CLRED_ORDER_EXACT)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "order: exact is for built-in operators; for an operator of your own use order fixed");
  if (given->custom)
    return make_custom(given, problem, status);
  if (given->nan < CLRED_NAN_PROPAGATE || given->nan > CLRED_NAN_IGNORE)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "nan: %d is no value of clred_nan", (int)given->nan);
  if (given->overflow < CLRED_OVERFLOW_WRAP || given->overflow > CLRED_OVERFLOW_DETECT)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "overflow: %d is no value of clred_overflow", (int)given->overflow);
  if (given->result_bits < CLRED_RESULT_DEFAULT || given->result_bits > CLRED_RESULT_64)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "result_bits: %d is no value of clred_result_bits",
                    (int)given->result_bits);
  if (given->list || given->list_count)
    return clr_op_list_make(given, &problem->several, &problem->operation, status);
  return clr_operation_make(&choice, &problem->operation, status);
}

void clr_problem_release(struct clr_problem *problem) {
  if (problem->custom)
    clr_custom_release(problem->custom);
  if (problem->histogram)
    clr_histogram_release(problem->histogram);
  free(problem->custom);
  free(problem->histogram);
  free(problem->several);
  free(problem->weights);
  problem->custom = NULL;
  problem->histogram = NULL;
  problem->weights = NULL;
  problem->several = NULL;
}

static cl_int check_scan(const struct clr_problem *problem, struct clr_status *status) {
  const struct clr_operation *operation = &problem->operation;
  if (problem->scan < CLRED_SCAN_NONE || problem->scan > CLRED_SCAN_EXCLUSIVE)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "scan: %d is no value of clred_scan", (int)problem->scan);
  if (!problem->scan && (problem->reversed || problem->in_place))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "%s is for scans", problem->reversed ? "reversed" : "in_place");
  // A size of 0 means that only the device knows the size; clr_probe checks it then.
  if (problem->in_place && operation->result_size && operation->element.size &&
      operation->result_size != operation->element.size)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "in_place: results of %zu bytes do not fit elements of %zu bytes",
                    operation->result_size, operation->element.size);
  return CL_SUCCESS;
}

static bool are_offsets(const struct clr_type *type) {
  return type && (type->class == CLR_SIGNED || type->class == CLR_UNSIGNED) && type->size >= sizeof(cl_uint);
}

// Runs by flags or keys become offsets of type ulong. Offsets that the caller gives are checked on the device at each
// call.
static cl_int check_segments(const clred_problem *given, struct clr_problem *problem, struct clr_status *status) {
  const struct clr_type *type = clr_type_row(given->segment_type);
  struct clr_element element;
  const char *name = clr_element_make(given->segment_type, &element) ? element.name : "none";
  if (given->segment_type && problem->layout != CLRED_LAYOUT_SEGMENTS && problem->layout != CLRED_LAYOUT_KEYS)
    return clr_fail(status, CLRED_INVALID_PROBLEM,
                    "segment_type is for segments: layout CLRED_LAYOUT_SEGMENTS or CLRED_LAYOUT_KEYS");
  if (problem->layout < CLRED_LAYOUT_SEGMENTS)
    return CL_SUCCESS;
  if (problem->layout == CLRED_LAYOUT_SEGMENTS && !are_offsets(type))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "segment_type: offsets are uint, int, ulong or long, not %s", name);
  if (problem->layout == CLRED_LAYOUT_KEYS && (!type || type->reading != CLR_READING_PLAIN))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "segment_type: keys are integers, float or double, not %s", name);
  problem->key_type = problem->layout == CLRED_LAYOUT_KEYS ? type : NULL;
  problem->segment_type = problem->layout == CLRED_LAYOUT_SEGMENTS ? type : clr_type_row(CLRED_TYPE_ULONG);
  problem->outcome |= CLR_OUTCOME_COUNT | CLR_OUTCOME_FAULT;
  return CL_SUCCESS;
}

// Refuses numbers that no strategy accepts on any device.
static cl_int check_numbers(const struct clr_problem *problem, struct clr_status *status) {
  const cl_uint most_in_flight = 64;
  const cl_ulong most_groups = (cl_ulong)1 << 20;
  if (problem->in_flight > most_in_flight)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "in_flight: %u is above %u", problem->in_flight, most_in_flight);
  if (problem->groups > most_groups)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "groups: %llu is above %llu", (unsigned long long)problem->groups,
                    (unsigned long long)most_groups);
  if (problem->group_size & (problem->group_size - 1))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "group_size: %llu is not a power of two; give %llu",
                    (unsigned long long)problem->group_size, (unsigned long long)clr_pow2_floor(problem->group_size));
  if (problem->stop_at & (problem->stop_at - 1))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "stop_at: %llu is not a power of two; give 32, 64 or 128",
                    (unsigned long long)problem->stop_at);
  return CL_SUCCESS;
}

cl_int clr_problem_make(const clred_problem *given, struct clr_problem *problem, struct clr_status *status) {
  return clr_problem_make_keeping(given, (struct clr_keeping){.indices = given->indices != CL_FALSE}, problem, status);
}

cl_int clr_problem_make_keeping(const clred_problem *given, struct clr_keeping keeping, struct clr_problem *problem,
                                struct clr_status *status) {
  status->of_selection = given->selection != NULL;
  *problem = (struct clr_problem){
    .count_max = given->count_max,
    .group_size = given->group_size,
    .groups = given->groups,
    .elements = given->elements,
    .stop_at = given->stop_at,
    .in_flight = given->in_flight ? given->in_flight : 1,
    .order = given->order,
    .stage = given->stage,
    .profile = given->profile != CL_FALSE,
    .layout = given->layout,
    .scan = given->scan,
    .reversed = given->reversed != CL_FALSE,
    .in_place = given->in_place != CL_FALSE,
  };
  cl_int err = make_operation(given, keeping, problem, status);
  if (!err)
    err = copy_name("strategy", given->strategy, "auto", problem->strategy, sizeof problem->strategy, status);
  if (!err)
    err = copy_name("finish", given->finish, "auto", problem->finish, sizeof problem->finish, status);
  if (!err)
    err = check_numbers(problem, status);
  if (!err && (problem->order < CLRED_ORDER_DEFAULT || problem->order > CLRED_ORDER_EXACT))
    err = clr_fail(status, CLRED_INVALID_PROBLEM, "order: %d is no value of clred_order", (int)problem->order);
  if (!err && problem->stage != CLRED_STAGE_LOCAL && problem->stage != CLRED_STAGE_REGISTERS)
    err = clr_fail(status, CLRED_INVALID_PROBLEM, "stage: %d is no value of clred_stage", (int)problem->stage);
  if (!err && (problem->layout < CLRED_LAYOUT_LINE || problem->layout > CLRED_LAYOUT_KEYS))
    err = clr_fail(status, CLRED_INVALID_PROBLEM, "layout: %d is no value of clred_layout", (int)problem->layout);
  if (!err)
    err = check_segments(given, problem, status);
  return err ? err : check_scan(problem, status);
}
