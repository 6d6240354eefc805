// Many threads on one runtime: what they share, and what each of them does.

#ifndef CLREDUCE_TESTS_THREADS_STRESS_H
#define CLREDUCE_TESTS_THREADS_STRESS_H

#include "support/calls.h"

#define SUBJECTS_MAX 32
#define SENTENCES 3
#define TEXT 512

// Nobody changes any of it once there are threads.
struct shared {
  struct device device;
  struct numbers numbers;
  clred_plan *plans[SUBJECTS_MAX];
  char *descriptions[SUBJECTS_MAX];  // what was said of each plan before
  char sentences[SENTENCES][TEXT];   // what each failure is told by
  bool out_of_order;                 // the device has such queues
};

// --- subjects.c ---

// A plan that all threads share.
struct subject {
  const char *name;
  enum call_kind kind;
  clred_problem problem;
};

extern const struct subject subjects[];
extern const size_t subject_count;
enum { SUBJECT_SUM, SUBJECT_BOUNDED, SUBJECT_SCAN, SUBJECT_SELECTION };  // by place

// --- asides.c ---

// Things done at once and not left in a queue: calls on host memory, streams, plans made and released, questions,
// failures.
struct aside {
  const char *name;
  unsigned weight;
  const char *(*run)(struct shared *shared, cl_command_queue queue, random_state *random);  // NULL, or what was wrong
};

extern const struct aside asides[];
extern const size_t aside_count;

// Makes failure `which` happen; NULL, or that it did not.
const char *aside_fail(struct shared *shared, cl_command_queue queue, size_t which);

// --- worker.c ---

#define QUEUES 2
#define IN_FLIGHT 4

// One call on its way.
struct ticket {
  size_t subject;
  bool is_taken;
  cl_command_queue queue;
  cl_event event;  // NULL: the queue tells when it is done
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
  char trouble[TEXT];  // "" while all is right
};

void worker_open(struct worker *worker, struct shared *shared, uint64_t seed, unsigned calls);
void worker_run(struct worker *worker);
void worker_close(struct worker *worker);

#endif
