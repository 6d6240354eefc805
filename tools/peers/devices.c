// two_devices [POWER]: the times of sums of up to 2^POWER floats (31) on two devices beside one device. The floats
// lie on the devices, the result in host memory. Both sides alternate; medians. Exits with 1 if bits differ.
// `tools/gpu.sh devices` runs it, and compares the bits of other operators by the tool.
#include <clreduce_shares.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEVICES 2
#define TURNS 51
#define TILES ((cl_ulong)1 << 14)  // the second half begins at a multiple of these elements
#define PIECE ((cl_ulong)1 << 24)  // floats that are copied at a time

static struct worker {
  cl_context context;
  cl_command_queue queue;
  clred_runtime *runtime;
  clred_plan *plan;
  clred_partial *partial;
  cl_mem floats;
} workers[DEVICES];

static void stop_if(cl_int status, const char *what) {
  if (status == CL_SUCCESS)
    return;
  fprintf(stderr, "scaling_devices: %s: %s\n", what, clred_status_name(status));
  exit(1);
}

static double now(void) {
  struct timespec time;
  timespec_get(&time, TIME_UTC);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

// ---- Devices

// The first two GPUs of a platform, or its first two devices.
static bool find_devices(cl_device_id ids[DEVICES]) {
  static const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
  cl_platform_id platforms[16];
  cl_uint platform_count = 0, found = 0;
  stop_if(clGetPlatformIDs(16, platforms, &platform_count), "clGetPlatformIDs");
  for (size_t type = 0; type < 2; type++)
    for (cl_uint i = 0; i < platform_count && i < 16; i++)
      if (clGetDeviceIDs(platforms[i], types[type], DEVICES, ids, &found) == CL_SUCCESS && found >= DEVICES)
        return true;
  return false;
}

static void open_worker(struct worker *worker, cl_device_id id, int power) {
  const clred_problem sum = {.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_SUM};
  cl_int status;
  worker->context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
  stop_if(status, "clCreateContext");
  worker->queue = clCreateCommandQueue(worker->context, id, 0, &status);
  stop_if(status, "clCreateCommandQueue");
  stop_if(clred_runtime_create(worker->context, id, NULL, &worker->runtime), "clred_runtime_create");
  stop_if(clred_plan_create(worker->runtime, &sum, &worker->plan), "clred_plan_create");
  stop_if(clred_partial_create(worker->plan, NULL, &worker->partial), "clred_partial_create");
  worker->floats = clCreateBuffer(worker->context, CL_MEM_READ_WRITE, sizeof(float) << power, NULL, &status);
  stop_if(status, "clCreateBuffer");
}

// Copies the same floats between -0.5 and 0.5 to both devices.
static void fill(cl_ulong count) {
  const cl_ulong piece = count < PIECE ? count : PIECE;
  float *floats = malloc(piece * sizeof *floats);
  stop_if(floats == NULL ? CL_OUT_OF_HOST_MEMORY : CL_SUCCESS, "the floats");
  for (cl_uint i = 0; i < piece; i++)
    floats[i] = (float)((i * 2654435761u ^ i >> 9) >> 8) * 0x1p-24f - 0.5f;
  for (size_t i = 0; i < DEVICES; i++)
    for (cl_ulong at = 0; at < count; at += piece)
      stop_if(clEnqueueWriteBuffer(workers[i].queue, workers[i].floats, CL_TRUE, at * sizeof *floats,
                                   piece * sizeof *floats, floats, 0, NULL, NULL),
              "clEnqueueWriteBuffer");
  free(floats);
}

static void close_worker(struct worker *worker) {
  clReleaseMemObject(worker->floats);
  clred_partial_release(worker->partial);
  clred_plan_release(worker->plan);
  clred_runtime_release(worker->runtime);
  clReleaseCommandQueue(worker->queue);
  clReleaseContext(worker->context);
}

// ---- Times

// The first device takes the elements before `cut`.
static float sum(cl_ulong cut, cl_ulong count) {
  clred_call calls[DEVICES] = {{.in = workers[0].floats, .count = cut},
                               {.in = workers[1].floats, .in_offset = cut, .count = count - cut}};
  clred_device_share shares[DEVICES];
  float result = 0;
  for (size_t i = 0; i < DEVICES; i++)
    shares[i] = (clred_device_share){workers[i].queue, workers[i].partial, &calls[i]};
  stop_if(clred_devices_reduce(shares, DEVICES, &result), "clred_devices_reduce");
  return result;
}

static float sum_on_one(cl_ulong count) {
  float result = 0;
  const clred_call call = {.in = workers[0].floats, .count = count, .result = &result, .blocking = CL_TRUE};
  stop_if(clred_enqueue(workers[0].queue, workers[0].plan, &call, 0, NULL, NULL), "clred_enqueue");
  return result;
}

static int compare(const void *a, const void *b) {
  const double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double median(double *seconds) {
  qsort(seconds, TURNS, sizeof *seconds, compare);
  return seconds[TURNS / 2];
}

// Prints the times of one device and of both, cut here. Returns whether the bits differ. The first turn is not counted.
static int print_pair(cl_ulong cut, cl_ulong count) {
  double one[TURNS], both[TURNS];
  float of_one = 0, of_both = 0;
  for (int turn = -1; turn < TURNS; turn++) {
    const double begun = now();
    of_one = sum_on_one(count);
    const double between = now();
    of_both = sum(cut, count);
    one[turn < 0 ? 0 : turn] = between - begun;
    both[turn < 0 ? 0 : turn] = now() - between;
  }
  const int differ = memcmp(&of_one, &of_both, sizeof of_one) != 0;
  const double of_call = median(one), of_pair = median(both);
  printf("  %8.0f %8.0f %6.2f%s%s", of_call * 1e6, of_pair * 1e6, of_call / of_pair, differ ? " WRONG" : "",
         cut == count ? " (all on one)" : "");
  return differ;
}

int main(int argc, char **argv) {
  const int power = argc > 1 ? atoi(argv[1]) : 31;
  cl_device_id ids[DEVICES];
  int differ = 0;
  if (argc > 2 || power < 16 || power > 36 || !find_devices(ids)) {
    fprintf(stderr, "usage: scaling_devices [POWER], POWER from 16 to 36, with two devices of one platform\n");
    return 2;
  }
  for (size_t i = 0; i < DEVICES; i++)
    open_worker(&workers[i], ids[i], power);
  fill((cl_ulong)1 << power);
  printf("floats: one device us, halves us, ratio; one device us, shares of clred_share us, ratio\n");
  for (int i = 14; i <= power; i++) {
    const cl_ulong count = (cl_ulong)1 << i;
    cl_ulong first, share;
    stop_if(clred_share(workers[0].plan, count, DEVICES, 0, &first, &share), "clred_share");
    printf("2^%-2d", i);
    differ |= print_pair(count >= 2 * TILES ? count / 2 / TILES * TILES : count, count);
    differ |= print_pair(share, count);
    putchar('\n');
    fflush(stdout);
  }
  for (size_t i = 0; i < DEVICES; i++)
    close_worker(&workers[i]);
  return differ;
}
