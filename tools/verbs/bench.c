// clreduce bench: checks the request, measures reductions or a task's comparisons, and reports the rows.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/fail.h"
#include "base/plot.h"
#include "bench/report.h"
#include "bench/side.h"
#include "cli/verbs.h"

struct bench {
  struct bench_request request;
  struct bench_report report;
  struct bench_baseline baseline, saved;
  struct shared_data data;
  struct peers peers;
};

static int check_outputs(const struct args *args) {
  bool csv_alone = args->csv != NULL && strcmp(args->csv, "-") == 0;
  int code = EXIT_DONE;
  if (csv_alone && args->json)
    return fail(EXIT_BAD_USE, "bench: --json and --csv - both want standard output");
  if (args->csv != NULL && !csv_alone)
    code = output_check_folder("--csv", args->csv);
  if (!code && args->plot != NULL)
    code = plot_check(args->plot);
  return code;
}

// Lists the devices that the selectors name, each once.
static int pick_devices(struct bench *bench) {
  const struct bench_request *request = &bench->request;
  struct bench_report *report = &bench->report;
  int code = EXIT_DONE;
  for (size_t i = 0; (i == 0 || i < request->device_count) && !code; i++) {
    struct device *device = &report->devices[report->device_count];
    code = device_pick(request->device_count == 0 ? NULL : request->devices[i], device);
    bool known = false;
    for (size_t j = 0; j < report->device_count; j++)
      known = known || report->devices[j].index == device->index;
    report->device_count += !code && !known;
  }
  return code;
}

static int prepare_measuring(struct bench *bench, const struct args *args) {
  int code = EXIT_DONE;
  if (bench->request.task->measure == NULL)
    code = shared_data_open(&bench->data);
  if (!code && bench->request.task->measure == NULL)
    code = peers_start(&bench->peers, args->peers, bench->data.descriptor, bench->request.patience);
  return code ? code : pick_devices(bench);
}

static int prepare_saved(struct bench *bench, const struct args *args) {
  int code = bench_saved_check(args);
  code = code ? code : bench_baseline_load(&bench->saved, "--from", args->from);
  return code ? code : bench_saved_take(&bench->report, &bench->request, &bench->saved, args->from);
}

static int prepare(struct bench *bench, const struct args *args) {
  time_t now = time(NULL);
  int code = bench_request_take(&bench->request, args);
  bench->report.request = &bench->request;
  bench->report.peers = &bench->peers;
  strftime(bench->report.date, sizeof bench->report.date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
  code = code ? code : check_outputs(args);
  if (!code && args->compare != NULL)
    code = bench_baseline_load(&bench->baseline, "--compare", args->compare);
  if (code)
    return code;
  return args->from == NULL ? prepare_measuring(bench, args) : prepare_saved(bench, args);
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

static int print(const struct bench *bench, const struct args *args, cJSON *document) {
  if (args->json)
    return json_print(document);
  if (args->csv != NULL && strcmp(args->csv, "-") == 0)
    bench_write_rows(&bench->report, stdout, ',');
  else {
    (bench->request.task->measure == NULL ? bench_print_table : bench_print_ratios)(&bench->report);
    if (args->compare != NULL)
      bench_print_comparison(&bench->report, document);
  }
  cJSON_Delete(document);
  return EXIT_DONE;
}

static void report_left_out(const struct peers *peers, bool quiet) {
  for (size_t i = 0; i < peers->count && !quiet; i++)
    if (peers->list[i].out)
      fprintf(stderr, "clreduce: peer %s is left out: %s\n", peers->list[i].name, peers->list[i].reason);
}

// Reports a wrong result before rows that are too slow.
static int judge(const struct bench *bench, size_t slower) {
  const struct bench_rows *rows = &bench->report.rows;
  for (size_t i = 0; i < rows->count; i++)
    if (*rows->list[i].refused == '\0' && !rows->list[i].correct)
      return fail(EXIT_WRONG, "bench: %s gave a wrong result for %s of %llu %s", rows->list[i].name,
                  rows->list[i].of.op, (unsigned long long)rows->list[i].of.count, rows->list[i].of.type);
  if (slower > 0 && bench->request.fails_if_slower)
    return fail(EXIT_WRONG, "bench: %zu rows have less than %g of their speed in %s", slower, bench->request.slower,
                bench->request.args->compare);
  return EXIT_DONE;
}

static int report(const struct bench *bench, const struct args *args) {
  int code = write_files(&bench->report, args);
  size_t slower = 0;
  if (code)
    return code;
  cJSON *document = bench_json(&bench->report);
  if (args->compare != NULL)
    slower = bench_compare(&bench->report, &bench->baseline, document);
  code = print(bench, args, document);
  report_left_out(&bench->peers, args->quiet);
  return code ? code : judge(bench, slower);
}

static void release(struct bench *bench) {
  peers_stop(&bench->peers);
  shared_data_close(&bench->data);
  bench_rows_release(&bench->report.rows);
  bench_baseline_release(&bench->baseline);
  bench_baseline_release(&bench->saved);
  free(bench);
}

int cmd_bench(const struct args *args) {
  struct bench *bench = calloc(1, sizeof *bench);
  if (bench == NULL)
    return fail_memory();
  bench->data.descriptor = -1;
  peers_end_by_signal();
  int code = prepare(bench, args);
  if (!code && args->from == NULL)
    code = bench->request.task->measure == NULL ? bench_measure(&bench->report, &bench->data)
                                                : beside_measure(&bench->report);
  code = code ? code : report(bench, args);
  release(bench);
  return code;
}
