// The part of job.h that deals with inputs: which there are, and whether they fit the operator and each other.

#ifndef CLREDUCE_TOOL_JOB_INPUTS_H
#define CLREDUCE_TOOL_JOB_INPUTS_H

#include "run/job.h"

int job_open_input(struct job *job);

// After the operator's element type is settled.
int job_open_others(struct job *job);

// What follows from the counts: the layout, the promise of the problem, what a call is made with. Inputs that do not
// have as many elements as the first are refused, and so are operators that have no result for none.
int job_settle(struct job *job);

// What was streamed has so many elements.
int job_recount(struct job *job, uint64_t count);

// The compiler has said how large an element of the user's operator is.
int job_settle_element(struct job *job, size_t size);

#endif
