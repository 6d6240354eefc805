#include "ours_keys.h"

#include "fail.h"
#include "ours_work.h"

static const struct session *session;
static const char *strategy;
static struct ours_work work;
static cl_mem keys, values, keys_out, results, outcome;
static size_t length;
static enum keys_task task;

void ours_keys_set(const struct session *opened, const char *name) {
  session = opened;
  strategy = name;
}

static int prepare(const struct keys_work *given) {
  const size_t bytes = given->count * 4;

  length = given->count;
  return ours_buffer(session, given->keys, bytes, &keys) || ours_buffer(session, given->values, bytes, &values) ||
         ours_results(session, bytes, &keys_out) || ours_results(session, bytes, &results) ||
         ours_results(session, sizeof(clred_outcome), &outcome);
}

static int open_by_key(void) {
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT,
                                 .op = CLRED_OP_ADD,
                                 .layout = CLRED_LAYOUT_KEYS,
                                 .segment_type = CLRED_TYPE_INT,
                                 .scan = task == KEYS_SCAN ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE,
                                 .count_max = length,
                                 .strategy = strategy};
  const int code = ours_work_open(&work, session, problem);

  work.call = (clred_call){.in = values, .count = length, .segments = keys, .out = results};
  if (task == KEYS_REDUCE) {
    work.call.keys_out = keys_out;
    work.call.outcome_buffer = outcome;
  }
  return code;
}

static int open_select(void) {
  const clred_selection selection = {.name = "positive", .keep = "x > 0"};
  const clred_problem problem = {
    .type = CLRED_TYPE_FLOAT, .selection = &selection, .count_max = length, .strategy = strategy};
  const int code = ours_work_open(&work, session, problem);

  work.call = (clred_call){.in = values, .count = length, .out = results, .outcome_buffer = outcome};
  return code;
}

static int choose(enum keys_task chosen) {
  const size_t bytes = length * 4;

  task = chosen;
  ours_work_close(&work);
  return ours_spoil(session, keys_out, 0, bytes) || ours_spoil(session, results, 0, bytes) ||
         ours_spoil(session, outcome, 0, sizeof(clred_outcome)) ||
         (task == KEYS_SELECT ? open_select() : open_by_key());
}

static int run(enum bench_clock clock, size_t calls, double *seconds) {
  return ours_work_run(&work, clock, calls, seconds);
}

static int read_results(size_t count, float *results_read, int32_t *keys_read, uint64_t *number_read) {
  clred_outcome said = {0, 0};
  const int code = ours_read(session, results, 0, count * 4, results_read) ||
                   ours_read(session, keys_out, 0, count * 4, keys_read) ||
                   (task != KEYS_SCAN && ours_read(session, outcome, 0, sizeof said, &said));

  *number_read = said.count;
  return code;
}

int ours_keys_describe(char *text, size_t size) {
  return ours_work_describe(&work, text, size);
}

static void release(void) {
  cl_mem *const buffers[] = {&keys, &values, &keys_out, &results, &outcome};

  ours_work_close(&work);
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    ours_release(buffers[i]);
}

const struct keys_side keys_ours = {{"ours", 0, 1, run}, prepare, choose, read_results, release};
