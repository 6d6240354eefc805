// The progress bar, and the clock for all timings.
#include "base/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 40 };

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(struct progress *progress, bool quiet) {
  *progress = (struct progress){.wanted = !quiet && isatty(STDERR_FILENO), .begun = seconds_now()};
}

static void draw(const char *work, double share) {
  char bar[BAR_WIDTH + 1];
  int full = (int)(share * BAR_WIDTH);
  for (int i = 0; i < BAR_WIDTH; i++)
    bar[i] = i < full ? '#' : '.';
  bar[BAR_WIDTH] = '\0';
  fprintf(stderr, "\r\033[K%-20s [%s] %3d %%", work, bar, (int)(share * 100));
  fflush(stderr);
}

void progress_show(struct progress *progress, const char *work, uint64_t done, uint64_t total) {
  const double now = progress->wanted ? seconds_now() : 0;
  if (!progress->wanted || now - progress->begun <= 0.5 || now - progress->drawn <= 0.1)
    return;
  draw(work, total == 0 ? 0 : (double)done / (double)total);
  progress->shown = true;
  progress->drawn = now;
}

void progress_end(struct progress *progress) {
  if (progress->shown)
    fprintf(stderr, "\r\033[K");
  progress->shown = false;
}
