// The bins of clreduce histogram, from the command line or, if it does not give them, from the data.
#pragma once

#include "device/session.h"
#include "input/input.h"

struct edges {
  clred_histogram histogram;  // points into the fields below
  number ends[2];             // low and high, as elements
  double *numbers;
  unsigned char *elements;
};

// Reads the command line before any data is read. Returns an exit code, like all functions here. Call edges_release in
// any case.
int edges_take(struct edges *edges, const struct args *args, const clred_type_info *type);

// Computes a missing low or high as the smallest or largest element. `buffer` is the input on the device. If it is
// NULL, the input is not loaded, and the function reads its file once more, chunk by chunk.
int edges_resolve(struct edges *edges, const struct args *args, const struct session *session,
                  const struct input *input, cl_mem buffer);

void edges_release(struct edges *edges);
