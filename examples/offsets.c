// A scan: from lengths to offsets. If all words are written one after the other, each begins at the sum of the lengths
// before it. With these offsets all words can be copied at the same time.
#include "device.h"
#include <string.h>

enum { COUNT = 6 };

static const char *const words[COUNT] = {"every", "word", "knows", "its", "own", "place"};

static void pack(const cl_ulong *offsets, char *text) {
  for (int i = 0; i < COUNT; i++)
    memcpy(text + offsets[i], words[i], strlen(words[i]));
}

int main(void) {
  cl_uint lengths[COUNT];
  cl_ulong offsets[COUNT];
  char text[64] = "";
  struct device device;
  for (int i = 0; i < COUNT; i++)
    lengths[i] = (cl_uint)strlen(words[i]);
  cl_int err = device_open(&device);
  if (!err)
    err = clred_scan_host(device.runtime, CLRED_TYPE_UINT, CLRED_OP_ADD, CLRED_SCAN_EXCLUSIVE, lengths, COUNT, offsets);
  if (!err)
    pack(offsets, text);
  for (int i = 0; i < COUNT && !err; i++)
    printf("%llu ", (unsigned long long)offsets[i]);
  if (!err)
    printf("%s\n", text);
  return device_close(&device, err);
}
