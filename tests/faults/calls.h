// Plans and calls by rows of a table: a problem, what the call gives beside it, and where results go.
#ifndef FAULTS_CALLS_H
#define FAULTS_CALLS_H

#include "scenario.h"

enum {
  TO_RESULT = 1 << 0,  // results go to host memory, not to a buffer
  BLOCKS = 1 << 1,
  ASKS_EVENT = 1 << 2,
  WAITS = 1 << 3,  // for two events, which are complete
  OUT_OF_ORDER = 1 << 4,
  PROFILES = 1 << 5,   // the plan and the queue; clred_plan_seconds is asked
  HAS_INPUT = 1 << 6,  // one further input
  IN_PLACE = 1 << 7,
  HAS_INITIAL = 1 << 8,
  HAS_INITIAL_BUFFER = 1 << 9,
  HAS_OUTCOME = 1 << 10,
  HAS_OUTCOME_BUFFER = 1 << 11,
  HAS_KEYS_OUT = 1 << 12,
  TRIES_SIZES = 1 << 14,
  THOROUGH = 1 << 15,        // not in --quick: another program for a path that others take
  ON_OTHER_QUEUE = 1 << 13,  // the call before it, without an event, is on another queue
};

// How `call.segments` is told.
enum telling { TELLS_NOTHING, TELLS_OFFSETS, TELLS_HEADS, TELLS_KEYS };

struct call_row {
  const char *name;
  const char *assume;
  clred_problem problem;
  clred_call call;  // numbers; buffers are put in
  enum telling telling;
  unsigned has;
  size_t results;  // that the call may write; 0: one
  struct fault_pretence pretence;
};

// Fills memory with small whole numbers, as int: their sums are exact in any order.
void fill_numbers(void *bytes, size_t size);

extern const clred_selection larger;  // than 20
extern const clred_histogram three_bins;

// Adds two scenarios for each row: the plan is made to fail, and the call.
void add_rows(struct scenarios *all, const struct call_row *rows, size_t count);

// The tables.
void add_reductions(struct scenarios *all);
void add_layouts(struct scenarios *all);
void add_scans(struct scenarios *all);
void add_found(struct scenarios *all);

#define ADD_ROWS(all, rows) add_rows(all, rows, sizeof rows / sizeof *rows)

// Elements of every row's buffers.
#define NUMBERS 3000

#endif
