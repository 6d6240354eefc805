// Tables whose rows describe a plan and a call: the problem, the fields of the call, and where the results go.
#pragma once

#include "scenario.h"

enum {
  TO_RESULT = 1 << 0,  // results go to host memory, not to a buffer
  BLOCKS = 1 << 1,
  ASKS_EVENT = 1 << 2,
  WAITS = 1 << 3,  // the wait list has two complete events
  OUT_OF_ORDER = 1 << 4,
  PROFILES = 1 << 5,   // the plan and the queue profile; clred_plan_seconds is called
  HAS_INPUT = 1 << 6,  // one further input
  IN_PLACE = 1 << 7,
  HAS_INITIAL = 1 << 8,
  HAS_INITIAL_BUFFER = 1 << 9,
  HAS_OUTCOME = 1 << 10,
  HAS_KEYS_OUT = 1 << 12,
  TRIES_SIZES = 1 << 14,
  THOROUGH = 1 << 15,        // not in --quick: the call has another program, but takes the same path as other rows
  ON_OTHER_QUEUE = 1 << 13,  // a first call, without an event, is on another queue
  // A first call waits for an event that has failed, or fails later. It must end in an error, and the next call must be
  // right.
  EVENT_HAS_FAILED = 1 << 16,
  EVENT_FAILS_LATER = 1 << 17,
};

// The content of `call.segments`.
enum segments_kind { NO_SEGMENTS, OFFSETS, HEADS, KEYS };

// The problem of most rows.
#define SUM_OF_INTS OP(SUM, INT)

struct call_row {
  const char *name;
  const char *assume;
  clred_problem problem;
  clred_call call;  // only numbers; open_row and call_of set the buffers
  enum segments_kind segments;
  unsigned has;
  size_t results;  // the number of results that the call may write; 0: one
  struct fault_pretence pretence;
};

extern const clred_selection larger;  // keeps the elements larger than 20
extern const clred_histogram three_bins;
extern const clred_operator weighted;  // has an input and a parameter
extern const void *const weighted_parameters[];

// Adds two scenarios for each row. In the first one, OpenCL calls fail while the plan is created; in the second one,
// while the plan is called. Rows with events that fail have the second one only.
void add_rows(struct scenarios *all, const struct call_row *rows, size_t count);

// Each function adds the rows of one table.
void add_reductions(struct scenarios *all);
void add_layouts(struct scenarios *all);
void add_scans(struct scenarios *all);
void add_found(struct scenarios *all);
void add_events(struct scenarios *all);

#define ADD_ROWS(all, rows) add_rows(all, rows, sizeof rows / sizeof *rows)

// A row that calls one function of the library, with a plan that exists already, or with a runtime only.
struct act_row {
  const char *name;
  const char *assume;
  bool with_plan;
  clred_problem problem;
  cl_int (*run)(struct bench *bench);
  size_t results;  // bytes that `run` may write to host memory
  const char *forgives;
  long forgives_memory;
  unsigned flags;
};

const struct act_row *act_row_of(const struct bench *bench);
void add_acts(struct scenarios *all, const struct act_row *rows, size_t count);
