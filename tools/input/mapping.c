// Maps files, and handles SIGBUS if a mapped file becomes shorter.
#include "input/mapping.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guard.h"

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
