// The interface of the peers in C, C++ and CUDA. A peer exports one struct bench_side named bench_peer; serve.c makes a
// program of it that speaks the line protocol. This header needs no OpenCL.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// The host's clock, and the device's own, which counts kernels only.
enum bench_clock { BENCH_WALL, BENCH_DEVICE, BENCH_CLOCKS };

enum bench_type {
  BENCH_FLOAT,
  BENCH_DOUBLE,
  BENCH_INT,
  BENCH_UCHAR,
  BENCH_HALF,
  BENCH_USHORT,
  BENCH_LONG,
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
  BENCH_OTHER,  // named by `name`; only our own side does it, and its results are not read
  BENCH_KINDS
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
  const uint32_t *offsets;  // SEGMENTS: results + 1
  size_t length;            // SEGMENTS: elements of each segment; 0: `offsets` has them
  size_t results;           // SEGMENTS: segments; HISTOGRAM: bins
  double low, high;         // HISTOGRAM: edges, whole numbers; no element is equal to `high`
  const char *name;         // OTHER: an operator, inclusive or exclusive
  const char *strategy;     // for our own side; NULL: chosen
  size_t shape[2];          // OTHER: a C-ordered array; 0: a line
  unsigned axis;
};

// What a job writes. NUMBER is a uint64_t: how many results there are.
enum bench_part { BENCH_RESULTS, BENCH_KEYS_OUT, BENCH_NUMBER, BENCH_PARTS };

static inline size_t bench_size(enum bench_type type) {
  static const size_t sizes[BENCH_TYPES] = {4, 8, 4, 1, 2, 2, 8};
  return sizes[type];
}

// The result of a reduction is read as a double, which is exact: sums of integers are below 2^53.
static inline enum bench_type bench_result_type(const struct bench_work *work) {
  if (work->kind <= BENCH_ARGMIN)
    return BENCH_DOUBLE;
  if (work->kind == BENCH_HISTOGRAM)
    return work->narrow ? BENCH_INT : BENCH_LONG;
  if (work->narrow == BENCH_OWN_BITS || work->type == BENCH_FLOAT || work->type == BENCH_DOUBLE)
    return work->type;
  return work->narrow == BENCH_32_BITS ? BENCH_INT : BENCH_LONG;  // as many bits as the unsigned type
}

static inline size_t bench_part_size(const struct bench_work *work, enum bench_part part) {
  return part == BENCH_RESULTS ? bench_size(bench_result_type(work)) : part == BENCH_NUMBER ? 8 : 4;
}

// How many items a part has room for; 0 if this kind of work does not write it.
static inline size_t bench_part_count(const struct bench_work *work, enum bench_part part) {
  const int by_key = work->kind == BENCH_REDUCE_BY_KEY;
  if (work->kind == BENCH_OTHER)
    return 0;
  if (part == BENCH_KEYS_OUT)
    return by_key ? work->count : 0;
  if (part == BENCH_NUMBER)
    return by_key || work->kind == BENCH_SELECT;
  return work->kind <= BENCH_ARGMIN                                      ? 1
         : work->kind == BENCH_SEGMENTS || work->kind == BENCH_HISTOGRAM ? work->results
                                                                         : work->count;
}

// One prepared work. A side derives its own struct from this one: this is its first member.
struct bench_job {
  const char *name;  // as tables call the side
  struct bench_work work;
  void *parts[BENCH_PARTS];
};

// Functions that can fail return 0 on success. `prepare` returns NULL if it fails.
struct bench_side {
  const char *name;
  int on_gpu;
  int has_device_clock;
  // Selects an OpenCL device by its index among all devices and by its name. NULL: there is nothing to select.
  int (*open)(unsigned index, const char *name);
  // Returns NULL also if the side does not do this work.
  struct bench_job *(*prepare)(const struct bench_work *work);
  // Seconds of one call. BENCH_WALL: of `calls` calls back to back between two synchronisations, divided by `calls`.
  // BENCH_DEVICE: of the kernels of one call.
  int (*run)(struct bench_job *job, enum bench_clock clock, size_t calls, double *seconds);
  // Sets all bits of these items, so that a run that writes no results is detected.
  int (*spoil)(struct bench_job *job, enum bench_part part, size_t first, size_t count);
  int (*read)(struct bench_job *job, enum bench_part part, size_t first, size_t count, void *to);
  void (*release)(struct bench_job *job);
  // For our own side: KIND INDEX NAME of the open device. NULL: nothing to tell.
  const char *(*describe)(void);
};

extern __attribute__((visibility("default"))) const struct bench_side bench_peer;

#ifdef __cplusplus
}
#endif
