// The rows as a table for people, as values for spreadsheets, as JSON, as a picture, and beside those of an earlier
// run.

#ifndef CLREDUCE_TOOL_BENCH_REPORT_H
#define CLREDUCE_TOOL_BENCH_REPORT_H

#include "base/json.h"
#include "base/output.h"
#include "bench/rows.h"

// The limit by reading in the same case; NULL where there is none.
const struct bench_row *bench_read_limit(const struct bench_report *report, const struct bench_row *row);

// To standard output: sides of reductions, one in a line, and sides of comparisons, ours beside another in a line.
void bench_print_table(const struct bench_report *report);
void bench_print_ratios(const struct bench_report *report);

// bench_csv.c
void bench_write_csv(const struct bench_report *report, FILE *file);

// bench_json.c: the document; the caller adds to it and prints it.
cJSON *bench_json(const struct bench_report *report);

// ---- A plot: bench_plot.c, bench_plot_script.c

// Before anything is measured: whether the name says what kind of file is wanted, and gnuplot is there. An exit code.
int bench_plot_check(const char *path);

// Writes the file: for each device, operator and type speed over n, and the time of a call below it. An exit code.
int bench_plot(const struct bench_report *report, const char *path);

// Writes gnuplot's script, which draws into the file `picture`.
void bench_plot_script(const struct bench_report *report, FILE *file, const char *picture, bool svg);

// ---- An earlier run: bench_compare.c

struct bench_baseline {
  cJSON *document;
  cJSON *rows;
};

// Reads what --json wrote, for the option of that name. An exit code; bench_baseline_release is due in any case.
int bench_baseline_load(struct bench_baseline *baseline, const char *option, const char *path);
void bench_baseline_release(struct bench_baseline *baseline);

// Adds `comparison` to the document; its rows are those of ours in either run. How many are slower than request->slower
// allows.
size_t bench_compare(const struct bench_report *report, const struct bench_baseline *baseline, cJSON *document);

// The same as a table on standard output, from the document.
void bench_print_comparison(const struct bench_report *report, const cJSON *document);

// ---- The same rows again: bench_saved.c

// Whether nothing is asked for that would have to be measured. An exit code.
int bench_saved_check(const struct args *args);

// Makes the rows of the file those of the report, with its devices, its date and its number of runs. The report uses
// texts of `saved`. An exit code.
int bench_saved_take(struct bench_report *report, struct bench_request *request, const struct bench_baseline *saved,
                     const char *path);

#endif
