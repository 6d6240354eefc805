// A progress bar on standard error. It appears only on a terminal and after half a second, and is erased at the end.
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
  bool wanted;
  bool shown;
  double begun;
  double drawn;  // time of the last drawing
};

void progress_begin(struct progress *progress, bool quiet);

// Reports that `done` of `total` units are done. The call is cheap. A `total` of 0 means unknown.
void progress_show(struct progress *progress, const char *work, uint64_t done, uint64_t total);

void progress_end(struct progress *progress);

// Seconds of a monotonic clock.
double seconds_now(void);
