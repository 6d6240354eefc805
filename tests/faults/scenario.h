// Scenarios: paths through the library that run again and again, with another failure each time. Tables list them.
#pragma once

#include "bench.h"

enum {
  SILENT = 1 << 0,        // failures have a status and no message
  UNSEEN_LATE = 1 << 1,   // there is no event, so failures on the device stay unseen
  TRIES = 1 << 2,         // a size that the device refuses is replaced by another
  DROPS = 1 << 3,         // candidates that fail are skipped
  ONLY_IN_FULL = 1 << 4,  // not in --quick: often another program on the path of other scenarios
  UNDISTURBED = 1 << 5,   // no injections: the driver does not survive them
  BRIEFLY = 1 << 6,       // an act takes seconds: as few calls fail as with --quick
  TRIED = 1 << 7,         // programs are tried; another form replaces one whose trial fails
  OUT_OF_ORDER = 1 << 8,
  PROFILES = 1 << 9,    // the plan and the queue profile
  TO_RESULT = 1 << 10,  // the results of a call go to host memory, not to a buffer
  BLOCKS = 1 << 11,
  ASKS_EVENT = 1 << 12,
  WAITS = 1 << 13,      // the wait list has two complete events
  HAS_INPUT = 1 << 14,  // one further input
  IN_PLACE = 1 << 15,
  HAS_INITIAL = 1 << 16,
  HAS_INITIAL_BUFFER = 1 << 17,
  HAS_OUTCOME = 1 << 18,
  HAS_KEYS_OUT = 1 << 19,
  ON_OTHER_QUEUE = 1 << 20,  // a first call, without an event, is on another queue
  // A first call waits for an event that has failed, or fails later. It must end in an error, and the next call must be
  // right.
  EVENT_HAS_FAILED = 1 << 21,
  EVENT_FAILS_LATER = 1 << 22,
  CACHES = 1 << 23,   // the runtime has a cache of binaries
  TUNES = 1 << 24,    // the runtime reads a file of tunings
  EMPTIES = 1 << 25,  // before each run, the directory of the cache is emptied
  DAMAGES = 1 << 26,  // before each run, the file in it is damaged
  EMPTY = 1 << 27,    // a stream of nothing
  ON_HOST = 1 << 28,  // a stream that the host computes
};

// The content of `call.segments`.
enum segments_kind { NO_SEGMENTS, OFFSETS, HEADS, KEYS };

struct scenario {
  char name[64];
  const char *assume;
  clred_problem problem;
  clred_call call;  // only numbers
  enum segments_kind segments;
  size_t results;  // the number of results that the call may write; 0: one
  size_t bytes;    // that an act which is no such call may write to host memory
  struct fault_pretence pretence;
  // The functions return a message if they fail. All but `act` may be NULL.
  const char *(*open)(struct bench *bench);
  const char *(*before)(struct bench *bench);                 // before each act; its calls do not fail
  cl_int (*act)(struct bench *bench);                         // its calls fail; returns the first error
  const char *(*judge)(struct bench *bench, bool succeeded);  // checks after each act; NULL: bench_judge
  void (*after)(struct bench *bench);                         // releases what `before` made
  void (*close)(struct bench *bench);                         // deletes files
  const char *forgives;                                       // names of OpenCL calls that may fail without an error
  long forgives_memory;                                       // how many allocations may fail without an error
  unsigned flags;
  unsigned settles;  // how many acts remove all state of failed calls from the plan's slots; 0: one
};

// For acts with a plan that exists already, or with a runtime only.
const char *open_plan(struct bench *bench);
const char *open_runtime(struct bench *bench);
const char *open_queue(struct bench *bench);  // if the flags ask for one
#define WITH_PLAN .open = open_plan
#define WITH_RUNTIME .before = open_runtime, .after = bench_release

struct scenarios {
  struct scenario rows[256];
  size_t count;
};

void add_table(struct scenarios *all, const struct scenario *rows, size_t count);
#define ADD_TABLE(all, rows) add_table(all, rows, sizeof rows / sizeof *rows)

// Adds two scenarios for each row that describes a plan and a call. In the first one, OpenCL calls fail while the plan
// is created; in the second one, while the plan is called. Rows with events that fail have the second one only.
void add_calls(struct scenarios *all, const struct scenario *rows, size_t count);

// --- The tables add their rows ---
void add_rows(struct scenarios *all);
void add_hosts(struct scenarios *all);
void add_streams(struct scenarios *all);
void add_devices(struct scenarios *all);
void add_runtimes(struct scenarios *all);
void add_questions(struct scenarios *all);

// The problem of most rows.
#define SUM_OF_INTS OP(SUM, INT)

extern const clred_selection larger;  // keeps the elements larger than 20
extern const clred_histogram three_bins;
extern const clred_operator weighted;  // has an input and a parameter
extern const void *const weighted_parameters[];
