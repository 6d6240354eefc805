// The running total of a million payments that the ranks of MPI share: mpirun -n 4 example_mpi_scan. Every rank scans
// its own payments on its own device, from the partial of all payments before them. All totals have the same bits for
// every number of ranks.
#include "device.h"
#include <clreduce_mpi.h>
#include <stdlib.h>

#define COUNT 1000000ull

// What a rank has: `mine` are its payments, `before` all payments before them.
struct part {
  cl_ulong first, count;
  clred_partial *mine, *before;
  cl_mem payments, totals;
};

// Payment i is i modulo 10. A program would read its part of a file.
static cl_int fill(struct device *device, struct part *part) {
  const size_t size = (size_t)part->count * sizeof(float);
  float *payments = malloc(size + 1);
  cl_int err = payments ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  for (cl_ulong i = 0; i < part->count && payments; i++)
    payments[i] = (float)((part->first + i) % 10);
  if (part->count) {
    part->payments = device_copy(device, payments, size, &err);
    if (!err)
      part->totals = clCreateBuffer(device->context, CL_MEM_READ_WRITE, size, NULL, &err);
  }
  free(payments);
  return err;
}

static cl_int fold(struct device *device, clred_plan *folds, struct part *part) {
  cl_int err = clred_mpi_share(MPI_COMM_WORLD, folds, COUNT, &part->first, &part->count);
  if (!err)
    err = clred_partial_create(folds, &(clred_partial_options){.first = part->first}, &part->mine);
  if (!err)
    err = clred_partial_create(folds, NULL, &part->before);
  if (!err)
    err = fill(device, part);
  const clred_call call = {.in = part->payments, .count = part->count};
  return err ? err : clred_partial_fold(device->queue, part->mine, &call, 0, NULL, NULL);
}

// A rank with a failed fold calls clred_mpi_exscan, too, so that all ranks get its error.
static cl_int scan(struct device *device, clred_plan *plan, clred_plan *folds, clred_mpi *ranks) {
  struct part part = {0};
  float total = 0;
  clred_mpi_fail(ranks, fold(device, folds, &part), NULL);
  cl_int err = clred_mpi_exscan(ranks, part.mine, part.before);
  const clred_call call = {.in = part.payments, .count = part.count, .out = part.totals};
  if (!err)
    err = clred_partial_scan(device->queue, plan, part.before, part.mine, &call, 0, NULL, NULL);
  if (!err && part.count && part.first + part.count == COUNT) {
    err = clEnqueueReadBuffer(device->queue, part.totals, CL_TRUE, (size_t)(part.count - 1) * sizeof total,
                              sizeof total, &total, 0, NULL, NULL);
    if (!err)
      printf("last total %.0f\n", (double)total);
  }
  clred_partial_release(part.mine);
  clred_partial_release(part.before);
  if (part.payments)
    clReleaseMemObject(part.payments);
  if (part.totals)
    clReleaseMemObject(part.totals);
  return err;
}

int main(int argc, char **argv) {
  const clred_problem problem = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM, .scan = CLRED_SCAN_INCLUSIVE};
  struct device device;
  clred_plan *plan = NULL, *folds = NULL;
  clred_mpi *ranks = NULL;
  MPI_Init(&argc, &argv);
  cl_int err = device_open(&device);
  if (!err)
    err = clred_plan_create(device.runtime, &problem, &plan);
  if (!err)
    err = clred_plan_create_scan_partials(plan, &folds);
  // All ranks open, also one without a plan: the others then learn of it.
  const cl_int opened = clred_mpi_open(MPI_COMM_WORLD, folds, &ranks);
  if (!err)
    err = opened;
  if (!err)
    err = scan(&device, plan, folds, ranks);
  clred_mpi_close(ranks);
  clred_plan_release(folds);
  clred_plan_release(plan);
  const int code = device_close(&device, err);
  MPI_Finalize();
  return code;
}
