// Checks of the result of an injection.
#pragma once

#include "inject.h"

// Live OpenCL objects and allocations.
struct living {
  long objects[FAULT_KINDS];
  long blocks;
  size_t bytes;
};

struct injector {
  struct bench bench;
  const struct effort *effort;
  struct tally *tally;
  struct living at_rest;
  long ordinal;
};

struct injection {
  enum source source;
  long at;
  size_t code;
};

struct outcome {
  bool hit, too_far;
  enum fault_entry entry;  // FAULT_ENTRIES: memory
  cl_int code, status;
  char message[512];
};

bool is_of_memory(enum source source);

// Prints the name of the injection and the failure, and counts it.
void complain(struct injector *injector, long *count, const char *format, ...);

struct living look(const struct injector *injector);

// Whether the same numbers of objects and allocations exist as before.
bool is_at_rest(const struct injector *injector);
void check_leaks(struct injector *injector);

// Checks memory and results after a call in which a fault was planted.
void judge(struct injector *injector, bool succeeded);

// Checks status, message, memory and results.
void check(struct injector *injector, const struct injection *injection, const struct outcome *outcome);
