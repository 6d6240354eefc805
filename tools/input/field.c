// Reads records in blocks and moves one field of each to the block's begin.
#include "input/field.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

enum { BLOCK = 1 << 16 };

struct field {
  struct stream records;
  uint64_t offset, size, step;
  uint64_t room;        // bytes of a block: whole records
  uint64_t at, filled;  // bytes[at] to bytes[filled - 1] are values that are read next
  unsigned char bytes[];
};

// With a constant size, a move is one load and one store.
static inline void gather(struct field *field, uint64_t count, size_t size) {
  for (uint64_t i = 0; i < count; i++)
    memmove(field->bytes + i * size, field->bytes + i * field->step + field->offset, size);
}

// An incomplete record at the end has no value.
static int read_block(struct field *field) {
  uint64_t got;
  int code = stream_read(&field->records, field->bytes, field->room, &got, NULL);
  uint64_t count = got / field->step;
  if (field->size == 8)
    gather(field, count, 8);
  else if (field->size == 4)
    gather(field, count, 4);
  else
    gather(field, count, (size_t)field->size);
  field->at = 0;
  field->filled = count * field->size;
  return code;
}

static int read_field(void *state, void *to, uint64_t size, uint64_t *got) {
  struct field *field = state;
  int code = field->at == field->filled ? read_block(field) : EXIT_DONE;
  uint64_t left = field->filled - field->at;
  *got = code ? 0 : size < left ? size : left;
  memcpy(to, field->bytes + field->at, (size_t)*got);
  field->at += *got;
  return code;
}

static void release(void *state) {
  struct field *field = state;
  stream_close(&field->records);
  free(field);
}

int stream_take_field(struct stream *stream, uint64_t offset, uint64_t size, uint64_t step) {
  static const struct origin origin = {read_field, release};
  uint64_t room = step > BLOCK ? step : BLOCK / step * step;
  struct field *field = malloc(sizeof *field + (size_t)room);
  if (field == NULL)
    return fail_memory();
  *field = (struct field){.records = *stream, .offset = offset, .size = size, .step = step, .room = room};
  *stream = (struct stream){.descriptor = -1, .name = stream->name, .origin = &origin, .state = field};
  return EXIT_DONE;
}
