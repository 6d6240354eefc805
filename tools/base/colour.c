// The sequences of ECMA-48, which all terminals of today take.
#include "base/colour.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const begins[] = {
  [COLOUR_ERROR] = "\033[1;31m",  // bold red
  [COLOUR_BAR] = "\033[36m",      // cyan
  [COLOUR_BEST] = "\033[1m",      // bold
};

static bool is_wanted(int descriptor) {
  const char *terminal = getenv("TERM"), *never = getenv("NO_COLOR");
  return (never == NULL || *never == '\0') && terminal != NULL && strcmp(terminal, "dumb") != 0 && isatty(descriptor);
}

const char *colour_begin(int descriptor, enum colour colour) {
  return is_wanted(descriptor) ? begins[colour] : "";
}

const char *colour_end(int descriptor) {
  return is_wanted(descriptor) ? "\033[0m" : "";
}
