// Source of elements in a column of text.
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "input/input.h"
#include "input/text_table.h"

static int find_type(struct input *input) {
  int code = input_take_type(input, CLRED_TYPE_DOUBLE);
  if (!code && text_reader_of(input->type.type) == NULL)
    return fail(EXIT_BAD_USE, "%s: is text, which has single numbers, but the elements are %s", input->stream.name,
                input->type.name);
  return code;
}

static int open_text(struct input *input) {
  const struct request *request = &input->request;
  int code = find_type(input);
  if (!code && request->table != NULL) {
    input->table = request->table;
    input->table->users++;
  } else if (!code)
    code = text_table_open(&input->table, &input->stream, &request->text);
  return code ? code : text_table_add(input->table, request->column, request->use, &input->type, &input->column);
}

static int read_text(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t size = input->type.size, left = (input->held - input->given) / size, held = count < left ? count : left;
  if (held > 0)
    memcpy(to, (const char *)input->data + input->given, held * size);
  input->given += held * size;
  int code = text_table_read(input->table, input->column, (char *)to + held * size, count - held, got);
  *got += held;
  return code;
}

// Reads until the text ends or there are `most` elements, into pages that grow by doubling.
static int read_growing(struct input *input, uint64_t most, uint64_t *count) {
  enum { FIRST_ROOM = 1 << 16 };
  uint64_t room = most < FIRST_ROOM ? most : FIRST_ROOM, size = input->type.size, got = 0;
  int code = EXIT_DONE;
  *count = 0;
  input->data = pages_allocate(room * size);
  while (input->data != NULL) {
    code = text_table_read(input->table, input->column, (char *)input->data + *count * size, room - *count, &got);
    *count += got;
    if (code || *count < room || room == most)
      return code;
    room = room * 2 < most ? room * 2 : most;
    void *grown = pages_allocate(room * size);
    if (grown != NULL)
      memcpy(grown, input->data, *count * size);
    free(input->data);
    input->data = grown;
  }
  return fail(EXIT_WORK_FAILED, "%s: not enough memory for %llu bytes", input->stream.name,
              (unsigned long long)(room * size));
}

static int load_text(struct input *input, struct progress *progress) {
  input->table->progress = progress;
  int code = read_growing(input, INT64_MAX / input->type.size, &input->count);
  input->table->progress = NULL;
  input->counted = code == EXIT_DONE;
  return code;
}

static int hold_text(struct input *input, uint64_t most, struct progress *progress) {
  uint64_t count, size = input->type.size, room = most / size + (most % size != 0);
  input->table->progress = progress;
  int code = read_growing(input, room, &count);
  input->table->progress = NULL;
  input->held = count * size;
  if (code || count == room)
    return code;
  input->count = count;
  input->counted = true;
  return EXIT_DONE;
}

static void close_text(struct input *input) {
  text_table_release(input->table);
  input->table = NULL;
}

const struct source source_text = {
  .open = open_text, .load = load_text, .read = read_text, .hold = hold_text, .close = close_text};
