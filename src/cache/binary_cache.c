// Loads and saves binaries of programs, and makes the keys that find them. src/runtime/program.c calls this.
#include "cache/binary_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "cache/cache_files.h"

// ---------------------------------------------------------------- The key

// The environment variables that change what the compilers of PoCL, Oclgrind and AMD make. The list leaves
// out variables that change a device's properties, which are in the key, and those that set only file locations,
// threads or log levels.
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

// Appends the part of the key about the platform, the device and the library.
static void key_of_device(cl_device_id device, struct clr_text *about) {
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

// ---------------------------------------------------------------- Opening

// The most bytes in the directory, enough for some hundreds of programs.
#define DIRECTORY_MAX ((uint64_t)256 << 20)

void clr_cache_open(const char *directory, cl_device_id device, struct clr_binary_cache *cache) {
  *cache = (struct clr_binary_cache){.device = device};
  if (!directory || !*directory)
    return;
  cache->directory = malloc(strlen(directory) + 1);
  if (cache->directory)
    strcpy(cache->directory, directory);
  key_of_device(device, &cache->about);
  if (cache->directory && !cache->about.failed)
    return;
  bool is_named = cache->directory != NULL;
  clr_cache_close(cache);
  clr_text_append(&cache->remarks, is_named ? "cache: not used, for the device does not say what it is\n"
                                            : "cache: not used, for memory is out\n");
}

void clr_cache_close(struct clr_binary_cache *cache) {
  free(cache->directory);
  clr_text_release(&cache->about);
  clr_text_release(&cache->remarks);
  cache->directory = NULL;
}

// ---------------------------------------------------------------- Loading

// True if the program has this many kernels and each of them can be created.
static bool has_kernels(cl_program program, uint64_t count) {
  cl_uint found = 0;
  if (clCreateKernelsInProgram(program, 0, NULL, &found) || found != count)
    return false;
  cl_kernel *kernels = calloc(found ? found : 1, sizeof *kernels);
  bool made = kernels && !clCreateKernelsInProgram(program, found, kernels, NULL);
  for (cl_uint i = 0; made && i < found; i++)
    clReleaseKernel(kernels[i]);
  free(kernels);
  return made;
}

static cl_program make(const struct clr_binary_cache *cache, cl_context context, const char *options,
                       const struct clr_record *record) {
  const unsigned char *binary = record->binary.data;
  cl_int err, on_device = CL_SUCCESS;
  cl_program program =
    clCreateProgramWithBinary(context, 1, &cache->device, &record->binary.size, &binary, &on_device, &err);
  if (err || !program)
    return NULL;
  if (!on_device && !clBuildProgram(program, 1, &cache->device, options, NULL, NULL) &&
      has_kernels(program, record->kernels))
    return program;
  clReleaseProgram(program);
  return NULL;
}

static cl_program load(struct clr_binary_cache *cache, cl_context context, const char *options,
                       const struct clr_text *key) {
  char name[CLR_RECORD_NAME_SIZE];
  struct clr_record record;
  cl_program program = NULL;
  clr_record_name(key, name);
  struct clr_bytes file = clr_directory_read(cache->directory, name, CLR_RECORD_BINARY, &cache->remarks);
  if (!file.data)
    return NULL;
  const char *trouble = clr_record_read(&file, key, &record);
  if (!trouble) {
    program = make(cache, context, options, &record);
    trouble = program ? NULL : "the driver refuses it";
  }
  if (trouble)
    clr_text_format(&cache->remarks, "cache: %s/%s is not used: %s\n", cache->directory, name, trouble);
  free(file.data);
  return program;
}

cl_program clr_cache_load(struct clr_binary_cache *cache, cl_context context, const char *options, const char *text) {
  struct clr_text key = {0};
  cl_program program = NULL;
  if (cache->directory && clr_cache_key_program(&cache->about, options, text, &key))
    program = load(cache, context, options, &key);
  clr_text_release(&key);
  return program;
}

// ---------------------------------------------------------------- Saving

// A program belongs to all devices of its context but is built for one, so only one binary is not empty. The number of
// binaries follows from the size of the driver's answer: PoCL lists all devices of the program, but binaries only for
// those that it was built for.
struct binaries {
  size_t count;
  size_t *sizes;
  unsigned char **bytes;
};

static bool ask_sizes(cl_program program, struct binaries *binaries) {
  size_t size = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, 0, NULL, &size))
    return false;
  binaries->count = size / sizeof *binaries->sizes;
  binaries->sizes = calloc(binaries->count + 1, sizeof *binaries->sizes);
  binaries->bytes = calloc(binaries->count + 1, sizeof *binaries->bytes);
  return binaries->sizes && binaries->bytes &&
         !clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, size, binaries->sizes, NULL);
}

static struct clr_bytes take(cl_program program, const struct binaries *binaries) {
  const struct clr_bytes none = {NULL, 0};
  size_t built = 0, at = 0;
  for (size_t i = 0; i < binaries->count; i++) {
    built += binaries->sizes[i] > 0;
    at = binaries->sizes[i] > 0 ? i : at;
  }
  if (built != 1)
    return none;
  binaries->bytes[at] = malloc(binaries->sizes[at]);
  if (binaries->bytes[at] &&
      !clGetProgramInfo(program, CL_PROGRAM_BINARIES, binaries->count * sizeof *binaries->bytes, binaries->bytes, NULL))
    return (struct clr_bytes){binaries->bytes[at], binaries->sizes[at]};
  free(binaries->bytes[at]);
  return none;
}

static struct clr_bytes binary_of(cl_program program) {
  struct binaries binaries = {0};
  struct clr_bytes binary = {NULL, 0};
  if (ask_sizes(program, &binaries))
    binary = take(program, &binaries);
  free(binaries.sizes);
  free(binaries.bytes);
  return binary;
}

static bool write_record(struct clr_binary_cache *cache, const struct clr_record *record, const struct clr_text *key,
                         const char *ending) {
  char name[CLR_RECORD_NAME_SIZE];
  clr_record_name(key, name);
  struct clr_bytes file = clr_record_write(key, record);
  bool saved = file.data && clr_directory_write(cache->directory, name, ending, &file, &cache->remarks);
  free(file.data);
  return saved;
}

bool clr_cache_save(struct clr_binary_cache *cache, cl_program program, const char *options, const char *text) {
  struct clr_text key = {0};
  struct clr_record record = {{NULL, 0}, 0};
  size_t kernels = 0;
  if (cache->directory && clr_cache_key_program(&cache->about, options, text, &key) &&
      !clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof kernels, &kernels, NULL))
    record.binary = binary_of(program);
  record.kernels = kernels;
  bool saved = record.binary.data && write_record(cache, &record, &key, CLR_RECORD_BINARY);
  if (saved)
    clr_directory_trim(cache->directory, DIRECTORY_MAX);
  free(record.binary.data);
  clr_text_release(&key);
  return saved;
}

// ---------------------------------------------------------------- Notes

// A note's key is an extra first line and then the program's key, so a note is never taken for a binary.
static bool key_of_note(const struct clr_text *about, const char *options, const char *text, struct clr_text *key) {
  clr_text_append(key, "note\n");
  return clr_cache_key_program(about, options, text, key);
}

void clr_cache_note_name(const struct clr_binary_cache *cache, const char *options, const char *text,
                         char name[CLR_RECORD_NAME_SIZE]) {
  struct clr_text key = {0};
  key_of_note(&cache->about, options, text, &key);
  clr_record_name(&key, name);
  clr_text_release(&key);
}

void clr_cache_note_load(struct clr_binary_cache *cache, const char *options, const char *text, struct clr_text *note) {
  char name[CLR_RECORD_NAME_SIZE];
  struct clr_text key = {0};
  struct clr_record record;
  struct clr_bytes file = {NULL, 0};
  if (cache->directory && key_of_note(&cache->about, options, text, &key)) {
    clr_record_name(&key, name);
    file = clr_directory_read(cache->directory, name, CLR_RECORD_NOTE, &cache->remarks);
  }
  if (file.data && !clr_record_read(&file, &key, &record))
    clr_text_format(note, "%.*s", (int)record.binary.size, (const char *)record.binary.data);
  free(file.data);
  clr_text_release(&key);
}

void clr_cache_note_save(struct clr_binary_cache *cache, const char *options, const char *text, const char *note) {
  struct clr_text key = {0};
  struct clr_text copy = {0};
  clr_text_append(&copy, note);
  const struct clr_record record = {{(unsigned char *)copy.bytes, copy.length}, 0};
  if (cache->directory && !copy.failed && key_of_note(&cache->about, options, text, &key))
    write_record(cache, &record, &key, CLR_RECORD_NOTE);
  clr_text_release(&copy);
  clr_text_release(&key);
}
