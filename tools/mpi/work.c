// The work of a rank before and after it reduces or scans: the command line, the inputs, and the share of this rank.
#include "mpi/work.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/json.h"
#include "run/partial.h"
#include "verbs/quantile.h"

enum { WINDOW_BYTES = 128 << 20 };

// ---- The command line

static int check_options(const struct args *args) {
  if (quantile_is_named(args_op(args)) || quantile_is_list(args_op(args)))
    return fail(EXIT_BAD_USE, "%s: needs all elements at once; reduce it with clreduce", args_op(args));
  int code = args_exclude(args, "several ranks", "stride,chunk,interpolation,weights");
  code = code ? code : partial_check(args);
  return code ? code : partial_check_parts(args, "several ranks");
}

// The ranks of one machine take its devices round-robin.
static int choose_device(struct ranks_job *work) {
  struct args *args = &work->args;
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
    snprintf(work->device, sizeof work->device, "%zu", devices.list[(size_t)place % devices.count].index);
  args->device = code ? args->device : work->device;
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

static int open_job(struct ranks_job *work) {
  struct job *job = &work->job;
  int code = job_begin_operation(job, &work->args, args_op(&work->args));
  code = code ? code : job_open_inputs(job);
  for (size_t i = 0; i <= job->other_count && !code; i++)
    code = check_input(&job->inputs[i]);
  job->problem.count_max = 0;  // as for streams: strategies for few elements make no partials
  return code ? code : job_plan(job, &work->plan);
}

// On other machines the same path may name another file.
static int check_counts(const struct ranks_job *work) {
  const struct input *input = &work->job.input;
  uint64_t mine[2] = {input->count, UINT64_MAX - input->count}, all[2];
  MPI_Allreduce(mine, all, 2, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  const uint64_t least = UINT64_MAX - all[1];
  if (least == all[0])
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: one rank finds %llu elements and another %llu; give all ranks the same files",
              input_name(input), (unsigned long long)least, (unsigned long long)all[0]);
}

// ---- The share of this rank

int ranks_for_windows(struct ranks_job *work, uint64_t most, ranks_window_taker *take, void *about) {
  struct job *job = &work->job;
  struct window window;
  // `first` of --first is the place of the file's first element in the whole.
  const uint64_t first = work->about.first - work->args.first.value, last = first + work->about.count;
  int code = EXIT_DONE;
  for (uint64_t at = first; at < last && !code; at += window.count) {
    const uint64_t end = at + most - at % most;
    code = window_find(job, at, end < last ? end : last, &window);
    if (code)
      return code;
    if (window_open(job, &window))
      code = take(work, &window, at, about);
    else
      code = fail(EXIT_WORK_FAILED, "%s: cannot map %llu elements of it", input_name(&job->input),
                  (unsigned long long)window.count);
    int closed = window_close(job, &window);
    code = code ? code : closed;
  }
  return code;
}

uint64_t ranks_window_most(size_t size) {
  uint64_t most = 1;
  while (2 * most * size <= WINDOW_BYTES)
    most *= 2;
  return most;
}

static int fold_window(struct ranks_job *work, struct window *window, uint64_t first, void *about) {
  const struct job *job = &work->job;
  const clred_host_call call = {
    .in = window->data[0], .inputs = job->other_count > 0 ? window->data + 1 : NULL, .count = window->count};
  (void)first, (void)about;
  return session_check(&job->session, clred_partial_push(job->session.queue, work->partial, &call));
}

int ranks_make_partial(const struct ranks_job *work, uint64_t first, clred_partial **partial) {
  const struct job *job = &work->job;
  const clred_partial_options options = {.first = first,
                                         .parameters = job->operation.own ? job->operation.user.value_pointers : NULL};
  return session_check(&job->session, clred_partial_create(work->folds, &options, partial));
}

static int fold(struct ranks_job *work) {
  struct job *job = &work->job;
  cl_ulong first = 0, count = 0;
  int length;
  const double begun = seconds_now();
  int code =
    session_check(&job->session, clred_mpi_share(MPI_COMM_WORLD, work->folds, job->input.count, &first, &count));
  work->about.first = work->args.first.value + first;
  work->about.count = count;
  code = code ? code : ranks_make_partial(work, work->about.first, &work->partial);
  code = code ? code : ranks_for_windows(work, ranks_window_most(job->input.type.size), fold_window, NULL);
  MPI_Get_processor_name(work->about.host, &length);
  snprintf(work->about.device, sizeof work->about.device, "%s", job->session.device.name);
  work->about.seconds = seconds_now() - begun;
  return code;
}

// ---- All of it

static int make_folds(struct ranks_job *work) {
  work->folds = work->plan;
  if (work->job.problem.scan == CLRED_SCAN_NONE)
    return EXIT_DONE;
  work->folds = NULL;
  return session_check(&work->job.session, clred_plan_create_scan_partials(work->plan, &work->folds));
}

// After each step that may fail on one rank, the ranks compare exit codes. So all ranks end together, and none hangs.
int ranks_fold(struct ranks_job *work) {
  struct ranks *ranks = work->ranks;
  int code = ranks_agree(ranks, check_options(&work->args));
  code = code ? code : ranks_agree(ranks, choose_device(work));
  code = code ? code : ranks_agree(ranks, open_job(work));
  code = code ? code : ranks_agree(ranks, check_counts(work));
  code = code ? code : ranks_agree(ranks, make_folds(work));
  if (code)
    return code;
  work->begun = seconds_now();
  code = session_check(&work->job.session, clred_mpi_open(MPI_COMM_WORLD, work->folds, &work->handle));
  code = ranks_agree(ranks, code);
  return code ? code : ranks_agree(ranks, fold(work));
}

void ranks_job_begin(struct ranks_job *work, struct ranks *ranks, const struct args *args) {
  *work = (struct ranks_job){.ranks = ranks, .args = *args};
  job_begin(&work->job, &work->args);
}

void ranks_job_close(struct ranks_job *work) {
  clred_partial_release(work->partial);
  clred_mpi_close(work->handle);
  if (work->folds != work->plan)
    clred_plan_release(work->folds);
  clred_plan_release(work->plan);
  job_close(&work->job);
}

// ---- For --json

cJSON *ranks_describe(const struct ranks_job *work) {
  const struct ranks *ranks = work->ranks;
  struct rank_about *all = ranks->rank == 0 ? calloc((size_t)ranks->count, sizeof *all) : NULL;
  MPI_Gather(&work->about, sizeof *all, MPI_BYTE, all, sizeof *all, MPI_BYTE, 0, MPI_COMM_WORLD);
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

// ---------------------------------------------------------------- Reductions: each rank folds its share, then the
// partials are joined

static int answer_all(struct ranks_job *work) {
  struct job *job = &work->job;
  int code = session_check(&job->session, clred_mpi_allreduce_partial(work->handle, work->partial));
  const double seconds = seconds_now() - work->begun;
  code = ranks_agree(work->ranks, code);
  if (code)
    return code;
  cJSON *more = ranks_describe(work);
  if (work->ranks->rank == 0) {
    code = partial_finish(job, work->plan, work->partial, seconds, more);
    if (!code && work->args.explain && !work->args.quiet)
      code = session_explain(&job->session, work->plan, job->layout.call.count);
  }
  return ranks_agree(work->ranks, code);
}

int ranks_reduce(struct ranks *ranks, const struct args *args) {
  struct ranks_job work;
  ranks_job_begin(&work, ranks, args);
  int code = ranks_fold(&work);
  code = code ? code : answer_all(&work);
  ranks_job_close(&work);
  return code;
}
