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

#define BLOCKS 4

static void blocks_of(const clred_sorter *sorter, const clred_sort_host_call *call, struct block *blocks) {
  const clred_sort_form form = sorter->problem.form;
  const size_t key = sorter->ordering.type->size,
               value = form == CLRED_SORT_PAIRS ? sorter->problem.value_size : clr_sort_index_size(&sorter->problem);
  const bool has_pairs = form == CLRED_SORT_PAIRS;
  blocks[0] = (struct block){"keys", call->keys, key, true, false};
  blocks[1] = (struct block){"keys_out", call->keys_out, key, form != CLRED_SORT_INDICES, true};
  blocks[2] = (struct block){"values", call->values, value, has_pairs, false};
  blocks[3] = (struct block){"values_out", call->values_out, value, form != CLRED_SORT_KEYS, true};
}

static cl_int check_block(const struct block *blocks, size_t i, cl_ulong count, cl_ulong max_alloc,
                          struct clr_status *status) {
  const struct block *block = &blocks[i];
  if (!block->is_needed && block->memory)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "%s: a sort of this form has none; leave it out", block->name);
  if (!block->is_needed || !count)
    return CL_SUCCESS;
  if (!block->memory)
    return clr_require(block->memory, block->name, status);
  if (count > max_alloc / block->size)
    return clr_fail(status, CL_INVALID_BUFFER_SIZE,
                    "%s: %llu entries are more than one buffer of the device holds: %llu", block->name,
                    (unsigned long long)count, (unsigned long long)(max_alloc / block->size));
  for (size_t j = 0; j < i; j++) {
    const struct block *other = &blocks[j];
    const bool in_place = i == j + 1 && i % 2 == 1 && block->memory == other->memory;
    if ((block->is_written || other->is_written) && !in_place && other->memory &&
        do_overlap(block->memory, (size_t)count * block->size, other->memory, (size_t)count * other->size))
      return clr_fail(status, CLRED_INVALID_ARGUMENT,
                      "%s overlaps %s; give the same memory to sort in place, or memory that lies apart", block->name,
                      other->name);
  }
  return CL_SUCCESS;
}

cl_int clr_sort_check_host(cl_command_queue queue, const clred_sorter *sorter, const clred_sort_host_call *call,
                           struct clr_status *status) {
  struct block blocks[BLOCKS];
  cl_int err = clr_check_queue(queue, sorter->runtime->context, sorter->runtime->device, status);
  blocks_of(sorter, call, blocks);
  if (!err && call->count > sorter->problem.count_max)
    return clr_fail(status, CLRED_COUNT_ABOVE_MAXIMUM, "count: %llu keys, count_max is %llu",
                    (unsigned long long)call->count, (unsigned long long)sorter->problem.count_max);
  for (size_t i = 0; i < BLOCKS && !err; i++)
    err = check_block(blocks, i, call->count, sorter->runtime->facts.max_alloc, status);
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
  const size_t size = clr_sort_index_size(&sorter->problem);
  for (size_t i = 0; i < count; i++)
    clr_bits_put(ranked[i].place, size, (unsigned char *)indices + i * size);
}

cl_int clr_sort_on_host(const clred_sorter *sorter, const clred_sort_host_call *call, struct clr_status *status) {
  const size_t count = (size_t)call->count, key = sorter->ordering.type->size, value = sorter->problem.value_size;
  const cl_uint bits = sorter->shape.key_bits;
  if (!count)
    return CL_SUCCESS;
  struct clr_ranked *ranked = calloc(2 * count, sizeof *ranked);
  unsigned char *room = malloc(count * (key > value ? key : value));
  if (!ranked || !room) {
    free(ranked);
    free(room);
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while sorting %zu keys", count);
  }
  for (size_t i = 0; i < count; i++) {
    cl_ulong order = clr_order_key(&sorter->ordering, (const unsigned char *)call->keys + i * key);
    ranked[i].key = order >> sorter->problem.begin_bit & (bits == 64 ? CL_ULONG_MAX : ((cl_ulong)1 << bits) - 1);
    ranked[i].place = i;
  }
  clr_sort_ranked(ranked, ranked + count, count);
  if (sorter->problem.form == CLRED_SORT_INDICES)
    write_indices(sorter, ranked, count, call->values_out);
  else
    gather(ranked, count, key, call->keys, room, call->keys_out);
  if (sorter->problem.form == CLRED_SORT_PAIRS)
    gather(ranked, count, value, call->values, room, call->values_out);
  free(ranked);
  free(room);
  return CL_SUCCESS;
}

// ---------------------------------------------------------------- On the device

// Memory of the call and the buffer around it. `mapped` is set if the buffer uses the memory itself.
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
  const cl_mem_flags how = wrapped->is_shared ? CL_MEM_USE_HOST_PTR : block->is_written ? 0 : CL_MEM_COPY_HOST_PTR;
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

cl_int clr_sort_host_memory(cl_command_queue queue, clred_sorter *sorter, const clred_sort_host_call *call,
                            bool by_passes, struct clr_status *status) {
  struct block blocks[BLOCKS];
  struct wrapped wrapped[BLOCKS] = {{NULL, NULL, 0, false}};
  cl_event sorted = NULL;
  cl_int err = CL_SUCCESS;
  blocks_of(sorter, call, blocks);
  for (size_t i = 0; i < BLOCKS && !err && call->count; i++) {
    // A sort in place has one buffer for both.
    const bool in_place = i % 2 == 1 && blocks[i].is_needed && blocks[i].memory == blocks[i - 1].memory;
    if (blocks[i].is_needed && !in_place)
      err = wrap(sorter, &blocks[i], call->count, &wrapped[i], status);
  }
  const struct clr_sort_request request = {.queue = queue,
                                           .call = {.keys = wrapped[0].buffer,
                                                    .count = call->count,
                                                    .keys_out = wrapped[1].buffer,
                                                    .values = wrapped[2].buffer,
                                                    .values_out = wrapped[3].buffer},
                                           .event = &sorted,
                                           .by_passes = by_passes};
  if (!err)
    err = clr_enqueue_sort(sorter, &request, status);
  for (size_t i = 1; i < BLOCKS && !err && call->count; i += 2)
    if (blocks[i].is_needed)
      err = fetch(queue, wrapped[i].buffer ? &wrapped[i] : &wrapped[i - 1], sorted, status);
  // After a failure, commands may still use the caller's memory.
  if (err && wrapped[0].buffer && queue)
    clFinish(queue);
  clr_release_event(&sorted);
  for (size_t i = 0; i < BLOCKS; i++)
    clr_release_buffers(&wrapped[i].buffer, 1);
  return err;
}
