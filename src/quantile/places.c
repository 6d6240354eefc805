// The elements up to a key, with their places. If not all elements with the last key are wanted, the first of them are.
// Counts in parts of the elements, then in parts of one part, find where the wanted elements end.
#include <string.h>

#include "base/arithmetic.h"
#include "quantile/quantile.h"

// Kernels take a key as uint or ulong.
static cl_ulong key_for(const clred_quantile *quantile, cl_ulong key) {
  cl_ulong bits = 0;
  clr_bits_put(key, clr_quantile_key_size(quantile), &bits);
  return bits;
}

// Counts the ties in each part of a slice.
static cl_int count_ties(struct clr_quantile_run *run, cl_ulong key, const struct clr_slice *slice, cl_ulong parts) {
  clred_quantile *quantile = run->quantile;
  const cl_ulong tied = key_for(quantile, key);
  const struct clr_argument arguments[] = {CLR_ARGUMENT(slice->buffer),
                                           CLR_ARGUMENT(slice->first),
                                           CLR_ARGUMENT(slice->count),
                                           {clr_quantile_key_size(quantile), &tied},
                                           CLR_ARGUMENT(quantile->counts)};
  cl_int err = clr_run_launch(run, CLR_QUANTILE_TIES, parts, arguments, sizeof arguments / sizeof *arguments);
  return err
           ? err
           : clr_run_take(run, quantile->counts, (size_t)parts * sizeof *quantile->read_counts, quantile->read_counts);
}

// Where the wanted tie lies: among the elements from `begin` to `end`, and how many ties from there on are wanted.
struct cut {
  cl_ulong begin, end, wanted;
};

// Moves the cut to the part of the slice that has the wanted tie. False if the slice ends before it.
static bool cut_slice(const clred_quantile *quantile, const struct clr_slice *slice, cl_ulong at, cl_ulong parts,
                      struct cut *cut) {
  cl_ulong length = clr_ceil_divide(slice->count, parts);
  for (size_t part = 0; part < parts; part++) {
    if (quantile->read_counts[part] >= cut->wanted) {
      cut->begin = at + part * length;
      cut->end = clr_min(cut->begin + length, at + slice->count);
      return true;
    }
    cut->wanted -= quantile->read_counts[part];
  }
  return false;
}

// Shrinks the cut to a part of it.
static cl_int shrink(struct clr_quantile_run *run, cl_ulong key, struct cut *cut) {
  const cl_ulong least = 4096;
  for (cl_ulong at = cut->begin, end = cut->end; at < end;) {
    struct clr_slice slice;
    cl_int err = clr_slice_open(run, at, end, &slice);
    if (err)
      return err;
    cl_ulong parts = clr_clamp(slice.count / least, 2, CLR_TIE_PARTS);
    err = count_ties(run, key, &slice, parts);
    clr_slice_close(&slice);
    if (err || cut_slice(run->quantile, &slice, at, parts, cut))
      return err;
    at += slice.count;
  }
  return clr_fail_changed(run);
}

// Finds the place behind the last wanted element with this key.
static cl_int find_limit(struct clr_quantile_run *run, cl_ulong key, cl_ulong wanted, cl_ulong *limit) {
  struct cut cut = {0, run->count, wanted};
  cl_int err = CL_SUCCESS;
  run->quantile->readings++;
  while (cut.end - cut.begin > CLR_SAMPLE && !err)
    err = shrink(run, key, &cut);
  for (cl_ulong at = cut.begin; at < cut.end && cut.wanted && !err;) {
    struct clr_slice slice;
    err = clr_slice_open(run, at, cut.end, &slice);
    if (err)
      return err;
    err = clr_reading_all(run, &slice);
    clr_slice_close(&slice);
    for (cl_ulong i = 0; i < slice.count && cut.wanted && !err; i++, at++)
      cut.wanted -= clr_key_read(run->quantile, i) == key ? 1 : 0;
    *limit = at;
  }
  return err || !cut.wanted ? err : clr_fail_changed(run);
}

static cl_int take_chosen(struct clr_quantile_run *run, cl_ulong begin, cl_ulong count) {
  clred_quantile *quantile = run->quantile;
  const size_t size = clr_quantile_key_size(quantile);
  cl_int err = clr_run_take(run, quantile->chosen, (size_t)count * size, quantile->keys);
  if (!err)
    err = clr_run_take(run, quantile->chosen_places, (size_t)count * sizeof *quantile->places, quantile->places);
  for (size_t i = 0; i < count && !err; i++) {
    cl_ulong bits = 0;
    memcpy(&bits, (const unsigned char *)quantile->keys + i * size, size);
    quantile->ranked[0][begin + i] =
      (struct clr_ranked){clr_order_key(&quantile->ordering, &bits), quantile->places[i], bits};
  }
  return err;
}

// Writes to `chosen` from its start on; `*found` elements are already on the host.
static cl_int collect_slice(struct clr_quantile_run *run, const struct clr_slice *slice, cl_ulong at, cl_ulong last,
                            cl_ulong limit, cl_ulong count, cl_ulong *found) {
  clred_quantile *quantile = run->quantile;
  const cl_ulong bound = key_for(quantile, last);
  static const cl_uint none;  // static: after a failure, the write may end later than this function
  const cl_uint room = (cl_uint)(count - *found);
  const struct clr_argument arguments[] = {CLR_ARGUMENT(slice->buffer),
                                           CLR_ARGUMENT(slice->first),
                                           CLR_ARGUMENT(slice->count),
                                           {clr_quantile_key_size(quantile), &bound},
                                           CLR_ARGUMENT(at),
                                           CLR_ARGUMENT(limit),
                                           CLR_ARGUMENT(room),
                                           CLR_ARGUMENT(quantile->counts),
                                           CLR_ARGUMENT(quantile->chosen),
                                           CLR_ARGUMENT(quantile->chosen_places)};
  cl_uint chosen = 0;
  cl_int err = clr_run_put(run, quantile->counts, sizeof none, &none);
  if (!err)
    err = clr_run_launch(run, CLR_QUANTILE_COLLECT,
                         clr_quantile_groups(quantile, slice->count, quantile->ordering.type->size), arguments,
                         sizeof arguments / sizeof *arguments);
  if (!err)
    err = clr_run_take(run, quantile->counts, sizeof chosen, &chosen);
  if (!err && chosen > room)
    err = clr_fail_changed(run);
  if (!err && chosen)
    err = take_chosen(run, *found, chosen);
  *found += err ? 0 : chosen;
  return err;
}

// Reads the elements with keys below `last`, and those equal to it before place `limit`, to `ranked[0]`, sorted. There
// must be `count` of them.
static cl_int collect(struct clr_quantile_run *run, cl_ulong last, cl_ulong limit, cl_ulong count) {
  cl_ulong found = 0;
  run->quantile->readings++;
  for (cl_ulong at = 0; at < run->count;) {
    struct clr_slice slice;
    cl_int err = clr_slice_open(run, at, run->count, &slice);
    if (err)
      return err;
    err = collect_slice(run, &slice, at, last, limit, count, &found);
    clr_slice_close(&slice);
    if (err)
      return err;
    at += slice.count;
  }
  if (found != count)
    return clr_fail_changed(run);
  clr_sort_ranked(run->quantile->ranked[0], run->quantile->ranked[1], (size_t)count);
  return CL_SUCCESS;
}

cl_int clr_quantile_choose(struct clr_quantile_run *run, const struct clr_target *last) {
  cl_ulong chosen = clr_quantile_chosen(run->quantile), ties = chosen - last->below, limit = run->count;
  cl_int err = ties < last->inside ? find_limit(run, last->low, ties, &limit) : CL_SUCCESS;
  return err ? err : collect(run, last->low, limit, chosen);
}
