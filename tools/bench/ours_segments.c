#include "ours_segments.h"

#include "ours_work.h"

static const struct session *session;
static const char *strategy;
static struct ours_work work, plain;
static cl_mem in, offsets, out, total;
static size_t length, results;

void ours_segments_set(const struct session *opened, const char *name) {
  session = opened;
  strategy = name;
}

static int prepare(const float *data, size_t count) {
  length = count;
  return ours_buffer(session, data, count * sizeof *data, &in);
}

static void forget(void) {
  ours_work_close(&work);
  ours_release(&offsets);
  ours_release(&out);
}

static int open_rows(const struct segments *chosen) {
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT,
                                 .op = CLRED_OP_ADD,
                                 .layout = CLRED_LAYOUT_ROWS,
                                 .count_max = chosen->length,
                                 .strategy = strategy};
  const int code = ours_work_open(&work, session, problem);

  work.call = (clred_call){.in = in, .count = chosen->length, .rows = chosen->count, .out = out};
  return code;
}

static int open_offsets(const struct segments *chosen) {
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT,
                                 .op = CLRED_OP_ADD,
                                 .layout = CLRED_LAYOUT_SEGMENTS,
                                 .segment_type = CLRED_TYPE_UINT,
                                 .strategy = strategy};
  const int code = ours_buffer(session, chosen->offsets, (chosen->count + 1) * sizeof *chosen->offsets, &offsets) ||
                   ours_work_open(&work, session, problem);

  work.call = (clred_call){.in = in, .count = length, .segments = offsets, .rows = chosen->count, .out = out};
  return code;
}

static int choose(const struct segments *chosen) {
  forget();
  results = chosen->count;
  return ours_results(session, results * sizeof(cl_float), &out) ||
         (chosen->length ? open_rows(chosen) : open_offsets(chosen));
}

static int run(enum bench_clock clock, size_t calls, double *seconds) {
  return ours_work_run(&work, clock, calls, seconds);
}

static int spoil(void) {
  return ours_spoil(session, out, 0, results * sizeof(cl_float));
}

static int read_results(float *to) {
  return ours_read(session, out, 0, results * sizeof *to, to);
}

int ours_segments_describe(char *text, size_t size) {
  return ours_work_describe(&work, text, size);
}

static void release(void) {
  forget();
  ours_release(&in);
}

const struct segments_side segments_ours = {{"ours", 0, 1, run}, prepare, choose, spoil, read_results, release};

// --- The plain sum, of the elements that segments_ours has ---

static int prepare_plain(const float *data, size_t count) {
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD};

  (void)data;
  if (ours_results(session, sizeof(cl_float), &total) || ours_work_open(&plain, session, problem))
    return 1;
  plain.call = (clred_call){.in = in, .count = count, .out = total};
  return 0;
}

static int choose_plain(const struct segments *chosen) {
  (void)chosen;
  return 0;
}

static int run_plain(enum bench_clock clock, size_t calls, double *seconds) {
  return ours_work_run(&plain, clock, calls, seconds);
}

static int spoil_plain(void) {
  return 0;
}

static void release_plain(void) {
  ours_work_close(&plain);
  ours_release(&total);
}

const struct segments_side segments_plain_sum = {
  {"our sum", 0, 1, run_plain}, prepare_plain, choose_plain, spoil_plain, NULL, release_plain};
