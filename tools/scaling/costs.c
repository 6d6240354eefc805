// The costs that tools/scaling/model.py puts together: mpirun -n 2 scaling_costs prints them as JSON. Sums of floats on
// the first device; the least of many turns. Rank 0 measures folds and joins while rank 1 waits.
// mpirun -n N scaling_costs calls: the calls of libclreduce-mpi alone, medians, for any number of ranks.
#include "costs.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

void stop_if(int failed, const char *what) {
  if (!failed)
    return;
  fprintf(stderr, "scaling_costs: %s failed with %d\n", what, failed);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void open_device(struct device *device) {
  cl_platform_id platform;
  cl_int err = clGetPlatformIDs(1, &platform, NULL);
  if (!err)
    err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device->id, NULL);
  stop_if(err, "looking for a device");
  device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &err);
  stop_if(err, "clCreateContext");
  device->queue = clCreateCommandQueue(device->context, device->id, 0, &err);
  stop_if(err, "clCreateCommandQueue");
  stop_if(clred_runtime_create(device->context, device->id, NULL, &device->runtime), "clred_runtime_create");
  stop_if(
    clred_plan_create(device->runtime, &(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM}, &device->plan),
    "clred_plan_create");
}

static void close_device(struct device *device) {
  clred_plan_release(device->plan);
  clred_runtime_release(device->runtime);
  clReleaseCommandQueue(device->queue);
  clReleaseContext(device->context);
}

clred_partial *create(const struct device *device, cl_ulong first) {
  clred_partial *partial = NULL;
  stop_if(clred_partial_create(device->plan, &(clred_partial_options){.first = first}, &partial),
          "clred_partial_create");
  return partial;
}

static void print_costs(const struct device *device, int rank, int count) {
  stop_if(count != 2, "a run with another number of ranks than 2");
  if (rank == 0) {
    print_folds(device);
    print_joins(device);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  print_messages(device, rank);
}

int main(int argc, char **argv) {
  struct device device;
  int rank, count;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  open_device(&device);
  if (argc > 1 && strcmp(argv[1], "calls") == 0)
    print_calls(&device, rank, count);
  else
    print_costs(&device, rank, count);
  close_device(&device);
  MPI_Finalize();
  return 0;
}
