// clreduce bench: checks the request, measures reductions, and reports the rows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "base/output.h"
#include "base/plot.h"
#include "bench/bench.h"
#include "cli/verbs.h"

struct bench {
  struct bench_request request;
  struct bench_report measured;
  struct bench_saved baseline, saved;
  struct bench_report *report;  // `measured`, or that of `saved`
};

static int check_outputs(const struct args *args) {
  bool csv_alone = args->csv != NULL && strcmp(args->csv, "-") == 0;
  int code = EXIT_DONE;
  if (args->csv != NULL && !csv_alone)
    code = output_check_directory("--csv", args->csv);
  if (!code && args->plot != NULL)
    code = plot_check(args->plot);
  return code;
}

static int prepare_saved(struct bench *bench, const struct args *args) {
  int code = bench_saved_check(args);
  bench->report = &bench->saved.report;
  return code ? code : bench_saved_load(&bench->saved, "--from", args->from);
}

// Without --device it measures on the device that other verbs choose.
static int prepare_measuring(struct bench *bench, const struct args *args) {
  time_t now = time(NULL);
  bench->report = &bench->measured;
  bench->measured.runs = bench->request.runs;
  strftime(bench->measured.date, sizeof bench->measured.date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  return devices_pick(args->device, &bench->measured.devices);
}

static int prepare(struct bench *bench, const struct args *args) {
  int code = bench_request_take(&bench->request, args);
  code = code ? code : check_outputs(args);
  if (!code && args->compare != NULL)
    code = bench_saved_load(&bench->baseline, "--compare", args->compare);
  if (code)
    return code;
  code = args->from == NULL ? prepare_measuring(bench, args) : prepare_saved(bench, args);
  bench->report->request = &bench->request;
  return code;
}

static int write_csv(const struct bench_report *report, const char *path) {
  struct output output;
  int code = output_open(&output, "--csv", path);
  if (!code)
    bench_write_rows(report, output.file, ',');
  return output_close(&output, code);
}

static int write_files(const struct bench_report *report, const struct args *args) {
  int code = EXIT_DONE;
  if (args->csv != NULL && strcmp(args->csv, "-") != 0)
    code = write_csv(report, args->csv);
  if (!code && args->plot != NULL)
    code = plot_draw(args->plot, bench_write_plot, report);
  return code;
}

static int print(const struct bench_report *report, const struct args *args, cJSON *document) {
  if (args->json)
    return json_print(document);
  if (args->csv != NULL && strcmp(args->csv, "-") == 0)
    bench_write_rows(report, stdout, ',');
  else {
    bench_print_table(report);
    if (args->compare != NULL)
      bench_print_comparison(report, document);
  }
  cJSON_Delete(document);
  return EXIT_DONE;
}

// Reports a wrong result before rows that are too slow.
static int judge(const struct bench_report *report, size_t slower) {
  const struct args *args = report->request->args;
  for (size_t i = 0; i < report->count; i++) {
    const struct bench_row *row = &report->rows[i];
    if (*row->refused == '\0' && !row->correct)
      return fail(EXIT_WRONG, "bench: %s gave a wrong result for %s of %llu %s", row->name, row->op,
                  (unsigned long long)row->count, row->type);
  }
  if (slower > 0 && args->fail_below != NULL)
    return fail(EXIT_WRONG, "bench: %zu rows have less than %g of their speed in %s", slower, report->request->slower,
                args->compare);
  return EXIT_DONE;
}

static int report(const struct bench *bench, const struct args *args) {
  int code = write_files(bench->report, args);
  size_t slower = 0;
  if (code)
    return code;
  cJSON *document = bench_json(bench->report);
  if (args->compare != NULL)
    slower = bench_compare(bench->report, &bench->baseline.report, document);
  code = print(bench->report, args, document);
  return code ? code : judge(bench->report, slower);
}

int cmd_bench(const struct args *args) {
  struct bench *bench = calloc(1, sizeof *bench);
  if (bench == NULL)
    return fail_memory();
  int code = prepare(bench, args);
  if (!code && args->from == NULL)
    code = bench_measure(bench->report);
  code = code ? code : report(bench, args);
  bench_report_release(&bench->measured);
  bench_saved_release(&bench->baseline);
  bench_saved_release(&bench->saved);
  free(bench);
  return code;
}
