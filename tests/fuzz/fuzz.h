// What the targets share: the entry point that libFuzzer and driver.c call, promises, and the tool's two outputs
// caught.
#ifndef CLREDUCE_TESTS_FUZZ_H
#define CLREDUCE_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One input. Whatever its bytes are it returns 0; a promise that is broken ends the process.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(condition) ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *promise, const char *file, int line);

// The bytes as a string, to be freed.
char *fuzz_text(const uint8_t *data, size_t size);

// The name of a file that has these bytes, until the next call.
const char *fuzz_file(const uint8_t *data, size_t size);

// Between these two both outputs go nowhere else; then it is known how much was written.
struct fuzz_said {
  size_t out;    // bytes on standard output
  size_t lines;  // on standard error
  size_t err;    // bytes there
  bool ended;    // the last of them ends a line
};
void fuzz_listen(void);
void fuzz_heard(struct fuzz_said *said);

// What an exit code of the tool's own promises of both outputs.
void fuzz_check_exit(int code, const struct fuzz_said *said);

#endif
