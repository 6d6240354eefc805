// Standard input that is a pipe: the tool keeps its first bytes, so that a process that starts again can read them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Remembers where standard input begins. Call it before anything is read.
void standard_begin(void);

// Reads a pipe up to its end or to STANDARD_MAX bytes. Call it once, before standard_read. Returns true if all of
// standard input can be read again: it is a file, or the pipe has ended.
enum { STANDARD_MAX = 1 << 20 };
bool standard_keep(void);

// As read(2) of standard input: begins with what was held.
ssize_t standard_read(void *to, size_t size);

// Replaces standard input by this file, which has all of its bytes. False after an error in errno.
bool standard_replace(int file);

// Makes standard input begin again, for a process that starts again. False if it cannot. Async-signal-safe.
bool standard_again(void);
