// clred_tune: measures which numbers (groups, group size and others) make the calls of a plan fastest on this device.
#include "tuning/tune.h"

#include <stdio.h>

#include "model/tuning_text.h"
#include "platform/platform.h"

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

// ---------------------------------------------------------------- Lengths

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
static cl_int judge(struct clr_tune_search *search, const struct clr_tuned *tuned, const struct length *lengths,
                    size_t count, double *score, struct clr_status *status) {
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
static cl_int find_for_any(struct clr_tune_search *search, const struct length *lengths, size_t count,
                           struct length *any, struct clr_status *status) {
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

static cl_int search_lengths(struct clr_tune_search *search, struct length *lengths, size_t *count,
                             struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  size_t wanted = *count;
  for (size_t i = 0; i < wanted && !err && !search->stopped; i++) {
    cl_ulong tried = search->tried;
    search->deadline = search->begun + search->seconds * (double)(i + 1) / (double)wanted;
    err = clr_tune_find(search, lengths[i].count, &lengths[i].found, &lengths[i].times, status);
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
    struct clr_tune_search search = {.runtime = runtime,
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
