// An OpenCL driver that is broken: the name of its file says how (test_drivers.py copies it to libfake_NAME.so). It
// has one platform. Only `context` has a device, a GPU that cannot be used. `cut` and `first` write a line to the file
// CLREDUCE_FAKE_LOADS when they are loaded; `cut` then cuts the loader's list in the environment, as some loaders do.
#define _GNU_SOURCE  // dladdr
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <CL/cl.h>
#include <CL/cl_icd.h>
#include <dlfcn.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"

#define EXPORTED __attribute__((visibility("default")))

// The loader reads the table of functions at the begin of each object.
static struct _cl_icd_dispatch table;
static struct { struct _cl_icd_dispatch *table; } platform = {&table}, device = {&table};

static bool is(const char *name) {
  Dl_info about;
  return dladdr(&table, &about) != 0 && strstr(about.dli_fname, name) != NULL;
}

__attribute__((constructor)) static void note_load(void) {
  const char *const log = getenv("CLREDUCE_FAKE_LOADS");
  char *const list = getenv("OCL_ICD_FILENAMES"), *const end = list == NULL ? NULL : strchr(list, ':');
  FILE *const file = log != NULL && (is("fake_cut") || is("fake_first")) ? fopen(log, "a") : NULL;
  if (file != NULL) {
    fputs(is("fake_cut") ? "cut\n" : "first\n", file);
    fclose(file);
  }
  if (is("fake_cut") && end != NULL)
    *end = '\0';
}

static volatile int deep = 1;

static int overflow(volatile char *below) {
  volatile char more[4096];
  more[0] = below == NULL ? 1 : (char)(below[0] + 1);
  return deep ? overflow(more) + more[0] : 0;
}

static cl_int CL_API_CALL device_ids(cl_platform_id id, cl_device_type type, cl_uint most, cl_device_id *ids,
                                     cl_uint *count) {
  (void)id, (void)type;
  if (is("fake_crash"))
    raise(SIGSEGV);
  if (is("fake_stack"))
    return overflow(NULL);
  if (is("fake_abort")) {
    fputs("a first line\nNo memory on this device\n", stderr);
    abort();
  }
  if (is("fake_exit"))
    exit(EXIT_SUCCESS);
  if (is("fake_error"))
    return CL_OUT_OF_HOST_MEMORY;
  if (!is("fake_context"))
    return CL_DEVICE_NOT_FOUND;
  if (ids != NULL && most > 0)
    *ids = (cl_device_id)(void *)&device;
  if (count != NULL)
    *count = 1;
  return CL_SUCCESS;
}

static cl_int CL_API_CALL platform_info(cl_platform_id id, cl_platform_info what, size_t size, void *value,
                                        size_t *needed) {
  const char *text = what == CL_PLATFORM_EXTENSIONS ? "cl_khr_icd"
                     : what == CL_PLATFORM_VERSION  ? "OpenCL 1.2"
                                                    : "fake";
  (void)id;
  return answer_text(text, size, value, needed);
}

static cl_int CL_API_CALL device_info(cl_device_id id, cl_device_info what, size_t size, void *value, size_t *needed) {
  const cl_device_type type = CL_DEVICE_TYPE_GPU;
  (void)id;
  if (what == CL_DEVICE_TYPE)
    return answer(&type, sizeof type, size, value, needed);
  return what == CL_DEVICE_NAME ? answer_text("useless", size, value, needed) : CL_INVALID_VALUE;
}

static cl_context CL_API_CALL context(const cl_context_properties *properties, cl_uint count, const cl_device_id *ids,
                                      void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *),
                                      void *user_data, cl_int *err) {
  (void)properties, (void)count, (void)ids, (void)notify, (void)user_data;
  if (err != NULL)
    *err = CL_OUT_OF_RESOURCES;
  return NULL;
}

EXPORTED cl_int CL_API_CALL clIcdGetPlatformIDsKHR(cl_uint most, cl_platform_id *ids, cl_uint *count) {
  if (is("fake_load"))
    raise(SIGSEGV);
  table.clGetDeviceIDs = device_ids;
  table.clGetPlatformInfo = platform_info;
  table.clGetDeviceInfo = device_info;
  table.clCreateContext = context;
  if (ids != NULL && most > 0)
    *ids = (cl_platform_id)(void *)&platform;
  if (count != NULL)
    *count = 1;
  return CL_SUCCESS;
}

EXPORTED void *CL_API_CALL clGetExtensionFunctionAddress(const char *name) {
  return strcmp(name, "clIcdGetPlatformIDsKHR") == 0 ? (void *)(size_t)clIcdGetPlatformIDsKHR : NULL;
}

EXPORTED cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id id, cl_platform_info what, size_t size, void *value,
                                              size_t *needed) {
  return platform_info(id, what, size, value, needed);
}
