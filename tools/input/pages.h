// Memory for elements: whole pages, so that a device which shares the host's memory can use it in place.

#ifndef CLREDUCE_TOOL_PAGES_H
#define CLREDUCE_TOOL_PAGES_H

#include <stdint.h>

// At least one page, at a page's start; NULL if there is not enough. Release it with free.
void *pages_allocate(uint64_t size);

// Moves `used` bytes to a new place of `size` bytes. On failure the old place stays and NULL is returned.
void *pages_grow(void *old, uint64_t used, uint64_t size);

#endif
