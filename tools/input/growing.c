// Loads and holds the elements of sources that only return elements, into pages that grow by doubling.
#include <string.h>

#include "base/fail.h"
#include "input/input.h"

// Reads until the input ends or there are `most` elements. An input that is counted needs no growth.
static int read_growing(struct input *input, uint64_t most, uint64_t *count) {
  enum { FIRST_ROOM = 1 << 16 };
  uint64_t first = input->counted ? input->count + 1 : FIRST_ROOM, room = most < first ? most : first;
  uint64_t size = input->type.size, got = 0;
  *count = 0;
  input->data = pages_allocate(room * size);
  while (input->data != NULL) {
    int code = input->source->read(input, (char *)input->data + *count * size, room - *count, &got);
    *count += got;
    if (code || *count < room || room == most)
      return code;
    room = room * 2 < most ? room * 2 : most;
    void *grown = pages_grow(input->data, *count * size, room * size);
    if (grown == NULL)
      break;
    input->data = grown;
  }
  return fail(EXIT_WORK_FAILED, "%s: not enough memory for %llu bytes", input_name(input),
              (unsigned long long)(room * size));
}

static int read_shown(struct input *input, uint64_t most, uint64_t *count, struct progress *progress) {
  if (input->table != NULL)
    input->table->progress = progress;
  int code = read_growing(input, most, count);
  if (input->table != NULL)
    input->table->progress = NULL;
  return code;
}

int growing_load(struct input *input, struct progress *progress) {
  int code = read_shown(input, INT64_MAX / input->type.size, &input->count, progress);
  input->counted = code == EXIT_DONE;
  return code;
}

int growing_hold(struct input *input, uint64_t most, struct progress *progress) {
  uint64_t count, size = input->type.size, room = most / size + (most % size != 0);
  int code = read_shown(input, room, &count, progress);
  input->held = count * size;
  if (code || count == room)
    return code;
  input->count = count;
  input->counted = true;
  return EXIT_DONE;
}

uint64_t input_take_held(struct input *input, void *to, uint64_t count) {
  uint64_t size = input->type.size, left = (input->held - input->given) / size, held = count < left ? count : left;
  if (held > 0)
    memcpy(to, (const char *)input->data + input->given, held * size);
  input->given += held * size;
  return held;
}
