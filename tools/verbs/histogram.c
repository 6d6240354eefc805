// clreduce histogram: counts the elements in bins.
#define _XOPEN_SOURCE 700  // open_memstream

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "input/edges.h"
#include "run/job.h"
#include "verify/verify.h"

enum { BAR_LEAST = 10 };

struct counting {
  struct job job;
  struct edges edges;
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
  code = code ? code : edges_resolve(&at->edges, args, &job->session, &job->input, job->buffer);
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

static cl_ulong count_at(const struct results *counts, uint64_t index) {
  return number_bits(CLRED_TYPE_ULONG, results_at(counts, index));
}

// The columns of a line that the edges and the count leave free.
static int longest_bar(const struct counting *at, const struct results *counts, cl_ulong most) {
  char text[NUMBER_TEXT_SIZE];
  int edges = 0;
  for (uint64_t i = 0; i <= counts->count; i++) {
    number_double_text(edge_at(at, i), text);
    edges = (int)strlen(text) > edges ? (int)strlen(text) : edges;
  }
  const int left = HELP_WIDTH - 2 * edges - snprintf(NULL, 0, "%llu", (unsigned long long)most) - 3;
  return left > BAR_LEAST ? left : BAR_LEAST;
}

// The largest count has the longest bar. A count that is not 0 has one mark at least.
static void write_bar(FILE *file, cl_ulong count, cl_ulong most, int longest) {
  const int length = most == 0 ? 0 : (int)ceil((double)count / (double)most * longest);
  fprintf(file, " %s", colour_begin(STDOUT_FILENO, COLOUR_BAR));
  for (int i = 0; i < length; i++)
    fputc('#', file);
  fputs(colour_end(STDOUT_FILENO), file);
}

static void write_lines(const struct counting *at, const struct results *counts, FILE *file) {
  char low[NUMBER_TEXT_SIZE], high[NUMBER_TEXT_SIZE];
  const bool has_bars = isatty(STDOUT_FILENO);
  cl_ulong most = 0;
  for (uint64_t i = 0; i < counts->count && has_bars; i++)
    most = count_at(counts, i) > most ? count_at(counts, i) : most;
  const int longest = has_bars ? longest_bar(at, counts, most) : 0;
  for (uint64_t i = 0; i < counts->count; i++) {
    number_double_text(edge_at(at, i), low);
    number_double_text(edge_at(at, i + 1), high);
    fprintf(file, "%s %s %llu", low, high, (unsigned long long)count_at(counts, i));
    if (has_bars)
      write_bar(file, count_at(counts, i), most, longest);
    fputc('\n', file);
  }
}

// A terminal gets aligned columns and bars. Other output has three words a line.
static int print_lines(const struct counting *at, const struct results *counts) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (file == NULL)
    return fail_memory();
  write_lines(at, counts, file);
  int code = fclose(file) == 0 ? lines_print(text, size, false) : fail_memory();
  free(text);
  return code;
}

// The `add` of the job: the counts are an array, and JSON also has the edges.
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
  const struct counting *at = about;
  (void)verdict;
  int code = job_write(&at->job, &outcome->results, &at->job.layout, NULL);
  return code || at->job.args->output != NULL ? code : print_lines(at, &outcome->results);
}

int cmd_histogram(const struct args *args) {
  struct counting at = {.edges = {.numbers = NULL}};
  job_begin(&at.job, args);
  at.job.plain = true;
  at.job.operation.name = "histogram";
  at.job.open = open_input;
  at.job.load = load;
  at.job.add = add_edges;
  at.job.print = args->json ? NULL : print;
  at.job.about = &at;
  int code = job_compute(&at.job, problem_check_strategy(args->strategy));
  edges_release(&at.edges);
  job_close(&at.job);
  return code;
}
