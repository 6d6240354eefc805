// clreduce join: the result of an array from partials of its parts.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/output.h"
#include "cli/verbs.h"
#include "run/partial.h"

// Neighbouring elements of one file.
struct piece {
  uint64_t first, count;
  const struct partial_file *file;
};

struct join {
  struct args args;  // of the command line, and the policies of the files
  struct job job;
  struct partial_file *files;  // in the order of their elements
  size_t count;
  struct piece *pieces;  // of all files, in the order of their elements
  size_t piece_count;
  clred_plan *plan;
  bool any_order;       // parts need no neighbours
  clred_partial *part;  // the file that was read last
  clred_partial *whole;
};

static int check_options(const struct args *args) {
  size_t count;
  args_inputs(args, &count);
  if (count == 0)
    return fail(EXIT_BAD_USE, "join: PART is missing; give the files that 'clreduce reduce --partial FILE' wrote");
  if (args->partial != NULL && (args->output != NULL || args->text))
    return fail(EXIT_BAD_USE, "--partial and %s exclude each other; give one",
                args->output != NULL ? "--output" : "--text");
  if (output_is_standard(args->partial) && args->json)
    return fail(EXIT_BAD_USE, "--partial - and --json both want standard output; leave one of them out");
  return EXIT_DONE;
}

// ---- Files

static int compare_files(const void *a, const void *b) {
  const struct partial_file *left = a, *right = b;
  if (left->first != right->first)
    return left->first < right->first ? -1 : 1;
  return (left->count > right->count) - (left->count < right->count);
}

static int read_files(struct join *join) {
  const char *const *names = args_inputs(&join->args, &join->count);
  join->files = calloc(join->count, sizeof *join->files);
  int code = join->files == NULL ? fail_memory() : EXIT_DONE;
  for (size_t i = 0; i < join->count && !code; i++)
    code = partial_file_read(&join->files[i], names[i]);
  if (!code)
    qsort(join->files, join->count, sizeof *join->files, compare_files);
  return code;
}

// An input that nothing reads: it gives the type, the count and a name.
static int begin_job(struct join *join) {
  struct job *job = &join->job;
  job->input.request.name = join->files[0].name;
  for (size_t i = 0; i < join->count; i++)
    job->input.count += join->files[i].count;
  job->input.counted = true;
  int code = partial_take_problem(job, &join->args, &join->files[0]);
  code = code ? code : job_finalize(job);
  job->problem.count_max = 0;
  code = code ? code : session_open_picked(&job->session, &join->args, false);
  if (code)
    return code;
  cl_int status = session_plan(&job->session, &job->problem, &join->plan);
  join->any_order = clred_partial_ranges_max(join->plan) > 1;
  return status == CL_SUCCESS ? EXIT_DONE : operation_failed(&job->operation, job->session.runtime, status);
}

static int library_refused(const struct join *join, const struct partial_file *file, cl_int status) {
  if (status == CLRED_PARTIAL_MISMATCH)
    return partial_differs(file, &join->files[0]);
  return fail(fail_code(status), "%s: %s", file->name, clred_last_error(join->job.session.runtime));
}

// Reads the packed bytes of a file. Their range must be the one of the first line.
static int read_part(struct join *join, const struct partial_file *file) {
  clred_partial_info info;
  cl_int status = join->part == NULL ? clred_partial_unpack(join->plan, file->packed, file->packed_size, &join->part)
                                     : clred_partial_read(join->part, file->packed, file->packed_size);
  if (status == CL_SUCCESS)
    status = clred_partial_inspect(join->part, &info);
  if (status != CL_SUCCESS)
    return library_refused(join, file, status);
  if (info.first == file->first && info.count == file->count)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: its first line and its packed bytes are of different elements; make the partial again",
              file->name);
}

// ---- Pieces

static int compare_pieces(const void *a, const void *b) {
  const struct piece *left = a, *right = b;
  if (left->first != right->first)
    return left->first < right->first ? -1 : 1;
  return (left->count > right->count) - (left->count < right->count);
}

// A part of 0 elements has a place, too, unless parts join in any order.
static int take_pieces(struct join *join, const struct partial_file *file) {
  cl_ulong first = 0, count = 1;
  int code = read_part(join, file);
  if (!code && file->count == 0 && !join->any_order)
    join->pieces[join->piece_count++] = (struct piece){file->first, 0, file};
  for (cl_ulong i = 0; count > 0 && !code; i++) {
    code = session_check(&join->job.session, clred_partial_range(join->part, i, &first, &count));
    if (count > 0 && !code)
      join->pieces[join->piece_count++] = (struct piece){first, count, file};
  }
  return code;
}

// Only with --partial and in any order, elements may be missing between two pieces.
static int check_pair(const struct join *join, const struct piece *left, const struct piece *right) {
  const uint64_t end = left->first + left->count;
  if (right->first == end || (right->first > end && join->any_order && join->args.partial != NULL))
    return EXIT_DONE;
  if (right->first < end)
    return fail(EXIT_BAD_USE,
                "%s: begins at element %" PRIu64 ", but %s has the elements before %" PRIu64 ", too; each element must "
                "be in one part",
                right->file->name, right->first, left->file->name, end);
  if (right->file == left->file)
    return fail(EXIT_BAD_USE, "%s: lacks elements %" PRIu64 " to %" PRIu64 "; give the part that has them",
                left->file->name, end, right->first - 1);
  return fail(EXIT_BAD_USE,
              "%s: begins at element %" PRIu64 ", but %s ends before element %" PRIu64 "; give the part between them",
              right->file->name, right->first, left->file->name, end);
}

static int check_first(const struct join *join) {
  const struct partial_file *file = join->piece_count > 0 ? join->pieces[0].file : &join->files[0];
  if (file->first == 0 || join->args.partial != NULL)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE,
              "%s: begins at element %" PRIu64 "; give the parts before it, or --partial FILE to join without them",
              file->name, file->first);
}

// Finds elements that two files have or no file has, to name the files.
static int check_pieces(struct join *join) {
  join->pieces = calloc(join->count * (1 + (size_t)clred_partial_ranges_max(join->plan)), sizeof *join->pieces);
  int code = join->pieces == NULL ? fail_memory() : EXIT_DONE;
  for (size_t i = 0; i < join->count && !code; i++)
    code = take_pieces(join, &join->files[i]);
  if (code)
    return code;
  qsort(join->pieces, join->piece_count, sizeof *join->pieces, compare_pieces);
  code = check_first(join);
  for (size_t i = 1; i < join->piece_count && !code; i++)
    code = check_pair(join, &join->pieces[i - 1], &join->pieces[i]);
  return code;
}

// ---- Joining

static int append(struct join *join, const struct partial_file *file) {
  int code = read_part(join, file);
  cl_int status = code ? CL_SUCCESS : clred_partial_join(join->whole, join->part);
  return code || status == CL_SUCCESS ? code : library_refused(join, file, status);
}

static int join_files(struct join *join) {
  const struct partial_file *first = &join->files[0];
  cl_int status = clred_partial_unpack(join->plan, first->packed, first->packed_size, &join->whole);
  int code = status == CL_SUCCESS ? EXIT_DONE : library_refused(join, first, status);
  for (size_t i = 1; i < join->count && !code; i++)
    code = append(join, &join->files[i]);
  return code;
}

// ---- What is written

// For --json.
static cJSON *describe_parts(const struct join *join) {
  cJSON *more = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(more, "parts");
  for (size_t i = 0; i < join->count; i++) {
    cJSON *item = json_add_item(list);
    json_add_text(item, "file", join->files[i].name);
    json_add_count(item, "first", join->files[i].first);
    json_add_count(item, "count", join->files[i].count);
  }
  return more;
}

static uint64_t count_ranges(clred_partial *partial) {
  cl_ulong first, count;
  uint64_t ranges = 0;
  while (clred_partial_range(partial, ranges, &first, &count) == CL_SUCCESS && count > 0)
    ranges++;
  return ranges;
}

static int write_partial(struct join *join) {
  const struct job *job = &join->job;
  size_t size = 0;
  int code = partial_file_write(&job->session, join->whole, join->files[0].about, join->args.partial, &size);
  if (code || !join->args.json)
    return code;
  cJSON *more = describe_parts(join);
  if (count_ranges(join->whole) > 1)
    json_add_count(more, "ranges", count_ranges(join->whole));
  code = partial_print_json(job, join->whole, size, NAN, more);
  cJSON_Delete(more);
  return code;
}

static int run(struct join *join) {
  int code = read_files(join);
  code = code ? code : begin_job(join);
  code = code ? code : check_pieces(join);
  double begun = seconds_now();
  code = code ? code : join_files(join);
  if (code)
    return code;
  if (join->args.partial != NULL)
    return write_partial(join);
  return partial_print_result(&join->job, join->plan, join->whole, seconds_now() - begun, describe_parts(join));
}

int cmd_join(const struct args *args) {
  struct join join = {.args = *args};
  job_begin(&join.job, &join.args);
  int code = check_options(args);
  code = code ? code : job_check_outputs(&join.job);
  code = code ? code : run(&join);
  clred_partial_release(join.part);
  clred_partial_release(join.whole);
  clred_plan_release(join.plan);
  job_close(&join.job);
  for (size_t i = 0; join.files != NULL && i < join.count; i++)
    partial_file_release(&join.files[i]);
  free(join.files);
  free(join.pieces);
  return code;
}
