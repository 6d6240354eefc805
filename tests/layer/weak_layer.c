// An OpenCL layer (OPENCL_LAYERS) that makes the device weaker or wrong: it reports less than the device has, holds
// less than it reports, or changes programs. WEAK_DEVICE names a row of the table.

#define _POSIX_C_SOURCE 200809L
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "answer.h"
#include "prototypes.h"

// ---------------------------------------------------------------- Weak and wrong devices

// What a device lacks, or does wrong without an error, or how it ends the process.
enum weak_trait {
  LACKS_DOUBLE = 1 << 0,
  LACKS_LONG_ATOMICS = 1 << 1,
  LACKS_DISORDER = 1 << 2,  // queues are in-order only
  LACKS_PROFILING = 1 << 3,
  LACKS_SHARED_MEMORY = 1 << 4,
  LACKS_LOCAL = 1 << 5,      // local memory is global memory
  LIES_IN_ATOMICS = 1 << 6,  // loses counts in global memory
  LIES_IN_LONG_ATOMICS = 1 << 7,
  LIES_IN_LOCAL_ATOMICS = 1 << 8,
  LIES_IN_FILLS = 1 << 9,  // fills do nothing
  LIES_IN_COPIES = 1 << 10,
  LIES_IN_LOOPS = 1 << 11,        // loops end after 65535 turns, counted over all loops of a work-item
  LIES_IN_SHORTS = 1 << 12,       // shorts have no sign
  LIES_IN_DOUBLES = 1 << 13,      // doubles are floats
  LIES_IN_NANS = 1 << 14,         // NaNs are taken for numbers
  LIES_IN_DENORMALS = 1 << 15,    // denormals are 0
  LIES_IN_HOST_MEMORY = 1 << 16,  // buffers in host memory are copies
  LIES_IN_OFFSETS = 1 << 17,      // offsets of writes are ignored
  LIES_IN_LAUNCHES = 1 << 18,     // launches of groups that are too large do nothing and report no error
  COUNTS_LOOPS = 1 << 19,         // counts the turns of loops and does not end them
  LIES_IN_CHUNKED = 1 << 20,      // kernels of one work-item skip every second tile
  EXITS_IN_BUILDS = 1 << 21,      // ends the process, with words on standard error, as LLVM does on a full disk
  EXITS_IN_LAUNCHES = 1 << 22,
  CRASHES_IN_CHUNKED = 1 << 24,  // launching the kernel of one strategy ends the process by a signal
  HANGS_IN_CHUNKED = 1 << 25,    // launching it never returns
  BREAKS_IN_CHUNKED = 1 << 26,   // launching it fails, and so do all launches of the process from then on
  SLOW_AT_FIRST = 1 << 23,       // the first launch of each kernel takes 1000 seconds more, by the device's clock
};

// A field of 0 leaves the value of the device.
struct weak_device {
  const char *name;
  unsigned traits;
  size_t group, kernel_group;     // work-items, as reported
  cl_ulong local, alloc, memory;  // bytes, as reported
  cl_uint units, multiple, sub_groups;
  cl_uint vector;       // floats
  const char *version;  // "1.2"
  cl_device_type type;
  size_t constant, parameter;  // bytes
  size_t held_group;           // the real limits of a device that reports more
  cl_ulong held_local, held_alloc;
};

#define KIB (cl_ulong)1024
#define MIB (1024 * KIB)
#define ROW(...) \
  { __VA_ARGS__ }

static const struct weak_device devices[] = {
  // Weak devices: they do what they report.
  {.name = "groups_of_1", .group = 1},
  {.name = "groups_of_48", .group = 48},
  {.name = "groups_of_64", .group = 64},
  {.name = "gpu_groups_of_1", .group = 1, .type = CL_DEVICE_TYPE_GPU},
  {.name = "gpu_groups_of_64", .group = 64, .type = CL_DEVICE_TYPE_GPU},
  {.name = "gpu_groups_of_100", .group = 100, .type = CL_DEVICE_TYPE_GPU},
  {.name = "gpu", .type = CL_DEVICE_TYPE_GPU, .multiple = 32, .traits = LACKS_SHARED_MEMORY},
  {.name = "gpu_small_memory", .type = CL_DEVICE_TYPE_GPU, .local = 16 * KIB, .alloc = 16 * MIB, .memory = 64 * MIB},
  {.name = "local_of_1024", .local = KIB, .type = CL_DEVICE_TYPE_GPU},
  {.name = "local_of_none", .local = 64, .traits = LACKS_LOCAL, .type = CL_DEVICE_TYPE_GPU},
  {.name = "kernel_groups_of_32", .kernel_group = 32, .type = CL_DEVICE_TYPE_GPU},
  {.name = "sub_groups_of_64", .multiple = 64, .group = 256, .type = CL_DEVICE_TYPE_GPU},
  {.name = "lanes_of_8", .multiple = 8, .group = 1024, .sub_groups = 128, .vector = 1, .type = CL_DEVICE_TYPE_CPU},
  {.name = "rows_of_8", .multiple = 8, .group = 512, .sub_groups = 128, .vector = 1, .type = CL_DEVICE_TYPE_CPU},
  {.name = "no_double", .traits = LACKS_DOUBLE},
  {.name = "no_long_atomics", .traits = LACKS_LONG_ATOMICS, .type = CL_DEVICE_TYPE_GPU},
  {.name = "opencl_12", .version = "1.2"},
  {.name = "gpu_opencl_12", .version = "1.2", .type = CL_DEVICE_TYPE_GPU, .traits = LACKS_LONG_ATOMICS | LACKS_DOUBLE},
  {.name = "opencl_11", .version = "1.1"},
  {.name = "alloc_of_65536", .alloc = 64 * KIB},
  {.name = "in_order_only", .traits = LACKS_DISORDER},
  {.name = "no_profiling", .traits = LACKS_PROFILING},
  {.name = "units_of_256", .units = 256},
  {.name = "units_of_1", .units = 1},
  {.name = "small_constants", .constant = KIB, .parameter = 256},
  ROW(.name = "embedded", .group = 16, .local = KIB, .alloc = MIB, .memory = 4 * MIB, .units = 1, .multiple = 1,
      .version = "1.2", .parameter = 256, .traits = LACKS_DOUBLE | LACKS_LONG_ATOMICS | LACKS_DISORDER | LACKS_LOCAL),
  // Wrong devices: they report more than they can do.
  {.name = "lies_group", .held_group = 64},
  {.name = "lies_group_silently", .held_group = 64, .traits = LIES_IN_LAUNCHES},
  {.name = "lies_local", .held_local = 16 * KIB},
  {.name = "lies_alloc", .held_alloc = 64 * MIB},
  {.name = "lies_atomics", .traits = LIES_IN_ATOMICS},
  {.name = "lies_long_atomics", .traits = LIES_IN_LONG_ATOMICS},
  {.name = "lies_local_atomics", .traits = LIES_IN_LOCAL_ATOMICS},
  {.name = "lies_fills", .traits = LIES_IN_FILLS},
  {.name = "lies_copies", .traits = LIES_IN_COPIES},
  {.name = "lies_loops", .traits = LIES_IN_LOOPS},
  {.name = "lies_shorts", .traits = LIES_IN_SHORTS},
  {.name = "lies_doubles", .traits = LIES_IN_DOUBLES},
  {.name = "lies_nans", .traits = LIES_IN_NANS},
  {.name = "lies_denormals", .traits = LIES_IN_DENORMALS},
  {.name = "lies_host_memory", .traits = LIES_IN_HOST_MEMORY},
  {.name = "lies_chunked", .traits = LIES_IN_CHUNKED},
  {.name = "lies_offsets", .traits = LIES_IN_OFFSETS},
  {.name = "exits_in_builds", .traits = EXITS_IN_BUILDS},
  {.name = "exits_in_launches", .traits = EXITS_IN_LAUNCHES},
  {.name = "crashes_in_chunked", .traits = CRASHES_IN_CHUNKED},
  {.name = "hangs_in_chunked", .traits = HANGS_IN_CHUNKED},
  {.name = "breaks_in_chunked", .traits = BREAKS_IN_CHUNKED},
  {.name = "slow_at_first", .traits = SLOW_AT_FIRST},
  // This device has no weakness; the layer counts the turns of its loops.
  {.name = "counts_loops", .traits = COUNTS_LOOPS},
};

// The row that WEAK_DEVICE names; without one, a row of zeros, which changes nothing.
static const struct weak_device *weak_device(void) {
  static const struct weak_device plain;
  const char *name = getenv("WEAK_DEVICE");
  for (size_t i = 0; name && i < sizeof devices / sizeof *devices; i++)
    if (strcmp(devices[i].name, name) == 0)
      return &devices[i];
  return &plain;
}

static const struct _cl_icd_dispatch *weak_driver;  // the driver's functions
static struct _cl_icd_dispatch table;

#define DRIVER(name) weak_driver->name ARGUMENTS_##name

// ---------------------------------------------------------------- What the device reports of itself

// Answers the question with a number if the condition holds.
#define ANSWER_IF(question, condition, type, number) \
  if (param_name == (question) && (condition)) { \
    const type answered = (type)(number); \
    return answer(&answered, sizeof answered, param_value_size, param_value, param_value_size_ret); \
  }

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

HOOK(clGetDeviceInfo) {
  const struct weak_device *weak = weak_device();
  const bool is_old = weak->version != NULL;
  if (param_name == CL_DEVICE_NAME && weak->name)
    return answer_name(weak, device, param_value_size, param_value, param_value_size_ret);
  if (param_name == CL_DEVICE_EXTENSIONS)
    return answer_extensions(weak, device, param_value_size, param_value, param_value_size_ret);
  ANSWER_IF(CL_DEVICE_MAX_WORK_GROUP_SIZE, weak->group, size_t, weak->group)
  if (param_name == CL_DEVICE_MAX_WORK_ITEM_SIZES && weak->group)
    return answer_sizes(weak, param_value_size, param_value, param_value_size_ret);
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
  if (param_name == CL_DEVICE_VERSION && is_old)
    return answer_version("OpenCL %s weak", weak->version, param_value_size, param_value, param_value_size_ret);
  if (param_name == CL_DEVICE_OPENCL_C_VERSION && is_old)
    return answer_version("OpenCL C %s weak", weak->version, param_value_size, param_value, param_value_size_ret);
  if (is_old && (param_name == PREFERRED_MULTIPLE || param_name == MAX_NUM_SUB_GROUPS ||
                 (param_name >= NUMERIC_VERSION && param_name <= OPENCL_C_FEATURES)))
    return CL_INVALID_VALUE;
  return DRIVER(clGetDeviceInfo);
}

HOOK(clGetPlatformInfo) {
  const struct weak_device *weak = weak_device();
  if (weak->version && param_name == CL_PLATFORM_VERSION)
    return answer_version("OpenCL %s weak", weak->version, param_value_size, param_value, param_value_size_ret);
  return DRIVER(clGetPlatformInfo);
}

HOOK(clGetKernelWorkGroupInfo) {
  const struct weak_device *weak = weak_device();
  const size_t most = weak->kernel_group ? weak->kernel_group : weak->group;
  size_t own = 0;
  if (!most || param_name != CL_KERNEL_WORK_GROUP_SIZE)
    return DRIVER(clGetKernelWorkGroupInfo);
  weak_driver->clGetKernelWorkGroupInfo(kernel, device, param_name, sizeof own, &own, NULL);
  own = own && own < most ? own : most;
  return answer(&own, sizeof own, param_value_size, param_value, param_value_size_ret);
}

// ---------------------------------------------------------------- Programs: the turns of loops

#define MOST_TURNS 65535
#define ITEMS (1u << 20)

// The turns of all loops of each work-item in this launch. Kernels of a CPU driver can write to this memory.
static volatile unsigned turns[ITEMS];
static unsigned most_turns;

static void weak_loops_begin(void) {
  for (size_t i = 0; i < ITEMS; i++) {
    most_turns = turns[i] > most_turns ? turns[i] : most_turns;
    turns[i] = 0;
  }
}

// Returns the most turns of any work-item in the last launch, and starts a new count. Tests call it.
unsigned weak_loops_most(void);
unsigned weak_loops_most(void) {
  weak_loops_begin();
  const unsigned most = most_turns;
  most_turns = 0;
  return most;
}

static bool is_word_at(const char *text, const char *at, const char *word) {
  static const char inner[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  const size_t length = strlen(word);
  return strncmp(at, word, length) == 0 && (at == text || !strchr(inner, at[-1])) &&
         (!at[length] || !strchr(inner, at[length]));
}

// The end of a comment or string that begins here, or NULL.
static const char *behind_comment(const char *at) {
  const char *end = NULL;
  if (strncmp(at, "//", 2) == 0)
    end = at + strcspn(at, "\n");
  else if (strncmp(at, "/*", 2) == 0)
    end = strstr(at, "*/") ? strstr(at, "*/") + 2 : at + strlen(at);
  else if (*at == '"')
    end = strchr(at + 1, '"') ? strchr(at + 1, '"') + 1 : at + strlen(at);
  return end;
}

// The condition of a loop from `begin` on, up to a semicolon or the closing parenthesis.
static const char *end_of(const char *begin) {
  int depth = 0;
  for (const char *at = begin; *at; at++) {
    depth += *at == '(' || *at == '[';
    if (depth == 0 && (*at == ';' || *at == ')'))
      return at;
    depth -= *at == ')' || *at == ']';
  }
  return NULL;
}

// Adds the counter to the condition that begins here. Returns the end of the condition.
static const char *put_condition(FILE *made, const char *begin) {
  const char *end = end_of(begin);
  if (!end)
    return begin;
  if (strspn(begin, " \t\n\\") == (size_t)(end - begin)) {
    fputs("LIES_TURN", made);
    return end;
  }
  fputs("(", made);
  fwrite(begin, 1, (size_t)(end - begin), made);
  fputs(") && LIES_TURN", made);
  return end;
}

static void put_counted(FILE *made, const char *text) {
  for (const char *at = text; *at;) {
    const char *behind = behind_comment(at);
    const bool is_for = is_word_at(text, at, "for"), is_while = is_word_at(text, at, "while");
    const char *open = is_for || is_while ? at + strcspn(at, "(") : NULL;
    if (behind) {
      fwrite(at, 1, (size_t)(behind - at), made);
      at = behind;
    } else if (open && *open && end_of(open + 1)) {
      const char *begin = is_for ? end_of(open + 1) + 1 : open + 1;
      fwrite(at, 1, (size_t)(begin - at), made);
      at = put_condition(made, begin);
    } else {
      fputc(*at++, made);
    }
  }
}

static void put_counter(FILE *made, bool ends) {
  fprintf(made, "#define LIES_TURN (++((volatile __global uint *)0x%llxul)[get_global_id(0) %% %uu] <= %uu)\n",
          (unsigned long long)(size_t)turns, ITEMS, ends ? MOST_TURNS : 0xfffffffeu);
}

// ---------------------------------------------------------------- Text that is put before a program

// Every eighth count is lost.
static const char losing[] =
  "uint __attribute__((overloadable)) lies_add(volatile __global uint *p, uint n)\n"
  "{ uint old = atomic_add(p, n); if (LIES_GLOBAL && n && (old & 7) == 7) atomic_sub(p, n); return old; }\n"
  "uint __attribute__((overloadable)) lies_add(volatile __local uint *p, uint n)\n"
  "{ uint old = atomic_add(p, n); if (LIES_LOCAL && n && (old & 7) == 7) atomic_sub(p, n); return old; }\n"
  "#define atomic_add lies_add\n#define atomic_inc(p) lies_add(p, 1u)\n";
static const char losing_longs[] =
  "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
  "ulong lies_add_long(volatile __global ulong *p, ulong n)\n"
  "{ ulong old = atom_add(p, n); if (n && (old & 7) == 7) atom_sub(p, n); return old; }\n"
  "#define atom_add lies_add_long\n#define atom_inc(p) lies_add_long(p, 1)\n";

static const struct {
  unsigned trait;
  const char *text;
} befores[] = {
  {LACKS_DOUBLE, "#undef cl_khr_fp64\n#define double there_is_no_double\n"},
  {LACKS_LONG_ATOMICS,
   "#undef cl_khr_int64_base_atomics\n#undef cl_khr_int64_extended_atomics\n#define atom_add there_is_no_atom\n"
   "#define atom_inc there_is_no_atom\n#define atom_xchg there_is_no_atom\n#define atom_cmpxchg there_is_no_atom\n"
   "#define atom_min there_is_no_atom\n#define atom_max there_is_no_atom\n#define atom_or there_is_no_atom\n"},
  {LIES_IN_ATOMICS, "#define LIES_GLOBAL 1\n#define LIES_LOCAL 0\n"},
  {LIES_IN_LOCAL_ATOMICS, "#define LIES_GLOBAL 0\n#define LIES_LOCAL 1\n"},
  {LIES_IN_ATOMICS | LIES_IN_LOCAL_ATOMICS, losing},
  {LIES_IN_LONG_ATOMICS, losing_longs},
  {LIES_IN_NANS, "#define isnan(x) 0\n"},
  {LIES_IN_SHORTS, "#define short ushort\n"},
  {LIES_IN_DOUBLES, "#define double float\n"},
};

// A compiler that gets one kind of loop wrong.
static void put_miscompiled(FILE *made, const char *text) {
  static const char loop[] = "ulong element = (begin + i) * TILE;";
  const char *from = text;
  for (const char *at; (at = strstr(from, loop)) != NULL; from = at + sizeof loop - 1) {
    fwrite(from, 1, (size_t)(at - from), made);
    fputs("ulong element = (begin + i / 2 * 2) * TILE;", made);
  }
  fputs(from, made);
}

// The text with the changes for what the device lacks or does wrong. The caller frees it.
static char *weak_source(const char *text) {
  const struct weak_device *weak = weak_device();
  char *bytes = NULL;
  size_t size;
  FILE *made = open_memstream(&bytes, &size);
  if (!made)
    abort();
  for (size_t i = 0; i < sizeof befores / sizeof *befores; i++)
    if (weak->traits & befores[i].trait)
      fputs(befores[i].text, made);
  if (weak->traits & (LIES_IN_LOOPS | COUNTS_LOOPS)) {
    put_counter(made, weak->traits & LIES_IN_LOOPS);
    put_counted(made, text);
  } else if (weak->traits & LIES_IN_CHUNKED) {
    put_miscompiled(made, text);
  } else {
    fputs(text, made);
  }
  fclose(made);
  return bytes;
}

// ---------------------------------------------------------------- Queues

static bool is_refused(cl_command_queue_properties properties) {
  const struct weak_device *weak = weak_device();
  return (weak->traits & LACKS_DISORDER && properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) ||
         (weak->traits & LACKS_PROFILING && properties & CL_QUEUE_PROFILING_ENABLE);
}

HOOK(clCreateCommandQueue) {
  if (!is_refused(properties))
    return DRIVER(clCreateCommandQueue);
  if (errcode_ret)
    *errcode_ret = CL_INVALID_QUEUE_PROPERTIES;
  return NULL;
}

HOOK(clCreateCommandQueueWithProperties) {
  if (!weak_device()->version)
    return DRIVER(clCreateCommandQueueWithProperties);
  if (errcode_ret)
    *errcode_ret = CL_INVALID_OPERATION;
  return NULL;
}

// ---------------------------------------------------------------- Buffers

HOOK(clCreateBuffer) {
  const struct weak_device *weak = weak_device();
  const cl_int refusal = weak->alloc && size > weak->alloc             ? CL_INVALID_BUFFER_SIZE
                         : weak->held_alloc && size > weak->held_alloc ? CL_MEM_OBJECT_ALLOCATION_FAILURE
                                                                       : CL_SUCCESS;
  if (weak->traits & LIES_IN_HOST_MEMORY && flags & CL_MEM_USE_HOST_PTR)
    flags = (flags & ~(cl_mem_flags)CL_MEM_USE_HOST_PTR) | CL_MEM_COPY_HOST_PTR;
  if (!refusal)
    return DRIVER(clCreateBuffer);
  if (errcode_ret)
    *errcode_ret = refusal;
  return NULL;
}

static cl_int nothing(cl_command_queue queue, cl_uint waits, const cl_event *wait_list, cl_event *event) {
  return weak_driver->clEnqueueMarkerWithWaitList(queue, waits, wait_list, event);
}

HOOK(clEnqueueFillBuffer) {
  if (weak_device()->traits & LIES_IN_FILLS)
    return nothing(command_queue, num_events_in_wait_list, event_wait_list, event);
  return DRIVER(clEnqueueFillBuffer);
}

HOOK(clEnqueueCopyBuffer) {
  if (weak_device()->traits & LIES_IN_COPIES)
    return nothing(command_queue, num_events_in_wait_list, event_wait_list, event);
  return DRIVER(clEnqueueCopyBuffer);
}

HOOK(clEnqueueWriteBuffer) {
  if (weak_device()->traits & LIES_IN_OFFSETS)
    offset = 0;
  return DRIVER(clEnqueueWriteBuffer);
}

// ---------------------------------------------------------------- Programs

HOOK(clCreateProgramWithSource) {
  if (count != 1 || lengths)
    return DRIVER(clCreateProgramWithSource);
  char *made = weak_source(*strings);
  const char *text = made;
  cl_program program = weak_driver->clCreateProgramWithSource(context, 1, &text, NULL, errcode_ret);
  free(made);
  return program;
}

HOOK(clBuildProgram) {
  const struct weak_device *weak = weak_device();
  char more[4096];
  if (weak->traits & EXITS_IN_BUILDS) {
    fputs("COMPILER ERROR: no room\nfor a file\n", stderr);
    exit(EXIT_FAILURE);
  }
  if (weak->version && options && (strstr(options, "CL2") || strstr(options, "CL3")))
    return CL_INVALID_BUILD_OPTIONS;
  snprintf(more, sizeof more, "%s%s", options ? options : "",
           weak->traits & LIES_IN_DENORMALS ? " -cl-denorms-are-zero" : "");
  options = more;
  return DRIVER(clBuildProgram);
}

// ---------------------------------------------------------------- First launches

static bool is_chunked(cl_kernel kernel) {
  char name[256] = "";
  weak_driver->clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
  return strcmp(name, "clred_chunked_elements") == 0;
}

static void end_or_hang(const struct weak_device *weak) {
  while (!(weak->traits & CRASHES_IN_CHUNKED))
    pause();
  raise(SIGSEGV);
}

enum { FIRST_MAX = 64 };
static struct {
  cl_kernel kernel;
  cl_event event;  // of its first launch
} firsts[FIRST_MAX];

// A driver may use the handle of a released event again.
static void note_launch(cl_kernel kernel, cl_event event) {
  int place = 0;
  for (int i = 0; i < FIRST_MAX; i++)
    if (firsts[i].event == event)
      firsts[i].event = NULL;
  while (place < FIRST_MAX && firsts[place].kernel && firsts[place].kernel != kernel)
    place++;
  if (place < FIRST_MAX && !firsts[place].kernel) {
    firsts[place].kernel = kernel;
    firsts[place].event = event;
  }
}

HOOK(clGetEventProfilingInfo) {
  const cl_int err = DRIVER(clGetEventProfilingInfo);
  for (int i = 0; i < FIRST_MAX && !err && param_value && param_name == CL_PROFILING_COMMAND_END; i++)
    if (firsts[i].event == event)
      *(cl_ulong *)param_value += 1000000000000;
  return err;
}

// ---------------------------------------------------------------- Launches

enum { LOCALS_MAX = 4096 };
static struct {
  cl_kernel kernel;
  cl_uint index;
  size_t size;
} locals[LOCALS_MAX];  // local memory that kernels get as arguments

// Arguments that are no local memory are noted, too: a driver may use the handle of a released kernel again.
static void note_local(cl_kernel kernel, cl_uint index, size_t size) {
  for (int i = 0; i < LOCALS_MAX; i++)
    if (!locals[i].kernel || (locals[i].kernel == kernel && locals[i].index == index)) {
      locals[i].kernel = kernel;
      locals[i].index = index;
      locals[i].size = size;
      return;
    }
}

HOOK(clSetKernelArg) {
  const struct weak_device *weak = weak_device();
  const size_t most = arg_value ? weak->parameter : weak->local;
  if (weak->local || weak->held_local)
    note_local(kernel, arg_index, arg_value ? 0 : arg_size);
  return most && arg_size > most ? CL_INVALID_ARG_SIZE : DRIVER(clSetKernelArg);
}

// Drivers should count the arguments, but PoCL 6.0 answers 0 for every kernel.
static cl_ulong local_of(cl_command_queue queue, cl_kernel kernel) {
  cl_device_id id = NULL;
  cl_ulong bytes = 0, arguments = 0;
  weak_driver->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof id, &id, NULL);
  weak_driver->clGetKernelWorkGroupInfo(kernel, id, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes, &bytes, NULL);
  for (int i = 0; i < LOCALS_MAX && locals[i].kernel; i++)
    arguments += locals[i].kernel == kernel ? locals[i].size : 0;
  return bytes < arguments ? arguments : bytes;
}

static cl_int judge(const struct weak_device *weak, cl_command_queue queue, cl_kernel kernel, size_t group) {
  const cl_ulong local = weak->local || weak->held_local ? local_of(queue, kernel) : 0;
  const size_t most = weak->kernel_group ? weak->kernel_group : weak->group;
  if (most && group > most)
    return CL_INVALID_WORK_GROUP_SIZE;
  if (weak->held_group && group > weak->held_group)
    return CL_OUT_OF_RESOURCES;
  return (weak->local && local > weak->local) || (weak->held_local && local > weak->held_local) ? CL_OUT_OF_RESOURCES
                                                                                                : CL_SUCCESS;
}

HOOK(clEnqueueNDRangeKernel) {
  const struct weak_device *weak = weak_device();
  const size_t one = 1;
  const cl_int refusal = judge(weak, command_queue, kernel, local_work_size ? *local_work_size : 1);
  if (refusal && weak->traits & LIES_IN_LAUNCHES)
    return nothing(command_queue, num_events_in_wait_list, event_wait_list, event);
  if (refusal)
    return refusal;
  if (weak->traits & (LIES_IN_LOOPS | COUNTS_LOOPS)) {
    weak_driver->clFinish(command_queue);
    weak_loops_begin();
  }
  if (weak->traits & EXITS_IN_LAUNCHES)
    exit(EXIT_SUCCESS);
  if (weak->traits & (CRASHES_IN_CHUNKED | HANGS_IN_CHUNKED) && is_chunked(kernel))
    end_or_hang(weak);
  static bool is_broken;
  is_broken = is_broken || (weak->traits & BREAKS_IN_CHUNKED && is_chunked(kernel));
  if (is_broken)
    return CL_OUT_OF_RESOURCES;
  // The driver would choose a size that ignores the limits of the row.
  if (weak->name && !local_work_size)
    local_work_size = &one;
  const cl_int err = DRIVER(clEnqueueNDRangeKernel);
  if (weak->traits & SLOW_AT_FIRST && err == CL_SUCCESS && event)
    note_launch(kernel, *event);
  return err;
}

// ---------------------------------------------------------------- The loader's entry point

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const struct _cl_icd_dispatch *driver, cl_uint *made,
                                            const struct _cl_icd_dispatch **layer) {
  (void)count;
  weak_driver = driver;
  table.clGetDeviceInfo = hook_clGetDeviceInfo;
  table.clGetPlatformInfo = hook_clGetPlatformInfo;
  table.clGetKernelWorkGroupInfo = hook_clGetKernelWorkGroupInfo;
  table.clCreateCommandQueue = hook_clCreateCommandQueue;
  table.clCreateCommandQueueWithProperties = hook_clCreateCommandQueueWithProperties;
  table.clCreateBuffer = hook_clCreateBuffer;
  table.clEnqueueFillBuffer = hook_clEnqueueFillBuffer;
  table.clEnqueueCopyBuffer = hook_clEnqueueCopyBuffer;
  table.clEnqueueWriteBuffer = hook_clEnqueueWriteBuffer;
  table.clCreateProgramWithSource = hook_clCreateProgramWithSource;
  table.clBuildProgram = hook_clBuildProgram;
  table.clSetKernelArg = hook_clSetKernelArg;
  table.clGetEventProfilingInfo = hook_clGetEventProfilingInfo;
  table.clEnqueueNDRangeKernel = hook_clEnqueueNDRangeKernel;
  *made = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
