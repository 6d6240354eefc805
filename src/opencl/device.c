#include "opencl/device.h"

#include <stdlib.h>
#include <string.h>

// Newer than the headers this library asks for; a device that does not know them says so.
#define DEVICE_OPENCL_C_FEATURES 0x106F
#define DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE 0x1067
#define DEVICE_WARP_SIZE_NV 0x4003

#define NAME_SIZE 64
struct name_version {
  cl_uint version;
  char    name[NAME_SIZE];
};

// Queries answer in the width OpenCL gives them; all of them end up as 64 bits.
static cl_ulong number(cl_device_id device, cl_device_info info)
{
  union {
    cl_ulong wide;
    cl_uint  narrow;
  } value = {0};
  size_t size = 0;
  if (clGetDeviceInfo(device, info, sizeof value, &value, &size))
    return 0;
  return size == sizeof value.narrow ? value.narrow : value.wide;
}

// A string answer, released by the caller; never NULL unless memory is out.
static char *string(cl_device_id device, cl_device_info info)
{
  size_t size = 0;
  if (clGetDeviceInfo(device, info, 0, NULL, &size))
    size = 0;
  char *text = calloc(size + 1, 1);
  if (text && size && clGetDeviceInfo(device, info, size, text, NULL))
    *text = 0;
  return text;
}

// As a whole word of the space-separated list.
static bool has_extension(const char *extensions, const char *name)
{
  size_t length = strlen(name);
  for (const char *at = extensions; (at = strstr(at, name)) != NULL; at += length)
    if ((at == extensions || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0))
      return true;
  return false;
}

static bool has_features(cl_device_id device, const char *first, const char *second)
{
  size_t size = 0;
  bool has_first = false, has_second = false;
  if (clGetDeviceInfo(device, DEVICE_OPENCL_C_FEATURES, 0, NULL, &size) || size < sizeof(struct name_version))
    return false;
  struct name_version *features = calloc(1, size);
  if (features && !clGetDeviceInfo(device, DEVICE_OPENCL_C_FEATURES, size, features, NULL)) {
    for (size_t i = 0; i < size / sizeof *features; i++) {
      has_first |= strncmp(features[i].name, first, NAME_SIZE) == 0;
      has_second |= strncmp(features[i].name, second, NAME_SIZE) == 0;
    }
  }
  free(features);
  return has_first && has_second;
}

// "OpenCL 1.2 ..." is 120; 0 for what is none.
static cl_ulong read_version(const char *text)
{
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

static cl_ulong ask_version(cl_device_id device)
{
  char *text = string(device, CL_DEVICE_VERSION);
  cl_ulong version = text ? read_version(text) : 0;
  free(text);
  return version;
}

static cl_ulong ask_work_item_size(cl_device_id device)
{
  size_t sizes[16] = {0};
  if (clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes, sizes, NULL))
    return 0;
  return sizes[0];
}

static cl_ulong ask_multiple(cl_device_id device, const char *extensions, bool cpu)
{
  cl_ulong multiple = 0;
  if (has_extension(extensions, "cl_nv_device_attribute_query"))
    multiple = number(device, DEVICE_WARP_SIZE_NV);
  if (!multiple)
    multiple = number(device, DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE);
  return multiple ? multiple : cpu ? 8 : 32;
}

static enum clr_fence ask_fence(cl_device_id device, const char *extensions, cl_ulong version)
{
  // The extension says that the compiler is the one whose inline assembly reaches the whole device.
  if (has_extension(extensions, "cl_nv_pragma_unroll"))
    return CLR_FENCE_PTX;
  if (version >= 300 && has_features(device, "__opencl_c_atomic_order_acq_rel", "__opencl_c_atomic_scope_device"))
    return CLR_FENCE_C11;
  return CLR_FENCE_NONE;
}

static void ask_all(cl_device_id device, const char *extensions, struct clr_facts *facts)
{
  cl_ulong type = number(device, CL_DEVICE_TYPE);
  bool cpu = (type & CL_DEVICE_TYPE_CPU) && !(type & CL_DEVICE_TYPE_GPU);
  *facts = (struct clr_facts){
    .cpu = cpu,
    .compute_units = number(device, CL_DEVICE_MAX_COMPUTE_UNITS),
    .max_work_group_size = number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE),
    .max_work_item_size = ask_work_item_size(device),
    .preferred_multiple = ask_multiple(device, extensions, cpu),
    .local_mem_size = number(device, CL_DEVICE_LOCAL_MEM_SIZE),
    .local_mem_dedicated = number(device, CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL,
    .global_mem_size = number(device, CL_DEVICE_GLOBAL_MEM_SIZE),
    .max_alloc = number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE),
    .unified_memory = number(device, CL_DEVICE_HOST_UNIFIED_MEMORY),
    .fp64 = number(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0,
    .int64_atomics = has_extension(extensions, "cl_khr_int64_base_atomics") &&
                     has_extension(extensions, "cl_khr_int64_extended_atomics"),
    .opencl_version = ask_version(device),
  };
  facts->device_fence = ask_fence(device, extensions, facts->opencl_version);
}

cl_int clr_device_ask(cl_device_id device, struct clr_facts *facts, struct clr_status *status)
{
  char *extensions = string(device, CL_DEVICE_EXTENSIONS);
  if (!extensions)
    return clr_fail(status, CL_OUT_OF_HOST_MEMORY, "out of memory while asking the device");
  ask_all(device, extensions, facts);
  free(extensions);
  if (facts->opencl_version < 120)
    return clr_fail(status, CL_INVALID_DEVICE, "the device has OpenCL %llu.%llu; 1.2 is the least that serves",
                    (unsigned long long)(facts->opencl_version / 100),
                    (unsigned long long)(facts->opencl_version % 100 / 10));
  clr_facts_make_sane(facts);
  return CL_SUCCESS;
}

bool clr_device_rounds_divide(cl_device_id device)
{
  return (number(device, CL_DEVICE_SINGLE_FP_CONFIG) & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
}

static void copy_answer(cl_int err, char *text, size_t size)
{
  if (err)
    *text = 0;
  text[size - 1] = 0;
}

void clr_device_name(cl_device_id device, struct clr_device_names *names)
{
  cl_platform_id platform = NULL;
  cl_int err = clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof names->device, names->device, NULL);
  copy_answer(err, names->device, sizeof names->device);
  err = clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof names->driver, names->driver, NULL);
  copy_answer(err, names->driver, sizeof names->driver);
  err = clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
  if (!err)
    err = clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof names->platform, names->platform, NULL);
  copy_answer(err, names->platform, sizeof names->platform);
}
