// Whatever fails on one rank, all ranks return the same status and sentence, none hangs, and the next call works.
#include "mpi/mpi_test.h"

#include <stdio.h>
#include <string.h>

static const clred_problem sum = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD};
static const clred_problem greatest = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_MAX};

static clred_plan *plan;
static clred_mpi *handle;

static int last(void) {
  return here.size - 1;
}

// 100 elements for each rank.
static clred_partial *mine(void) {
  return make_partial(plan, &sum, (cl_ulong)here.rank * 100, 100);
}

static void say_rank(char *text, size_t size, int rank, const char *rest) {
  snprintf(text, size, "rank %d: %s", rank, rest);
}

static void check_works(void) {
  float total = 0, expected = -1;
  const clred_host_call call = {.in = here.elements, .count = (cl_ulong)here.size * 100, .out = &expected};
  clred_partial *partial = mine();
  GIVES(clred_plan_run_host(here.device.queue, plan, &call), CL_SUCCESS);
  GIVES(clred_mpi_allreduce(handle, partial, &total), CL_SUCCESS);
  EXPECT(memcmp(&total, &expected, sizeof total) == 0, "%g, not %g", (double)total, (double)expected);
  clred_partial_release(partial);
}

// Every sort of call with this partial must fail the same way.
static void check_all_fail(clred_partial *partial, cl_int status, int rank, const char *words) {
  char text[200];
  float total = 7;
  say_rank(text, sizeof text, rank, words);
  GIVES(clred_mpi_allreduce(handle, partial, &total), status);
  same_sentence(text);
  GIVES(clred_mpi_reduce(handle, partial, 0, &total), status);
  same_sentence(text);
  GIVES(clred_mpi_iallreduce(handle, partial, &total), CL_SUCCESS);
  GIVES(clred_mpi_wait(handle), status);
  same_sentence(text);
  EXPECT(total == 7, "the result was written: %g", (double)total);
}

// --- Ranks that fail ---

// The fold reads past the end of the buffer on the ranks from `rank` on. The lowest one names the reason.
static void folds_that_fail(int rank) {
  const clred_call call = {.in = here.buffer, .in_offset = MOST - 50, .count = 100};
  float total;
  char text[200];
  clred_partial *partial = mine();
  for (int turn = 0; turn < 2; turn++) {
    const cl_int err =
      here.rank < rank ? CL_SUCCESS : clred_partial_fold(here.device.queue, partial, &call, 0, NULL, NULL);
    clred_mpi_fail(handle, err, NULL);
    say_rank(text, sizeof text, rank, "in");
    GIVES(turn ? clred_mpi_allreduce_partial(handle, partial) : clred_mpi_allreduce(handle, partial, &total),
          CLRED_OUT_OF_RANGE);
    same_sentence(text);
  }
  clred_partial_release(partial);
  check_works();
}

// A fold whose wait list fails, so that it fails on the device, after it was enqueued.
static void a_kernel_that_fails(void) {
  const clred_call call = {.in = here.buffer, .count = 5000};
  clred_partial *partial = NULL;
  cl_int err;
  float total;
  cl_event never = clCreateUserEvent(here.device.context, &err);
  GIVES(err, CL_SUCCESS);
  GIVES(clred_partial_create(plan, NULL, &partial), CL_SUCCESS);
  if (here.rank == last()) {
    GIVES(clred_partial_fold(here.device.queue, partial, &call, 1, &never, NULL), CL_SUCCESS);
    GIVES(clSetUserEventStatus(never, -5), CL_SUCCESS);
  }
  const cl_int got = clred_mpi_allreduce(handle, partial, &total);
  EXPECT(got != CL_SUCCESS, "%s", "a failed kernel was not noticed");
  same_sentence("rank ");
  clred_partial_release(partial);
  clReleaseEvent(never);
  check_works();
}

static void missing_partials(void) {
  clred_partial *partial = here.rank == last() ? NULL : mine();
  check_all_fail(partial, CLRED_INVALID_ARGUMENT, last(), "partial is NULL");
  clred_partial_release(partial);
  check_works();
}

static void missing_results(void) {
  clred_partial *partial = mine();
  float total;
  GIVES(clred_mpi_allreduce(handle, partial, here.rank == last() ? NULL : &total), CLRED_INVALID_ARGUMENT);
  same_sentence("result is NULL");
  GIVES(clred_mpi_reduce(handle, partial, here.size, &total), CLRED_INVALID_ARGUMENT);
  same_sentence("rank 0: root is no rank of the communicator");
  clred_partial_release(partial);
  check_works();
}

// Own words, on two ranks: those of the lower one count.
static void own_words(void) {
  clred_partial *partial = mine();
  float total;
  if (here.rank == 0 || here.rank == last())
    clred_mpi_fail(handle, CL_DEVICE_NOT_AVAILABLE - here.rank, here.rank ? "later" : "the cable is out");
  clred_mpi_fail(handle, CL_SUCCESS, "no failure");
  GIVES(clred_mpi_allreduce(handle, partial, &total), CL_DEVICE_NOT_AVAILABLE);
  same_sentence("rank 0: the cable is out");
  clred_partial_release(partial);
  check_works();
}

// --- Partials that do not fit ---

// From `rank` on each rank begins an element too late, or too early: the first one is named.
static void gaps(int rank, bool overlap) {
  const cl_ulong shift = here.rank >= rank ? (cl_ulong)(here.rank - rank + 1) : 0, first = (cl_ulong)here.rank * 100;
  clred_partial *partial = make_partial(plan, &sum, overlap ? first - shift : first + shift, 100);
  check_all_fail(partial, CLRED_PARTIAL_GAP, rank, "it begins at element ");
  same_sentence(overlap ? "they overlap" : "the elements between them are missing");
  clred_partial_release(partial);
  check_works();
}

// All begin an element too late. That is right for a part of a whole, but not for a result.
static void a_missing_beginning(void) {
  clred_partial *partial = make_partial(plan, &sum, (cl_ulong)here.rank * 100 + 1, 100);
  clred_partial_info info = {0};
  check_all_fail(partial, CLRED_PARTIAL_GAP, 0, "it begins at element 1, but no rank has the elements before it");
  GIVES(clred_mpi_allreduce_partial(handle, partial), CL_SUCCESS);
  GIVES(clred_partial_inspect(partial, &info), CL_SUCCESS);
  EXPECT(info.first == 1 && info.count == (cl_ulong)here.size * 100, "%llu elements from %llu",
         (unsigned long long)info.count, (unsigned long long)info.first);
  clred_partial_release(partial);
  check_works();
}

// No rank has an element, and each says that it begins elsewhere: the identity.
static void nothing(void) {
  clred_partial *partial = make_partial(plan, &sum, 5 + (cl_ulong)here.rank, 0);
  float total = 7;
  GIVES(clred_mpi_allreduce(handle, partial, &total), CL_SUCCESS);
  EXPECT(total == 0, "%g", (double)total);
  clred_partial_release(partial);
}

static void another_problem(clred_plan *other) {
  clred_partial *partial =
    here.rank == last() ? make_partial(other, &greatest, (cl_ulong)here.rank * 100, 100) : mine();
  check_all_fail(partial, CLRED_PARTIAL_MISMATCH, last(), "the partial is of another problem");
  clred_partial_release(partial);
  check_works();
}

static void other_parameters(void) {
  const float given = here.rank == last() ? 0.5f : decay;
  const void *parameter = &given;
  const clred_problem problem = {.custom = &affine};
  clred_plan *maps = make_plan(&problem);
  clred_mpi *opened = NULL;
  clred_partial *partial = NULL;
  float result[2];
  GIVES(clred_mpi_open(MPI_COMM_WORLD, maps, &opened), CL_SUCCESS);
  GIVES(clred_partial_create(maps, &(clred_partial_options){.parameters = &parameter}, &partial), CL_SUCCESS);
  GIVES(clred_mpi_allreduce(opened, partial, result), last() ? CLRED_PARTIAL_MISMATCH : CL_SUCCESS);
  if (last())
    same_sentence("its parameters have other values than those of rank");
  clred_partial_release(partial);
  clred_mpi_close(opened);
  clred_plan_release(maps);
}

// --- Ranks that disagree when they open ---

static void handles_that_do_not_open(clred_plan *other, clred_plan *without) {
  clred_mpi *opened = handle;
  if (last()) {
    GIVES(clred_mpi_open(MPI_COMM_WORLD, here.rank == last() ? other : plan, &opened), CLRED_PARTIAL_MISMATCH);
    same_sentence("rank 0 reduces add of float, and rank ");
    same_sentence("max of float");
    EXPECT(opened == NULL, "%s", "there is a handle");
  }
  GIVES(clred_mpi_open(MPI_COMM_WORLD, here.rank == last() ? without : plan, &opened), CLRED_INVALID_ARGUMENT);
  same_sentence("makes no partials");
  GIVES(clred_mpi_open(MPI_COMM_WORLD, plan, here.rank == last() ? NULL : &opened), CLRED_INVALID_ARGUMENT);
  same_sentence("handle is NULL");
  GIVES(clred_mpi_open(MPI_COMM_NULL, plan, &opened), CLRED_INVALID_ARGUMENT);
  GIVES(clred_mpi_share(MPI_COMM_WORLD, without, 5, &(cl_ulong){0}, &(cl_ulong){0}), CLRED_INVALID_ARGUMENT);
  check_works();
}

// --- MPI itself ---

static void mpi_that_fails(void) {
  clred_partial *partial = mine();
  clred_mpi *opened = NULL;
  float total = 7;
  failing = "MPI_Allreduce";
  GIVES(clred_mpi_allreduce(handle, partial, &total), CLRED_MPI_FAILED);
  same_sentence("MPI_Allreduce: ");
  GIVES(clred_mpi_open(MPI_COMM_WORLD, plan, &opened), CLRED_MPI_FAILED);
  failing = "MPI_Iallreduce";
  GIVES(clred_mpi_iallreduce(handle, partial, &total), CLRED_MPI_FAILED);
  same_sentence("MPI_Iallreduce: ");
  failing = here.rank == last() ? "MPI_Type_set_attr" : NULL;
  GIVES(clred_mpi_open(MPI_COMM_WORLD, plan, &opened), CLRED_MPI_FAILED);
  same_sentence("MPI_Type_set_attr: ");
  failing = "MPI_Type_get_attr";
  if (last())
    GIVES(clred_mpi_allreduce(handle, partial, &total), CLRED_MPI_FAILED);
  failing = NULL;
  EXPECT(total == 7, "%g", (double)total);
  clred_partial_release(partial);
  check_works();
}

// Two handles on one communicator, finished in the other order.
static void two_at_a_time(void) {
  clred_mpi *second = NULL;
  clred_partial *partial = mine();
  float one = 1, two = 2;
  GIVES(clred_mpi_open(MPI_COMM_WORLD, plan, &second), CL_SUCCESS);
  GIVES(clred_mpi_iallreduce(handle, partial, &one), CL_SUCCESS);
  GIVES(clred_mpi_iallreduce(second, partial, &two), CL_SUCCESS);
  GIVES(clred_mpi_wait(second), CL_SUCCESS);
  GIVES(clred_mpi_wait(handle), CL_SUCCESS);
  EXPECT(memcmp(&one, &two, sizeof one) == 0, "%g and %g", (double)one, (double)two);
  GIVES(clred_mpi_iallreduce(second, partial, &two), CL_SUCCESS);
  clred_mpi_close(second);
  clred_partial_release(partial);
}

void check_failures(void) {
  clred_plan *other = make_plan(&greatest);
  clred_plan *without =
    make_plan(&(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD, .strategy = "host_serial"});
  plan = make_plan(&sum);
  GIVES(clred_mpi_open(MPI_COMM_WORLD, plan, &handle), CL_SUCCESS);
  check_works();
  folds_that_fail(0);
  folds_that_fail(last());
  a_kernel_that_fails();
  missing_partials();
  missing_results();
  own_words();
  a_missing_beginning();
  if (last()) {
    gaps(1, false);
    gaps(last(), true);
  }
  nothing();
  another_problem(other);
  other_parameters();
  handles_that_do_not_open(other, without);
  mpi_that_fails();
  two_at_a_time();
  clred_mpi_close(handle);
  clred_mpi_close(NULL);
  clred_plan_release(plan);
  clred_plan_release(other);
  clred_plan_release(without);
}
