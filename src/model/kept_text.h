// Files about devices, as text: a first line that says what they hold, a section for each device, and a sum over all
// that shows damage. Tunings and findings are such files.
#ifndef CLR_MODEL_KEPT_TEXT_H
#define CLR_MODEL_KEPT_TEXT_H

#include "base/text.h"
#include "model/facts.h"

// Larger files are none.
#define CLR_KEPT_FILE_MAX ((size_t)1 << 20)

// For which device a section holds: what it is called, and the facts that shapes follow from.
#define CLR_TUNING_LINE 512
struct clr_tuning_key {
  char device[CLR_TUNING_LINE], platform[CLR_TUNING_LINE], driver[CLR_TUNING_LINE], version[CLR_TUNING_LINE],
    facts[CLR_TUNING_LINE];
};

// One line of a key, without what would end or blur it.
void clr_tuning_key_line(char line[CLR_TUNING_LINE], const char *from);

// The facts of a key.
void clr_tuning_key_facts(char line[CLR_TUNING_LINE], const struct clr_facts *facts);

enum clr_tuning_state {
  CLR_TUNING_FOUND,
  CLR_TUNING_ABSENT,   // nothing about this device
  CLR_TUNING_STALE,    // written with another driver or library
  CLR_TUNING_VERSION,  // another version of the format
  CLR_TUNING_DAMAGED
};

// A piece of the text, without the line's end.
struct clr_span {
  const char *at;
  size_t length;
};
bool clr_span_line(struct clr_span *rest, struct clr_span *line);
bool clr_span_word(struct clr_span *rest, char end, struct clr_span *word);
bool clr_span_is(struct clr_span span, const char *text);
bool clr_span_copy(struct clr_span span, char *to, size_t size);
bool clr_span_number(struct clr_span span, cl_ulong *value);

// The rows of the key's section in a file whose first line is `begin`. Any bytes will do. `is_row` holds all rows of a
// section to its form.
enum clr_tuning_state clr_kept_read(const char *begin, const char *bytes, size_t length,
                                    const struct clr_tuning_key *key, bool (*is_row)(struct clr_span line),
                                    struct clr_span *rows);

// Writes a file: its first line and the key's section with these rows, lines all of them; then the sections that `old`
// has for other devices; and the sum. What is stale or damaged in `old` is left out.
void clr_kept_write(const char *begin, const char *old, size_t length, const struct clr_tuning_key *key,
                    const char *rows, bool (*is_row)(struct clr_span line), struct clr_text *text);

#endif
