// Writes gnuplot's script: blocks of data, and two panels for each device, operator and type.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench/report.h"
#include "bench/turns.h"

enum { PANELS_MOST = 12, WIDTH = 1080, PANEL_HEIGHT = 700 };

// The rows of one device, operator and type.
struct panel {
  const struct bench_report *report;
  const struct bench_row *first;
  size_t number;
};

static bool is_in(const struct panel *panel, const struct bench_row *row) {
  const struct bench_case *a = &panel->first->of, *b = &row->of;
  return a->device == b->device && strcmp(a->op, b->op) == 0 && strcmp(a->type, b->type) == 0;
}

static bool is_same_line(const struct bench_row *a, const struct bench_row *b) {
  return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

// True if this is the first row of its line in the panel.
static bool begins_line(const struct panel *panel, const struct bench_row *row) {
  const struct bench_row *other = panel->report->rows.list;
  while (other < row && !(is_in(panel, other) && is_same_line(other, row)))
    other++;
  return other == row;
}

// Escapes a text for gnuplot's double quotes.
static void write_quoted(FILE *file, const char *text) {
  for (; *text != '\0'; text++)
    fprintf(file, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
}

// Lines differ in marks, dashes and greys, so that the plot can be read without colours. Ours are solid with filled
// marks, peers are dashed with open marks, limits have no marks.
struct look {
  const char *line;
  const char *marks;
};
static const struct look ours_looks[] = {
  {"lw 2.5 lc rgb '#000000'", "pt 7 ps 0.9"}, {"lw 2 lc rgb '#1f4e9c'", "pt 5 ps 0.9"},
  {"lw 2 lc rgb '#8c2d04'", "pt 9 ps 1.1"},   {"lw 2 lc rgb '#3f6b1f'", "pt 11 ps 1.1"},
  {"lw 2 lc rgb '#6a3d9a'", "pt 13 ps 1.1"},  {"lw 2 lc rgb '#555555'", "pt 2 ps 1"}};
static const struct look peer_looks[] = {{"lw 1.5 dt (12,4) lc rgb '#1f4e9c'", "pt 4 ps 1"},
                                         {"lw 1.5 dt (6,4) lc rgb '#8c2d04'", "pt 6 ps 1"},
                                         {"lw 1.5 dt (12,4,2,4) lc rgb '#3f6b1f'", "pt 8 ps 1.2"},
                                         {"lw 1.5 dt (2,3) lc rgb '#6a3d9a'", "pt 10 ps 1.2"},
                                         {"lw 1.5 dt (12,3,2,3,2,3) lc rgb '#555555'", "pt 12 ps 1.2"},
                                         {"lw 1.5 dt (4,2) lc rgb '#444444'", "pt 3 ps 1"}};
static const struct look limit_looks[] = {{"lw 2 dt (2,5) lc rgb '#777777'", ""},
                                          {"lw 4 dt (10,6) lc rgb '#999999'", ""}};
static const struct {
  const struct look *list;
  size_t count;
} looks[] = {[SIDE_OURS] = {ours_looks, sizeof ours_looks / sizeof ours_looks[0]},
             [SIDE_LIMIT] = {limit_looks, sizeof limit_looks / sizeof limit_looks[0]},
             [SIDE_PEER] = {peer_looks, sizeof peer_looks / sizeof peer_looks[0]}};

static void write_line_name(FILE *file, const struct bench_row *row) {
  if (row->kind == SIDE_LIMIT)
    fprintf(file, "limit: %s",
            strcmp(row->name, "read") == 0   ? "reading alone"
            : strcmp(row->name, "copy") == 0 ? "copy (in + out)"
                                             : row->name);
  else {
    fprintf(file, row->kind == SIDE_OURS ? "clreduce, " : "peer: ");
    write_quoted(file, row->name);
  }
}

// Columns of the data: n, speed and its quartiles, time in microseconds and its quartiles.
static size_t write_line_data(FILE *file, const struct panel *panel, const struct bench_row *line, size_t number) {
  enum bench_clock clock = panel->report->request->clock;
  size_t points = 0;
  fprintf(file, "$p%zuline%zu << EOD\n", panel->number, number);
  for (size_t i = 0; i < panel->report->rows.count; i++) {
    const struct bench_row *row = &panel->report->rows.list[i];
    const struct spread *time = &row->times[clock];
    if (!is_in(panel, row) || !is_same_line(line, row) || isnan(time->median))
      continue;
    fprintf(file, "%" PRIu64 " %.6g %.6g %.6g %.6g %.6g %.6g\n", row->of.count, row->bytes / time->median / 1e9,
            row->bytes / time->upper / 1e9, row->bytes / time->lower / 1e9, time->median * 1e6, time->lower * 1e6,
            time->upper * 1e6);
    points++;
  }
  fprintf(file, "EOD\n");
  return points;
}

// Lines are drawn in this order, so that ours are above the others. The key lists them in reverse order.
static const enum side_kind drawn[] = {SIDE_LIMIT, SIDE_PEER, SIDE_OURS};

struct lines {
  const struct bench_row *list[SIDES_MOST];
  size_t count;
};

static void write_kind(FILE *file, const struct panel *panel, enum side_kind kind, struct lines *lines) {
  for (size_t i = panel->report->rows.count; i-- > 0;) {
    const struct bench_row *row = &panel->report->rows.list[i];
    if (row->kind != kind || !is_in(panel, row) || !begins_line(panel, row))
      continue;
    lines->list[lines->count] = row;
    lines->count += write_line_data(file, panel, row, lines->count) > 0;
  }
}

static void write_data(FILE *file, const struct panel *panel, struct lines *lines) {
  lines->count = 0;
  for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++)
    write_kind(file, panel, drawn[i], lines);
}

static bool is_first_of_line(const struct bench_rows *rows, const struct bench_row *row) {
  const struct bench_row *other = rows->list;
  while (!is_same_line(other, row))
    other++;
  return other == row;
}

// The index among the strategies or peers of all rows, so that each has the same look in all panels.
static size_t place_of(const struct bench_report *report, const struct bench_row *line) {
  size_t place = 0;
  const struct bench_row *row = report->rows.list;
  if (line->kind == SIDE_LIMIT)
    return strcmp(line->name, "read") == 0;
  for (; !is_same_line(row, line); row++)
    place += row->kind == line->kind && is_first_of_line(&report->rows, row);
  return place;
}

static const struct look *look_of(const struct bench_report *report, const struct bench_row *line) {
  return &looks[line->kind].list[place_of(report, line) % looks[line->kind].count];
}

static void write_plot(FILE *file, const struct panel *panel, const struct lines *lines, const char *columns,
                       bool named) {
  for (size_t i = 0; i < lines->count; i++) {
    const struct bench_row *line = lines->list[i];
    const struct look *look = look_of(panel->report, line);
    bool marked = line->kind != SIDE_LIMIT;
    fprintf(file, "%s$p%zuline%zu using %s with %s %s %s ", i == 0 ? "plot " : ", \\\n  ", panel->number, i,
            marked                            ? columns
            : strncmp(columns, "1:2", 3) == 0 ? "1:2"
                                              : "1:5",
            marked ? "yerrorlines" : "lines", look->line, marked ? look->marks : "");
    if (named) {
      fprintf(file, "title \"");
      write_line_name(file, line);
      fprintf(file, "\"");
    } else
      fprintf(file, "notitle");
  }
  fprintf(file, "\n");
}

static void write_title(FILE *file, const struct panel *panel, double top, double height) {
  const struct bench_case *of = &panel->first->of;
  char device[1024];
  snprintf(device, sizeof device, "%s (%s, driver %s)", of->device->name, of->device->platform, of->device->driver);
  fprintf(file, "set label 1 \"%s of %s on ", of->op, of->type);
  write_quoted(file, device);
  fprintf(file,
          "\\n%s; medians and quartiles of up to %" PRIu64
          " runs in turn, %.10s\" at screen 0.02,screen %.6f left noenhanced\n",
          panel->report->request->clock == BENCH_DEVICE ? "device clock; peers without one are left out"
                                                        : "wall clock, calls back to back",
          panel->report->request->runs, panel->report->date, top - 0.03 * height);
}

// Speed above, and the time of a call below, which shows the cost of few elements.
static void write_panel(FILE *file, const struct panel *panel, size_t panels) {
  struct lines lines;
  double height = 1.0 / (double)panels, top = 1 - height * (double)panel->number;
  write_data(file, panel, &lines);
  if (lines.count == 0)
    return;
  fprintf(file, "set origin 0,%.6f\nset size 1,%.6f\nset tmargin at screen %.6f\n", top - height * 0.56, height * 0.56,
          top - height * 0.1);
  write_title(file, panel, top, height);
  fprintf(file,
          "set ylabel 'speed, GB/s of input'\nunset logscale y\nset format y '%%g'\nset yrange [0:*]\n"
          "set key at screen 0.745,screen %.6f left top Left reverse invert samplen 5 spacing 1.3 noenhanced\n",
          top - height * 0.1);
  write_plot(file, panel, &lines, "1:2:3:4", true);
  fprintf(file,
          "set origin 0,%.6f\nset size 1,%.6f\nunset label 1\nunset tmargin\nset ylabel 'time of one call, "
          "microseconds'\nset logscale y 10\n"
          "set format y '10^{%%L}'\nset yrange [*:*]\n",
          top - height, height * 0.44);
  write_plot(file, panel, &lines, "1:5:6:7", false);
}

static size_t list_panels(const struct bench_report *report, struct panel panels[PANELS_MOST]) {
  size_t count = 0;
  for (size_t i = 0; i < report->rows.count; i++) {
    const struct bench_row *row = &report->rows.list[i];
    bool known = count > 0 && is_in(&panels[count - 1], row);
    if (!known && count < PANELS_MOST) {
      panels[count] = (struct panel){report, row, count};
      count++;
    }
  }
  return count;
}

void bench_plot_script(const struct bench_report *report, FILE *file, const char *picture, bool svg) {
  struct panel panels[PANELS_MOST];
  size_t count = list_panels(report, panels);
  size_t height = PANEL_HEIGHT * (count == 0 ? 1 : count);
  if (svg)
    fprintf(file, "set terminal svg size %d,%zu dynamic enhanced font 'sans-serif,13' background rgb 'white'\n", WIDTH,
            height);
  else
    fprintf(file, "set terminal pngcairo size %d,%zu enhanced font 'sans,11' background rgb 'white'\n", WIDTH, height);
  fprintf(file, "set output \"");
  write_quoted(file, picture);
  fprintf(file,
          "\"\nset encoding utf8\nset logscale x 2\nset format x '2^{%%L}'\nset xlabel 'elements n'\nset grid lt 1 lw "
          "0.5 lc rgb '#bbbbbb'\n"
          "set border 3\nset tics nomirror\nset bars small\nset lmargin at screen 0.09\nset rmargin at screen 0.73\n"
          "set multiplot\n");
  for (size_t i = 0; i < count; i++)
    write_panel(file, &panels[i], count);
  fprintf(file, "unset multiplot\nunset output\n");
}
