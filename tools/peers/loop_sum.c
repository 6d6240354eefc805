// The sum on one thread, for few elements. This file alone is compiled with -ffast-math. Part of the peer `loop`.
#include "host_side.h"

host_loop loop_sum;

int loop_sum(struct bench_job *job) {
  const float *x = job->work.elements;
  float sum = 0;
  for (size_t i = 0; i < job->work.count; i++)
    sum += x[i];
  *(double *)job->parts[BENCH_RESULTS] = (double)sum;
  return 0;
}
