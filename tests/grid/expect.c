// Allowed refusals and reports: see expect.h.

#include "expect.h"

#include <stdio.h>
#include <string.h>

bool is_open_order(const clred_problem *problem) {
  return (problem->strategy && strcmp(problem->strategy, "atomic") == 0) ||
         (problem->finish && strcmp(problem->finish, "atomic") == 0);
}

// ---------------------------------------------------------------- Refusals

// Atomics work on one state of 4 bytes, or of 8 bytes if the device has such atomics. A product of floats has an
// exponent of the size of its value beside it.
static bool lacks_atomics(const struct device *device, const clred_problem *problem) {
  oracle_result result;
  oracle_parts(problem, &result);
  if (!is_open_order(problem))
    return false;
  if (result.count > 1 || result.parts[0].components > 1)
    return true;
  if (ORACLE_IS_ONE(problem->op, ORACLE_MOMENTS, CLRED_OP_NORM2, CLRED_OP_LOGSUMEXP))
    return true;
  const clred_type type = result.parts[0].type;
  const size_t bytes = oracle_size(type) * (problem->op == CLRED_OP_PROD && oracle_is_floating(type) ? 2 : 1);
  return bytes > 8 || (bytes == 8 && (!device_has_extension(device, "cl_khr_int64_base_atomics") ||
                                      !device_fact(device, "int64_atomics", 1)));
}

// Groups of one value leave as many partials as values, so relaunching would never end.
static bool never_ends(const struct device *device, const clred_problem *problem) {
  return strncmp(problem->strategy, "global_", 7) == 0 && problem->finish && strcmp(problem->finish, "relaunch") == 0 &&
         device_fact(device, "max_work_group_size", 2) == 1;
}

// Scans need local memory, groups that the device has, and in place a fence; if loops end early, groups must not wait
// for each other. Other strategies may permute elements, need a state that atomics can have, or their group size.
static bool is_reason(const struct device *device, const clred_problem *problem, const char *message) {
  static const char *const reasons[] = {"loop_trips",       "local_mem_size",      "group_size",
                                        "does not commute", "finish atomic needs", "atomic needs"};
  const size_t first = problem->scan ? 0 : 2, end = problem->scan ? 3 : problem->custom || problem->list ? 6 : 3;
  for (size_t i = first; i < end; i++)
    if (strstr(message, reasons[i]))
      return true;
  return problem->in_place && !device_fact(device, "device_fence", 1) && strstr(message, "device_fence");
}

bool expect_refusal(const struct device *device, const clred_problem *problem, cl_int status, const char *message) {
  const bool builtin = !problem->custom && !problem->list;
  switch (status) {
  case CLRED_OPERATOR_TYPE:
    return builtin && !oracle_defined(problem) && *message;
  case CLRED_TYPE_NOT_SUPPORTED:
    return (!builtin || oracle_needs_fp64(problem)) && !device_has_fp64(device) && *message;
  case CLRED_STRATEGY_REFUSED:
    if (!problem->strategy)  // auto finds one on any device, if its loops are long enough
      return strstr(message, "fact loop_trips") != NULL;
    return is_reason(device, problem, message) ||
           (builtin && *message && (lacks_atomics(device, problem) || never_ends(device, problem)));
  default:
    return false;
  }
}

// ---------------------------------------------------------------- Parts

// A scalar of the result. A complex number may be one part or two.
struct scalar {
  clred_type type;
  size_t offset;
};

#define SCALARS_MAX 32

static size_t add_scalars(struct scalar *list, size_t count, clred_type type, size_t offset) {
  const clred_type one = oracle_component(type);
  for (unsigned i = 0; i < oracle_components(type) && count < SCALARS_MAX; i++)
    list[count++] = (struct scalar){one, offset + i * oracle_size(one)};
  return count;
}

static size_t scalars_expected(const oracle_result *result, struct scalar *list) {
  size_t count = 0;
  for (size_t i = 0; i < result->count; i++)
    count = add_scalars(list, count, result->parts[i].type, oracle_offset(result, i));
  return count;
}

static size_t scalars_reported(const clred_plan *plan, struct scalar *list) {
  clred_part part;
  size_t count = 0;
  for (size_t i = 0; clred_plan_part(plan, i, &part) == CL_SUCCESS; i++)
    count = add_scalars(list, count, part.type, part.offset);
  return count;
}

static bool same_scalars(const oracle_result *result, const clred_plan *plan) {
  struct scalar expected[SCALARS_MAX], reported[SCALARS_MAX];
  const size_t count = scalars_expected(result, expected);
  if (scalars_reported(plan, reported) != count)
    return false;
  for (size_t i = 0; i < count; i++)
    if (expected[i].type != reported[i].type || expected[i].offset != reported[i].offset)
      return false;
  return true;
}

static bool same_names(const clred_problem *problem, const oracle_result *result, const clred_plan *plan) {
  clred_part part;
  for (size_t i = 0; i < result->count && !oracle_is_complex(problem->type); i++)
    if (clred_plan_part(plan, i, &part) != CL_SUCCESS || strcmp(part.name, result->parts[i].name) != 0)
      return false;
  return true;
}

// If no name is wanted, the library chooses one.
static bool same_name(const char *reported, const char *wanted) {
  return !wanted || (reported && strcmp(reported, wanted) == 0);
}

bool expect_plan(const clred_problem *problem, const clred_plan *plan, char *text, size_t size) {
  oracle_result result;
  clred_plan_info info;
  const char *wrong = NULL;
  const cl_int err = clred_plan_inspect(plan, 1, &info);
  oracle_parts(problem, &result);
  if (err != CL_SUCCESS)
    wrong = clred_status_name(err);
  else if (!same_name(info.strategy, problem->strategy) || !same_name(info.finish, problem->finish))
    wrong = "strategy or finish is another";
  else if (info.result_type != (result.count == 1 ? result.parts[0].type : CLRED_TYPE_NONE))
    wrong = "result_type is another";
  else if (info.result_size != oracle_offset(&result, result.count) || info.element_size != oracle_size(problem->type))
    wrong = "the size of results or elements is another";
  else if (info.portable != (problem->op != CLRED_OP_LOGSUMEXP))
    wrong = "portable is another";
  else if (!same_scalars(&result, plan))
    wrong = "the parts have other types or places";
  else if (!same_names(problem, &result, plan))
    wrong = "the parts have other names";
  if (wrong)
    snprintf(text, size, "clred_plan_inspect or clred_plan_part: %s", wrong);
  return !wrong;
}
