// Reports of the rows: tables, CSV, JSON, a plot, and a comparison with an earlier run.
#pragma once

#include "base/json.h"
#include "base/output.h"
#include "bench/rows.h"

// table.c: reductions, with a line for each side; and comparisons, with a line for each pair of sides.
void bench_print_table(const struct bench_report *report);
void bench_print_ratios(const struct bench_report *report);

// rows.c: CSV with ',' as separator. With '\t', for plots, texts are not quoted, and no side is
// faster than the limit of reading.
void bench_write_rows(const struct bench_report *report, FILE *file, char separator);

// Makes the document; the caller prints and releases it.
cJSON *bench_json(const struct bench_report *report);

// rows.c, a plot_writer of a struct bench_report: speed over n, and below it the time of a call, for each device,
// operator and type.
void bench_write_plot(const void *report, FILE *script);

// ---- A baseline: compare.c

struct bench_baseline {
  cJSON *document;
  cJSON *rows;
};

// Reads a file that --json wrote; `option` named it. Returns an exit code; call bench_baseline_release in any case.
int bench_baseline_load(struct bench_baseline *baseline, const char *option, const char *path);
void bench_baseline_release(struct bench_baseline *baseline);

// Refuses the file of `option`. Returns an exit code.
int bench_baseline_bad(const char *option, const char *path, const char *what);

// Adds `comparison` to the document of bench_json: the library's rows of both runs. Returns how many are slower than
// request->slower allows.
size_t bench_compare(const struct bench_report *report, const struct bench_baseline *baseline, cJSON *document);

// Prints the comparison in the document as a table.
void bench_print_comparison(const struct bench_report *report, const cJSON *document);

// ---- Rows of an earlier run: saved.c

// Refuses options that need a measurement. Returns an exit code.
int bench_saved_check(const struct args *args);

// Fills the report with rows, devices, date and number of runs of the file. The report points into `saved`. Returns an
// exit code.
int bench_saved_take(struct bench_report *report, struct bench_request *request, const struct bench_baseline *saved,
                     const char *path);
