// Many threads on one runtime: their shared objects, and the work of each thread.
#pragma once

#include "support/calls.h"

#define SUBJECTS_MAX 32
#define MESSAGES 3
#define TEXT 512

// Constant while threads run.
struct shared {
  struct device device;
  struct numbers numbers;
  clred_plan *plans[SUBJECTS_MAX];
  clred_sorter *sorter;              // of floats, with host_calls: the first call builds
  char *descriptions[SUBJECTS_MAX];  // the description of each plan, made before the threads
  char messages[MESSAGES][TEXT];     // the message of each failure
  bool out_of_order;                 // the device has such queues
};

// --- subjects.c ---

// A plan that all threads share.
struct subject {
  const char *name;
  clred_problem problem;
};

extern const struct subject subjects[];
extern const size_t subject_count;
enum { SUBJECT_SUM, SUBJECT_BOUNDED, SUBJECT_SCAN, SUBJECT_SELECTION };  // indexes of the first subjects

// --- asides.c ---

// Work that is complete on return: calls on host memory, streams, new plans, inspection, failures.
struct aside {
  const char *name;
  unsigned weight;
  const char *(*run)(struct shared *shared, cl_command_queue queue, random_state *random);  // NULL on success
};

extern const struct aside asides[];
extern const size_t aside_count;

// Causes failure number `which`. NULL if it happened.
const char *aside_fail(struct shared *shared, cl_command_queue queue, size_t which);

// --- worker.c ---

#define QUEUES 2
#define IN_FLIGHT 4

// A call in flight.
struct ticket {
  size_t subject;
  bool is_taken;
  cl_command_queue queue;
  cl_event event;  // NULL: clFinish of the queue waits for it
  cl_mem out, keys_out;
  struct asked asked;
};

struct worker {
  struct shared *shared;
  random_state random;
  unsigned calls;  // on each queue
  cl_command_queue queues[QUEUES];
  struct ticket tickets[QUEUES][IN_FLIGHT];
  unsigned long asked[SUBJECTS_MAX], done_aside[SUBJECTS_MAX];
  char trouble[TEXT];  // "" if no result was wrong
};

void worker_open(struct worker *worker, struct shared *shared, uint64_t seed, unsigned calls);
void worker_run(struct worker *worker);
void worker_close(struct worker *worker);
