// Fuzz targets, and what they share: promises, and the capture of the tool's output. libFuzzer or driver.c calls the
// entry point, which runs the target that the environment variable FUZZ_TARGET names.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUZZ_TARGETS(T) \
  T(assume) \
  T(baseline) \
  T(build_log) \
  T(cache_record) \
  T(command_line) \
  T(containers) \
  T(npy) \
  T(number) \
  T(operator_file) \
  T(operator_text) \
  T(partial) \
  T(text) \
  T(tuning)
#define FUZZ_DECLARE(name) void target_##name(const uint8_t *data, size_t size);
FUZZ_TARGETS(FUZZ_DECLARE)

// Runs one input and returns 0. A broken promise ends the process.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(condition) ((condition) ? (void)0 : fuzz_broken(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_broken(const char *promise, const char *file, int line);

// The bytes as a string. The caller frees it.
char *fuzz_text(const uint8_t *data, size_t size);

// The name of a file with these bytes; valid until the next call.
const char *fuzz_file(const uint8_t *data, size_t size);

// Calls a function of the tool and returns its exit code. Captures both outputs meanwhile, and checks what the code
// promises about them.
#define FUZZ_EXIT(call) (fuzz_listen(), fuzz_check_exit(call))
void fuzz_listen(void);
int fuzz_check_exit(int code);
