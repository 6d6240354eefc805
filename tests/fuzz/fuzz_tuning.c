// A tuning file, as it is and with a corrected checksum. Rows that were read can be written and read again.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/tuning_text.h"

static const struct clr_tuning_key here = {"a device", "software 1"};

static enum clr_tuning_state read_rows(const char *bytes, size_t length, struct clr_tuning *tuning) {
  enum clr_tuning_state state = clr_tuning_read(bytes, length, &here, tuning);
  PROMISE(state == CLR_TUNING_FOUND || tuning->count == 0);
  for (size_t i = 0; i < tuning->count; i++)
    for (unsigned j = 0; j < CLR_TUNABLES; j++)
      PROMISE(!clr_tuned_has(&tuning->rows[i].tuned, j) || clr_tunable_allows(j, tuning->rows[i].tuned.values[j]));
  return state;
}

static void read_as_it_is(const uint8_t *data, size_t size) {
  struct clr_tuning tuning = {0};
  read_rows((const char *)data, size, &tuning);
  clr_tuning_release(&tuning);
}

// Adds the first line of a file before the bytes and its last line behind them.
static char *forge(const uint8_t *data, size_t size, size_t *length) {
  static const char begin[] = CLR_TUNING_BEGIN "\n";
  char *bytes = malloc(sizeof begin + size + 64);
  uint64_t sum = 0xcbf29ce484222325u;
  if (bytes == NULL)
    exit(125);
  memcpy(bytes, begin, sizeof begin - 1);
  if (size > 0)
    memcpy(bytes + sizeof begin - 1, data, size);
  *length = sizeof begin - 1 + size;
  for (size_t i = 0; i < *length; i++)
    sum = (sum ^ (unsigned char)bytes[i]) * 0x100000001b3u;
  *length += (size_t)snprintf(bytes + *length, 64, "check %016llx\n", (unsigned long long)sum);
  return bytes;
}

// If the file is written again, the rows of this key stay.
static void write_again(const char *old, size_t length, enum clr_tuning_state state, const struct clr_tuning *rows) {
  const struct clr_tuning none = {0};
  struct clr_tuning again = {0};
  struct clr_text text = {0};
  clr_tuning_write(old, length, &here, &none, &text);
  PROMISE(!text.failed);
  if (text.length <= CLR_TUNING_FILE_MAX) {
    PROMISE(read_rows(text.bytes, text.length, &again) == CLR_TUNING_FOUND);
    PROMISE(state != CLR_TUNING_FOUND || again.count == rows->count);
  }
  clr_tuning_release(&again);
  clr_text_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct clr_tuning tuning = {0};
  size_t length;
  read_as_it_is(data, size);
  char *forged = forge(data, size, &length);
  enum clr_tuning_state state = read_rows(forged, length, &tuning);
  write_again(forged, length, state, &tuning);
  clr_tuning_release(&tuning);
  free(forged);
  return 0;
}
