// Checks a problem, builds its program and allocates what runs need.
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "opencl/launch.h"
#include "opencl/session.h"
#include "planning/shape.h"
#include "quantile/quantile.h"
#include "runtime/loop_limit.h"
#include "source/source.h"

// Keys of candidates if no count_max bounds the calls.
#define CANDIDATES ((cl_ulong)1 << 22)
// The number of candidates must fit 32 bits, and the candidates fill one buffer of at most 8 GiB.
#define CANDIDATES_MAX ((cl_ulong)1 << 30)
#define CHOSEN_MAX ((cl_ulong)1 << 30)

// ---------------------------------------------------------------- The problem

static cl_int check_which(const clred_quantile_problem *problem, struct clr_status *status) {
  const cl_ulong most = problem->top > problem->bottom ? problem->top : problem->bottom;
  if ((problem->at != NULL) + (problem->top > 0) + (problem->bottom > 0) != 1)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "a quantile problem needs one of at, top and bottom");
  if (most > CHOSEN_MAX)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "%s: %llu is too many; give 1 to %llu",
                    problem->top ? "top" : "bottom", (unsigned long long)most, (unsigned long long)CHOSEN_MAX);
  if (problem->at && (problem->at_count == 0 || problem->at_count > CLRED_QUANTILES_MAX))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "at_count: %zu quantiles; give 1 to %d", problem->at_count,
                    CLRED_QUANTILES_MAX);
  return CL_SUCCESS;
}

static cl_int check_problem(const clred_quantile_problem *problem, struct clr_status *status) {
  const struct clr_type *type = clr_type_row(problem->type);
  struct clr_element element;
  cl_int err = check_which(problem, status);
  if (err)
    return err;
  if (!clr_element_make(problem->type, &element))
    return clr_fail(status, CLRED_INVALID_PROBLEM, CLR_NO_TYPE, (int)problem->type);
  if (!type || type->class == CLR_COMPLEX)
    return clr_fail(status, CLRED_OPERATOR_TYPE,
                    "type: %s has no order; quantiles are defined for the types CHAR to BFLOAT16", element.name);
  if (problem->interpolation > CLRED_INTERPOLATION_NEAREST || problem->nan > CLRED_NAN_IGNORE)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "%s: there is no value %d",
                    problem->nan > CLRED_NAN_IGNORE ? "nan" : "interpolation",
                    (int)(problem->nan > CLRED_NAN_IGNORE ? (int)problem->nan : (int)problem->interpolation));
  for (size_t i = 0; i < problem->at_count && problem->at; i++)
    if (!(problem->at[i] >= 0 && problem->at[i] <= 1))
      return clr_fail(status, CLRED_INVALID_PROBLEM, "at[%zu]: %g is no quantile; give 0 to 1", i, problem->at[i]);
  return CL_SUCCESS;
}

static cl_int check_device(const struct clr_facts *facts, const struct clr_type *type, struct clr_status *status) {
  if (!(facts->types >> type->id & 1))
    return clr_fail(status, CLRED_TYPE_NOT_SUPPORTED, "the device computes wrong with %s (fact types)", type->name);
  if (!facts->atomics || (!facts->cpu && !facts->local_atomics))
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "quantiles need atomics of 32 bits, and those of the device do not "
                    "work (facts atomics, local_atomics)");
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Numbers

static cl_ulong sides_of(const clred_quantile_problem *problem) {
  cl_ulong wanted = problem->at ? problem->at_count : 1;
  return wanted > CLR_SIDES_MAX ? 1 : clr_pow2_ceil(wanted);
}

static cl_int choose_numbers(clred_quantile *quantile, const struct clr_facts *facts, struct clr_status *status) {
  const clred_quantile_problem *problem = &quantile->problem;
  const cl_ulong wanted = 8192, asked = problem->at ? problem->at_count : clr_quantile_chosen(quantile),
                 least = problem->at && asked > 16 ? 4 * asked : 64;
  // On GPUs, large groups: all work-items of a group share one set of counters.
  quantile->group_size = facts->cpu ? 1 : clr_largest_group(facts, 512);
  quantile->sides = sides_of(problem);
  quantile->slots = clr_min(wanted, clr_pow2_floor(clr_usable_local(facts) / sizeof(cl_uint) / 2));
  if (quantile->slots < least)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "%s: %llu need %llu bytes of local memory, and a group of the device has %llu",
                    problem->at    ? "at_count"
                    : problem->top ? "top"
                                   : "bottom",
                    (unsigned long long)asked, (unsigned long long)(8 * clr_pow2_ceil(least)),
                    (unsigned long long)facts->local_mem_size);
  cl_ulong share = problem->count_max ? problem->count_max / 10 : CANDIDATES;
  cl_ulong most = clr_min(facts->max_alloc / clr_quantile_key_size(quantile), CANDIDATES_MAX);
  quantile->capacity = clr_clamp(share, CLR_SAMPLE, most);
  quantile->slice = (cl_ulong)1 << 30;
  // On devices that end loops early: a work-item needs iterations to clear and add up counters, and for its elements.
  if (facts->loop_trips) {
    cl_ulong spent = 3 * quantile->slots / quantile->group_size + 64, groups = 64;
    cl_ulong left = facts->loop_trips > 2 * spent ? facts->loop_trips - spent : spent;
    quantile->slice = clr_min(quantile->slice, left / 8 * groups * quantile->group_size);
  }
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- The program

void clr_quantile_write_plan(const clred_quantile *quantile, struct clr_text *text) {
  const struct clr_ordering *ordering = &quantile->ordering;
  const struct {
    const char *name;
    unsigned long long value;
  } numbers[] = {{"KEY_SIZE", clr_quantile_key_size(quantile)},
                 {"DESCENDING", ordering->descending},
                 {"GROUP_SIZE", quantile->group_size},
                 {"SLOTS", quantile->slots},
                 {"SIDES", quantile->sides},
                 {"SEARCHES", clr_quantile_searches(quantile)},
                 {"SAMPLE", CLR_SAMPLE}};
  clr_text_append(text, "#pragma once\n");
  clr_element_defines(ordering->type, text);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    clr_text_format(text, "#define %s %llu\n", numbers[i].name, numbers[i].value);
  clr_text_format(text, "#define NAN_KEY %s\n#define INFINITE 0x%llx\n", ordering->nans_first ? "0" : "KEY_MAX",
                  (unsigned long long)ordering->infinite);
}

unsigned clr_quantile_cover(const clred_quantile *quantile) {
  const cl_ulong bound = quantile->problem.count_max ? quantile->problem.count_max : CL_ULONG_MAX;
  unsigned cover = 0;
  for (cl_ulong size = clr_min(bound, (cl_ulong)1 << 17); size; size /= 2)
    cover++;
  for (cl_ulong size = clr_quantile_chosen(quantile); size; size /= 2)
    cover += 64;
  return cover;
}

static cl_int make_program(clred_quantile *quantile, enum clr_vetting vetting, struct clr_status *status) {
  struct clr_operation named = {.name = "quantiles"};
  const struct clr_vet vet = {vetting, clr_quantile_cover(quantile)};
  struct clr_text plan = {0};
  clr_element_make(quantile->problem.type, &named.element);
  clr_quantile_write_plan(quantile, &plan);
  cl_int err = plan.failed ? clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing a program")
                           : clr_runtime_file(quantile->runtime, &named, plan.bytes, "quantile/quantile.cl", &vet,
                                              &quantile->built, &quantile->is_right, status);
  clr_text_release(&plan);
  return err;
}

static cl_int make_kernels(clred_quantile *quantile, enum clr_vetting vetting, struct clr_status *status) {
  static const char *const names[CLR_QUANTILE_KERNELS] = {
    [CLR_QUANTILE_SAMPLE] = "clred_quantile_sample",
    [CLR_QUANTILE_COUNT] = "clred_quantile_count_elements",
    [CLR_QUANTILE_COUNT_KEYS] = "clred_quantile_count_keys",
    [CLR_QUANTILE_GATHER] = "clred_quantile_gather_elements",
    [CLR_QUANTILE_GATHER_KEYS] = "clred_quantile_gather_keys",
    [CLR_QUANTILE_COLLECT] = "clred_quantile_collect",
    [CLR_QUANTILE_TIES] = "clred_quantile_ties",
  };
  cl_int err = make_program(quantile, vetting, status);
  if (err)
    return err;
  atomic_store(&quantile->built->launched, true);
  for (size_t i = 0; i < CLR_QUANTILE_KERNELS; i++) {
    quantile->kernels[i] = clCreateKernel(quantile->built->program, names[i], &err);
    if (err)
      return clr_fail_call(status, err, "clCreateKernel", names[i]);
  }
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Memory

static size_t count_room(const clred_quantile *quantile) {
  return (size_t)(quantile->slots > CLR_TIE_PARTS ? quantile->slots : CLR_TIE_PARTS);
}

static cl_int make_buffers(clred_quantile *quantile, struct clr_status *status) {
  const size_t key = clr_quantile_key_size(quantile), chosen = (size_t)clr_quantile_chosen(quantile);
  const struct {
    cl_mem *buffer;
    size_t bytes;
  } buffers[] = {
    {&quantile->table, 3 * key * CLR_TARGETS_MAX},
    {&quantile->counts, sizeof(cl_uint) * count_room(quantile)},
    {&quantile->candidates, key * (size_t)quantile->capacity},
    {&quantile->finalists, key * CLR_SAMPLE},
    {&quantile->chosen, key * chosen},
    {&quantile->chosen_places, sizeof(cl_ulong) * chosen},
  };
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers && !err; i++) {
    if (!buffers[i].bytes)
      continue;
    quantile->device_bytes += buffers[i].bytes;
    err = clr_buffer_make(quantile->runtime->context, CL_MEM_READ_WRITE, buffers[i].bytes, NULL,
                          "the scratch memory of quantiles", buffers[i].buffer, status);
  }
  return err;
}

static cl_int make_memory(clred_quantile *quantile, struct clr_status *status) {
  const size_t chosen = (size_t)clr_quantile_chosen(quantile), held = chosen > CLR_SAMPLE ? chosen : CLR_SAMPLE;
  quantile->read_counts = calloc(count_room(quantile), sizeof *quantile->read_counts);
  quantile->totals = calloc(count_room(quantile), sizeof *quantile->totals);
  quantile->keys = calloc(held, sizeof(cl_ulong));
  quantile->places = calloc(chosen ? chosen : 1, sizeof *quantile->places);
  for (size_t i = 0; i < 2; i++)
    quantile->ranked[i] = calloc(held, sizeof *quantile->ranked[i]);
  bool made = quantile->read_counts && quantile->totals && quantile->keys && quantile->places && quantile->ranked[0] &&
              quantile->ranked[1];
  return made ? CL_SUCCESS : clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while making a quantile");
}

cl_int clr_quantile_resolve(clred_quantile *quantile, const struct clr_facts *facts, struct clr_status *status) {
  const clred_quantile_problem *problem = &quantile->problem;
  const struct clr_type *type = clr_type_row(problem->type);
  quantile->ordering = clr_ordering_make(type, problem->top > 0, !problem->at && problem->nan == CLRED_NAN_PROPAGATE);
  return choose_numbers(quantile, facts, status);
}

static cl_int fill(clred_quantile *quantile, enum clr_vetting vetting, struct clr_status *status) {
  struct clr_facts facts = quantile->runtime->facts;
  cl_int err = check_device(&facts, clr_type_row(quantile->problem.type), status);
  if (!err)
    err = clr_loop_limit_find(quantile->runtime, &facts, status);
  if (!err)
    err = clr_quantile_resolve(quantile, &facts, status);
  if (!err)
    err = make_memory(quantile, status);
  if (!err)
    err = make_kernels(quantile, vetting, status);
  return err ? err : make_buffers(quantile, status);
}

cl_int clr_quantile_make(clred_runtime *runtime, const clred_quantile_problem *problem, enum clr_vetting vetting,
                         clred_quantile **made, struct clr_status *status) {
  cl_int err = check_problem(problem, status);
  if (err)
    return err;
  clred_quantile *quantile = calloc(1, sizeof *quantile);
  if (!quantile)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while making a quantile");
  quantile->runtime = runtime;
  quantile->problem = *problem;
  if (problem->at)
    memcpy(quantile->quantiles, problem->at, problem->at_count * sizeof *problem->at);
  quantile->problem.at = problem->at ? quantile->quantiles : NULL;
  err = fill(quantile, vetting, status);
  // If the quantile cannot be made, its program was not tried.
  if (err && quantile->built && vetting == CLR_VET_BEGIN && !quantile->is_right)
    clr_runtime_judge(runtime, quantile->built, clr_quantile_cover(quantile), err, NULL);
  if (err)
    clr_quantile_release(quantile);
  else
    *made = quantile;
  return err;
}

void clr_quantile_release(clred_quantile *quantile) {
  if (!quantile)
    return;
  cl_mem buffers[] = {quantile->table,     quantile->counts, quantile->candidates,
                      quantile->finalists, quantile->chosen, quantile->chosen_places};
  clr_release_buffers(buffers, sizeof buffers / sizeof *buffers);
  for (size_t i = 0; i < CLR_QUANTILE_KERNELS; i++)
    if (quantile->kernels[i])
      clReleaseKernel(quantile->kernels[i]);
  void *const memory[] = {quantile->read_counts, quantile->totals,    quantile->keys,
                          quantile->places,      quantile->ranked[0], quantile->ranked[1]};
  for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
    free(memory[i]);
  free(quantile);
}

void clr_quantile_inspect(const clred_quantile *quantile, clred_quantile_info *info) {
  const clred_quantile_problem *problem = &quantile->problem;
  bool is_double = problem->at && problem->interpolation == CLRED_INTERPOLATION_LINEAR;
  *info = (clred_quantile_info){.result_type = is_double ? CLRED_TYPE_DOUBLE : problem->type,
                                .result_size = is_double ? sizeof(cl_double) : quantile->ordering.type->size,
                                .results = problem->at ? problem->at_count : clr_quantile_chosen(quantile),
                                .readings = quantile->readings,
                                .launches = quantile->launches,
                                .nans = quantile->nans,
                                .device_bytes = quantile->device_bytes,
                                .seconds = quantile->seconds};
}
