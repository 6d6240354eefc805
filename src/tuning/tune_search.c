// The search of clred_tune: it changes one number at a time and keeps a value if calls get clearly faster.

#include "planning/strategy.h"
#include "platform/platform.h"
#include "tuning/tune.h"

#define ROUNDS 11
#define ROUNDS_AT_END 21

// A plan with the numbers that it was made with.
struct attempt {
  clred_plan *plan;
  struct clr_tuned tuned;
};

// True if the time is used up or the caller wants to stop. Reports the progress to the caller.
static bool is_over(struct clr_tune_search *search) {
  double now = clr_seconds(), done = (now - search->begun) / search->seconds;
  if (!search->stopped && search->progress)
    search->stopped = search->progress(done < 0 ? 0 : done > 1 ? 1 : done, search->user_data) != CL_FALSE;
  return search->stopped || now > search->deadline;
}

// Makes a plan with these numbers. Returns NULL if the plan did not accept all numbers or gives other bits.
static clred_plan *make(struct clr_tune_search *search, const struct clr_tuned *tuned, enum clr_tunable tunable,
                        cl_ulong count) {
  clred_plan *plan = NULL;
  struct clr_status ignored;
  if (clr_plan_make_tuned(search->runtime, search->problem, tuned, &plan, &ignored))
    return NULL;
  bool has_it = clr_tunable_in_use(&plan->shape, tunable) == tuned->values[tunable];
  if (has_it && plan->shape.tuned.given == tuned->given && clr_tune_agrees(search->run, plan, count))
    return plan;
  clr_plan_release(plan);
  return NULL;
}

// Keeps one of the two attempts and releases the plan of the other.
static void choose(const struct clr_tune_search *search, struct attempt *best, struct attempt *next, bool takes_next) {
  clred_plan *worse = takes_next ? best->plan : next->plan;
  if (takes_next)
    *best = *next;
  if (worse != search->base)
    clr_plan_release(worse);
}

static struct clr_pass first_pass(const clred_plan *plan, cl_ulong count) {
  struct clr_pass pass = {0};
  const struct clr_extent extent = clr_extent_line(count);
  clr_strategy_pass(&plan->shape, &extent, 0, &pass);
  return pass;
}

// True if a changed number of groups or tiles leaves the first launch as it was, so that no measurement is needed.
static bool is_same(const struct clr_pass *a, const struct clr_pass *b, enum clr_tunable tunable) {
  return (tunable == CLR_TUNE_GROUPS || tunable == CLR_TUNE_TILES) && a->groups == b->groups && a->span == b->span;
}

enum outcome { SAME, WORSE, BETTER };

// Tries another value of one number. The attempt becomes the best one if it is clearly faster.
static cl_int try_value(struct clr_tune_search *search, cl_ulong count, enum clr_tunable tunable, cl_ulong value,
                        struct attempt *best, enum outcome *outcome, struct clr_status *status) {
  struct clr_tune_times times = {.ratio = 1};
  struct attempt next = {.tuned = best->tuned};
  cl_int err = CL_SUCCESS;
  *outcome = WORSE;
  clr_tuned_set(&next.tuned, tunable, value);
  next.plan = make(search, &next.tuned, tunable, count);
  if (!next.plan)
    return CL_SUCCESS;
  struct clr_pass pass = first_pass(next.plan, count), pass_of_best = first_pass(best->plan, count);
  if (is_same(&pass, &pass_of_best, tunable) || is_same(&pass, &search->last, tunable)) {
    *outcome = SAME;
  } else {
    search->tried++;
    err = clr_tune_compare(search->run, best->plan, next.plan, count, ROUNDS, &times, status);
    *outcome = !err && times.ratio < 1 ? BETTER : WORSE;
  }
  search->last = pass;
  choose(search, best, &next, times.clear);
  return err;
}

// Starts at the value in use and doubles or halves it at each step as long as calls get faster.
static cl_int walk(struct clr_tune_search *search, cl_ulong count, enum clr_tunable tunable, bool up,
                   struct attempt *best, struct clr_status *status) {
  const unsigned patience = 3;
  cl_ulong value = clr_tunable_in_use(&best->plan->shape, tunable);
  cl_int err = CL_SUCCESS;
  for (unsigned in_vain = 0; in_vain < patience && !err && !is_over(search);) {
    enum outcome outcome;
    value = up ? 2 * value : value / 2;
    if (!clr_tunable_allows(tunable, value))
      break;
    err = try_value(search, count, tunable, value, best, &outcome, status);
    in_vain = outcome == BETTER ? 0 : in_vain + (outcome == WORSE);
  }
  return err;
}

static cl_int try_number(struct clr_tune_search *search, cl_ulong count, enum clr_tunable tunable, struct attempt *best,
                         struct clr_status *status) {
  enum outcome outcome;
  cl_ulong value = clr_tunable_in_use(&best->plan->shape, tunable);
  search->last = (struct clr_pass){0};
  if (clr_tunable_row(tunable)->kind == CLR_TUNABLE_FLAG)
    return is_over(search) ? CL_SUCCESS : try_value(search, count, tunable, !value, best, &outcome, status);
  cl_int err = walk(search, count, tunable, false, best, status);
  bool found = clr_tunable_in_use(&best->plan->shape, tunable) != value;
  return err || found ? err : walk(search, count, tunable, true, best, status);
}

// Resets each number that no longer makes calls faster. A later number may have the same effect, or noise made it look
// faster.
static cl_int prune(struct clr_tune_search *search, cl_ulong count, struct attempt *best, struct clr_status *status) {
  struct clr_tune_times times;
  cl_int err = CL_SUCCESS;
  for (unsigned i = 0; i < CLR_TUNABLES && !err && !search->stopped; i++) {
    struct attempt next = {.tuned = best->tuned};
    struct clr_status ignored;
    if (!clr_tuned_has(&best->tuned, i))
      continue;
    next.tuned.given &= ~(1u << i);
    if (clr_plan_make_tuned(search->runtime, search->problem, &next.tuned, &next.plan, &ignored))
      continue;
    struct clr_pass with = first_pass(best->plan, count), without = first_pass(next.plan, count);
    bool same = is_same(&with, &without, i);
    bool agrees = clr_tune_agrees(search->run, next.plan, count);
    if (!same && agrees)
      err = clr_tune_compare(search->run, next.plan, best->plan, count, ROUNDS, &times, status);
    choose(search, best, &next, !err && agrees && (same || !times.clear));
  }
  return err;
}

// Compares the best numbers with the untuned plan once more and for longer: one of many trials may win by noise.
static cl_int confirm(struct clr_tune_search *search, cl_ulong count, struct attempt *best,
                      struct clr_tune_times *times, struct clr_status *status) {
  cl_int err = clr_tune_compare(search->run, search->base, best->plan, count, ROUNDS_AT_END, times, status);
  if (!err && (!best->tuned.given || !times->clear)) {
    best->tuned.given = 0;
    times->second = times->first;
    times->ratio = 1;
  }
  return err;
}

cl_int clr_tune_find(struct clr_tune_search *search, cl_ulong count, struct clr_tuned *found,
                     struct clr_tune_times *times, struct clr_status *status) {
  struct attempt best = {.plan = search->base};
  cl_int err = clr_tune_expect(search->run, search->base, count, status);
  for (unsigned i = 0; i < CLR_TUNABLES && !err; i++)
    if (search->base->strategy->reduce.tunables & 1u << i)
      err = try_number(search, count, i, &best, status);
  if (!err)
    err = prune(search, count, &best, status);
  if (!err)
    err = confirm(search, count, &best, times, status);
  if (best.plan != search->base)
    clr_plan_release(best.plan);
  *found = best.tuned;
  return err;
}
