// A bar on standard error while long work goes on: only on a terminal, only after a moment, erased at the end.

#ifndef CLREDUCE_TOOL_PROGRESS_H
#define CLREDUCE_TOOL_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct progress {
  bool wanted;
  bool shown;
  double begun;
  double drawn;  // when the bar was last drawn
};

void progress_begin(struct progress *progress, bool quiet);

// Says that `done` of `total` is done of the work named. Cheap; total 0 means not known.
void progress_tell(struct progress *progress, const char *work, uint64_t done, uint64_t total);

void progress_end(struct progress *progress);

// Seconds of a clock that only goes forward.
double seconds_now(void);

#endif
