// Makes allocations of the tool fail. STARVE_AT: the number of the allocation that fails, from 1; 0: none. STARVE_ON:
// if set, all later ones fail, too. STARVE_REPORT: a file that gets the number of allocations at exit.
#include <stdio.h>
#include <stdlib.h>

#include "memory.h"

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("STARVE_AT");
  if (at)
    memory_arm(strtol(at, NULL, 10), getenv("STARVE_ON") != NULL);
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("STARVE_REPORT");
  bool failed;
  const long calls = memory_disarm(&failed);
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  fprintf(file, "calls %ld\nfailed %s 0\nlive allocations %ld\n", calls, failed ? "memory" : "none", memory_blocks());
  fclose(file);
}
