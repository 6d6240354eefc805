// A file of any kind, opened as the tool opens it: packed, an archive, an array, or raw.
#include <string.h>

#include "base/fail.h"
#include "fuzz.h"
#include "input/input.h"

enum { HELD_MAX = 1 << 20 };

// No more than HELD_MAX bytes are unpacked, however many follow.
static int load(struct input *input, const struct request *request) {
  struct progress progress;
  int code = input_open(input, request);
  if (code)
    return code;
  progress_begin(&progress, true);
  if (!input->counted)
    return input_hold(input, HELD_MAX, &progress);
  return input_bytes(input) > HELD_MAX ? EXIT_DONE : input_load(input, &progress);
}

static void open_as(const struct request *request) {
  struct input input;
  int code = FUZZ_EXIT(load(&input, request));
  PROMISE(code != EXIT_DONE || input.data == NULL || !input.counted || input_bytes(&input) <= HELD_MAX);
  input_close(&input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *name = fuzz_file(data, size);
  open_as(&(struct request){.name = name, .type = "uchar"});
  open_as(&(struct request){.name = name});
  open_as(&(struct request){.name = name, .array = "a"});
  return 0;
}
