// The file that bench --compare and --from read.
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "bench/bench.h"
#include "fuzz.h"

// Reports the rows of the file, and compares a row that is measured now with them.
static void report(struct bench_report *saved) {
  static struct device device = {.name = "device"};
  static const struct args args;
  const struct bench_request request = {.args = &args, .slower = 0.9};
  struct bench_row row = {.device = &device,
                          .op = "sum",
                          .type = "float",
                          .count = 1024,
                          .bytes = 4096,
                          .name = "auto",
                          .correct = true,
                          .times = {{1e-6, 1e-6, 1e-6, 21}, {1e-6, 1e-6, 1e-6, 21}}};
  const struct bench_report now = {.request = &request, .rows = &row, .count = 1};
  FILE *nowhere = fopen("/dev/null", "w");
  cJSON *document = bench_json(&now);
  bench_compare(&now, saved, document);
  bench_print_comparison(&now, document);
  cJSON_Delete(document);
  saved->request = &request;
  bench_print_table(saved);
  bench_write_rows(saved, stdout, ',');
  bench_write_plot(saved, nowhere);
  fclose(nowhere);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct bench_saved saved;
  if (FUZZ_EXIT(bench_saved_load(&saved, "--from", fuzz_file(data, size))) == EXIT_DONE)
    report(&saved.report);
  bench_saved_release(&saved);
  return 0;
}
