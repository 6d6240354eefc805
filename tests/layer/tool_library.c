// The entry of the tool as a library (cli/in_fork.py): its main is hidden, as all of its functions are.

#include <stdlib.h>

int main(int count, char **words);
__attribute__((visibility("default"), noreturn)) void run_tool(int count, char **words);

void run_tool(int count, char **words) {
  exit(main(count, words));
}
