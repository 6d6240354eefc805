#include "ours_scan.h"

#include "data.h"
#include "ours_work.h"

static struct ours_scan_options choice;
static struct ours_work work;
static cl_mem in, out;
static clred_type element_type;
static size_t length, result_size;

void ours_scan_set(const struct ours_scan_options *options) {
  choice = *options;
}

static int prepare(const void *data, enum bench_type type, size_t count) {
  static const clred_type types[] = {[BENCH_FLOAT] = CLRED_TYPE_FLOAT,
                                     [BENCH_DOUBLE] = CLRED_TYPE_DOUBLE,
                                     [BENCH_INT] = CLRED_TYPE_INT,
                                     [BENCH_UCHAR] = CLRED_TYPE_UCHAR};

  element_type = types[type];
  length = count;
  result_size = type == BENCH_FLOAT ? sizeof(cl_float) : sizeof(cl_ulong);
  return ours_buffer(choice.session, data, count * bench_element_size(type), &in) ||
         ours_results(choice.session, count * result_size, &out);
}

static int choose(int exclusive) {
  const clred_problem problem = {.type = element_type,
                                 .op = CLRED_OP_ADD,
                                 .scan = exclusive ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE,
                                 .count_max = length,
                                 .strategy = choice.strategy,
                                 .in_flight = choice.in_flight};
  int code;

  ours_work_close(&work);
  code = ours_work_open(&work, choice.session, problem);
  work.call = (clred_call){.in = in, .out = out, .count = length};
  return code;
}

static int run(enum bench_clock clock, size_t calls, double *seconds) {
  return ours_work_run(&work, clock, calls, seconds);
}

static int spoil(size_t first, size_t count) {
  return ours_spoil(choice.session, out, first * result_size, count * result_size);
}

static int read_results(size_t first, size_t count, void *results) {
  return ours_read(choice.session, out, first * result_size, count * result_size, results);
}

int ours_scan_describe(char *text, size_t size) {
  return ours_work_describe(&work, text, size);
}

static void release(void) {
  ours_work_close(&work);
  ours_release(&in);
  ours_release(&out);
}

const struct scan_side scan_ours = {{"ours", 0, 1, run}, 0, prepare, choose, spoil, read_results, release};
