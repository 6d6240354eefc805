// A path through the library that is run with one failure after the other. A row of a table each.
#ifndef FAULTS_SCENARIO_H
#define FAULTS_SCENARIO_H

#include "bench.h"

enum {
  SILENT = 1 << 0,       // failures have a status and no sentence
  UNSEEN_LATE = 1 << 1,  // nobody asks for an event: what fails on the device is seen by nobody
  DROPS = 1 << 3,        // candidates are tried, and those that fail are none
  ONLY_IN_FULL = 1 << 4,
  BRIEFLY = 1 << 6,      // an act takes seconds: as much is made to fail of it in full as of others in short
  UNDISTURBED = 1 << 5,  // runs without failures of ours: the driver does not survive them
  TRIES = 1 << 2,        // a size is tried: where the device has not enough for it, another one is taken
};

struct scenario {
  char name[64];
  const void *row;  // of a table that several scenarios have in common
  // Functions return a sentence if they fail; any may be NULL but act.
  const char *(*open)(struct bench *bench);
  const char *(*before)(struct bench *bench);  // each act, and not made to fail
  cl_int (*act)(struct bench *bench);          // what is made to fail: the first status that is no success
  const char *(*judge)(struct bench *bench, bool succeeded);  // memory and results, after each act
  void (*after)(struct bench *bench);                         // releases what `before` made
  void (*close)(struct bench *bench);                         // of what OpenCL does not know: files
  const char *forgives;                                       // OpenCL calls that may fail unseen, by name
  long forgives_memory;                                       // so many allocations likewise
  unsigned flags;
  unsigned settles;  // acts until what a plan keeps of earlier calls is that of good ones; 0: one
};

// A row of a table, from named fields.
#define ROW(...) \
  { __VA_ARGS__ }

struct scenarios {
  struct scenario rows[256];
  size_t count;
};

void add_scenario(struct scenarios *all, const char *name, struct scenario scenario);

// --- The tables, each of which adds its rows ---
void add_calls(struct scenarios *all);
void add_hosts(struct scenarios *all);
void add_streams(struct scenarios *all);
void add_runtimes(struct scenarios *all);
void add_questions(struct scenarios *all);
void add_events(struct scenarios *all);
void add_probes(struct scenarios *all);

#endif
