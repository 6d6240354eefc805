// Who is measured, whatever it is: something that can be run so many times, and says how long one call took.

#ifndef CLREDUCE_TOOL_BENCH_SIDE_H
#define CLREDUCE_TOOL_BENCH_SIDE_H

#include "bench_expect.h"
#include "bench_rows.h"
#include "session.h"

// A device, the elements on it, and what all sides on it share.
struct bench_bed {
  struct session session;
  cl_command_queue
    wall_queue;  // a queue that keeps times may cost some on the host; the session's own is for the device's clock
  cl_mem in;     // the elements
  cl_mem copy;   // room for as many
  const void *elements;  // the same in host memory
  cl_program readers;    // bench_limit.c's kernels
};

struct side {
  enum side_kind kind;
  char name[BENCH_NAME_SIZE];
  bool has_device_clock;
  double bytes;                  // that one call moves
  bool wrong;                    // some run had a wrong result
  char lost[BENCH_REASON_SIZE];  // why it cannot go on; "" where it can
  // Seconds of one of `calls` calls. An exit code; where the side alone is at fault `lost` says so, and the code is
  // EXIT_DONE.
  int (*run)(struct side *side, enum bench_clock clock, uint64_t calls, double *seconds);
  void *own;          // of the library's and the limit's
  struct peer *peer;  // of a peer's, and what it must give
  const struct expected *expected;
};

// ---- The library: bench_ours.c

// Makes the plans; a strategy that is refused makes a side that is lost from the start. `row` gets what was chosen. An
// exit code; bench_ours_close is due in any case.
int bench_ours_open(struct side *side, const struct bench_bed *bed, const struct bench_strategy *strategy,
                    clred_type type, const struct expected *expected, struct bench_row *row);
void bench_ours_close(struct side *side);

// ---- What the device's memory gives: bench_limit.c

// Builds bed->readers, which the caller releases. An exit code.
int bench_limit_build(struct bench_bed *bed);

// A copy by the driver, and kernels that read and do next to nothing else; of several shapes the quickest. Elements
// fewer than these need make sides that are lost.
int bench_copy_open(struct side *side, const struct bench_bed *bed, uint64_t bytes);
int bench_read_open(struct side *side, const struct bench_bed *bed, uint64_t bytes);
void bench_limit_close(struct side *side);

// ---- Others: a peer that has opened the device

void bench_peer_open(struct side *side, struct peer *peer, const struct bench_case *of,
                     const struct expected *expected);

#endif
