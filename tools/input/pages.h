// Memory for elements in whole pages. A device that shares the host's memory can use it without a copy.

#ifndef CLREDUCE_TOOL_PAGES_H
#define CLREDUCE_TOOL_PAGES_H

#include <stdint.h>

// Allocates at least one page. NULL if memory is short. Release it with free.
void *pages_allocate(uint64_t size);

// Moves `used` bytes to a new block of `size` bytes. On failure returns NULL and keeps the old block.
void *pages_grow(void *old, uint64_t used, uint64_t size);

#endif
