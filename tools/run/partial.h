// Reductions in parts: `reduce --partial`, which writes a partial instead of a result, `join`, and several devices;
// and scans on several devices.
#pragma once

#include "run/job.h"
#include "run/partial_file.h"
#include "run/spread.h"

// Refuses options that do not agree with --partial or several devices. Returns an exit code, like all functions here.
int partial_check(const struct args *args);

// Refuses options that exclude a reduction in parts. `asking` is what asks for parts.
int partial_check_parts(const struct args *args, const char *asking);

// Folds all elements of the job, which are loaded or streamed, and writes the partial or prints the result. Replaces
// `answer`.
int partial_answer(struct job *job, clred_plan *plan);

// Sets the operator and the problem of a job from a file. Checks all of it, because anyone may have written the file.
// Options of the problem go to `args`, which are those of the job.
int partial_take_problem(struct job *job, struct args *args, const struct partial_file *file);

// Says that two files are of different problems.
int partial_differs(const struct partial_file *file, const struct partial_file *other);

// For --json, after a partial was written: prints what it is, its `size` in bytes, and the members of `more` (may be
// NULL).
int partial_print_json(const struct job *job, clred_partial *partial, size_t size, double seconds, const cJSON *more);

// Prints or writes the result of a partial of all elements. Takes `more`, an object with members for --json, or NULL.
int partial_print_result(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more);

// The same, or writes the partial if --partial is given.
int partial_finish(struct job *job, clred_plan *plan, clred_partial *whole, double seconds, cJSON *more);
