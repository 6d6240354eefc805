// Partials: what `reduce --partial` writes in place of a result.
#pragma once

#include "run/job.h"
#include "run/partial_file.h"

// Refuses options that do not agree with --partial or need it. Returns an exit code, like all functions here.
int partial_check(const struct args *args);

// Folds all elements of the job, which are loaded or streamed, and writes the partial. Replaces `answer`.
int partial_answer(struct job *job, clred_plan *plan);

// What the job computes, for the file.
cJSON *partial_about(const struct job *job);

// Sets the operator and the problem of a job by what a file is of. Distrusts it. Options of the problem go to `args`,
// which are those of the job.
int partial_take_problem(struct job *job, struct args *args, const struct partial_file *file);

// Says that two files are of different problems.
int partial_differs(const struct partial_file *file, const struct partial_file *other);

// Prints what --json shows of a partial of `size` bytes that was written. `parts` were joined to it, or is NULL.
int partial_print_json(const struct job *job, clred_partial *partial, size_t size, double seconds, cJSON *parts);

// Folds the elements of the job (partial_fold.c).
int partial_fold(struct job *job, clred_partial *partial);
