// One plan, enqueued many times between other work on the device: the maximum of each row of a matrix that stays there.
// The loop builds nothing, allocates nothing and does not wait; the caller waits once, at the end.
#include <clreduce.h>
#include <stdio.h>

enum { ROWS = 100, COLUMNS = 5000 };

static cl_int first_device(cl_device_id *device) {
  cl_platform_id platform;
  cl_int err = clGetPlatformIDs(1, &platform, NULL);
  return err ? err : clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, device, NULL);
}

// Element (r, c) is (7 r + 13 c) mod 1009.
static void fill(int *matrix) {
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < COLUMNS; c++)
      matrix[r * COLUMNS + c] = (7 * r + 13 * c) % 1009;
}

static cl_int enqueue_rows(cl_command_queue queue, clred_plan *plan, cl_mem matrix, cl_mem maxima) {
  cl_int err = CL_SUCCESS;
  for (cl_ulong row = 0; row < ROWS && !err; row++)
    err = clred_enqueue_reduce(queue, plan, matrix, maxima, row * COLUMNS, row, COLUMNS, 0, NULL, NULL);
  return err;
}

static cl_int run(cl_context context, cl_device_id device, cl_long *result) {
  static int numbers[ROWS * COLUMNS];
  const clred_problem problem = {.type = CLRED_TYPE_INT, .op = CLRED_OP_MAX};
  clred_runtime *runtime = NULL;
  clred_plan *plan = NULL;
  cl_mem matrix = NULL, maxima = NULL;
  cl_int err;
  fill(numbers);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
  if (!err)
    matrix = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &err);
  if (!err)
    maxima = clCreateBuffer(context, CL_MEM_READ_WRITE, ROWS * sizeof *result, NULL, &err);
  if (!err)
    err = clred_runtime_create(context, device, NULL, &runtime);
  if (!err)
    err = clred_plan_create(runtime, &problem, &plan);
  if (!err)
    err = enqueue_rows(queue, plan, matrix, maxima);
  if (!err)
    err = clEnqueueReadBuffer(queue, maxima, CL_TRUE, 0, ROWS * sizeof *result, result, 0, NULL, NULL);
  if (err)
    fprintf(stderr, "%s: %s\n", clred_status_name(err), clred_last_error(runtime));
  clred_plan_release(plan);
  clred_runtime_release(runtime);
  if (maxima)
    clReleaseMemObject(maxima);
  if (matrix)
    clReleaseMemObject(matrix);
  if (queue)
    clReleaseCommandQueue(queue);
  return err;
}

int main(void) {
  cl_long maxima[ROWS];
  cl_device_id device;
  cl_int err = first_device(&device);
  cl_context context = err ? NULL : clCreateContext(NULL, 1, &device, NULL, NULL, &err);
  if (!err)
    err = run(context, device, maxima);
  if (context)
    clReleaseContext(context);
  if (err)
    return 1;
  printf("row 0: %lld, row %d: %lld\n", (long long)maxima[0], ROWS - 1, (long long)maxima[ROWS - 1]);
  return maxima[0] != 1008 || maxima[ROWS - 1] != 1008;
}
