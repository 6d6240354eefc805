// clreduce histogram: counts the elements in bins.
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "cli/verbs.h"
#include "input/edges.h"
#include "run/job.h"

struct counting {
  struct job job;
  struct edges edges;
  struct results upper;  // the upper edges of the bins
};

static int open_input(void *about) {
  struct counting *at = about;
  const struct job *job = &at->job;
  int code = job_open_inputs(&at->job);
  if (!code && job->input.type.components != 1)
    code = fail(EXIT_BAD_USE, "histogram is not defined for %s, which has several components", job->input.type.name);
  return code ? code : edges_take(&at->edges, job->args, &job->input.type);
}

static int load(void *about) {
  struct counting *at = about;
  struct job *job = &at->job;
  const struct args *args = job->args;
  int code = job_load_or_stream(job);
  code = code ? code : edges_settle(&at->edges, args, &job->session, &job->input, job->buffer);
  job->problem = (clred_problem){.type = job->input.type.type,
                                 .histogram = &at->edges.histogram,
                                 .strategy = args->strategy,
                                 .group_size = args->group_size.value,
                                 .groups = args->groups.value,
                                 .profile = CL_TRUE};
  job->bins = at->edges.histogram.bins;
  return code;
}

static double edge_at(const struct counting *at, uint64_t index) {
  double edge = 0;
  clred_plan_edge(at->job.plan, index, &edge);
  return edge;
}

static cJSON *edges_json(const struct counting *at, uint64_t bins) {
  cJSON *list = cJSON_CreateArray();
  for (uint64_t i = 0; i <= bins; i++) {
    const double edge = edge_at(at, i);
    cJSON_AddItemToArray(list, json_value(CLRED_TYPE_DOUBLE, &edge));
  }
  return list;
}

// The edges of each bin stand before its count in a line.
static int make_keys(struct counting *at, struct results *lower) {
  const uint64_t bins = at->job.bins;
  int code = results_make_values(lower, CLRED_TYPE_DOUBLE, bins);
  code = code ? code : results_make_values(&at->upper, CLRED_TYPE_DOUBLE, bins);
  for (uint64_t i = 0; i < bins && !code; i++) {
    const double edges[] = {edge_at(at, i), edge_at(at, i + 1)};
    memcpy(results_at(lower, i), &edges[0], sizeof edges[0]);
    memcpy(results_at(&at->upper, i), &edges[1], sizeof edges[1]);
  }
  lower->next = &at->upper;
  return code;
}

// For `answer`: the counts are an array, and lines and JSON have the edges, too.
static int add_edges(void *about, struct outcome *outcome, struct verdict *verdict) {
  struct counting *at = about;
  struct layout *layout = &at->job.layout;
  (void)verdict;
  layout->listed = true;
  layout->dimensions = 1;
  layout->shape[0] = outcome->results.count;
  outcome->more = cJSON_CreateObject();
  json_add_count(outcome->more, "bins", outcome->results.count);
  if (at->job.args->output == NULL)
    cJSON_AddItemToObject(outcome->more, "edges", edges_json(at, outcome->results.count));
  return make_keys(at, &outcome->keys);
}

int cmd_histogram(const struct args *args) {
  struct counting at = {.edges = {.numbers = NULL}};
  job_begin(&at.job, args);
  at.job.plain = true;
  at.job.operation.name = "histogram";
  at.job.open = open_input;
  at.job.load = load;
  at.job.add = add_edges;
  at.job.about = &at;
  int code = job_compute(&at.job, problem_check_strategy(args->strategy));
  edges_release(&at.edges);
  results_release(&at.upper);
  job_close(&at.job);
  return code;
}
