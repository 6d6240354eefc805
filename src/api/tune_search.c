#include <string.h>

#include "api/tune.h"
#include "planning/tune.h"

#define ROUNDS 5
#define ROUNDS_AT_END 11

// What one number is tried for.
struct attempt {
  clred_plan      *plan;
  struct clr_tuned tuned;
};

bool clr_tune_is_over(struct clr_tune_search *search)
{
  double now = clr_tune_now(), done = (now - search->begun) / search->seconds;
  if (!search->stopped && search->progress)
    search->stopped = search->progress(done < 0 ? 0 : done > 1 ? 1 : done, search->user_data) != CL_FALSE;
  return search->stopped || now > search->deadline;
}

// The plan with these numbers, if it has them all and gives the right bits.
static clred_plan *make(struct clr_tune_search *search, const struct clr_tuned *tuned, enum clr_tunable tunable, cl_ulong count)
{
  clred_plan *plan = NULL;
  struct clr_status ignored;
  if (clr_plan_make_tuned(search->runtime, search->problem, tuned, &plan, &ignored))
    return NULL;
  bool has_it = clr_tunable_in_use(&plan->shape, tunable) == tuned->values[tunable];
  if (has_it && plan->shape.tuned.given == tuned->given && clr_tune_agrees(search->run, plan, count))
    return plan;
  clred_plan_release(plan);
  return NULL;
}

// Tries one value in place of the best's; it becomes the best if it is clearly quicker. `better` says whether it was at all.
static cl_int try_value(struct clr_tune_search *search, cl_ulong count, enum clr_tunable tunable, cl_ulong value,
                        struct attempt *best, bool *better, struct clr_status *status)
{
  struct clr_tune_times times;
  struct attempt next = {.tuned = best->tuned};
  *better = false;
  clr_tuned_set(&next.tuned, tunable, value);
  next.plan = make(search, &next.tuned, tunable, count);
  if (!next.plan)
    return CL_SUCCESS;
  search->tried++;
  cl_int err = clr_tune_compare(search->run, best->plan, next.plan, count, ROUNDS, &times, status);
  *better = !err && times.ratio < 1;
  struct attempt *worse = !err && times.ratio < CLR_TUNE_GAIN ? best : &next;
  if (worse->plan != search->base)
    clred_plan_release(worse->plan);
  if (worse == best)
    *best = next;
  return err;
}

// From the value in use on, twice as much at each step or half as much, as long as that helps.
static cl_int walk(struct clr_tune_search *search, cl_ulong count, enum clr_tunable tunable, bool up, struct attempt *best,
                   struct clr_status *status)
{
  const unsigned patience = 2;
  cl_ulong value = clr_tunable_in_use(&best->plan->shape, tunable);
  cl_int err = CL_SUCCESS;
  for (unsigned in_vain = 0; in_vain < patience && !err && !clr_tune_is_over(search);) {
    bool better;
    value = up ? 2 * value : value / 2;
    if (!clr_tunable_allows(tunable, value))
      break;
    err = try_value(search, count, tunable, value, best, &better, status);
    in_vain = better ? 0 : in_vain + 1;
  }
  return err;
}

static cl_int try_number(struct clr_tune_search *search, cl_ulong count, enum clr_tunable tunable, struct attempt *best,
                         struct clr_status *status)
{
  bool better;
  cl_ulong value = clr_tunable_in_use(&best->plan->shape, tunable);
  if (clr_tunable_row(tunable)->kind == CLR_TUNABLE_FLAG)
    return clr_tune_is_over(search) ? CL_SUCCESS : try_value(search, count, tunable, !value, best, &better, status);
  cl_int err = walk(search, count, tunable, false, best, status);
  bool found = clr_tunable_in_use(&best->plan->shape, tunable) != value;
  return err || found ? err : walk(search, count, tunable, true, best, status);
}

// Against what facts give, once more and for longer: of many trials one may be quick by luck.
static cl_int confirm(struct clr_tune_search *search, cl_ulong count, struct attempt *best, struct clr_tune_times *times,
                      struct clr_status *status)
{
  cl_int err = clr_tune_compare(search->run, search->base, best->plan, count, ROUNDS_AT_END, times, status);
  if (!err && (best->plan == search->base || times->ratio >= CLR_TUNE_GAIN)) {
    best->tuned.given = 0;
    times->second = times->first;
    times->ratio = 1;
  }
  return err;
}

cl_int clr_tune_find(struct clr_tune_search *search, cl_ulong count, struct clr_tuned *found, struct clr_tune_times *times,
                     struct clr_status *status)
{
  struct attempt best = {.plan = search->base};
  cl_int err = clr_tune_expect(search->run, search->base, count, status);
  for (unsigned i = 0; i < CLR_TUNABLES && !err; i++)
    if (search->base->strategy->tunables & 1u << i)
      err = try_number(search, count, i, &best, status);
  if (!err)
    err = confirm(search, count, &best, times, status);
  if (best.plan != search->base)
    clred_plan_release(best.plan);
  *found = best.tuned;
  return err;
}
