// Redirects standard error into a file without a name. Some compilers end the process if they cannot write a file; then
// end_by_exit reads the file and reports what the driver said.
#define _GNU_SOURCE  // memfd_create

#include "base/capture_stderr.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guard.h"

enum { LAST_WORDS = 600 };

static int true_stderr = -1;  // -1: not redirected

int capture_open(void) {
#ifdef MFD_CLOEXEC
  // Its size is bounded by memory: a full disk must not hide the words.
  int made = memfd_create("clreduce", MFD_CLOEXEC);
  if (made >= 0)
    return made;
#endif
  return open("/dev/null", O_RDWR);
}

// ---- The driver ends the process

void capture_read(int file, char *words, size_t room) {
  const off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END), most = (off_t)room - 1;
  const ssize_t got = size > 0 ? pread(file, words, room - 1, size > most ? size - most : 0) : 0;
  size_t length = got > 0 ? (size_t)got : 0;
  while (length > 0 && (unsigned char)words[length - 1] <= ' ')
    length--;
  words[length] = '\0';
  for (size_t i = 0; i < length; i++)
    if ((unsigned char)words[i] < ' ' || words[i] == 0x7f)
      words[i] = ' ';
}

static void append(char *line, const char *text) {
  strcpy(line + strlen(line), text);
}

static void report(void) {
  char words[LAST_WORDS + 1], line[LAST_WORDS + 300] = "";
  int to = true_stderr;
  true_stderr = -1;
  capture_read(STDERR_FILENO, words, sizeof words);
  append(line, isatty(to) ? "\r\033[Kclreduce: " : "clreduce: ");
  append(line, "the driver ended the process while it compiled; it said: ");
  append(line, *words == '\0' ? "nothing" : words);
  append(line, "; make room for its files, or name another directory for them (PoCL: POCL_CACHE_DIR)\n");
  cleanup_now();
  fail_in_handler(to, line);
}

static void end_by_exit(void) {
  if (true_stderr >= 0)
    report();
}

static void expect_end(void) {
  static bool registered;
  if (!registered)
    registered = atexit(end_by_exit) == 0;
}

// ---- Redirecting

int capture_stderr_begin(void) {
  int file = capture_open();
  if (file < 0)
    return -1;
  fflush(stderr);
  int kept = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (kept >= 0 && dup2(file, STDERR_FILENO) >= 0) {
    true_stderr = kept;
    expect_end();
  }
  close(file);
  return kept;
}

void capture_stderr_end(int kept) {
  if (kept < 0)
    return;
  true_stderr = -1;
  fflush(stderr);
  dup2(kept, STDERR_FILENO);
  close(kept);
}
