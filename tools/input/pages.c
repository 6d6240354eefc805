// Page-aligned memory.

#include "input/pages.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 };

void *pages_allocate(uint64_t size) {
  void *memory = NULL;
  uint64_t whole = size == 0 ? PAGE : (size + PAGE - 1) / PAGE * PAGE;
  if (whole < size || whole > SIZE_MAX / 2)
    return NULL;
  return posix_memalign(&memory, PAGE, (size_t)whole) == 0 ? memory : NULL;
}

void *pages_grow(void *old, uint64_t used, uint64_t size) {
  void *grown = pages_allocate(size);
  if (grown == NULL)
    return NULL;
  if (used > 0)
    memcpy(grown, old, (size_t)used);
  free(old);
  return grown;
}
