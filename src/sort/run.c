// One call of a sorter: checks, and launches one after another.
#include <string.h>

#include "base/arithmetic.h"
#include "opencl/buffer_check.h"
#include "opencl/launch.h"
#include "sort/sort.h"

// ---------------------------------------------------------------- Checks

static cl_int check_given(const clred_sorter *sorter, const clred_sort_call *call, cl_ulong count,
                          struct clr_status *status) {
  const clred_sort_form form = sorter->problem.form;
  const bool has_offsets = sorter->problem.layout == CLRED_LAYOUT_SEGMENTS;
  const struct {
    const char *name;
    const void *given;
    bool is_needed, is_allowed;
  } rows[] = {
    {"keys", call->keys, true, true},
    {"keys_out", call->keys_out, false, form != CLRED_SORT_INDICES},
    {"values", call->values, form == CLRED_SORT_PAIRS, form == CLRED_SORT_PAIRS},
    {"values_out", call->values_out, form == CLRED_SORT_INDICES, form != CLRED_SORT_KEYS},
    {"segments", call->segments, has_offsets, has_offsets},
    {"outcome", call->outcome, false, has_offsets},
  };
  static const char *const forms[] = {"keys", "pairs", "indices"};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const bool is_of_layout = i >= 4;
    if (count && rows[i].is_needed && !rows[i].given)
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s is NULL, and a sort of %s needs it", rows[i].name,
                      is_of_layout ? "segments" : forms[form]);
    if (!rows[i].is_allowed && rows[i].given)
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: a sort of %s has none; leave it out", rows[i].name,
                      is_of_layout ? "this layout" : forms[form]);
  }
  return CL_SUCCESS;
}

static cl_int check_numbers(const clred_sorter *sorter, const clred_sort_call *call, cl_ulong count,
                            struct clr_status *status) {
  const struct {
    const char *name;
    cl_mem buffer;
    cl_ulong offset;
  } offsets[] = {{"keys_out_offset", call->keys_out, call->keys_out_offset},
                 {"values_out_offset", call->values_out, call->values_out_offset},
                 {"segments_offset", call->segments, call->segments_offset},
                 {"outcome_offset", call->outcome, call->outcome_offset}};
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
    if (count && !offsets[i].buffer && offsets[i].offset)
      return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s is %llu, and its buffer is NULL; leave it 0", offsets[i].name,
                      (unsigned long long)offsets[i].offset);
  if (sorter->problem.layout == CLRED_LAYOUT_LINE && call->rows)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "rows: a sort of this layout has one row; leave it 0");
  if (call->rows >= CL_UINT_MAX)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "rows: %llu is too many; give fewer than 2^32 - 1",
                    (unsigned long long)call->rows);
  return CL_SUCCESS;
}

#define RANGES_MAX 6
struct ranges {
  struct clr_range at[RANGES_MAX];  // keys, sorted keys, values, sorted values, offsets, outcome; those of the call
  size_t count;
};

static void add_range(struct ranges *ranges, const char *name, cl_mem buffer, cl_ulong offset, cl_ulong count,
                      size_t size, cl_mem_flags forbidden) {
  ranges->at[ranges->count++] = clr_range(name, buffer, offset, count, size, forbidden);
}

static struct ranges ranges_of(const clred_sorter *sorter, const clred_sort_call *call, cl_ulong count) {
  const clred_sort_form form = sorter->problem.form;
  const size_t key = sorter->ordering.type->size,
               value = form == CLRED_SORT_PAIRS ? sorter->problem.value_size : sorter->shape.index_size;
  struct ranges ranges = {.count = 0};
  add_range(&ranges, "keys", call->keys, call->keys_offset, count, key, CL_MEM_WRITE_ONLY);
  if (form != CLRED_SORT_INDICES)
    add_range(&ranges, "keys_out", call->keys_out, call->keys_out_offset, count, key, CL_MEM_READ_ONLY);
  if (form == CLRED_SORT_PAIRS)
    add_range(&ranges, "values", call->values, call->values_offset, count, value, CL_MEM_WRITE_ONLY);
  if (form != CLRED_SORT_KEYS)
    add_range(&ranges, "values_out", call->values_out, call->values_out_offset, count, value, CL_MEM_READ_ONLY);
  if (call->segments)
    add_range(&ranges, "segments", call->segments, call->segments_offset, call->rows + 1,
              clr_type_row(sorter->problem.segment_type)->size, CL_MEM_WRITE_ONLY);
  if (call->outcome)
    add_range(&ranges, "outcome", call->outcome, call->outcome_offset, 1, sizeof(clred_outcome), CL_MEM_READ_ONLY);
  return ranges;
}

static bool is_same(const struct clr_region *a, const struct clr_region *b) {
  return a->memory == b->memory && a->begin == b->begin && a->end == b->end;
}

// Passes read and write the results several times, so their buffers must allow both.
static cl_int check_flags(const struct clr_range *range, struct clr_status *status) {
  cl_mem_flags flags = 0;
  cl_int err = clGetMemObjectInfo(range->buffer, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
  if (err)
    return clr_fail_call(status, err, "clGetMemObjectInfo", range->name);
  return flags & CL_MEM_WRITE_ONLY && range->forbidden == CL_MEM_READ_ONLY
           ? clr_fail(status, CLRED_INVALID_ARGUMENT,
                      "%s was created with CL_MEM_WRITE_ONLY, and a sort also reads it; give CL_MEM_READ_WRITE",
                      range->name)
           : CL_SUCCESS;
}

// What passes move in place, as in cl/sort/sort.clh. Values that are copied at the end do not move in place.
enum in_place { NOT_IN_PLACE, ALL_IN_PLACE, PART_IN_PLACE };

static enum in_place in_place_of(const struct clr_sort_shape *shape, const bool in_place[2]) {
  const bool keys = in_place[0], values = in_place[1] && !shape->gathered_size;
  if (!keys && !values)
    return NOT_IN_PLACE;
  return shape->carried_size && keys != values ? PART_IN_PLACE : ALL_IN_PLACE;
}

// Finds whether the sort of keys, and of values, is in place.
static cl_int check_ranges(const clred_sorter *sorter, const clred_sort_call *call, cl_ulong count, bool in_place[2],
                           struct clr_status *status) {
  const struct ranges ranges = ranges_of(sorter, call, count);
  struct clr_region regions[RANGES_MAX];
  cl_int err = CL_SUCCESS;
  for (size_t i = 0; i < ranges.count && !err; i++) {
    err = clr_check_range(&ranges.at[i], sorter->runtime->context, status);
    if (!err)
      err = check_flags(&ranges.at[i], status);
    if (!err)
      err = clr_find_region(&ranges.at[i], &regions[i], status);
    for (size_t j = 0; j < i && !err; j++) {
      const bool is_pair = i == j + 1 && i < 4 && ranges.at[j].forbidden == CL_MEM_WRITE_ONLY &&
                           ranges.at[i].forbidden == CL_MEM_READ_ONLY &&
                           ranges.at[i].element_size == ranges.at[j].element_size &&
                           sorter->problem.form != CLRED_SORT_INDICES;
      const bool are_read = ranges.at[i].forbidden == CL_MEM_WRITE_ONLY && ranges.at[j].forbidden == CL_MEM_WRITE_ONLY;
      if (is_pair && is_same(&regions[i], &regions[j]))
        in_place[j / 2] = true;
      else if (!are_read && clr_do_overlap(&regions[i], &regions[j]))
        err = clr_fail(status, CLRED_INVALID_ARGUMENT,
                       "%s overlaps %s; give the same memory to sort in place, or memory that lies apart",
                       ranges.at[i].name, ranges.at[j].name);
    }
  }
  return err;
}

static cl_int check(const clred_sorter *sorter, const struct clr_sort_request *request, clred_sort_call *call,
                    bool in_place[2], struct clr_status *status) {
  const clred_runtime *runtime = sorter->runtime;
  const cl_ulong count = clr_sort_keys(sorter, call->count, call->rows);
  cl_int err = check_given(sorter, call, count, status);
  if (!err)
    err = check_numbers(sorter, call, count, status);
  if (!err)
    err = clr_check_queue(request->queue, runtime->context, runtime->device, status);
  if (!err)
    err = clr_check_events(request->waits, request->wait_list, runtime->context, status);
  if (!err && count > sorter->problem.count_max)
    err = clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "count: %llu keys, count_max is %llu", (unsigned long long)count,
                   (unsigned long long)sorter->problem.count_max);
  if (!err && sorter->problem.layout == CLRED_LAYOUT_ROWS && call->count > sorter->shape.row_most)
    err = clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "count: %llu keys of a row, row_max is %llu",
                   (unsigned long long)call->count, (unsigned long long)sorter->shape.row_most);
  if (err || !count)
    return err;
  if (!call->keys_out && sorter->problem.form != CLRED_SORT_INDICES) {
    call->keys_out = call->keys;
    call->keys_out_offset = call->keys_offset;
  }
  if (!call->values_out && sorter->problem.form == CLRED_SORT_PAIRS) {
    call->values_out = call->values;
    call->values_out_offset = call->values_offset;
  }
  return check_ranges(sorter, call, count, in_place, status);
}

// ---------------------------------------------------------------- Launches

// The buffers of a pass: SORT_BUFFERS of cl/sort/sort.clh.
struct buffers {
  cl_mem keys_in, keys_out, keys_spare, values_in, values_out, values_spare;
  cl_ulong first_key_in, first_key_out, first_value_in, first_value_out;
};

// A call under way.
struct run {
  clred_sorter *sorter;
  struct clr_status *status;
  cl_command_queue queue;
  struct buffers buffers;
  cl_ulong count;    // all keys
  cl_ulong portion;  // keys of a launch
  cl_uint in_place;
  // With rows.
  cl_ulong rows, row_length;
  cl_mem segments, outcome;
  cl_ulong first_offset, outcome_index;
  cl_uint waits;
  const cl_event *wait_list;
  cl_event gathered[2];  // the caller's list as one marker, and the end of the sorter's call before
  bool chains;           // each launch waits for the event of the one before
  bool has_begun;        // something was enqueued
  cl_event last;
};

// PoCL 3.1 waits for ever for an event that has failed.
static cl_int check_last(const struct run *run) {
  return run->chains && run->last ? clr_check_event(run->last, "the launch before", run->status) : CL_SUCCESS;
}

static cl_int follow(struct run *run, cl_int err, cl_event event, const char *call) {
  if (err)
    return clr_fail_call(run->status, err, call, "a sort");
  if (run->chains)
    clr_keep_event(&run->sorter->kept, run->last);
  else
    clr_release_event(&run->last);
  run->last = event;
  run->has_begun = true;
  run->waits = run->chains ? 1 : 0;
  run->wait_list = run->chains ? &run->last : NULL;
  return CL_SUCCESS;
}

static cl_int launch(struct run *run, enum clr_sort_kernel which, cl_ulong groups, const struct clr_argument *arguments,
                     size_t count) {
  const clred_sorter *sorter = run->sorter;
  const size_t group_size = (size_t)sorter->shape.group_size, items = (size_t)groups * group_size;
  cl_event event = NULL;
  cl_uint next = 0;
  cl_int err = clr_set_arguments(sorter->kernels[which], arguments, count, &next);
  if (err)
    return clr_fail_call(run->status, err, "clSetKernelArg", "a sort");
  err = check_last(run);
  if (err)
    return err;
  err = clEnqueueNDRangeKernel(run->queue, sorter->kernels[which], 1, NULL, &items, &group_size, run->waits,
                               run->wait_list, run->chains ? &event : NULL);
  return follow(run, err, event, "clEnqueueNDRangeKernel");
}

#define BUFFER_ARGUMENTS 10
#define MORE_ARGUMENTS_MAX 12

// Launches a kernel whose first arguments are the buffers.
static cl_int launch_on_buffers(struct run *run, enum clr_sort_kernel which, cl_ulong groups,
                                const struct clr_argument *more, size_t count) {
  const struct buffers *at = &run->buffers;
  struct clr_argument arguments[BUFFER_ARGUMENTS + MORE_ARGUMENTS_MAX] = {
    CLR_ARGUMENT(at->keys_in),        CLR_ARGUMENT(at->first_key_in), CLR_ARGUMENT(at->keys_out),
    CLR_ARGUMENT(at->first_key_out),  CLR_ARGUMENT(at->keys_spare),   CLR_ARGUMENT(at->values_in),
    CLR_ARGUMENT(at->first_value_in), CLR_ARGUMENT(at->values_out),   CLR_ARGUMENT(at->first_value_out),
    CLR_ARGUMENT(at->values_spare)};
  memcpy(arguments + BUFFER_ARGUMENTS, more, count * sizeof *more);
  return launch(run, which, groups, arguments, BUFFER_ARGUMENTS + count);
}

// --- Tiles ---

static cl_int count_portion(struct run *run, cl_uint portion, cl_uint portions) {
  const clred_sorter *sorter = run->sorter;
  const struct clr_sort_shape *shape = &sorter->shape;
  const cl_ulong begin = portion * run->portion, first = run->buffers.first_key_in + begin;
  const cl_uint count = (cl_uint)clr_min(run->count - begin, run->portion), is_last = portion + 1 == portions;
  const cl_ulong cells = clr_ceil_divide(clr_min(run->count, run->portion), shape->tile) << shape->radix_log2;
  const cl_ulong at_once = shape->group_size * 4 * 16 / sorter->ordering.type->size;
  const struct clr_argument arguments[] = {CLR_ARGUMENT(run->buffers.keys_in),
                                           CLR_ARGUMENT(first),
                                           CLR_ARGUMENT(count),
                                           CLR_ARGUMENT(run->count),
                                           CLR_ARGUMENT(portion),
                                           CLR_ARGUMENT(is_last),
                                           CLR_ARGUMENT(run->in_place),
                                           CLR_ARGUMENT(sorter->table),
                                           CLR_ARGUMENT(sorter->counts),
                                           CLR_ARGUMENT(cells)};
  return launch(run, CLR_SORT_COUNT,
                clr_clamp(clr_ceil_divide(count, at_once), 1, 4 * sorter->runtime->facts.compute_units), arguments,
                sizeof arguments / sizeof *arguments);
}

static cl_int move_portion(struct run *run, cl_uint pass, cl_uint portion, cl_uint portions) {
  const clred_sorter *sorter = run->sorter;
  const struct clr_sort_shape *shape = &sorter->shape;
  const cl_ulong begin = portion * run->portion;
  const cl_uint count = (cl_uint)clr_min(run->count - begin, run->portion);
  const cl_ulong cells = clr_ceil_divide(clr_min(run->count, run->portion), shape->tile) << shape->radix_log2;
  const struct clr_argument more[] = {CLR_ARGUMENT(begin),          CLR_ARGUMENT(count),    CLR_ARGUMENT(pass),
                                      CLR_ARGUMENT(portion),        CLR_ARGUMENT(portions), CLR_ARGUMENT(sorter->table),
                                      CLR_ARGUMENT(sorter->counts), CLR_ARGUMENT(cells)};
  return launch_on_buffers(run, CLR_SORT_MOVE, clr_ceil_divide(count, shape->tile), more, sizeof more / sizeof *more);
}

static cl_int sort_by_tiles(struct run *run) {
  const struct clr_sort_shape *shape = &run->sorter->shape;
  const cl_uint portions = (cl_uint)clr_ceil_divide(run->count, shape->portion);
  // Portions of the same number of tiles, because each clears the cells of the next.
  run->portion = clr_round_up(clr_ceil_divide(run->count, portions), shape->tile);
  cl_int err = CL_SUCCESS;
  for (cl_uint portion = 0; portion < portions && !err; portion++)
    err = count_portion(run, portion, portions);
  for (cl_uint pass = 0; pass < shape->digits; pass++)
    for (cl_uint portion = 0; portion < portions && !err; portion++)
      err = move_portion(run, pass, portion, portions);
  return err;
}

// --- Chunks ---

static cl_int move_chunks(struct run *run, cl_uint pass, cl_uint chunks) {
  const clred_sorter *sorter = run->sorter;
  const struct clr_argument scanned[] = {CLR_ARGUMENT(chunks), CLR_ARGUMENT(pass), CLR_ARGUMENT(sorter->table),
                                         CLR_ARGUMENT(sorter->counts)};
  const struct clr_argument more[] = {CLR_ARGUMENT(run->count), CLR_ARGUMENT(pass), CLR_ARGUMENT(sorter->table),
                                      CLR_ARGUMENT(sorter->counts)};
  cl_int err = launch_on_buffers(run, CLR_SORT_RECOUNT, chunks, more, sizeof more / sizeof *more);
  if (!err)
    err = launch(run, CLR_SORT_SCAN, 1, scanned, sizeof scanned / sizeof *scanned);
  return err ? err : launch_on_buffers(run, CLR_SORT_MOVE, chunks, more, sizeof more / sizeof *more);
}

static cl_int sort_by_chunks(struct run *run) {
  const clred_sorter *sorter = run->sorter;
  const cl_ulong least = 1 << 13;
  const cl_uint chunks = (cl_uint)clr_clamp(run->count / least, 1, sorter->shape.chunks);
  const struct clr_argument counted[] = {CLR_ARGUMENT(run->buffers.keys_in), CLR_ARGUMENT(run->buffers.first_key_in),
                                         CLR_ARGUMENT(run->count), CLR_ARGUMENT(sorter->counts)};
  const struct clr_argument chosen[] = {CLR_ARGUMENT(run->count), CLR_ARGUMENT(chunks), CLR_ARGUMENT(run->in_place),
                                        CLR_ARGUMENT(sorter->table), CLR_ARGUMENT(sorter->counts)};
  cl_int err = launch(run, CLR_SORT_COUNT, chunks, counted, sizeof counted / sizeof *counted);
  if (!err)
    err = launch(run, CLR_SORT_CHOOSE, 1, chosen, sizeof chosen / sizeof *chosen);
  for (cl_uint pass = 0; pass < sorter->shape.digits && !err; pass++)
    err = move_chunks(run, pass, chunks);
  return err;
}

// --- Rows ---

// Arguments of a kernel for rows: those before ROWS_ARGUMENT of cl/sort/row_offsets.clh, this one, those behind it, and
// the outcome.
struct row_arguments {
  struct clr_argument at[MORE_ARGUMENTS_MAX];
  size_t count;
};

static void add_argument(struct row_arguments *arguments, size_t size, const void *value) {
  arguments->at[arguments->count++] = (struct clr_argument){size, value};
}
#define ADD(arguments, value) add_argument(arguments, sizeof(value), &(value))

static void add_rows(const struct run *run, struct row_arguments *arguments) {
  if (run->sorter->problem.layout == CLRED_LAYOUT_ROWS) {
    ADD(arguments, run->row_length);
    return;
  }
  ADD(arguments, run->segments);
  ADD(arguments, run->first_offset);
}

static void add_outcome(const struct run *run, struct row_arguments *arguments) {
  ADD(arguments, run->outcome);
  ADD(arguments, run->outcome_index);
}

static cl_int find_rows(struct run *run, cl_ulong groups) {
  const clred_sorter *sorter = run->sorter;
  const cl_uint row_most = (cl_uint)sorter->shape.row_most;
  struct row_arguments found = {.count = 0};
  add_rows(run, &found);
  ADD(&found, run->rows);
  ADD(&found, run->count);
  ADD(&found, row_most);
  if (!sorter->shape.in_chunks) {
    ADD(&found, sorter->first_rows);
    ADD(&found, sorter->row_of_slot);
  }
  add_outcome(run, &found);
  return launch(run, CLR_SORT_FIND, groups, found.at, found.count);
}

static cl_int sort_rows_by_chunks(struct run *run) {
  const clred_sorter *sorter = run->sorter;
  const cl_ulong least = 1 << 10;
  struct row_arguments more = {.count = 0};
  cl_int err = find_rows(run, 1);
  add_rows(run, &more);
  ADD(&more, run->rows);
  ADD(&more, run->count);
  ADD(&more, run->in_place);
  ADD(&more, sorter->table);
  ADD(&more, sorter->counts);
  add_outcome(run, &more);
  return err || !run->count
           ? err
           : launch_on_buffers(run, CLR_SORT_MOVE, clr_clamp(run->count / least, 1, sorter->shape.chunks), more.at,
                               more.count);
}

static cl_int clear_rows(struct run *run) {
  const clred_sorter *sorter = run->sorter;
  struct row_arguments cleared = {.count = 0};
  ADD(&cleared, run->rows);
  ADD(&cleared, run->count);
  ADD(&cleared, sorter->row_of_slot);
  ADD(&cleared, sorter->table);
  ADD(&cleared, sorter->counts);
  add_outcome(run, &cleared);
  return launch(run, CLR_SORT_CLEAR,
                clr_clamp(run->count / sorter->shape.tile, 1, 8 * sorter->runtime->facts.compute_units), cleared.at,
                cleared.count);
}

static cl_int sort_short_rows(struct run *run) {
  struct row_arguments more = {.count = 0};
  add_rows(run, &more);
  ADD(&more, run->count);
  ADD(&more, run->sorter->first_rows);
  add_outcome(run, &more);
  const struct clr_sort_shape *shape = &run->sorter->shape;
  const cl_ulong groups = run->sorter->problem.layout == CLRED_LAYOUT_ROWS
                            ? clr_ceil_divide(run->rows, shape->tile / run->row_length)
                            : clr_sort_first_slots(shape, run->count);
  return launch_on_buffers(run, CLR_SORT_SMALL, groups, more.at, more.count);
}

static cl_int count_long_rows(struct run *run, cl_ulong slots) {
  const clred_sorter *sorter = run->sorter;
  struct row_arguments counted = {.count = 0}, scanned = {.count = 0};
  ADD(&counted, run->buffers.keys_in);
  ADD(&counted, run->buffers.first_key_in);
  add_rows(run, &counted);
  ADD(&counted, run->count);
  ADD(&counted, sorter->row_of_slot);
  ADD(&counted, sorter->table);
  add_outcome(run, &counted);
  cl_int err = launch(run, CLR_SORT_COUNT, slots, counted.at, counted.count);
  add_rows(run, &scanned);
  ADD(&scanned, run->in_place);
  ADD(&scanned, sorter->row_of_slot);
  ADD(&scanned, sorter->table);
  add_outcome(run, &scanned);
  return err ? err
             : launch(run, CLR_SORT_SCAN, clr_sort_first_slots(&sorter->shape, run->count), scanned.at, scanned.count);
}

static cl_int move_long_rows(struct run *run, cl_uint pass, cl_ulong slots) {
  const clred_sorter *sorter = run->sorter;
  struct row_arguments more = {.count = 0};
  add_rows(run, &more);
  ADD(&more, run->count);
  ADD(&more, pass);
  ADD(&more, sorter->row_of_slot);
  ADD(&more, sorter->table);
  ADD(&more, sorter->counts);
  add_outcome(run, &more);
  return launch_on_buffers(run, CLR_SORT_MOVE, slots, more.at, more.count);
}

static cl_int copy_long_rows_back(struct run *run, cl_ulong slots) {
  const clred_sorter *sorter = run->sorter;
  struct row_arguments more = {.count = 0};
  add_rows(run, &more);
  ADD(&more, run->count);
  ADD(&more, sorter->row_of_slot);
  ADD(&more, sorter->table);
  add_outcome(run, &more);
  return launch_on_buffers(run, CLR_SORT_COPY, slots, more.at, more.count);
}

static cl_int sort_rows_by_tiles(struct run *run) {
  const clred_sorter *sorter = run->sorter;
  const struct clr_sort_shape *shape = &sorter->shape;
  const cl_ulong slots = clr_sort_slots(shape, run->count);
  const bool are_equal = sorter->problem.layout == CLRED_LAYOUT_ROWS;
  const bool has_long = are_equal || shape->row_most > shape->short_max;
  if (are_equal && run->row_length <= shape->tile)
    return sort_short_rows(run);
  cl_int err = clear_rows(run);
  if (!err)
    err = find_rows(run, clr_clamp(run->rows / shape->group_size, 1, 8 * sorter->runtime->facts.compute_units));
  if (!err && !are_equal && run->count)
    err = sort_short_rows(run);
  if (err || !has_long || !run->count)
    return err;
  err = count_long_rows(run, slots);
  for (cl_uint pass = 0; pass < shape->digits && !err; pass++)
    err = move_long_rows(run, pass, slots);
  return err || !run->in_place || shape->digits % 2 == 0 ? err : copy_long_rows_back(run, slots);
}

// --- All launches ---

static cl_int sort_alone(struct run *run) {
  const clred_sorter *sorter = run->sorter;
  const cl_uint count = (cl_uint)run->count;
  const struct clr_argument more[] = {CLR_ARGUMENT(count), CLR_ARGUMENT(run->in_place), CLR_ARGUMENT(sorter->table),
                                      CLR_ARGUMENT(sorter->counts)};
  return launch_on_buffers(run, CLR_SORT_SMALL, 1, more, sorter->shape.in_chunks ? 4 : 1);
}

// An odd number of passes in place may end in the spare buffers.
static cl_int copy_back(struct run *run) {
  const clred_sorter *sorter = run->sorter;
  const struct clr_argument more[] = {CLR_ARGUMENT(run->count), CLR_ARGUMENT(sorter->table)};
  const cl_ulong most = 4 * sorter->runtime->facts.compute_units;
  if (!run->in_place || sorter->shape.digits % 2 == 0)
    return CL_SUCCESS;
  return launch_on_buffers(run, CLR_SORT_COPY, clr_clamp(run->count / sorter->shape.tile, 1, most), more,
                           sizeof more / sizeof *more);
}

static cl_int launch_gather(struct run *run, cl_mem values, cl_ulong first, cl_mem out, cl_ulong first_out,
                            cl_uint copies) {
  const clred_sorter *sorter = run->sorter;
  const cl_ulong most = 16 * sorter->runtime->facts.compute_units;
  struct row_arguments gathered = {.count = 0};
  ADD(&gathered, values);
  ADD(&gathered, first);
  ADD(&gathered, sorter->indices);
  ADD(&gathered, out);
  ADD(&gathered, first_out);
  ADD(&gathered, run->count);
  ADD(&gathered, copies);
  if (sorter->problem.layout == CLRED_LAYOUT_SEGMENTS) {
    add_rows(run, &gathered);
    ADD(&gathered, run->rows);
    add_outcome(run, &gathered);
  }
  return launch(run, CLR_SORT_GATHER, clr_clamp(run->count / sorter->shape.tile, 1, most), gathered.at, gathered.count);
}

// By way of a buffer, because a sort may be in place.
static cl_int gather_values(struct run *run, const clred_sort_call *call) {
  const clred_sorter *sorter = run->sorter;
  cl_int err = launch_gather(run, call->values, call->values_offset, sorter->gathered, 0, 0);
  return err ? err : launch_gather(run, sorter->gathered, 0, call->values_out, call->values_out_offset, 1);
}

static cl_int run_all(struct run *run, const clred_sort_call *call, bool by_passes) {
  const clred_sorter *sorter = run->sorter;
  const struct clr_sort_shape *shape = &sorter->shape;
  cl_int err;
  if (shape->has_rows)
    err = shape->in_chunks ? sort_rows_by_chunks(run) : sort_rows_by_tiles(run);
  else if (run->count <= shape->alone_max && !by_passes)
    err = sort_alone(run);
  else {
    err = shape->in_chunks ? sort_by_chunks(run) : sort_by_tiles(run);
    if (!err)
      err = copy_back(run);
  }
  return err || !shape->gathered_size || !run->count ? err : gather_values(run, call);
}

static struct buffers buffers_of(const clred_sorter *sorter, const clred_sort_call *call) {
  const bool gathers = sorter->shape.gathered_size > 0, has_keys = sorter->problem.form != CLRED_SORT_INDICES;
  // Kernels without values still take buffers for them.
  return (struct buffers){.keys_in = call->keys,
                          .first_key_in = call->keys_offset,
                          .keys_out = has_keys ? call->keys_out : sorter->sorted_keys,
                          .first_key_out = has_keys ? call->keys_out_offset : 0,
                          .keys_spare = sorter->spare_keys,
                          .values_in = call->values && !gathers ? call->values : sorter->table,
                          .first_value_in = gathers ? 0 : call->values_offset,
                          .values_out = gathers            ? sorter->indices
                                        : call->values_out ? call->values_out
                                                           : sorter->table,
                          .first_value_out = gathers ? 0 : call->values_out_offset,
                          .values_spare = sorter->spare_values ? sorter->spare_values : sorter->table};
}

// A call must not fail with the call before.
static bool has_failed(cl_event event) {
  cl_int state = CL_QUEUED;
  return !clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL) && state < 0;
}

// Gives the sorter's latest call an event if it has none: everything in its queue.
static cl_int mark_last(clred_sorter *sorter, struct clr_status *status) {
  if (sorter->last)
    return CL_SUCCESS;
  cl_int err = clEnqueueMarkerWithWaitList(sorter->queue, 0, NULL, &sorter->last);
  return err ? clr_fail_call(status, err, "clEnqueueMarkerWithWaitList", "the sorter's call before") : CL_SUCCESS;
}

// The scratch memory is free after the sorter's call before. The order of the queue says so, or an event. Without
// either need, launches have no events, because with some drivers an event costs as much as a launch.
static cl_int gather_waits(struct run *run, const struct clr_sort_request *request, bool in_order) {
  clred_sorter *sorter = run->sorter;
  const bool is_free = sorter->last ? has_failed(sorter->last) : !sorter->queue;
  const bool waits_for_last = !is_free && (!in_order || sorter->queue != request->queue);
  run->waits = request->waits;
  run->wait_list = request->wait_list;
  run->chains = !in_order || request->waits || waits_for_last;
  if (!waits_for_last)
    return CL_SUCCESS;
  cl_int err = mark_last(sorter, run->status);
  if (err)
    return err;
  if (sorter->queue && sorter->queue != request->queue)
    clFlush(sorter->queue);
  run->gathered[0] = sorter->last;
  run->waits = 1;
  if (request->waits) {
    err = clEnqueueMarkerWithWaitList(request->queue, request->waits, request->wait_list, &run->gathered[1]);
    if (err)
      return clr_fail_call(run->status, err, "clEnqueueMarkerWithWaitList", "the wait list");
    run->waits = 2;
  }
  run->wait_list = run->gathered;
  return CL_SUCCESS;
}

// Remembers the end of this call: its queue, and the event of its last launch if there is one.
static void keep_last(clred_sorter *sorter, cl_command_queue queue, cl_event last) {
  if (sorter->queue != queue) {
    if (sorter->queue)
      clReleaseCommandQueue(sorter->queue);
    sorter->queue = clRetainCommandQueue(queue) ? NULL : queue;
    if (!sorter->queue && !last)
      clFinish(queue);
  }
  clr_keep_event(&sorter->kept, sorter->last);
  sorter->last = last;
}

// The event that the caller wants.
static cl_int deliver_event(const struct run *run, const struct clr_sort_request *request) {
  cl_int err = CL_SUCCESS;
  if (!request->event)
    return CL_SUCCESS;
  if (!run->last)
    err = clEnqueueMarkerWithWaitList(request->queue, 0, NULL, request->event);
  else if ((err = clRetainEvent(run->last)) == CL_SUCCESS)
    *request->event = run->last;
  return err ? clr_fail_call(run->status, err, "clEnqueueMarkerWithWaitList", "event") : CL_SUCCESS;
}

static cl_int enqueue_checked(clred_sorter *sorter, const struct clr_sort_request *request, const clred_sort_call *call,
                              enum in_place in_place, struct clr_status *status) {
  struct run run = {.sorter = sorter,
                    .status = status,
                    .queue = request->queue,
                    .buffers = buffers_of(sorter, call),
                    .count = clr_sort_keys(sorter, call->count, call->rows),
                    .in_place = in_place,
                    .rows = call->rows,
                    .row_length = call->count,
                    .segments = call->segments,
                    .first_offset = call->segments_offset,
                    .outcome = call->outcome ? call->outcome : sorter->outcome,
                    .outcome_index = call->outcome ? call->outcome_offset : 0};
  bool in_order = false;
  clr_forget_events(&sorter->kept);
  cl_int err = clr_queue_is_in_order(request->queue, &in_order, status);
  if (!err)
    err = gather_waits(&run, request, in_order);
  if (!err)
    err = run_all(&run, call, request->by_passes);
  if (!err)
    err = deliver_event(&run, request);
  clr_keep_event(&sorter->kept, run.gathered[1]);
  if (run.has_begun)
    keep_last(sorter, request->queue, run.last);
  return err;
}

static cl_int enqueue_nothing(const struct clr_sort_request *request, struct clr_status *status) {
  if (!request->event)
    return CL_SUCCESS;
  cl_int err = clEnqueueMarkerWithWaitList(request->queue, request->waits, request->wait_list, request->event);
  return err ? clr_fail_call(status, err, "clEnqueueMarkerWithWaitList", "event") : CL_SUCCESS;
}

cl_int clr_enqueue_sort(clred_sorter *sorter, const struct clr_sort_request *request, struct clr_status *status) {
  clred_sort_call call = request->call;
  bool in_place[2] = {false, false};
  cl_int err = check(sorter, request, &call, in_place, status);
  if (err)
    return err;
  if (!clr_sort_keys(sorter, call.count, call.rows))
    return enqueue_nothing(request, status);
  clr_mutex_lock(&sorter->lock);
  err = enqueue_checked(sorter, request, &call, in_place_of(&sorter->shape, in_place), status);
  clr_mutex_unlock(&sorter->lock);
  return err;
}
