// The file that bench --compare and --from read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "bench/report.h"
#include "fuzz.h"

static void compare(const struct bench_baseline *baseline) {
  static struct device device = {.name = "device"};
  static const struct args args;
  static struct peers peers;
  const struct bench_request request = {.args = &args, .task = bench_task_find(NULL), .slower = 0.9};
  struct bench_row row = {.of = {.device = &device, .op = "sum", .type = "float", .count = 1024, .bytes = 4096},
                          .kind = SIDE_OURS,
                          .name = "auto",
                          .correct = true,
                          .times = {{1e-6, 1e-6, 1e-6, 21}, {1e-6, 1e-6, 1e-6, 21}}};
  const struct bench_report report = {.request = &request, .peers = &peers, .rows = {&row, 1}};
  cJSON *document = bench_json(&report);
  bench_compare(&report, baseline, document);
  bench_print_comparison(&report, document);
  cJSON_Delete(document);
}

static int load_and_compare(struct bench_baseline *baseline, const char *path) {
  int code = bench_baseline_load(baseline, "--compare", path);
  if (code == EXIT_DONE)
    compare(baseline);
  return code;
}

static int report_again(const struct bench_baseline *saved) {
  static struct bench_report report;
  static struct bench_request request;
  FILE *nowhere = fopen("/dev/null", "w");
  static const struct args args;
  report = (struct bench_report){.request = &request};
  request = (struct bench_request){.args = &args};
  int code = bench_saved_take(&report, &request, saved, "file");
  if (code == EXIT_DONE) {
    bench_print_table(&report);
    bench_print_ratios(&report);
    bench_write_rows(&report, stdout, ',');
    bench_write_plot(&report, nowhere);
  }
  bench_rows_release(&report.rows);
  fclose(nowhere);
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bench_baseline baseline;
  if (FUZZ_EXIT(load_and_compare(&baseline, fuzz_file(data, size))) == EXIT_DONE)
    FUZZ_EXIT(report_again(&baseline));
  bench_baseline_release(&baseline);
  return 0;
}
