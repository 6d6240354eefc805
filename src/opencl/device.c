// Reads a device's facts through clGetDeviceInfo.
#include "opencl/device.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arithmetic.h"

// These queries are newer than our headers; a device that does not know them answers CL_INVALID_VALUE.
#define DEVICE_OPENCL_C_FEATURES 0x106F
#define DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE 0x1067
#define DEVICE_MAX_NUM_SUB_GROUPS 0x105C
#define DEVICE_COMPUTE_CAPABILITY_MAJOR_NV 0x4000
#define DEVICE_COMPUTE_CAPABILITY_MINOR_NV 0x4001
#define DEVICE_WARP_SIZE_NV 0x4003

#define NAME_SIZE 64
struct name_version {
  cl_uint version;
  char name[NAME_SIZE];
};

// A series of queries. The series keeps the first failure.
struct asking {
  cl_device_id device;
  cl_int err;
};

// True for queries that devices of OpenCL 1.2 need not know, or that some drivers are known not to answer.
static bool may_be_unknown(cl_device_info info) {
  return info == DEVICE_OPENCL_C_FEATURES || info == DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE ||
         info == DEVICE_MAX_NUM_SUB_GROUPS || info == DEVICE_WARP_SIZE_NV ||
         info == DEVICE_COMPUTE_CAPABILITY_MAJOR_NV || info == DEVICE_COMPUTE_CAPABILITY_MINOR_NV ||
         info == CL_DEVICE_HOST_UNIFIED_MEMORY || info == CL_DEVICE_DOUBLE_FP_CONFIG;
}

// A device answers CL_INVALID_VALUE if it does not know the query.
static bool answers(struct asking *asking, cl_device_info info, size_t size, void *value, size_t *needed) {
  cl_int err = clGetDeviceInfo(asking->device, info, size, value, needed);
  bool unknown = err == CL_INVALID_VALUE && may_be_unknown(info);
  if (err && !unknown && !asking->err)
    asking->err = err;
  return !err;
}

// Queries return numbers of different widths; we convert all of them to 64 bits.
static cl_ulong number(struct asking *asking, cl_device_info info) {
  union {
    cl_ulong wide;
    cl_uint narrow;
  } value = {0};
  size_t size = 0;
  if (!answers(asking, info, sizeof value, &value, &size))
    return 0;
  return size == sizeof value.narrow ? value.narrow : value.wide;
}

static void *room(struct asking *asking, size_t size) {
  void *bytes = calloc(size, 1);
  if (!bytes && !asking->err)
    asking->err = CL_OUT_OF_HOST_MEMORY;
  return bytes;
}

// Returns a string answer, which the caller frees; NULL if memory is out.
static char *string(struct asking *asking, cl_device_info info) {
  size_t size = 0;
  if (!answers(asking, info, 0, NULL, &size))
    size = 0;
  char *text = room(asking, size + 1);
  if (text && size && !answers(asking, info, size, text, NULL))
    *text = 0;
  return text;
}

// True if `name` is a whole word of the space-separated list.
static bool has_extension(const char *extensions, const char *name) {
  size_t length = strlen(name);
  for (const char *at = extensions; (at = strstr(at, name)) != NULL; at += length)
    if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return true;
  return false;
}

static bool has_features(struct asking *asking, const char *first, const char *second) {
  size_t size = 0;
  bool has_first = false, has_second = false;
  if (!answers(asking, DEVICE_OPENCL_C_FEATURES, 0, NULL, &size) || size < sizeof(struct name_version))
    return false;
  struct name_version *features = room(asking, size);
  if (features && answers(asking, DEVICE_OPENCL_C_FEATURES, size, features, NULL)) {
    for (size_t i = 0; i < size / sizeof *features; i++) {
      has_first |= strncmp(features[i].name, first, NAME_SIZE) == 0;
      has_second |= strncmp(features[i].name, second, NAME_SIZE) == 0;
    }
  }
  free(features);
  return has_first && has_second;
}

// "OpenCL 1.2 ..." gives 120; other text gives 0.
static cl_ulong read_version(const char *text) {
  static const char before[] = "OpenCL ";
  const unsigned long most = 99;
  char *end;
  if (strncmp(text, before, sizeof before - 1) != 0)
    return 0;
  unsigned long major = strtoul(text + sizeof before - 1, &end, 10);
  if (*end != '.' || major > most)
    return 0;
  unsigned long minor = strtoul(end + 1, NULL, 10);
  return minor > most ? 0 : (cl_ulong)major * 100 + (cl_ulong)minor * 10;
}

static cl_ulong ask_version(struct asking *asking) {
  char *text = string(asking, CL_DEVICE_VERSION);
  cl_ulong version = text ? read_version(text) : 0;
  free(text);
  return version;
}

static cl_ulong ask_work_item_size(struct asking *asking) {
  size_t sizes[16] = {0};
  return answers(asking, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL) ? sizes[0] : 0;
}

static cl_ulong ask_multiple(struct asking *asking, const char *extensions, bool cpu) {
  cl_ulong multiple = 0;
  if (has_extension(extensions, "cl_nv_device_attribute_query"))
    multiple = number(asking, DEVICE_WARP_SIZE_NV);
  if (!multiple)
    multiple = number(asking, DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  return multiple ? multiple : cpu ? 8 : 32;
}

// AMD's processors report vectors of sixteen floats, but many of them compute such a vector in two halves. For them,
// the width is at most 8.
static cl_ulong ask_vector_width(struct asking *asking, bool cpu) {
  const cl_ulong halves = 8;
  cl_ulong width = number(asking, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  char *vendor = cpu ? string(asking, CL_DEVICE_VENDOR) : NULL;
  bool in_halves = vendor && strstr(vendor, "AMD");
  free(vendor);
  return in_halves && width > halves ? halves : width;
}

// Some drivers run work-items of a processor as lanes of its vectors, and split vectors of OpenCL C into single values.
// Such devices need the strategies for GPUs: with strategies for CPUs, reductions take 1.3 to 17 times as long. Such a
// device reports native vectors of one value, and sub-groups as wide as the processor's vectors. A driver that takes a
// whole work-group, or a row of one, as a sub-group reports another number of sub-groups, or none.
static bool runs_items_as_lanes(struct asking *asking) {
  cl_ulong width = number(asking, DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  cl_ulong sub_groups = number(asking, DEVICE_MAX_NUM_SUB_GROUPS);
  return number(asking, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT) == 1 && width > 1 &&
         sub_groups * width == number(asking, CL_DEVICE_MAX_WORK_GROUP_SIZE);
}

static enum clr_fence ask_fence(struct asking *asking, const char *extensions, cl_ulong version) {
  // Only NVIDIA's compiler has this extension. Its inline assembly (PTX) has a fence for the whole device.
  if (has_extension(extensions, "cl_nv_pragma_unroll"))
    return CLR_FENCE_PTX;
  if (version >= 300 && has_features(asking, "__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_scope_device"))
    return CLR_FENCE_C11;
  return CLR_FENCE_NONE;
}

static cl_ulong ask_ptx_target(struct asking *asking, const char *extensions, enum clr_fence fence) {
  if (fence != CLR_FENCE_PTX || !has_extension(extensions, "cl_nv_device_attribute_query"))
    return 0;
  return number(asking, DEVICE_COMPUTE_CAPABILITY_MAJOR_NV) * 10 + number(asking, DEVICE_COMPUTE_CAPABILITY_MINOR_NV);
}

cl_ulong clr_device_shared_cache(cl_ulong ptx_target, cl_ulong compute_units, const char *driver) {
  // For each compute capability, the smallest shared cache of its devices, in KiB for each unit. From NVIDIA's data
  // sheets: 40 MiB with 108 units, 6 MiB with 82, 4 with 16, 72 with 128, 50 with 132, 126 with 148, 96 with 170.
  static const struct {
    cl_ulong ptx_target, kib_a_unit;
  } caches[] = {{80, 379}, {86, 74}, {87, 256}, {89, 576}, {90, 387}, {100, 871}, {120, 578}};
  // From this driver on, PTX has cache hints for loads.
  const unsigned long least_driver = 470;
  bool serves = strtoul(driver, NULL, 10) >= least_driver;
  for (size_t i = 0; serves && i < sizeof caches / sizeof *caches; i++)
    if (caches[i].ptx_target == ptx_target)
      return caches[i].kib_a_unit * compute_units << 10;
  return 0;
}

static cl_ulong ask_shared_cache(struct asking *asking, const struct clr_facts *facts) {
  char *driver = facts->ptx_target ? string(asking, CL_DRIVER_VERSION) : NULL;
  cl_ulong bytes = driver ? clr_device_shared_cache(facts->ptx_target, facts->compute_units, driver) : 0;
  free(driver);
  return bytes;
}

static void ask_all(struct asking *asking, const char *extensions, struct clr_facts *facts) {
  cl_ulong type = number(asking, CL_DEVICE_TYPE);
  bool cpu = (type & CL_DEVICE_TYPE_CPU) && !(type & CL_DEVICE_TYPE_GPU) && !runs_items_as_lanes(asking);
  *facts = (struct clr_facts){
    .cpu = cpu,
    .compute_units = number(asking, CL_DEVICE_MAX_COMPUTE_UNITS),
    .max_work_group_size = number(asking, CL_DEVICE_MAX_WORK_GROUP_SIZE),
    .max_work_item_size = ask_work_item_size(asking),
    .preferred_multiple = ask_multiple(asking, extensions, cpu),
    .native_vector_width = ask_vector_width(asking, cpu),
    .local_mem_size = number(asking, CL_DEVICE_LOCAL_MEM_SIZE),
    .local_mem_dedicated = number(asking, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL,
    .global_mem_size = number(asking, CL_DEVICE_GLOBAL_MEM_SIZE),
    // A process of 32 bits cannot name a larger size.
    .max_alloc = clr_min(number(asking, CL_DEVICE_MAX_MEM_ALLOC_SIZE), SIZE_MAX),
    .line_bytes = number(asking, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE),
    .unified_memory = number(asking, CL_DEVICE_HOST_UNIFIED_MEMORY),
    .fp64 = number(asking, CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
    .denormals = (number(asking, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_DENORM) != 0,
    .int64_atomics = has_extension(extensions, "cl_khr_int64_base_atomics") &&
                     has_extension(extensions, "cl_khr_int64_extended_atomics"),
    .opencl_version = ask_version(asking),
    // No query exists for these; assume them. A probe may find otherwise.
    .atomics = 1,
    .local_atomics = 1,
    .fills = 1,
    .types = CLR_ALL_TYPES,
  };
  enum clr_fence fence = ask_fence(asking, extensions, facts->opencl_version);
  facts->device_fence = fence;
  facts->ptx_target = ask_ptx_target(asking, extensions, fence);
  facts->shared_cache = ask_shared_cache(asking, facts);
  // Groups of NVIDIA's devices make progress while others wait; OpenCL does not guarantee that.
  facts->forward_progress = fence == CLR_FENCE_PTX;
}

// CL_OUT_OF_HOST_MEMORY may come from the driver or from our own allocation.
static cl_int fail_asking(const struct asking *asking, struct clr_status *status) {
  bool memory = asking->err == CL_OUT_OF_HOST_MEMORY;
  return clr_fail_call(status, asking->err, "clGetDeviceInfo",
                       memory ? "out of memory while asking the device" : "asking the device");
}

cl_int clr_device_ask(cl_device_id device, struct clr_facts *facts, struct clr_status *status) {
  struct asking asking = {.device = device};
  char *extensions = string(&asking, CL_DEVICE_EXTENSIONS);
  if (extensions)
    ask_all(&asking, extensions, facts);
  free(extensions);
  if (asking.err)
    return fail_asking(&asking, status);
  if (facts->opencl_version < 120)
    return clr_fail(status, CL_INVALID_DEVICE, "the device has OpenCL %llu.%llu; 1.2 is the least that serves",
                    (unsigned long long)(facts->opencl_version / 100),
                    (unsigned long long)(facts->opencl_version % 100 / 10));
  clr_facts_make_sane(facts);
  return CL_SUCCESS;
}

cl_int clr_device_rounds_divide(cl_device_id device, bool *rounds, struct clr_status *status) {
  struct asking asking = {.device = device};
  *rounds = (number(&asking, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  return asking.err ? fail_asking(&asking, status) : CL_SUCCESS;
}

cl_int clr_device_name(cl_device_id device, struct clr_device_names *names, struct clr_status *status) {
  struct asking asking = {.device = device};
  cl_platform_id platform = NULL;
  memset(names, 0, sizeof *names);
  answers(&asking, CL_DEVICE_NAME, sizeof names->device - 1, names->device, NULL);
  answers(&asking, CL_DRIVER_VERSION, sizeof names->driver - 1, names->driver, NULL);
  answers(&asking, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
  if (asking.err)
    return fail_asking(&asking, status);
  cl_int err = clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof names->platform - 1, names->platform, NULL);
  return err ? clr_fail_call(status, err, "clGetPlatformInfo", "the platform's name") : CL_SUCCESS;
}
