#include "beside.h"

#include <string.h>

#include "quantile.h"

enum { WARM_UP = 2 };

static cl_int run_once(const struct session *session, const struct beside_side *side, double *seconds) {
  cl_event event = NULL;
  cl_int status = clred_enqueue(session->queue, side->plan, side->call, 0, NULL, &event);
  if (status == CL_SUCCESS)
    status = clWaitForEvents(1, &event);
  if (event != NULL)
    clReleaseEvent(event);
  return status == CL_SUCCESS ? clred_plan_seconds(side->plan, seconds) : status;
}

cl_int beside_run(const struct session *session, const struct beside_side sides[2], unsigned runs, double seconds[2]) {
  static double times[2][WARM_UP + BESIDE_RUNS_MAX];
  cl_int status = CL_SUCCESS;
  for (unsigned i = 0; i < WARM_UP + runs && status == CL_SUCCESS; i++)
    for (unsigned side = 0; side < 2 && status == CL_SUCCESS; side++)
      status = run_once(session, &sides[side], &times[side][i]);
  for (unsigned side = 0; side < 2 && status == CL_SUCCESS; side++)
    seconds[side] = median(times[side] + WARM_UP, runs);
  return status;
}

cl_int beside_buffer(const struct session *session, const void *pattern, size_t pattern_size, size_t size,
                     cl_mem *buffer) {
  static cl_uchar bytes[1 << 22];
  cl_int status;
  for (size_t at = 0; at < sizeof bytes; at += pattern_size)
    memcpy(bytes + at, pattern, pattern_size);
  *buffer = clCreateBuffer(session->context, CL_MEM_READ_WRITE, size, NULL, &status);
  // Written, not filled: beyond 2^31 bytes NVIDIA's driver fills wrongly.
  for (size_t at = 0; status == CL_SUCCESS && at < size; at += sizeof bytes)
    status = clEnqueueWriteBuffer(session->queue, *buffer, CL_TRUE, at,
                                  size - at < sizeof bytes ? size - at : sizeof bytes, bytes, 0, NULL, NULL);
  return status;
}
