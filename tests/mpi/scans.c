// The ranks scan their shares: all results have the bits of one scan over all elements.
#include "mpi/mpi_test.h"

#include <stdlib.h>
#include <string.h>

static void check_results(const struct subject *subject, cl_mem out, cl_ulong first, cl_ulong count) {
  unsigned char *results = malloc((size_t)count * subject->size + 1);
  size_t wrong = 0;
  if (!results)
    MPI_Abort(MPI_COMM_WORLD, 2);
  GIVES(clEnqueueReadBuffer(here.device.queue, out, CL_TRUE, 0, (size_t)count * subject->size, results, 0, NULL, NULL),
        CL_SUCCESS);
  for (cl_ulong i = 0; i < count; i++)
    wrong += memcmp(results + i * subject->size, subject->expected + (first + i) * subject->size, subject->size) != 0;
  EXPECT(wrong == 0, "%s, elements %llu to %llu of %llu: %zu results have other bits", subject->name,
         (unsigned long long)first, (unsigned long long)(first + count), (unsigned long long)subject->count, wrong);
  free(results);
}

static void check_cut(const struct subject *subject, cl_ulong first, cl_ulong count, int turn) {
  cl_int err;
  clred_partial *mine = make_partial(subject, first, count);
  clred_partial *before = make_before(subject);
  GIVES(call_ranks((enum call)(SCAN_NOW + turn % 3), subject->handle, mine, before, NULL), CL_SUCCESS);
  if (count) {
    cl_mem out = clCreateBuffer(here.device.context, CL_MEM_READ_WRITE, (size_t)count * subject->size, NULL, &err);
    const clred_call call = {.in = here.buffer, .in_offset = first, .count = count, .out = out};
    GIVES(err, CL_SUCCESS);
    GIVES(clred_partial_scan(here.device.queue, subject->scan, before, mine, &call, 0, NULL, NULL), CL_SUCCESS);
    check_results(subject, out, first, count);
    clReleaseMemObject(out);
  }
  RELEASE(mine, before);
}

static void check_subject(struct subject *subject) {
  check_cuts(subject, check_cut);
}

void check_scans(void) {
  struct subject subjects[] = {
    {.name = "sum of floats", .problem = {OP(SUM, FLOAT), SCAN(INCLUSIVE)}},
    {.name = "affine maps", .problem = {.custom = &affine, SCAN(INCLUSIVE)}},
  };
  check_each(subjects, sizeof subjects / sizeof *subjects, check_subject);
}
