// A peer as a program: reads lines on standard input, answers with lines on standard output (README.md has them).
// Linked with the objects of the module that it serves.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "peer_side.h"

#define STRING_OF(text) #text
#define STRING(text) STRING_OF(text)

enum { DATA = 3, LINE_SIZE = 512 };

static struct bench_job *job;
static void *mapped;
static size_t mapped_bytes;

static const char *const types[] = {[BENCH_FLOAT] = "float",
                                    [BENCH_DOUBLE] = "double",
                                    [BENCH_INT] = "int",
                                    [BENCH_UCHAR] = "uchar",
                                    [BENCH_HALF] = "half"};
static const char *const ops[] = {
  [BENCH_SUM] = "sum", [BENCH_MIN] = "min", [BENCH_MAX] = "max", [BENCH_ARGMIN] = "argmin"};

#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

static size_t find(const char *const names[], size_t count, const char *name) {
  size_t i = 0;
  while (i < count && strcmp(names[i], name) != 0)
    i++;
  return i;
}

static void answer(const char *line) {
  printf("%s\n", line);
  fflush(stdout);
}

static void serve_device(const char *kind, unsigned index, const char *name) {
  const int is_cpu = strstr(kind, "cpu") != NULL;
  if (bench_peer.open != NULL && bench_peer.open(index, name) != 0)
    answer("refused it does not find this device");
  else if (bench_peer.open == NULL && is_cpu == bench_peer.on_gpu)
    answer("refused it computes elsewhere");
  else
    answer("ready");
}

static void release(void) {
  if (job != NULL)
    bench_peer.release(job);
  if (mapped != NULL)
    munmap(mapped, mapped_bytes);
  job = NULL;
  mapped = NULL;
}

static int map(size_t bytes) {
  void *place = mmap(NULL, bytes, PROT_READ, MAP_SHARED, DATA, 0);
  if (place == MAP_FAILED)
    return 0;
  mapped = place;
  mapped_bytes = bytes;
  return 1;
}

static void serve_prepare(const char *type_name, const char *op_name, size_t count) {
  const size_t type = find(types, COUNT_OF(types), type_name), op = find(ops, COUNT_OF(ops), op_name);
  struct bench_work work = {.kind = (enum bench_kind)op, .type = (enum bench_type)type, .count = count};
  release();
  if (type == COUNT_OF(types) || op == COUNT_OF(ops)) {
    answer("refused it has no such operator or type");
    return;
  }
  if (!map(count * bench_size(work.type))) {
    answer("refused the elements cannot be mapped");
    return;
  }
  work.elements = mapped;
  job = bench_peer.prepare(&work);
  answer(job != NULL ? "ready" : "refused it does not do this, or failed at it");
}

static void serve_run(const char *clock, size_t calls) {
  const enum bench_clock by = strcmp(clock, "device") == 0 ? BENCH_DEVICE : BENCH_WALL;
  double seconds, value;
  if (job == NULL || bench_peer.spoil(job, BENCH_RESULTS, 0, 1) != 0 || bench_peer.run(job, by, calls, &seconds) != 0 ||
      bench_peer.read(job, BENCH_RESULTS, 0, 1, &value) != 0)
    exit(1);
  printf("seconds %.9e value %.17g\n", seconds, value);
  fflush(stdout);
}

static void serve(const char *line) {
  char first[64], second[64];
  unsigned long long number = 0;
  int end = 0;
  if (sscanf(line, "device %63s %llu %n", first, &number, &end) == 2)
    serve_device(first, (unsigned)number, line + end);
  else if (sscanf(line, "prepare %63s %63s %llu", first, second, &number) == 3)
    serve_prepare(first, second, (size_t)number);
  else if (sscanf(line, "run %63s %llu", first, &number) == 2 && number > 0)
    serve_run(first, (size_t)number);
  else
    exit(0);
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
