// clreduce histogram: counts the elements in bins.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/colour.h"
#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "input/edges.h"
#include "run/job.h"
#include "run/streaming.h"
#include "verify/verify.h"

enum { BAR_LEAST = 10 };

struct counting {
  struct job job;
  struct edges edges;
  clred_plan *plan;
  const struct outcome *outcome;
};

static int open_input(struct counting *at) {
  const struct job *job = &at->job;
  at->job.plain = true;
  int code = job_open_inputs(&at->job);
  if (!code && job->input.type.components != 1)
    code = fail(EXIT_BAD_USE, "histogram is not defined for %s, which has several components", job->input.type.name);
  return code ? code : edges_take(&at->edges, job->args, &job->input.type);
}

static int load(struct counting *at) {
  struct job *job = &at->job;
  int code = streaming_choose(job);
  if (!code && !job->streams)
    code = job_load(job);
  return code ? code : edges_settle(&at->edges, job->args, &job->session, &job->input, job->buffer);
}

static int make_plan(struct counting *at) {
  const struct args *args = at->job.args;
  at->job.problem = (clred_problem){.type = at->job.input.type.type,
                                    .histogram = &at->edges.histogram,
                                    .strategy = args->strategy,
                                    .group_size = args->group_size.value,
                                    .groups = args->groups.value,
                                    .profile = CL_TRUE};
  at->job.bins = at->edges.histogram.bins;
  return job_plan(&at->job, &at->plan);
}

static double edge_at(const struct counting *at, uint64_t index) {
  double edge = 0;
  clred_plan_edge(at->plan, index, &edge);
  return edge;
}

// What the table needs to know of all lines.
struct table {
  cl_ulong most;            // the largest count
  int edges, counts, bars;  // widths
};

static int width_of(const char *text, int width) {
  return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static struct table measure_table(const struct counting *at) {
  const struct results *results = &at->outcome->results;
  struct table table = {0};
  char text[NUMBER_TEXT_SIZE];
  for (uint64_t i = 0; i <= results->count; i++) {
    number_double_text(edge_at(at, i), text);
    table.edges = width_of(text, table.edges);
  }
  for (uint64_t i = 0; i < results->count; i++) {
    cl_ulong count = number_bits(CLRED_TYPE_ULONG, results_at(results, i));
    table.most = count > table.most ? count : table.most;
  }
  number_text(CLRED_TYPE_ULONG, &table.most, text);
  table.counts = width_of(text, 0);
  int left = HELP_WIDTH - 2 * table.edges - table.counts - 3;
  table.bars = left > BAR_LEAST ? left : BAR_LEAST;
  return table;
}

// The largest count has the longest bar. A count that is not 0 has one mark at least.
static void print_bar(const struct table *table, cl_ulong count) {
  const int length = table->most == 0 ? 0 : (int)ceil((double)count / (double)table->most * table->bars);
  printf(" %s", colour_begin(STDOUT_FILENO, COLOUR_BAR));
  for (int i = 0; i < length; i++)
    putchar('#');
  printf("%s", colour_end(STDOUT_FILENO));
}

// People get aligned columns and bars, programs get three words a line.
static void print_lines(const struct counting *at) {
  const struct table table = isatty(STDOUT_FILENO) ? measure_table(at) : (struct table){0};
  char low[NUMBER_TEXT_SIZE], high[NUMBER_TEXT_SIZE];
  for (uint64_t i = 0; i < at->outcome->results.count; i++) {
    const cl_ulong count = number_bits(CLRED_TYPE_ULONG, results_at(&at->outcome->results, i));
    number_double_text(edge_at(at, i), low);
    number_double_text(edge_at(at, i + 1), high);
    printf("%*s %*s %*llu", table.edges, low, table.edges, high, table.counts, (unsigned long long)count);
    if (table.bars > 0)
      print_bar(&table, count);
    putchar('\n');
  }
}

// For `answer`: the counts are an array, and JSON has the edges, too.
static int add_edges(void *about, struct outcome *outcome, struct verdict *verdict) {
  struct counting *at = about;
  struct layout *layout = &at->job.layout;
  (void)verdict;
  layout->listed = true;
  layout->dimensions = 1;
  layout->shape[0] = outcome->results.count;
  outcome->more = cJSON_CreateObject();
  json_add_count(outcome->more, "bins", outcome->results.count);
  cJSON *edges = at->job.args->output == NULL ? cJSON_AddArrayToObject(outcome->more, "edges") : NULL;
  for (uint64_t i = 0; edges != NULL && i <= outcome->results.count; i++) {
    double edge = edge_at(at, i);
    cJSON_AddItemToArray(edges, json_value(CLRED_TYPE_DOUBLE, &edge));
  }
  return EXIT_DONE;
}

static int print(void *about, const struct outcome *outcome, const struct verdict *verdict) {
  struct counting *at = about;
  (void)verdict;
  at->outcome = outcome;
  int code = job_write(&at->job, &outcome->results, &at->job.layout, NULL);
  if (!code && at->job.args->output == NULL)
    print_lines(at);
  return code;
}

int cmd_histogram(const struct args *args) {
  struct counting at = {.plan = NULL};
  job_begin(&at.job, args);
  at.job.operation.name = "histogram";
  at.job.add = add_edges;
  at.job.print = args->json ? NULL : print;
  at.job.about = &at;
  int code = problem_check_strategy(args->strategy);
  code = code ? code : open_input(&at);
  code = code ? code : load(&at);
  code = code ? code : make_plan(&at);
  code = code ? code : answer(&at.job, at.plan);
  clred_plan_release(at.plan);
  edges_release(&at.edges);
  job_close(&at.job);
  return code;
}
