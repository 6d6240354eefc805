// Scenarios: paths through the library that run again and again, with another failure each time.
#pragma once

#include "bench.h"

enum {
  SILENT = 1 << 0,       // failures have a status and no message
  UNSEEN_LATE = 1 << 1,  // there is no event, so failures on the device stay unseen
  DROPS = 1 << 3,        // candidates that fail are skipped
  ONLY_IN_FULL = 1 << 4,
  BRIEFLY = 1 << 6,      // an act takes seconds: as few calls fail as with --quick
  UNDISTURBED = 1 << 5,  // no injections: the driver does not survive them
  TRIED = 1 << 7,        // programs are tried; another form replaces one whose trial fails
  TRIES = 1 << 2,        // a size that the device refuses is replaced by another
};

struct scenario {
  char name[64];
  const void *row;  // a row of a table
  // The functions return a message if they fail. All but `act` may be NULL.
  const char *(*open)(struct bench *bench);
  const char *(*before)(struct bench *bench);                 // before each act; its calls do not fail
  cl_int (*act)(struct bench *bench);                         // its calls fail; returns the first error
  const char *(*judge)(struct bench *bench, bool succeeded);  // checks memory and results after each act
  void (*after)(struct bench *bench);                         // releases what `before` made
  void (*close)(struct bench *bench);                         // deletes files
  const char *forgives;                                       // names of OpenCL calls that may fail without an error
  long forgives_memory;                                       // how many allocations may fail without an error
  unsigned flags;
  unsigned settles;  // how many acts remove all state of failed calls from the plan's slots; 0: one
};

struct scenarios {
  struct scenario rows[256];
  size_t count;
};

void add_scenario(struct scenarios *all, const char *name, struct scenario scenario);

// --- The tables add their rows ---
void add_calls(struct scenarios *all);
void add_hosts(struct scenarios *all);
void add_streams(struct scenarios *all);
void add_devices(struct scenarios *all);
void add_runtimes(struct scenarios *all);
void add_questions(struct scenarios *all);
