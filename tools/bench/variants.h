// Variants of the library for --variant: kernels from another folder, other numbers of groups, assumed facts, or
// compiler options. Each has its own runtime.
#pragma once

#include <clreduce.h>

#include "cli/args.h"
#include "device/session.h"

struct bench_variant {
  const char *words;   // as the user wrote it
  char *copy;          // cut into the words that the fields point to
  const char *folder;  // of kernels; NULL: the library's own
  cl_ulong groups, group_size;
  clred_options options;
  clred_runtime *runtime;
};

struct bench_variants {
  struct bench_variant list[TEXTS_MOST];
  size_t count;
};

// Reads FOLDER[@groups=N][@group_size=N][@assume=FACT=VALUE][@build=OPTIONS]; the folder `own` means the library's own
// kernels. Returns an exit code. Call variants_release in any case.
int variants_take(struct bench_variants *variants, const struct texts *words);
void variants_release(struct bench_variants *variants);

// Makes the runtimes for a device, and releases them. Returns an exit code.
int variants_open(struct bench_variants *variants, const struct session *session);
void variants_close(struct bench_variants *variants);

// Call this before a plan is made: the library then reads this variant's kernels, and the problem has its numbers of
// groups.
void variant_enter(const struct bench_variant *variant, clred_problem *problem);
