// Whether two names are one file: by a link, or spelt in two ways.
#pragma once

#include <stdbool.h>

// True if both names are one regular file, or if neither exists and both would become one. "-" is standard input.
bool same_file(const char *a, const char *b);

// True if both names are standard input, or one pipe: what one of them reads, the other cannot.
bool same_pipe(const char *a, const char *b);
