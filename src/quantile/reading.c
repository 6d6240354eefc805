// Readings of the whole set: they count keys in bins, or gather them. The host waits for the counts of each launch.
#include <string.h>

#include "base/arithmetic.h"
#include "quantile/commands.h"

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
