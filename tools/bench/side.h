// One side of a measurement: the library, a limit, or a peer. It runs some calls and stores the seconds of one call.
// turns.c runs sides in turn; the functions below open them. Used by reduce.c and beside.c.
#pragma once

#include "bench/expect.h"
#include "bench/rows.h"
#include "bench/shared_data.h"
#include "device/session.h"
#include "peers/peer_side.h"

struct bench_request;
struct bench_variant;

// A device, the elements on it, and what all sides on it share.
struct bench_bed {
  struct session session;       // its queue keeps times: for the device's clock
  cl_command_queue wall_queue;  // keeping times may cost time on the host, so the wall clock has a queue without them
  cl_mem in;                    // the elements
  cl_mem second;                // room for as many: a copy, or a further input
  uint64_t others;       // elements of `second` that a call reads before each call by the device's clock; 0: no such
                         // call
  const void *elements;  // the elements of `in`, in host memory
  cl_program readers;    // the kernels of limit.c
};

// Opens the device with an empty bed; call bench_bed_close in any case. All return an exit code.
int bench_bed_open(struct bench_bed *bed, const struct device *device, const struct bench_request *request);
void bench_bed_close(struct bench_bed *bed);

// Memory that begins at a page; all of it is written, so that no run is the first to touch it. NULL if memory is out.
void *bed_claim(size_t bytes);

// Waits for calls that may still read `in` and `second` after a failure, and releases both.
void bed_release_elements(struct bench_bed *bed);

struct side {
  enum side_kind kind;
  char name[BENCH_NAME_SIZE];
  bool has_device_clock;
  double bytes;                  // that one call moves
  bool wrong;                    // a run had a wrong result
  char lost[BENCH_REASON_SIZE];  // why the side cannot go on; "" if it can
  // Makes `calls` calls and stores the seconds of one call. Returns an exit code; EXIT_DONE with `lost` set if only
  // this side fails.
  int (*run)(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds);
  // Overwrite and read the parts that a run writes. NULL: the side checks each run itself, or has no results.
  int (*spoil)(struct side *side, enum bench_part part, size_t first, size_t count);
  int (*read)(struct side *side, enum bench_part part, size_t first, size_t count, void *to);
  void (*close)(struct side *side);
  const struct bench_work *work;  // the work that has these parts
  void *own;                      // state of this kind of side
};

// The sides of one case, and their rows: rows[i] is of list[i].
enum { SIDES_MOST = BENCH_LIST_MOST + 2 + PEERS_MOST };

struct sides {
  struct side list[SIDES_MOST];
  struct bench_row *rows;  // the last rows of the report, which gets no others while the sides are open
  size_t count;
};

// Adds rows without times to the report. NULL if memory is short.
struct sides *sides_begin(struct bench_report *report);

// Writes to each row its case, and the kind and name of its side.
void sides_name(struct sides *sides, const struct bench_case *of);

// Closes the sides, and removes the rows that no side has. `sides` may be NULL.
void sides_end(struct sides *sides, struct bench_report *report);

// ---- Runs in turn, so that other work on the machine slows all sides alike: turns.c

struct turns_rule {
  uint64_t runs, warm_up;
  uint64_t calls;  // calls of one run by the wall clock; 0: as many as take 2 ms
  bool clocks[BENCH_CLOCKS];
  bool shuffled;  // the order changes from round to round; otherwise it is that of `sides`
  double budget;  // seconds; a side that has used them and had 5 runs gets no further run; 0: no limit
};

// Runs each side `runs` times, after `warm_up` runs, and writes calls, times and correctness to the rows. Times of a
// clock that the rule leaves out do not change. Returns an exit code.
int bench_take_turns(struct sides *sides, const struct turns_rule *rule);

// ---- The library: ours.c

// A plan and a call. Buffers for results are made when the side is opened.
struct plan_side {
  const char *name;
  clred_problem problem;
  clred_call call;
  double bytes;                         // that a call moves
  bool reference;                       // the other plans are compared with this one
  size_t out_bytes;                     // bytes of the results, if the next two fields are NULL
  const struct bench_work *work;        // the caller checks its results through side->spoil and side->read
  const struct expected *expected;      // the result of each run is compared with it
  const struct bench_variant *variant;  // NULL: the library itself
};

// Sets side->lost if the plan is refused. `row` gets the plan's strategy, finish and order. Returns an exit code.
int bench_ours_open(struct side *side, const struct bench_bed *bed, const struct plan_side *plan,
                    struct bench_row *row);

// Takes the problem's strategy, finish and order from --strategy.
void ours_set_strategy(clred_problem *problem, const struct bench_strategy *strategy);

// Whether the first results of two sides with `expected` have the same bits.
bool bench_ours_agree(const struct side *a, const struct side *b);

// ---- The limit of the device's memory: limit.c

// Builds bed->readers; bench_bed_close releases them. Returns an exit code.
int bench_limit_build(struct bench_bed *bed);

// bench_copy_open: a copy by the driver. bench_read_open: the fastest of several kernels that read and do little else.
// Both set side->lost if there are too few elements.
int bench_copy_open(struct side *side, const struct bench_bed *bed, uint64_t bytes);
int bench_read_open(struct side *side, const struct bench_bed *bed, uint64_t bytes);

// A kernel that does nothing.
int bench_empty_open(struct side *side, struct bench_bed *bed, double bytes);

// ---- Peers: others.c

// A peer in a separate process, which has opened the device.
int bench_peer_open(struct side *side, struct peer *peer, const struct bench_case *of, const struct expected *expected);

// The module of this name (tools/peers), loaded into this process. NULL if it was not built or does not find the
// device.
const struct bench_side *bench_module(const char *name, const struct device *device);

// A side that does `work` by a module. Sets side->lost if the module cannot do it.
int bench_module_open(struct side *side, const struct bench_side *module, const struct bench_work *work, double bytes);

// ---- The two kinds of measuring. Both add rows to the report for what its request names, and return an exit code.

// Reductions: the task `reduce`; reduce.c.
int bench_measure(struct bench_report *report, struct shared_data *data);

// The comparisons of any other task; beside.c.
int beside_measure(struct bench_report *report);
