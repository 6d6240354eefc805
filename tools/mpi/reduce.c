// Reduces the elements of all ranks: each reads its share of the files and folds it, then the partials are joined.
#include <clreduce_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "mpi/ranks.h"
#include "run/laws.h"
#include "run/partial.h"
#include "run/window.h"
#include "verbs/quantile.h"

enum { WINDOW_BYTES = 128 << 20 };

// What --json shows of a rank.
struct rank_about {
  char host[MPI_MAX_PROCESSOR_NAME], device[DEVICE_TEXT_SIZE];
  uint64_t first, count;
  double seconds;
};

struct reduction {
  struct ranks *ranks;
  struct args args;
  char device[24];  // of args, if --device names several
  struct job job;
  clred_plan *plan;
  clred_mpi *handle;
  clred_partial *partial;
  struct rank_about about;
};

// ---- The command line

static int check_options(const struct args *args) {
  if (quantile_is_named(args_op(args)) || quantile_is_list(args_op(args)))
    return fail(EXIT_BAD_USE, "%s: needs all elements at once; reduce it with clreduce", args_op(args));
  const char *other = args->stride.given            ? "--stride"
                      : args->layout != NULL        ? "--layout"
                      : args->chunk.given           ? "--chunk"
                      : args->interpolation != NULL ? "--interpolation"
                      : args->rows                  ? "--rows"
                                                    : NULL;
  if (other != NULL)
    return fail(EXIT_BAD_USE, "%s: the ranks fold neighbouring elements of one line; leave it out", other);
  int code = partial_check(args);
  return code ? code : partial_check_parts(args, "several ranks", "");
}

// The ranks of one machine take its devices in turn.
static int choose_device(struct reduction *reduction) {
  struct args *args = &reduction->args;
  struct devices devices = {0};
  MPI_Comm here;
  int place = 0;
  if (!device_is_list(args->device))
    return EXIT_DONE;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  MPI_Comm_rank(here, &place);
  MPI_Comm_free(&here);
  int code = devices_pick(args->device, &devices);
  if (!code)
    snprintf(reduction->device, sizeof reduction->device, "%zu", devices.list[(size_t)place % devices.count].index);
  args->device = code ? args->device : reduction->device;
  devices_release(&devices);
  return code;
}

// ---- Inputs

static int check_input(const struct input *input) {
  const bool is_empty = input->counted && input->count == 0;
  if (input->source == &source_generated || is_empty || input_is_in_files(input))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE,
              "%s: ranks cannot read shares of it: it is no file, or is packed, text, booleans, in Fortran order or in "
              "another byte order; write it as .npy or raw elements",
              input_name(input));
}

static int open_job(struct reduction *reduction) {
  struct job *job = &reduction->job;
  int code = job_begin_operation(job, &reduction->args, args_op(&reduction->args));
  code = code ? code : job_open_inputs(job);
  for (size_t i = 0; i <= job->other_count && !code; i++)
    code = check_input(job_input(job, i));
  job->problem.count_max = 0;  // as for streams: strategies for few elements make no partials
  return code ? code : job_plan(job, &reduction->plan);
}

// On other machines the same path may name another file.
static int check_counts(const struct reduction *reduction) {
  const struct input *input = &reduction->job.input;
  uint64_t mine[2] = {input->count, UINT64_MAX - input->count}, all[2];
  MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  const uint64_t least = UINT64_MAX - all[1];
  if (least == all[0])
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: one rank finds %llu elements and another %llu; give all ranks the same files",
              input_name(input), (unsigned long long)least, (unsigned long long)all[0]);
}

// ---- Folding

static int fold_window(struct reduction *reduction, struct window *window) {
  const struct job *job = &reduction->job;
  const clred_host_call call = {
    .in = window->data[0], .inputs = job->other_count > 0 ? window->data + 1 : NULL, .count = window->count};
  return session_check(&job->session, clred_partial_push(job->session.queue, reduction->partial, &call));
}

// Windows end at their multiples, so that few elements of begun tiles are copied.
static int fold_share(struct reduction *reduction, uint64_t first, uint64_t count) {
  struct job *job = &reduction->job;
  struct window window;
  uint64_t most = 1;
  int code = EXIT_DONE;
  while (2 * most * job->input.type.size <= WINDOW_BYTES)
    most *= 2;
  for (uint64_t at = first; at < first + count && !code; at += window.count) {
    const uint64_t end = at + most - at % most;
    code = window_find(job, at, end < first + count ? end : first + count, &window);
    if (code)
      return code;
    if (window_open(job, &window))
      code = fold_window(reduction, &window);
    else
      code = fail(EXIT_WORK_FAILED, "%s: cannot map %llu elements of it", input_name(&job->input),
                  (unsigned long long)window.count);
    int closed = window_close(job, &window);
    code = code ? code : closed;
  }
  return code;
}

static int fold(struct reduction *reduction) {
  struct job *job = &reduction->job;
  cl_ulong first = 0, count = 0;
  const double begun = seconds_now();
  int code =
    session_check(&job->session, clred_mpi_share(MPI_COMM_WORLD, reduction->plan, job->input.count, &first, &count));
  const clred_partial_options options = {.first = reduction->args.first.value + first,
                                         .parameters = job->operation.own ? job->operation.user.value_pointers : NULL};
  if (!code)
    code = session_check(&job->session, clred_partial_create(reduction->plan, &options, &reduction->partial));
  code = code ? code : fold_share(reduction, first, count);
  int length;
  MPI_Get_processor_name(reduction->about.host, &length);
  snprintf(reduction->about.device, sizeof reduction->about.device, "%s", job->session.device.name);
  reduction->about.first = options.first;
  reduction->about.count = count;
  reduction->about.seconds = seconds_now() - begun;
  return code;
}

// ---- The answer

// Collective; only rank 0 returns the list.
static cJSON *describe_ranks(const struct reduction *reduction) {
  const struct ranks *ranks = reduction->ranks;
  struct rank_about *all = ranks->rank == 0 ? calloc((size_t)ranks->count, sizeof *all) : NULL;
  MPI_Gather(&reduction->about, sizeof *all, MPI_BYTE, all, sizeof *all, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (all == NULL)
    return NULL;
  cJSON *more = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(more, "ranks");
  for (int i = 0; i < ranks->count; i++) {
    cJSON *item = json_add_item(list);
    json_add_count(item, "rank", (uint64_t)i);
    json_add_text(item, "host", all[i].host);
    json_add_text(item, "device", all[i].device);
    json_add_count(item, "first", all[i].first);
    json_add_count(item, "count", all[i].count);
    json_add_measure(item, "seconds", all[i].seconds);
  }
  free(all);
  return more;
}

static int answer_all(struct reduction *reduction, double begun) {
  struct job *job = &reduction->job;
  int code = session_check(&job->session, clred_mpi_allreduce_partial(reduction->handle, reduction->partial));
  const double seconds = seconds_now() - begun;
  code = ranks_agree(reduction->ranks, code);
  if (code)
    return code;
  cJSON *more = describe_ranks(reduction);
  if (reduction->ranks->rank == 0) {
    code = partial_finish(job, reduction->plan, reduction->partial, seconds, more);
    if (!code && reduction->args.explain && !reduction->args.quiet)
      code = session_explain(&job->session, reduction->plan, job->layout.call.count);
  }
  return ranks_agree(reduction->ranks, code);
}

// After each step that may fail on one rank, the ranks compare exit codes. So all ranks end together, and none hangs.
static int run(struct reduction *reduction) {
  struct ranks *ranks = reduction->ranks;
  int code = ranks_agree(ranks, check_options(&reduction->args));
  code = code ? code : ranks_agree(ranks, choose_device(reduction));
  code = code ? code : ranks_agree(ranks, open_job(reduction));
  code = code ? code : ranks_agree(ranks, check_counts(reduction));
  if (code)
    return code;
  const double begun = seconds_now();
  code = session_check(&reduction->job.session, clred_mpi_open(MPI_COMM_WORLD, reduction->plan, &reduction->handle));
  code = ranks_agree(ranks, code);
  code = code ? code : ranks_agree(ranks, fold(reduction));
  return code ? code : answer_all(reduction, begun);
}

int ranks_reduce(struct ranks *ranks, const struct args *args) {
  struct reduction reduction = {.ranks = ranks, .args = *args};
  job_begin(&reduction.job, &reduction.args);
  int code = run(&reduction);
  clred_partial_release(reduction.partial);
  clred_mpi_close(reduction.handle);
  clred_plan_release(reduction.plan);
  job_close(&reduction.job);
  return code;
}
