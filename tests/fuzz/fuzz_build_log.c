// The input is a compiler's log, a zero byte, and the program that the log is about.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "source/source.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct clr_status status = {0};
  char *log = fuzz_text(data, size);
  const char *program = strlen(log) < size ? log + strlen(log) + 1 : "";
  if (clr_explain_log(log, program, "mine", &status))
    PROMISE(status.code == CLRED_OPERATOR_TEXT && status.message[0] != '\0');
  free(log);
  return 0;
}
