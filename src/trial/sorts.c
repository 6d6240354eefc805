// Tries the program of a sorter: sorts random keys, which the host sorts, too. Also what needs a tried sorter: warming,
// and calls of host memory that may build one.
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "host/scalars.h"
#include "trial/trial.h"
#include "trial/worker.h"

#define MOST_KEYS ((cl_ulong)40009)

// Keys, values, and room for what the host and the device write. Offsets of rows with many lengths, for segments.
struct sorted {
  unsigned char *keys, *values, *expected[2], *got[2], *offsets;
};

// Lengths of rows: few keys, and numbers around those of tiles.
static cl_ulong row_length(const clred_sorter *sorter, cl_ulong row) {
  const cl_ulong half = sorter->shape.in_chunks ? 64 : sorter->shape.short_max, tile = clr_max(sorter->shape.tile, 64);
  const cl_ulong lengths[] = {3, 0, 1, 17, 64, 0, 0, 65, 300, half, half + 1, 2, tile - 1, 0, tile + 1, 3 * tile + 5};
  return clr_min(lengths[row % (sizeof lengths / sizeof *lengths)], sorter->shape.row_most);
}

// Writes the offsets of rows with `count` keys in all. Returns the number of rows.
static cl_ulong lay_rows(const clred_sorter *sorter, cl_ulong count, unsigned char *offsets) {
  const size_t size = clr_type_row(sorter->problem.segment_type)->size;
  cl_ulong rows = 0;
  for (cl_ulong at = 0; at < count || !rows; rows++) {
    clr_bits_put(at, size, offsets + rows * size);
    at += clr_min(row_length(sorter, rows), count - at);
  }
  clr_bits_put(count, size, offsets + rows * size);
  return rows;
}

static bool make_data(const clred_sorter *sorter, size_t count, struct sorted *data) {
  const struct clr_type *type = sorter->ordering.type;
  const size_t value = sorter->problem.value_size ? sorter->problem.value_size : sizeof(cl_ulong);
  const size_t sizes[2] = {type->size, value};
  cl_ulong random = 9;
  bool made = true;
  data->keys = malloc(count * type->size);
  data->values = malloc(count * value);
  data->offsets = malloc((count + 16) * 2 * sizeof(cl_ulong));
  for (int i = 0; i < 2; i++) {
    data->expected[i] = calloc(count, sizes[i]);
    data->got[i] = calloc(count, sizes[i]);
    made &= data->expected[i] && data->got[i];
  }
  if (!made || !data->keys || !data->values || !data->offsets)
    return false;
  for (size_t i = 0; i < count; i++)
    clr_put_drawn(type, i % 2 ? CLR_RANGE_WIDE : CLR_RANGE_MODERATE, &random, data->keys + i * type->size);
  for (size_t i = 0; i < count * value; i++)
    data->values[i] = (unsigned char)(i * 2654435761u >> 13);
  return true;
}

static void release_data(struct sorted *data) {
  free(data->keys);
  free(data->values);
  free(data->offsets);
  for (int i = 0; i < 2; i++) {
    free(data->expected[i]);
    free(data->got[i]);
  }
}

static clred_sort_host_call call_of(const clred_sorter *sorter, struct sorted *data, cl_ulong count,
                                    unsigned char *const out[2]) {
  const clred_sort_form form = sorter->problem.form;
  const bool has_offsets = sorter->problem.layout == CLRED_LAYOUT_SEGMENTS;
  cl_ulong rows = has_offsets ? lay_rows(sorter, count, data->offsets) : 0, length = count;
  if (sorter->problem.layout == CLRED_LAYOUT_ROWS) {
    // A few long rows, or many short ones.
    rows = count % 3 == 0 && count > 100 ? count / 100 : 1 + count % 2;
    rows = clr_max(rows, clr_ceil_divide(count, sorter->shape.row_most));
    length = count / rows;
  }
  return (clred_sort_host_call){.keys = data->keys,
                                .count = length,
                                .rows = rows,
                                .segments = has_offsets ? data->offsets : NULL,
                                .keys_out = form == CLRED_SORT_INDICES ? NULL : out[0],
                                .values = form == CLRED_SORT_PAIRS ? data->values : NULL,
                                .values_out = form == CLRED_SORT_KEYS ? NULL : out[1]};
}

static bool is_right(const clred_sorter *sorter, const struct sorted *data, cl_ulong count) {
  const clred_sort_form form = sorter->problem.form;
  const size_t value = form == CLRED_SORT_PAIRS ? sorter->problem.value_size : sorter->shape.index_size;
  if (form != CLRED_SORT_INDICES &&
      memcmp(data->expected[0], data->got[0], (size_t)count * sorter->ordering.type->size) != 0)
    return false;
  return form == CLRED_SORT_KEYS || memcmp(data->expected[1], data->got[1], (size_t)count * value) == 0;
}

static cl_int run(clred_sorter *sorter, struct sorted *data, cl_command_queue queue, cl_ulong count, bool by_passes,
                  struct clr_status *status) {
  const clred_sort_host_call on_host = call_of(sorter, data, count, data->expected),
                             on_device = call_of(sorter, data, count, data->got);
  cl_int err = clr_sort_on_host(sorter, &on_host, status);
  if (!err)
    err = clr_sort_host_memory(queue, sorter, &on_device, by_passes, status);
  if (!err && !is_right(sorter, data, clr_sort_keys(sorter, on_device.count, on_device.rows)))
    err = clr_fail(status, CLRED_WRONG_RESULT, "%llu keys%s: a wrong order", (unsigned long long)count,
                   by_passes ? " by passes" : "");
  return err;
}

static cl_int run_all(clred_sorter *sorter, struct clr_status *status) {
  const cl_ulong tile = sorter->shape.tile, most = clr_min(sorter->problem.count_max, MOST_KEYS);
  const cl_ulong counts[] = {1, 2, 17, 257, tile - 1, tile, tile + 1, MOST_KEYS};
  struct clr_session session;
  struct sorted data = {.keys = NULL};
  cl_int err =
    clr_session_open(sorter->runtime->context, sorter->runtime->device, "a trial of a sort", &session, status);
  if (!err && !make_data(sorter, (size_t)most, &data))
    err = clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory for a trial of a sort");
  for (size_t i = 0; i < 2 * (sizeof counts / sizeof *counts) && !err; i++) {
    const cl_ulong count = counts[i / 2];
    if (count && count <= most)
      err = run(sorter, &data, session.queue, count, i % 2 == 1, status);
  }
  release_data(&data);
  clr_session_close(&session);
  return err;
}

static cl_int try(clred_sorter *sorter, struct clr_status *status) {
  struct clr_status found = {0};
  const struct clr_tried_program program = {
    sorter->runtime, sorter->built, clr_sort_cover(sorter), "sort", sorter->ordering.type->name, "clred_sort_move"};
  if (sorter->is_right || !sorter->built)
    return CL_SUCCESS;
  cl_int err = clr_trial_conclude(&program, run_all(sorter, &found), &found, status);
  sorter->is_right = !err;
  return err;
}

cl_int clr_sorter_make_tried(clred_runtime *runtime, const clred_sort_problem *problem, clred_sorter **made,
                             struct clr_status *status) {
  clred_sorter *sorter = NULL;
  if (runtime->trusts || problem->host_calls)
    return clr_sorter_make(runtime, problem, CLR_VET_NOTHING, made, status);
  const enum clr_vetting vetting = atomic_load(&runtime->outside.works) ? CLR_VET_KNOWN : CLR_VET_BEGIN;
  cl_int err = clr_sorter_make(runtime, problem, vetting, &sorter, status);
  if (err == CLR_UNTRIED) {
    clr_worker_try_sort(runtime, problem);
    err = clr_sorter_make(runtime, problem, CLR_VET_BEGIN, &sorter, status);
  }
  if (!err)
    err = try(sorter, status);
  if (err)
    clr_sorter_release(sorter);
  else
    *made = sorter;
  return err;
}

// The sorter that works on the device: this one, or the one that host_calls need now.
static cl_int take_device(clred_sorter *sorter, clred_sorter **device, struct clr_status *status) {
  clred_sort_problem problem = sorter->problem;
  clred_sorter *made = NULL;
  cl_int err = CL_SUCCESS;
  *device = sorter;
  if (!problem.host_calls)
    return CL_SUCCESS;
  problem.host_calls = CL_FALSE;
  clr_mutex_lock(&sorter->lock);
  if (!sorter->device) {
    err = clr_sorter_make_tried(sorter->runtime, &problem, &made, status);
    sorter->device = made;
  }
  *device = sorter->device;
  clr_mutex_unlock(&sorter->lock);
  return err;
}

// ---------------------------------------------------------------- Warming

cl_int clr_sorter_warm(cl_command_queue queue, clred_sorter *sorter, struct clr_status *status) {
  struct sorted data = {.keys = NULL};
  cl_int err = take_device(sorter, &sorter, status);
  if (err)
    return err;
  // More than one tile or chunk, where there is room.
  const cl_ulong count = clr_min(sorter->problem.count_max, 2 * clr_max(sorter->shape.tile, 8192));
  if (!make_data(sorter, (size_t)count, &data))
    err = clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while warming a sorter");
  for (int i = 0; i < 2 && !err; i++) {
    const clred_sort_host_call call = call_of(sorter, &data, i ? count : 1, data.got);
    err = clr_sort_host_memory(queue, sorter, &call, i == 1, status);
  }
  release_data(&data);
  return err;
}

// ---------------------------------------------------------------- Calls of host memory

cl_int clr_sorter_run_host(cl_command_queue queue, clred_sorter *sorter, const clred_sort_host_call *call,
                           struct clr_status *status) {
  clred_sorter *device = NULL;
  cl_int err = clr_sort_check_host(queue, sorter, call, status);
  if (err)
    return err;
  if (sorter->problem.host_calls && !sorter->runtime->device_only &&
      clr_sort_keys(sorter, call->count, call->rows) <= CLRED_SORT_HOST_MAX)
    return clr_sort_on_host(sorter, call, status);
  err = take_device(sorter, &device, status);
  return err ? err : clr_sort_host_memory(queue, device, call, false, status);
}

cl_int clr_sort_host_planless(clred_runtime *runtime, const clred_sort_problem *problem,
                              const clred_sort_host_call *call, struct clr_status *status) {
  clred_sorter *sorter = NULL;
  cl_int err = clr_sorter_make_tried(runtime, problem, &sorter, status);
  if (err)
    return err;
  cl_command_queue queue = clCreateCommandQueue(runtime->context, runtime->device, 0, &err);
  if (err)
    clr_fail_call(status, err, "clCreateCommandQueue", "a queue for the call");
  else
    err = clr_sorter_run_host(queue, sorter, call, status);
  if (queue)
    clReleaseCommandQueue(queue);
  clr_sorter_release(sorter);
  return err;
}
