// The progress bar, and the clock for all timings.
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/wrap.h"

enum { BAR_WIDTH = 40, NARROW_BAR = 12, PROGRESS_TEXT = 120 };

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(struct progress *progress, bool quiet) {
  *progress = (struct progress){.wanted = !quiet && isatty(STDERR_FILENO), .begun = seconds_now()};
}

static bool is_due(struct progress *progress) {
  const double now = progress->wanted ? seconds_now() : 0;
  if (!progress->wanted || now - progress->begun <= 0.5 || now - progress->drawn <= 0.1)
    return false;
  progress->shown = true;
  progress->drawn = now;
  return true;
}

// A bar if the total is known, and what is said behind it. The line fits 80 columns.
static void draw(const char *work, uint64_t done, uint64_t total, const char *more) {
  static const char full[] = "########################################",
                    rest[] = "........................................";
  const int width = *more == '\0' ? BAR_WIDTH : NARROW_BAR;
  const double share = done < total ? (double)done / (double)total : 1;
  const int filled = (int)(share * width);
  if (total > 0)
    fprintf(stderr, "\r\033[K%-20.20s [%.*s%.*s] %3d %% %s", work, filled, full, width - filled, rest,
            (int)(share * 100), more);
  else
    fprintf(stderr, "\r\033[K%-20.20s%s", work, more);
  fflush(stderr);
}

void progress_show(struct progress *progress, const char *work, uint64_t done, uint64_t total) {
  if (is_due(progress))
    draw(work, done, total, "");
}

// ---- Bytes

static void append_time_left(char more[PROGRESS_TEXT], double seconds) {
  const size_t length = strlen(more);
  const unsigned long long whole = (unsigned long long)(seconds + 0.999);
  if (whole < 100)
    snprintf(more + length, PROGRESS_TEXT - length, ", %llu s left", whole);
  else if (whole < 100 * 60)
    snprintf(more + length, PROGRESS_TEXT - length, ", %llu min left", (whole + 59) / 60);
  else
    snprintf(more + length, PROGRESS_TEXT - length, ", %.0f h left", (double)whole / 3600);
}

// What progress_bytes says at this rate, in bytes a second; not above 0: unknown.
static void write_bytes_and_rate(char more[PROGRESS_TEXT], uint64_t done, uint64_t total, double rate) {
  char bytes[CELL_SIZE], speed[CELL_SIZE];
  write_bytes((double)done, "B", bytes);
  write_bytes(rate, "B/s", speed);
  snprintf(more, PROGRESS_TEXT, " %s%s%s", bytes, rate > 0 ? ", " : "", rate > 0 ? speed : "");
  if (rate > 0 && done < total)
    append_time_left(more, (double)(total - done) / rate);
}

// The clock of the rate starts at the first bytes of an input, because opening the device takes time, too.
void progress_bytes(struct progress *progress, const char *work, uint64_t done, uint64_t total) {
  char more[PROGRESS_TEXT];
  if (progress->wanted && (progress->last == 0 || done < progress->last)) {
    progress->rate_begun = seconds_now();
    progress->rate_from = done;
  }
  progress->last = done;
  if (!is_due(progress))
    return;
  double seconds = seconds_now() - progress->rate_begun;
  write_bytes_and_rate(more, done, total, seconds > 0 ? (double)(done - progress->rate_from) / seconds : 0);
  draw(work, done, total, more);
}

void progress_end(struct progress *progress) {
  if (progress->shown)
    fprintf(stderr, "\r\033[K");
  progress->shown = false;
}
