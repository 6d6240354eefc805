// Scenarios: paths through the library that run again and again, with another failure each time. Tables list them. And
// the bench, on which a scenario runs: a device behind the layer, memory of which every byte is checked, and objects of
// the library.
#pragma once

#include <clreduce.h>

#include "../layer/fault_layer.h"
#include "support/device.h"

// ---------------------------------------------------------------- The bench

// Elements of every scenario, small whole numbers: their sums are exact in any order. No call may change them. Calls
// that read at odd addresses need two more.
#define NUMBERS 3000
extern cl_int numbers[NUMBERS + 2];

// Fills memory with the values that `numbers` has.
void fill_numbers(void *bytes, size_t size);

// Host memory that a call writes to, between bytes that must not change.
#define GUARD 64
#define HOST_ROOM 65536
struct guarded {
  unsigned char bytes[GUARD + HOST_ROOM + GUARD];
};

struct bench {
  const struct fault_control *layer;
  const struct scenario *scenario;
  struct device device;  // its runtime is NULL: scenarios make their own
  clred_runtime *runtime;
  clred_plan *plan;
  cl_command_queue queue;  // for the calls of the scenario
  cl_command_queue other;  // a second queue, for scenarios with two
  struct image in, second, segments, out, keys;
  struct guarded host;  // for results
  clred_outcome outcome;
  size_t out_at, out_size, host_size;  // the bytes of `out` and `host` that a call may write
  size_t padding;                      // bytes at the end of `host` that may have any value
  unsigned char *expected;             // these bytes and `outcome`, as the first call left them; NULL before it
  bool is_over;                        // only releases follow
  bool is_silent;                      // the call that failed has no message
  bool fell;                           // a call had failed when is_over was set
  char error[512];
  char message[1024];  // the text of bench_say
  char directory[64];
};

// bench_open opens the device behind the layer. bench_close releases everything that the scenario left.
const char *bench_open(struct bench *bench, const struct scenario *scenario);
void bench_close(struct bench *bench);

// Makes the runtime. If that fails, the message is in `error`.
cl_int bench_runtime(struct bench *bench, const clred_options *options);

// Each function makes what its name says, and returns a message if that fails. bench_open_plan also makes a runtime.
const char *bench_open_runtime(struct bench *bench, const char *assume);
const char *bench_open_plan(struct bench *bench, const char *assume, const clred_problem *problem);
const char *bench_open_queue(struct bench *bench, cl_command_queue_properties properties);
const char *bench_open_directory(struct bench *bench);

// The path of a file in the directory; valid until the next call.
const char *bench_file(const struct bench *bench, const char *name);

// Runs the plan over `numbers` into the host memory. bench_reduce first makes the runtime and a plan of their sum.
cl_int bench_run_host(struct bench *bench);
cl_int bench_reduce(struct bench *bench, const clred_options *options);

// Keeps the runtime's message and releases plan and runtime. Returns the status.
cl_int bench_end(struct bench *bench, cl_int status);

// Releases plan and runtime, if there are any.
void bench_release(struct bench *bench);

// After this the scenario makes only calls that cannot report failures.
void bench_begin_release(struct bench *bench);

// While paused, no call fails. For calls of the scenario itself, which must not fail.
void bench_pause(struct bench *bench, bool paused);
#define PAUSED(bench, call) (bench_pause(bench, true), (void)(call), bench_pause(bench, false))

// A message for a failure; valid until the next call.
const char *bench_say(struct bench *bench, const char *format, ...);

// bench_reset resets memory to what it was before any call. bench_judge returns a message if a call changed other
// bytes, or if it succeeded with other results than the first call.
const char *bench_reset(struct bench *bench);
const char *bench_judge(struct bench *bench, bool succeeded);

// Waits for the queues and releases the event, which may be NULL. Returns the event's error or CL_SUCCESS.
cl_int bench_resolve(struct bench *bench, cl_event event);

// An image of `size` bytes, filled by `fill`.
const char *bench_image(struct bench *bench, struct image *image, size_t size, void (*fill)(void *bytes, size_t size));

// If `pretends` is set, each reading of the clock is a fifth of a second after the last one. Code that measures times
// then makes the same calls in each run.
void clock_pretend(bool pretends);

// ---------------------------------------------------------------- Scenarios

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
