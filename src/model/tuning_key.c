// The names and facts that identify a device's section in a file.
#include <stdio.h>
#include <string.h>

#include "model/tuning_text.h"

void clr_tuning_key_line(char line[CLR_TUNING_LINE], const char *from) {
  size_t length = 0;
  from += strspn(from, " ");
  for (; length < CLR_TUNING_LINE - 1 && from[length]; length++)
    line[length] = (unsigned char)from[length] < ' ' || from[length] == 0x7f ? ' ' : from[length];
  while (length && line[length - 1] == ' ')
    length--;
  line[length] = 0;
}

// Only facts that decide shapes, and cache hints, are in the key. On some devices other facts, such as sizes of memory,
// change from run to run.
void clr_tuning_key_facts(char line[CLR_TUNING_LINE], const struct clr_facts *facts) {
  const struct clr_fact_row *row;
  size_t length = 0;
  *line = 0;
  for (size_t i = 0; (row = clr_fact_row(i)) != NULL && length < CLR_TUNING_LINE; i++) {
    if (row->keyed)
      length += (size_t)snprintf(line + length, CLR_TUNING_LINE - length, "%s%s=%llu", length ? "," : "", row->name,
                                 (unsigned long long)clr_fact_value(facts, row));
  }
}
