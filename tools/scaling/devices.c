// scaling_devices [POWER [times]]: two devices beside one. First the bits, unless only times are wanted, then the times
// of sums of up to 2^POWER floats (31). Exits with 1 if a bit is wrong; times do not count.
#include "pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  struct pair pair;
  const int power = argc > 1 ? atoi(argv[1]) : 31;
  const bool times_only = argc == 3 && strcmp(argv[2], "times") == 0;
  if (argc > 2 + times_only || power < 16 || power > 36) {
    fprintf(stderr, "usage: scaling_devices [POWER [times]], POWER from 16 to 36\n");
    return 2;
  }
  setbuf(stdout, NULL);
  pair_open(&pair);
  size_t wrong = times_only ? 0 : pair_check_bits(&pair, power);
  wrong += pair_measure(&pair, power);
  pair_close(&pair);
  return wrong > 0;
}
