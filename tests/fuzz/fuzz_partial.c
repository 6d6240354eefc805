// A file of a partial: the tool reads it, and sets the operator and the problem that the file names.
#include "base/fail.h"
#include "cli/verbs.h"
#include "fuzz.h"
#include "run/partial.h"

static void read_as_file(const uint8_t *data, size_t size) {
  static const struct verb join = {.name = "join", .bit = VERB_JOIN};
  struct args args = {.verb = &join};
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
  read_as_file(data, size);
  return 0;
}
