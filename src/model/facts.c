// The table of facts, their correction, and --assume.
#include "model/facts.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"

static bool allows_LIMIT(cl_ulong reported, cl_ulong assumed) {
  return assumed <= reported;
}

static bool allows_COUNT(cl_ulong reported, cl_ulong assumed) {
  (void)reported;
  return assumed >= 1;
}

static bool allows_FLAG(cl_ulong reported, cl_ulong assumed) {
  return assumed == 0 || assumed == reported;
}

static bool allows_SHAPE(cl_ulong reported, cl_ulong assumed) {
  (void)reported;
  return assumed <= 1;
}

static bool allows_MASK(cl_ulong reported, cl_ulong assumed) {
  return (assumed & ~reported) == 0;
}

static bool allows_SET(cl_ulong reported, cl_ulong assumed) {
  (void)reported, (void)assumed;
  return true;
}

#define keyed_YES true
#define keyed_NO false
#define ROW(name, kind, keyed, summary) \
  {#name, summary, offsetof(struct clr_facts, name), allows_##kind, keyed_##keyed},
static const struct clr_fact_row rows[] = {CLR_FACT_MAP(ROW)};

const struct clr_fact_row *clr_fact_row(size_t index) {
  return index < sizeof rows / sizeof *rows ? &rows[index] : NULL;
}

static cl_ulong *field(struct clr_facts *facts, const struct clr_fact_row *row) {
  return (cl_ulong *)((char *)facts + row->offset);
}

cl_ulong clr_fact_value(const struct clr_facts *facts, const struct clr_fact_row *row) {
  return *(const cl_ulong *)((const char *)facts + row->offset);
}

void clr_fact_set(struct clr_facts *facts, const struct clr_fact_row *row, cl_ulong value) {
  *field(facts, row) = value;
}

void clr_facts_make_sane(struct clr_facts *facts) {
  // No device has larger groups or more units, so a greater number is an error of the driver. A value of 0 means that
  // the driver reported nothing.
  facts->max_work_item_size = facts->max_work_item_size ? facts->max_work_item_size : facts->max_work_group_size;
  facts->max_work_group_size = clr_clamp(facts->max_work_group_size, 1, 65536);
  facts->max_work_item_size = clr_clamp(facts->max_work_item_size, 1, facts->max_work_group_size);
  if (facts->kernel_work_group_size > facts->max_work_group_size)
    facts->kernel_work_group_size = facts->max_work_group_size;
  facts->compute_units = clr_clamp(facts->compute_units, 1, 65536);
  facts->preferred_multiple = clr_clamp(facts->preferred_multiple, 1, facts->max_work_group_size);
  facts->native_vector_width = clr_clamp(facts->native_vector_width, 1, 16);
  facts->line_bytes = facts->line_bytes ? clr_min(facts->line_bytes, 65536) : 128;
  // The standard's minimum, if the driver reports nothing.
  const cl_ulong least_alloc = (cl_ulong)128 << 20;
  if (!facts->max_alloc)
    facts->max_alloc = facts->global_mem_size / 4 > least_alloc ? facts->global_mem_size / 4 : least_alloc;
  // This fence is a feature of OpenCL C 3.0.
  if (facts->opencl_version < 300 && facts->device_fence == CLR_FENCE_C11)
    facts->device_fence = CLR_FENCE_NONE;
  // Groups publish through atomics, so without correct atomics a fence is useless.
  if (!facts->atomics)
    facts->device_fence = CLR_FENCE_NONE;
  if (facts->device_fence != CLR_FENCE_PTX)
    facts->ptx_target = 0;
  facts->cpu = facts->cpu != 0;
}

const struct clr_fact_row *clr_fact_named(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
      return &rows[i];
  return NULL;
}

static cl_int assume_one(struct clr_facts *facts, const char *word, size_t length, struct clr_status *status) {
  const char *equals = memchr(word, '=', length);
  int shown = (int)(length < 100 ? length : 100);
  if (!equals)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "assume: '%.*s' should be FACT=VALUE", shown, word);
  size_t name_length = (size_t)(equals - word);
  const struct clr_fact_row *row = clr_fact_named(word, name_length);
  if (!row)
    return clr_fail(status, CLRED_UNKNOWN_NAME, "assume: no fact is named '%.*s'; query lists them",
                    (int)(name_length < 100 ? name_length : 100), word);
  char *end;
  errno = 0;
  cl_ulong value = strtoull(equals + 1, &end, 10);
  if (!isdigit((unsigned char)equals[1]) || errno || end != word + length)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "assume: '%.*s' should give a number in decimal digits", shown,
                    word);
  cl_ulong reported = clr_fact_value(facts, row);
  if (!row->allows(reported, value))
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "assume: %s=%llu is above the device's %llu; give at most that",
                    row->name, (unsigned long long)value, (unsigned long long)reported);
  // Refuse a value that clr_facts_make_sane would change back.
  struct clr_facts sane = *facts;
  *field(&sane, row) = value;
  clr_facts_make_sane(&sane);
  if (*field(&sane, row) != value)
    return clr_fail(status, CLRED_INVALID_ARGUMENT, "assume: %s=%llu is not possible; the nearest value is %llu",
                    row->name, (unsigned long long)value, (unsigned long long)*field(&sane, row));
  *facts = sane;
  return CL_SUCCESS;
}

cl_int clr_facts_assume(struct clr_facts *facts, const char *assume, struct clr_status *status) {
  struct clr_facts assumed = *facts;
  while (*assume) {
    size_t length = strcspn(assume, ",");
    cl_int err = assume_one(&assumed, assume, length, status);
    if (err)
      return err;
    assume += length + (assume[length] == ',');
  }
  *facts = assumed;
  return CL_SUCCESS;
}
