// Source of elements in a column of text.
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

// Keys have a prefix of their own for double.
static bool is_unasked(const struct input *input) {
  const struct request *request = &input->request;
  return request->type == NULL && !request->asked && input->column->use == TEXT_ELEMENTS &&
         input->type.type == CLRED_TYPE_DOUBLE;
}

// Of one column that has no keys, its numbers are counted.
static int open_text(struct input *input) {
  const struct request *request = &input->request;
  enum text_use use = request->use;
  int code = find_type(input);
  if (!code && request->table != NULL) {
    input->table = request->table;
    input->table->users++;
  } else if (!code)
    code = text_table_open(&input->table, &input->stream, &request->text,
                           request->gaps != NULL ? request->gaps : &input->gaps);
  if (!code && use == TEXT_ROWS && input->table->columns < 2 && !request->keyed)
    use = TEXT_ELEMENTS;
  if (!code && use == TEXT_ROWS)
    clred_type_inspect(CLRED_TYPE_UCHAR, &input->type);
  code = code ? code : text_table_add(input->table, request->column, use, &input->type, &input->column);
  if (!code && use == TEXT_WORDS)
    input->words = &input->column->words;
  if (!code && is_unasked(input))
    input->column->read = text_read_unasked;
  return code;
}

static int read_text(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t held = input_take_held(input, to, count);
  int code = text_table_read(input->table, input->column, (char *)to + held * input->type.size, count - held, got);
  *got += held;
  return code;
}

static void close_text(struct input *input) {
  text_table_release(input->table);
  input->table = NULL;
}

const struct source source_text = {
  .open = open_text, .load = growing_load, .read = read_text, .hold = growing_hold, .close = close_text};
