// A peer as a program: reads lines on standard input, answers with lines on standard output (README.md has them).
// Linked with the objects of a peer.
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "peer_side.h"

#define STRING_OF(text) #text
#define STRING(text) STRING_OF(text)

enum { LINE_SIZE = 2048, FILES = 3, CHUNK = 1 << 20 };

static const char *const types[BENCH_TYPES] = {"float", "double", "int", "uchar", "half", "ushort", "long"};
static const char *const kinds[BENCH_OTHER] = {"sum",         "min",       "max",      "argmin",
                                               "inclusive",   "exclusive", "segments", "reduce-by-key",
                                               "scan-by-key", "select",    "histogram"};
static const char *const widths[] = {[BENCH_64_BITS] = "64", [BENCH_OWN_BITS] = "own", [BENCH_32_BITS] = "32"};

static struct bench_job *job;
static char request[LINE_SIZE];  // the names of a work point into it
static struct mapped {
  void *memory;
  size_t bytes;
} files[FILES];

static size_t find(const char *const names[], size_t count, const char *name) {
  size_t i = 0;
  while (i < count && strcmp(names[i], name) != 0)
    i++;
  return i;
}

static void answer(const char *word, const char *text) {
  printf("%s%s%s\n", word, text == NULL ? "" : " ", text == NULL ? "" : text);
  fflush(stdout);
}

static void serve_device(const char *kind, unsigned index, const char *name) {
  const int is_cpu = strstr(kind, "cpu") != NULL;
  if (bench_peer.open != NULL && bench_peer.open(index, name) != 0)
    answer("refused", "it does not find this device");
  else if (bench_peer.open == NULL && is_cpu == bench_peer.on_gpu)
    answer("refused", "it computes elsewhere");
  else
    answer("ready", bench_peer.describe == NULL ? NULL : bench_peer.describe());
}

// ---- prepare KEY=VALUE ...

static void release(void) {
  if (job != NULL)
    bench_peer.release(job);
  job = NULL;
  for (size_t i = 0; i < FILES; i++)
    if (files[i].memory != NULL)
      munmap(files[i].memory, files[i].bytes);
  memset(files, 0, sizeof files);
}

static const void *map(struct mapped *file, const char *path, size_t bytes) {
  const int descriptor = path == NULL ? -1 : open(path, O_RDONLY);
  void *memory = descriptor < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ, MAP_SHARED, descriptor, 0);
  if (descriptor >= 0)
    close(descriptor);
  if (memory == MAP_FAILED)
    return NULL;
  *file = (struct mapped){memory, bytes};
  return memory;
}

struct words {
  const char *type, *work, *bits, *elements, *keys, *offsets;
};

// Returns 0 for an unknown key.
static int take_word(const char *key, const char *value, struct words *words, struct bench_work *work) {
  const struct {
    const char *key;
    const char **text;
    size_t *number;
    double *real;
  } rows[] = {{"type", &words->type, NULL, NULL},
              {"work", &words->work, NULL, NULL},
              {"bits", &words->bits, NULL, NULL},
              {"elements", &words->elements, NULL, NULL},
              {"keys", &words->keys, NULL, NULL},
              {"offsets", &words->offsets, NULL, NULL},
              {"strategy", &work->strategy, NULL, NULL},
              {"count", NULL, &work->count, NULL},
              {"length", NULL, &work->length, NULL},
              {"results", NULL, &work->results, NULL},
              {"low", NULL, NULL, &work->low},
              {"high", NULL, NULL, &work->high},
              {"rows", NULL, &work->shape[0], NULL},
              {"columns", NULL, &work->shape[1], NULL},
              {"axis", NULL, NULL, NULL}};
  size_t i = 0;
  while (i < sizeof rows / sizeof *rows && strcmp(rows[i].key, key) != 0)
    i++;
  if (i == sizeof rows / sizeof *rows)
    return 0;
  if (rows[i].text != NULL)
    *rows[i].text = value;
  else if (rows[i].number != NULL)
    *rows[i].number = strtoull(value, NULL, 10);
  else if (rows[i].real != NULL)
    *rows[i].real = strtod(value, NULL);
  else
    work->axis = (unsigned)strtoul(value, NULL, 10);
  return 1;
}

// Returns why the work is refused; NULL if it is not.
static const char *take_work(struct words *words, struct bench_work *work) {
  for (char *word = strtok(request, " "); word != NULL; word = strtok(NULL, " ")) {
    char *value = strchr(word, '=');
    if (value == NULL)
      return "a word is no KEY=VALUE";
    *value++ = '\0';
    if (!take_word(word, value, words, work))
      return "it does not know a key";
  }
  const size_t type = find(types, BENCH_TYPES, words->type == NULL ? "" : words->type);
  const size_t width = find(widths, 3, words->bits == NULL ? "64" : words->bits);
  if (type == BENCH_TYPES || width == 3 || words->work == NULL || work->count == 0)
    return "it does not know the type, the width or the work";
  work->type = (enum bench_type)type;
  work->narrow = (enum bench_width)width;
  work->name = words->work;
  work->kind = work->shape[0] != 0 ? BENCH_OTHER : (enum bench_kind)find(kinds, BENCH_OTHER, words->work);
  if (work->kind == BENCH_HISTOGRAM && bench_peer.on_gpu)
    work->narrow = BENCH_32_BITS;
  return NULL;
}

static const char *map_files(const struct words *words, struct bench_work *work) {
  work->elements = map(&files[0], words->elements, work->count * bench_size(work->type));
  if (words->keys != NULL)
    work->keys = map(&files[1], words->keys, work->count * sizeof *work->keys);
  if (words->offsets != NULL)
    work->offsets = map(&files[2], words->offsets, (work->results + 1) * sizeof *work->offsets);
  return work->elements == NULL || (words->keys != NULL && work->keys == NULL) ||
             (words->offsets != NULL && work->offsets == NULL)
           ? "a file cannot be mapped"
           : NULL;
}

// Sets all bits of the results, so that a run that writes nothing is found.
static int spoil(void) {
  int failed = 0;
  for (int part = 0; part < BENCH_PARTS; part++) {
    const size_t count = bench_part_count(&job->work, (enum bench_part)part);
    failed = failed || (count > 0 && bench_peer.spoil(job, (enum bench_part)part, 0, count) != 0);
  }
  return failed;
}

static void serve_prepare(const char *line) {
  struct bench_work work = {.count = 0};
  struct words words = {NULL};
  release();
  snprintf(request, sizeof request, "%s", line);
  const char *reason = take_work(&words, &work);
  reason = reason == NULL ? map_files(&words, &work) : reason;
  job = reason == NULL ? bench_peer.prepare(&work) : NULL;
  if (job != NULL && spoil() == 0)
    answer("ready", job->name);
  else
    answer("refused", reason == NULL ? "it does not do this, or failed at it" : reason);
}

// ---- run and check

// The sum of the bits of each item times its place, from 1 on.
static int add_items(enum bench_part part, size_t count, uint64_t *sum) {
  static unsigned char items[CHUNK * 8];
  const size_t size = bench_part_size(&job->work, part);
  for (size_t first = 0; first < count; first += CHUNK) {
    const size_t some = count - first < CHUNK ? count - first : CHUNK;
    if (bench_peer.read(job, part, first, some, items) != 0)
      return 1;
    for (size_t i = 0; i < some; i++) {
      uint64_t bits = 0;
      memcpy(&bits, items + i * size, size);
      *sum += bits * (first + i + 1);
    }
  }
  return 0;
}

static int check(void) {
  size_t count = bench_part_count(&job->work, BENCH_RESULTS);
  uint64_t number = count, sum = 0;
  double value;
  if (count == 0) {
    answer("value", "-");
    return 0;
  }
  if (job->work.kind <= BENCH_ARGMIN) {
    if (bench_peer.read(job, BENCH_RESULTS, 0, 1, &value) != 0)
      return 1;
    printf("value %.17g\n", value);
    return spoil();
  }
  if (bench_part_count(&job->work, BENCH_NUMBER) > 0 && bench_peer.read(job, BENCH_NUMBER, 0, 1, &number) != 0)
    return 1;
  count = number < count ? (size_t)number : count;
  if (add_items(BENCH_RESULTS, count, &sum) != 0 ||
      (bench_part_count(&job->work, BENCH_KEYS_OUT) > 0 && add_items(BENCH_KEYS_OUT, count, &sum) != 0))
    return 1;
  printf("value %llu:%llx\n", (unsigned long long)number, (unsigned long long)sum);
  return spoil();
}

static int run(const char *clock, size_t calls) {
  double seconds;
  if (bench_peer.run(job, strcmp(clock, "device") == 0 ? BENCH_DEVICE : BENCH_WALL, calls, &seconds) != 0)
    return 1;
  printf("seconds %.9e\n", seconds);
  return 0;
}

static void serve(const char *line) {
  char first[64];
  unsigned long long number = 0;
  int end = 0, failed = 0;
  if (sscanf(line, "device %63s %llu %n", first, &number, &end) == 2)
    serve_device(first, (unsigned)number, line + end);
  else if (strncmp(line, "prepare ", 8) == 0)
    serve_prepare(line + 8);
  else if (job != NULL && sscanf(line, "run %63s %llu", first, &number) == 2 && number > 0)
    failed = run(first, (size_t)number);
  else if (job != NULL && strcmp(line, "check") == 0)
    failed = check();
  else
    exit(0);
  if (failed)
    exit(1);
  fflush(stdout);
}

int main(void) {
  char line[LINE_SIZE];
  printf("peer %s %s %s\n", bench_peer.name, bench_peer.has_device_clock ? "wall,device" : "wall",
         STRING(PEER_VERSION));
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    serve(line);
  }
  release();
  return 0;
}
