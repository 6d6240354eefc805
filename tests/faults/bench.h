// The state of a scenario: a device behind the layer, memory of which every byte is checked, and objects of the
// library.
#pragma once

#include <clreduce.h>

#include "../layer/fault_layer.h"
#include "support/device.h"

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
