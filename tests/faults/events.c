// Events of the wait list that fail before or after the call. A call that waits for such an event must end in an error,
// in every kind of queue, and the next call must be right.
#include <stdio.h>

#include "calls.h"

struct event_row {
  const char *name;
  const char *assume;
  clred_problem problem;
  bool before;  // the event has failed when the call is made
  bool out_of_order;
  bool blocks;
  bool undisturbed;  // no injections: PoCL aborts if the library's marker fails
};

static const struct event_row *row_of(const struct bench *bench) {
  return bench->scenario->row;
}

// ---------------------------------------------------------------- The calls

static cl_int enqueue(struct bench *bench, cl_event waited, cl_event *event) {
  const bool scans = row_of(bench)->problem.scan != CLRED_SCAN_NONE;
  const clred_call call = CALL(.in = bench->in.mem, .count = NUMBERS, .out = scans ? bench->out.mem : NULL,
                               .result = scans ? NULL : bench->host.bytes + GUARD, .blocking = row_of(bench)->blocks);
  return clred_enqueue(bench->queue, bench->plan, &call, waited ? 1 : 0, waited ? &waited : NULL, event);
}

// CL_SUCCESS if the call ended in an error, as it must.
static cl_int call_in_vain(struct bench *bench) {
  cl_int err;
  cl_event event = NULL;
  cl_event failing;
  PAUSED(bench, failing = clCreateUserEvent(bench->device.context, &err));
  if (row_of(bench)->before)
    PAUSED(bench, clSetUserEventStatus(failing, CL_OUT_OF_RESOURCES));
  cl_int status = enqueue(bench, failing, &event);
  if (!row_of(bench)->before)
    PAUSED(bench, clSetUserEventStatus(failing, CL_OUT_OF_RESOURCES));
  const cl_int ended = bench_resolve(bench, event);
  PAUSED(bench, clReleaseEvent(failing));
  return status || ended ? CL_SUCCESS : CLRED_WRONG_RESULT;
}

static cl_int act(struct bench *bench) {
  cl_event event = NULL;
  cl_int status = call_in_vain(bench);
  if (!status)
    status = enqueue(bench, NULL, &event);
  const cl_int ended = bench_resolve(bench, event);
  return status ? status : ended;
}

// ---------------------------------------------------------------- The table

#define SUM SUM_OF_INTS, .count_max = NUMBERS
#define SUMS SUM, SCAN(EXCLUSIVE)

static const struct event_row rows[] = {
  ROW(.name = "an event that fails later", .problem = {SUM}),
  ROW(.name = "an event that fails later, out of order", .problem = {SUM}, .out_of_order = true, .undisturbed = true),
  ROW(.name = "an event that has failed", .problem = {SUM}, .before = true, .blocks = true),
  ROW(.name = "an event that has failed, out of order", .problem = {SUM}, .before = true, .out_of_order = true),
  ROW(.name = "an event that has failed, finish host", .problem = {SUM, .finish = "host"}, .before = true),
  ROW(.name = "an event that has failed, host_serial", .problem = {SUM, .strategy = "host_serial"}, .before = true),
  ROW(.name = "an event that has failed, bottom_up", .problem = {SUM, .strategy = "bottom_up"}, .before = true),
  ROW(.name = "an event that has failed, look_back", .assume = "cpu=0", .problem = {SUMS}, .before = true),
};

// ---------------------------------------------------------------- Scenarios

static const char *open_events(struct bench *bench) {
  const struct event_row *row = row_of(bench);
  const char *trouble = bench_image(bench, &bench->in, NUMBERS * sizeof(cl_int), fill_numbers);
  if (!trouble && row->problem.scan)
    trouble = bench_image(bench, &bench->out, (NUMBERS + 16) * sizeof(cl_long), NULL);
  if (!trouble && row->out_of_order)
    trouble = bench_open_queue(bench, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  if (!trouble)
    trouble = bench_open_plan(bench, row->assume, &row->problem);
  bench->out_size = row->problem.scan ? NUMBERS * sizeof(cl_long) : 0;
  bench->host_size = row->problem.scan ? 0 : sizeof(cl_long);
  return trouble;
}

void add_events(struct scenarios *all) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    // The first call fails anyway, so an injected failure in it may stay unreported.
    struct scenario scenario = {.row = &rows[i], .open = open_events, .act = act, .judge = bench_judge};
    scenario.flags = DROPS | UNSEEN_LATE | (rows[i].undisturbed ? UNDISTURBED : 0);
    add_scenario(all, rows[i].name, scenario);
  }
}
