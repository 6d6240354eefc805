// The ranks scan their shares: all results have the bits of one scan over all elements. And what fails on one rank
// fails on all.
#include "mpi/mpi_test.h"

#include <stdlib.h>
#include <string.h>

#define ELEMENTS 100003u

// --- One cut ---

static clred_partial *make_before(const struct subject *subject) {
  const void *parameter = &decay;
  clred_partial *before = NULL;
  GIVES(clred_partial_create(subject->plan, &(clred_partial_options){.first = 7, .parameters = &parameter}, &before),
        CL_SUCCESS);
  return before;
}

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

// One of the three ways to finish a call. Meanwhile kernels run, and the partial of this rank may be used.
static void exscan(const struct subject *subject, clred_partial *mine, clred_partial *before, int way) {
  float sum = 0;
  cl_bool done = CL_FALSE;
  if (way == 0) {
    GIVES(clred_mpi_exscan(subject->handle, mine, before), CL_SUCCESS);
    return;
  }
  GIVES(clred_mpi_iexscan(subject->handle, mine, before), CL_SUCCESS);
  GIVES(clred_reduce_host(here.device.runtime, CLRED_TYPE_FLOAT, CLRED_OP_SUM, here.elements, 1000, &sum), CL_SUCCESS);
  if (way == 1)
    GIVES(clred_mpi_wait(subject->handle), CL_SUCCESS);
  while (way == 2 && !done)
    GIVES(clred_mpi_test(subject->handle, &done), CL_SUCCESS);
}

static void check_cut(const struct subject *subject, cl_ulong first, cl_ulong count, int way) {
  cl_int err;
  clred_partial *mine = make_partial(subject, first, count);
  clred_partial *before = make_before(subject);
  exscan(subject, mine, before, way);
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

// --- All elements ---

static void check_counts(struct subject *subject) {
  const cl_ulong counts[] = {0, 1, 3, 777, 5000, ELEMENTS};
  for (int i = 0; i < 6; i++) {
    cl_ulong first, count;
    solve(subject, counts[i]);
    GIVES(clred_mpi_share(MPI_COMM_WORLD, subject->plan, subject->count, &first, &count), CL_SUCCESS);
    check_cut(subject, first, count, i % 3);
    for (int way = 0; way < 3; way++) {
      cut_at_random(subject->count, 300 + (uint64_t)(3 * i + way), &first, &count);
      check_cut(subject, first, count, way);
    }
  }
}

// --- Failures ---

// Each rank has 100 elements; `shift` moves the last one.
static clred_partial *take(const struct subject *subject, cl_ulong shift) {
  const bool is_last = here.rank == here.size - 1;
  return make_partial(subject, (cl_ulong)here.rank * 100 + (is_last ? shift : 0), 100);
}

static void check_failures_of(const struct subject *subject) {
  const int last = here.size - 1;
  clred_partial *mine = take(subject, 0), *before = make_before(subject);
  clred_partial_info info = {0};
  if (here.rank == last)
    clred_mpi_fail(subject->handle, CL_DEVICE_NOT_AVAILABLE, "the cable is out");
  GIVES(clred_mpi_exscan(subject->handle, mine, before), CL_DEVICE_NOT_AVAILABLE);
  same_message("the cable is out");
  GIVES(clred_mpi_exscan(subject->handle, mine, here.rank == last ? NULL : before), CLRED_INVALID_ARGUMENT);
  same_message("before is NULL");
  GIVES(clred_mpi_exscan(subject->handle, mine, here.rank == last ? mine : before), CLRED_INVALID_ARGUMENT);
  same_message("before and partial are the same");
  GIVES(clred_mpi_exscan(subject->handle, here.rank == last ? NULL : mine, before), CLRED_INVALID_ARGUMENT);
  same_message("partial is NULL");
  GIVES(clred_partial_inspect(before, &info), CL_SUCCESS);
  EXPECT(info.first == 7 && info.count == 0, "%s", "a call that failed changed the partial");
  failing = "MPI_Iexscan";
  if (last == 0)
    GIVES(clred_mpi_exscan(subject->handle, mine, before), CLRED_MPI_FAILED);
  failing = "MPI_Iallreduce";
  GIVES(clred_mpi_iexscan(subject->handle, mine, before), CLRED_MPI_FAILED);
  failing = NULL;
  GIVES(clred_mpi_wait(subject->handle), CLRED_INVALID_ARGUMENT);
  GIVES(clred_mpi_exscan(subject->handle, mine, before), CL_SUCCESS);
  GIVES(clred_partial_inspect(before, &info), CL_SUCCESS);
  EXPECT(info.first == 0 && info.count == (cl_ulong)here.rank * 100, "%llu elements", (unsigned long long)info.count);
  RELEASE(mine, before);
}

// A rank that fails takes part in the nonblocking form, too. While a call is under way, the handle refuses others.
static void check_nonblocking(const struct subject *subject) {
  const int last = here.size - 1;
  float total;
  clred_partial *mine = take(subject, 0), *before = make_before(subject);
  clred_partial_info info = {0};
  if (here.rank == last)
    clred_mpi_fail(subject->handle, CL_OUT_OF_RESOURCES, "the kernel failed");
  GIVES(clred_mpi_iexscan(subject->handle, mine, before), CL_SUCCESS);
  GIVES(clred_mpi_iexscan(subject->handle, mine, before), CLRED_INVALID_ARGUMENT);
  GIVES(clred_mpi_allreduce(subject->handle, mine, &total), CLRED_INVALID_ARGUMENT);
  same_message("handle: a nonblocking call is under way");
  GIVES(clred_mpi_wait(subject->handle), CL_OUT_OF_RESOURCES);
  same_message("the kernel failed");
  GIVES(clred_mpi_iexscan(subject->handle, mine, here.rank == last ? NULL : before), CL_SUCCESS);
  GIVES(clred_mpi_wait(subject->handle), CLRED_INVALID_ARGUMENT);
  same_message("before is NULL");
  GIVES(clred_partial_inspect(before, &info), CL_SUCCESS);
  EXPECT(info.first == 7 && info.count == 0, "%s", "a call that failed changed the partial");
  RELEASE(mine, before);
}

static void check_gap(const struct subject *subject) {
  clred_partial *mine = take(subject, 1), *before = make_before(subject);
  GIVES(clred_mpi_exscan(subject->handle, mine, before), CLRED_PARTIAL_GAP);
  same_message("it begins at element ");
  RELEASE(mine, before);
}

static void check_foreign(const struct subject *subject) {
  clred_plan *plan = make_plan(&(clred_problem){OP(SUM, FLOAT)});
  clred_partial *mine = take(subject, 0), *before = NULL;
  GIVES(clred_partial_create(plan, NULL, &before), CL_SUCCESS);
  GIVES(clred_mpi_exscan(subject->handle, mine, before), CLRED_PARTIAL_MISMATCH);
  same_message("rank 0: before is of another problem than the plan of clred_mpi_open");
  RELEASE(mine, before, plan);
}

// --- All subjects ---

static void check_subject(struct subject *subject) {
  check_counts(subject);
  if (subject->problem.custom)
    return;
  check_failures_of(subject);
  check_nonblocking(subject);
  check_gap(subject);
  check_foreign(subject);
}

void check_scans(void) {
  struct subject subjects[] = {
    {.name = "sum of floats", .problem = {OP(SUM, FLOAT), SCAN(INCLUSIVE)}},
    {.name = "affine maps", .problem = {.custom = &affine, SCAN(INCLUSIVE)}},
  };
  check_each(subjects, sizeof subjects / sizeof *subjects, check_subject);
}
