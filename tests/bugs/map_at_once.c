// Several threads map one buffer for reading at the same time, each with its own queue. PoCL 3.1 returns NULL without
// an error, or crashes. A lock around clEnqueueMapBuffer and clEnqueueUnmapMemObject, but not around the waits, avoids
// it.

#include <CL/cl.h>
#include <pthread.h>
#include <stdio.h>

#define COUNT 16384
#define THREADS 8
#define TURNS 5000

static cl_context context;
static cl_device_id device;
static cl_mem buffer;
static cl_uint values[COUNT];

static size_t count_wrong(size_t thread) {
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, NULL);
  size_t wrong = 0;
  for (size_t i = 0; i < TURNS; i++) {
    const size_t first = (i * 7919 + thread) % (COUNT / 2);
    cl_int err;
    const cl_uint *memory = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, first * sizeof *memory,
                                               COUNT / 2 * sizeof *memory, 0, NULL, NULL, &err);
    wrong += err || !memory || memory[0] != first;
    if (memory)
      clEnqueueUnmapMemObject(queue, buffer, (void *)memory, 0, NULL, NULL);
    clFinish(queue);
  }
  clReleaseCommandQueue(queue);
  return wrong;
}

static void *work(void *of) {
  size_t *number = of;
  *number = count_wrong(*number);
  return NULL;
}

int main(void) {
  cl_platform_id platform;
  pthread_t threads[THREADS];
  size_t numbers[THREADS], wrong = 0;
  for (cl_uint i = 0; i < COUNT; i++)
    values[i] = i;
  if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
    return 2;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  buffer = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof values, values, NULL);
  for (size_t i = 0; i < THREADS; i++) {
    numbers[i] = i;
    pthread_create(&threads[i], NULL, work, &numbers[i]);
  }
  for (size_t i = 0; i < THREADS; i++) {
    pthread_join(threads[i], NULL);
    wrong += numbers[i];
  }
  clReleaseMemObject(buffer);
  clReleaseContext(context);
  printf("map_at_once: %s, %zu of %d maps\n", wrong ? "WRONG" : "right", wrong, THREADS * TURNS);
  return wrong ? 1 : 0;
}
