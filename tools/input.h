// INPUT of the command line: a .npy file, raw elements from a file or standard input, or generated data, all as an
// array in memory, in C order and this machine's byte order.

#ifndef CLREDUCE_TOOL_INPUT_H
#define CLREDUCE_TOOL_INPUT_H

#include <clreduce.h>
#include <stdbool.h>
#include <stdint.h>

#include "args.h"
#include "generate.h"
#include "npy.h"
#include "progress.h"
#include "stream.h"

struct source;

struct input {
  const struct source *source;
  struct stream        stream;
  struct npy           npy;
  struct recipe        recipe;
  clred_type_info      type;
  bool                 counted;  // `count` is known; always so after input_load
  uint64_t             count;
  void                *data;     // NULL before input_load
};

// A place that elements come from. `open` finds the type, and the count where that takes no reading of the data.
struct source {
  int (*open)(struct input *input, const struct args *args);
  int (*load)(struct input *input, struct progress *progress);
};
extern const struct source source_generated, source_npy, source_raw;

// Finds where the elements come from, their type and, if it can be known beforehand, their count. Like all functions
// here it returns an exit code, with the line on standard error written; input_close is due in any case.
int input_open(struct input *input, const struct args *args);

// Reads or makes the elements.
int input_load(struct input *input, struct progress *progress);

void input_close(struct input *input);

uint64_t input_bytes(const struct input *input);

// For sources: the type of --type into input->type; without that option `otherwise`, or NONE to insist on it.
int input_take_type(struct input *input, const struct args *args, clred_type otherwise);

#endif
