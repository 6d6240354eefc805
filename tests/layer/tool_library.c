// The entry of the tool as a library (cli/in_fork.py): its main is hidden, as all of its functions are.

#define _DEFAULT_SOURCE  // on_exit

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **words);
__attribute__((visibility("default"), noreturn)) void run_tool(int count, char **words);

// The functions that run at exit before this one are the tool's. The driver's would take half of the time of a run:
// they free the driver's memory, and the fork must copy each page first.
static void leave(int status, void *nothing) {
  (void)nothing;
  fflush(NULL);
  _exit(status);
}

void run_tool(int count, char **words) {
  on_exit(leave, NULL);
  exit(main(count, words));
}
