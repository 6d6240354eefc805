// INPUT of the command line, and the further inputs of --with: a .npy file, raw elements from a file or standard input,
// or generated data, all as an array in memory, in C order and this machine's byte order.

#ifndef CLREDUCE_TOOL_INPUT_H
#define CLREDUCE_TOOL_INPUT_H

#include <clreduce_device.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/progress.h"
#include "cli/args.h"
#include "input/generate.h"
#include "input/npy.h"
#include "input/stream.h"

struct source;

// What is asked for. Text that was not given is NULL.
struct request {
  const char *name;  // a file, or "-"
  const char *generate;
  const char *type;  // by name: that the elements must have
  struct count skip_bytes;
  const clred_type_info *otherwise;  // the type of raw and generated elements if `type` names none; NULL: that of the
                                     // source's own choosing
  bool exactly;                      // `otherwise` is the first input's type, which the elements must have
};

struct input {
  const struct source *source;
  struct request request;
  struct stream stream;
  struct npy npy;
  struct recipe recipe;
  clred_type_info type;
  bool unsized;  // of a type that the library does not know: bytes are counted until its size is known
  bool counted;  // `count` is known; always so after input_load
  uint64_t count;
  void *data;      // NULL before input_load; after input_hold the first bytes
  uint64_t held;   // how many these are, as long as the input is not counted
  uint64_t given;  // of them, by input_read
  uint64_t taken;  // elements that input_read gave
};

// A place that elements come from. `open` finds the type, and the count where that takes no reading of the data.
struct source {
  int (*open)(struct input *input);
  int (*load)(struct input *input, struct progress *progress);
  int (*read)(struct input *input, void *to, uint64_t count, uint64_t *got);
  int (*count)(struct input *input, uint64_t bytes);  // says that there are so many; NULL where `open` always counts
};
extern const struct source source_generated, source_npy, source_raw;

// Finds where the elements come from, their type and, if it can be known beforehand, their count. Like all functions
// here it returns an exit code, with the line on standard error written; input_close is due in any case.
int input_open(struct input *input, const struct request *request);

// Reads or makes the elements.
int input_load(struct input *input, struct progress *progress);

// Reads at most so many bytes of an input that is not counted. If that is all, it is then counted and loaded.
int input_hold(struct input *input, uint64_t most, struct progress *progress);

// In place of input_load: the next `count` elements, one after another; `got` is less only at the end.
int input_read(struct input *input, void *to, uint64_t count, uint64_t *got);

// Whether elements come in the order in which they count, so that input_read gives them.
bool input_is_sequential(const struct input *input);

// Whether they lie in a regular file as they are, so that they can be read there.
bool input_is_in_file(const struct input *input);

void input_close(struct input *input);

// What messages call it.
const char *input_name(const struct input *input);

// For sources: the next bytes, first of those that are held.
int input_read_bytes(struct input *input, void *to, uint64_t size, uint64_t *got);

uint64_t input_bytes(const struct input *input);

// The shape of the array: a .npy file's own, else one dimension.
unsigned input_dimensions(const struct input *input);
uint64_t input_length(const struct input *input, unsigned dimension);

// A type that the library does not know: a struct of a user's own. It counts as 1 byte.
clred_type_info input_opaque_type(const char *name);

// For sources: the type that was asked for into input->type, else `otherwise`, or NONE to insist on one.
int input_take_type(struct input *input, clred_type otherwise);

#endif
