// The progress bar, and the clock for all timings.
#include "base/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/wrap.h"

enum { BAR_WIDTH = 40, NARROW_BAR = 12, PROGRESS_LINE = 160 };

double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_begin(struct progress *progress, bool quiet) {
  *progress = (struct progress){.wanted = !quiet && isatty(STDERR_FILENO), .begun = seconds_now()};
}

static void write_bar(char *bar, int width, double share) {
  int full = (int)(share * width);
  for (int i = 0; i < width; i++)
    bar[i] = i < full ? '#' : '.';
  bar[width] = '\0';
}

static bool is_due(struct progress *progress) {
  const double now = progress->wanted ? seconds_now() : 0;
  if (!progress->wanted || now - progress->begun <= 0.5 || now - progress->drawn <= 0.1)
    return false;
  progress->shown = true;
  progress->drawn = now;
  return true;
}

static void draw(const char *line) {
  fprintf(stderr, "\r\033[K%s", line);
  fflush(stderr);
}

void progress_show(struct progress *progress, const char *work, uint64_t done, uint64_t total) {
  char bar[BAR_WIDTH + 1], line[PROGRESS_LINE];
  const double share = total == 0 ? 0 : (double)done / (double)total;
  if (!is_due(progress))
    return;
  write_bar(bar, BAR_WIDTH, share);
  snprintf(line, sizeof line, "%-20.20s [%s] %3d %%", work, bar, (int)(share * 100));
  draw(line);
}

// ---- Bytes

static void append_time_left(char line[PROGRESS_LINE], double seconds) {
  const size_t length = strlen(line);
  const unsigned long long whole = (unsigned long long)(seconds + 0.999);
  if (whole < 100)
    snprintf(line + length, PROGRESS_LINE - length, ", %llu s left", whole);
  else if (whole < 100 * 60)
    snprintf(line + length, PROGRESS_LINE - length, ", %llu min left", (whole + 59) / 60);
  else
    snprintf(line + length, PROGRESS_LINE - length, ", %.0f h left", (double)whole / 3600);
}

// The line of progress_bytes at this rate, in bytes a second; not above 0: unknown. It fits 80 columns.
static void write_line(char line[PROGRESS_LINE], const char *work, uint64_t done, uint64_t total, double rate) {
  char bar[NARROW_BAR + 1], bytes[CELL_SIZE], speed[CELL_SIZE];
  const double share = done < total ? (double)done / (double)total : 1;
  write_bytes((double)done, "B", bytes);
  write_bytes(rate, "B/s", speed);
  write_bar(bar, NARROW_BAR, share);
  if (total > 0)
    snprintf(line, PROGRESS_LINE, "%-20.20s [%s] %3d %%  %s", work, bar, (int)(share * 100), bytes);
  else
    snprintf(line, PROGRESS_LINE, "%-20.20s %s", work, bytes);
  if (!(rate > 0))
    return;
  snprintf(line + strlen(line), PROGRESS_LINE - strlen(line), ", %s", speed);
  if (done < total)
    append_time_left(line, (double)(total - done) / rate);
}

// The clock of the rate starts at the first bytes of an input, because opening the device takes time, too.
void progress_bytes(struct progress *progress, const char *work, uint64_t done, uint64_t total) {
  char line[PROGRESS_LINE];
  if (progress->wanted && (progress->last == 0 || done < progress->last)) {
    progress->rate_begun = seconds_now();
    progress->rate_from = done;
  }
  progress->last = done;
  if (!is_due(progress))
    return;
  double seconds = seconds_now() - progress->rate_begun;
  write_line(line, work, done, total, seconds > 0 ? (double)(done - progress->rate_from) / seconds : 0);
  draw(line);
}

void progress_end(struct progress *progress) {
  if (progress->shown)
    fprintf(stderr, "\r\033[K");
  progress->shown = false;
}
