// The file that bench --compare reads.
#include <stdlib.h>
#include <string.h>

#include "bench_report.h"
#include "fail.h"
#include "fuzz.h"

static void compare(const struct bench_baseline *baseline)
{
  static struct device       device = {.name = "device"};
  const struct bench_request request = {.slower = 0.9};
  struct bench_row           row = {.of = {&device, "add", "float", 1024, 4096}, .kind = SIDE_OURS, .name = "auto", .correct = true,
                                    .times = {{1e-6, 1e-6, 1e-6, 21}, {1e-6, 1e-6, 1e-6, 21}}};
  const struct bench_report  report = {.request = &request, .rows = {&row, 1}};
  cJSON                     *document = cJSON_CreateObject();
  bench_compare(&report, baseline, document);
  bench_print_comparison(&report, document);
  cJSON_Delete(document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  struct bench_baseline baseline;
  struct fuzz_said      said;
  fuzz_listen();
  int code = bench_baseline_load(&baseline, fuzz_file(data, size));
  if (code == EXIT_DONE)
    compare(&baseline);
  bench_baseline_release(&baseline);
  fuzz_heard(&said);
  fuzz_check_exit(code, &said);
  return 0;
}
