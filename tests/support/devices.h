// Three devices of one process, each with a context of its own, and with other assumed facts, so that their kernels
// differ. For the suites that need several devices; POCL_DEVICES must name three.
#pragma once

#include "support/fixture.h"
#include "support/random.h"

enum { DEVICES = 3, MOST = 3000017 };

static struct device devices[DEVICES];
static size_t device_count;
static float numbers[MOST];

static void open_all(void) {
  static const char *const assumed[DEVICES] = {"cpu=1", "cpu=0", "cpu=1,native_vector_width=4"};
  random_addends(numbers, MOST, 3);
  for (device_count = 0; device_count < DEVICES; device_count++) {
    char index[8];
    snprintf(index, sizeof index, "%zu", device_count);
    setenv("CLREDUCE_TEST_DEVICE", index, 1);
    if (device_open_assuming(&devices[device_count], assumed[device_count]))
      break;
  }
  ck_assert_msg(device_count == DEVICES, "only %zu devices; POCL_DEVICES names %d", device_count, (int)DEVICES);
}

static void close_all(void) {
  fixture_close();
  for (size_t i = 0; i < device_count; i++)
    device_close(&devices[i]);
}

// A buffer of a device with these bytes.
static cl_mem upload(size_t device, const void *bytes, size_t size) {
  cl_int err;
  cl_mem buffer = clCreateBuffer(devices[device].context, CL_MEM_READ_WRITE, size, NULL, &err);
  assert_ok(err);
  assert_ok(clEnqueueWriteBuffer(devices[device].queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
  return OWN(buffer);
}
