// Memory that the parent and its children share: see tally.h.
#define _DEFAULT_SOURCE

#include "tally.h"

#include <stddef.h>
#include <sys/mman.h>

const char *const source_names[SOURCES] = {"once", "from then on", "late", "memory once", "memory from then on"};

struct tally *tally_create(void) {
  struct tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return tally == MAP_FAILED ? NULL : tally;
}

long counts_injections(const struct counts *counts) {
  long sum = 0;
  for (int i = 0; i < SOURCES; i++)
    sum += counts->injections[i];
  return sum;
}

long counts_failures(const struct counts *counts) {
  return counts->crashes + counts->hangs + counts->leaks + counts->wrong + counts->others;
}

void counts_add(struct counts *to, const struct counts *from) {
  for (int i = 0; i < SOURCES; i++)
    to->injections[i] += from->injections[i];
  to->unseen += from->unseen;
  to->crashes += from->crashes;
  to->hangs += from->hangs;
  to->leaks += from->leaks;
  to->wrong += from->wrong;
  to->others += from->others;
}
