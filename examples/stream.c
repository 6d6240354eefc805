// The mean of a hundred million readings, with only a few chunks in memory at a time. The program writes the readings
// directly into the stream's memory, from which the device takes them. A program can also read a file or a socket into
// this memory.
#include "device.h"

#define COUNT 100000000ull

// Writes the readings 0, 1, 2, ..., 9, 0, 1, ...
static void take_readings(float *to, cl_ulong first, cl_ulong count) {
  for (cl_ulong i = 0; i < count; i++)
    to[i] = (float)((first + i) % 10);
}

static cl_int fill(clred_stream *stream) {
  cl_int err = CL_SUCCESS;
  for (cl_ulong done = 0; done < COUNT && !err;) {
    void *memory;
    cl_ulong room;
    err = clred_stream_acquire(stream, &memory, NULL, &room);
    if (err)
      return err;
    if (room > COUNT - done)
      room = COUNT - done;
    take_readings(memory, done, room);
    done += room;
    err = clred_stream_commit(stream, room);
  }
  return err;
}

int main(void) {
  struct device device;
  clred_plan *plan = NULL;
  clred_stream *stream = NULL;
  float mean = 0;
  cl_int err = device_open(&device);
  if (!err)
    err = clred_plan_create(device.runtime, &(clred_problem){.type = CLRED_TYPE_FLOAT, .op = CLRED_OP_MEAN}, &plan);
  if (!err)
    err = clred_stream_create(device.queue, plan, NULL, &stream);
  if (!err)
    err = fill(stream);
  if (!err)
    err = clred_stream_finish(stream, &mean);
  if (!err)
    printf("mean %g\n", mean);
  clred_stream_release(stream);
  clred_plan_release(plan);
  return device_close(&device, err);
}
