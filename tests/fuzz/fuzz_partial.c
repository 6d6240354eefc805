// A file of a partial: the tool reads it, and sets the operator and the problem that the file names. It is read
// again with options that define an operator.
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
  read_as_file(data, size, false);
  read_as_file(data, size, true);
  return 0;
}
