// serve.c: one side of tools/bench as a peer of `clreduce bench`: lines in, lines out (README.md). Each program defines
// BENCH_PEER as the side that it serves.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "side.h"

#define STRING_OF(text) #text
#define STRING(text) STRING_OF(text)

extern const struct bench_side BENCH_PEER;

enum { DATA = 3, LINE_SIZE = 512 };

static void *mapped;
static size_t mapped_bytes;
static int prepared;

static const struct {
  const char *name;
  size_t size;
} types[] = {[BENCH_FLOAT] = {"float", 4},
             [BENCH_DOUBLE] = {"double", 8},
             [BENCH_INT] = {"int", 4},
             [BENCH_UCHAR] = {"uchar", 1},
             [BENCH_HALF] = {"half", 2}};

static const char *const ops[] = {
  [BENCH_ADD] = "add", [BENCH_MIN] = "min", [BENCH_MAX] = "max", [BENCH_ARGMIN] = "argmin"};

static void answer(const char *line) {
  printf("%s\n", line);
  fflush(stdout);
}

static void serve_device(const char *kind, unsigned index, const char *name) {
  int is_cpu = strstr(kind, "cpu") != NULL;
  if (BENCH_PEER.open != NULL && BENCH_PEER.open(index, name) != 0)
    answer("refused it does not find this device");
  else if (BENCH_PEER.open == NULL && is_cpu == BENCH_PEER.on_gpu)
    answer("refused it computes elsewhere");
  else
    answer("ready");
}

static void release(void) {
  if (prepared)
    BENCH_PEER.release();
  if (mapped != NULL)
    munmap(mapped, mapped_bytes);
  prepared = 0;
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
  size_t type = 0, op = 0;
  release();
  while (type < sizeof types / sizeof *types && strcmp(types[type].name, type_name) != 0)
    type++;
  while (op < sizeof ops / sizeof *ops && strcmp(ops[op], op_name) != 0)
    op++;
  if (type == sizeof types / sizeof *types || op == sizeof ops / sizeof *ops)
    answer("refused it has no such operator or type");
  else if (!map(count * types[type].size))
    answer("refused the elements cannot be mapped");
  else {
    prepared = 1;
    answer(BENCH_PEER.prepare(mapped, (enum bench_type)type, (enum bench_op)op, count) == 0
             ? "ready"
             : "refused it does not do this, or failed at it");
  }
}

static void serve_run(const char *clock, size_t calls) {
  enum bench_clock by = strcmp(clock, "device") == 0 ? BENCH_DEVICE : BENCH_WALL;
  double seconds, value;
  if (!prepared || BENCH_PEER.run(by, calls, &seconds) != 0 || BENCH_PEER.result(&value) != 0)
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
  printf("peer %s %s %s\n", BENCH_PEER.name, BENCH_PEER.has_device_clock ? "wall,device" : "wall",
         STRING(BENCH_PEER_VERSION));
  fflush(stdout);
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = '\0';
    serve(line);
  }
  release();
  return 0;
}
