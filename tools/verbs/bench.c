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

// The table gives way to rows.
static bool prints_csv(const struct args *args) {
  return args->csv != NULL && strcmp(args->csv, "-") == 0;
}

static int check_outputs(const struct args *args) {
  int code = EXIT_DONE;
  if (args->csv != NULL && !prints_csv(args))
    code = output_check_directory("--csv", args->csv);
  if (!code && args->plot != NULL)
    code = plot_check(args->plot);
  return code;
}

// Without --device it measures on the device that other verbs choose.
static int prepare(struct bench_request *request, struct bench_report *report, cJSON **baseline,
                   const struct args *args) {
  const time_t now = time(NULL);
  int code = bench_request_take(request, args);
  code = code ? code : check_outputs(args);
  if (!code && args->compare != NULL)
    code = bench_baseline_load(args->compare, baseline);
  *report = (struct bench_report){.request = request};
  strftime(report->date, sizeof report->date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  return code ? code : devices_pick(args->device, &report->devices);
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
  if (args->csv != NULL && !prints_csv(args))
    code = write_csv(report, args->csv);
  if (!code && args->plot != NULL)
    code = plot_draw(args->plot, bench_write_plot, report);
  return code;
}

static int print(const struct bench_report *report, const struct args *args, cJSON *document) {
  if (args->json)
    return json_print(document);
  if (prints_csv(args))
    bench_write_rows(report, stdout, ',');
  else {
    bench_print_table(report);
    if (args->compare != NULL)
      bench_print_comparison(report->request, document);
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

static int report_rows(const struct bench_report *report, const cJSON *baseline) {
  const struct args *args = report->request->args;
  int code = write_files(report, args);
  size_t slower = 0;
  if (code)
    return code;
  cJSON *document = bench_json(report);
  if (baseline != NULL)
    slower = bench_compare(report->request, document, baseline);
  code = print(report, args, document);
  return code ? code : judge(report, slower);
}

int cmd_bench(const struct args *args) {
  struct bench_request *request = malloc(sizeof *request);
  struct bench_report report = {.request = NULL};
  cJSON *baseline = NULL;
  if (request == NULL)
    return fail_memory();
  int code = prepare(request, &report, &baseline, args);
  code = code ? code : bench_measure(&report);
  code = code ? code : report_rows(&report, baseline);
  free(report.rows);
  devices_release(&report.devices);
  cJSON_Delete(baseline);
  free(request);
  return code;
}
