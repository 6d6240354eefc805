// The file of a resumable run: see record.h.

#include "record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"started", "passed", "skipped", "failed", "failed"};

static char *read_all(FILE *file) {
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  char *text = calloc((size_t)size + 1, 1);
  rewind(file);
  return text && fread(text, 1, (size_t)size, file) == (size_t)size ? text : NULL;
}

bool record_open(struct record *record, const char *path) {
  memset(record, 0, sizeof *record);
  if (!path)
    return true;
  record->file = fopen(path, "a+");
  if (!record->file)
    return false;
  record->text = read_all(record->file);
  fseek(record->file, 0, SEEK_END);
  return record->text != NULL;
}

void record_close(struct record *record) {
  if (record->file)
    fclose(record->file);
  free(record->text);
  memset(record, 0, sizeof *record);
}

// Whether the line that begins here is "WORD NAME".
static bool line_is(const char *line, const char *word, const char *name) {
  const size_t word_length = strlen(word), name_length = strlen(name);
  return strncmp(line, word, word_length) == 0 && line[word_length] == ' ' &&
         strncmp(line + word_length + 1, name, name_length) == 0 && line[word_length + 1 + name_length] == '\n';
}

enum outcome record_look_up(const struct record *record, const char *name) {
  enum outcome outcome = OPEN;
  unsigned unended = 0;
  for (const char *line = record->text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
    if (line_is(line, words[OPEN], name))
      unended++;
    for (int i = PASSED; i <= FAILED; i++)
      if (line_is(line, words[i], name)) {
        outcome = i == FAILED ? OPEN : (enum outcome)i;
        unended = 0;
      }
  }
  return unended >= 2 ? CRASHED : outcome;
}

static void write_line(struct record *record, const char *word, const char *name) {
  if (!record->file)
    return;
  fprintf(record->file, "%s %s\n", word, name);
  fflush(record->file);
}

void record_start(struct record *record, const char *name) {
  write_line(record, words[OPEN], name);
}

void record_end(struct record *record, const char *name, enum outcome outcome) {
  write_line(record, words[outcome], name);
}
