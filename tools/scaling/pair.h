// Two devices, each with a context, a queue and a runtime of its own, for the parts of scaling_devices.
#pragma once

#include <clreduce_partial.h>
#include <stdbool.h>
#include <stddef.h>

#define PAIR 2

struct pair_device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  clred_runtime *runtime;
  char name[128];
};

struct pair {
  struct pair_device devices[PAIR];
};

// Opens the first two GPUs, or the first two devices if there are fewer GPUs. Functions here end the program on a
// failure, with a sentence.
void pair_open(struct pair *pair);
void pair_close(struct pair *pair);

// A problem on both devices, with a partial on each.
struct pair_plans {
  const struct pair *pair;
  clred_plan *plans[PAIR];
  clred_partial *partials[PAIR];
  clred_call calls[PAIR];
};

void pair_plan(const struct pair *pair, const clred_problem *problem, struct pair_plans *made);
void pair_plan_release(struct pair_plans *plans);

// Reduces elements 0 to `count` of buffers that hold all elements: device 0 those before `cut`, device 1 the others.
void pair_reduce(struct pair_plans *plans, cl_ulong cut, cl_ulong count, void *result);

// The same by one call on one device.
void pair_reduce_on_one(struct pair_plans *plans, size_t device, cl_ulong count, void *result);

// Prints the sentence of the device's runtime, if there is one, and ends the program unless `status` is CL_SUCCESS.
void pair_check(const struct pair_device *device, cl_int status, const char *what);

// A buffer of this device that a kernel fills with the same numbers on every device: floats between -0.5 and 0.5.
cl_mem pair_floats(const struct pair_device *device, cl_ulong count);

// A problem, and the bytes of an element.
struct pair_problem {
  const char *name;
  size_t element;
  clred_problem problem;
};

struct pair_tally {
  size_t right, wrong;
};

// Compares the scans of both devices with those of one (scan_bits.c).
void pair_check_scans(const struct pair *pair, const struct pair_problem *problem, unsigned char *elements,
                      struct pair_tally *tally);

// Compares the bits of both devices with those of one (bits.c). Returns the number of wrong results.
size_t pair_check_bits(const struct pair *pair, int greatest);

// The measurements (times.c). Returns the number of wrong results.
size_t pair_measure(const struct pair *pair, int greatest);
