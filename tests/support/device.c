// The device under test: see device.h.

#include "support/device.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEVICES_MAX 64

static const char *say(struct device *device, const char *format, ...) {
  va_list values;
  va_start(values, format);
  vsnprintf(device->message, sizeof device->message, format, values);
  va_end(values);
  return device->message;
}

// ---------------------------------------------------------------- Opening

// Every device of every platform; returns their number.
static cl_uint list_devices(cl_device_id *devices, cl_platform_id *platform_of) {
  cl_platform_id platforms[16];
  cl_uint platform_count = 0, found = 0;
  if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
    return 0;
  for (cl_uint p = 0; p < platform_count && p < 16; p++) {
    cl_uint count = 0;
    const cl_uint room = DEVICES_MAX - found;
    if (room == 0 || clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, room, devices + found, &count) != CL_SUCCESS)
      continue;
    for (cl_uint d = 0; d < count && d < room; d++)
      platform_of[found++] = platforms[p];
  }
  return found;
}

static bool is_wanted(const char *wanted, cl_uint index, cl_device_id id, cl_platform_id platform) {
  char device_name[256] = "", platform_name[256] = "";
  char *end;
  unsigned long number;
  if (!wanted || !*wanted)
    return true;
  number = strtoul(wanted, &end, 10);
  if (*end == '\0')
    return number == index;
  clGetDeviceInfo(id, CL_DEVICE_NAME, sizeof device_name, device_name, NULL);
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL);
  return strstr(device_name, wanted) || strstr(platform_name, wanted);
}

static const char *find_device(struct device *device) {
  const char *wanted = getenv("CLREDUCE_TEST_DEVICE");
  cl_device_id ids[DEVICES_MAX];
  cl_platform_id platforms[DEVICES_MAX];
  const cl_uint count = list_devices(ids, platforms);
  for (cl_uint i = 0; i < count; i++)
    if (is_wanted(wanted, i, ids[i], platforms[i])) {
      device->id = ids[i];
      clGetDeviceInfo(ids[i], CL_DEVICE_NAME, sizeof device->name, device->name, NULL);
      return NULL;
    }
  return say(device, "none of %u OpenCL devices is '%s'", count, wanted ? wanted : "");
}

// PoCL loads its built-in functions for the first program that it compiles, which takes half a second, and drops them
// with the last context. So the first context of a process stays.
static void keep_one_context(cl_context context) {
  static bool kept;
  if (!kept)
    kept = clRetainContext(context) == CL_SUCCESS;
}

const char *device_open_assuming(struct device *device, const char *assume) {
  const clred_options options = {.assume = assume,
                                 .build_options = getenv("CLREDUCE_TEST_BUILD_OPTIONS"),
                                 .trust_driver = getenv("CLREDUCE_TEST_TRIALS") == NULL,
                                 .device_only = CL_TRUE,
                                 .error = device->message,
                                 .error_size = sizeof device->message};
  const char *trouble;
  cl_int err;
  memset(device, 0, sizeof *device);
  trouble = find_device(device);
  if (trouble)
    return trouble;
  device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &err);
  if (err != CL_SUCCESS)
    return say(device, "clCreateContext gave %d", err);
  keep_one_context(device->context);
  device->queue = clCreateCommandQueue(device->context, device->id, 0, &err);
  if (err != CL_SUCCESS)
    return say(device, "clCreateCommandQueue gave %d", err);
  device->status = err = clred_runtime_create(device->context, device->id, &options, &device->runtime);
  if (err != CL_SUCCESS && device->message[0] == '\0')
    return say(device, "clred_runtime_create gave %s and no message", clred_status_name(err));
  return err != CL_SUCCESS ? device->message : NULL;
}

const char *device_open(struct device *device) {
  return device_open_assuming(device, getenv("CLREDUCE_TEST_ASSUME"));
}

void device_close(struct device *device) {
  clred_runtime_release(device->runtime);
  if (device->queue)
    clReleaseCommandQueue(device->queue);
  if (device->context)
    clReleaseContext(device->context);
  memset(device, 0, sizeof *device);
}

// ---------------------------------------------------------------- Facts

bool device_has_extension(const struct device *device, const char *extension) {
  size_t size = 0;
  bool found = false;
  clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, 0, NULL, &size);
  char *text = calloc(size + 1, 1);
  if (text && clGetDeviceInfo(device->id, CL_DEVICE_EXTENSIONS, size, text, NULL) == CL_SUCCESS)
    found = strstr(text, extension) != NULL;
  free(text);
  return found;
}

bool device_has_fp64(const struct device *device) {
  cl_device_fp_config config = 0;
  clGetDeviceInfo(device->id, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof config, &config, NULL);
  return config != 0;
}

uint64_t device_fact(const struct device *device, const char *name, uint64_t otherwise) {
  clred_fact fact;
  for (size_t i = 0; clred_runtime_fact(device->runtime, i, &fact) == CL_SUCCESS; i++)
    if (strcmp(fact.name, name) == 0)
      return fact.value;
  return otherwise;
}

const char *device_tree(const struct device *device, const clred_plan *plan, uint64_t count, oracle_tree *tree) {
  clred_plan_info info;
  const cl_int err = clred_plan_inspect(plan, count, &info);
  if (err != CL_SUCCESS)
    return clred_status_name(err);
  *tree = (oracle_tree){.strategy = info.strategy,
                        .finish = info.finish,
                        .group_size = info.group_size,
                        .groups = info.groups,
                        .elements = info.elements};
  tree->hand_over = oracle_hand_over(device_fact(device, "preferred_multiple", 32), info.group_size);
  return NULL;
}

// ---------------------------------------------------------------- Buffers

cl_int device_write_ones(const struct device *device, cl_mem buffer, uint64_t size) {
  const size_t piece = (size_t)1 << 26;
  void *ones = malloc(piece);
  cl_int err = ones ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  if (ones)
    memset(ones, 1, piece);
  for (uint64_t at = 0; at < size && !err; at += piece)
    err = clEnqueueWriteBuffer(device->queue, buffer, CL_TRUE, (size_t)at,
                               (size_t)(size - at < piece ? size - at : piece), ones, 0, NULL, NULL);
  free(ones);
  return err;
}

static unsigned char pattern_at(size_t i) {
  return (unsigned char)(0xa5 ^ (i * 37 & 0x5a));
}

void image_pattern(void *bytes, size_t size) {
  unsigned char *to = bytes;
  for (size_t i = 0; i < size; i++)
    to[i] = pattern_at(i);
}

// Creates the larger buffer. Its guards hold the pattern.
static cl_mem create_guarded(struct device *device, size_t size, cl_int *err) {
  unsigned char *pattern = malloc(size + 2 * IMAGE_GUARD);
  cl_mem whole = NULL;
  *err = CL_OUT_OF_HOST_MEMORY;
  if (pattern) {
    image_pattern(pattern, size + 2 * IMAGE_GUARD);
    whole =
      clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, size + 2 * IMAGE_GUARD, pattern, err);
  }
  free(pattern);
  return whole;
}

static const char *create_bytes(struct image *image, struct device *device, size_t size) {
  memset(image, 0, sizeof *image);
  image->size = size;
  image->bytes = malloc(size);
  if (!image->bytes)
    return say(device, "no memory for %zu bytes", size);
  image_pattern(image->bytes, size);
  return NULL;
}

const char *image_create(struct image *image, struct device *device, size_t size) {
  const cl_buffer_region region = {IMAGE_GUARD, size};
  cl_int err;
  const char *trouble = create_bytes(image, device, size);
  if (trouble)
    return trouble;
  image->whole = create_guarded(device, size, &err);
  if (err == CL_SUCCESS)
    image->mem = clCreateSubBuffer(image->whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
  if (err != CL_SUCCESS)
    return say(device, "a buffer of %zu bytes gave %d", size, err);
  return image_upload(image, device);
}

const char *image_create_whole(struct image *image, struct device *device, size_t size) {
  cl_int err;
  const char *trouble = create_bytes(image, device, size);
  if (trouble)
    return trouble;
  image->mem = clCreateBuffer(device->context, CL_MEM_READ_WRITE, size, NULL, &err);
  return err != CL_SUCCESS ? say(device, "clCreateBuffer of %zu bytes gave %d", size, err)
                           : image_upload(image, device);
}

void image_release(struct image *image) {
  if (image->mem)
    clReleaseMemObject(image->mem);
  if (image->whole)
    clReleaseMemObject(image->whole);
  free(image->bytes);
  memset(image, 0, sizeof *image);
}

const char *image_upload(struct image *image, struct device *device) {
  const cl_int err =
    clEnqueueWriteBuffer(device->queue, image->mem, CL_TRUE, 0, image->size, image->bytes, 0, NULL, NULL);
  return err ? say(device, "clEnqueueWriteBuffer of %zu bytes gave %d", image->size, err) : NULL;
}

// A buffer that is no part of a larger one has no guards.
static size_t guard_of(const struct image *image) {
  return image->whole ? IMAGE_GUARD : 0;
}

// Compares what the whole buffer holds. The message counts bytes from the begin of the image.
static const char *find_change(struct device *device, const struct image *image, const unsigned char *now) {
  const size_t guard = guard_of(image);
  for (size_t i = 0; i < image->size + 2 * guard; i++) {
    const bool is_guard = i < guard || i - guard >= image->size;
    const unsigned char was = is_guard ? pattern_at(i) : image->bytes[i - guard];
    if (now[i] != was)
      return say(device, "byte %lld of %zu was 0x%02x and is 0x%02x", (long long)i - (long long)guard, image->size, was,
                 now[i]);
  }
  return NULL;
}

const char *image_check_except(struct image *image, struct device *device, size_t at, size_t size, void *result) {
  const char *trouble = NULL;
  const size_t guard = guard_of(image), all = image->size + 2 * guard;
  unsigned char *now = malloc(all), *held = now + guard + at;
  if (!now)
    return say(device, "no memory for %zu bytes", all);
  const cl_int err =
    clEnqueueReadBuffer(device->queue, guard ? image->whole : image->mem, CL_TRUE, 0, all, now, 0, NULL, NULL);
  if (err)
    trouble = say(device, "clEnqueueReadBuffer of %zu bytes gave %d", all, err);
  if (!err && size) {
    memcpy(result, held, size);
    memcpy(held, image->bytes + at, size);
  }
  if (!err)
    trouble = find_change(device, image, now);
  free(now);
  return trouble;
}

const char *image_create_of(struct image *image, struct device *device, const void *bytes, size_t size) {
  const char *trouble = image_create(image, device, size ? size : 1);
  if (!trouble && size)
    memcpy(image->bytes, bytes, size);
  return trouble ? trouble : image_upload(image, device);
}

const char *image_check(struct image *image, struct device *device) {
  return image_check_except(image, device, 0, 0, NULL);
}

const char *op_name(clred_op op) {
  clred_op_info info;
  return clred_op_inspect(op, &info) == CL_SUCCESS ? info.name : "";
}

const char *type_name(clred_type type) {
  clred_type_info info;
  return clred_type_inspect(type, &info) == CL_SUCCESS ? info.name : "";
}

clred_runtime_info runtime_info(clred_runtime *runtime) {
  clred_runtime_info info = {0};
  clred_runtime_inspect(runtime, &info);
  return info;
}

bool reduces_lines(const clred_strategy_info *strategy) {
  return !strategy->scans && !strategy->counts && strategy->layouts & 1u << CLRED_LAYOUT_LINE;
}

size_t finish_count(const clred_strategy_info *strategy) {
  size_t count = 1;
  while (count < sizeof strategy->finishes / sizeof *strategy->finishes && strategy->finishes[count])
    count++;
  return count;
}
