// Checks a problem, chooses numbers, builds the program and allocates what calls need.
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"
#include "opencl/launch.h"
#include "planning/shape.h"
#include "sort/sort.h"
#include "source/generated.h"
#include "source/source.h"

// ---------------------------------------------------------------- The problem

#define ROW_MOST (((cl_ulong)1 << 30) - 1)

static cl_int check_bits(const clred_sort_problem *problem, const struct clr_type *type, struct clr_status *status) {
  const cl_uint most = 8 * (cl_uint)type->size, end = problem->end_bit ? problem->end_bit : most;
  if ((problem->begin_bit || problem->end_bit) && type->class == CLR_FLOATING)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "%s: %s keys are compared as numbers, not by bits; leave it 0",
                    problem->begin_bit ? "begin_bit" : "end_bit", type->name);
  if (end > most)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "end_bit: %u is above the %u bits of %s", end, most, type->name);
  if (problem->begin_bit >= end)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "begin_bit: %u is not below end_bit %u", problem->begin_bit, end);
  return CL_SUCCESS;
}

static cl_int check_form(const clred_sort_problem *problem, struct clr_status *status) {
  if (problem->form > CLRED_SORT_INDICES)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "form: there is no value %d", (int)problem->form);
  if (problem->form == CLRED_SORT_PAIRS && (problem->value_size == 0 || problem->value_size > CLRED_SORT_VALUE_MAX))
    return clr_fail(status, CLRED_INVALID_PROBLEM, "value_size: a value has 1 to %d bytes, not %zu",
                    CLRED_SORT_VALUE_MAX, problem->value_size);
  if (problem->form != CLRED_SORT_PAIRS && problem->value_size)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "value_size: only pairs have values; leave it 0");
  if (problem->count_max == 0 || problem->count_max >> 40)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "count_max: give the largest count of a call, 1 to 2^40 - 1");
  return CL_SUCCESS;
}

static cl_int check_layout(const clred_sort_problem *problem, struct clr_status *status) {
  const clred_layout layout = problem->layout;
  const clred_type type = problem->segment_type;
  const bool has_rows = layout == CLRED_LAYOUT_ROWS || layout == CLRED_LAYOUT_SEGMENTS;
  if (layout != CLRED_LAYOUT_LINE && !has_rows)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "layout: sorts have the layouts LINE, ROWS and SEGMENTS, not %d",
                    (int)layout);
  if (layout == CLRED_LAYOUT_SEGMENTS && type != CLRED_TYPE_UINT && type != CLRED_TYPE_INT &&
      type != CLRED_TYPE_ULONG && type != CLRED_TYPE_LONG)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "segment_type: offsets have the types UINT, INT, ULONG and LONG");
  if (layout != CLRED_LAYOUT_SEGMENTS && type)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "segment_type: only the layout SEGMENTS has offsets; leave it 0");
  if (!has_rows && problem->row_max)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "row_max: only the layouts ROWS and SEGMENTS have rows; leave it 0");
  if (problem->row_max > ROW_MOST)
    return clr_fail(status, CLRED_INVALID_PROBLEM, "row_max: a row has at most 2^30 - 1 keys");
  return CL_SUCCESS;
}

static cl_int check_problem(const clred_sort_problem *problem, struct clr_status *status) {
  const struct clr_type *type = clr_type_row(problem->type);
  struct clr_element element;
  if (!clr_element_make(problem->type, &element))
    return clr_fail(status, CLRED_INVALID_PROBLEM, CLR_NO_TYPE, (int)problem->type);
  if (!type || type->class == CLR_COMPLEX)
    return clr_fail(status, CLRED_OPERATOR_TYPE, "type: %s has no order; keys have the types CHAR to BFLOAT16",
                    element.name);
  cl_int err = check_form(problem, status);
  if (!err)
    err = check_layout(problem, status);
  return err ? err : check_bits(problem, type, status);
}

static cl_int check_device(const struct clr_facts *facts, const struct clr_type *type, struct clr_status *status) {
  if (!(facts->types >> type->id & 1))
    return clr_fail(status, CLRED_TYPE_NOT_SUPPORTED, "the device computes wrong with %s (fact types)", type->name);
  if (!facts->cpu && (!facts->atomics || !facts->local_atomics))
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "sorts need atomics of 32 bits, and those of the device do not work (facts atomics, "
                    "local_atomics)");
  if (facts->loop_trips)
    return clr_fail(status, CLRED_STRATEGY_REFUSED,
                    "sorts need long loops, and the device ends loops after %llu turns (fact loop_trips)",
                    (unsigned long long)facts->loop_trips);
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Numbers

// Values of these sizes move with their keys in each pass. For larger values, positions move.
static bool is_carried(size_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

// Groups of 256 work-items on NVIDIA's GPUs have registers for 24 keys each; votes rank digits of 8 bits.
static void choose_voting(const struct clr_facts *facts, size_t key_size, struct clr_sort_shape *shape) {
  const size_t larger = clr_max(key_size, shape->carried_size);
  const cl_ulong fixed = 7 << 10;
  const cl_ulong most = shape->has_rows ? 16 : larger <= 2 ? 32 : larger <= 4 ? 24 : 16;
  // In a launch of one group, positions of 16 bits move instead of values. Short rows also need the numbers of their
  // rows, and where these begin.
  const cl_ulong more = shape->has_rows ? 3 * sizeof(cl_ushort) : shape->carried_size ? sizeof(cl_ushort) : 0;
  const cl_ulong fit = (clr_usable_local(facts) - fixed) / 256;
  shape->has_votes = true;
  shape->radix_log2 = 8;
  shape->group_size = 256;
  shape->items = clr_min(most, clr_min(fit / larger, fit / (key_size + more)));
}

// Without votes each work-item counts its digits of 4 bits in local memory.
static cl_int choose_counting(const struct clr_facts *facts, size_t key_size, struct clr_sort_shape *shape,
                              struct clr_status *status) {
  const size_t least = shape->has_rows ? 3 * sizeof(cl_ushort) : shape->carried_size ? sizeof(cl_ushort) : 0;
  const size_t carried = clr_max(shape->carried_size, least);
  const size_t bytes = key_size + carried;
  const cl_ulong local = clr_usable_local(facts), fixed = 512;
  shape->radix_log2 = 4;
  shape->items = 8;
  for (shape->group_size = clr_largest_group(facts, 256); shape->group_size >= 16; shape->group_size /= 2)
    if (fixed + shape->group_size * (shape->items * bytes + 16 * sizeof(cl_ushort) + sizeof(cl_uint)) <= local)
      return CL_SUCCESS;
  return clr_fail(status, CLRED_STRATEGY_REFUSED,
                  "sorts need groups of 16 work-items with %llu bytes of local memory (facts max_work_group_size, "
                  "local_mem_size)",
                  (unsigned long long)(fixed + 16 * (8 * bytes + 36)));
}

static void choose_chunks(const struct clr_facts *facts, struct clr_sort_shape *shape) {
  shape->in_chunks = true;
  shape->radix_log2 = 8;
  shape->group_size = shape->items = 1;
  // More parts than compute units, because rows may take different times.
  shape->chunks = clr_min(shape->has_rows ? 8 * facts->compute_units : facts->compute_units, 256);
  shape->alone_max = shape->chunks > 1 ? 1 << 15 : CL_UINT_MAX;
}

cl_int clr_sort_resolve(const clred_sort_problem *problem, const struct clr_facts *facts, struct clr_sort_shape *shape,
                        struct clr_status *status) {
  const struct clr_type *type = clr_type_row(problem->type);
  const cl_uint end = problem->end_bit ? problem->end_bit : 8 * (cl_uint)type->size;
  const size_t index = problem->count_max >> 32 ? sizeof(cl_ulong) : sizeof(cl_uint);
  const bool carries = is_carried(problem->value_size), has_rows = problem->layout != CLRED_LAYOUT_LINE;
  *shape = (struct clr_sort_shape){.key_bits = end - problem->begin_bit,
                                   .has_rows = has_rows,
                                   .row_most = problem->row_max ? problem->row_max : ROW_MOST,
                                   .index_size = index,
                                   .position_size = has_rows ? sizeof(cl_uint) : index};
  shape->gathered_size = carries ? 0 : problem->value_size;
  shape->carried_size = problem->form == CLRED_SORT_KEYS ? 0 : carries ? problem->value_size : index;
  const bool votes = facts->device_fence == CLR_FENCE_PTX && facts->preferred_multiple == 32 &&
                     clr_largest_group(facts, 256) == 256 && clr_usable_local(facts) >= 32 << 10;
  cl_int err = CL_SUCCESS;
  if (facts->cpu)
    choose_chunks(facts, shape);
  else if (votes)
    choose_voting(facts, type->size, shape);
  else
    err = choose_counting(facts, type->size, shape, status);
  if (err)
    return err;
  // On NVIDIA's GPUs, groups begin in the order of their numbers.
  shape->takes_tickets = facts->device_fence != CLR_FENCE_PTX;
  shape->digits = (shape->key_bits + shape->radix_log2 - 1) / shape->radix_log2;
  shape->tile = shape->group_size * shape->items;
  shape->portion = ((cl_ulong)1 << 28) / shape->tile * shape->tile;
  shape->short_max = shape->tile / 2;
  if (!shape->in_chunks)
    shape->alone_max = shape->tile;
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- The program

void clr_sort_write_plan(const clred_sorter *sorter, struct clr_text *text) {
  const struct clr_sort_shape *shape = &sorter->shape;
  const struct clr_ordering *ordering = &sorter->ordering;
  const struct clr_facts *facts = &sorter->runtime->facts;
  const struct {
    const char *name;
    unsigned long long value;
  } numbers[] = {{"DESCENDING", ordering->descending},
                 {"GROUP_SIZE", shape->group_size},
                 {"ITEMS", shape->items},
                 {"RADIX_LOG2", shape->radix_log2},
                 {"BEGIN_BIT", sorter->problem.begin_bit},
                 {"KEY_BITS", shape->key_bits},
                 {"POSITION_SIZE", shape->position_size},
                 {"VALUE_SIZE", shape->carried_size},
                 {"COUNTS_VALUES", sorter->problem.form == CLRED_SORT_INDICES || shape->gathered_size},
                 {"HAS_VOTES", shape->has_votes},
                 {"TAKES_TICKETS", shape->takes_tickets},
                 {"PREFETCHES", facts->cpu && facts->device_fence == CLR_FENCE_C11},
                 {"LINE", 64 / ordering->type->size},
                 {"GATHER_SIZE", shape->gathered_size},
                 {"SEGMENTED", shape->has_rows},
                 {"EQUAL_ROWS", sorter->problem.layout == CLRED_LAYOUT_ROWS},
                 {"ROW_INDICES", sorter->problem.form == CLRED_SORT_INDICES},
                 {"HALF", shape->short_max},
                 {"FAULTS", 1},
                 {"LONG_ATOMICS", sorter->runtime->facts.int64_atomics}};
  clr_text_append(text, "#pragma once\n");
  clr_fence_defines((enum clr_fence)facts->device_fence, text);
  clr_element_defines(ordering->type, text);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    clr_text_format(text, "#define %s %llu\n", numbers[i].name, numbers[i].value);
  clr_text_format(text, "#define POSITION %s\n#define GATHER_WORD %s\n", shape->position_size == 8 ? "ulong" : "uint",
                  shape->gathered_size % 4 ? "uchar" : "uint");
  if (sorter->problem.layout == CLRED_LAYOUT_SEGMENTS)
    clr_text_format(text, "#define OFFSET %s\n", clr_type_row(sorter->problem.segment_type)->name);
  clr_text_format(text, "#define NAN_KEY %s\n#define INFINITE 0x%llx\n", ordering->nans_first ? "0" : "KEY_MAX",
                  (unsigned long long)ordering->infinite);
}

unsigned clr_sort_cover(const clred_sorter *sorter) {
  unsigned cover = 0;
  for (cl_ulong size = clr_min(sorter->problem.count_max, (cl_ulong)1 << 17); size; size /= 2)
    cover++;
  for (cl_ulong size = sorter->problem.row_max; size; size /= 2)
    cover += 64;
  return cover;
}

enum program { IN_TILES, IN_CHUNKS, ROWS_IN_TILES, ROWS_IN_CHUNKS, PROGRAMS };

static enum program program_of(const struct clr_sort_shape *shape) {
  return shape->in_chunks ? (shape->has_rows ? ROWS_IN_CHUNKS : IN_CHUNKS) : shape->has_rows ? ROWS_IN_TILES : IN_TILES;
}

static const char *const programs[PROGRAMS] = {"sort/radix.cl", "sort/chunked.cl", "sort/rows.cl",
                                               "sort/rows_chunked.cl"};

static const char *const kernel_names[PROGRAMS][CLR_SORT_KERNELS] = {
  [IN_TILES] = {[CLR_SORT_COUNT] = "clred_sort_count",
                [CLR_SORT_MOVE] = "clred_sort_move",
                [CLR_SORT_COPY] = "clred_sort_copy",
                [CLR_SORT_SMALL] = "clred_sort_small",
                [CLR_SORT_GATHER] = "clred_sort_gather"},
  [IN_CHUNKS] = {[CLR_SORT_COUNT] = "clred_sort_count",
                 [CLR_SORT_CHOOSE] = "clred_sort_choose",
                 [CLR_SORT_RECOUNT] = "clred_sort_recount",
                 [CLR_SORT_SCAN] = "clred_sort_scan",
                 [CLR_SORT_MOVE] = "clred_sort_move",
                 [CLR_SORT_COPY] = "clred_sort_copy",
                 [CLR_SORT_SMALL] = "clred_sort_small",
                 [CLR_SORT_GATHER] = "clred_sort_gather"},
  [ROWS_IN_TILES] = {[CLR_SORT_CLEAR] = "clred_sort_clear",
                     [CLR_SORT_FIND] = "clred_sort_find_rows",
                     [CLR_SORT_SMALL] = "clred_sort_short_rows",
                     [CLR_SORT_COUNT] = "clred_sort_count_rows",
                     [CLR_SORT_SCAN] = "clred_sort_scan_rows",
                     [CLR_SORT_MOVE] = "clred_sort_move_rows",
                     [CLR_SORT_COPY] = "clred_sort_copy_rows",
                     [CLR_SORT_GATHER] = "clred_sort_gather"},
  [ROWS_IN_CHUNKS] = {[CLR_SORT_FIND] = "clred_sort_check_rows",
                      [CLR_SORT_MOVE] = "clred_sort_rows",
                      [CLR_SORT_GATHER] = "clred_sort_gather"},
};

static cl_int make_program(clred_sorter *sorter, enum clr_vetting vetting, struct clr_status *status) {
  struct clr_operation named = {.name = "sorts"};
  const struct clr_vet vet = {vetting, clr_sort_cover(sorter)};
  struct clr_text plan = {0};
  clr_element_make(sorter->problem.type, &named.element);
  clr_sort_write_plan(sorter, &plan);
  cl_int err = plan.failed ? clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while writing a program")
                           : clr_runtime_file(sorter->runtime, &named, plan.bytes, programs[program_of(&sorter->shape)],
                                              &vet, &sorter->built, &sorter->is_right, status);
  clr_text_release(&plan);
  return err;
}

static cl_int make_kernels(clred_sorter *sorter, struct clr_status *status) {
  cl_int err = CL_SUCCESS;
  atomic_store(&sorter->built->launched, true);
  for (int i = 0; i < CLR_SORT_KERNELS; i++) {
    const char *name = kernel_names[program_of(&sorter->shape)][i];
    if (!name || (i == CLR_SORT_GATHER && !sorter->shape.gathered_size))
      continue;
    sorter->kernels[i] = clCreateKernel(sorter->built->program, name, &err);
    if (err)
      return clr_fail_call(status, err, "clCreateKernel", name);
  }
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- Memory

// struct clred_sort_table of cl/sort/sort.clh. With rows, each long row or each chunk has a table.
static cl_ulong table_bytes(const clred_sorter *sorter) {
  const struct clr_sort_shape *shape = &sorter->shape;
  const cl_ulong bins = (cl_ulong)shape->digits << shape->radix_log2, words = (4 * shape->digits + 2) * sizeof(cl_uint);
  if (!shape->has_rows)
    return 2 * bins * shape->position_size + bins * sizeof(cl_uint) + words;
  return (bins * shape->position_size + words) *
         (shape->in_chunks ? shape->chunks : clr_sort_first_slots(shape, sorter->problem.count_max));
}

static cl_ulong count_bytes(const clred_sorter *sorter) {
  const struct clr_sort_shape *shape = &sorter->shape;
  const cl_ulong count = sorter->problem.count_max;
  if (shape->in_chunks)
    return shape->chunks * shape->digits * shape->position_size << shape->radix_log2;
  const cl_ulong tiles =
    shape->has_rows ? clr_sort_slots(shape, count) : clr_ceil_divide(clr_min(count, shape->portion), shape->tile);
  return 2 * sizeof(cl_uint) * tiles << shape->radix_log2;
}

// The table is 0 before the first call. With rows, each call clears its tables.
static cl_int make_table(clred_sorter *sorter, struct clr_status *status) {
  const size_t bytes = (size_t)table_bytes(sorter);
  if (sorter->shape.has_rows)
    return CL_SUCCESS;
  void *zeros = calloc(bytes, 1);
  if (!zeros)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while making a sorter");
  cl_int err = clr_buffer_make(sorter->runtime->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, zeros,
                               "the table of a sorter", &sorter->table, status);
  sorter->device_bytes += bytes;
  free(zeros);
  return err;
}

static cl_int make_buffers(clred_sorter *sorter, struct clr_status *status) {
  const struct clr_sort_shape *shape = &sorter->shape;
  const cl_ulong count = sorter->problem.count_max;
  const bool only_indices = sorter->problem.form == CLRED_SORT_INDICES, in_tiles = shape->has_rows && !shape->in_chunks;
  const struct {
    cl_mem *buffer;
    cl_ulong size, count;  // bytes of an entry, and entries
  } buffers[] = {
    {&sorter->table, shape->has_rows ? table_bytes(sorter) : 0, 1},
    {&sorter->counts, count_bytes(sorter), 1},
    {&sorter->first_rows, in_tiles ? sizeof(cl_uint) : 0, in_tiles ? clr_sort_first_slots(shape, count) + 1 : 0},
    {&sorter->row_of_slot, in_tiles ? sizeof(cl_uint) : 0, in_tiles ? clr_sort_slots(shape, count) : 0},
    {&sorter->outcome, shape->has_rows ? sizeof(clred_outcome) : 0, 1},
    {&sorter->spare_keys, sorter->ordering.type->size, count},
    {&sorter->sorted_keys, only_indices ? sorter->ordering.type->size : 0, count},
    {&sorter->spare_values, shape->carried_size, count},
    {&sorter->indices, shape->gathered_size ? shape->carried_size : 0, count},
    {&sorter->gathered, shape->gathered_size, count},
  };
  cl_int err = make_table(sorter, status);
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers && !err; i++) {
    const cl_ulong bytes = clr_multiply(buffers[i].size, buffers[i].count);
    if (!bytes)
      continue;
    if (bytes > sorter->runtime->facts.max_alloc)
      return clr_fail(status, CL_INVALID_BUFFER_SIZE,
                      "count_max: %llu needs a buffer of %llu bytes, and the device has buffers of up to %llu",
                      (unsigned long long)count, (unsigned long long)bytes,
                      (unsigned long long)sorter->runtime->facts.max_alloc);
    sorter->device_bytes += (size_t)bytes;
    err = clr_buffer_make(sorter->runtime->context, CL_MEM_READ_WRITE, (size_t)bytes, NULL,
                          "the scratch memory of a sorter", buffers[i].buffer, status);
  }
  return err;
}

static cl_int build(clred_sorter *sorter, enum clr_vetting vetting, struct clr_status *status) {
  cl_int err = make_program(sorter, vetting, status);
  if (!err)
    err = make_kernels(sorter, status);
  if (!err)
    err = make_buffers(sorter, status);
  // If the sorter cannot be made, its program was not tried.
  if (err && sorter->built && vetting == CLR_VET_BEGIN && !sorter->is_right)
    clr_runtime_judge(sorter->runtime, sorter->built, clr_sort_cover(sorter), err, NULL);
  return err;
}

cl_int clr_sorter_make(clred_runtime *runtime, const clred_sort_problem *problem, enum clr_vetting vetting,
                       clred_sorter **made, struct clr_status *status) {
  struct clr_facts facts = runtime->facts;
  const struct clr_type *type = clr_type_row(problem->type);
  struct clr_sort_shape shape;
  cl_int err = check_problem(problem, status);
  if (!err)
    err = check_device(&facts, type, status);
  if (!err)
    err = clr_sort_resolve(problem, &facts, &shape, status);
  if (err)
    return err;
  clred_sorter *sorter = calloc(1, sizeof *sorter);
  if (!sorter || !clr_mutex_init(&sorter->lock)) {
    free(sorter);
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while making a sorter");
  }
  sorter->runtime = runtime;
  sorter->problem = *problem;
  sorter->shape = shape;
  sorter->ordering = clr_ordering_make(type, problem->descending, problem->nans_first);
  if (!problem->host_calls)
    err = build(sorter, vetting, status);
  if (err)
    clr_sorter_release(sorter);
  else
    *made = sorter;
  return err;
}

void clr_sorter_release(clred_sorter *sorter) {
  if (!sorter)
    return;
  cl_mem buffers[] = {sorter->table,   sorter->counts,   sorter->spare_keys, sorter->spare_values, sorter->sorted_keys,
                      sorter->indices, sorter->gathered, sorter->first_rows, sorter->row_of_slot,  sorter->outcome};
  clr_sorter_release(sorter->device);
  clr_release_buffers(buffers, sizeof buffers / sizeof *buffers);
  for (int i = 0; i < CLR_SORT_KERNELS; i++)
    if (sorter->kernels[i])
      clReleaseKernel(sorter->kernels[i]);
  if (sorter->kept.count)
    clr_keep_event(&sorter->kept, sorter->last);
  else
    clr_release_event(&sorter->last);
  clr_wait_for_events(&sorter->kept);
  if (sorter->queue)
    clReleaseCommandQueue(sorter->queue);
  clr_mutex_destroy(&sorter->lock);
  free(sorter);
}

void clr_sorter_inspect(const clred_sorter *sorter, clred_sorter_info *info) {
  const clred_sort_problem *problem = &sorter->problem;
  const struct clr_sort_shape *shape = &sorter->shape;
  const bool has_indices = problem->form == CLRED_SORT_INDICES;
  const size_t index = shape->index_size;
  const clred_sorter *device = sorter->device;
  *info = (clred_sorter_info){.index_type = !has_indices                ? CLRED_TYPE_NONE
                                            : index == sizeof(cl_ulong) ? CLRED_TYPE_ULONG
                                                                        : CLRED_TYPE_UINT,
                              .value_size = has_indices ? index : problem->value_size,
                              .group_size = shape->group_size,
                              .tile = shape->in_chunks ? 0 : shape->tile,
                              .passes = shape->digits,
                              .alone_max = shape->alone_max,
                              .device_bytes = device ? device->device_bytes : sorter->device_bytes};
}
