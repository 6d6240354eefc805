// A peer as a program: reads lines on standard input, answers with lines on standard output (README.md has them).
// Linked with the objects of a peer.
#define _POSIX_C_SOURCE 200809L

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "peer_side.h"

#define STRING_OF(text) #text
#define STRING(text) STRING_OF(text)

enum { LINE_SIZE = 2048, FILES = 4, CHUNK = 1 << 20, HUGE_PAGE = 1 << 21 };

static const char *const types[BENCH_TYPES] = {"float",  "double", "int",  "uchar", "half",
                                               "ushort", "long",   "uint", "ulong"};
static const char *const kinds[BENCH_OTHER] = {
  "sum",         "min",    "max",       "argmin",    "inclusive",  "exclusive", "segments",      "reduce-by-key",
  "scan-by-key", "select", "histogram", "sort-keys", "sort-pairs", "argsort",   "segmented-sort"};
static const char *const widths[] = {[BENCH_64_BITS] = "64", [BENCH_OWN_BITS] = "own", [BENCH_32_BITS] = "32"};

static struct bench_job *job;
static char request[LINE_SIZE];  // the texts of a work point into it
static void *files[FILES];
static unsigned char items[CHUNK * 8];

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
  for (int part = 0; part < BENCH_PARTS && job != NULL && bench_peer.copy == NULL; part++)
    free(job->parts[part]);
  if (job != NULL)
    bench_peer.release(job);
  job = NULL;
  for (size_t i = 0; i < FILES; i++)
    free(files[i]);
  memset(files, 0, sizeof files);
}

// Reads the file into its own memory, in huge pages if the system has them.
static const void *load(void **memory, const char *path, size_t bytes) {
  FILE *file = path == NULL ? NULL : fopen(path, "rb");
  *memory = file == NULL ? NULL : aligned_alloc(HUGE_PAGE, (bytes / HUGE_PAGE + 1) * HUGE_PAGE);
  const int is_read = *memory != NULL && fread(*memory, 1, bytes, file) == bytes;
  if (file != NULL)
    fclose(file);
  return is_read ? *memory : NULL;
}

// The value of a key in `request`; NULL if it has none.
static const char *get(const char *key) {
  const size_t length = strlen(key);
  for (const char *word = request; *word != '\0'; word += strlen(word) + 1)
    if (strncmp(word, key, length) == 0 && word[length] == '=')
      return word + length + 1;
  return NULL;
}

static size_t number(const char *key) {
  return get(key) == NULL ? 0 : strtoull(get(key), NULL, 10);
}

// Returns why the work is refused; NULL if it is not.
static const char *take_work(struct bench_work *work) {
  const size_t type = find(types, BENCH_TYPES, get("type") == NULL ? "" : get("type"));
  const size_t width = find(widths, 3, get("bits") == NULL ? "64" : get("bits"));
  *work = (struct bench_work){.type = (enum bench_type)type,
                              .narrow = (enum bench_width)width,
                              .count = number("count"),
                              .length = number("length"),
                              .results = number("results"),
                              .low = (double)number("low"),
                              .high = (double)number("high"),
                              .name = get("work"),
                              .strategy = get("strategy"),
                              .shape = {number("rows"), number("columns")},
                              .axis = (unsigned)number("axis"),
                              .devices = (unsigned)number("devices"),
                              .first = number("first")};
  if (type == BENCH_TYPES || width == 3 || work->name == NULL || work->count == 0)
    return "it does not know the type, the width or the work";
  work->kind = work->shape[0] != 0 ? BENCH_OTHER : (enum bench_kind)find(kinds, BENCH_OTHER, work->name);
  if (work->kind == BENCH_HISTOGRAM && bench_peer.on_gpu)
    work->narrow = BENCH_32_BITS;
  return NULL;
}

static int make_values(struct bench_work *work) {
  uint32_t *values = NULL;
  if (work->kind != BENCH_SORT_PAIRS && work->kind != BENCH_ARGSORT)
    return 0;
  work->values = files[3] = values = malloc(work->count * sizeof *values);
  for (size_t i = 0; values != NULL && i < work->count; i++)
    values[i] = (uint32_t)i;
  return values == NULL;
}

static const char *load_files(struct bench_work *work) {
  const char *keys = get("keys"), *offsets = get("offsets");
  work->elements = load(&files[0], get("elements"), work->count * bench_size(work->type));
  work->keys = load(&files[1], keys, work->count * sizeof *work->keys);
  work->offsets = load(&files[2], offsets, (work->results + 1) * sizeof *work->offsets);
  const int lacks = (keys != NULL && work->keys == NULL) || (offsets != NULL && work->offsets == NULL);
  return work->elements == NULL || lacks || make_values(work) ? "a file cannot be read, or memory is short" : NULL;
}

// Parts in host memory.
static int allocate(void) {
  for (int part = 0; part < BENCH_PARTS && bench_peer.copy == NULL; part++) {
    const size_t count = bench_part_count(&job->work, (enum bench_part)part);
    job->parts[part] = malloc(count * bench_part_size(&job->work, (enum bench_part)part) + sizeof(uint64_t));
    if (job->parts[part] == NULL)
      return 1;
  }
  return 0;
}

static int copy(enum bench_part part, int into_part, size_t at, size_t bytes, void *memory) {
  char *const item = (char *)job->parts[part] + at;
  if (bench_peer.copy != NULL)
    return bench_peer.copy(job, part, into_part, at, bytes, memory);
  memcpy(into_part ? item : memory, into_part ? memory : item, bytes);
  return 0;
}

// Sets all bits of the results. So a run that writes nothing has a wrong result.
static int spoil(void) {
  memset(items, 0xff, sizeof items);
  for (int part = 0; part < BENCH_PARTS; part++) {
    const size_t size = bench_part_size(&job->work, (enum bench_part)part);
    const size_t bytes = size * bench_part_count(&job->work, (enum bench_part)part);
    for (size_t at = 0; at < bytes; at += sizeof items)
      if (copy((enum bench_part)part, 1, at, bytes - at < sizeof items ? bytes - at : sizeof items, items) != 0)
        return 1;
  }
  return 0;
}

static void serve_prepare(const char *line) {
  struct bench_work work;
  release();
  memset(request, 0, sizeof request);
  snprintf(request, sizeof request - 1, "%s", line);
  for (char *space = request; (space = strchr(space, ' ')) != NULL;)
    *space++ = '\0';
  const char *reason = take_work(&work);
  reason = reason == NULL ? load_files(&work) : reason;
  job = reason == NULL ? bench_peer.prepare(&work) : NULL;
  if (job != NULL && allocate() == 0 && spoil() == 0)
    answer("ready", job->name);
  else
    answer("refused", reason == NULL ? "it does not do this, or failed at it" : reason);
}

// ---- run and check

static double half_as_double(unsigned bits) {
  const int exponent = (int)(bits >> 10 & 31), digits = (int)(bits & 1023);
  const double value = exponent == 0    ? ldexp(digits, -24)
                       : exponent == 31 ? (double)INFINITY
                                        : ldexp(digits + 1024, exponent - 25);
  return bits >> 15 ? -value : value;
}

// The result of a reduction as a double, which is exact: sums of integers are below 2^53.
static double as_double(enum bench_type type, const unsigned char *bytes) {
  int64_t whole = 0;
  double wide;
  float narrow;
  memcpy(&whole, bytes, bench_size(type));
  memcpy(&wide, bytes, sizeof wide);
  memcpy(&narrow, bytes, sizeof narrow);
  return type == BENCH_FLOAT    ? (double)narrow
         : type == BENCH_DOUBLE ? wide
         : type == BENCH_HALF   ? half_as_double((unsigned)whole)
         : type == BENCH_INT    ? (double)(int32_t)whole
                                : (double)whole;
}

// Adds the bits of each item, as an integer, times the item's place, counted from 1.
static int add_items(enum bench_part part, size_t count, uint64_t *sum) {
  const size_t size = bench_part_size(&job->work, part);
  for (size_t first = 0; first < count; first += CHUNK) {
    const size_t some = count - first < CHUNK ? count - first : CHUNK;
    if (copy(part, 0, first * size, some * size, items) != 0)
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
  if (count == 0) {
    answer("value", "-");
    return 0;
  }
  if (job->work.kind <= BENCH_ARGMIN) {
    if (copy(BENCH_RESULTS, 0, 0, 8, items) != 0)
      return 1;
    printf("value %.17g\n", as_double(job->result_type, items));
    return spoil();
  }
  if (bench_part_count(&job->work, BENCH_NUMBER) > 0 && copy(BENCH_NUMBER, 0, 0, 8, &number) != 0)
    return 1;
  count = number < count ? (size_t)number : count;
  for (int part = BENCH_RESULTS; part < BENCH_NUMBER; part++)
    if (bench_part_count(&job->work, (enum bench_part)part) > 0 && add_items((enum bench_part)part, count, &sum) != 0)
      return 1;
  printf("value %llu:%llx\n", (unsigned long long)number, (unsigned long long)sum);
  return spoil();
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int finish(void) {
  return bench_peer.finish != NULL && bench_peer.finish(job) != 0;
}

static int run_wall(size_t calls, double *seconds) {
  int failed = finish();
  const double begun = seconds_now();
  for (size_t i = 0; i < calls && !failed; i++)
    failed = bench_peer.enqueue(job);
  failed = failed || finish();
  *seconds = (seconds_now() - begun) / (double)calls;
  return failed;
}

static int run(const char *clock, size_t calls) {
  const int on_device = strcmp(clock, "device") == 0;
  double seconds;
  if (on_device ? bench_peer.time_on_device(job, &seconds) : run_wall(calls, &seconds))
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
  printf("peer %s %s %s\n", bench_peer.name, bench_peer.time_on_device != NULL ? "wall,device" : "wall",
         STRING(PEER_VERSION));
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    serve(line);
  }
  release();
  return 0;
}
