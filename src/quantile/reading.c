// The commands of a run, and readings of the whole set: they count keys in bins, or gather them. The elements are read
// slice by slice. The host waits for the counts of each launch.
#include <stdint.h>
#include <string.h>

#include "base/arithmetic.h"
#include "opencl/buffer_check.h"
#include "quantile/quantile.h"

static const char about[] = "a quantile";

static cl_int fail(struct clr_quantile_run *run, cl_int err, const char *call) {
  return clr_fail_call(run->status, err, call, about);
}

// ---------------------------------------------------------------- Commands

// Later commands wait for this event.
static void follow(struct clr_quantile_run *run, cl_event event) {
  if (run->last && run->last != run->begun)
    clReleaseEvent(run->last);
  run->last = event;
  run->waits = 1;
  run->wait_list = &run->last;
}

cl_int clr_run_put(struct clr_quantile_run *run, cl_mem buffer, size_t bytes, const void *from) {
  cl_event event = NULL;
  cl_int err = clEnqueueWriteBuffer(run->queue, buffer, CL_FALSE, 0, bytes, from, run->waits, run->wait_list, &event);
  if (err)
    return fail(run, err, "clEnqueueWriteBuffer");
  follow(run, event);
  return CL_SUCCESS;
}

cl_int clr_run_take(struct clr_quantile_run *run, cl_mem buffer, size_t bytes, void *to) {
  cl_int err = clEnqueueReadBuffer(run->queue, buffer, CL_TRUE, 0, bytes, to, run->waits, run->wait_list, NULL);
  return err ? fail(run, err, "clEnqueueReadBuffer") : CL_SUCCESS;
}

cl_int clr_run_launch(struct clr_quantile_run *run, enum clr_quantile_kernel which, cl_ulong groups,
                      const struct clr_argument *arguments, cl_uint count) {
  clred_quantile *quantile = run->quantile;
  const size_t group_size = (size_t)quantile->group_size, items = (size_t)groups * group_size;
  cl_event event = NULL;
  cl_uint next = 0;
  cl_int err = clr_set_arguments(quantile->kernels[which], arguments, count, &next);
  if (err)
    return fail(run, err, "clSetKernelArg");
  err = clEnqueueNDRangeKernel(run->queue, quantile->kernels[which], 1, NULL, &items, &group_size, run->waits,
                               run->wait_list, &event);
  if (err)
    return fail(run, err, "clEnqueueNDRangeKernel");
  quantile->launches++;
  if (!run->begun)
    run->begun = event;
  follow(run, event);
  return CL_SUCCESS;
}

cl_ulong clr_quantile_groups(const clred_quantile *quantile, cl_ulong count, size_t size) {
  const struct clr_facts *facts = &quantile->runtime->facts;
  const cl_ulong words = 4, run = 4096;
  cl_ulong tile = quantile->group_size * words * 16 / size;
  if (facts->cpu)
    return clr_clamp(clr_ceil_divide(count, run), 1, 256);
  return clr_clamp(clr_ceil_divide(count, tile), 1, 4 * facts->compute_units);
}

// ---------------------------------------------------------------- Elements

static cl_int wrap(struct clr_quantile_run *run, const unsigned char *memory, cl_ulong count, cl_mem *buffer) {
  const clred_quantile *quantile = run->quantile;
  size_t size = quantile->ordering.type->size;
  bool shared = quantile->runtime->facts.unified_memory && (uintptr_t)memory % size == 0;
  return clr_buffer_make(quantile->runtime->context,
                         CL_MEM_READ_ONLY | (shared ? CL_MEM_USE_HOST_PTR : CL_MEM_COPY_HOST_PTR), (size_t)count * size,
                         memory, "a buffer for the elements", buffer, run->status);
}

static cl_int check(const clred_quantile *quantile, const struct clr_quantile_call *call, struct clr_status *status) {
  const clred_runtime *runtime = quantile->runtime;
  cl_int err = clr_check_queue(call->queue, runtime->context, runtime->device, status);
  if (!err)
    err = clr_check_events(call->waits, call->wait_list, runtime->context, status);
  if (err || call->memory)
    return err;
  const struct clr_range range =
    clr_range("in", call->in, call->in_offset, call->count, quantile->ordering.type->size, CL_MEM_WRITE_ONLY);
  return clr_check_range(&range, runtime->context, status);
}

cl_int clr_reading_open(struct clr_quantile_run *run, const struct clr_quantile_call *call) {
  const clred_quantile *quantile = run->quantile;
  cl_int err = check(quantile, call, run->status);
  if (err)
    return err;
  run->queue = call->queue;
  run->waits = call->waits;
  run->wait_list = call->wait_list;
  run->buffer = call->in;
  run->first = call->in_offset;
  run->count = run->held = call->count;
  run->memory = call->memory;
  if (!call->memory || call->count > quantile->runtime->facts.max_alloc / quantile->ordering.type->size)
    return CL_SUCCESS;
  err = wrap(run, call->memory, call->count, &run->buffer);
  run->owns_buffer = !err;
  run->memory = NULL;
  return err;
}

void clr_reading_close(struct clr_quantile_run *run) {
  // After a failure, commands may still use the caller's memory.
  if (run->last && run->status->code)
    clFinish(run->queue);
  if (run->last)
    clReleaseEvent(run->last);
  if (run->begun && run->begun != run->last)
    clReleaseEvent(run->begun);
  if (run->owns_buffer)
    clReleaseMemObject(run->buffer);
}

double clr_run_seconds(const struct clr_quantile_run *run) {
  cl_ulong start, end;
  if (!run->begun ||
      clGetEventProfilingInfo(run->begun, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL) != CL_SUCCESS ||
      clGetEventProfilingInfo(run->last, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS ||
      end <= start)
    return 0;
  return 1e-9 * (double)(end - start);
}

cl_int clr_slice_open(struct clr_quantile_run *run, cl_ulong at, cl_ulong end, struct clr_slice *slice) {
  const clred_quantile *quantile = run->quantile;
  const size_t size = quantile->ordering.type->size;
  *slice = (struct clr_slice){run->buffer, run->first + at, clr_min(end - at, quantile->slice), run->memory != NULL};
  if (!run->memory)
    return CL_SUCCESS;
  slice->first = 0;
  slice->count = clr_min(slice->count, quantile->runtime->facts.max_alloc / size);
  return wrap(run, run->memory + at * size, slice->count, &slice->buffer);
}

void clr_slice_close(struct clr_slice *slice) {
  if (slice->is_owned)
    clReleaseMemObject(slice->buffer);
}

// ---------------------------------------------------------------- Readings

// One launch of a reading. Afterwards read_counts has `counts` numbers.
struct reading {
  enum clr_quantile_kernel kernel;  // the kernel for elements; the next kernel reads keys
  size_t counts;
  // Arguments after source, first and count.
  struct clr_argument arguments[8];
  cl_uint argument_count;
  // Called after each launch.
  void (*add)(struct clr_quantile_run *run, struct reading *reading, cl_ulong count);
  cl_uint written, room;
  struct clr_tally *tally;
};

static cl_int read_slice(struct clr_quantile_run *run, struct reading *reading, const struct clr_slice *slice,
                         bool on_keys) {
  clred_quantile *quantile = run->quantile;
  const size_t bytes = reading->counts * sizeof *quantile->read_counts;
  const size_t size = on_keys ? clr_quantile_key_size(quantile) : quantile->ordering.type->size;
  struct clr_argument arguments[11] = {CLR_ARGUMENT(slice->buffer), CLR_ARGUMENT(slice->first),
                                       CLR_ARGUMENT(slice->count)};
  memcpy(arguments + 3, reading->arguments, sizeof reading->arguments);
  memset(quantile->read_counts, 0, bytes);
  cl_int err = clr_run_put(run, quantile->counts, bytes, quantile->read_counts);
  if (!err)
    err = clr_run_launch(run, reading->kernel + (on_keys ? 1 : 0), clr_quantile_groups(quantile, slice->count, size),
                         arguments, 3 + reading->argument_count);
  if (!err)
    err = clr_run_take(run, quantile->counts, bytes, quantile->read_counts);
  if (!err)
    reading->add(run, reading, slice->count);
  return err;
}

// Reads the whole set.
static cl_int read_set(struct clr_quantile_run *run, struct reading *reading) {
  cl_int err = CL_SUCCESS;
  if (run->on_keys) {
    const struct clr_slice keys = {run->quantile->candidates, 0, run->held, false};
    return read_slice(run, reading, &keys, true);
  }
  run->quantile->readings++;
  for (cl_ulong at = 0; at < run->count && !err;) {
    struct clr_slice slice;
    err = clr_slice_open(run, at, run->count, &slice);
    if (err)
      return err;
    err = read_slice(run, reading, &slice, false);
    at += slice.count;
    clr_slice_close(&slice);
  }
  return err;
}

static cl_int put_table(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count,
                        const unsigned *shifts) {
  clred_quantile *quantile = run->quantile;
  const size_t size = clr_quantile_key_size(quantile);
  unsigned char *table = (unsigned char *)quantile->intervals;
  for (size_t i = 0; i < count; i++) {
    const cl_ulong entries[3] = {intervals[i].low, intervals[i].high - intervals[i].low, shifts ? shifts[i] : 0};
    for (size_t j = 0; j < 3; j++)
      clr_bits_put(entries[j], size, table + (3 * i + j) * size);
  }
  return clr_run_put(run, quantile->table, 3 * count * size, table);
}

// ---------------------------------------------------------------- Counting

static void add_counts(struct clr_quantile_run *run, struct reading *reading, cl_ulong count) {
  (void)count;
  for (size_t i = 0; i < reading->counts; i++)
    run->quantile->totals[i] += run->quantile->read_counts[i];
}

cl_int clr_reading_count(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count,
                         cl_ulong bins, const unsigned *shifts) {
  clred_quantile *quantile = run->quantile;
  const cl_uint number = (cl_uint)count, width = (cl_uint)bins,
                copies = (cl_uint)clr_min(clr_pow2_floor(quantile->slots / (count * bins)), 32);
  struct reading reading = {.kernel = CLR_QUANTILE_COUNT,
                            .counts = (size_t)(count * bins),
                            .arguments = {CLR_ARGUMENT(quantile->table), CLR_ARGUMENT(number), CLR_ARGUMENT(width),
                                          CLR_ARGUMENT(copies), CLR_ARGUMENT(quantile->counts)},
                            .argument_count = 5,
                            .add = add_counts};
  memset(quantile->totals, 0, reading.counts * sizeof *quantile->totals);
  cl_int err = put_table(run, intervals, count, shifts);
  return err ? err : read_set(run, &reading);
}

// ---------------------------------------------------------------- Gathering

static void add_tally(struct clr_quantile_run *run, struct reading *reading, cl_ulong count) {
  const cl_uint *found = run->quantile->read_counts;
  (void)count;
  reading->tally->inside += found[0];
  reading->tally->nans += found[1];
  for (size_t i = 0; i < (size_t)run->quantile->sides; i++) {
    reading->tally->below[i] += found[2 + 2 * i];
    reading->tally->upto[i] += found[3 + 2 * i];
  }
  cl_uint taken = found[0] < reading->room ? found[0] : reading->room;
  reading->written += taken;
  reading->room -= taken;
}

cl_int clr_reading_gather(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count, cl_mem out,
                          cl_ulong room, struct clr_tally *tally) {
  clred_quantile *quantile = run->quantile;
  const cl_uint number = (cl_uint)count;
  struct reading reading = {.kernel = CLR_QUANTILE_GATHER,
                            .counts = (size_t)(2 + 2 * quantile->sides),
                            .argument_count = 6,
                            .add = add_tally,
                            .room = (cl_uint)room,
                            .tally = tally};
  const struct clr_argument arguments[] = {
    CLR_ARGUMENT(quantile->table), CLR_ARGUMENT(number),       CLR_ARGUMENT(out),
    CLR_ARGUMENT(reading.written), CLR_ARGUMENT(reading.room), CLR_ARGUMENT(quantile->counts)};
  memcpy(reading.arguments, arguments, sizeof arguments);
  *tally = (struct clr_tally){0};
  cl_int err = put_table(run, intervals, count, NULL);
  return err ? err : read_set(run, &reading);
}

// ---------------------------------------------------------------- Keys on the host

static void rank_keys(clred_quantile *quantile, size_t count) {
  for (size_t i = 0; i < count; i++)
    quantile->ranked[0][i] = (struct clr_ranked){.key = clr_key_read(quantile, i)};
  clr_sort_ranked(quantile->ranked[0], quantile->ranked[1], count);
}

cl_int clr_reading_keys(struct clr_quantile_run *run, cl_mem from, cl_ulong count) {
  clred_quantile *quantile = run->quantile;
  cl_int err = clr_run_take(run, from, (size_t)count * clr_quantile_key_size(quantile), quantile->keys);
  if (!err)
    rank_keys(quantile, (size_t)count);
  return err;
}

static cl_ulong scatter(cl_ulong bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
  return bits ^ bits >> 31;
}

// The place of element i of the sample, as clred_quantile_sample computes it.
static cl_ulong place_in_sample(cl_ulong i, cl_ulong count) {
  cl_ulong part = count / CLR_SAMPLE, begin = i * part + i * (count % CLR_SAMPLE) / CLR_SAMPLE;
  return count <= CLR_SAMPLE ? i : begin + scatter(i + 1) % part;
}

// If the elements are in memory that no buffer can hold, the host takes the sample.
static void sample_on_host(struct clr_quantile_run *run, cl_ulong count) {
  clred_quantile *quantile = run->quantile;
  const struct clr_ordering *ordering = &quantile->ordering;
  for (cl_ulong i = 0; i < count; i++)
    quantile->ranked[0][i] = (struct clr_ranked){
      .key = clr_order_key(ordering, run->memory + place_in_sample(i, run->count) * ordering->type->size)};
  clr_sort_ranked(quantile->ranked[0], quantile->ranked[1], (size_t)count);
}

// If there are at most CLR_SAMPLE elements, the sampling kernel takes all of them.
cl_int clr_reading_all(struct clr_quantile_run *run, const struct clr_slice *slice) {
  clred_quantile *quantile = run->quantile;
  const struct clr_argument arguments[] = {CLR_ARGUMENT(slice->buffer), CLR_ARGUMENT(slice->first),
                                           CLR_ARGUMENT(slice->count), CLR_ARGUMENT(quantile->finalists)};
  cl_ulong wanted = clr_min(slice->count, CLR_SAMPLE), most = quantile->runtime->facts.cpu ? 16 : 64;
  cl_ulong groups = clr_min(clr_ceil_divide(wanted, quantile->group_size), most);
  cl_int err = clr_run_launch(run, CLR_QUANTILE_SAMPLE, groups, arguments, sizeof arguments / sizeof *arguments);
  return err ? err
             : clr_run_take(run, quantile->finalists, (size_t)wanted * clr_quantile_key_size(quantile), quantile->keys);
}

cl_int clr_reading_sample(struct clr_quantile_run *run, cl_ulong *count) {
  const struct clr_slice all = {run->buffer, run->first, run->count, false};
  *count = clr_min(run->count, CLR_SAMPLE);
  if (run->memory) {
    sample_on_host(run, *count);
    return CL_SUCCESS;
  }
  cl_int err = clr_reading_all(run, &all);
  if (!err)
    rank_keys(run->quantile, (size_t)*count);
  return err;
}

// ---------------------------------------------------------------- Warming

// Arguments behind source, first and count. Without elements, only the table and the counts are read.
static cl_int warm_kernel(struct clr_quantile_run *run, enum clr_quantile_kernel which) {
  clred_quantile *quantile = run->quantile;
  const cl_ulong first = 0, count = 0, index = 0, key = 0;
  const cl_uint one = 1, none = 0;
  const struct clr_argument source[] = {CLR_ARGUMENT(quantile->candidates), CLR_ARGUMENT(first), CLR_ARGUMENT(count)};
  const struct clr_argument table = CLR_ARGUMENT(quantile->table), counts = CLR_ARGUMENT(quantile->counts),
                            keys = CLR_ARGUMENT(quantile->finalists), number = CLR_ARGUMENT(one),
                            nothing = CLR_ARGUMENT(none), last = {clr_quantile_key_size(quantile), &key},
                            place = CLR_ARGUMENT(index);
  const struct clr_argument sample[] = {keys}, bins[] = {table, number, number, number, counts},
                            gather[] = {table, number, keys, nothing, nothing, counts},
                            collect[] = {last, place, place, nothing, counts, keys, counts}, ties[] = {last, counts};
  const struct {
    const struct clr_argument *list;
    cl_uint count;
  } lists[CLR_QUANTILE_KERNELS] = {
    [CLR_QUANTILE_SAMPLE] = {sample, 1},      [CLR_QUANTILE_COUNT] = {bins, 5},
    [CLR_QUANTILE_COUNT_KEYS] = {bins, 5},    [CLR_QUANTILE_GATHER] = {gather, 6},
    [CLR_QUANTILE_GATHER_KEYS] = {gather, 6}, [CLR_QUANTILE_COLLECT] = {collect, 7},
    [CLR_QUANTILE_TIES] = {ties, 2},
  };
  struct clr_argument arguments[10];
  memcpy(arguments, source, sizeof source);
  memcpy(arguments + 3, lists[which].list, lists[which].count * sizeof *arguments);
  return clr_run_launch(run, which, 1, arguments, 3 + lists[which].count);
}

cl_int clr_quantile_warm(clred_quantile *quantile, cl_command_queue queue, struct clr_status *status) {
  static const cl_ulong table[3];
  struct clr_quantile_run run = {.quantile = quantile, .queue = queue, .status = status};
  cl_int err = clr_check_queue(queue, quantile->runtime->context, quantile->runtime->device, status);
  if (!err)
    err = clr_run_put(&run, quantile->table, sizeof table, table);
  for (int which = 0; which < CLR_QUANTILE_KERNELS && !err; which++)
    err = warm_kernel(&run, (enum clr_quantile_kernel)which);
  if (!err && (err = clFinish(queue)) != CL_SUCCESS)
    fail(&run, err, "clFinish");
  clr_reading_close(&run);
  return err;
}
