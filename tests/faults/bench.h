// What a scenario works with: a device with the layer between, memory whose every byte is looked at, and what it made.
#ifndef FAULTS_BENCH_H
#define FAULTS_BENCH_H

#include <clreduce.h>

#include "../layer/fault_control.h"
#include "support/device.h"

// Host memory that a call writes to, with bytes around it that must stay.
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
  cl_command_queue queue;  // that calls are given
  cl_command_queue other;  // another one, for scenarios with two
  struct image in, second, tells, out, keys;
  struct guarded host;  // of results
  clred_outcome outcome;
  size_t out_at, out_size, host_size;  // what a call may write
  size_t padding;                      // bytes at the end of the host's, which are anything
  unsigned char *expected;             // of these, then of `outcome`; NULL before the first call
  bool is_over;                        // what can fail has returned, and what goes on only releases
  bool is_silent;                      // the call that failed has no sentences
  bool fell;                           // something had failed when that was so
  char error[512];
  char said[1024];
  char folder[64];
};

// Opens the device with the layer in place, and releases what the scenario left.
const char *bench_open(struct bench *bench, const struct scenario *scenario);
void bench_close(struct bench *bench);

// A runtime; its sentence, where there is none, is in `error`.
cl_int bench_runtime(struct bench *bench, const clred_options *options);

// Releases plan and runtime, if they are there.
void bench_release(struct bench *bench);

// What comes now cannot tell of failures.
void bench_begin_release(struct bench *bench);

// Around calls that are the caller's own.
void bench_pause(struct bench *bench, bool paused);

// Sentences about what went wrong, valid until the next.
const char *bench_say(struct bench *bench, const char *format, ...);

// Memory as it was before any call, and what is wrong with it after one. Of a call that succeeded results must be those
// of the first.
const char *bench_reset(struct bench *bench);
const char *bench_judge(struct bench *bench, bool succeeded);

// Waits for what the caller has in the queues, and takes note of an event (NULL: none), which is released.
cl_int bench_settle(struct bench *bench, cl_event event);

// An image of `size` bytes, filled by `fill`.
const char *bench_image(struct bench *bench, struct image *image, size_t size, void (*fill)(void *bytes, size_t size));

#endif
