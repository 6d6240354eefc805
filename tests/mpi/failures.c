// Whatever fails on one rank, all ranks return the same status and message, none hangs, and the next call works.
#include "mpi/mpi_test.h"

#include <stdio.h>
#include <string.h>

static struct subject *sum;  // of floats

static int last(void) {
  return here.size - 1;
}

// 100 elements for each rank; `shift` moves them.
static clred_partial *take(cl_ulong shift) {
  return make_partial(sum, (cl_ulong)here.rank * 100 + shift, 100);
}

static void check_works(void) {
  unsigned char total[RESULT_MAX] = {0};
  clred_partial *partial = take(0);
  solve(sum, (cl_ulong)here.size * 100);
  GIVES(clred_mpi_allreduce(sum->handle, partial, total), CL_SUCCESS);
  check_result(sum, total, REDUCE_ALL);
  clred_partial_release(partial);
}

// The calls before `end` must fail the same way and write nothing. `prepare`, if any, runs on each rank before each.
static void check_fail(enum call end, clred_partial *partial, cl_int status, int rank, const char *words,
                       void (*prepare)(clred_partial *partial, int rank)) {
  char text[200];
  float total = 7;
  clred_partial *before = make_before(sum);
  snprintf(text, sizeof text, "rank %d: %s", rank, words);
  for (enum call call = 0; call < end; call++) {
    if (prepare)
      prepare(partial, rank);
    GIVES(call_ranks(call, sum->handle, partial, before, &total), status);
    same_message(text);
  }
  EXPECT(total == 7, "the result was written: %g", (double)total);
  check_unchanged(before);
  clred_partial_release(before);
}

// --- Ranks that fail ---

// The fold reads past the end of the buffer on the ranks from `rank` on. The lowest one names the reason.
static void fold_past_the_end(clred_partial *partial, int rank) {
  const clred_call call = {.in = here.buffer, .in_offset = MOST - 50, .count = 100};
  const cl_int err =
    here.rank < rank ? CL_SUCCESS : clred_partial_fold(here.device.queue, partial, &call, 0, NULL, NULL);
  clred_mpi_fail(sum->handle, err, NULL);
}

static void folds_that_fail(clred_partial *partial, int rank) {
  check_fail(CALLS, partial, CLRED_OUT_OF_RANGE, rank, "in", fold_past_the_end);
}

// A fold whose wait list fails, so that it fails on the device, after it was enqueued.
static void a_kernel_that_fails(clred_partial *partial, int rank) {
  const clred_call call = {.in = here.buffer, .count = 5000};
  cl_int err;
  float total;
  cl_event never = clCreateUserEvent(here.device.context, &err);
  GIVES(err, CL_SUCCESS);
  if (here.rank == rank) {
    GIVES(clred_partial_fold(here.device.queue, partial, &call, 1, &never, NULL), CL_SUCCESS);
    GIVES(clSetUserEventStatus(never, -5), CL_SUCCESS);
  }
  const cl_int got = clred_mpi_allreduce(sum->handle, partial, &total);
  EXPECT(got != CL_SUCCESS, "%s", "a failed kernel was not noticed");
  same_message("rank ");
  clReleaseEvent(never);
}

static void missing_partials(clred_partial *partial, int rank) {
  check_fail(CALLS, here.rank == rank ? NULL : partial, CLRED_INVALID_ARGUMENT, rank, "partial is NULL", NULL);
}

static void missing_results(clred_partial *partial, int rank) {
  float total;
  clred_partial *before = make_before(sum);
  GIVES(clred_mpi_allreduce(sum->handle, partial, here.rank == rank ? NULL : &total), CLRED_INVALID_ARGUMENT);
  same_message("result is NULL");
  GIVES(clred_mpi_reduce(sum->handle, partial, here.size, &total), CLRED_INVALID_ARGUMENT);
  same_message("rank 0: root is no rank of the communicator");
  for (enum call call = SCAN_NOW; call < CALLS; call++) {
    GIVES(call_ranks(call, sum->handle, partial, here.rank == rank ? NULL : before, NULL), CLRED_INVALID_ARGUMENT);
    same_message("before is NULL");
    GIVES(call_ranks(call, sum->handle, partial, here.rank == rank ? partial : before, NULL), CLRED_INVALID_ARGUMENT);
    same_message("before and partial are the same");
  }
  check_unchanged(before);
  clred_partial_release(before);
}

// Own words, on two ranks: those of the lower one count.
static void say_own_words(clred_partial *partial, int rank) {
  (void)partial;
  if (here.rank == rank || here.rank == last())
    clred_mpi_fail(sum->handle, CL_DEVICE_NOT_AVAILABLE - here.rank, here.rank ? "later" : "the cable is out");
  clred_mpi_fail(sum->handle, CL_SUCCESS, "no failure");
}

static void own_words(clred_partial *partial, int rank) {
  check_fail(CALLS, partial, CL_DEVICE_NOT_AVAILABLE, rank, "the cable is out", say_own_words);
}

// --- Ranks that disagree when they open ---

static void handles_that_do_not_open(clred_plan *other) {
  clred_plan *plan = sum->plan, *without = make_plan(&(clred_problem){OP(SUM, FLOAT), .strategy = "host_serial"});
  clred_mpi *opened = sum->handle;
  if (last()) {
    GIVES(clred_mpi_open(MPI_COMM_WORLD, here.rank == last() ? other : plan, &opened), CLRED_PARTIAL_MISMATCH);
    same_message("rank 0 reduces sum of float, and rank ");
    same_message("max of float");
    EXPECT(opened == NULL, "%s", "there is a handle");
  }
  GIVES(clred_mpi_open(MPI_COMM_WORLD, here.rank == last() ? without : plan, &opened), CLRED_INVALID_ARGUMENT);
  same_message("has no partials");
  GIVES(clred_mpi_open(MPI_COMM_WORLD, plan, here.rank == last() ? NULL : &opened), CLRED_INVALID_ARGUMENT);
  same_message("handle is NULL");
  GIVES(clred_mpi_open(MPI_COMM_NULL, plan, &opened), CLRED_INVALID_ARGUMENT);
  GIVES(clred_mpi_share(MPI_COMM_WORLD, without, 5, &(cl_ulong){0}, &(cl_ulong){0}), CLRED_INVALID_ARGUMENT);
  clred_plan_release(without);
  check_works();
}

// --- Partials that do not fit ---

// From `rank` on each rank begins an element too late, or too early: the first one is named.
static void gaps(int rank, bool overlap) {
  const cl_ulong shift = here.rank >= rank ? (cl_ulong)(here.rank - rank + 1) : 0;
  clred_partial *partial = take(overlap ? 0 - shift : shift);
  check_fail(CALLS, partial, CLRED_PARTIAL_GAP, rank, "it begins at element ", NULL);
  same_message(overlap ? "they overlap" : "the elements between them are missing");
  clred_partial_release(partial);
  check_works();
}

// The last rank has the first elements.
static void another_order(struct subject *subject) {
  clred_partial *partial = make_partial(subject, (cl_ulong)(last() - here.rank) * 100, 100);
  unsigned char result[RESULT_MAX] = {7};
  GIVES(clred_mpi_allreduce(subject->handle, partial, result), CLRED_PARTIAL_GAP);
  same_message("they overlap; give each rank the elements behind those of the rank before it");
  GIVES(call_ranks(REDUCE_LATER, subject->handle, partial, NULL, result), CLRED_PARTIAL_GAP);
  EXPECT(result[0] == 7, "%s", "a refused result was written");
  clred_partial_release(partial);
}

// All begin an element too late. That is right for a part of a whole, but not for a result.
static void a_missing_beginning(void) {
  clred_partial *partial = take(1);
  clred_partial_info info = {0};
  check_fail(WHOLE, partial, CLRED_PARTIAL_GAP, 0, "it begins at element 1, but no rank has the elements before it",
             NULL);
  GIVES(clred_mpi_allreduce_partial(sum->handle, partial), CL_SUCCESS);
  GIVES(clred_partial_inspect(partial, &info), CL_SUCCESS);
  EXPECT(info.first == 1 && info.count == (cl_ulong)here.size * 100, "%llu elements from %llu",
         (unsigned long long)info.count, (unsigned long long)info.first);
  clred_partial_release(partial);
  check_works();
}

// No rank has an element, and each says that it begins elsewhere: the identity.
static void nothing(void) {
  clred_partial *partial = make_partial(sum, 5 + (cl_ulong)here.rank, 0);
  float total = 7;
  GIVES(clred_mpi_allreduce(sum->handle, partial, &total), CL_SUCCESS);
  EXPECT(total == 0, "%g", (double)total);
  clred_partial_release(partial);
}

static void another_problem(struct subject *greatest) {
  clred_partial *partial = here.rank == last() ? make_partial(greatest, (cl_ulong)here.rank * 100, 100) : take(0);
  check_fail(CALLS, partial, CLRED_PARTIAL_MISMATCH, last(), "the partial is of another problem", NULL);
  clred_partial_release(partial);
  check_works();
  partial = take(0);
  clred_partial *before = make_before(greatest);
  GIVES(clred_mpi_exscan(sum->handle, partial, before), CLRED_PARTIAL_MISMATCH);
  same_message("rank 0: before is of another problem than the plan of clred_mpi_open");
  RELEASE(partial, before);
  handles_that_do_not_open(greatest->plan);
}

static void other_parameters(struct subject *maps) {
  const float given = here.rank == last() ? 0.5f : decay;
  const void *parameter = &given;
  clred_partial *partial = NULL;
  float result[2];
  GIVES(clred_partial_create(maps->plan, &(clred_partial_options){.parameters = &parameter}, &partial), CL_SUCCESS);
  GIVES(clred_mpi_allreduce(maps->handle, partial, result), last() ? CLRED_PARTIAL_MISMATCH : CL_SUCCESS);
  if (last())
    same_message("its parameters have other values than those of rank");
  clred_partial_release(partial);
}

// --- MPI itself ---

static void mpi_that_fails(clred_partial *partial, int rank) {
  clred_mpi *opened = NULL;
  clred_partial *before = make_before(sum);
  float total = 7;
  failing = "MPI_Allreduce";
  GIVES(clred_mpi_allreduce(sum->handle, partial, &total), CLRED_MPI_FAILED);
  same_message("MPI_Allreduce: ");
  GIVES(clred_mpi_open(MPI_COMM_WORLD, sum->plan, &opened), CLRED_MPI_FAILED);
  failing = "MPI_Iallreduce";
  GIVES(clred_mpi_iallreduce(sum->handle, partial, &total), CLRED_MPI_FAILED);
  same_message("MPI_Iallreduce: ");
  failing = here.rank == rank ? "MPI_Type_set_attr" : NULL;
  GIVES(clred_mpi_open(MPI_COMM_WORLD, sum->plan, &opened), CLRED_MPI_FAILED);
  same_message("MPI_Type_set_attr: ");
  failing = "MPI_Type_get_attr";
  if (rank)
    GIVES(clred_mpi_allreduce(sum->handle, partial, &total), CLRED_MPI_FAILED);
  failing = "MPI_Iexscan";
  if (rank == 0)
    GIVES(clred_mpi_exscan(sum->handle, partial, before), CLRED_MPI_FAILED);
  failing = "MPI_Iallreduce";
  GIVES(clred_mpi_iexscan(sum->handle, partial, before), CLRED_MPI_FAILED);
  failing = NULL;
  GIVES(clred_mpi_wait(sum->handle), CLRED_INVALID_ARGUMENT);
  clred_partial_release(before);
  EXPECT(total == 7, "%g", (double)total);
}

// While a call is under way, its handle refuses others, and the partial of this rank may be used.
static void one_at_a_time(clred_partial *partial, int rank) {
  float total = 7;
  clred_partial *before = make_before(sum);
  for (int scans = 0; scans < 2; scans++) {
    if (here.rank == rank && scans)
      clred_mpi_fail(sum->handle, CL_OUT_OF_RESOURCES, "the kernel failed");
    GIVES(scans ? clred_mpi_iexscan(sum->handle, partial, before) : clred_mpi_iallreduce(sum->handle, partial, &total),
          CL_SUCCESS);
    GIVES(clred_mpi_iexscan(sum->handle, partial, before), CLRED_INVALID_ARGUMENT);
    GIVES(clred_mpi_allreduce(sum->handle, partial, &total), CLRED_INVALID_ARGUMENT);
    same_message("handle: a nonblocking call is under way");
    GIVES(clred_partial_reset(partial, (cl_ulong)here.rank * 100), CL_SUCCESS);
    GIVES(clred_mpi_wait(sum->handle), scans ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
    GIVES(clred_mpi_wait(sum->handle), CLRED_INVALID_ARGUMENT);
  }
  check_unchanged(before);
  clred_partial_release(before);
}

// Two handles on one communicator, finished in the other order.
static void two_at_a_time(clred_partial *partial, int rank) {
  clred_mpi *second = NULL;
  float one = 1, two = 2;
  (void)rank;
  GIVES(clred_mpi_open(MPI_COMM_WORLD, sum->plan, &second), CL_SUCCESS);
  GIVES(clred_mpi_iallreduce(sum->handle, partial, &one), CL_SUCCESS);
  GIVES(clred_mpi_iallreduce(second, partial, &two), CL_SUCCESS);
  GIVES(clred_mpi_wait(second), CL_SUCCESS);
  GIVES(clred_mpi_wait(sum->handle), CL_SUCCESS);
  EXPECT(memcmp(&one, &two, sizeof one) == 0, "%g and %g", (double)one, (double)two);
  GIVES(clred_mpi_iallreduce(second, partial, &two), CL_SUCCESS);
  clred_mpi_close(second);
}

// Each row gets a partial with 100 elements of its rank, and the rank on which something fails.
static void check_each_failure(void) {
  const struct {
    void (*check)(clred_partial *partial, int rank);
    int rank;
  } rows[] = {{folds_that_fail, 0},       {folds_that_fail, last()}, {a_kernel_that_fails, last()},
              {missing_partials, last()}, {missing_results, last()}, {own_words, 0},
              {mpi_that_fails, last()},   {one_at_a_time, last()},   {two_at_a_time, last()}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    clred_partial *partial = take(0);
    rows[i].check(partial, rows[i].rank);
    clred_partial_release(partial);
    check_works();
  }
}

static void check_sum(struct subject *subject) {
  struct subject greatest = {.name = "maximum", .problem = {OP(MAX, FLOAT)}};
  struct subject least = {.name = "argmin", .problem = {OP(ARGMIN, FLOAT)}};
  struct subject maps = {.name = "affine maps", .problem = {.custom = &affine}};
  sum = subject;
  check_works();
  check_each_failure();
  a_missing_beginning();
  if (last()) {
    gaps(1, false);
    gaps(last(), true);
    another_order(subject);
    check_each(&least, 1, another_order);
  }
  nothing();
  check_each(&greatest, 1, another_problem);
  check_each(&maps, 1, other_parameters);
  clred_mpi_close(NULL);
}

void check_failures(void) {
  check_each(&(struct subject){.name = "sum", .problem = {OP(SUM, FLOAT)}}, 1, check_sum);
}
