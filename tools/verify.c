// Bits against the reference, or error against a bound; and the error in units in the last place.

#include "verify.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "exact.h"
#include "fail.h"

// Operators whose floating arithmetic rounds. One rounding of a sum acts on a part of sum |x|, so that those along the
// longest chain count; every rounding of a product acts on the whole of it, so that all of them count.
static const struct rounding {
  clred_op op;
  bool     chain;
  void   (*measure)(clred_type type, const void *data, uint64_t count, double result, struct exact *exact);
} roundings[] = {{CLRED_OP_ADD, true, exact_add}, {CLRED_OP_MUL, false, exact_mul}};

static const struct rounding *find_rounding(clred_op op)
{
  for (size_t i = 0; i < sizeof roundings / sizeof roundings[0]; i++)
    if (roundings[i].op == op)
      return &roundings[i];
  return NULL;
}

static bool is_floating(clred_type type)
{
  clred_type_info info;
  return clred_type_describe(type, &info) == CL_SUCCESS && info.floating;
}

// All NaNs are one.
static bool same_bits(clred_type type, const number *a, const number *b)
{
  clred_type_info info;
  clred_type_describe(type, &info);
  if (isnan(number_as_double(type, a)) && isnan(number_as_double(type, b)))
    return true;
  return memcmp(a, b, info.size) == 0;
}

// As many roundings as an element can pass through: its work-item's run, the tree, the groups.
static double roundings_of(const struct rounding *rounding, const clred_plan_info *info, cl_ulong count)
{
  if (!rounding->chain)
    return (double)count;
  return (double)info->elements + ceil(log2((double)count + 1)) + (double)info->groups;
}

static bool left_the_range(clred_type type, double result)
{
  double least_normal = exact_ulp(type, 0) / (2 * exact_unit_roundoff(type));
  return !isfinite(result) || fabs(result) < least_normal;
}

static bool within_bound(const struct rounding *rounding, const struct outcome *outcome, cl_ulong count, double result,
                         const struct exact *exact)
{
  clred_type type = outcome->info.result_type;
  double     each = exact_unit_roundoff(type) * exact->scale;
  if (isnan(exact->error))  // inf or nan is expected: it must be the same one
    return isnan(result) ? isnan(exact->value) || exact->risky : result == exact->value;
  if (exact->risky && left_the_range(type, result))
    return true;
  // One more for the rounding of the exact value's own magnitude.
  return fabs(exact->error) <= (roundings_of(rounding, &outcome->info, count) + 1) * each;
}

// An infinite result is right where the exact value rounds to infinity in its type.
static bool rounds_to(clred_type type, double value, double result)
{
  return value == result || (type == CLRED_TYPE_FLOAT && isinf(result) && (double)(float)value == result);
}

static double in_ulps(clred_type type, double result, const struct exact *exact)
{
  if (isfinite(result) && isfinite(exact->value))
    return fabs(exact->error) / exact_ulp(type, exact->value);
  bool agree = isnan(exact->value) ? isnan(result) : rounds_to(type, exact->value, result);
  return agree ? 0 : INFINITY;
}

static void judge(const struct rounding *rounding, const struct input *input, const struct outcome *outcome,
                  bool measure, struct verdict *verdict)
{
  clred_type   type = outcome->info.result_type;
  bool         floating = is_floating(type);
  bool         free_order = rounding != NULL && floating && strcmp(outcome->info.order, "any") == 0;
  double       result = number_as_double(type, &outcome->result);
  struct exact exact = {0};

  if (rounding != NULL && floating && (free_order || measure))
    rounding->measure(input->type.type, input->data, input->count, result, &exact);
  else
    exact.value = number_as_double(type, &verdict->reference), exact.error = result - exact.value;
  verdict->correct = free_order ? within_bound(rounding, outcome, input->count, result, &exact)
                                : outcome->steady && same_bits(type, &outcome->result, &verdict->reference);
  verdict->error_ulp = floating && measure ? in_ulps(type, result, &exact) : NAN;
}

int verify_outcome(const struct session *session, const clred_plan *plan, clred_op op, const struct input *input,
                   const struct outcome *outcome, bool measure, struct verdict *verdict)
{
  *verdict = (struct verdict){0};
  cl_int status = clred_plan_reference(plan, input->data, input->count, verdict->reference.bytes);
  if (status != CL_SUCCESS)
    return fail_library(status, clred_last_error(session->runtime));
  judge(find_rounding(op), input, outcome, measure, verdict);
  return EXIT_DONE;
}

double verify_exact_value(clred_op op, const struct input *input, clred_type result_type, const number *reference)
{
  const struct rounding *rounding = find_rounding(op);
  struct exact           exact;
  if (rounding == NULL || !is_floating(result_type))
    return number_as_double(result_type, reference);
  rounding->measure(input->type.type, input->data, input->count, 0, &exact);
  return exact.value;
}
