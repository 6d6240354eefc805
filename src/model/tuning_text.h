// A tuning file, as text: a section for each device, and a sum over all that shows damage (docs/tuning.md).
#ifndef CLR_MODEL_TUNING_TEXT_H
#define CLR_MODEL_TUNING_TEXT_H

#include "base/text.h"
#include "model/tuning.h"

// What a tuning file begins with, in the version of the format that is written here.
#define CLR_TUNING_BEGIN "clreduce tuning 1"

// Larger files are no tunings.
#define CLR_TUNING_FILE_MAX ((size_t)1 << 20)

// For which device numbers hold: what it is called, and the facts that shapes follow from.
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
  CLR_TUNING_STALE,    // measured with another driver or library
  CLR_TUNING_VERSION,  // another version of the format
  CLR_TUNING_DAMAGED
};

// Reads the rows of a key, and adds them to `tuning` if they are FOUND. Any bytes will do.
enum clr_tuning_state clr_tuning_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                      struct clr_tuning *tuning);

// Writes a file with these rows for the key, the rows that `old` has for it beside them, and the sections that `old` has for
// other devices; what is stale or damaged in `old` is left out.
void clr_tuning_write(const char *old, size_t length, const struct clr_tuning_key *key, const struct clr_tuning *tuning,
                      struct clr_text *text);

// The numbers alone, as "vector=8,groups=64"; "-" where there are none.
void clr_tuned_write(const struct clr_tuned *tuned, struct clr_text *text);

#endif
