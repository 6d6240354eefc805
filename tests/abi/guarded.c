// Memory before a page without access: see guarded.h.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The pages stay until the program ends.
static unsigned char *pages_for(size_t size, size_t *room) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  *room = (size + page - 1) / page * page;
  unsigned char *begin = mmap(NULL, *room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (begin == MAP_FAILED || mprotect(begin + *room, page, PROT_NONE) != 0) {
    perror("mmap");
    exit(1);
  }
  return begin;
}

void *guarded(size_t size) {
  size_t room;
  unsigned char *begin = pages_for(size, &room);
  memset(begin, 0xa5, room);
  return begin + room - size;
}

const void *guarded_copy(const void *bytes, size_t size) {
  size_t room;
  unsigned char *begin = pages_for(size, &room);
  memcpy(begin + room - size, bytes, size);
  if (mprotect(begin, room, PROT_READ) != 0) {
    perror("mprotect");
    exit(1);
  }
  return begin + room - size;
}
