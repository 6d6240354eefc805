// The interface of the peers in C, C++ and CUDA. A peer exports one struct bench_side named bench_peer; serve.c makes a
// program of it that speaks the line protocol. This header needs no OpenCL.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum bench_type {
  BENCH_FLOAT,
  BENCH_DOUBLE,
  BENCH_INT,
  BENCH_UCHAR,
  BENCH_HALF,
  BENCH_USHORT,
  BENCH_LONG,
  BENCH_UINT,
  BENCH_ULONG,
  BENCH_TYPES
};

enum bench_kind {
  BENCH_SUM,
  BENCH_MIN,
  BENCH_MAX,
  BENCH_ARGMIN,  // the index
  BENCH_INCLUSIVE,
  BENCH_EXCLUSIVE,
  BENCH_SEGMENTS,       // sums of floats
  BENCH_REDUCE_BY_KEY,  // sums of floats
  BENCH_SCAN_BY_KEY,    // inclusive sums of floats
  BENCH_SELECT,         // floats above 0
  BENCH_HISTOGRAM,
  BENCH_SORT_KEYS,
  BENCH_SORT_PAIRS,      // keys, and `values` with them
  BENCH_ARGSORT,         // 32-bit indices
  BENCH_SEGMENTED_SORT,  // keys of each segment
  BENCH_OTHER,           // only our own side does this work; its results are not compared
};

enum bench_width { BENCH_64_BITS, BENCH_OWN_BITS, BENCH_32_BITS };

// The work of one comparison. All pointers are to host memory, which stays valid until the job is released.
struct bench_work {
  enum bench_kind kind;
  enum bench_type type;
  // Scans of integers: results have 64 bits, the type of the elements, or 32 bits. Histograms: counts have 64 or 32
  // bits.
  enum bench_width narrow;
  size_t count;
  const void *elements;
  const int32_t *keys;      // one for each element
  const uint32_t *values;   // SORT_PAIRS, ARGSORT: 0, 1, 2 ..., one for each element
  const uint32_t *offsets;  // SEGMENTS, SEGMENTED_SORT: results + 1
  size_t length;            // SEGMENTS: elements of each segment; 0: `offsets` has them
  size_t results;           // SEGMENTS, SEGMENTED_SORT: segments; HISTOGRAM: bins
  double low, high;         // HISTOGRAM: edges, whole numbers; no element is equal to `high`
  // For our own side only.
  const char *name;      // of the work
  const char *strategy;  // of peers, too; NULL: chosen
  size_t shape[2];       // OTHER: a C-ordered array; 0: a line
  unsigned axis, devices;
  size_t first;  // elements of the first of two devices
};

// What a job writes. NUMBER is a uint64_t: the number of results.
enum bench_part { BENCH_RESULTS, BENCH_KEYS_OUT, BENCH_VALUES_OUT, BENCH_NUMBER, BENCH_PARTS };

static inline size_t bench_size(enum bench_type type) {
  static const size_t sizes[BENCH_TYPES] = {4, 8, 4, 1, 2, 2, 8, 4, 8};
  return sizes[type];
}

static inline int bench_is_sort(const struct bench_work *work) {
  return work->kind >= BENCH_SORT_KEYS && work->kind <= BENCH_SEGMENTED_SORT;
}

// Bytes of an item of a part. The result of a reduction has 8 bytes at most.
static inline size_t bench_part_size(const struct bench_work *work, enum bench_part part) {
  const int is_wide = work->narrow == BENCH_64_BITS;
  if (part != BENCH_RESULTS)
    return part == BENCH_NUMBER ? 8 : 4;
  if (work->kind <= BENCH_ARGMIN)
    return 8;
  if (work->kind == BENCH_HISTOGRAM)
    return is_wide ? 8 : 4;
  if (bench_is_sort(work))
    return work->kind == BENCH_ARGSORT ? 4 : bench_size(work->type);
  if (work->narrow == BENCH_OWN_BITS || work->type <= BENCH_DOUBLE)
    return bench_size(work->type);
  return is_wide ? 8 : 4;
}

// The largest number of items of a part; 0 if this kind of work does not write the part.
static inline size_t bench_part_count(const struct bench_work *work, enum bench_part part) {
  const int by_key = work->kind == BENCH_REDUCE_BY_KEY;
  if (work->kind == BENCH_OTHER)
    return 0;
  if (part == BENCH_KEYS_OUT)
    return by_key ? work->count : 0;
  if (part == BENCH_VALUES_OUT)
    return work->kind == BENCH_SORT_PAIRS ? work->count : 0;
  if (part == BENCH_NUMBER)
    return by_key || work->kind == BENCH_SELECT;
  return work->kind <= BENCH_ARGMIN                                      ? 1
         : work->kind == BENCH_SEGMENTS || work->kind == BENCH_HISTOGRAM ? work->results
                                                                         : work->count;
}

// One prepared work. It is the first member of the job that a side defines.
struct bench_job {
  const char *name;  // as tables call the side
  struct bench_work work;
  enum bench_type result_type;  // of a reduction
  void *parts[BENCH_PARTS];
};

// Functions that can fail return 0 on success. `prepare` returns NULL if it fails, or if the side cannot do this work.
struct bench_side {
  const char *name;
  int on_gpu;
  // Selects an OpenCL device by its index among all devices and by its name. NULL: there is nothing to select.
  int (*open)(unsigned index, const char *name);
  struct bench_job *(*prepare)(const struct bench_work *work);
  void (*release)(struct bench_job *job);
  int (*enqueue)(struct bench_job *job);  // one call
  int (*finish)(struct bench_job *job);   // waits for the calls. NULL: they are complete when they return
  // The seconds of one call by the device's own clock, which counts kernels only. NULL: it has none.
  int (*time_on_device)(struct bench_job *job, double *seconds);
  // Copies bytes of a part into `memory`, or from there into the part. NULL: the parts are in host memory, and serve.c
  // allocates them.
  int (*copy)(struct bench_job *job, enum bench_part part, int into_part, size_t at, size_t bytes, void *memory);
  const char *(*describe)(void);  // our own side: KIND INDEX NAME of the open device. Others: NULL
};

extern __attribute__((visibility("default"))) const struct bench_side bench_peer;

#ifdef __cplusplus
}
#endif
