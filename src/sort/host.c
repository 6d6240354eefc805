// Sorts of host memory: on the host, or on the device through buffers around the memory.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/buffer_check.h"
#include "opencl/launch.h"
#include "sort/sort.h"

// ---------------------------------------------------------------- Checks

static bool do_overlap(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
  return (uintptr_t)a < (uintptr_t)b + b_bytes && (uintptr_t)b < (uintptr_t)a + a_bytes;
}

struct block {
  const char *name;
  const void *memory;
  size_t size;  // bytes of an entry
  bool is_needed, is_written;
};

#define BLOCKS 5
#define OFFSETS 4  // the block of the offsets

static void blocks_of(const clred_sorter *sorter, const clred_sort_host_call *call, struct block *blocks) {
  const clred_sort_form form = sorter->problem.form;
  const size_t key = sorter->ordering.type->size,
               value = form == CLRED_SORT_PAIRS ? sorter->problem.value_size : sorter->shape.index_size;
  const bool has_pairs = form == CLRED_SORT_PAIRS, has_offsets = sorter->problem.layout == CLRED_LAYOUT_SEGMENTS;
  const clred_type offset = sorter->problem.segment_type;
  blocks[0] = (struct block){"keys", call->keys, key, true, false};
  blocks[1] = (struct block){"keys_out", call->keys_out, key, form != CLRED_SORT_INDICES, true};
  blocks[2] = (struct block){"values", call->values, value, has_pairs, false};
  blocks[3] = (struct block){"values_out", call->values_out, value, form != CLRED_SORT_KEYS, true};
  blocks[OFFSETS] =
    (struct block){"segments", call->segments, has_offsets ? clr_type_row(offset)->size : 0, has_offsets, false};
}

static cl_ulong entries_of(const clred_sorter *sorter, const clred_sort_host_call *call, size_t block) {
  return block == OFFSETS ? call->rows + 1 : clr_sort_keys(sorter, call->count, call->rows);
}

static cl_int check_apart(const struct block *a, cl_ulong a_count, const struct block *b, cl_ulong b_count,
                          struct clr_status *status) {
  const bool is_written = a->is_written || b->is_written;
  if (!is_written || !a->memory || !b->memory ||
      !do_overlap(a->memory, (size_t)a_count * a->size, b->memory, (size_t)b_count * b->size))
    return CL_SUCCESS;
  return clr_fail(status, CLRED_INVALID_ARGUMENT,
                  "%s overlaps %s; give the same memory to sort in place, or memory that lies apart", a->name, b->name);
}

static cl_int check_block(const clred_sorter *sorter, const clred_sort_host_call *call, const struct block *blocks,
                          size_t i, struct clr_status *status) {
  const struct block *block = &blocks[i];
  const cl_ulong count = entries_of(sorter, call, i), max_alloc = sorter->runtime->facts.max_alloc;
  cl_int err = CL_SUCCESS;
  if (!block->is_needed && block->memory)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: a sort of this %s has none; leave it out", block->name,
                    i == OFFSETS ? "layout" : "form");
  if (!block->is_needed || !entries_of(sorter, call, 0))
    return CL_SUCCESS;
  if (!block->memory)
    return clr_require(block->memory, block->name, status);
  if (count > max_alloc / block->size)
    return clr_fail(status, CL_INVALID_BUFFER_SIZE,
                    "%s: %llu entries are more than one buffer of the device holds: %llu", block->name,
                    (unsigned long long)count, (unsigned long long)(max_alloc / block->size));
  for (size_t j = 0; j < i && !err; j++) {
    const bool in_place = i == j + 1 && i % 2 == 1 && block->memory == blocks[j].memory;
    if (!in_place)
      err = check_apart(block, count, &blocks[j], entries_of(sorter, call, j), status);
  }
  return err;
}

cl_int clr_sort_check_host(cl_command_queue queue, const clred_sorter *sorter, const clred_sort_host_call *call,
                           struct clr_status *status) {
  const cl_ulong count = clr_sort_keys(sorter, call->count, call->rows);
  struct block blocks[BLOCKS];
  cl_int err = clr_check_queue(queue, sorter->runtime->context, sorter->runtime->device, status);
  blocks_of(sorter, call, blocks);
  if (!err && count > sorter->problem.count_max)
    return clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "count: %llu keys, count_max is %llu", (unsigned long long)count,
                    (unsigned long long)sorter->problem.count_max);
  if (!err && sorter->problem.layout == CLRED_LAYOUT_ROWS && call->count > sorter->shape.row_most)
    return clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "count: %llu keys of a row, row_max is %llu",
                    (unsigned long long)call->count, (unsigned long long)sorter->shape.row_most);
  if (!err && call->rows >= CL_UINT_MAX)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "rows: %llu is too many; give fewer than 2^32 - 1",
                    (unsigned long long)call->rows);
  if (!err && sorter->problem.layout == CLRED_LAYOUT_LINE && call->rows)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "rows: a sort of this layout has one row; leave it 0");
  for (size_t i = 0; i < BLOCKS && !err; i++)
    err = check_block(sorter, call, blocks, i, status);
  return err;
}

// ---------------------------------------------------------------- On the host

// out[i] becomes from[ranked[i].place]; `room` is for a copy, because both may be the same memory.
static void gather(const struct clr_ranked *ranked, size_t count, size_t size, const unsigned char *from,
                   unsigned char *room, unsigned char *out) {
  for (size_t i = 0; i < count; i++)
    memcpy(room + i * size, from + (size_t)ranked[i].place * size, size);
  memcpy(out, room, count * size);
}

static void write_indices(const clred_sorter *sorter, const struct clr_ranked *ranked, size_t count, void *indices) {
  const size_t size = sorter->shape.index_size;
  for (size_t i = 0; i < count; i++)
    clr_bits_put(ranked[i].place, size, (unsigned char *)indices + i * size);
}

// Memory for one row.
struct row_room {
  struct clr_ranked *ranked;
  unsigned char *copies;
};

// Sorts the keys `begin` to `begin` + count - 1.
static void sort_row(const clred_sorter *sorter, const clred_sort_host_call *call, size_t begin, size_t count,
                     const struct row_room *room) {
  const size_t key = sorter->ordering.type->size, value = sorter->problem.value_size, index = sorter->shape.index_size;
  const unsigned char *keys = (const unsigned char *)call->keys + begin * key;
  const cl_ulong mask = CL_ULONG_MAX >> (64 - sorter->shape.key_bits);
  for (size_t i = 0; i < count; i++) {
    room->ranked[i].key = clr_order_key(&sorter->ordering, keys + i * key) >> sorter->problem.begin_bit & mask;
    room->ranked[i].place = i;
  }
  clr_sort_ranked(room->ranked, room->ranked + count, count);
  if (sorter->problem.form == CLRED_SORT_INDICES)
    write_indices(sorter, room->ranked, count, (unsigned char *)call->values_out + begin * index);
  else
    gather(room->ranked, count, key, keys, room->copies, (unsigned char *)call->keys_out + begin * key);
  if (sorter->problem.form == CLRED_SORT_PAIRS)
    gather(room->ranked, count, value, (const unsigned char *)call->values + begin * value, room->copies,
           (unsigned char *)call->values_out + begin * value);
}

static cl_ulong row_begin(const clred_sorter *sorter, const clred_sort_host_call *call, cl_ulong row) {
  if (sorter->problem.layout == CLRED_LAYOUT_ROWS)
    return row * call->count;
  const struct clr_type *type = clr_type_row(sorter->problem.segment_type);
  const cl_ulong bits = clr_bits_get((const unsigned char *)call->segments + row * type->size, type->size);
  const cl_ulong sign = (cl_ulong)1 << (8 * type->size - 1);
  return type->class == CLR_SIGNED && bits & sign ? CL_ULONG_MAX : bits;
}

static cl_int fail_offset(cl_ulong offset, struct clr_status *status) {
  return clr_fail(status, CLRED_INVALID_SEGMENTS,
                  "segments[%llu] is wrong: offsets must not decrease, not exceed count, and not be farther apart than "
                  "row_max",
                  (unsigned long long)offset);
}

static cl_int check_offsets(const clred_sorter *sorter, const clred_sort_host_call *call, struct clr_status *status) {
  const cl_ulong count = clr_sort_keys(sorter, call->count, call->rows);
  for (cl_ulong row = 0; row < call->rows; row++) {
    const cl_ulong begin = row_begin(sorter, call, row), end = row_begin(sorter, call, row + 1);
    if (begin > end || end > count || end - begin > sorter->shape.row_most)
      return fail_offset(begin > count ? row : row + 1, status);
  }
  return CL_SUCCESS;
}

cl_int clr_sort_on_host(const clred_sorter *sorter, const clred_sort_host_call *call, struct clr_status *status) {
  const size_t count = (size_t)clr_sort_keys(sorter, call->count, call->rows);
  const size_t key = sorter->ordering.type->size, value = sorter->problem.value_size;
  cl_int err = count ? check_offsets(sorter, call, status) : CL_SUCCESS;
  if (!count || err)
    return err;
  const struct row_room room = {calloc(2 * count, sizeof *room.ranked), malloc(count * (key > value ? key : value))};
  if (!room.ranked || !room.copies)
    err = clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while sorting %zu keys", count);
  else if (!sorter->shape.has_rows)
    sort_row(sorter, call, 0, count, &room);
  for (cl_ulong row = 0; row < call->rows && !err; row++) {
    const cl_ulong begin = row_begin(sorter, call, row);
    sort_row(sorter, call, (size_t)begin, (size_t)(row_begin(sorter, call, row + 1) - begin), &room);
  }
  free(room.ranked);
  free(room.copies);
  return err;
}

// ---------------------------------------------------------------- On the device

// Memory of the call and the buffer around it. `is_shared` is set if the buffer uses the memory itself.
struct wrapped {
  cl_mem buffer;
  void *memory;
  size_t bytes;
  bool is_shared;
};

static cl_int wrap(const clred_sorter *sorter, const struct block *block, cl_ulong count, struct wrapped *wrapped,
                   struct clr_status *status) {
  const size_t word = block->size % 8 == 0 ? 8 : block->size % 4 == 0 ? 4 : block->size % 2 == 0 ? 2 : 1;
  union {
    const void *read;
    void *given;
  } memory = {block->memory};
  wrapped->memory = memory.given;
  wrapped->bytes = (size_t)count * block->size;
  wrapped->is_shared = sorter->runtime->facts.unified_memory && (uintptr_t)block->memory % word == 0;
  // With offsets, what is outside all rows is copied back as it was.
  const bool is_filled = !block->is_written || sorter->problem.layout == CLRED_LAYOUT_SEGMENTS;
  const cl_mem_flags how = wrapped->is_shared ? CL_MEM_USE_HOST_PTR : is_filled ? CL_MEM_COPY_HOST_PTR : 0;
  return clr_buffer_make(sorter->runtime->context, CL_MEM_READ_WRITE | how, wrapped->bytes, how ? memory.read : NULL,
                         "a buffer around the host's memory", &wrapped->buffer, status);
}

// After the sort, the host sees shared memory once it has mapped the buffer.
static cl_int fetch(cl_command_queue queue, const struct wrapped *wrapped, cl_event sorted, struct clr_status *status) {
  cl_int err = clWaitForEvents(1, &sorted);
  if (err)
    return clr_fail_call(status, err, "clWaitForEvents", "a sort");
  if (!wrapped->is_shared) {
    err = clEnqueueReadBuffer(queue, wrapped->buffer, CL_TRUE, 0, wrapped->bytes, wrapped->memory, 0, NULL, NULL);
    return err ? clr_fail_call(status, err, "clEnqueueReadBuffer", "sorted keys or values") : CL_SUCCESS;
  }
  void *mapped =
    clEnqueueMapBuffer(queue, wrapped->buffer, CL_TRUE, CL_MAP_READ, 0, wrapped->bytes, 0, NULL, NULL, &err);
  if (err)
    return clr_fail_call(status, err, "clEnqueueMapBuffer", "sorted keys or values");
  err = clEnqueueUnmapMemObject(queue, wrapped->buffer, mapped, 0, NULL, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueUnmapMemObject", "sorted keys or values");
  err = clFinish(queue);
  return err ? clr_fail_call(status, err, "clFinish", "sorted keys or values") : CL_SUCCESS;
}

static cl_int check_outcome(cl_command_queue queue, cl_mem buffer, cl_event sorted, struct clr_status *status) {
  clred_outcome outcome;
  cl_int err = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof outcome, &outcome, 1, &sorted, NULL);
  if (err)
    return clr_fail_call(status, err, "clEnqueueReadBuffer", "the outcome of a sort");
  return outcome.fault ? fail_offset(outcome.fault - 1, status) : CL_SUCCESS;
}

cl_int clr_sort_host_memory(cl_command_queue queue, clred_sorter *sorter, const clred_sort_host_call *call,
                            bool by_passes, struct clr_status *status) {
  struct block blocks[BLOCKS];
  struct wrapped wrapped[BLOCKS] = {{NULL, NULL, 0, false}};
  const cl_ulong count = clr_sort_keys(sorter, call->count, call->rows);
  cl_event sorted = NULL;
  cl_mem outcome = NULL;
  cl_int err = CL_SUCCESS;
  blocks_of(sorter, call, blocks);
  for (size_t i = 0; i < BLOCKS && !err && count; i++) {
    // A sort in place has one buffer for both.
    const bool in_place = i % 2 == 1 && blocks[i].is_needed && blocks[i].memory == blocks[i - 1].memory;
    if (blocks[i].is_needed && !in_place)
      err = wrap(sorter, &blocks[i], entries_of(sorter, call, i), &wrapped[i], status);
  }
  // The call has an outcome of its own, because other threads may call, too.
  if (!err && wrapped[OFFSETS].buffer)
    err = clr_buffer_make(sorter->runtime->context, CL_MEM_READ_WRITE, sizeof(clred_outcome), NULL,
                          "the outcome of a sort", &outcome, status);
  const struct clr_sort_request request = {.queue = queue,
                                           .call = {.keys = wrapped[0].buffer,
                                                    .count = call->count,
                                                    .keys_out = wrapped[1].buffer,
                                                    .values = wrapped[2].buffer,
                                                    .values_out = wrapped[3].buffer,
                                                    .rows = call->rows,
                                                    .segments = wrapped[OFFSETS].buffer,
                                                    .outcome = outcome},
                                           .event = &sorted,
                                           .by_passes = by_passes};
  if (!err)
    err = clr_enqueue_sort(sorter, &request, status);
  if (!err && wrapped[OFFSETS].buffer)
    err = check_outcome(queue, outcome, sorted, status);
  for (size_t i = 1; i < BLOCKS && !err && count; i += 2)
    if (blocks[i].is_needed)
      err = fetch(queue, wrapped[i].buffer ? &wrapped[i] : &wrapped[i - 1], sorted, status);
  // After a failure, commands may still use the caller's memory.
  if (err && wrapped[0].buffer && queue)
    clFinish(queue);
  clr_release_event(&sorted);
  clr_release_buffers(&outcome, 1);
  for (size_t i = 0; i < BLOCKS; i++)
    clr_release_buffers(&wrapped[i].buffer, 1);
  return err;
}
