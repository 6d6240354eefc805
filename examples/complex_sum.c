// Complex numbers: the impedance of parts in series. C's complex float and the library's cfloat are the same two
// floats.
#include "device.h"
#include <complex.h>

int main(void) {
  const float complex parts[] = {3 + 4 * I, 0.5f - 2 * I, 6.25f * I, 4, 2.5f - 0.25f * I};
  const cl_ulong count = sizeof parts / sizeof *parts;
  struct device device;
  float complex total = 0;
  cl_int err = device_open(&device);
  if (!err)
    err = clred_reduce_host(device.runtime, CLRED_TYPE_CFLOAT, CLRED_OP_SUM, parts, count, &total);
  if (!err)
    printf("total %g %+gi\n", (double)crealf(total), (double)cimagf(total));
  return device_close(&device, err);
}
