// A tuning file, as text (docs/performance.md): a first line, a section for each device with a line for each row, and a
// checksum.
#pragma once

#include "base/text.h"
#include "model/tuning.h"

// Larger files are not read.
#define CLR_TUNING_FILE_MAX ((size_t)1 << 20)

// The first line of a tuning file, with the version of the format that is written here.
#define CLR_TUNING_BEGIN "clreduce tuning 1"

// The lines that begin a section: the names of the device and the facts that shapes follow from; the versions of driver
// and library.
#define CLR_TUNING_LINE 1536
struct clr_tuning_key {
  char device[CLR_TUNING_LINE], software[CLR_TUNING_LINE];
};
void clr_tuning_key_make(const char *device, const char *platform, const char *driver, const struct clr_facts *facts,
                         struct clr_tuning_key *key);

enum clr_tuning_state {
  CLR_TUNING_FOUND,
  CLR_TUNING_ABSENT,   // nothing about this device
  CLR_TUNING_STALE,    // written with another driver or library
  CLR_TUNING_VERSION,  // another version of the format
  CLR_TUNING_DAMAGED
};

// Adds the rows of a key to `tuning`, which is empty before, if the result is FOUND. The bytes may be anything.
enum clr_tuning_state clr_tuning_read(const char *bytes, size_t length, const struct clr_tuning_key *key,
                                      struct clr_tuning *tuning);

// Writes a file with these rows for the key, the other rows that `old` has for the key, and the sections that `old` has
// for other devices. Leaves out what is stale or damaged in `old`.
void clr_tuning_write(const char *old, size_t length, const struct clr_tuning_key *key, const struct clr_tuning *tuning,
                      struct clr_text *text);

// The numbers alone, as "vector=8,groups=64"; "-" if there are none.
void clr_tuned_write(const struct clr_tuned *tuned, struct clr_text *text);
