// What the parts of scaling_costs share.
#pragma once

#include <clreduce_mpi.h>

#define TURNS 401
#define SHIFT 777  // elements before a share that is cut within a tile

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  clred_runtime *runtime;
  clred_plan *plan;
};

// Ends all ranks if `failed` is not 0.
void stop_if(int failed, const char *what);

// Seconds since a fixed moment.
double now(void);

// A partial of the device's plan whose first element is element `first`.
clred_partial *create(const struct device *device, cl_ulong first);

// Print members of the JSON object: folds, and what MPI's operator does with the blocks of two neighbours
// (costs_folds.c). The first one begins the object.
void print_folds(const struct device *device);
void print_joins(const struct device *device);

// The calls and messages of two ranks; ends the object (costs_calls.c). Collective, as is the next one.
void print_messages(const struct device *device, int rank);

// The medians of the calls, in microseconds, for any number of ranks.
void print_calls(const struct device *device, int rank, int count);
