// The costs that tools/scaling/model.py puts together: mpirun -n 2 scaling_costs prints them as JSON. Sums of floats on
// the first device; medians. Rank 0 measures folds and joins while rank 1 waits.
#include <clreduce_mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define FOLDS_LEAST 10
#define FOLDS_MOST 24
#define TURNS 401
#define MEMORY_POWER 26  // floats that folds go through by turns, so that caches do not have them
#define SHIFT 777        // elements before a share that is cut within a tile

struct device {
  cl_device_id id;
  cl_context context;
  cl_command_queue queue;
  clred_runtime *runtime;
  clred_plan *plan;
};

static void stop_if(int failed, const char *what) {
  if (!failed)
    return;
  fprintf(stderr, "scaling_costs: %s failed with %d\n", what, failed);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void keep_least(double *least, double seconds) {
  if (seconds < *least)
    *least = seconds;
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
    clred_plan_create(device->runtime, &(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_ADD}, &device->plan),
    "clred_plan_create");
}

static void close_device(struct device *device) {
  clred_plan_release(device->plan);
  clred_runtime_release(device->runtime);
  clReleaseCommandQueue(device->queue);
  clReleaseContext(device->context);
}

static clred_partial *create(const struct device *device, cl_ulong first) {
  clred_partial *partial = NULL;
  stop_if(clred_partial_create(device->plan, &(clred_partial_options){.first = first}, &partial),
          "clred_partial_create");
  return partial;
}

// ---- Folds: of elements that lie on the device

static double time_fold(const struct device *device, cl_mem buffer, clred_partial *partial, cl_ulong count) {
  const cl_ulong pieces = ((cl_ulong)1 << MEMORY_POWER) / count;
  double least = HUGE_VAL;
  clred_partial_info info;
  for (cl_ulong i = 0; i < TURNS; i++) {
    const clred_call call = {.in = buffer, .in_offset = i * 7919 % pieces * count, .count = count};
    stop_if(clred_partial_reset(partial, 0), "clred_partial_reset");
    const double begun = now();
    stop_if(clred_partial_fold(device->queue, partial, &call, 0, NULL, NULL), "clred_partial_fold");
    stop_if(clred_partial_inspect(partial, &info), "clred_partial_inspect");
    keep_least(&least, now() - begun);
  }
  return least;
}

static cl_mem make_floats(const struct device *device) {
  const size_t bytes = ((size_t)1 << MEMORY_POWER) * sizeof(float);
  const float one = 1;
  cl_int err;
  cl_mem buffer = clCreateBuffer(device->context, CL_MEM_READ_WRITE, bytes, NULL, &err);
  stop_if(err, "clCreateBuffer");
  stop_if(clEnqueueFillBuffer(device->queue, buffer, &one, sizeof one, 0, bytes, 0, NULL, NULL), "clEnqueueFillBuffer");
  stop_if(clFinish(device->queue), "clFinish");
  return buffer;
}

static void print_folds(const struct device *device) {
  cl_mem buffer = make_floats(device);
  clred_partial *partial = create(device, 0);
  printf("{\"fold\": [");
  for (int power = FOLDS_LEAST; power <= FOLDS_MOST; power += 2)
    printf("%s[%lld, %.3g]", power > FOLDS_LEAST ? ", " : "", 1ll << power,
           time_fold(device, buffer, partial, (cl_ulong)1 << power));
  printf("],\n");
  clred_partial_release(partial);
  clReleaseMemObject(buffer);
}

// ---- What MPI's operator does with the blocks of two neighbours

struct packed {
  unsigned char *bytes;
  size_t size;
};

static struct packed pack(const struct device *device, cl_ulong first, cl_ulong count) {
  float *numbers = calloc((size_t)count, sizeof *numbers);
  clred_partial *partial = create(device, first);
  struct packed packed = {malloc(clred_partial_bytes(device->plan)), 0};
  stop_if(!numbers || !packed.bytes, "malloc");
  stop_if(clred_partial_push(device->queue, partial, &(clred_host_call){.in = numbers, .count = count}),
          "clred_partial_push");
  stop_if(clred_partial_pack(partial, packed.bytes, clred_partial_bytes(device->plan), &packed.size),
          "clred_partial_pack");
  clred_partial_release(partial);
  free(numbers);
  return packed;
}

// Reads two blocks, joins them and packs the joined one. *packing gets the time of the packing alone.
static double time_join(const struct device *device, const struct packed *a, const struct packed *b, double *packing) {
  clred_partial *left = create(device, 0), *right = create(device, 0);
  const size_t room = clred_partial_bytes(device->plan);
  unsigned char *bytes = malloc(room);
  double least = HUGE_VAL;
  size_t size;
  stop_if(!bytes, "malloc");
  *packing = HUGE_VAL;
  for (int i = 0; i < TURNS; i++) {
    const double begun = now();
    stop_if(clred_partial_read(left, a->bytes, a->size), "clred_partial_read");
    stop_if(clred_partial_read(right, b->bytes, b->size), "clred_partial_read");
    stop_if(clred_partial_join(left, right), "clred_partial_join");
    const double joined = now();
    stop_if(clred_partial_pack(left, bytes, room, &size), "clred_partial_pack");
    keep_least(packing, now() - joined);
    keep_least(&least, now() - begun);
  }
  clred_partial_release(left);
  clred_partial_release(right);
  free(bytes);
  return least;
}

static void print_joins(const struct device *device) {
  const cl_ulong count = 1 << 20;
  for (int is_cut = 0; is_cut < 2; is_cut++) {
    const cl_ulong first = is_cut ? SHIFT : 0;
    struct packed a = pack(device, first, count), b = pack(device, first + count, count);
    double packing, join = time_join(device, &a, &b, &packing);
    printf("\"join_%s\": %.3g, \"pack_%s\": %.3g, \"bytes_%s\": %zu,\n", is_cut ? "cut" : "whole", join,
           is_cut ? "cut" : "whole", packing, is_cut ? "cut" : "whole", a.size);
    free(a.bytes);
    free(b.bytes);
  }
}

// ---- Messages between the two ranks

// Both ranks leave the barrier at about the same time.
static double time_message(int bytes) {
  unsigned char *from = calloc(1, (size_t)bytes), *to = calloc(1, (size_t)bytes);
  double least = HUGE_VAL;
  stop_if(!from || !to, "calloc");
  for (int i = 0; i < TURNS; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = now();
    MPI_Allreduce(from, to, bytes, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
    double mine = now() - begun, later;
    MPI_Allreduce(&mine, &later, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    keep_least(&least, later);
  }
  free(from);
  free(to);
  return least;
}

// The bytes of a block of libclreduce-mpi: a head of 128 bytes, and room for any packed partial.
static int block_bytes(const struct device *device) {
  return 128 + (int)(clred_partial_bytes(device->plan) + 15) / 16 * 16;
}

// The call that the model computes, for comparison. `first`: where the elements of rank 0 begin.
static double time_call(const struct device *device, clred_mpi *ranks, cl_ulong first, int rank) {
  static const float numbers[1 << 20];
  const cl_ulong count = 1 << 20;
  clred_partial *partial = create(device, first + (cl_ulong)rank * count);
  double least = HUGE_VAL;
  stop_if(clred_partial_push(device->queue, partial, &(clred_host_call){.in = numbers, .count = count}),
          "clred_partial_push");
  for (int i = 0; i < TURNS; i++) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double begun = now();
    float result;
    // Shares that do not begin at element 0 are refused after the collective, which is what is timed.
    const cl_int err = clred_mpi_allreduce(ranks, partial, &result);
    stop_if(err && err != CLRED_PARTIAL_GAP, "clred_mpi_allreduce");
    double mine = now() - begun, later;
    MPI_Allreduce(&mine, &later, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    keep_least(&least, later);
  }
  clred_partial_release(partial);
  return least;
}

static void measure_calls(const struct device *device, int rank) {
  clred_mpi *ranks;
  stop_if(clred_mpi_open(MPI_COMM_WORLD, device->plan, &ranks), "clred_mpi_open");
  const double whole = time_call(device, ranks, 0, rank), cut = time_call(device, ranks, SHIFT, rank);
  if (rank == 0)
    printf("\"call_whole\": %.3g, \"call_cut\": %.3g,\n", whole, cut);
  clred_mpi_close(ranks);
}

static void measure_messages(const struct device *device, int rank) {
  const int sizes[] = {4, 64, 1024, block_bytes(device), 65536};
  if (rank == 0)
    printf("\"block\": %d, \"message\": [", sizes[3]);
  for (int i = 0; i < 5; i++) {
    const double seconds = time_message(sizes[i]);
    if (rank == 0)
      printf("%s[%d, %.3g]", i ? ", " : "", sizes[i], seconds);
  }
  if (rank == 0)
    printf("]}\n");
}

int main(int argc, char **argv) {
  struct device device;
  int rank, count;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  stop_if(count != 2, "a run with another number of ranks than 2");
  open_device(&device);
  if (rank == 0) {
    print_folds(&device);
    print_joins(&device);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  measure_calls(&device, rank);
  measure_messages(&device, rank);
  close_device(&device);
  MPI_Finalize();
  return 0;
}
