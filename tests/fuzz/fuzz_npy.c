// A .npy file: its header as bytes, and the whole file through the tool's reader.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fuzz.h"
#include "input/input.h"

static void check(const struct npy *npy) {
  uint64_t count = 1;
  bool empty = false;
  PROMISE(npy->dimensions <= NPY_DIMENSIONS_MAX && npy->size >= 1 && npy->size <= 16);
  PROMISE(npy->count <= (uint64_t)INT64_MAX / npy->size);
  for (unsigned i = 0; i < npy->dimensions; i++)
    empty = empty || npy->shape[i] == 0;
  for (unsigned i = 0; i < npy->dimensions && !empty; i++) {
    PROMISE(count <= UINT64_MAX / npy->shape[i]);
    count *= npy->shape[i];
  }
  PROMISE(npy->count == (empty ? 0 : count));
}

static void parse(const uint8_t *data, size_t size) {
  char error[NPY_ERROR_SIZE] = "";
  struct npy npy;
  if (npy_parse(data, size, &npy, error))
    check(&npy);
  else
    PROMISE(*error != '\0' && memchr(error, '\0', sizeof error) != NULL);
}

static int read_all(struct input *input, const char *path) {
  struct progress progress;
  progress_begin(&progress, true);
  *input = (struct input){.source = &source_npy, .request = {.name = path}, .stream = {.descriptor = -1}};
  int code = stream_open(&input->stream, path);
  code = code ? code : input->source->open(input);
  return code == EXIT_DONE ? input_load(input, &progress) : code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input input;
  parse(data, size);
  int code = FUZZ_EXIT(read_all(&input, fuzz_file(data, size)));
  PROMISE(code != EXIT_DONE || input_bytes(&input) <= size);
  input_close(&input);
  return 0;
}
