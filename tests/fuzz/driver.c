// Runs a target without libFuzzer: every file of the given directories is an input, and `-m N` adds N damaged copies of
// each, made from a seed that is printed.
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { SIZE_LIMIT = 1 << 20 };

static uint64_t state = 1, inputs;
static unsigned long copies;

static uint64_t next(void) {
  state += 0x9e3779b97f4a7c15u;
  uint64_t x = state;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

// Copies the bytes to a block of exactly this size, so that a sanitizer reports reads past the end.
static void try_bytes(const uint8_t *bytes, size_t size) {
  uint8_t *exact = malloc(size == 0 ? 1 : size);
  if (exact == NULL)
    exit(125);
  memcpy(exact, bytes, size);
  LLVMFuzzerTestOneInput(exact, size);
  free(exact);
  inputs++;
}

// One change: another byte, a flipped bit, a missing piece, a repeated piece.
static size_t damage(uint8_t *bytes, size_t size) {
  if (size == 0)
    return 0;
  size_t at = next() % size, length = 1 + next() % 8;
  length = length < size - at ? length : size - at;
  switch (next() % 4) {
  case 0:
    bytes[at] = (uint8_t)next();
    return size;
  case 1:
    bytes[at] ^= (uint8_t)(1u << next() % 8);
    return size;
  case 2:
    memmove(bytes + at, bytes + at + length, size - at - length);
    return size - length;
  default:
    memmove(bytes + at + length, bytes + at, size - at);
    return size + length;
  }
}

static void try_file(const char *path) {
  static uint8_t bytes[SIZE_LIMIT], changed[SIZE_LIMIT + 8 * 8];
  FILE *file = fopen(path, "rb");
  if (file == NULL) {
    perror(path);
    exit(125);
  }
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  try_bytes(bytes, size);
  for (unsigned long i = 0; i < copies; i++) {
    size_t now = size;
    memcpy(changed, bytes, size);
    for (uint64_t changes = 1 + next() % 8; changes > 0; changes--)
      now = damage(changed, now);
    try_bytes(changed, now);
  }
}

static void try_all(const char *path) {
  struct dirent **entries;
  int count = scandir(path, &entries, NULL, alphasort);
  if (count < 0) {
    try_file(path);
    return;
  }
  for (int i = 0; i < count; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
    if (entries[i]->d_name[0] != '.')
      try_file(name);
    free(entries[i]);
  }
  free(entries);
}

int main(int argc, char *argv[]) {
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2)
    if (strcmp(argv[first], "-m") == 0)
      copies = strtoul(argv[first + 1], NULL, 10);
    else if (strcmp(argv[first], "-s") == 0)
      state = strtoull(argv[first + 1], NULL, 10);
  fprintf(stderr, "%s: seed %llu, %lu damaged copies of each file\n", argv[0], (unsigned long long)state, copies);
  for (int i = first; i < argc; i++)
    try_all(argv[i]);
  fprintf(stderr, "%s: %llu inputs\n", argv[0], (unsigned long long)inputs);
  return inputs == 0;
}
