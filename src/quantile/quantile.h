// Quantiles, and the largest or smallest elements. make.c builds and allocates; run.c is one run; search.c finds the
// keys at given ranks; reading.c has the launches; places.c finds the elements up to a key.
#pragma once

#include "opencl/session.h"
#include "quantile/order.h"
#include "runtime/runtime.h"

// The most keys of a sample, and the most keys that the host reads and sorts at once.
#define CLR_SAMPLE 16384
// Groups that count ties, each in its part of the elements.
#define CLR_TIE_PARTS 1024
// Most intervals with tallies of both sides. With more of them, tallies cost more than they save.
#define CLR_SIDES_MAX 8
// Ranks to be found at once: two for each quantile.
#define CLR_TARGETS_MAX (2 * CLRED_QUANTILES_MAX)

// A rank to be found. Ranks count from 0 over all elements in their order.
struct clr_target {
  cl_ulong rank;
  cl_ulong low, high;  // its key is in this range
  cl_ulong below;      // elements with keys below `low`
  cl_ulong inside;     // elements with keys from `low` to `high`
  bool found;          // `low` is its key, and the key of `inside` elements
};

struct clr_interval {
  cl_ulong low, high, inside;
  cl_ulong last;  // the largest rank that is searched in it
};

enum clr_quantile_kernel {
  CLR_QUANTILE_SAMPLE,
  CLR_QUANTILE_COUNT,
  CLR_QUANTILE_COUNT_KEYS,
  CLR_QUANTILE_GATHER,
  CLR_QUANTILE_GATHER_KEYS,
  CLR_QUANTILE_COLLECT,
  CLR_QUANTILE_TIES,
  CLR_QUANTILE_KERNELS
};

struct clred_quantile {
  clred_runtime *runtime;
  clred_quantile_problem problem;  // `at` points to `quantiles`
  double quantiles[CLRED_QUANTILES_MAX];
  struct clr_ordering ordering;
  struct clr_built *built;  // owned by the runtime
  bool is_right;            // a trial has found the program right
  cl_kernel kernels[CLR_QUANTILE_KERNELS];
  cl_ulong group_size, slots, sides;
  cl_ulong capacity;             // keys of `candidates`; at most 2^30
  cl_ulong slice;                // most elements of a launch
  cl_mem table;                  // intervals
  cl_mem counts;                 // counts of bins, or tallies
  cl_mem candidates;             // keys of the intervals
  cl_mem finalists;              // keys that the host reads
  cl_mem chosen, chosen_places;  // elements of `top` and `bottom`
  size_t device_bytes;
  // Host memory.
  cl_uint *read_counts;                     // counts of a launch: `slots` counts, but at least CLR_TIE_PARTS
  cl_ulong *totals;                         // counts of a reading; the same number
  cl_ulong intervals[3 * CLR_TARGETS_MAX];  // the intervals that `table` gets
  void *keys;                               // CLR_SAMPLE keys, or the chosen elements
  cl_ulong *places;                         // places of the chosen elements
  struct clr_ranked *ranked[2];
  struct clr_target targets[CLR_TARGETS_MAX];
  struct clr_position positions[CLRED_QUANTILES_MAX];
  size_t target_count;
  // The latest run.
  cl_ulong readings, launches, nans;
  double seconds;
};

static inline cl_ulong clr_quantile_chosen(const clred_quantile *quantile) {
  return quantile->problem.top ? quantile->problem.top : quantile->problem.bottom;
}

// Bytes of a key on the device.
static inline size_t clr_quantile_key_size(const clred_quantile *quantile) {
  return quantile->ordering.type->size == 8 ? sizeof(cl_ulong) : sizeof(cl_uint);
}

// Key number `index` of `keys`.
static inline cl_ulong clr_key_read(const clred_quantile *quantile, cl_ulong index) {
  const size_t size = clr_quantile_key_size(quantile);
  return clr_bits_get((const unsigned char *)quantile->keys + (size_t)index * size, size);
}

// True if there may be more intervals than tallies. Such a search begins with bins.
static inline bool clr_quantile_searches(const clred_quantile *quantile) {
  return quantile->problem.at && quantile->problem.at_count > CLR_SIDES_MAX;
}

// --- make.c ---
// A number that stands for what a trial covers. A trial needs as many elements as the quantile chooses.
unsigned clr_quantile_cover(const clred_quantile *quantile);

cl_int clr_quantile_make(clred_runtime *runtime, const clred_quantile_problem *problem, enum clr_vetting vetting,
                         clred_quantile **made, struct clr_status *status);
void clr_quantile_release(clred_quantile *quantile);

// Compute the numbers of a checked problem on a device with these facts, and write them as plan.clh of the program.
cl_int clr_quantile_resolve(clred_quantile *quantile, const struct clr_facts *facts, struct clr_status *status);
void clr_quantile_write_plan(const clred_quantile *quantile, struct clr_text *text);
void clr_quantile_inspect(const clred_quantile *quantile, clred_quantile_info *info);

// --- run.c ---
// What a run reads: a buffer, or host memory.
struct clr_quantile_call {
  cl_command_queue queue;
  cl_mem in;
  cl_ulong in_offset;
  const void *memory;  // NULL: `in`
  cl_ulong count;
  void *results;
  cl_ulong *places;
  cl_uint waits;
  const cl_event *wait_list;
};
cl_int clr_quantile_run(clred_quantile *quantile, const struct clr_quantile_call *call, struct clr_status *status);

// --- reading.c ---
// A run under way. Each command waits for the one before, so the queue may be out of order.
struct clr_quantile_run {
  clred_quantile *quantile;
  struct clr_status *status;
  cl_command_queue queue;
  cl_uint waits;
  const cl_event *wait_list;
  cl_event begun;  // the first launch
  cl_event last;
  // The elements. `memory` is NULL if one buffer has all.
  cl_mem buffer;
  const unsigned char *memory;
  cl_ulong first, count;
  bool owns_buffer;
  // The set in which ranks are searched: the elements, or `held` candidates.
  bool on_keys;
  cl_ulong held;
};

// Checks the call and begins.
cl_int clr_reading_open(struct clr_quantile_run *run, const struct clr_quantile_call *call);
void clr_reading_close(struct clr_quantile_run *run);

// Returns the time from the start of the first launch to the end of the last, which must be complete. 0 without event
// profiling.
double clr_run_seconds(const struct clr_quantile_run *run);

// Launches each kernel without elements.
cl_int clr_quantile_warm(clred_quantile *quantile, cl_command_queue queue, struct clr_status *status);

// clr_run_put writes to a buffer; `from` must not change before the next clr_run_take, which reads from a buffer and
// waits.
cl_int clr_run_put(struct clr_quantile_run *run, cl_mem buffer, size_t bytes, const void *from);
cl_int clr_run_take(struct clr_quantile_run *run, cl_mem buffer, size_t bytes, void *to);

cl_int clr_run_launch(struct clr_quantile_run *run, enum clr_quantile_kernel which, cl_ulong groups,
                      const struct clr_argument *arguments, cl_uint count);

// Returns the number of groups that share `count` values of this size. On GPUs they fill the device; on CPUs each takes
// a long run.
cl_ulong clr_quantile_groups(const clred_quantile *quantile, cl_ulong count, size_t size);

// Elements for one launch.
struct clr_slice {
  cl_mem buffer;
  cl_ulong first, count;
  bool is_owned;
};

// The slice that begins at element `at` of the call and does not reach beyond `end`.
cl_int clr_slice_open(struct clr_quantile_run *run, cl_ulong at, cl_ulong end, struct clr_slice *slice);
void clr_slice_close(struct clr_slice *slice);

// Reads the keys of a slice of at most CLR_SAMPLE elements to `keys`, in the order of the elements.
cl_int clr_reading_all(struct clr_quantile_run *run, const struct clr_slice *slice);

// What a reading found on both sides of each interval.
struct clr_tally {
  cl_ulong inside, nans;
  cl_ulong below[CLR_SIDES_MAX], upto[CLR_SIDES_MAX];
};

// Reads a sample of the keys to `ranked[0]`, or all if there are at most CLR_SAMPLE; sorts them.
cl_int clr_reading_sample(struct clr_quantile_run *run, cl_ulong *count);

// Counts the keys of the set in `bins` bins of each interval; bin b begins at low + (b << shift). Fills `totals`.
cl_int clr_reading_count(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count,
                         cl_ulong bins, const unsigned *shifts);

// Copies the keys of the set that lie in the intervals to a buffer with this room. tally->inside may be more than
// `room`.
cl_int clr_reading_gather(struct clr_quantile_run *run, const struct clr_interval *intervals, size_t count, cl_mem out,
                          cl_ulong room, struct clr_tally *tally);

// Reads and sorts `count` keys from a buffer to `ranked[0]`.
cl_int clr_reading_keys(struct clr_quantile_run *run, cl_mem from, cl_ulong count);

// True if NaNs have the largest key and must be counted.
static inline bool clr_counts_nans(const struct clr_ordering *ordering) {
  return ordering->infinite && !ordering->nans_first;
}

// The largest key of elements that have a rank.
static inline cl_ulong clr_last_key(const struct clr_ordering *ordering) {
  return clr_counts_nans(ordering) ? ordering->most - 1 : ordering->most;
}

// --- search.c ---
// Fails because two readings disagree.
cl_int clr_fail_changed(struct clr_quantile_run *run);

// Sets the targets once the number of NaNs is known. Returns false if no rank is left to find.
typedef bool clr_set_ranks(clred_quantile *quantile, cl_ulong count, cl_ulong nans);

// Finds the keys of all targets.
cl_int clr_quantile_search(struct clr_quantile_run *run, clr_set_ranks *set_ranks);

// --- places.c ---
// Reads the elements up to the last chosen one to `ranked[0]`, sorted.
cl_int clr_quantile_choose(struct clr_quantile_run *run, const struct clr_target *last);
