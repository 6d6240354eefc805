// An OpenCL layer below most tests. It saves time:
// - Before a program is built, compiler.c builds the same program, so that the driver finds it in its cache. Each
//   process of the tool thus saves half a second. Without an answer the driver compiles as it always does.
// - Programs for PoCL begin with the file that CLREDUCE_TEST_DECLARATIONS names (declarations.py), instead of PoCL's
//   header, which is skipped if _OPENCL_H_ is defined.
// And it makes every driver as strict, and as strange, as some are:
// - A read, write, copy or fill of 0 bytes is refused, as PoCL 6 and others do and PoCL 3.1 does not.
// - CLREDUCE_TEST_NAME is the name of every device, CLREDUCE_TEST_UNITS its number of compute units
//   (tools/scripts/systems.sh).

#define _POSIX_C_SOURCE 200809L

#include <CL/cl_layer.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "answer.h"
#include "compiler.h"
#include "prototypes.h"

#define DECLARATIONS "CLREDUCE_TEST_DECLARATIONS"
#define SHORTER "-D_OPENCL_H_ -DDECLARED"
enum { TEXTS_MAX = 16 };

static const struct _cl_icd_dispatch *driver;
static struct _cl_icd_dispatch table;
#define DRIVER(name) driver->name ARGUMENTS_##name

static int connect_compiler(void) {
  const char *path = getenv(COMPILER_SOCKET);
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (!path || strlen(path) >= sizeof address.sun_path)
    return -1;
  strcpy(address.sun_path, path);
  const int compiler = socket(AF_UNIX, SOCK_STREAM, 0);
  if (compiler >= 0 && connect(compiler, (const struct sockaddr *)&address, sizeof address) == 0)
    return compiler;
  close(compiler);
  return -1;
}

static bool send_all(int to, const void *bytes, size_t size) {
  return send(to, bytes, size, MSG_NOSIGNAL) == (ssize_t)size;
}

// Sends the texts and waits until they are compiled.
static void compile(const char *const texts[TEXTS]) {
  struct order order;
  char done;
  const int compiler = connect_compiler();
  if (compiler < 0)
    return;
  for (int i = 0; i < TEXTS; i++)
    order.sizes[i] = strlen(texts[i]) + 1;
  bool sent = send_all(compiler, &order, sizeof order);
  for (int i = 0; i < TEXTS && sent; i++)
    sent = send_all(compiler, texts[i], order.sizes[i]);
  if (sent && read(compiler, &done, 1) < 0)
    done = 0;
  close(compiler);
}

// The declarations, which take effect if DECLARED is defined; NULL if no file has them.
static const char *declarations(void) {
  static char *text;
  const char *path = getenv(DECLARATIONS);
  size_t capacity = 0;
  FILE *file = text || !path ? NULL : fopen(path, "r");
  if (file && getdelim(&text, &capacity, 0, file) < 0)
    text = NULL;
  if (file)
    fclose(file);
  return path ? text : NULL;
}

// Puts the declarations before the program.
HOOK(clCreateProgramWithSource) {
  const char *declared = declarations(), *all[TEXTS_MAX + 1] = {declared};
  size_t all_lengths[TEXTS_MAX + 1] = {0};
  if (!declared || count > TEXTS_MAX || !strings)
    return DRIVER(clCreateProgramWithSource);
  for (cl_uint i = 0; i < count; i++) {
    all[i + 1] = strings[i];
    all_lengths[i + 1] = lengths ? lengths[i] : 0;
  }
  return driver->clCreateProgramWithSource(context, count + 1, all, all_lengths, errcode_ret);
}

// False for programs of several devices, too.
static bool is_for_pocl(cl_program program) {
  cl_device_id device;
  char version[256] = "";
  return driver->clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL) == CL_SUCCESS &&
         driver->clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL) == CL_SUCCESS &&
         (strstr(version, "pocl") || strstr(version, "PoCL"));
}

// Returns NULL for a program that was made from a binary.
static char *source_of(cl_program program) {
  size_t size = 0;
  driver->clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &size);
  char *source = size > 1 ? malloc(size) : NULL;
  if (source && driver->clGetProgramInfo(program, CL_PROGRAM_SOURCE, size, source, NULL) == CL_SUCCESS)
    return source;
  free(source);
  return NULL;
}

HOOK(clBuildProgram) {
  const char *extra = getenv("POCL_EXTRA_BUILD_FLAGS"), *given = options ? options : "";
  char *source = source_of(program), *all = malloc(strlen(given) + sizeof " " SHORTER);
  if (all && source && getenv(DECLARATIONS) && is_for_pocl(program)) {
    sprintf(all, "%s " SHORTER, given);
    given = all;
  }
  if (source)
    compile((const char *const[]){source, given, extra ? extra : ""});
  free(source);
  options = given;
  const cl_int err = DRIVER(clBuildProgram);
  free(all);
  return err;
}

// ---- Transfers

static cl_int refuse_nothing(const char *call) {
  fprintf(stderr, "build_layer: %s of 0 bytes\n", call);
  return CL_INVALID_VALUE;
}

#define STRICT(name) \
  HOOK(name) { \
    return size == 0 ? refuse_nothing(#name) : DRIVER(name); \
  }
STRICT(clEnqueueReadBuffer)
STRICT(clEnqueueWriteBuffer)
STRICT(clEnqueueCopyBuffer)
STRICT(clEnqueueFillBuffer)

// ---- Names

HOOK(clGetDeviceInfo) {
  const char *name = getenv("CLREDUCE_TEST_NAME"), *units = getenv("CLREDUCE_TEST_UNITS");
  const cl_uint number = units ? (cl_uint)strtoul(units, NULL, 10) : 0;
  if (param_name == CL_DEVICE_NAME && name)
    return answer_text(name, param_value_size, param_value, param_value_size_ret);
  if (param_name == CL_DEVICE_MAX_COMPUTE_UNITS && units)
    return answer(&number, sizeof number, param_value_size, param_value, param_value_size_ret);
  return DRIVER(clGetDeviceInfo);
}

CL_API_ENTRY cl_int CL_API_CALL clInitLayer(cl_uint count, const struct _cl_icd_dispatch *below, cl_uint *made,
                                            const struct _cl_icd_dispatch **layer) {
  (void)count;
  driver = below;
  table.clCreateProgramWithSource = hook_clCreateProgramWithSource;
  table.clBuildProgram = hook_clBuildProgram;
  table.clEnqueueReadBuffer = hook_clEnqueueReadBuffer;
  table.clEnqueueWriteBuffer = hook_clEnqueueWriteBuffer;
  table.clEnqueueCopyBuffer = hook_clEnqueueCopyBuffer;
  table.clEnqueueFillBuffer = hook_clEnqueueFillBuffer;
  table.clGetDeviceInfo = hook_clGetDeviceInfo;
  *made = sizeof table / sizeof(void *);
  *layer = &table;
  return CL_SUCCESS;
}
