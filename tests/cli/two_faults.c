// Two threads read a mapped file past its end at the same moment. The tool must print one line and exit with code 1.
// The linker replaces write by a function that waits for the other thread to write, too, before and after the real
// write. So if the handler lets both threads write, both lines are always printed, and the test fails.

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "input/stream.h"

enum { SIZE = 1 << 20, THREADS = 2, WAIT_MILLISECONDS = 500 };

static atomic_int begun, done, ready;

ssize_t __real_write(int descriptor, const void *bytes, size_t size);
ssize_t __wrap_write(int descriptor, const void *bytes, size_t size);

static void wait_for_all_threads(atomic_int *count) {
  atomic_fetch_add(count, 1);
  for (int i = 0; i < WAIT_MILLISECONDS && atomic_load(count) < THREADS; i++)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

ssize_t __wrap_write(int descriptor, const void *bytes, size_t size) {
  wait_for_all_threads(&begun);
  ssize_t written = __real_write(descriptor, bytes, size);
  wait_for_all_threads(&done);
  return written;
}

static void *read_behind_the_end(void *data) {
  atomic_fetch_add(&ready, 1);
  while (atomic_load(&ready) < THREADS)
    continue;
  return (void *)(size_t)((const volatile char *)data)[SIZE - 1];
}

static void fault_in_all_threads(const char *path) {
  struct stream stream;
  struct mapping mapping;
  pthread_t threads[THREADS];
  if (truncate(path, SIZE) != 0 || stream_open(&stream, path) != EXIT_DONE ||
      !mapping_open(&mapping, &stream, 0, SIZE) || truncate(path, 0) != 0)
    _exit(77);
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, read_behind_the_end, (void *)(size_t)mapping.data);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  _exit(EXIT_DONE);
}

static int run(const char *path, int ends[2], char *said, size_t room) {
  int status = 0;
  size_t length = 0;
  ssize_t got = 0;
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    fault_in_all_threads(path);
  }
  close(ends[1]);
  while (length < room - 1 && (got = read(ends[0], said + length, room - 1 - length)) > 0)
    length += (size_t)got;
  said[length] = '\0';
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
  char path[] = "/tmp/clreduce-two-faults-XXXXXX", said[2048];
  int ends[2], descriptor = mkstemp(path);
  if (descriptor < 0 || pipe(ends) != 0)
    return 2;
  int code = run(path, ends, said, sizeof said);
  close(descriptor);
  unlink(path);
  const char *end = strchr(said, '\n');
  bool one_line = end != NULL && end[1] == '\0' && strstr(said, path) != NULL && strstr(said, "became shorter") != NULL;
  if (code == EXIT_WORK_FAILED && one_line)
    return 0;
  printf("exit code %d, not %d; standard error, which must have one line:\n%s", code, EXIT_WORK_FAILED, said);
  return 1;
}
