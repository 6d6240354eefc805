// Reads and writes the text of a tuning file.
#include "model/tuning_text.h"

#include <string.h>

static bool read_numbers(struct clr_word rest, struct clr_tuned *tuned) {
  struct clr_word pair, name;
  *tuned = (struct clr_tuned){0};
  if (clr_word_is(rest, "-"))
    return true;
  while (clr_next_word(&rest, ',', &pair)) {
    cl_ulong value;
    unsigned tunable = 0;
    if (!clr_next_word(&pair, '=', &name) || !clr_word_number(pair, &value))
      return false;
    while (tunable < CLR_TUNABLES && !clr_word_is(name, clr_tunable_row(tunable)->name))
      tunable++;
    if (tunable == CLR_TUNABLES || !clr_tunable_allows(tunable, value))
      return false;
    clr_tuned_set(tuned, tunable, value);
  }
  return rest.length == 0 && tuned->given;
}

static bool read_length(struct clr_word word, enum clr_length *length) {
  for (unsigned i = 0; i < CLR_LENGTHS; i++)
    if (clr_word_is(word, clr_length_name(i))) {
      *length = i;
      return true;
    }
  return false;
}

static bool read_row(struct clr_word rest, struct clr_tuning_row *row) {
  struct clr_word word;
  memset(row, 0, sizeof *row);
  return clr_next_word(&rest, ' ', &word) && clr_word_is(word, "numbers") && clr_next_word(&rest, ' ', &word) &&
         clr_word_copy(word, row->strategy, sizeof row->strategy) && clr_next_word(&rest, ' ', &word) &&
         clr_word_copy(word, row->op, sizeof row->op) && clr_next_word(&rest, ' ', &word) &&
         clr_word_copy(word, row->type, sizeof row->type) && clr_next_word(&rest, ' ', &word) &&
         clr_word_number(word, &row->state_size) && clr_next_word(&rest, ' ', &word) &&
         read_length(word, &row->length) && read_numbers(rest, &row->tuned);
}

static bool is_row(struct clr_word line) {
  struct clr_tuning_row row;
  return read_row(line, &row);
}

enum clr_tuning_state clr_tuning_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                      struct clr_tuning *tuning) {
  struct clr_word rows, line;
  struct clr_tuning_row row;
  enum clr_tuning_state state = clr_kept_read(CLR_TUNING_BEGIN, bytes, length, key, is_row, &rows);
  while (state == CLR_TUNING_FOUND && clr_next_line(&rows, &line))
    if (read_row(line, &row))
      clr_tuning_put(tuning, &row);
  return state;
}

void clr_tuned_write(const struct clr_tuned *tuned, struct clr_text *text) {
  const char *between = "";
  for (unsigned i = 0; i < CLR_TUNABLES; i++)
    if (clr_tuned_has(tuned, i)) {
      clr_text_format(text, "%s%s=%llu", between, clr_tunable_row(i)->name, (unsigned long long)tuned->values[i]);
      between = ",";
    }
  if (!tuned->given)
    clr_text_append(text, "-");
}

static void write_row(const struct clr_tuning_row *row, struct clr_text *text) {
  clr_text_format(text, "numbers %s %s %s %llu %s ", row->strategy, row->op, row->type,
                  (unsigned long long)row->state_size, clr_length_name(row->length));
  clr_tuned_write(&row->tuned, text);
  clr_text_append(text, "\n");
}

void clr_tuning_write(const char *old, size_t length, const struct clr_tuning_key *key, const struct clr_tuning *tuning,
                      struct clr_text *text) {
  struct clr_tuning rows = {0};
  struct clr_text lines = {0};
  if (old)
    clr_tuning_read(old, length, key, &rows);
  for (size_t i = 0; i < tuning->count; i++)
    text->failed |= !clr_tuning_put(&rows, &tuning->rows[i]);
  for (size_t i = 0; i < rows.count; i++)
    write_row(&rows.rows[i], &lines);
  text->failed |= lines.failed;
  clr_kept_write(CLR_TUNING_BEGIN, old, length, key, lines.bytes ? lines.bytes : "", is_row, text);
  clr_text_release(&lines);
  clr_tuning_release(&rows);
}
