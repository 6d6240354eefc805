// The mean of ten million readings that the ranks of MPI share: mpirun -n 4 example_mpi. Every rank folds its own
// part on its own device; one collective call joins the parts. The mean has the same bits for every number of ranks.
#include "device.h"
#include <clreduce_mpi.h>
#include <stdlib.h>

#define COUNT 10000000ull

// The readings of this rank: reading i is i modulo 10. A program would read its part of a file.
static cl_int fold(struct device *device, clred_partial *partial, cl_ulong first, cl_ulong count) {
  float *readings = malloc((size_t)count * sizeof *readings + 1);
  if (!readings)
    return CL_OUT_OF_HOST_MEMORY;
  for (cl_ulong i = 0; i < count; i++)
    readings[i] = (float)((first + i) % 10);
  cl_int err = clred_partial_push(device->queue, partial, &(clred_host_call){.in = readings, .count = count});
  free(readings);
  return err;
}

// A rank with a failed fold calls clred_mpi_allreduce, too, so that all ranks get its error.
static cl_int reduce(struct device *device, clred_plan *plan, clred_mpi *ranks, float *mean) {
  cl_ulong first = 0, count = 0;
  clred_partial *mine = NULL;
  cl_int err = clred_mpi_share(MPI_COMM_WORLD, plan, COUNT, &first, &count);
  if (!err)
    err = clred_partial_create(plan, &(clred_partial_options){.first = first}, &mine);
  if (!err)
    err = fold(device, mine, first, count);
  clred_mpi_fail(ranks, err, NULL);
  err = clred_mpi_allreduce(ranks, mine, mean);
  clred_partial_release(mine);
  return err;
}

int main(int argc, char **argv) {
  struct device device;
  clred_plan *plan = NULL;
  clred_mpi *ranks = NULL;
  float mean = 0;
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  cl_int err = device_open(&device);
  if (!err)
    err = clred_plan_create(device.runtime, &(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_MEAN}, &plan);
  // All ranks open, also one without a plan: the others then learn of it.
  const cl_int opened = clred_mpi_open(MPI_COMM_WORLD, plan, &ranks);
  if (!err)
    err = opened;
  if (!err)
    err = reduce(&device, plan, ranks, &mean);
  if (!err && rank == 0)
    printf("mean %g\n", mean);
  clred_mpi_close(ranks);
  clred_plan_release(plan);
  const int code = device_close(&device, err);
  MPI_Finalize();
  return code;
}
