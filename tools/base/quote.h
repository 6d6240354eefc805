// Quotes as in .csv, for those parts of a line that are not numbers: names of files, and keys of text.
#pragma once

#include <stddef.h>
#include <stdio.h>

// Writes `text` and returns its characters, of UTF-8. If it is empty or has blanks, control characters, quotes or any
// of , ; | it stands in quotes, with each quote of its own twice. If `file` is NULL, it only counts.
int quote_put(FILE *file, const char *text, size_t length);
