#include "cache/cache_key.h"

#include <stdlib.h>
#include <string.h>

#include "base/version.h"

// Variables that compilers of OpenCL drivers read: PoCL, Oclgrind, AMD. What others of theirs change shows in what the
// device says of itself, or it is only where files are kept, how many threads there are and how much is told.
static const char *const variables[] = {
  "POCL_EXTRA_BUILD_FLAGS",        "POCL_WORK_GROUP_METHOD",          "POCL_WORK_GROUP_SPECIALIZATION",
  "POCL_WILOOPS_MAX_UNROLL_COUNT", "POCL_FULL_REPLICATION_THRESHOLD", "POCL_FORCE_PARALLEL_OUTER_LOOP",
  "POCL_BINARY_SPECIALIZE_WG",     "POCL_BITCODE_FINALIZER",          "OCLGRIND_BUILD_OPTIONS",
  "AMD_OCL_BUILD_OPTIONS",         "AMD_OCL_BUILD_OPTIONS_APPEND"};

// The length says where a value ends, whatever is in it.
static void append_field(struct clr_text *key, const char *name, const char *value) {
  clr_text_format(key, "%s %zu ", name, strlen(value));
  clr_text_append(key, value);
  clr_text_append(key, "\n");
}

// ---------------------------------------------------------------- The device

static void append_device_text(cl_device_id device, const char *name, cl_device_info info, struct clr_text *key) {
  size_t size = 0;
  if (clGetDeviceInfo(device, info, 0, NULL, &size))
    size = 0;
  char *value = calloc(size + 1, 1);
  if (!value || (size && clGetDeviceInfo(device, info, size, value, NULL)))
    key->failed = true;
  else
    append_field(key, name, value);
  free(value);
}

static void append_platform_text(cl_platform_id platform, const char *name, cl_platform_info info,
                                 struct clr_text *key) {
  size_t size = 0;
  if (clGetPlatformInfo(platform, info, 0, NULL, &size))
    size = 0;
  char *value = calloc(size + 1, 1);
  if (!value || (size && clGetPlatformInfo(platform, info, size, value, NULL)))
    key->failed = true;
  else
    append_field(key, name, value);
  free(value);
}

// Byte for byte, whatever type it has.
static void append_device_number(cl_device_id device, const char *name, cl_device_info info, struct clr_text *key) {
  unsigned char value[16] = {0};
  size_t size = 0;
  if (clGetDeviceInfo(device, info, sizeof value, value, &size))
    size = 0;
  clr_text_format(key, "%s", name);
  for (size_t i = 0; i < size && i < sizeof value; i++)
    clr_text_format(key, " %02x", value[i]);
  clr_text_append(key, "\n");
}

void clr_cache_key_device(cl_device_id device, struct clr_text *about) {
  cl_platform_id platform;
  if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL)) {
    about->failed = true;
    return;
  }
  append_field(about, "clreduce", CLR_VERSION);
  append_platform_text(platform, "platform", CL_PLATFORM_NAME, about);
  append_platform_text(platform, "platform version", CL_PLATFORM_VERSION, about);
  append_device_text(device, "device", CL_DEVICE_NAME, about);
  append_device_text(device, "vendor", CL_DEVICE_VENDOR, about);
  append_device_text(device, "version", CL_DEVICE_VERSION, about);
  append_device_text(device, "driver", CL_DRIVER_VERSION, about);
  append_device_text(device, "language", CL_DEVICE_OPENCL_C_VERSION, about);
  append_device_text(device, "extensions", CL_DEVICE_EXTENSIONS, about);
  // Two machines may give one name to processors with different instructions.
  append_device_number(device, "vector of chars", CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, about);
  append_device_number(device, "address bits", CL_DEVICE_ADDRESS_BITS, about);
  append_device_number(device, "group size", CL_DEVICE_MAX_WORK_GROUP_SIZE, about);
  append_device_number(device, "local memory", CL_DEVICE_LOCAL_MEM_SIZE, about);
}

// ---------------------------------------------------------------- The program

// Words of compilers that have them read a file; wherever they stand.
static bool may_read_files(const char *text) {
  static const char *const words[] = {"include", "import", "imacros", "embed"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(text, words[i]))
      return true;
  return false;
}

bool clr_cache_key_program(const struct clr_text *about, const char *options, const char *text, struct clr_text *key) {
  bool alone = !may_read_files(options) && !may_read_files(text);
  if (about->bytes)
    clr_text_append(key, about->bytes);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    const char *value = getenv(variables[i]);
    if (value)
      append_field(key, variables[i], value);
    alone = alone && (!value || !may_read_files(value));
  }
  append_field(key, "options", options);
  append_field(key, "text", text);
  return alone && !key->failed;
}
