// threads: many threads use one runtime and its plans at once, on queues of both kinds: calls of every kind, calls on
// host memory, streams, new plans, inspection, failures. A loop gives each expected result. The number of calls is an
// option.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pthread.h>

#include "oracle/tree.h"
#include "stress.h"

#define THREADS_MAX 64

static const char usage[] = "usage: threads [--threads N] [--calls N] [--seed N]\n"
                            "  --threads  how many, each with two queues (8)\n"
                            "  --calls    on each queue (10000)\n";

static struct { unsigned long threads, calls, seed; } options = {8, 10000, 1};

static struct shared shared;
static struct worker workers[THREADS_MAX];

static bool parse(int argc, char **argv) {
  for (int i = 1; i < argc; i += 2) {
    unsigned long *number = strcmp(argv[i], "--threads") == 0 ? &options.threads
                            : strcmp(argv[i], "--calls") == 0 ? &options.calls
                            : strcmp(argv[i], "--seed") == 0  ? &options.seed
                                                              : NULL;
    char end;
    if (!number || i + 1 == argc || sscanf(argv[i + 1], "%lu%c", number, &end) != 1)
      return false;
  }
  return options.threads >= 1 && options.threads <= THREADS_MAX;
}

// ---------------------------------------------------------------- What is shared

static bool has_out_of_order(void) {
  cl_command_queue_properties properties = 0;
  clGetDeviceInfo(shared.device.id, CL_DEVICE_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
  return (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
}

static void make_sorter(void) {
  const clred_sort_problem problem = {.type = CLRED_TYPE_FLOAT, .count_max = NUMBERS, .host_calls = CL_TRUE};
  const cl_int err = clred_sorter_create(shared.device.runtime, &problem, &shared.sorter);
  if (err)
    oracle_fail("clred_sorter_create", clred_status_name(err));
}

static void describe_all(void) {
  for (size_t i = 0; i < subject_count; i++) {
    const size_t length = clred_plan_describe(shared.plans[i], NUMBERS, NULL, 0);
    shared.descriptions[i] = oracle_claim(length + 1, 1);
    clred_plan_describe(shared.plans[i], NUMBERS, shared.descriptions[i], length + 1);
  }
  for (size_t i = 0; i < MESSAGES; i++) {
    const char *trouble = aside_fail(&shared, shared.device.queue, i);
    if (trouble)
      oracle_fail("before there are threads", trouble);
    snprintf(shared.messages[i], TEXT, "%s", clred_last_error(shared.device.runtime));
  }
}

// ---------------------------------------------------------------- All plans made by all threads at once

static pthread_barrier_t at_once;

static void *make_plans(void *of) {
  clred_plan **plans = of;
  for (size_t i = 0; i < subject_count; i++) {
    pthread_barrier_wait(&at_once);
    const cl_int err = clred_plan_create(shared.device.runtime, &subjects[i].problem, &plans[i]);
    if (err)
      fprintf(stderr, "threads: %s: clred_plan_create gave %s\n", subjects[i].name, clred_status_name(err));
  }
  return NULL;
}

static void run_all(void *(*function)(void *), void *of, size_t size) {
  pthread_t threads[THREADS_MAX];
  for (size_t i = 0; i < options.threads; i++)
    if (pthread_create(&threads[i], NULL, function, (char *)of + i * size))
      oracle_fail("pthread_create", "failed");
  for (size_t i = 0; i < options.threads; i++)
    pthread_join(threads[i], NULL);
}

// The number of programs that one thread builds for the same plans.
static size_t builds_by_one(void) {
  clred_runtime *runtime = NULL;
  const clred_options same = {.build_options = getenv("CLREDUCE_TEST_BUILD_OPTIONS"),
                              .assume = getenv("CLREDUCE_TEST_ASSUME")};
  clred_runtime_create(shared.device.context, shared.device.id, &same, &runtime);
  for (size_t i = 0; i < subject_count; i++) {
    clred_plan *plan = NULL;
    clred_plan_create(runtime, &subjects[i].problem, &plan);
    clred_plan_release(plan);
  }
  const size_t builds = runtime_info(runtime).builds;
  clred_runtime_release(runtime);
  return builds;
}

static bool make_all_plans(void) {
  static clred_plan *plans[THREADS_MAX][SUBJECTS_MAX];
  bool made = true;
  pthread_barrier_init(&at_once, NULL, (unsigned)options.threads);
  run_all(make_plans, plans, sizeof *plans);
  pthread_barrier_destroy(&at_once);
  for (size_t i = 0; i < subject_count; i++) {
    for (size_t thread = 0; thread < options.threads; thread++)
      made &= plans[thread][i] != NULL;
    for (size_t thread = 1; thread < options.threads; thread++)
      clred_plan_release(plans[thread][i]);
    shared.plans[i] = plans[0][i];
  }
  const size_t builds = runtime_info(shared.device.runtime).builds, expected = made ? builds_by_one() : 0;
  printf("%zu plans made by %lu threads at once: %zu programs built\n", subject_count, options.threads, builds);
  if (made && builds != expected)
    printf("FAILED: one thread builds %zu programs for the same plans\n", expected);
  return made && builds == expected;
}

// ---------------------------------------------------------------- The run

static void *work(void *of) {
  worker_run(of);
  return NULL;
}

static void show_counts(void) {
  for (size_t i = 0; i < subject_count; i++) {
    unsigned long asked = 0;
    for (size_t w = 0; w < options.threads; w++)
      asked += workers[w].asked[i];
    printf("%8lu  %s\n", asked, subjects[i].name);
  }
  for (size_t i = 0; i < aside_count; i++) {
    unsigned long done = 0;
    for (size_t w = 0; w < options.threads; w++)
      done += workers[w].done_aside[i];
    printf("%8lu  %s\n", done, asides[i].name);
  }
}

static bool run_workers(void) {
  unsigned troubles = 0;
  for (size_t i = 0; i < options.threads; i++)
    worker_open(&workers[i], &shared, options.seed + 1000 * i, (unsigned)options.calls);
  run_all(work, workers, sizeof *workers);
  show_counts();
  for (size_t i = 0; i < options.threads; i++) {
    if (workers[i].trouble[0])
      printf("FAILED in thread %zu: %s\n", i, workers[i].trouble);
    troubles += workers[i].trouble[0] != 0;
    worker_close(&workers[i]);
  }
  printf("%lu threads x %d queues x %lu calls: %s\n", options.threads, QUEUES, options.calls,
         troubles ? "WRONG" : "all right");
  return !troubles;
}

int main(int argc, char **argv) {
  if (!parse(argc, argv)) {
    fputs(usage, stderr);
    return 2;
  }
  const char *trouble = device_open(&shared.device);
  if (trouble) {
    fprintf(stderr, "threads: %s\n", trouble);
    return 2;
  }
  printf("device: %s\n", shared.device.name);
  shared.out_of_order = has_out_of_order();
  if (!shared.out_of_order)
    printf("skipped: out-of-order queues: the device has none\n");
  numbers_create(&shared.numbers, &shared.device, options.seed);
  bool right = make_all_plans();
  if (right) {
    describe_all();
    make_sorter();
    right = run_workers();
  }
  for (size_t i = 0; i < subject_count; i++) {
    RELEASE(shared.plans[i], shared.descriptions[i]);
  }
  RELEASE(shared.sorter);
  numbers_release(&shared.numbers);
  device_close(&shared.device);
  return right ? 0 : 1;
}
