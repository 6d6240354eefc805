// clreduce histogram: counts the elements in bins.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "cli/verbs.h"
#include "device/session.h"
#include "input/edges.h"
#include "run/results.h"
#include "run/run.h"

struct work_at_hand {
  const struct args *args;
  struct input input;
  struct edges edges;
  struct session session;
  cl_mem buffer;
  clred_plan *plan;
  struct outcome outcome;
  bool correct;
  struct progress progress;
};

// ---- Counting

static int open_input(struct work_at_hand *at) {
  const struct args *args = at->args;
  struct request request;
  int code = input_choose(args, &request);
  if (code == EXIT_DONE)
    code = input_open(&at->input, &request);
  if (code == EXIT_DONE && at->input.type.components != 1)
    code = fail(EXIT_BAD_USE, "histogram is not defined for %s, which has several components", at->input.type.name);
  return code == EXIT_DONE ? edges_take(&at->edges, args, &at->input.type) : code;
}

static int load(struct work_at_hand *at) {
  int code = session_open_asked(&at->session, at->args);
  if (code == EXIT_DONE)
    code = run_check_size(&at->session, &at->input);
  if (code == EXIT_DONE)
    code = input_load(&at->input, &at->progress);
  progress_end(&at->progress);
  if (code == EXIT_DONE)
    code = run_upload(&at->session, &at->input, &at->buffer);
  return code == EXIT_DONE ? edges_settle(&at->edges, at->args, &at->session, &at->input, at->buffer) : code;
}

static int make_plan(struct work_at_hand *at) {
  const struct args *args = at->args;
  const clred_problem problem = {.type = at->input.type.type,
                                 .histogram = &at->edges.histogram,
                                 .strategy = args->strategy,
                                 .group_size = args->group_size.value,
                                 .groups = args->groups.value,
                                 .profile = CL_TRUE};
  cl_int status = session_plan(&at->session, &problem, &at->plan);
  return status == CL_SUCCESS ? EXIT_DONE : fail_library(status, clred_last_error(at->session.runtime));
}

static int run(struct work_at_hand *at) {
  cl_ulong calls = at->args->repeat.given ? at->args->repeat.value : 1;
  const struct work work = {
    .call = {.in = at->buffer, .count = at->input.count}, .results = at->edges.histogram.bins, .scans = true};
  return run_plan(&at->session, at->plan, &work, (struct repeats){.count = calls, .warm = calls > 1}, &at->outcome);
}

// ---- Verification

static int verify(struct work_at_hand *at) {
  struct results expected = {0};
  at->correct = true;
  if (!at->args->verify)
    return EXIT_DONE;
  int code = results_make_like(&expected, &at->outcome.results);
  if (code == EXIT_DONE) {
    cl_int status = clred_plan_reference(
      at->plan, &(clred_host_call){.in = at->input.data, .count = at->input.count, .out = expected.bytes});
    code = status == CL_SUCCESS ? EXIT_DONE : fail_library(status, "clred_plan_reference");
  }
  if (code == EXIT_DONE)
    at->correct =
      at->outcome.steady && memcmp(expected.bytes, at->outcome.results.bytes, expected.count * expected.size) == 0;
  results_release(&expected);
  return code;
}

// ---- Output

static double edge_at(const struct work_at_hand *at, uint64_t index) {
  double edge = 0;
  clred_plan_edge(at->plan, index, &edge);
  return edge;
}

static int print_lines(const struct work_at_hand *at) {
  for (uint64_t i = 0; i < at->outcome.results.count; i++) {
    char low[NUMBER_TEXT_SIZE], high[NUMBER_TEXT_SIZE], count[NUMBER_TEXT_SIZE];
    number_double_text(edge_at(at, i), low);
    number_double_text(edge_at(at, i + 1), high);
    number_text(CLRED_TYPE_ULONG, results_at(&at->outcome.results, i), count);
    printf("%s %s %s\n", low, high, count);
  }
  return EXIT_DONE;
}

static void add_edges(cJSON *object, const struct work_at_hand *at) {
  cJSON *edges = cJSON_AddArrayToObject(object, "edges");
  for (uint64_t i = 0; i <= at->outcome.results.count; i++) {
    double edge = edge_at(at, i);
    cJSON_AddItemToArray(edges, json_value(CLRED_TYPE_DOUBLE, &edge));
  }
  cJSON_AddItemToObject(object, "counts", results_json(&at->outcome.results, true));
}

static void add_plan(cJSON *object, const struct work_at_hand *at) {
  json_add_plan(object, &at->outcome.info);
  device_add_json(object, &at->session.device);
  json_add_text(object, "assumed", at->args->assume);
  json_add_programs(object, at->session.runtime);
}

static int print_json_object(const struct work_at_hand *at) {
  cJSON *object = cJSON_CreateObject();
  if (at->args->output == NULL)
    add_edges(object, at);
  json_add_count(object, "bins", at->outcome.results.count);
  json_add_text(object, "type", at->input.type.name);
  json_add_text(object, "result_type", "ulong");
  json_add_count(object, "count", at->input.count);
  add_plan(object, at);
  json_add_measure(object, "kernel_seconds", at->outcome.kernel_seconds);
  json_add_measure(object, "wall_seconds", at->outcome.wall_seconds);
  json_add_measure(object, "gigabytes_per_second", (double)input_bytes(&at->input) / at->outcome.kernel_seconds / 1e9);
  if (at->args->verify)
    json_add_truth(object, "verified", at->correct);
  else
    cJSON_AddNullToObject(object, "verified");
  json_add_text(object, "output", at->args->output);
  return json_print(object);
}

static int print(const struct work_at_hand *at) {
  const char *path = at->args->output;
  const struct layout layout = {.dimensions = 1, .shape = {at->outcome.results.count}};
  int code = path == NULL ? EXIT_DONE : results_write(&at->outcome.results, &layout, "--output", path);
  if (code == EXIT_DONE && at->args->json)
    return print_json_object(at);
  return code == EXIT_DONE && path == NULL ? print_lines(at) : code;
}

// ---- The verb

static int answer_all(struct work_at_hand *at) {
  int code = run(at);
  if (code == EXIT_DONE)
    code = verify(at);
  if (code == EXIT_DONE && at->args->explain && !at->args->quiet)
    code = session_explain(&at->session, at->plan, at->input.count);
  if (code == EXIT_DONE)
    code = print(at);
  if (code == EXIT_DONE && !at->correct)
    code = fail(EXIT_WRONG, "--verify: the counts of %llu elements by %s are wrong; those of the host differ%s",
                (unsigned long long)at->input.count, at->outcome.info.strategy,
                at->outcome.steady ? "" : ", and the calls differ from each other");
  return code;
}

// Buffers may use the memory of inputs, so they are released first.
static void close_all(struct work_at_hand *at) {
  outcome_release(&at->outcome);
  clred_plan_release(at->plan);
  if (at->buffer != NULL)
    clReleaseMemObject(at->buffer);
  session_close(&at->session);
  edges_release(&at->edges);
  input_close(&at->input);
}

int cmd_histogram(const struct args *args) {
  struct work_at_hand at = {.args = args, .input = {.stream.descriptor = -1}};
  progress_begin(&at.progress, args->quiet);
  int code = open_input(&at);
  if (code == EXIT_DONE)
    code = load(&at);
  if (code == EXIT_DONE)
    code = make_plan(&at);
  if (code == EXIT_DONE)
    code = answer_all(&at);
  close_all(&at);
  return code;
}
