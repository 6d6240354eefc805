// Progress on standard error. It appears only on a terminal and after half a second, and is erased at the end.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
  bool wanted;
  bool shown;
  double begun;
  double drawn;  // time of the last drawing
  // Of progress_bytes: where the rate is counted from, and what was done at the last call.
  double rate_begun;
  uint64_t rate_from, last;
};

void progress_begin(struct progress *progress, bool quiet);

// Reports that `done` of `total` units are done, as a bar. The call is cheap.
void progress_show(struct progress *progress, const char *work, uint64_t done, uint64_t total);

// Reports bytes that were read: their number and their rate; and if `total` is not 0 a bar and the time that is left.
void progress_bytes(struct progress *progress, const char *work, uint64_t done, uint64_t total);

void progress_end(struct progress *progress);

// Seconds of a monotonic clock.
double seconds_now(void);
