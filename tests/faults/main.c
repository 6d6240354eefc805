// Makes every OpenCL call and every allocation of every path fail: in one run only this one, in another run also all
// that follow (tests/faults/README.md). Scenarios run in a child process, so that a crash ends only one injection.
// Drivers are opened after the fork.

#define _DEFAULT_SOURCE  // MAP_ANONYMOUS, setenv

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grid/options.h"
#include "inject.h"

// ---------------------------------------------------------------- Children

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

static struct tally *tally_create(void) {
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

static void children_end(void) {
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

// Runs a scenario to its end. After a crash a new process continues with the next injection.
static void children_run(const struct scenario *scenario, const struct effort *effort, struct tally *tally) {
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

// ---------------------------------------------------------------- The command line

// How many calls of a scenario fail at most, without --every. Trials and tunings repeat the same calls thousands of
// times.
#define MOST_CALLS 300

struct request {
  struct effort effort;
  bool quick, every, list, entries;
  const char *filter, *only;
};

static const char *const only_names[SOURCES] = {"once", "on", "late", "memory", "memory-on"};

// ---------------------------------------------------------------- Output

static void print_heading(void) {
  printf("%-46s %6s %6s %6s %6s %6s %6s %7s %6s %6s %6s\n", "scenario", "once", "on", "late", "memory", "mem on",
         "unseen", "crashes", "leaks", "wrong", "other");
}

static void print_counts(const char *name, const struct counts *counts) {
  printf("%-46s", name);
  for (int i = 0; i < SOURCES; i++)
    printf(" %6ld", counts->injections[i]);
  printf(" %6ld %7ld %6ld %6ld %6ld\n", counts->unseen, counts->crashes + counts->hangs, counts->leaks, counts->wrong,
         counts->others);
  fflush(stdout);
}

// Prints the OpenCL functions that never failed, then how many functions and codes failed at least once.
static void print_met(const struct tally *tally) {
  long entries = 0, can_fail = 0, pairs = 0, all_pairs = 0;
  printf("never made to fail:");
  for (int i = 0; i < FAULT_ENTRIES; i++) {
    long met = 0;
    for (int code = 0; code < CODES_MAX; code++)
      met += tally->met[i][code] > 0;
    can_fail += fault_rows[i].codes != NULL;
    entries += met > 0;
    pairs += met;
    all_pairs += (long)fault_rows[i].code_count;
    if (fault_rows[i].codes && !met)
      printf(" %s", fault_rows[i].name);
  }
  printf("\n%ld of %ld OpenCL calls that can fail, %ld of %ld pairs of call and code\n", entries, can_fail, pairs,
         all_pairs);
}

static int print_sum(const struct counts *sum, const struct tally *tally, size_t scenarios) {
  print_counts("all", sum);
  print_met(tally);
  printf("%ld injections in %zu scenarios: %ld crashes, %ld hangs, %ld leaks, %ld wrong results, %ld other failures\n",
         counts_injections(sum), scenarios, sum->crashes, sum->hangs, sum->leaks, sum->wrong, sum->others);
  return counts_failures(sum) || !counts_injections(sum) ? EXIT_FAILURE : EXIT_SUCCESS;
}

static int print_entries(void) {
  for (int i = 0; i < FAULT_ENTRIES; i++)
    printf("%s\n", fault_rows[i].name);
  return EXIT_SUCCESS;
}

// ---------------------------------------------------------------- Options

static bool read_only(const char *name, struct request *request) {
  for (int i = 0; i < SOURCES; i++)
    if (strcmp(name, only_names[i]) == 0)
      request->effort.only = i;
  if (request->effort.only < 0)
    fprintf(stderr, "faults: --only takes once, on, late, memory or memory-on, not '%s'\n", name);
  return request->effort.only >= 0;
}

static bool read_options(struct request *request, int count, char **arguments) {
  const struct option options[] = {
    OPTION("--quick", "some calls of most scenarios, with one code each; for CI", .flag = &request->quick),
    OPTION("--every", "each call; else 300 calls of a scenario, spread evenly", .flag = &request->every),
    OPTION("--filter", "scenarios whose name contains TEXT", .text = &request->filter),
    OPTION("--only", "one kind of failure: once, on, late, memory or memory-on", .text = &request->only),
    OPTION("--list", "print the names of the scenarios", .flag = &request->list),
    OPTION("--entries", "print the OpenCL calls that can fail or are counted", .flag = &request->entries),
  };
  if (!OPTIONS_READ("faults", options, count, arguments))
    return false;
  request->effort = (struct effort){.calls_most = request->every   ? 0
                                                  : request->quick ? QUICK_CALLS
                                                                   : MOST_CALLS,
                                    .all_codes = !request->quick,
                                    .only = -1};
  return !request->only || read_only(request->only, request);
}

static int run(const struct request *request) {
  static struct scenarios all;
  struct tally *tally = tally_create();
  struct counts sum = {.unseen = 0};
  size_t count = 0;
  add_rows(&all), add_hosts(&all), add_streams(&all), add_devices(&all), add_runtimes(&all), add_questions(&all);
  if (!tally)
    return EXIT_FAILURE;
  if (!request->list)
    print_heading();
  for (size_t i = 0; i < all.count; i++) {
    if (request->filter ? !strstr(all.rows[i].name, request->filter)
                        : !request->effort.all_codes && all.rows[i].flags & ONLY_IN_FULL)
      continue;
    count++;
    if (request->list) {
      printf("%s\n", all.rows[i].name);
      continue;
    }
    children_run(&all.rows[i], &request->effort, tally);
    print_counts(all.rows[i].name, &tally->counts);
    counts_add(&sum, &tally->counts);
  }
  children_end();
  return request->list ? EXIT_SUCCESS : print_sum(&sum, tally, count);
}

int main(int count, char **arguments) {
  struct request request = {.filter = NULL};
  if (!read_options(&request, count, arguments))
    return 2;
  if (request.entries)
    return print_entries();
  setenv("OPENCL_LAYERS", FAULTS_LAYER, 0);
  setenv("POCL_DEVICES", "pthread pthread", 0);  // some scenarios need two devices
  return run(&request);
}
