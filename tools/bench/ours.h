// ours.h: the library as a side of the comparison.

#ifndef BENCH_OURS_H
#define BENCH_OURS_H

#include "clreduce.h"
#include "side.h"

struct ours_options {
  const char *device;    // NULL: the first GPU, else the first device
  const char *strategy;  // as in clred_problem, the rest too
  const char *finish;
  cl_ulong group_size;
  cl_ulong groups;
};

extern const struct bench_side bench_ours;

// Opens the device; before all else. 0 on success, otherwise it has said on standard error what went wrong.
int ours_open(const struct ours_options *options);
void ours_close(void);

int ours_on_gpu(void);
int ours_describe(char *text, size_t size);  // device and plan in one line; after prepare

// The sum that the plan must give, computed on the host. `in_bits`: equal bits are promised, otherwise only nearness.
int ours_reference(double *sum, int *in_bits);

#endif
