// The file is in memory if the system has such files; otherwise it is a temporary file without a name.
#define _GNU_SOURCE  // memfd_create, madvise

#include "bench/shared_data.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/fail.h"

// Above the descriptors that a peer uses.
enum { FIRST_DESCRIPTOR = 10 };

static int move_up(int made) {
  if (made < 0)
    return -1;
  int moved = fcntl(made, F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR);
  close(made);
  return moved;
}

// Only memory limits the size of this file, not the size of a file system.
static int make_file_in_memory(void) {
#ifdef MFD_CLOEXEC
  return move_up(memfd_create("clreduce", MFD_CLOEXEC));
#else
  return -1;
#endif
}

static int make_file(const char *folder) {
  char path[1024];
  int length = snprintf(path, sizeof path, "%s/clreduce.XXXXXX", folder);
  if (length < 0 || (size_t)length >= sizeof path)
    return -1;
  int made = mkstemp(path);
  if (made < 0)
    return -1;
  unlink(path);
  return move_up(made);
}

int shared_data_open(struct shared_data *data) {
  const char *chosen = getenv("TMPDIR"), *folder = chosen != NULL && *chosen != '\0' ? chosen : "/tmp";
  *data = (struct shared_data){.descriptor = make_file_in_memory()};
  if (data->descriptor < 0)
    data->descriptor = make_file(folder);
  if (data->descriptor < 0)
    return fail(EXIT_WORK_FAILED, "no temporary file can be made in %s: %s", folder, strerror(errno));
  return EXIT_DONE;
}

uint64_t shared_data_room(const struct shared_data *data) {
  struct statvfs status;
  if (fstatvfs(data->descriptor, &status) != 0 || status.f_blocks == 0)
    return UINT64_MAX;
  return (uint64_t)status.f_bavail * status.f_frsize + data->size;
}

static void unmap(struct shared_data *data) {
  if (data->bytes != NULL)
    munmap(data->bytes, (size_t)data->size);
  data->bytes = NULL;
}

// Allocates the pages now: a page that cannot be allocated later raises SIGBUS.
int shared_data_map(struct shared_data *data, uint64_t size) {
  if (data->bytes != NULL && data->size >= size)
    return EXIT_DONE;
  unmap(data);
  int error = posix_fallocate(data->descriptor, 0, (off_t)size);
  if (error != 0)
    return fail(EXIT_WORK_FAILED, "%llu bytes of elements do not fit the file that peers share: %s",
                (unsigned long long)size, strerror(error));
  data->bytes = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, data->descriptor, 0);
  if (data->bytes == MAP_FAILED) {
    data->bytes = NULL;
    return fail(EXIT_WORK_FAILED, "%llu bytes of elements cannot be mapped: %s", (unsigned long long)size,
                strerror(errno));
  }
  data->size = size;
#ifdef MADV_HUGEPAGE
  madvise(data->bytes, (size_t)size, MADV_HUGEPAGE);
#endif
  return EXIT_DONE;
}

void shared_data_close(struct shared_data *data) {
  unmap(data);
  if (data->descriptor >= 0)
    close(data->descriptor);
  *data = (struct shared_data){.descriptor = -1};
}
