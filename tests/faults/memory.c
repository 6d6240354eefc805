// Wrapped allocations: see memory.h. In the tool, the environment says what fails. STARVE_AT: the number of the
// allocation that fails, from 1; 0: none. STARVE_ON: if set, all later ones fail, too. STARVE_REPORT: a file that gets
// the number of allocations at exit.
#define _POSIX_C_SOURCE 200809L

#include "memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
  bool armed, on, failed;
  int paused;
  long at, seen, blocks;
  size_t bytes;
} state;

void memory_arm(long at, bool on) {
  state.armed = true;
  state.on = on;
  state.failed = false;
  state.at = at;
  state.seen = 0;
}

long memory_disarm(bool *failed) {
  state.armed = false;
  *failed = state.failed;
  return state.seen;
}

bool memory_has_failed(void) {
  return state.armed && state.failed;
}

void memory_pause(bool paused) {
  state.paused += paused ? 1 : -1;
}

long memory_blocks(void) {
  return state.blocks;
}

size_t memory_bytes(void) {
  return state.bytes;
}

static bool falls(void) {
  if (!state.armed || state.paused)
    return false;
  state.seen++;
  const bool fails = state.at && (state.seen == state.at || (state.on && state.seen > state.at));
  state.failed |= fails;
  return fails;
}

// The live blocks of the wrapped functions. Blocks of other libraries are also freed here and are not counted.
#define PLACES 65536
static void *places[PLACES];
static char was_here;

static size_t hash(const void *block) {
  return (size_t)((uintptr_t)block / 16 * 2654435761u) % PLACES;
}

static void **find(const void *block) {
  size_t i = hash(block);
  for (size_t tried = 0; tried < PLACES && places[i] && places[i] != block; tried++)
    i = (i + 1) % PLACES;
  return &places[i];
}

static void *note(void *block) {
  if (!block)
    return NULL;
  size_t i = hash(block);
  while (places[i] && places[i] != &was_here)
    i = (i + 1) % PLACES;
  places[i] = block;
  state.blocks++;
  state.bytes += malloc_usable_size(block);
  return block;
}

static void forget(void *block) {
  void **place = block ? find(block) : NULL;
  if (!place || *place != block)
    return;
  *place = &was_here;
  state.blocks--;
  state.bytes -= malloc_usable_size(block);
}

#define WRAPPED(returns, name, parameters) \
  returns __real_##name parameters; \
  returns __wrap_##name parameters; \
  returns __wrap_##name parameters

WRAPPED(void *, malloc, (size_t size)) {
  return falls() ? NULL : note(__real_malloc(size));
}

WRAPPED(void *, calloc, (size_t count, size_t size)) {
  return falls() ? NULL : note(__real_calloc(count, size));
}

WRAPPED(void *, aligned_alloc, (size_t alignment, size_t size)) {
  return falls() ? NULL : note(__real_aligned_alloc(alignment, size));
}

WRAPPED(char *, strdup, (const char *text)) {
  return falls() ? NULL : note(__real_strdup(text));
}

WRAPPED(void, free, (void *block)) {
  forget(block);
  __real_free(block);
}

// The old block is removed from the table before realloc frees it, because another thread may then get its address.
WRAPPED(void *, realloc, (void *block, size_t size)) {
  if (falls())
    return NULL;
  forget(block);
  void *grown = __real_realloc(block, size);
  if (!grown)
    note(block);
  return grown ? note(grown) : NULL;
}

// ---------------------------------------------------------------- In the tool

__attribute__((constructor)) static void begin(void) {
  const char *at = getenv("STARVE_AT");
  if (at)
    memory_arm(strtol(at, NULL, 10), getenv("STARVE_ON") != NULL);
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("STARVE_REPORT");
  bool failed;
  const long calls = memory_disarm(&failed);
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  fprintf(file, "calls %ld\nfailed %s 0\nlive allocations %ld\n", calls, failed ? "memory" : "none", memory_blocks());
  fclose(file);
}
