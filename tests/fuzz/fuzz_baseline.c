// The file that bench --compare reads.
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "bench/bench.h"
#include "fuzz.h"

// Compares a row that is measured now with the rows of the file.
static void compare(const cJSON *baseline) {
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
  cJSON *document = bench_json(&now);
  bench_compare(&request, document, baseline);
  bench_print_comparison(&request, document);
  cJSON_Delete(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cJSON *baseline = NULL;
  if (FUZZ_EXIT(bench_baseline_load(fuzz_file(data, size), &baseline)) == EXIT_DONE)
    compare(baseline);
  cJSON_Delete(baseline);
  return 0;
}
