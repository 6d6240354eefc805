// Files of stored bits: see bits_table.h.
#include "bits_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 1024
#define COLUMNS_MAX 32

bool bits_table_write(const char *path, size_t columns, size_t rows, bits_entry_function *make, void *user) {
  FILE *file = fopen(path, "w");
  if (!file)
    return false;
  fputs("n offset", file);
  for (size_t column = 0; column < columns; column++) {
    struct bits_entry entry = {.column = column};
    make(user, &entry);
    fprintf(file, " %s", entry.name);
  }
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++) {
      struct bits_entry entry = {.column = column, .row = row};
      make(user, &entry);
      if (column == 0)
        fprintf(file, "\n%" PRIu64 " %" PRIu64, entry.count, entry.offset);
      fprintf(file, " %s", entry.word);
    }
  fputs("\n", file);
  return fclose(file) == 0;
}

// The next word of the line, at most BITS_WORD_MAX - 1 characters.
static bool next_word(const char **line, char *word) {
  int length = 0;
  const bool found = sscanf(*line, "%63s%n", word, &length) == 1;
  *line += length;
  return found;
}

static size_t read_names(FILE *file, char names[][BITS_WORD_MAX]) {
  char text[LINE_MAX_BYTES], word[BITS_WORD_MAX];
  const char *line = fgets(text, sizeof text, file);
  size_t columns = 0;
  if (!line || !next_word(&line, word) || !next_word(&line, word))
    return 0;
  while (columns < COLUMNS_MAX && next_word(&line, names[columns]))
    columns++;
  return columns;
}

bool bits_table_read(const char *path, bits_entry_function *take, void *user) {
  char names[COLUMNS_MAX][BITS_WORD_MAX], text[LINE_MAX_BYTES];
  FILE *file = fopen(path, "r");
  const size_t columns = file ? read_names(file, names) : 0;
  bool whole = columns > 0;
  for (size_t row = 0; whole && fgets(text, sizeof text, file); row++) {
    struct bits_entry entry = {.row = row};
    int length = 0;
    whole = sscanf(text, "%" SCNu64 " %" SCNu64 "%n", &entry.count, &entry.offset, &length) == 2;
    const char *line = text + length;
    for (entry.column = 0; whole && entry.column < columns; entry.column++) {
      memcpy(entry.name, names[entry.column], sizeof entry.name);
      whole = next_word(&line, entry.word);
      if (whole)
        take(user, &entry);
    }
  }
  if (file)
    fclose(file);
  return whole;
}
