// Files and outputs are in memory, because a target is called thousands of times a second.
#define _GNU_SOURCE  // memfd_create

#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// A sanitizer must report to the real standard error while outputs are captured.
void __sanitizer_set_report_fd(void *descriptor) __attribute__((weak));

struct caught {
  int place;   // the file in memory
  int stream;  // the stream that is captured
  int own;     // a copy of the original stream
};
static struct caught out = {-1, STDOUT_FILENO, -1}, err = {-1, STDERR_FILENO, -1};

_Noreturn void fuzz_broken(const char *promise, const char *file, int line) {
  dprintf(err.own < 0 ? STDERR_FILENO : err.own, "%s:%d: a promise is broken: %s\n", file, line, promise);
  abort();
}

static void need(bool done) {
  if (!done) {
    perror("fuzz");
    _Exit(125);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
#define ROW(name) {#name, target_##name},
  static const struct {
    const char *name;
    void (*run)(const uint8_t *data, size_t size);
  } targets[] = {FUZZ_TARGETS(ROW)};
  static size_t i;
  const char *wanted = getenv("FUZZ_TARGET");
  PROMISE(wanted != NULL);
  for (; strcmp(targets[i].name, wanted) != 0; i++)
    PROMISE(i + 1 < sizeof targets / sizeof *targets);
  targets[i].run(data, size);
  return 0;
}

char *fuzz_text(const uint8_t *data, size_t size) {
  char *text = malloc(size + 1);
  need(text != NULL);
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

static void write_whole(int place, const uint8_t *data, size_t size) {
  need(ftruncate(place, 0) == 0);
  for (size_t done = 0; done < size;) {
    ssize_t put = pwrite(place, data + done, size - done, (off_t)done);
    need(put > 0);
    done += (size_t)put;
  }
}

const char *fuzz_file(const uint8_t *data, size_t size) {
  static int place = -1;
  static char name[64];
  if (place < 0) {
    place = memfd_create("fuzz", MFD_CLOEXEC);
    need(place >= 0);
    snprintf(name, sizeof name, "/proc/self/fd/%d", place);
  }
  write_whole(place, data, size);
  return name;
}

// ---- Outputs

static void listen_to(struct caught *caught) {
  if (caught->place < 0)
    caught->place = memfd_create("caught", MFD_CLOEXEC);
  caught->own = dup(caught->stream);
  need(caught->place >= 0 && caught->own >= 0 && ftruncate(caught->place, 0) == 0 &&
       lseek(caught->place, 0, SEEK_SET) == 0 && dup2(caught->place, caught->stream) >= 0);
}

static size_t give_back(struct caught *caught) {
  off_t size = lseek(caught->place, 0, SEEK_END);
  need(size >= 0 && dup2(caught->own, caught->stream) >= 0);
  close(caught->own);
  caught->own = -1;
  return (size_t)size;
}

void fuzz_listen(void) {
  fflush(stdout);
  fflush(stderr);
  listen_to(&out);
  listen_to(&err);
  if (__sanitizer_set_report_fd != NULL)
    __sanitizer_set_report_fd((void *)(intptr_t)err.own);
}

// Whether standard error has one line, and the line has a message.
static bool has_one_message(size_t size) {
  char piece[4096];
  size_t lines = 0;
  ssize_t got, last = 0;
  for (off_t at = 0; (got = pread(err.place, piece, sizeof piece, at)) > 0; at += got) {
    for (ssize_t i = 0; i < got; i++)
      lines += piece[i] == '\n';
    last = got;
  }
  return lines == 1 && piece[last - 1] == '\n' && size > 12;
}

int fuzz_check_exit(int code) {
  fflush(stdout);
  fflush(stderr);
  const size_t printed = give_back(&out), said = give_back(&err);
  if (__sanitizer_set_report_fd != NULL)
    __sanitizer_set_report_fd((void *)(intptr_t)STDERR_FILENO);
  PROMISE(code >= 0 && code <= 3);
  PROMISE(code != 1 && code != 2 ? true : printed == 0);
  PROMISE(code != 1 && code != 2 ? true : has_one_message(said));
  return code;
}
