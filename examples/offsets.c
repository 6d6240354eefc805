// A scan: from lengths to offsets. If all words are written one after the other, each begins at the sum of the lengths
// before it. With these offsets all words can be copied at the same time.
#include "device.h"
#include <string.h>

enum { COUNT = 6 };

static const char *const words[COUNT] = {"every", "word", "knows", "its", "own", "place"};

static void pack(const cl_uint *offsets, char *text) {
  for (int i = 0; i < COUNT; i++)
    memcpy(text + offsets[i], words[i], strlen(words[i]));
}

// Offsets of type uint, as wide as the lengths. Without result_bits they would be ulong.
static const clred_problem problem = {
  .type = CLRED_TYPE_UINT, .op = CLRED_OP_SUM, .scan = CLRED_SCAN_EXCLUSIVE, .result_bits = CLRED_RESULT_OWN};

int main(void) {
  cl_uint lengths[COUNT], offsets[COUNT];
  clred_plan *plan = NULL;
  char text[64] = "";
  struct device device;
  for (int i = 0; i < COUNT; i++)
    lengths[i] = (cl_uint)strlen(words[i]);
  cl_int err = device_open(&device);
  if (!err)
    err = clred_plan_create(device.runtime, &problem, &plan);
  if (!err)
    err = clred_plan_run_host(device.queue, plan, &(clred_host_call){.in = lengths, .count = COUNT, .out = offsets});
  clred_plan_release(plan);
  if (!err)
    pack(offsets, text);
  for (int i = 0; i < COUNT && !err; i++)
    printf("%u ", offsets[i]);
  if (!err)
    printf("%s\n", text);
  return device_close(&device, err);
}
