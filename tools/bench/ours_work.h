// ours_work.h: one call of the library, timed by either clock. A plan and a queue for each: a queue that profiles may
// cost time on the host, so it is not used for the wall clock.

#ifndef BENCH_OURS_WORK_H
#define BENCH_OURS_WORK_H

#include "session.h"
#include "side.h"

struct ours_work {
  const struct session *session;
  cl_command_queue queues[2];  // by enum bench_clock
  clred_plan *plans[2];
  clred_call call;  // the caller fills it in
};

// Functions that can fail give 0 on success, otherwise they have said on standard error what went wrong.
int ours_work_open(struct ours_work *work, const struct session *session, clred_problem problem);
void ours_work_close(struct ours_work *work);  // of one that is all zero nothing
int ours_work_run(struct ours_work *work, enum bench_clock clock, size_t calls, double *seconds);

// "strategy, order" of what runs.
int ours_work_describe(const struct ours_work *work, char *text, size_t size);

// A buffer that holds `data`: on a CPU device these very bytes, elsewhere a copy.
int ours_buffer(const struct session *session, const void *data, size_t bytes, cl_mem *buffer);

// A buffer to be written, every page of it touched.
int ours_results(const struct session *session, size_t bytes, cl_mem *buffer);

// 0xff in a part of a buffer, so that results that are never written are seen; and a part read.
int ours_spoil(const struct session *session, cl_mem buffer, size_t at, size_t bytes);
int ours_read(const struct session *session, cl_mem buffer, size_t at, size_t bytes, void *data);

void ours_release(cl_mem *buffer);

int ours_on_cpu(const struct session *session);

#endif
