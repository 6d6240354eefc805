// The bins of clreduce histogram, as the command line and, where that is silent, the data say.

#ifndef CLREDUCE_TOOL_EDGES_H
#define CLREDUCE_TOOL_EDGES_H

#include "device/session.h"
#include "input/input.h"

struct edges {
  clred_histogram histogram;  // points into what follows
  number ends[2];             // low and high as elements
  double *numbers;
  unsigned char *elements;
};

// What the command line says, before any data is read. As all here it returns an exit code, with the line on standard
// error written; edges_release is due in any case.
int edges_take(struct edges *edges, const struct args *args, const clred_type_info *type);

// Where a low or a high is missing: the least and the greatest element, found by the library. `buffer`: the input on
// the device.
int edges_settle(struct edges *edges, const struct args *args, const struct session *session, const struct input *input,
                 cl_mem buffer);

void edges_release(struct edges *edges);

#endif
