// A file with a verdict about an operator, as it is and with a corrected checksum. Its functions are static, so this
// file includes their source.
#include "run/laws.c"

#include "fuzz.h"

static const char key[] = "laws 1\nelement 5 float\n";

static void read_one(const char *bytes) {
  struct law_verdict verdict = {.broken = CLRED_LAWS + 1};
  bool found = read_verdict(bytes, key, &verdict);
  PROMISE(!found || verdict.broken <= CLRED_LAWS);
  PROMISE(!found || strstr(bytes, key) == bytes + CHECKSUM_DIGITS + 1);
  PROMISE(!found || strcmp(verdict.counterexample, bytes + CHECKSUM_DIGITS + sizeof key + 2) == 0);
}

static void forge(char *bytes) {
  char sum[CHECKSUM_DIGITS + 1];
  size_t length = strlen(bytes);
  if (length <= CHECKSUM_DIGITS)
    return;
  snprintf(sum, sizeof sum, "%016" PRIx64, hash(bytes + CHECKSUM_DIGITS + 1, length - CHECKSUM_DIGITS - 1));
  memcpy(bytes, sum, CHECKSUM_DIGITS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *bytes = fuzz_text(data, size);
  read_one(bytes);
  forge(bytes);
  read_one(bytes);
  free(bytes);
  return 0;
}
