// What `ladder` and `tune --textbook` share: their own data, how often they call, and the title of a table.
#pragma once

#include "run/job.h"

enum { TEXTBOOK_SPEC_SIZE = 64, TEXTBOOK_TITLE_SIZE = 512 };

// Writes the --generate of the verbs' own data: -n elements of one value, 8000 by default.
void textbook_data(const struct args *args, char spec[TEXTBOOK_SPEC_SIZE]);

// One call to warm up, then --repeat or eleven, fewer if they are slow.
struct repeats textbook_repeats(const struct args *args);

// "inclusive scan by sum of 8000 elements of float on DEVICE".
void textbook_title(const struct job *job, char title[TEXTBOOK_TITLE_SIZE]);

// Prints the title, the platform and the driver.
void textbook_print_title(const struct job *job);

// tune --textbook: tries the numbers that textbooks leave open. Returns an exit code.
int tune_textbook(const struct args *args);

// An object whose first members name the work and the device.
cJSON *textbook_json(const struct job *job);
