// Reductions in parts: `reduce --partial`, which writes a partial instead of a result, `join`, and several devices;
// and scans on several devices.
#pragma once

#include <cjson/cJSON.h>
#include <clreduce_partial.h>

#include "run/job.h"

// Refuses options that do not agree with --partial or several devices. Returns an exit code, like all functions here.
int partial_check(const struct args *args);

// Refuses options that exclude a reduction in parts. `asking` is what asks for parts.
int partial_check_parts(const struct args *args, const char *asking);

// Folds all elements of the job, which are loaded or streamed, and writes the partial or prints the result. Replaces
// `answer`.
int partial_answer(struct job *job, clred_plan *plan);

// Prints or writes the result of a partial of all elements, or writes the partial if --partial is given. Takes `more`,
// an object with members for --json, or NULL.
int partial_finish(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more);

// ---- Files of partials, which `reduce --partial` writes and `join` reads. docs/tool.md describes them.

struct partial_file {
  const char *name;
  uint64_t first, count;  // of the elements; the caller reads them from the packed bytes
  cJSON *about;           // what the partial is of
  void *bytes;            // of the file
  size_t size;
  const unsigned char *packed;  // a part of `bytes`
  size_t packed_size;
};

// Reads a file and its first line; the library checks the packed bytes. Returns an exit code, like all functions here.
// Call partial_file_release in any case.
int partial_file_read(struct partial_file *file, const char *path);

void partial_file_release(struct partial_file *file);

// Writes the file of --partial, which appears complete or not at all. *size becomes its length.
int partial_file_write(const struct job *job, clred_partial *partial, size_t *size);

// Sets the operator and the problem of a job from a file. Checks all of it, because anyone may have written the file.
// Options of the problem go to `args`, which are those of the job.
int partial_take_problem(struct job *job, struct args *args, const struct partial_file *file);

// Says that two files are of different problems.
int partial_differs(const struct partial_file *file, const struct partial_file *other);
