// Starts a peer, sends it lines and waits for answers, each with a time limit.
#include "bench/peer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/progress.h"

extern char **environ;

// ---- Processes that end with this one

// A signal handler reads the table, so each entry is written atomically. 0: free.
enum { PROCESSES_MOST = 16 };
static volatile sig_atomic_t processes[PROCESSES_MOST];

static void end_all(int number) {
  for (size_t i = 0; i < PROCESSES_MOST; i++)
    if (processes[i] > 0)
      kill(-(pid_t)processes[i], SIGKILL);
  signal(number, SIG_DFL);
  raise(number);
}

void peers_end_by_signal(void) {
  static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction action = {.sa_handler = end_all};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
    sigaction(numbers[i], &action, NULL);
}

// False if the table has no such entry.
static bool replace(pid_t old, pid_t new) {
  for (size_t i = 0; i < PROCESSES_MOST; i++)
    if (processes[i] == old) {
      processes[i] = new;
      return true;
    }
  return false;
}

// Kills the whole process group, because a script may have started other processes.
static void end_process(struct peer *peer) {
  if (peer->process <= 0)
    return;
  kill(-peer->process, SIGKILL);
  while (waitpid(peer->process, NULL, 0) < 0 && errno == EINTR)
    ;
  replace(peer->process, 0);
  close(peer->to);
  close(peer->from);
  peer->process = 0;
}

// Ends the peer, which is not used any more. Returns false.
__attribute__((format(printf, 2, 3))) static bool leave_out(struct peer *peer, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(peer->reason, sizeof peer->reason, format, arguments);
  va_end(arguments);
  peer->out = true;
  end_process(peer);
  return false;
}

// ---- Starting

// No other child inherits the ends: the peer gets its own by dup2.
static bool make_pipe(int ends[2]) {
  if (pipe(ends) != 0)
    return false;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  return true;
}

static int spawn(struct peer *peer, int in, int out, int data) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t defaults;
  char *const words[] = {peer->program, NULL};

  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, data, PEER_DATA_DESCRIPTOR);
  posix_spawnattr_init(&attributes);
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGPIPE);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  int error = posix_spawn(&peer->process, peer->program, &actions, &attributes, words, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

static void take_process(struct peer *peer, int error) {
  if (error != 0) {
    close(peer->to);
    close(peer->from);
    peer->process = 0;
    leave_out(peer, "cannot be started: %s", strerror(error));
  } else if (!replace(0, peer->process))
    leave_out(peer, "there are too many peers");
}

void peer_start(struct peer *peer, const char *program, int data, double patience) {
  const char *slash = strrchr(program, '/');
  int in[2], out[2];
  *peer = (struct peer){.patience = patience};
  snprintf(peer->program, sizeof peer->program, "%s", program);
  snprintf(peer->name, sizeof peer->name, "%s", slash == NULL ? program : slash + 1);
  if (!make_pipe(in) || !make_pipe(out)) {
    leave_out(peer, "no pipe can be made: %s", strerror(errno));
    return;
  }
  int error = spawn(peer, in[0], out[1], data);
  close(in[0]);
  close(out[1]);
  peer->to = in[1];
  peer->from = out[0];
  take_process(peer, error);
}

// ---- Lines

__attribute__((format(printf, 2, 3))) static bool send_line(struct peer *peer, const char *format, ...) {
  char line[PEER_LINE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  if (peer->out)
    return false;
  peer->held = 0;
  if (length < 0 || (size_t)length >= sizeof line || write(peer->to, line, (size_t)length) != length)
    return leave_out(peer, "it has ended");
  return true;
}

static bool read_more(struct peer *peer, double deadline) {
  struct pollfd waiting = {.fd = peer->from, .events = POLLIN};
  double left = deadline - seconds_now();
  int ready = poll(&waiting, 1, left > 0 ? (int)fmin(ceil(left * 1e3), 1e9) : 0);
  if (ready < 0 && errno == EINTR)
    return true;
  if (ready <= 0)
    return leave_out(peer, "it did not answer within %g seconds", peer->patience);
  ssize_t got = read(peer->from, peer->line + peer->held, sizeof peer->line - 1 - peer->held);
  if (got <= 0)
    return leave_out(peer, "it has ended");
  peer->held += (size_t)got;
  return true;
}

static bool receive_line(struct peer *peer) {
  double deadline = seconds_now() + peer->patience;
  char *end;
  peer->held = 0;
  while ((end = memchr(peer->line, '\n', peer->held)) == NULL) {
    if (peer->held == sizeof peer->line - 1)
      return leave_out(peer, "its answer has no end");
    if (!read_more(peer, deadline))
      return false;
  }
  *end = '\0';
  return true;
}

static bool leave_out_for_answer(struct peer *peer) {
  for (char *letter = peer->line; *letter != '\0'; letter++)
    if ((unsigned char)*letter < ' ' || (unsigned char)*letter > '~')
      *letter = '?';
  return leave_out(peer, "it answered '%.60s', which is no line of the protocol", peer->line);
}

// ---- Requests

void peer_greet(struct peer *peer) {
  char name[PEER_NAME_SIZE], clocks[32];
  int end = 0;
  if (peer->out || !receive_line(peer))
    return;
  if (sscanf(peer->line, "peer %63s %31s %n", name, clocks, &end) < 2 || end == 0)
    leave_out_for_answer(peer);
  else {
    peer->has_device_clock = strcmp(clocks, "wall,device") == 0;
    snprintf(peer->version, sizeof peer->version, "%s", peer->line + end);
  }
}

static bool is_ready(struct peer *peer) {
  static const char refused[] = "refused ";
  if (!receive_line(peer))
    return false;
  if (strcmp(peer->line, "ready") == 0)
    return true;
  if (strncmp(peer->line, refused, sizeof refused - 1) != 0)
    return leave_out_for_answer(peer);
  snprintf(peer->reason, sizeof peer->reason, "%s", peer->line + sizeof refused - 1);
  return false;
}

bool peer_open(struct peer *peer, const struct device *device) {
  char kind[DEVICE_TEXT_SIZE];
  device_type_text(device->type, kind);
  return send_line(peer, "device %s %zu %s\n", *kind == '\0' ? "other" : kind, device->index, device->name) &&
         is_ready(peer);
}

bool peer_prepare(struct peer *peer, const char *type, const char *op, uint64_t count) {
  return send_line(peer, "prepare %s %s %" PRIu64 "\n", type, op, count) && is_ready(peer);
}

// Parses "seconds S value V" and returns where V begins; NULL if the line has another form or S is not positive.
static const char *read_run(const char *line, double *seconds) {
  static const char before[] = "seconds ", between[] = "value";
  char *end;
  if (strncmp(line, before, sizeof before - 1) != 0)
    return NULL;
  *seconds = strtod(line + sizeof before - 1, &end);
  bool is_number = end != line + sizeof before - 1;
  end += strspn(end, " ");
  if (!is_number || strncmp(end, between, sizeof between - 1) != 0 || !(*seconds > 0) || isinf(*seconds))
    return NULL;
  end += sizeof between - 1;
  return end + strspn(end, " ");
}

bool peer_run(struct peer *peer, bool device_clock, uint64_t calls, double *seconds, const char **value) {
  if (!send_line(peer, "run %s %" PRIu64 "\n", device_clock ? "device" : "wall", calls) || !receive_line(peer))
    return false;
  *value = read_run(peer->line, seconds);
  return *value != NULL || leave_out_for_answer(peer);
}

// A peer ends when its input ends. A peer that does not end is killed.
void peer_stop(struct peer *peer) {
  if (peer->process <= 0)
    return;
  send_line(peer, "quit\n");
  struct timespec moment = {.tv_nsec = 5000000};
  for (int i = 0; i < 100 && peer->process > 0; i++) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)peer->process, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0)
      break;
    nanosleep(&moment, NULL);
  }
  end_process(peer);
}
