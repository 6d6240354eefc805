// Redirects standard error to /dev/null.

#include "base/hush.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int hush_begin(void) {
  int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0)
    return -1;
  fflush(stderr);
  int kept = dup(STDERR_FILENO);
  if (kept >= 0)
    dup2(nowhere, STDERR_FILENO);
  close(nowhere);
  return kept;
}

void hush_end(int kept) {
  if (kept < 0)
    return;
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
}
