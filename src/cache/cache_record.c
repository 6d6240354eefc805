// The key of a binary, and the format of its file.
#include "cache/cache_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"

// ---------------------------------------------------------------- The key

// Variables that compilers of OpenCL drivers read: PoCL, Oclgrind, AMD. We leave out variables whose effect shows in
// the device's properties, and those that set only file locations, threads or log levels.
static const char *const variables[] = {
  "POCL_EXTRA_BUILD_FLAGS",        "POCL_WORK_GROUP_METHOD",          "POCL_WORK_GROUP_SPECIALIZATION",
  "POCL_WILOOPS_MAX_UNROLL_COUNT", "POCL_FULL_REPLICATION_THRESHOLD", "POCL_FORCE_PARALLEL_OUTER_LOOP",
  "POCL_BINARY_SPECIALIZE_WG",     "POCL_BITCODE_FINALIZER",          "OCLGRIND_BUILD_OPTIONS",
  "AMD_OCL_BUILD_OPTIONS",         "AMD_OCL_BUILD_OPTIONS_APPEND"};

// The length marks where a value ends, so a value may contain any byte.
static void append_field(struct clr_text *key, const char *name, const char *value) {
  clr_text_format(key, "%s %zu ", name, strlen(value));
  clr_text_append(key, value);
  clr_text_append(key, "\n");
}

// A property of the platform, or of the device if `platform` is NULL.
static cl_int ask(cl_platform_id platform, cl_device_id device, cl_uint info, size_t size, void *value,
                  size_t *needed) {
  return platform ? clGetPlatformInfo(platform, info, size, value, needed)
                  : clGetDeviceInfo(device, info, size, value, needed);
}

static void append_text(cl_platform_id platform, cl_device_id device, const char *name, cl_uint info,
                        struct clr_text *key) {
  size_t size = 0;
  if (ask(platform, device, info, 0, NULL, &size))
    size = 0;
  char *value = calloc(size + 1, 1);
  if (!value || (size && ask(platform, device, info, size, value, NULL)))
    key->failed = true;
  else
    append_field(key, name, value);
  free(value);
}

// Appends the bytes of a number, whatever its type.
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
  append_text(platform, NULL, "platform", CL_PLATFORM_NAME, about);
  append_text(platform, NULL, "platform version", CL_PLATFORM_VERSION, about);
  append_text(NULL, device, "device", CL_DEVICE_NAME, about);
  append_text(NULL, device, "vendor", CL_DEVICE_VENDOR, about);
  append_text(NULL, device, "version", CL_DEVICE_VERSION, about);
  append_text(NULL, device, "driver", CL_DRIVER_VERSION, about);
  append_text(NULL, device, "language", CL_DEVICE_OPENCL_C_VERSION, about);
  append_text(NULL, device, "extensions", CL_DEVICE_EXTENSIONS, about);
  // Two machines may report the same device name for processors with different instructions.
  append_device_number(device, "vector of chars", CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, about);
  append_device_number(device, "address bits", CL_DEVICE_ADDRESS_BITS, about);
  append_device_number(device, "group size", CL_DEVICE_MAX_WORK_GROUP_SIZE, about);
  append_device_number(device, "local memory", CL_DEVICE_LOCAL_MEM_SIZE, about);
}

// True if the text contains a word that can make compilers read another file.
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

// ---------------------------------------------------------------- The bytes of a file

#define MAGIC UINT64_C(0x6e69622d64726c63)  // "clrd-bin" in little-endian order
#define VERSION 1

// Numbers have this machine's byte order. On a machine with the other order the magic does not match.
struct header {
  uint64_t magic;
  uint64_t version;
  uint64_t key_size;
  uint64_t binary_size;
  uint64_t kernels;
  uint64_t checksum;  // over the rest of the file, with 0 in this field
};

static uint64_t mix_word(uint64_t sum, uint64_t word) {
  sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
  return sum ^ sum >> 32;
}

// Each step is invertible, so a change within one word always changes the sum.
static uint64_t mix(uint64_t sum, const void *from, size_t size) {
  const unsigned char *bytes = from;
  uint64_t word;
  for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
    memcpy(&word, bytes, sizeof word);
    sum = mix_word(sum, word);
  }
  word = 0;
  memcpy(&word, bytes, size);
  return mix_word(mix_word(sum, word), size);
}

static uint64_t checksum(const struct header *header, const unsigned char *rest) {
  struct header zeroed = *header;
  zeroed.checksum = 0;
  return mix(mix(0, &zeroed, sizeof zeroed), rest, (size_t)(header->key_size + header->binary_size));
}

void clr_record_name(const struct clr_text *key, char name[CLR_RECORD_NAME_SIZE]) {
  snprintf(name, CLR_RECORD_NAME_SIZE, "%016" PRIx64, mix(0, key->bytes, key->length));
}

struct clr_bytes clr_record_write(const struct clr_text *key, const struct clr_record *record) {
  struct header header = {.magic = MAGIC,
                          .version = VERSION,
                          .key_size = key->length,
                          .binary_size = record->binary.size,
                          .kernels = record->kernels};
  struct clr_bytes file = {.size = sizeof header + key->length + record->binary.size};
  file.data = malloc(file.size);
  if (!file.data)
    return file;
  unsigned char *rest = file.data + sizeof header;
  memcpy(rest, key->bytes, key->length);
  memcpy(rest + key->length, record->binary.data, record->binary.size);
  header.checksum = checksum(&header, rest);
  memcpy(file.data, &header, sizeof header);
  return file;
}

static bool sizes_agree(const struct header *header, size_t rest) {
  return header->key_size <= rest && header->binary_size == rest - header->key_size && header->binary_size > 0;
}

const char *clr_record_read(const struct clr_bytes *file, const struct clr_text *key, struct clr_record *record) {
  struct header header;
  if (file->size < sizeof header)
    return "it is shorter than its header";
  memcpy(&header, file->data, sizeof header);
  unsigned char *rest = file->data + sizeof header;
  if (header.magic != MAGIC || header.version != VERSION)
    return "it is no binary in the form of this version";
  if (!sizes_agree(&header, file->size - sizeof header))
    return "it has not the size that its header says";
  if (header.checksum != checksum(&header, rest))
    return "its checksum is wrong";
  if (header.key_size != key->length || memcmp(rest, key->bytes, key->length) != 0)
    return "it is of another program";
  *record = (struct clr_record){{rest + header.key_size, (size_t)header.binary_size}, header.kernels};
  return NULL;
}
