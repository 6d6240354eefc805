#include "openmp_wait.h"

#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "fail.h"

void make_openmp_wait_passively(char **argv) {
  const char *policy = getenv("OMP_WAIT_POLICY");

  if (policy && strcasecmp(policy, "passive") == 0)
    return;
  setenv("OMP_WAIT_POLICY", "passive", 1);
  execv("/proc/self/exe", argv);
  execvp(argv[0], argv);
  fail(EXIT_WORK_FAILED, "could not start again with OMP_WAIT_POLICY=passive; times will be wrong unless it is set");
}
