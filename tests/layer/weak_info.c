// What the device reports of itself.

#include "weak_device.h"

#include "answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Answers the question with a number if the condition holds.
#define ANSWER_IF(question, condition, type, number) \
  if (what == (question) && (condition)) { \
    const type answered = (type)(number); \
    return answer(&answered, sizeof answered, size, value, taken); \
  }

// ---------------------------------------------------------------- Text

static cl_int answer_version(const char *format, const char *version, size_t size, void *value, size_t *taken) {
  char text[64];
  snprintf(text, sizeof text, format, version);
  return answer_text(text, size, value, taken);
}

static bool is_left_out(const struct weak_device *weak, const char *word, size_t length) {
  static const struct {
    unsigned trait;
    const char *part;
  } parts[] = {{LACKS_DOUBLE, "fp64"}, {LACKS_LONG_ATOMICS, "int64"}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    for (size_t at = 0; at + strlen(parts[i].part) <= length; at++)
      if (weak->traits & parts[i].trait && memcmp(word + at, parts[i].part, strlen(parts[i].part)) == 0)
        return true;
  return false;
}

static cl_int answer_extensions(const struct weak_device *weak, cl_device_id id, size_t size, void *value,
                                size_t *taken) {
  char all[8192] = "", left[8192] = "";
  size_t length = 0;
  weak_driver->clGetDeviceInfo(id, CL_DEVICE_EXTENSIONS, sizeof all, all, NULL);
  for (const char *at = all; *at;) {
    const size_t word = strcspn(at, " ");
    if (word && !is_left_out(weak, at, word))
      length += (size_t)snprintf(left + length, sizeof left - length, "%.*s ", (int)word, at);
    at += word + (at[word] == ' ');
  }
  return answer(left, length + 1, size, value, taken);
}

static cl_int answer_name(const struct weak_device *weak, cl_device_id id, size_t size, void *value, size_t *taken) {
  char name[512] = "", text[600];
  weak_driver->clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof name, name, NULL);
  snprintf(text, sizeof text, "%s, but %s", name, weak->name);
  return answer_text(text, size, value, taken);
}

// ---------------------------------------------------------------- Numbers

static cl_int answer_sizes(const struct weak_device *weak, size_t size, void *value, size_t *taken) {
  const size_t sizes[3] = {weak->group, weak->group, weak->group};
  return answer(sizes, sizeof sizes, size, value, taken);
}

static cl_ulong queue_properties(const struct weak_device *weak) {
  return (weak->traits & LACKS_DISORDER ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) |
         (weak->traits & LACKS_PROFILING ? 0 : CL_QUEUE_PROFILING_ENABLE);
}

#define OPENCL_C_FEATURES 0x106F
#define PREFERRED_MULTIPLE 0x1067
#define NUMERIC_VERSION 0x105E
#define MAX_NUM_SUB_GROUPS 0x105C

cl_int CL_API_CALL weak_device_info(cl_device_id id, cl_device_info what, size_t size, void *value, size_t *taken) {
  const struct weak_device *weak = weak_device();
  const bool is_old = weak->version != NULL;
  if (what == CL_DEVICE_NAME && weak->name)
    return answer_name(weak, id, size, value, taken);
  if (what == CL_DEVICE_EXTENSIONS)
    return answer_extensions(weak, id, size, value, taken);
  ANSWER_IF(CL_DEVICE_MAX_WORK_GROUP_SIZE, weak->group, size_t, weak->group)
  if (what == CL_DEVICE_MAX_WORK_ITEM_SIZES && weak->group)
    return answer_sizes(weak, size, value, taken);
  ANSWER_IF(CL_DEVICE_LOCAL_MEM_SIZE, weak->local, cl_ulong, weak->local)
  ANSWER_IF(CL_DEVICE_LOCAL_MEM_TYPE, weak->traits & LACKS_LOCAL, cl_device_local_mem_type, CL_GLOBAL)
  ANSWER_IF(CL_DEVICE_MAX_MEM_ALLOC_SIZE, weak->alloc, cl_ulong, weak->alloc)
  ANSWER_IF(CL_DEVICE_GLOBAL_MEM_SIZE, (weak->memory || weak->alloc), cl_ulong,
            weak->memory ? weak->memory : 4 * weak->alloc)
  ANSWER_IF(CL_DEVICE_MAX_COMPUTE_UNITS, weak->units, cl_uint, weak->units)
  ANSWER_IF(PREFERRED_MULTIPLE, weak->multiple, size_t, weak->multiple)
  ANSWER_IF(MAX_NUM_SUB_GROUPS, weak->sub_groups, cl_uint, weak->sub_groups)
  ANSWER_IF(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, weak->vector, cl_uint, weak->vector)
  ANSWER_IF(CL_DEVICE_TYPE, weak->type, cl_device_type, weak->type)
  ANSWER_IF(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, weak->constant, cl_ulong, weak->constant)
  ANSWER_IF(CL_DEVICE_MAX_PARAMETER_SIZE, weak->parameter, size_t, weak->parameter)
  ANSWER_IF(CL_DEVICE_DOUBLE_FP_CONFIG, weak->traits & LACKS_DOUBLE, cl_device_fp_config, 0)
  ANSWER_IF(CL_DEVICE_HOST_UNIFIED_MEMORY, weak->traits & LACKS_SHARED_MEMORY, cl_bool, CL_FALSE)
  ANSWER_IF(CL_DEVICE_QUEUE_PROPERTIES, weak->traits & (LACKS_DISORDER | LACKS_PROFILING), cl_command_queue_properties,
            queue_properties(weak))
  if (what == CL_DEVICE_VERSION && is_old)
    return answer_version("OpenCL %s weak", weak->version, size, value, taken);
  if (what == CL_DEVICE_OPENCL_C_VERSION && is_old)
    return answer_version("OpenCL C %s weak", weak->version, size, value, taken);
  if (is_old && (what == PREFERRED_MULTIPLE || what == MAX_NUM_SUB_GROUPS ||
                 (what >= NUMERIC_VERSION && what <= OPENCL_C_FEATURES)))
    return CL_INVALID_VALUE;
  return weak_driver->clGetDeviceInfo(id, what, size, value, taken);
}

cl_int CL_API_CALL weak_platform_info(cl_platform_id id, cl_platform_info what, size_t size, void *value,
                                      size_t *taken) {
  const struct weak_device *weak = weak_device();
  if (weak->version && what == CL_PLATFORM_VERSION)
    return answer_version("OpenCL %s weak", weak->version, size, value, taken);
  return weak_driver->clGetPlatformInfo(id, what, size, value, taken);
}

cl_int CL_API_CALL weak_kernel_info(cl_kernel kernel, cl_device_id id, cl_kernel_work_group_info what, size_t size,
                                    void *value, size_t *taken) {
  const struct weak_device *weak = weak_device();
  const size_t most = weak->kernel_group ? weak->kernel_group : weak->group;
  size_t own = 0;
  if (!most || what != CL_KERNEL_WORK_GROUP_SIZE)
    return weak_driver->clGetKernelWorkGroupInfo(kernel, id, what, size, value, taken);
  weak_driver->clGetKernelWorkGroupInfo(kernel, id, what, sizeof own, &own, NULL);
  own = own && own < most ? own : most;
  return answer(&own, sizeof own, size, value, taken);
}
