// The tasks that compare the library with peers, and the table of all tasks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/wrap.h"
#include "bench/beside.h"
#include "bench/request.h"
#include "operator/operation.h"

// ---- Common parts of comparisons

struct comparison beside_sum(const struct beside *beside, enum bench_kind kind, const char *label) {
  struct comparison c = {.pattern = beside->task->pattern};
  snprintf(c.label, sizeof c.label, "%s", label);
  c.ours.problem = (clred_problem){.type = beside->type.type, .op = CLRED_OP_SUM, .count_max = beside->count};
  c.ours.call = (clred_call){.in = beside->bed.in, .count = beside->count};
  c.ours.bytes = c.peer_bytes = (double)beside->count * (double)beside->type.size;
  c.work = (struct bench_work){
    .kind = kind, .type = beside->peer_type, .count = (size_t)beside->count, .elements = beside->elements};
  return c;
}

struct plan_side beside_plain_sum(const struct beside *beside) {
  return (struct plan_side){.name = "our sum",
                            .reference = true,
                            .problem = {.type = beside->type.type, .op = CLRED_OP_SUM},
                            .call = {.in = beside->bed.in, .count = beside->count},
                            .out_bytes = 64,
                            .bytes = (double)beside->count * (double)beside->type.size};
}

// ---- Sums, scans, histograms

static int measure_sum(struct beside *beside) {
  const struct comparison c = beside_sum(beside, BENCH_SUM, "sum");
  return beside_compare(beside, &c);
}

static int measure_small(struct beside *beside) {
  struct comparison c = beside_sum(beside, BENCH_SUM, "sum");
  c.ours.problem.count_max = 0;
  c.empty = true;
  return beside_compare(beside, &c);
}

// If results of integers have 64 bits, peers with results of the elements' type are measured, too, for information.
static int measure_scan(struct beside *beside) {
  static const enum bench_width widths[] = {
    [CLRED_RESULT_OWN] = BENCH_OWN_BITS, [CLRED_RESULT_32] = BENCH_32_BITS, [CLRED_RESULT_64] = BENCH_64_BITS};
  clred_problem asked = {0};
  int code = operation_take_result_type(beside->report->request->args, &asked);
  for (int exclusive = 0; exclusive < 2 && !code; exclusive++) {
    struct comparison c =
      beside_sum(beside, exclusive ? BENCH_EXCLUSIVE : BENCH_INCLUSIVE, exclusive ? "exclusive" : "inclusive");
    c.work.narrow = widths[asked.result_bits];
    const double result = (double)bench_size(bench_result_type(&c.work));
    c.ours.problem.result_bits = asked.result_bits;
    c.ours.problem.scan = exclusive ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE;
    c.ours.bytes = c.peer_bytes = (double)beside->count * ((double)beside->type.size + result);
    c.narrow = !beside->type.floating && !asked.result_bits;
    code = beside_compare(beside, &c);
  }
  return code;
}

static int measure_histogram(struct beside *beside) {
  const struct count *bins = &beside->report->request->args->bins;
  const double high = beside->type.floating   ? 1
                      : beside->type.size < 4 ? ldexp(1, 8 * (int)beside->type.size)
                                              : 1 << 20;
  const clred_histogram histogram = {.bins = bins->given ? bins->value : 256, .low = 0, .high = high};
  int code = EXIT_DONE;
  for (int alike = 0; alike < 2 && !code; alike++) {
    struct comparison c = beside_sum(beside, BENCH_HISTOGRAM, "");
    snprintf(c.label, sizeof c.label, "%llu bins%s", (unsigned long long)histogram.bins, alike ? ", all alike" : "");
    c.pattern = alike ? PATTERN_ALIKE : PATTERN_BINS;
    c.ours.problem = (clred_problem){.type = beside->type.type, .histogram = &histogram};
    c.work.results = (size_t)histogram.bins;
    c.work.high = high;
    if (alike)
      code = beside_fill(beside, c.pattern);
    c.ours.call.in = beside->bed.in;
    code = code ? code : beside_compare(beside, &c);
  }
  return code;
}

// ---- Keys and selections

static int measure_by_key(struct beside *beside, enum bench_kind kind, const char *label, int32_t *keys, cl_mem in) {
  struct comparison c = beside_sum(beside, kind, label);
  c.ours.problem.layout = CLRED_LAYOUT_KEYS;
  c.ours.problem.segment_type = CLRED_TYPE_INT;
  c.ours.problem.scan = kind == BENCH_SCAN_BY_KEY ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE;
  c.ours.call.segments = in;
  c.work.keys = keys;
  size_t runs = 1;
  for (size_t i = 1; i < c.work.count; i++)
    runs += keys[i] != keys[i - 1];
  c.ours.bytes = c.peer_bytes =
    8.0 * (double)beside->count + (kind == BENCH_REDUCE_BY_KEY ? 8.0 * (double)runs : 4.0 * (double)beside->count);
  return beside_compare(beside, &c);
}

// About half of the elements are above 0.
static int measure_select(struct beside *beside) {
  static const clred_selection positive = {.name = "positive", .keep = "x > 0"};
  struct comparison c = beside_sum(beside, BENCH_SELECT, "select");
  const float *elements = beside->elements;
  size_t kept = 0;
  for (size_t i = 0; i < c.work.count; i++)
    kept += elements[i] > 0;
  c.ours.problem.op = CLRED_OP_NONE;
  c.ours.problem.selection = &positive;
  c.ours.bytes = c.peer_bytes = 4.0 * (double)(beside->count + kept);
  return beside_compare(beside, &c);
}

static int measure_keys(struct beside *beside) {
  const size_t bytes = (size_t)beside->count * sizeof(int32_t);
  int32_t *keys = bed_claim(bytes);
  cl_mem in = NULL;
  if (keys == NULL)
    return fail_memory();
  keys_make(keys, (size_t)beside->count);
  int code = session_buffer(&beside->bed.session, keys, bytes, "the keys", &in);
  code = code ? code : measure_by_key(beside, BENCH_REDUCE_BY_KEY, "reduce by key", keys, in);
  code = code ? code : measure_by_key(beside, BENCH_SCAN_BY_KEY, "scan by key", keys, in);
  code = code ? code : measure_select(beside);
  buffer_release(in);
  free(keys);
  return code;
}

// ---- The table

// Writes 1.5f into each four bytes. Every operator accepts these bits as elements of any type.
static void fill_words(void *to, size_t bytes) {
  float *words = to;
  for (size_t i = 0; i < (bytes + 3) / 4; i++)
    words[i] = 1.5f;
}

static void fill_ones(void *to, size_t bytes) {
  memset(to, 1, bytes);
}

#define FOUR_TYPES "float,double,int,uchar"

// The fields that each task sets; further fields follow by name. `runs_each` runs are measured after `warming` others.
// On a GPU each run has `calls` calls.
#define TASK(task, usual, possible, on_gpu, on_cpu, gpu_module, cpu_module, runs_each, warming, calls, by_wall, \
             by_device, function, ...) \
  { \
    .name = task, .types = usual, .known = possible, .gpu_sizes = on_gpu, .cpu_sizes = on_cpu, .gpu_peer = gpu_module, \
    .cpu_peer = cpu_module, .runs = runs_each, .warm_up = warming, .gpu_calls = calls, .clocks = {by_wall, by_device}, \
    .measure = function, __VA_ARGS__ \
  }

// clang-format off
static const struct bench_task tasks[] = {
  {.name = "reduce", .takes_ops = true},
  TASK("sum", "float", FOUR_TYPES, "2^28", "2^26", "cub", "openmp", 21, 3, 1, true, true, measure_sum, .wide = false),
  TASK("small", "float", "float", "2^10..2^20", "2^10..2^20", "loop", "loop", 1001, 20, 1, true, false, measure_small,
       .wide = false),
  TASK("scan", FOUR_TYPES, FOUR_TYPES, "2^20,2^28,2^30", "2^20,2^26", "cub", "loop", 21, 3, 10, true, true,
       measure_scan, .wide = true, .takes_result_type = true),
  TASK("scan-rows", "float", NULL, "2^22", "2^20", NULL, NULL, 21, 2, 1, false, true, measure_scan_rows,
       .wide = true, .fill = fill_ones, .strategies = "scan_rows,scan_lines"),
  TASK("segments", "float", "float", "2^28", "2^26", "cub", NULL, 21, 3, 10, true, true, measure_segments,
       .wide = false),
  TASK("keys", "float", "float", "2^27", "2^26", "cub", "loop", 21, 3, 10, true, true, measure_keys, .wide = false),
  TASK("histogram", "uchar", "uchar,ushort,int,float", "2^30", "2^28", "cub", "openmp", 21, 3, 1, true, true,
       measure_histogram, .pattern = PATTERN_BINS),
  TASK("operators", "float", NULL, "2^28", "2^26", NULL, NULL, 21, 2, 1, false, true, measure_operators,
       .second = true, .takes_ops = true, .fill = fill_words),
  TASK("axes", "float", NULL, "2^26", "2^26", NULL, NULL, 21, 2, 1, false, true, measure_axes, .fill = fill_words)};
// clang-format on

enum { TASKS = sizeof tasks / sizeof tasks[0] };

const struct bench_task *bench_task_find(const char *name) {
  for (size_t i = 0; i < TASKS; i++)
    if (name == NULL || strcmp(tasks[i].name, name) == 0)
      return &tasks[i];
  return NULL;
}

void bench_task_names(char *text, size_t size) {
  *text = '\0';
  for (size_t i = 0; i < TASKS; i++)
    list_append(text, size, ", ", tasks[i].name);
}
