// The format of the files that keep tunings and findings: a first line that names the kind, a section for each device,
// and a checksum.
#pragma once

#include "base/text.h"
#include "model/facts.h"

// Larger files are not read.
#define CLR_KEPT_FILE_MAX ((size_t)1 << 20)

// The device of a section: its names, and the facts that shapes follow from.
#define CLR_TUNING_LINE 512
struct clr_tuning_key {
  char device[CLR_TUNING_LINE], platform[CLR_TUNING_LINE], driver[CLR_TUNING_LINE], version[CLR_TUNING_LINE],
    facts[CLR_TUNING_LINE];
};

// Makes one line of a key: replaces control characters by blanks and trims both ends.
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

// clr_next_line takes the next line, without its end, from the rest of a text. clr_next_word takes the next word; a
// word ends with `end`.
bool clr_next_line(struct clr_word *rest, struct clr_word *line);
bool clr_next_word(struct clr_word *rest, char end, struct clr_word *word);

// False if the word does not fit `size` bytes, or is no number of at most 15 digits.
bool clr_word_copy(struct clr_word word, char *to, size_t size);
bool clr_word_number(struct clr_word word, cl_ulong *value);

// Finds the rows of the key's section in a file whose first line is `begin`. Accepts any bytes. A section is damaged if
// `is_row` refuses one of its rows.
enum clr_tuning_state clr_kept_read(const char *begin, const char *bytes, size_t length,
                                    const struct clr_tuning_key *key, bool (*is_row)(struct clr_word line),
                                    struct clr_word *rows);

// Writes a file: the first line, the key's section with these rows (whole lines), the sections that `old` has for other
// devices, and the checksum. Leaves out what is stale or damaged in `old`.
void clr_kept_write(const char *begin, const char *old, size_t length, const struct clr_tuning_key *key,
                    const char *rows, bool (*is_row)(struct clr_word line), struct clr_text *text);
