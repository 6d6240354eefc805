// What the targets share: the entry point that libFuzzer and driver.c call, promises, and the capture of the tool's
// output.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Runs one input and returns 0. A broken promise ends the process.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(condition) ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *promise, const char *file, int line);

// The bytes as a string. The caller frees it.
char *fuzz_text(const uint8_t *data, size_t size);

// The name of a file with these bytes; valid until the next call.
const char *fuzz_file(const uint8_t *data, size_t size);

// Between fuzz_listen and fuzz_heard both outputs are captured; fuzz_heard reports how much was written.
struct fuzz_output {
  size_t out;    // bytes on standard output
  size_t lines;  // lines on standard error
  size_t err;    // bytes on standard error
  bool ended;    // the last byte on standard error ends a line
};
void fuzz_listen(void);
void fuzz_heard(struct fuzz_output *output);

// Checks what an exit code of the tool promises about both outputs.
void fuzz_check_exit(int code, const struct fuzz_output *output);
