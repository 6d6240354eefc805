// The window of text, and the elements that are kept for the other columns.
#include "input/text_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

// A row must fit the window, so that a text without line ends takes bounded memory.
enum { ROW_MOST = 1 << 24 };

// ---- The window

static int make_room(struct text_table *table) {
  size_t room = table->room * 2;
  if (table->room >= ROW_MOST)
    return fail(EXIT_BAD_USE, "%s: line %llu is longer than %d bytes; is a quote open, or is this no text?",
                table->stream->name, (unsigned long long)table->row_line + 1, ROW_MOST);
  char *window = realloc(table->window, room + TEXT_PADDING);
  if (window == NULL)
    return fail_memory();
  table->window = window;
  table->room = room;
  return EXIT_DONE;
}

int text_table_fill(struct text_table *table, size_t keep) {
  struct text_split *split = &table->split;
  size_t left = split->size - keep;
  uint64_t got;
  memmove(table->window, table->window + keep, left);
  // A quote that is still open may be in a column that is not read.
  split->cut = left == table->room && table->room >= ROW_MOST && !split->cut;
  if (split->cut) {
    split->bytes = table->window;
    split->size = left;
    table->row = 0;
    return EXIT_DONE;
  }
  int code = left == table->room ? make_room(table) : EXIT_DONE;
  code = code ? code : stream_read(table->stream, table->window + left, table->room - left, &got, NULL);
  if (code)
    return code;
  memset(table->window + left + got, 0, TEXT_PADDING);
  split->bytes = table->window;
  split->size = left + (size_t)got;
  split->ends = split->size < table->room;
  table->row = 0;
  table->bytes += got;
  if (table->progress != NULL)
    progress_show(table->progress, "reading", table->bytes,
                  table->stream->sized ? table->bytes + table->stream->left : 0);
  return EXIT_DONE;
}

void text_table_release(struct text_table *table) {
  if (table == NULL || --table->users > 0)
    return;
  for (size_t i = 0; i < table->wanted; i++) {
    free(table->list[i].kept);
    words_release(&table->list[i].words);
  }
  free(table->window);
  free(table);
}

// ---- Elements

// Makes room for `count` more elements of a column, which a later call will read.
static int keep_room(struct text_column *column, uint64_t count) {
  if (column->given == column->held)
    column->given = column->held = 0;
  uint64_t needed = column->held + count;
  if (needed <= column->room)
    return EXIT_DONE;
  if (needed < column->room * 2)
    needed = column->room * 2;
  char *kept = needed > SIZE_MAX / column->type.size ? NULL : realloc(column->kept, needed * column->type.size);
  if (kept == NULL)
    return fail_memory();
  column->kept = kept;
  column->room = needed;
  return EXIT_DONE;
}

static uint64_t take_kept(struct text_column *column, char *to, uint64_t count) {
  uint64_t kept = column->held - column->given, taken = count < kept ? count : kept;
  if (taken > 0)
    memcpy(to, column->kept + column->given * column->type.size, taken * column->type.size);
  column->given += taken;
  return taken;
}

int text_table_read(struct text_table *table, struct text_column *column, void *to, uint64_t count, uint64_t *got) {
  uint64_t rows = 0;
  *got = take_kept(column, to, count);
  if (*got == count)
    return EXIT_DONE;
  int code = text_table_begin(table);
  for (size_t i = 0; i < table->wanted && !code; i++) {
    struct text_column *other = &table->list[i];
    if (other == column)
      continue;
    code = keep_room(other, count - *got);
    if (!code)
      other->to = other->kept + other->held * other->type.size;
  }
  column->to = (char *)to + *got * column->type.size;
  code = code ? code : text_take_rows(table, count - *got, &rows);
  for (size_t i = 0; i < table->wanted; i++)
    table->list[i].held += &table->list[i] == column ? 0 : rows;
  table->gaps->taken += rows;
  *got += rows;
  return code;
}
