// Another process and a connection to it; see process.h.
#define _GNU_SOURCE  // strsignal, MSG_NOSIGNAL, SOCK_CLOEXEC
#include "platform/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

extern char **environ;

static bool spawn(const char *const *command, int input, pid_t *number) {
  posix_spawn_file_actions_t actions;
  union {
    const char *const *given;
    char *const *taken;
  } arguments = {command};
  if (posix_spawn_file_actions_init(&actions))
    return false;
  bool done = !posix_spawn_file_actions_adddup2(&actions, input, 0) &&
              !posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) &&
              !posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) &&
              !posix_spawn(number, command[0], &actions, NULL, arguments.taken, environ);
  posix_spawn_file_actions_destroy(&actions);
  return done;
}

bool clr_os_process_start(const char *const *command, struct clr_os_process *process) {
  int ends[2];
  pid_t number = 0;
  process->connection = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  bool done = spawn(command, ends[1], &number);
  close(ends[1]);
  if (!done) {
    close(ends[0]);
    return false;
  }
  *process = (struct clr_os_process){ends[0], (long)number};
  return true;
}

// Other signals come from a user, a batch system or a system without memory, and say nothing about a driver.
static bool is_of_a_fault(int number) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    if (faults[i] == number)
      return true;
  return false;
}

void clr_os_process_end(struct clr_os_process *process, char *how, size_t size) {
  const int tries = 200;
  const struct timespec pause = {0, 1000000};
  int state = 0;
  pid_t ended = 0;
  *how = 0;
  if (process->connection < 0)
    return;
  close(process->connection);
  process->connection = -1;
  // A process that waits for a message ends by itself, and a process that crashed has already ended.
  for (int i = 0; i < tries && ended == 0; i++) {
    ended = waitpid((pid_t)process->number, &state, WNOHANG);
    if (!ended)
      nanosleep(&pause, NULL);
  }
  if (!ended) {
    kill((pid_t)process->number, SIGKILL);
    while (waitpid((pid_t)process->number, &state, 0) < 0 && errno == EINTR)
      ;
  } else if (ended < 0) {
    // This program ignores SIGCHLD, or waits for all children itself.
    snprintf(how, size, "unknown signal or exit status");
  } else if (WIFSIGNALED(state) && is_of_a_fault(WTERMSIG(state))) {
    snprintf(how, size, "signal %d (%s)", WTERMSIG(state), strsignal(WTERMSIG(state)));
  }
}

bool clr_os_send(int connection, const void *bytes, size_t size) {
  const char *from = bytes;
  while (size > 0) {
    const ssize_t sent = send(connection, from, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return false;
    from += sent;
    size -= (size_t)sent;
  }
  return true;
}

static enum clr_received wait_for(int connection, unsigned seconds) {
  struct pollfd wanted = {.fd = connection, .events = POLLIN};
  int ready;
  do
    ready = poll(&wanted, 1, seconds ? (int)(seconds < 1000000 ? seconds * 1000 : 1000000000) : -1);
  while (ready < 0 && errno == EINTR);
  return ready == 0 ? CLR_RECEIVED_LATE : ready < 0 ? CLR_RECEIVED_ENDED : CLR_RECEIVED;
}

enum clr_received clr_os_receive(int connection, void *bytes, size_t size, unsigned seconds) {
  char *to = bytes;
  while (size > 0) {
    const enum clr_received waited = wait_for(connection, seconds);
    if (waited)
      return waited;
    const ssize_t got = recv(connection, to, size, 0);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return CLR_RECEIVED_ENDED;
    to += got;
    size -= (size_t)got;
  }
  return CLR_RECEIVED;
}

void clr_os_end_after(unsigned seconds) {
  alarm(seconds);
}
