// Makes every OpenCL call and every allocation of every path fail: in one run only this one, in another run also all
// that follow (tests/faults/README.md).

#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "children.h"
#include "grid/options.h"

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
