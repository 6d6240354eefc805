// Memory that ends directly before a page without access: reading or writing past its end ends the program.
#pragma once

#include <stddef.h>

// Memory for a struct or an array of `size` bytes, filled with a pattern. Its end is the end of the page.
void *guarded(size_t size);

// Like guarded, but with a copy of `bytes`. Nothing may write to the copy.
const void *guarded_copy(const void *bytes, size_t size);

#define GUARDED(type) ((type *)guarded(sizeof(type)))
#define GUARDED_COPY(type, value) ((const type *)guarded_copy(&(value), sizeof(type)))
