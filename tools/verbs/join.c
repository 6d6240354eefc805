// clreduce join: the result of an array from partials of its parts.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "base/json.h"
#include "cli/verbs.h"
#include "run/partial.h"

struct join {
  struct args args;  // the command line, with the policies that the files state
  struct job job;
  struct partial_file *files;
  size_t count;
  clred_plan *plan;
  clred_partial *part;  // the file that was read last
  clred_partial *whole;
};

// ---- Files

static int compare_files(const void *a, const void *b) {
  const struct partial_file *left = a, *right = b;
  if (left->first != right->first)
    return left->first < right->first ? -1 : 1;
  return (left->count > right->count) - (left->count < right->count);
}

static int read_files(struct join *join) {
  const char *const *names = args_inputs(&join->args, &join->count);
  if (join->count == 0)
    return fail(EXIT_BAD_USE, "join: PART is missing; give the files that 'clreduce reduce --partial FILE' wrote");
  join->files = calloc(join->count, sizeof *join->files);
  int code = join->files == NULL ? fail_memory() : EXIT_DONE;
  for (size_t i = 0; i < join->count && !code; i++)
    code = partial_file_read(&join->files[i], names[i]);
  return code;
}

static int make_plan(struct join *join) {
  struct job *job = &join->job;
  int code = partial_take_problem(job, &join->args, &join->files[0]);
  code = code ? code : session_open_picked(&job->session, &join->args, false);
  if (code)
    return code;
  cl_int status = session_plan(&job->session, &job->problem, &join->plan);
  return status == CL_SUCCESS ? EXIT_DONE : operation_failed(&job->operation, job->session.runtime, status);
}

static int library_refused(const struct join *join, const struct partial_file *file, cl_int status) {
  if (status == CLRED_PARTIAL_MISMATCH)
    return partial_differs(file, &join->files[0]);
  return fail(fail_code(status), "%s: %s; copy the file again, or make the partial again", file->name,
              clred_last_error(join->job.session.runtime));
}

static int read_part(const struct join *join, struct partial_file *file, clred_partial **part) {
  clred_partial_info info = {0};
  cl_int status = *part == NULL ? clred_partial_unpack(join->plan, file->packed, file->packed_size, part)
                                : clred_partial_read(*part, file->packed, file->packed_size);
  if (status == CL_SUCCESS)
    status = clred_partial_inspect(*part, &info);
  file->first = info.first;
  file->count = info.count;
  return status == CL_SUCCESS ? EXIT_DONE : library_refused(join, file, status);
}

// Sorts the files by their first element. The job's input only has the name of the first file and the count; no
// function reads it.
static int sort_files(struct join *join) {
  struct input *input = &join->job.input;
  int code = EXIT_DONE;
  for (size_t i = 0; i < join->count && !code; i++) {
    code = read_part(join, &join->files[i], &join->part);
    input->count += join->files[i].count;
  }
  if (code)
    return code;
  qsort(join->files, join->count, sizeof *join->files, compare_files);
  input->request.name = join->files[0].name;
  input->counted = true;
  return job_finalize(&join->job);
}

// ---- Joining

static int check_first(const struct join *join) {
  const struct partial_file *file = &join->files[0];
  if (file->first == 0 || join->args.partial != NULL)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE,
              "%s: begins at element %" PRIu64 "; give the parts before it, or --partial FILE to join without them",
              file->name, file->first);
}

static int check_neighbours(const struct partial_file *left, const struct partial_file *right) {
  const uint64_t end = left->first + left->count;
  if (right->first == end)
    return EXIT_DONE;
  if (right->first < end)
    return fail(EXIT_BAD_USE,
                "%s: begins at element %" PRIu64 ", but %s has the elements before %" PRIu64 ", too; each element must "
                "be in one part",
                right->name, right->first, left->name, end);
  return fail(EXIT_BAD_USE,
              "%s: begins at element %" PRIu64 ", but %s ends before element %" PRIu64 "; give the part between them",
              right->name, right->first, left->name, end);
}

// Checks the neighbours first, because the library's message would not name their files.
static int append(struct join *join, size_t index) {
  struct partial_file *file = &join->files[index];
  int code = read_part(join, file, &join->part);
  code = code ? code : check_neighbours(file - 1, file);
  cl_int status = code ? CL_SUCCESS : clred_partial_join(join->whole, join->part);
  return code || status == CL_SUCCESS ? code : library_refused(join, file, status);
}

static int join_files(struct join *join) {
  int code = read_part(join, &join->files[0], &join->whole);
  for (size_t i = 1; i < join->count && !code; i++)
    code = append(join, i);
  return code ? code : check_first(join);
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

static int run(struct join *join) {
  int code = read_files(join);
  code = code ? code : make_plan(join);
  code = code ? code : sort_files(join);
  double begun = seconds_now();
  code = code ? code : join_files(join);
  if (code)
    return code;
  return partial_finish(&join->job, join->plan, join->whole, seconds_now() - begun, describe_parts(join));
}

int cmd_join(const struct args *args) {
  struct join join = {.args = *args};
  job_begin(&join.job, &join.args);
  int code = run(&join);
  clred_partial_release(join.part);
  clred_partial_release(join.whole);
  clred_plan_release(join.plan);
  job_close(&join.job);
  for (size_t i = 0; join.files != NULL && i < join.count; i++)
    partial_file_release(&join.files[i]);
  free(join.files);
  return code;
}
