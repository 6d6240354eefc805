// A file of a partial: the tool reads it, and sets the operator and the problem that the file names. Most inputs fail
// at the checksum. So the same bytes are read again after a first line with the right checksum, also with options that
// define an operator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "cli/verbs.h"
#include "fuzz.h"
#include "run/partial.h"

static void read_as_file(const uint8_t *data, size_t size, bool own) {
  static const struct verb join = {.name = "join", .bit = VERB_JOIN};
  struct args args = {.verb = &join};
  if (own) {
    args.combine = "a + b";
    args.identity = "0";
    args.inputs = (struct texts){{"float:w"}, 1};
  }
  struct partial_file file;
  struct job job;
  job_begin(&job, &args);
  int code = FUZZ_EXIT(partial_file_read(&file, fuzz_file(data, size)));
  if (!code) {
    PROMISE(file.packed + file.packed_size == (const unsigned char *)file.bytes + size);
    code = FUZZ_EXIT(partial_take_problem(&job, &args, &file));
  }
  PROMISE(code != EXIT_DONE || job.operation.name != NULL);
  job_close(&job);
  partial_file_release(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char line[PARTIAL_LINE_SIZE];
  read_as_file(data, size, false);
  partial_first_line(line, 0, 5, data, size);
  const size_t length = strlen(line);
  uint8_t *whole = malloc(length + size);
  if (whole == NULL)
    return 0;
  memcpy(whole, line, length);
  memcpy(whole + length, data, size);
  read_as_file(whole, length + size, false);
  read_as_file(whole, length + size, true);
  free(whole);
  return 0;
}
