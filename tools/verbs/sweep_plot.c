// The heat maps of the sweep: sweep.gp after a table of cells. A map shows a strategy: group sizes from left to right,
// its next number from bottom to top. A cell has the best time over all other numbers.
#include <inttypes.h>
#include <stdio.h>

#include "base/plot.h"
#include "base/wrap.h"
#include "verbs/sweep.h"

extern const char verbs_sweep_gp[];  // sweep.gp; the build embeds it

enum { NO_NUMBER = SWEEP_NUMBERS };

struct map {
  size_t strategy;
  size_t across, up;  // indexes of numbers; NO_NUMBER: none, so there is one row or column
};

static size_t next_number(const struct sweep *sweep, size_t strategy, size_t from) {
  while (from < SWEEP_NUMBERS && !sweep->takes[strategy][from])
    from++;
  return from;
}

static struct map map_of(const struct sweep *sweep, size_t strategy) {
  struct map map = {strategy, next_number(sweep, strategy, 0), NO_NUMBER};
  if (map.across != NO_NUMBER)
    map.up = next_number(sweep, strategy, map.across + 1);
  return map;
}

static size_t values_of(const struct sweep *sweep, size_t which) {
  return which == NO_NUMBER ? 1 : sweep->lists[which].count;
}

static bool has(const struct sweep *sweep, const struct trial *trial, size_t which, size_t value) {
  return which == NO_NUMBER || trial->numbers[which] == sweep->lists[which].list[value];
}

// The fastest trial of a cell. NULL if none ran.
static const struct trial *best_of(const struct sweep *sweep, const struct map *map, size_t x, size_t y) {
  const struct trial *best = NULL;
  for (size_t i = 1; i < sweep->done; i++) {
    const struct trial *trial = &sweep->trials[i];
    if (trial->strategy == sweep->strategies[map->strategy].name && trial->chosen == (map->across == NO_NUMBER) &&
        has(sweep, trial, map->across, x) && has(sweep, trial, map->up, y) && trial_beats(trial, best))
      best = trial;
  }
  return best;
}

static void write_cell(const struct sweep *sweep, const struct map *map, size_t x, size_t y, size_t panel,
                       FILE *script) {
  const struct trial *best = best_of(sweep, map, x, y);
  char time[CELL_SIZE] = "-";
  fprintf(script, "%zu\t%zu\t%zu", panel, x, y);
  if (best == NULL) {
    fputs("\tNaN\t-\t0\n", script);
    return;
  }
  write_short_time(best->outcome.wall_seconds, time);
  fprintf(script, "\t%.9g\t%s\t%d\n", best->outcome.wall_seconds * 1e6, time, best == sweep_best(sweep));
}

static void write_cells(const struct sweep *sweep, const struct map *map, size_t panel, FILE *script) {
  for (size_t y = 0; y < values_of(sweep, map->up); y++)
    for (size_t x = 0; x < values_of(sweep, map->across); x++)
      write_cell(sweep, map, x, y, panel, script);
}

// The name of an axis, its values as tics, and their number.
static void write_axis(const struct sweep *sweep, const char *axis, size_t panel, size_t which, FILE *script) {
  char name[64];
  snprintf(name, sizeof name, "%s[%zu]", axis, panel);
  plot_text(script, name, which == NO_NUMBER ? "" : sweep_numbers[which].name);
  fprintf(script, "%s_count[%zu] = %zu\n%s_tics[%zu] = \"", axis, panel, values_of(sweep, which), axis, panel);
  for (size_t i = 0; which != NO_NUMBER && i < sweep->lists[which].count; i++)
    fprintf(script, "%s'%" PRIu64 "' %zu", i == 0 ? "" : ", ", (uint64_t)sweep->lists[which].list[i], i);
  fputs("\"\n", script);
}

static void write_map(const struct sweep *sweep, const struct map *map, size_t panel, FILE *script) {
  char name[64];
  snprintf(name, sizeof name, "strategy[%zu]", panel);
  plot_text(script, name, sweep->strategies[map->strategy].name);
  write_axis(sweep, "across", panel, map->across, script);
  write_axis(sweep, "up", panel, map->up, script);
}

static void write_arrays(size_t panels, FILE *script) {
  static const char *const names[] = {"strategy", "across", "across_count", "across_tics", "up", "up_count", "up_tics"};
  fprintf(script, "panels = %zu\n", panels);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    fprintf(script, "array %s[%zu]\n", names[i], panels);
}

static void write_title(const struct sweep *sweep, FILE *script) {
  const struct trial *best = sweep_best(sweep);
  char text[512], time[CELL_SIZE];
  ladder_title(sweep->job, text, sizeof text);
  plot_text(script, "title", text);
  write_short_time(sweep->trials[0].outcome.wall_seconds, time);
  int length =
    snprintf(text, sizeof text, "time of a whole call, the best over all other numbers; auto takes %s", time);
  if (best != NULL) {
    write_short_time(best->outcome.wall_seconds, time);
    snprintf(text + length, sizeof text - (size_t)length, ", the best trial (%s%s) %s%s", best->strategy,
             best->chosen ? ", numbers chosen" : "", time, sweep->done < sweep->count ? "; interrupted" : "");
  }
  plot_text(script, "note", text);
}

void sweep_write_plot(const void *of, FILE *script) {
  const struct sweep *sweep = of;
  write_title(sweep, script);
  write_arrays(sweep->strategy_count, script);
  for (size_t i = 0; i < sweep->strategy_count; i++) {
    const struct map map = map_of(sweep, i);
    write_map(sweep, &map, i + 1, script);
  }
  fputs("$cells << EOD\npanel\tx\ty\tmicroseconds\tlabel\tbest\n", script);
  for (size_t i = 0; i < sweep->strategy_count; i++) {
    const struct map map = map_of(sweep, i);
    write_cells(sweep, &map, i + 1, script);
  }
  fputs("EOD\n", script);
  fputs(verbs_sweep_gp, script);
}
