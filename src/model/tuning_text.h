// A tuning file, as text: a section for each device, with a line for each row (docs/tuning.md).
#pragma once

#include "model/kept_text.h"
#include "model/tuning.h"

// The first line of a tuning file, with the version of the format that is written here.
#define CLR_TUNING_BEGIN "clreduce tuning 1"

// Adds the rows of a key to `tuning` if the result is FOUND. The bytes may be anything.
enum clr_tuning_state clr_tuning_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                      struct clr_tuning *tuning);

// Writes a file with these rows for the key, the other rows that `old` has for the key, and the sections that `old` has
// for other devices. Leaves out what is stale or damaged in `old`.
void clr_tuning_write(const char *old, size_t length, const struct clr_tuning_key *key, const struct clr_tuning *tuning,
                      struct clr_text *text);

// The numbers alone, as "vector=8,groups=64"; "-" if there are none.
void clr_tuned_write(const struct clr_tuned *tuned, struct clr_text *text);
