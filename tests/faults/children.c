// Child processes that run scenarios: see children.h.
#define _DEFAULT_SOURCE  // MAP_ANONYMOUS

#include "children.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// `_exit` loses the coverage counts unless they are written before.
#ifdef CLREDUCE_COUNTS
void __gcov_dump(void);
#define write_counts() __gcov_dump()
#else
#define write_counts() ((void)0)
#endif

// On a busy machine the first program may take long to build.
#define SECONDS_TO_BEGIN 180
#define SECONDS_WITHOUT_A_BEAT 20
#define DEATHS_MAX 50

struct tally *tally_create(void) {
  struct tally *tally = mmap(NULL, sizeof *tally, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return tally == MAP_FAILED ? NULL : tally;
}

static void wait_a_moment(void) {
  const struct timespec moment = {0, 5000000};
  nanosleep(&moment, NULL);
}

// Runs the scenarios that the parent names, up to the first crash. PoCL takes half a second for the first program of a
// process, so scenarios share one process.
static struct {
  pid_t id;
  int orders;  // the end of the pipe that the parent writes
} child;

static void serve(int orders, const struct effort *effort, struct tally *tally) {
  const struct scenario *scenario;
  while (read(orders, &scenario, sizeof scenario) == sizeof scenario) {
    inject_all(scenario, effort, tally);
    fflush(stdout);
    tally->is_done = true;
  }
  write_counts();
  _exit(EXIT_SUCCESS);
}

static bool begin_child(const struct effort *effort, struct tally *tally) {
  int ends[2];
  fflush(stdout);
  if (pipe(ends) != 0)
    return false;
  child.id = fork();
  if (child.id == 0) {
    close(ends[1]);
    serve(ends[0], effort, tally);
  }
  close(ends[0]);
  child.orders = ends[1];
  return child.id > 0;
}

void children_end(void) {
  if (child.id <= 0)
    return;
  close(child.orders);
  waitpid(child.id, NULL, 0);
  child.id = 0;
}

// Waits until the scenario is done or the child dies; kills the child if it makes no progress.
static int watch(const struct tally *tally, bool *hung) {
  long beats = -1;
  time_t since = time(NULL);
  int status = 0;
  *hung = false;
  while (!tally->is_done && waitpid(child.id, &status, WNOHANG) == 0) {
    if (tally->beats != beats)
      since = time(NULL);
    beats = tally->beats;
    if (time(NULL) - since > (tally->ordinal > tally->skip ? SECONDS_WITHOUT_A_BEAT : SECONDS_TO_BEGIN)) {
      *hung = true;
      kill(child.id, SIGKILL);
      waitpid(child.id, &status, 0);
      return status;
    }
    wait_a_moment();
  }
  return status;
}

static void report_death(struct tally *tally, int status, bool hung) {
  *(hung ? &tally->counts.hangs : &tally->counts.crashes) += 1;
  if (hung)
    printf("  FAILED %s: HANG\n", tally->now);
  else if (WIFSIGNALED(status))
    printf("  FAILED %s: CRASH: signal %d (%s)\n", tally->now, WTERMSIG(status), strsignal(WTERMSIG(status)));
  else
    printf("  FAILED %s: the process ended with exit code %d\n", tally->now, WEXITSTATUS(status));
  fflush(stdout);
}

static bool run_once(const struct scenario *scenario, const struct effort *effort, struct tally *tally) {
  bool hung;
  if ((child.id <= 0 && !begin_child(effort, tally)) ||
      write(child.orders, &scenario, sizeof scenario) != sizeof scenario) {
    perror("faults: a child");
    tally->counts.others++;
    return true;
  }
  const int status = watch(tally, &hung);
  if (tally->is_done)
    return true;
  report_death(tally, status, hung);
  close(child.orders);
  child.id = 0;
  return false;
}

void children_run(const struct scenario *scenario, const struct effort *effort, struct tally *tally) {
  tally->counts = (struct counts){.unseen = 0};
  tally->ordinal = tally->skip = 0;
  memset(tally->forgiven, 0, sizeof tally->forgiven);
  tally->is_done = false;
  for (int deaths = 0; deaths < DEATHS_MAX && !run_once(scenario, effort, tally); deaths++) {
    // No injection of this run was reached.
    if (tally->ordinal <= tally->skip)
      return;
    tally->skip = tally->ordinal;
  }
}
