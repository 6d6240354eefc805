// clred_tune: measures which numbers (groups, group size and others) make the calls of a plan fastest on this device.
// It changes one number at a time and keeps a value if calls get clearly faster.
#include <stdio.h>

#include "model/tuning_text.h"
#include "planning/strategy.h"
#include "platform/platform.h"
#include "tuning/tune.h"

// ---------------------------------------------------------------- Calls of one length

#define ROUNDS 11
#define ROUNDS_AT_END 21

struct search {
  clred_runtime *runtime;
  const clred_problem *problem;
  struct clr_tune_run *run;
  clred_plan *base;  // the plan without tuned numbers
  double deadline;
  cl_bool (*progress)(double done, void *user_data);
  void *user_data;
  double begun, seconds;
  bool stopped;          // the caller asked to stop
  struct clr_pass last;  // the first launch with the previous value
  cl_ulong tried;
};

// A plan with the numbers that it was made with.
struct attempt {
  clred_plan *plan;
  struct clr_tuned tuned;
};

// True if the time is used up or the caller wants to stop. Reports the progress to the caller.
static bool is_over(struct search *search) {
  double now = clr_seconds(), done = (now - search->begun) / search->seconds;
  if (!search->stopped && search->progress)
    search->stopped = search->progress(done < 0 ? 0 : done > 1 ? 1 : done, search->user_data) != CL_FALSE;
  return search->stopped || now > search->deadline;
}

// Makes a plan with these numbers. Returns NULL if the plan did not accept all numbers or gives other bits.
static clred_plan *make(struct search *search, const struct clr_tuned *tuned, enum clr_tunable tunable,
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
static void choose(const struct search *search, struct attempt *best, struct attempt *next, bool takes_next) {
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
static cl_int try_value(struct search *search, cl_ulong count, enum clr_tunable tunable, cl_ulong value,
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
static cl_int walk(struct search *search, cl_ulong count, enum clr_tunable tunable, bool up, struct attempt *best,
                   struct clr_status *status) {
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

static cl_int try_number(struct search *search, cl_ulong count, enum clr_tunable tunable, struct attempt *best,
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
static cl_int prune(struct search *search, cl_ulong count, struct attempt *best, struct clr_status *status) {
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
static cl_int confirm(struct search *search, cl_ulong count, struct attempt *best, struct clr_tune_times *times,
                      struct clr_status *status) {
  cl_int err = clr_tune_compare(search->run, search->base, best->plan, count, ROUNDS_AT_END, times, status);
  if (!err && (!best->tuned.given || !times->clear)) {
    best->tuned.given = 0;
    times->second = times->first;
    times->ratio = 1;
  }
  return err;
}

// Searches numbers for calls of `count` elements, one number after the other. If the untuned plan is as fast, no number
// in `found` is `given`.
static cl_int find(struct search *search, cl_ulong count, struct clr_tuned *found, struct clr_tune_times *times,
                   struct clr_status *status) {
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

// ---------------------------------------------------------------- Lengths

// Calls of these lengths represent short calls and middle ones.
#define SMALL_COUNT ((cl_ulong)1 << 14)
#define MIDDLE_COUNT ((cl_ulong)1 << 19)
#define ROUNDS_FOR_ANY 7

// The numbers for calls of any length must not make calls of a measured length slower by more than this factor.
#define MOST_LOSS 1.03

struct length {
  enum clr_length length;
  cl_ulong count;
  struct clr_tuned found;
  struct clr_tune_times times;
  cl_ulong tried;
};

static size_t choose_lengths(const clred_problem *problem, cl_ulong count_most, struct length lengths[CLR_LENGTHS]) {
  const struct length all[] = {
    {.length = CLR_LENGTH_SMALL, .count = SMALL_COUNT},
    {.length = CLR_LENGTH_MIDDLE, .count = MIDDLE_COUNT},
    {.length = CLR_LENGTH_LARGE, .count = count_most},
  };
  size_t count = 0;
  if (problem->count_max) {
    lengths[0] = (struct length){.length = clr_length_of(problem->count_max), .count = count_most};
    return 1;
  }
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].count <= count_most && clr_length_of(all[i].count) == all[i].length)
      lengths[count++] = all[i];
  return count;
}

// ---------------------------------------------------------------- Calls of any length

// Rates the numbers over all lengths: the product of their time ratios, or 0 if one length loses more than MOST_LOSS.
static cl_int judge(struct search *search, const struct clr_tuned *tuned, const struct length *lengths, size_t count,
                    double *score, struct clr_status *status) {
  clred_plan *plan = NULL;
  struct clr_tune_times times = {0};
  struct clr_status ignored;
  *score = 1;
  if (clr_plan_make_tuned(search->runtime, search->problem, tuned, &plan, &ignored)) {
    *score = 0;
    return CL_SUCCESS;
  }
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i<count && * score> 0 && !err; i++) {
    err = clr_tune_expect(search->run, search->base, lengths[i].count, status);
    if (!err && !clr_tune_agrees(search->run, plan, lengths[i].count))
      *score = 0;
    if (!err && *score > 0)
      err = clr_tune_compare(search->run, search->base, plan, lengths[i].count, ROUNDS_FOR_ANY, &times, status);
    if (!err && *score > 0)
      *score = times.ratio > MOST_LOSS ? 0 : *score * times.ratio;
  }
  clr_plan_release(plan);
  return err;
}

// Finds numbers for calls of any length. The candidates are the numbers found for each length.
static cl_int find_for_any(struct search *search, const struct length *lengths, size_t count, struct length *any,
                           struct clr_status *status) {
  double best = CLR_TUNE_GAIN;
  cl_int err = CL_SUCCESS;
  *any = (struct length){.length = CLR_LENGTH_ANY};
  for (size_t i = 0; i < count && !err && !search->stopped; i++) {
    double score;
    if (!lengths[i].found.given)
      continue;
    any->tried++;
    err = judge(search, &lengths[i].found, lengths, count, &score, status);
    if (!err && score > 0 && score < best) {
      best = score;
      any->found = lengths[i].found;
    }
  }
  return err;
}

// ---------------------------------------------------------------- The results

static void describe(const clred_plan *base, const struct length *length, clred_tuned *tuned) {
  struct clr_text numbers = {0};
  clr_tuned_write(&length->found, &numbers);
  *tuned = (clred_tuned){
    .strategy = base->strategy->name,
    .length = clr_length_name(length->length),
    .count = length->count,
    .before = length->times.first,
    .after = length->times.second,
    .tried = length->tried,
  };
  if (length->found.given && numbers.bytes)
    snprintf(tuned->numbers, sizeof tuned->numbers, "%s", numbers.bytes);
  clr_text_release(&numbers);
}

static cl_int keep(const clred_plan *base, const struct length *length, struct clr_status *status) {
  struct clr_tuning_row row;
  clr_tuning_name(base->strategy->name, &base->problem, &row);
  row.length = length->length;
  row.tuned = length->found;
  return clr_runtime_keep_tuned(base->runtime, &row)
           ? CL_SUCCESS
           : clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a tuning");
}

// ---------------------------------------------------------------- Tuning

static cl_int search_lengths(struct search *search, struct length *lengths, size_t *count, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  size_t wanted = *count;
  for (size_t i = 0; i < wanted && !err && !search->stopped; i++) {
    cl_ulong tried = search->tried;
    search->deadline = search->begun + search->seconds * (double)(i + 1) / (double)wanted;
    err = find(search, lengths[i].count, &lengths[i].found, &lengths[i].times, status);
    lengths[i].tried = search->tried - tried;
    *count = i + 1;
  }
  if (!err && wanted > 1 && *count == wanted)
    err = find_for_any(search, lengths, wanted, &lengths[(*count)++], status);
  return err;
}

static cl_int check(const clred_plan *base, struct clr_status *status) {
  bool is_line = base->problem.layout == CLRED_LAYOUT_LINE && !base->problem.reversed;
  if (base->strategy->reduce.tunables && is_line)
    return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "%s has no numbers to tune here; wide and chunked have, over lines of neighbouring elements",
                  base->strategy->name);
}

cl_int clr_tune(clred_runtime *runtime, const clred_problem *problem, const clred_tune_options *options,
                clred_tuned tuned[CLRED_TUNED_MAX], size_t *count, struct clr_status *status) {
  const double usual_seconds = 10;
  const struct clr_tuned none = {0};
  struct length lengths[CLR_LENGTHS];
  struct clr_tune_run run = {0};
  clred_plan *base = NULL;
  size_t found = 0;
  cl_int err = clr_plan_make_tuned(runtime, problem, &none, &base, status);
  if (!err)
    err = check(base, status);
  if (!err)
    err = clr_tune_run_open(base, problem->count_max, &run, status);
  if (!err) {
    struct search search = {.runtime = runtime,
                            .problem = problem,
                            .run = &run,
                            .base = base,
                            .progress = options->progress,
                            .user_data = options->user_data,
                            .begun = clr_seconds(),
                            .seconds = options->seconds > 0 ? options->seconds : usual_seconds};
    cl_ulong most =
      problem->count_max ? run.count_most : clr_tune_affordable(&run, base, run.count_most, CLR_MIDDLE_BELOW);
    found = choose_lengths(problem, most, lengths);
    err = search_lengths(&search, lengths, &found, status);
  }
  for (size_t i = 0; i < found && !err; i++) {
    err = keep(base, &lengths[i], status);
    if (!err && tuned)
      describe(base, &lengths[i], &tuned[i]);
  }
  if (count)
    *count = err ? 0 : found;
  clr_tune_run_close(&run);
  clr_plan_release(base);
  return err;
}
