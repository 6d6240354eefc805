// Tries the program of quantiles: runs over random elements, whose keys the host sorts.
#include <stdlib.h>
#include <string.h>

#include "host/scalars.h"
#include "trial/trial.h"
#include "trial/worker.h"

#define MOST_ELEMENTS ((cl_ulong)65539)

struct sorted {
  unsigned char *elements, *results;
  cl_ulong *places;
  struct clr_ranked *ranked, *room;
};

static bool make_data(const clred_quantile *quantile, struct sorted *data) {
  const struct clr_type *type = quantile->ordering.type;
  const size_t count = (size_t)MOST_ELEMENTS, results = (size_t)clr_quantile_chosen(quantile) + CLRED_QUANTILES_MAX;
  cl_ulong random = 9;
  data->elements = malloc(count * type->size);
  data->results = malloc(results * sizeof(cl_ulong));
  data->places = malloc(results * sizeof *data->places);
  data->ranked = malloc(count * sizeof *data->ranked);
  data->room = malloc(count * sizeof *data->room);
  if (!data->elements || !data->results || !data->places || !data->ranked || !data->room)
    return false;
  for (size_t i = 0; i < count; i++)
    clr_put_drawn(type, i % 2 ? CLR_RANGE_WIDE : CLR_RANGE_MODERATE, &random, data->elements + i * type->size);
  return true;
}

static void release_data(struct sorted *data) {
  free(data->elements);
  free(data->results);
  free(data->places);
  free(data->ranked);
  free(data->room);
}

static bool is_right(const clred_quantile *quantile, const struct sorted *data) {
  for (cl_ulong i = 0; i < clr_quantile_chosen(quantile); i++)
    if (quantile->ranked[0][i].key != data->ranked[i].key || quantile->ranked[0][i].place != data->ranked[i].place)
      return false;
  for (size_t i = 0; i < quantile->target_count && quantile->problem.at; i++)
    if (quantile->targets[i].low != data->ranked[quantile->targets[i].rank].key)
      return false;
  return true;
}

static cl_int run(clred_quantile *quantile, struct sorted *data, cl_command_queue queue, cl_ulong count,
                  struct clr_status *status) {
  const struct clr_ordering *ordering = &quantile->ordering;
  const struct clr_quantile_call call = {.queue = queue,
                                         .memory = data->elements,
                                         .count = count,
                                         .results = data->results,
                                         .places = quantile->problem.at ? NULL : data->places};
  for (cl_ulong i = 0; i < count; i++)
    data->ranked[i] =
      (struct clr_ranked){.key = clr_order_key(ordering, data->elements + i * ordering->type->size), .place = i};
  clr_sort_ranked(data->ranked, data->room, (size_t)count);
  cl_int err = clr_quantile_run(quantile, &call, status);
  if (!err && !is_right(quantile, data))
    err = clr_fail(status, CLRED_WRONG_RESULT, "%llu elements: a wrong rank", (unsigned long long)count);
  return err;
}

static cl_int run_all(clred_quantile *quantile, struct clr_status *status) {
  const cl_ulong counts[] = {1, 2, 17, quantile->group_size + 1, CLR_SAMPLE, CLR_SAMPLE + 1, MOST_ELEMENTS};
  const cl_ulong least = clr_quantile_chosen(quantile), most = quantile->problem.count_max;
  struct clr_session session;
  struct sorted data = {.elements = NULL};
  if (least > MOST_ELEMENTS)
    return CL_SUCCESS;
  cl_int err =
    clr_session_open(quantile->runtime->context, quantile->runtime->device, "a trial of quantiles", &session, status);
  if (!err && !make_data(quantile, &data))
    err = clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a trial of quantiles");
  for (size_t i = 0; i < sizeof counts / sizeof *counts && !err; i++)
    if (counts[i] >= least && (!most || counts[i] <= most))
      err = run(quantile, &data, session.queue, counts[i], status);
  release_data(&data);
  clr_session_close(&session);
  return err;
}

static cl_int try(clred_quantile *quantile, struct clr_status *status) {
  struct clr_status found = {0};
  const struct clr_tried_program program = {
    quantile->runtime,      quantile->built, clr_quantile_cover(quantile), "quantile", quantile->ordering.type->name,
    "clred_quantile_sample"};
  if (quantile->is_right)
    return CL_SUCCESS;
  return clr_trial_conclude(&program, run_all(quantile, &found), &found, status);
}

cl_int clr_quantile_make_tried(clred_runtime *runtime, const clred_quantile_problem *problem, clred_quantile **made,
                               struct clr_status *status) {
  clred_quantile *quantile = NULL;
  if (runtime->trusts)
    return clr_quantile_make(runtime, problem, CLR_VET_NOTHING, made, status);
  const enum clr_vetting vetting = atomic_load(&runtime->outside.works) ? CLR_VET_KNOWN : CLR_VET_BEGIN;
  cl_int err = clr_quantile_make(runtime, problem, vetting, &quantile, status);
  if (err == CLR_UNTRIED) {
    clr_worker_try_quantile(runtime, problem);
    err = clr_quantile_make(runtime, problem, CLR_VET_BEGIN, &quantile, status);
  }
  if (!err)
    err = try(quantile, status);
  if (err)
    clr_quantile_release(quantile);
  else
    *made = quantile;
  return err;
}
