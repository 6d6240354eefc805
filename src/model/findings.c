// Findings on devices: joins, applies, reads and writes them.
#include "model/findings.h"

#include <stdio.h>
#include <string.h>

static void copy_line(char *to, size_t size, const char *from) {
  snprintf(to, size, "%s", from);
  for (char *at = to; *at; at++)
    if ((unsigned char)*at < ' ' || *at == 0x7f)
      *at = ' ';
}

// Returns the index of the fact's row; `count` if there is none.
static size_t place_of(const struct clr_findings *findings, const struct clr_fact_row *fact) {
  size_t i = 0;
  while (i < findings->count && findings->rows[i].fact != fact)
    i++;
  return i;
}

void clr_finding_add(struct clr_findings *findings, const char *fact, cl_ulong value, const char *why) {
  const struct clr_fact_row *named = clr_fact_named(fact, strlen(fact));
  struct clr_finding_row *row = &findings->rows[named ? place_of(findings, named) : 0];
  if (!named)
    return;
  if (row < findings->rows + findings->count) {
    size_t length = strlen(row->why);
    row->value = named->join(row->value, value);
    if (!strstr(row->why, why) && length + strlen(why) + 3 < sizeof row->why) {
      strcpy(row->why + length, "; ");
      copy_line(row->why + length + 2, sizeof row->why - length - 2, why);
    }
    return;
  }
  if (findings->count == CLR_FINDINGS_MAX)
    return;
  findings->count++;
  *row = (struct clr_finding_row){.fact = named, .value = value};
  copy_line(row->why, sizeof row->why, why);
}

const struct clr_finding_row *clr_finding_of(const struct clr_findings *findings, const struct clr_fact_row *fact) {
  size_t place = place_of(findings, fact);
  return place < findings->count ? &findings->rows[place] : NULL;
}

bool clr_findings_same(const struct clr_findings *a, const struct clr_findings *b) {
  bool same = a->count == b->count;
  for (size_t i = 0; i < a->count && same; i++) {
    const struct clr_finding_row *other = clr_finding_of(b, a->rows[i].fact);
    same = other && other->value == a->rows[i].value;
  }
  return same;
}

void clr_findings_apply(const struct clr_findings *findings, struct clr_facts *facts) {
  for (size_t i = 0; i < findings->count; i++) {
    const struct clr_finding_row *row = &findings->rows[i];
    if (row->fact->allows(clr_fact_value(facts, row->fact), row->value))
      clr_fact_set(facts, row->fact, row->value);
  }
  clr_facts_make_sane(facts);
}

// "fact NAME VALUE why".
static bool read_row(struct clr_word line, struct clr_finding_row *row) {
  struct clr_word word;
  memset(row, 0, sizeof *row);
  if (!clr_next_word(&line, ' ', &word) || !clr_word_is(word, "fact") || !clr_next_word(&line, ' ', &word))
    return false;
  row->fact = clr_fact_named(word.begin, word.length);
  return row->fact && clr_next_word(&line, ' ', &word) && clr_word_number(word, &row->value) &&
         clr_word_copy(line, row->why, sizeof row->why);
}

static bool is_row(struct clr_word line) {
  struct clr_finding_row row;
  return read_row(line, &row);
}

enum clr_tuning_state clr_findings_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                        struct clr_findings *findings) {
  struct clr_word rows, line;
  struct clr_finding_row row;
  enum clr_tuning_state state = clr_kept_read(CLR_FINDINGS_BEGIN, bytes, length, key, is_row, &rows);
  while (state == CLR_TUNING_FOUND && clr_next_line(&rows, &line))
    if (read_row(line, &row))
      clr_finding_add(findings, row.fact->name, row.value, row.why);
  return state;
}

void clr_findings_write(const char *old, size_t length, const struct clr_tuning_key *key,
                        const struct clr_findings *findings, struct clr_text *text) {
  struct clr_text lines = {0};
  for (size_t i = 0; i < findings->count; i++)
    clr_text_format(&lines, "fact %s %llu %s\n", findings->rows[i].fact->name,
                    (unsigned long long)findings->rows[i].value, findings->rows[i].why);
  text->failed |= lines.failed;
  clr_kept_write(CLR_FINDINGS_BEGIN, old, length, key, lines.bytes ? lines.bytes : "", is_row, text);
  clr_text_release(&lines);
}
