// --assume: a text of facts, on a large device and on one with impossible facts.
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "model/facts.h"
#include "model/tuning_text.h"

static void assume(struct clr_facts facts, const char *text) {
  struct clr_status status = {0};
  clr_facts_make_sane(&facts);
  struct clr_facts before = facts;
  cl_int err = clr_facts_assume(&facts, text, &status);
  PROMISE(err == CL_SUCCESS || (status.message[0] != '\0' && memcmp(&facts, &before, sizeof facts) == 0));
  struct clr_facts sane = facts;
  clr_facts_make_sane(&sane);
  PROMISE(memcmp(&facts, &sane, sizeof facts) == 0);
  struct clr_tuning_key key;
  clr_tuning_key_make(text, text, text, &facts, &key);
  PROMISE(strlen(key.device) < CLR_TUNING_LINE - 1 && strlen(key.software) < CLR_TUNING_LINE - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct clr_facts usual = {.compute_units = 132,
                            .max_work_group_size = 1024,
                            .max_work_item_size = 1024,
                            .preferred_multiple = 32,
                            .local_mem_size = 49152,
                            .local_mem_dedicated = 1,
                            .global_mem_size = (cl_ulong)1 << 36,
                            .max_alloc = (cl_ulong)1 << 34,
                            .fp64 = 1,
                            .int64_atomics = 1,
                            .device_fence = 2,
                            .opencl_version = 300};
  struct clr_facts nonsense;
  char *text = fuzz_text(data, size);
  memset(&nonsense, 0xff, sizeof nonsense);  // all facts have their greatest value
  assume(usual, text);
  assume(nonsense, text);
  free(text);
  return 0;
}
