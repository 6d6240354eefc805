// Reads from a descriptor, in pieces that are small enough for the progress bar.
#define _XOPEN_SOURCE 700  // pread
#define _DEFAULT_SOURCE    // madvise

#include "input/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guard.h"
#include "base/standard.h"
#include "base/wrap.h"

enum { PIECE = 1 << 24, FIRST_GUESS = 1 << 16, PAGE = 4096, HUGE_PAGE = 1 << 21 };

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

static int cannot(const struct stream *stream, const char *what) {
  return fail(EXIT_WORK_FAILED, "%s: cannot %s: %s", stream->name, what, strerror(errno));
}

// Standard input may be a regular file that was partly read. Files of the kernel (/proc) have size 0 but contain data.
static void find_size(struct stream *stream) {
  struct stat status;
  if (fstat(stream->descriptor, &status) != 0 || !S_ISREG(status.st_mode))
    return;
  off_t at = lseek(stream->descriptor, 0, SEEK_CUR);
  if (at < 0 || status.st_size <= at)
    return;
  stream->sized = true;
  stream->left = (uint64_t)(status.st_size - at);
}

int stream_open(struct stream *stream, const char *path) {
  bool is_standard = strcmp(path, "-") == 0;
  *stream = (struct stream){.descriptor = STDIN_FILENO, .name = is_standard ? "standard input" : path};
  if (!is_standard)
    stream->descriptor = open(path, O_RDONLY);
  if (stream->descriptor < 0)
    return cannot(stream, "open");
  find_size(stream);
  if (!is_standard && lseek(stream->descriptor, 0, SEEK_CUR) < 0)
    guard_forbid_restart();
  return EXIT_DONE;
}

// `got` is 0 only at the end.
static int read_some(struct stream *stream, void *to, uint64_t size, uint64_t *got) {
  ssize_t count;
  if (stream->origin != NULL)
    return stream->origin->read(stream->state, to, size, got);
  do
    count =
      stream->descriptor == STDIN_FILENO ? standard_read(to, (size_t)size) : read(stream->descriptor, to, (size_t)size);
  while (count < 0 && errno == EINTR);
  *got = count < 0 ? 0 : (uint64_t)count;
  return count < 0 ? cannot(stream, "read") : EXIT_DONE;
}

bool stream_is_named(const struct stream *stream, const char *ending) {
  static const char *const packed[] = {"", ".gz", ".zst"};
  char whole[16];
  for (size_t i = 0; i < (stream->origin != NULL ? sizeof packed / sizeof packed[0] : 1); i++) {
    snprintf(whole, sizeof whole, "%s%s", ending, packed[i]);
    if (ends_in(stream->name, whole))
      return true;
  }
  return false;
}

static int look_at_file(const struct stream *stream, void *to, size_t size, size_t *got) {
  off_t at = lseek(stream->descriptor, 0, SEEK_CUR);
  ssize_t count;
  do
    count = pread(stream->descriptor, to, size, at);
  while (count < 0 && errno == EINTR);
  *got = count < 0 ? 0 : (size_t)count;
  return count < 0 ? cannot(stream, "read") : EXIT_DONE;
}

int stream_look(struct stream *stream, void *to, size_t size, size_t *got) {
  uint64_t piece = 1;
  int code = EXIT_DONE;
  if (stream->sized)
    return look_at_file(stream, to, size, got);
  while (stream->ahead_count < size && piece > 0 && !code) {
    code = read_some(stream, stream->ahead + stream->ahead_count, size - stream->ahead_count, &piece);
    stream->ahead_count += (size_t)piece;
  }
  *got = (size_t)least(size, stream->ahead_count);
  memcpy(to, stream->ahead, *got);
  return code;
}

static uint64_t take_ahead(struct stream *stream, void *to, uint64_t size) {
  size_t count = (size_t)least(size, stream->ahead_count);
  if (count > 0)
    memcpy(to, stream->ahead, count);
  stream->ahead_count -= count;
  memmove(stream->ahead, stream->ahead + count, stream->ahead_count);
  return count;
}

int stream_read(struct stream *stream, void *to, uint64_t size, uint64_t *got, struct progress *progress) {
  uint64_t piece = 1;
  int code = EXIT_DONE;
  *got = take_ahead(stream, to, size);
  while (*got < size && piece > 0 && !code) {
    code = read_some(stream, (char *)to + *got, least(size - *got, PIECE), &piece);
    *got += piece;
    if (progress != NULL && piece > 0)
      progress_bytes(progress, "reading", stream->taken + *got, stream->sized ? stream->taken + stream->left : 0);
  }
  stream->left -= least(stream->left, *got);
  stream->taken += *got;
  return code;
}

// ---- Memory in whole pages

void *pages_allocate(uint64_t size) {
  void *memory = NULL;
  uint64_t whole = size == 0 ? PAGE : (size + PAGE - 1) / PAGE * PAGE;
  if (whole < size || whole > SIZE_MAX / 2)
    return NULL;
  if (posix_memalign(&memory, whole < HUGE_PAGE ? PAGE : HUGE_PAGE, (size_t)whole) != 0)
    return NULL;
#ifdef MADV_HUGEPAGE
  if (whole >= HUGE_PAGE)
    (void)madvise(memory, (size_t)whole, MADV_HUGEPAGE);  // fewer faults and misses; if refused, nothing changes
#endif
  return memory;
}

void *pages_grow(void *old, uint64_t used, uint64_t size) {
  void *grown = pages_allocate(size);
  if (grown == NULL)
    return NULL;
  if (used > 0)
    memcpy(grown, old, (size_t)used);
  free(old);
  return grown;
}

int pages_read(const char *name, pages_reader *read, void *from, uint64_t first, uint64_t most, void **data,
               uint64_t *got) {
  uint64_t room = least(most, first), piece = 0;
  *got = 0;
  *data = pages_allocate(room);
  while (*data != NULL) {
    int code = read(from, (char *)*data + *got, room - *got, &piece);
    *got += piece;
    if (code || *got < room || room == most)
      return code;
    room = least(most, room * 2);
    void *grown = pages_grow(*data, *got, room);
    if (grown == NULL)
      break;
    *data = grown;
  }
  return fail(EXIT_WORK_FAILED, "%s: not enough memory for %llu bytes", name, (unsigned long long)room);
}

struct shown {
  struct stream *stream;
  struct progress *progress;
};

static int read_shown(void *from, void *to, uint64_t size, uint64_t *got) {
  const struct shown *shown = from;
  return stream_read(shown->stream, to, size, got, shown->progress);
}

int stream_read_pages(struct stream *stream, uint64_t most, void **data, uint64_t *got, struct progress *progress) {
  struct shown shown = {stream, progress};
  const uint64_t known = stream->sized ? least(most, stream->left) : most;
  return pages_read(stream->name, read_shown, &shown, stream->sized ? known : FIRST_GUESS, known, data, got);
}

int stream_read_file(const char *path, uint64_t most, void **data, uint64_t *size) {
  struct stream stream;
  *data = NULL;
  int code = stream_open(&stream, path);
  code = code ? code : stream_read_pages(&stream, most, data, size, NULL);
  stream_close(&stream);
  return code;
}

int stream_skip(struct stream *stream, uint64_t size, uint64_t *skipped) {
  char piece[1 << 16];
  uint64_t got = 0;
  int code;

  *skipped = 0;
  do {
    code = stream_read(stream, piece, least(size - *skipped, sizeof piece), &got, NULL);
    *skipped += got;
  } while (!code && got > 0);
  return code;
}

int stream_finish(struct stream *stream) {
  uint64_t skipped;
  return stream->origin == NULL ? EXIT_DONE : stream_skip(stream, UINT64_MAX, &skipped);
}

void stream_close(struct stream *stream) {
  if (stream->origin != NULL)
    stream->origin->release(stream->state);
  stream->origin = NULL;
  if (stream->descriptor > STDIN_FILENO)
    close(stream->descriptor);
  stream->descriptor = -1;
}

// ---- Mapped files. A handler of SIGBUS ends the process if a mapped file becomes shorter

static struct mapping *open_mappings;  // linked by `next`

static const struct mapping *find_mapping(const void *address) {
  const struct mapping *found = open_mappings;
  while (found != NULL && (uintptr_t)address - (uintptr_t)found->pages >= found->size)
    found = found->next;
  return found;
}

// The message was formatted beforehand, because a handler may not format.
static void end_at_once(int signal_number, siginfo_t *info, void *context) {
  const struct mapping *mapping = find_mapping(info->si_addr);
  (void)signal_number;
  (void)context;
  cleanup_now();
  fail_in_handler(STDERR_FILENO, mapping != NULL ? mapping->last_words : "clreduce: SIGBUS\n");
}

static bool expect_trouble(struct mapping *mapping, const struct stream *stream) {
  struct sigaction action = {.sa_sigaction = end_at_once, .sa_flags = SA_SIGINFO};
  snprintf(mapping->last_words, sizeof mapping->last_words,
           "%sclreduce: %.400s: cannot read: the file became shorter, or its disk failed\n",
           isatty(STDERR_FILENO) ? "\r\033[K" : "", stream->name);
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, NULL) == 0;
}

bool mapping_open(struct mapping *mapping, const struct stream *stream, uint64_t behind, uint64_t size) {
  mapping->pages = NULL;
  off_t at = lseek(stream->descriptor, 0, SEEK_CUR);
  if (at < 0 || size == 0 || !expect_trouble(mapping, stream))
    return false;
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), begin = (uint64_t)at + behind, first = begin / page * page;
  mapping->size = begin + size - first;
  // Nothing writes to the pages, but some drivers accept only writable memory.
  void *pages =
    mmap(NULL, (size_t)mapping->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, stream->descriptor, (off_t)first);
  if (pages == MAP_FAILED)
    return false;
  mapping->pages = pages;
  mapping->data = (const char *)pages + (begin - first);
  mapping->next = open_mappings;
  open_mappings = mapping;
  return true;
}

void mapping_close(struct mapping *mapping) {
  for (struct mapping **at = &open_mappings; *at != NULL; at = &(*at)->next)
    if (*at == mapping) {
      *at = mapping->next;
      break;
    }
  if (mapping->pages != NULL)
    munmap(mapping->pages, (size_t)mapping->size);
  mapping->pages = NULL;
}

int mapping_check(const struct stream *stream, uint64_t size) {
  struct stat status;
  off_t at = lseek(stream->descriptor, 0, SEEK_CUR);
  if (at < 0 || fstat(stream->descriptor, &status) != 0 || (uint64_t)status.st_size < (uint64_t)at + size)
    return fail(EXIT_WORK_FAILED, "%s: cannot read: the file became shorter", stream->name);
  return EXIT_DONE;
}
