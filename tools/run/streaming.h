// Reads inputs chunk by chunk, and folds, scans, selects or counts each chunk. For inputs that are larger than a buffer
// of the device, or too large for the tool to load.
#pragma once

#include <clreduce_partial.h>

#include "input/stream.h"
#include "run/job.h"
#include "verify/verify.h"

// Decides whether to stream and sets job->streams. For a pipe it reads the first bytes and keeps them. Returns an exit
// code.
int streaming_choose(struct job *job);

// Reads, folds and verifies; replaces job_load, run_plan and verify_outcome. The number of elements is known only after
// this call. Returns an exit code.
int streaming_run(struct job *job, clred_plan *plan, struct outcome *outcome, struct verdict *verdict);

// Appends all elements to a partial. Returns an exit code.
int streaming_push(struct job *job, clred_plan *plan, clred_partial *whole);

// Reads up to `room` elements of each input. The inputs must end together. Returns an exit code.
int reader_read(struct job *job, void *in, void *const *inputs, uint64_t room, uint64_t *got);

// ---- A range of elements of all inputs of a job, in the memory of the process: mapped from files, or generated

enum { WINDOW_SOURCES = 1 + USER_INPUTS_MAX };

struct window {
  struct mapping mappings[WINDOW_SOURCES];
  struct file_place places[WINDOW_SOURCES];
  void *generated[WINDOW_SOURCES];  // NULL for a file
  const void *data[WINDOW_SOURCES];
  uint64_t count;  // elements
};

// Finds the elements from `begin` to `end`, or only those up to the end of a file: a window has elements of one file of
// each input. `begin` must not be smaller than in the call before. Returns an exit code.
int window_find(struct job *job, uint64_t begin, uint64_t end, struct window *window);

// Maps or generates the elements. False if a file cannot be mapped, or memory is short. The window must not move.
bool window_open(const struct job *job, struct window *window);

// Checks that the files still have these elements. Call it after window_find, also if window_open failed. Returns an
// exit code.
int window_close(const struct job *job, struct window *window);
