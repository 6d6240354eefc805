// Quotes as in .csv, for those parts of a line that are not numbers: names of files, and keys of text.
#pragma once

#include <stddef.h>
#include <stdio.h>

// Writes `text` and returns how many characters were written (UTF-8). Text that is empty or has blanks, control
// characters, quotes or any of , ; | is written in quotes, with each quote in it twice. If `file` is NULL, only counts.
int quote_put(FILE *file, const char *text, size_t length);
