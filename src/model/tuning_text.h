// A tuning file, as text: a section for each device, with a line for each row (docs/tuning.md).
#ifndef CLR_MODEL_TUNING_TEXT_H
#define CLR_MODEL_TUNING_TEXT_H

#include "model/kept_text.h"
#include "model/tuning.h"

// What a tuning file begins with, in the version of the format that is written here.
#define CLR_TUNING_BEGIN "clreduce tuning 1"

#define CLR_TUNING_FILE_MAX CLR_KEPT_FILE_MAX

// Reads the rows of a key, and adds them to `tuning` if they are FOUND. Any bytes will do.
enum clr_tuning_state clr_tuning_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                      struct clr_tuning *tuning);

// Writes a file with these rows for the key, the rows that `old` has for it beside them, and the sections that `old`
// has for other devices; what is stale or damaged in `old` is left out.
void clr_tuning_write(const char *old, size_t length, const struct clr_tuning_key *key, const struct clr_tuning *tuning,
                      struct clr_text *text);

// The numbers alone, as "vector=8,groups=64"; "-" where there are none.
void clr_tuned_write(const struct clr_tuned *tuned, struct clr_text *text);

#endif
