#include "model/problem.h"

#include <string.h>

static cl_int copy_name(const char *what, const char *name, const char *none, char *to, size_t size,
                        struct clr_status *status)
{
  *to = 0;
  if (!name || strcmp(name, none) == 0)
    return CL_SUCCESS;
  if (!*name || strlen(name) >= size)
    return clr_fail(status, CLRED_UNKNOWN_NAME, "%s: there is none named '%.60s'", what, name);
  memcpy(to, name, strlen(name) + 1);
  return CL_SUCCESS;
}

cl_int clr_problem_make(const clred_problem *given, struct clr_problem *problem, struct clr_status *status)
{
  const cl_uint most_in_flight = 64;
  *problem = (struct clr_problem){
    .count_max = given->count_max,
    .group_size = given->group_size,
    .groups = given->groups,
    .elements = given->elements,
    .in_flight = given->in_flight ? given->in_flight : 1,
    .order = given->order,
    .profile = given->profile != CL_FALSE,
  };
  cl_int err = clr_operation_make(given->op, given->type, &problem->operation, status);
  if (!err)
    err = copy_name("strategy", given->strategy, "auto", problem->strategy, sizeof problem->strategy, status);
  if (!err)
    err = copy_name("finish", given->finish, "auto", problem->finish, sizeof problem->finish, status);
  if (!err && problem->in_flight > most_in_flight)
    err = clr_fail(status, CLRED_INVALID_PROBLEM, "in_flight: %u is above %u", problem->in_flight, most_in_flight);
  if (!err && (problem->order < CLRED_ORDER_DEFAULT || problem->order > CLRED_ORDER_ANY))
    err = clr_fail(status, CLRED_INVALID_PROBLEM, "order: %d is none of clred_order", (int)problem->order);
  return err;
}
