// Scans the elements of all ranks: each folds its share of the files, gets the partial of everything before it, and
// scans its share window by window. All ranks write to one file, each at the place of its share.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "mpi/work.h"
#include "run/laws.h"

enum { PATH_SIZE = 4096 };

struct scan {
  struct ranks_job work;
  struct initial initial;
  const void *start;  // &initial, or NULL
  clred_partial *before, *piece;
  struct output output;  // of rank 0
  // The file under its temporary name, and the bytes of its header.
  struct shared_file {
    char path[PATH_SIZE];
    size_t header;
  } shared;
  FILE *file;              // on every rank
  struct results results;  // room for one window
  cl_mem out;
};

// ---- The file

static int check_output(const struct args *args) {
  if (args->output == NULL)
    return fail(EXIT_BAD_USE, "scan: --output is missing; give --output FILE.npy");
  if (args->text || output_is_standard(args->output))
    return fail(EXIT_BAD_USE, "%s: ranks write a NumPy file together; give --output FILE.npy",
                args->text ? "--text" : "--output -");
  return EXIT_DONE;
}

// Rank 0 creates the file.
static int create_file(struct scan *scan) {
  struct output *output = &scan->output;
  int code = output_open(output, "--output", scan->work.args.output);
  if (!code && output->temporary == NULL)
    code = fail(EXIT_BAD_USE, "--output %s: is no file; ranks write a NumPy file together", scan->work.args.output);
  if (!code && strlen(output->temporary) >= sizeof scan->shared.path)
    code = fail(EXIT_BAD_USE, "--output %s: the path is too long", scan->work.args.output);
  if (code)
    return code;
  strcpy(scan->shared.path, output->temporary);
  code = results_write_header(output->file, &scan->results, &scan->work.job.layout, &scan->shared.header);
  return code || fflush(output->file) == 0
           ? code
           : fail(EXIT_WORK_FAILED, "--output %s: cannot write: %s", output->path, strerror(errno));
}

static int open_file(struct scan *scan) {
  MPI_Bcast(&scan->shared, sizeof scan->shared, MPI_BYTE, 0, MPI_COMM_WORLD);
  scan->file = fopen(scan->shared.path, "r+b");
  return scan->file != NULL
           ? EXIT_DONE
           : fail(EXIT_WORK_FAILED,
                  "--output %s: this rank cannot open the file of rank 0 (%s): %s; use a directory that "
                  "all ranks share",
                  scan->work.args.output, scan->shared.path, strerror(errno));
}

// Results at the places of the elements from `first` on.
static int write_results(struct scan *scan, uint64_t first) {
  const size_t size = results_size_in_file(&scan->results);
  if (fseeko(scan->file, (off_t)(scan->shared.header + first * size), SEEK_SET) == 0)
    results_write_bytes(scan->file, &scan->results);
  return !ferror(scan->file) && fflush(scan->file) == 0
           ? EXIT_DONE
           : fail(EXIT_WORK_FAILED, "--output %s: cannot write: %s", scan->work.args.output, strerror(errno));
}

// ---- One window

static int make_buffers(struct scan *scan, const struct window *window, cl_mem *buffers) {
  const struct job *job = &scan->work.job;
  int code = EXIT_DONE;
  for (size_t i = 0; i <= job->other_count && !code; i++) {
    // A device only reads it.
    union {
      const void *from;
      void *to;
    } data = {window->data[i]};
    code = session_buffer(&job->session, data.to, window->count * job->inputs[i].type.size, "a share of the input",
                          &buffers[i]);
  }
  return code;
}

static int scan_buffers(struct scan *scan, const struct window *window, uint64_t first, const cl_mem *buffers) {
  struct job *job = &scan->work.job;
  const cl_command_queue queue = job->session.queue;
  clred_call call = {
    .in = buffers[0], .inputs = job->other_count > 0 ? buffers + 1 : NULL, .count = window->count, .stride = 1};
  cl_int status = clred_partial_reset(scan->piece, first);
  if (status == CL_SUCCESS)
    status = clred_partial_fold(queue, scan->piece, &call, 0, NULL, NULL);
  call.out = scan->out;
  call.initial = scan->start;
  if (status == CL_SUCCESS)
    status = clred_partial_scan(queue, scan->work.plan, scan->before, scan->piece, &call, 0, NULL, NULL);
  int code = session_check(&job->session, status);
  if (code)
    return code;
  status = clFinish(queue);
  if (status != CL_SUCCESS)
    return fail_opencl("clFinish", status, "the scan of a share");
  return session_read(&job->session, scan->out, window->count * scan->results.size, scan->results.bytes,
                      "the results of a share");
}

static int take_window(struct ranks_job *work, struct window *window, uint64_t first, void *about) {
  struct scan *scan = about;
  cl_mem buffers[WINDOW_SOURCES] = {NULL};
  (void)work;
  int code = make_buffers(scan, window, buffers);
  code = code ? code : scan_buffers(scan, window, first, buffers);
  for (size_t i = 0; i < WINDOW_SOURCES; i++)
    buffer_release(buffers[i]);
  scan->results.count = window->count;
  code = code ? code : results_check_overflows(&scan->results);
  return code ? code : write_results(scan, first);
}

// ---- All of it

static uint64_t window_most(const struct scan *scan) {
  const size_t element = scan->work.job.input.type.size, result = scan->results.size;
  return ranks_window_most(element > result ? element : result);
}

static int make_room(struct scan *scan) {
  struct job *job = &scan->work.job;
  clred_plan_info info;
  int code = job_take_initial(job, scan->work.plan, &scan->initial);
  scan->start = job->work.call.initial;  // the job forgets it when its inputs are opened again
  code = code ? code : session_check(&job->session, clred_plan_inspect(scan->work.plan, 1, &info));
  code = code ? code : results_make(&scan->results, scan->work.plan, &info, 0, job->work.checked, NULL);
  code = code ? code : results_make_more(&scan->results, window_most(scan));
  code = code ? code : ranks_make_partial(&scan->work, 0, &scan->before);
  code = code ? code : ranks_make_partial(&scan->work, 0, &scan->piece);
  return code ? code
              : session_room(&job->session, NULL, scan->results.count * scan->results.size, "the results of a share",
                             &scan->out);
}

static int scan_share(struct scan *scan) {
  const double begun = seconds_now();
  int code = job_open_inputs(&scan->work.job);
  code = code ? code : ranks_for_windows(&scan->work, window_most(scan), take_window, scan);
  if (scan->file != NULL && fclose(scan->file) != 0 && !code)
    code = fail(EXIT_WORK_FAILED, "--output %s: cannot write: %s", scan->work.args.output, strerror(errno));
  scan->file = NULL;
  scan->work.about.seconds += seconds_now() - begun;
  return code;
}

static int print_answer(struct scan *scan, cJSON *more) {
  struct job *job = &scan->work.job;
  struct outcome outcome = {.steady = true,
                            .calls = 1,
                            .kernel_seconds = NAN,
                            .wall_seconds = seconds_now() - scan->work.begun,
                            .more = more,
                            .written = true,
                            .results = scan->results};
  int code = session_check(&job->session, clred_plan_inspect(scan->work.plan, job->input.count, &outcome.info));
  outcome.info.passes = 0;
  outcome.results.count = job->input.count;
  code = code ? code : answer_joined(job, &outcome);
  cJSON_Delete(more);
  if (!code && scan->work.args.explain && !scan->work.args.quiet)
    code = session_explain(&job->session, scan->work.plan, job->layout.call.count);
  return code;
}

static int run(struct scan *scan) {
  struct ranks *ranks = scan->work.ranks;
  int code = ranks_agree(ranks, check_output(&scan->work.args));
  code = code ? code : ranks_fold(&scan->work);
  code = code ? code : ranks_agree(ranks, make_room(scan));
  if (code)
    return code;
  code = session_check(&scan->work.job.session, clred_mpi_exscan(scan->work.handle, scan->work.partial, scan->before));
  code = ranks_agree(ranks, code);
  code = code ? code : ranks_agree(ranks, ranks->rank == 0 ? create_file(scan) : EXIT_DONE);
  code = code ? code : ranks_agree(ranks, open_file(scan));
  code = code ? code : ranks_agree(ranks, scan_share(scan));
  const int closed = scan->output.path != NULL ? output_close(&scan->output, code) : code;
  code = code ? code : ranks_agree(ranks, closed);
  if (code)
    return code;
  cJSON *more = ranks_describe(&scan->work);
  return ranks_agree(ranks, ranks->rank == 0 ? print_answer(scan, more) : EXIT_DONE);
}

int ranks_scan(struct ranks *ranks, const struct args *args) {
  struct scan scan = {.shared.header = 0};
  ranks_job_begin(&scan.work, ranks, args);
  int code = run(&scan);
  if (scan.file != NULL)
    fclose(scan.file);
  buffer_release(scan.out);
  clred_partial_release(scan.before);
  clred_partial_release(scan.piece);
  results_release(&scan.results);
  ranks_job_close(&scan.work);
  return code;
}
