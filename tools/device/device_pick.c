// Lists the devices of all platforms, and selects among them by index or name.
#define _GNU_SOURCE  // strcasestr

#include "device/device_pick.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/number.h"
#include "base/wrap.h"
#include "device/drivers.h"

enum { PLATFORMS_MAX = 64, DEVICE_COUNT_MAX = 256 };  // per platform
enum { PLATFORM_NOT_FOUND = -1001 };                  // CL_PLATFORM_NOT_FOUND_KHR of cl_ext.h, from the loader

static const struct {
  cl_device_type type;
  const char *name;
} type_names[] = {{CL_DEVICE_TYPE_GPU, "gpu"},
                  {CL_DEVICE_TYPE_CPU, "cpu"},
                  {CL_DEVICE_TYPE_ACCELERATOR, "accelerator"},
                  {CL_DEVICE_TYPE_CUSTOM, "custom"}};

// Sentences about drivers without a device, and about those that failed.
static char without[2048], broken[2048];

const char *devices_without(void) {
  return without;
}

const char *devices_broken(void) {
  return broken;
}

// Most often the library of a driver is missing.
static int no_driver(const char *what) {
  const char *missing = drivers_not_loaded();
  if (*missing != '\0')
    return fail(EXIT_WORK_FAILED,
                "%s: %s; repair it, or install another, for instance the package pocl-opencl-icd "
                "(any CPU)",
                what, missing);
  return fail(EXIT_WORK_FAILED, "%s; install an OpenCL driver, for instance the package pocl-opencl-icd (any CPU)",
              what);
}

static bool is_pocl(cl_platform_id platform) {
  char name[DEVICE_TEXT_SIZE] = "";
  return clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
         strstr(name, "Portable Computing Language") != NULL;
}

// PoCL has a device on any CPU, but hides it if it cannot make its cache.
static int no_device(const cl_platform_id *platforms, cl_uint count) {
  for (cl_uint i = 0; i < count; i++)
    if (is_pocl(platforms[i]))
      return fail(EXIT_WORK_FAILED, "PoCL is installed but shows no device, as it does if it cannot write its cache; "
                                    "let POCL_CACHE_DIR name a directory that can be written");
  char line[sizeof without + 32];
  snprintf(line, sizeof line, "no OpenCL device found: %s", without);
  return no_driver(line);
}

// Some drivers pad their strings with spaces.
static void trim(char *text) {
  size_t start = strspn(text, " ");
  memmove(text, text + start, strlen(text + start) + 1);
  for (size_t length = strlen(text); length > 0 && text[length - 1] == ' ';)
    text[--length] = '\0';
}

static void take_text(cl_device_id id, cl_device_info what, char text[DEVICE_TEXT_SIZE]) {
  if (clGetDeviceInfo(id, what, DEVICE_TEXT_SIZE, text, NULL) != CL_SUCCESS)
    *text = '\0';
  text[DEVICE_TEXT_SIZE - 1] = '\0';
  trim(text);
}

static void describe(cl_platform_id platform, cl_device_id id, size_t index, struct device *device) {
  *device = (struct device){.index = index, .platform_id = platform, .id = id};
  clGetDeviceInfo(id, CL_DEVICE_TYPE, sizeof device->type, &device->type, NULL);
  take_text(id, CL_DEVICE_NAME, device->name);
  take_text(id, CL_DEVICE_VENDOR, device->vendor);
  take_text(id, CL_DEVICE_VERSION, device->version);
  take_text(id, CL_DRIVER_VERSION, device->driver);
  if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, DEVICE_TEXT_SIZE, device->platform, NULL) != CL_SUCCESS)
    device->platform[0] = '\0';
  trim(device->platform);
}

static bool append(struct devices *devices, cl_platform_id platform, const cl_device_id *ids, cl_uint count) {
  struct device *grown = realloc(devices->list, (devices->count + count) * sizeof *grown);
  if (grown == NULL)
    return false;
  devices->list = grown;
  for (cl_uint i = 0; i < count; i++) {
    describe(platform, ids[i], devices->count, &devices->list[devices->count]);
    devices->count++;
  }
  return true;
}

// A platform without devices returns CL_DEVICE_NOT_FOUND or no error. A broken platform is skipped, too.
static bool append_platform(struct devices *devices, cl_platform_id platform, cl_int *failed) {
  cl_device_id ids[DEVICE_COUNT_MAX];
  char name[DEVICE_TEXT_SIZE] = "", line[DEVICE_TEXT_SIZE + 128];
  cl_uint count = 0;
  cl_int status = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICE_COUNT_MAX, ids, &count);
  if (status == CL_SUCCESS && count > 0)
    return append(devices, platform, ids, count < DEVICE_COUNT_MAX ? count : DEVICE_COUNT_MAX);
  if (clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) != CL_SUCCESS)
    snprintf(name, sizeof name, "without a name");
  if (status == CL_SUCCESS || status == CL_DEVICE_NOT_FOUND) {
    snprintf(line, sizeof line, "the platform %s has no device", name);
    list_append(without, sizeof without, "; ", line);
    return true;
  }
  *failed = status;
  snprintf(line, sizeof line, "the platform %s is left out: clGetDeviceIDs failed with %s (%d)", name,
           clred_status_name(status), (int)status);
  list_append(broken, sizeof broken, "; ", line);
  return true;
}

struct listing {
  cl_platform_id platforms[PLATFORMS_MAX];
  cl_uint count;
  cl_int status, failed;  // of clGetPlatformIDs, and of a platform
  bool lacks_memory;
};

// Between drivers_begin and drivers_end, where nothing is printed.
static void list_all(struct listing *listing, struct devices *devices) {
  listing->status = clGetPlatformIDs(PLATFORMS_MAX, listing->platforms, &listing->count);
  if (listing->status != CL_SUCCESS)
    listing->count = 0;
  listing->count = listing->count < PLATFORMS_MAX ? listing->count : PLATFORMS_MAX;
  for (cl_uint i = 0; i < listing->count && !listing->lacks_memory; i++) {
    listing->lacks_memory = !append_platform(devices, listing->platforms[i], &listing->failed);
  }
}

static int judge(const struct listing *listing, const struct devices *devices) {
  if (listing->lacks_memory)
    return fail_memory();
  if (listing->status != CL_SUCCESS && listing->status != PLATFORM_NOT_FOUND)
    return fail_opencl("clGetPlatformIDs", listing->status, "looking for platforms");
  if (listing->count == 0)
    return no_driver("no OpenCL platform found");
  if (devices->count == 0 && *broken != '\0')
    return fail(EXIT_WORK_FAILED,
                "no OpenCL device found: %s; repair this driver, or install another, for instance the package "
                "pocl-opencl-icd (any CPU)",
                broken);
  return devices->count > 0 ? EXIT_DONE : no_device(listing->platforms, listing->count);
}

int devices_list(struct devices *devices) {
  struct listing listing = {.count = 0};
  *devices = (struct devices){0};
  if (!drivers_begin())
    return EXIT_WORK_FAILED;
  *without = '\0';
  snprintf(broken, sizeof broken, "%s", drivers_crashed());
  list_all(&listing, devices);
  drivers_end();
  int code = judge(&listing, devices);
  if (code)
    devices_release(devices);
  return code;
}

void devices_release(struct devices *devices) {
  free(devices->list);
  *devices = (struct devices){0};
}

// ---- Selecting

static bool is_index(const char *selector) {
  return *selector != '\0' && selector[strspn(selector, "0123456789")] == '\0';
}

// Letters that are not ASCII have bytes from 0x80 on.
static bool has_letters_or_digits(const char *selector) {
  while (*selector != '\0' && !isalnum((unsigned char)*selector) && (unsigned char)*selector < 0x80)
    selector++;
  return *selector != '\0';
}

// Digits alone are an index, never a part of a name. Commas alone are a list of nothing, even if a name has commas.
static bool is_meant(const struct device *device, const char *selector) {
  uint64_t index;
  if (!has_letters_or_digits(selector))
    return false;
  if (is_index(selector))
    return count_parse(selector, strlen(selector), &index) && device->index == index;
  return strcasestr(device->name, selector) != NULL || strcasestr(device->platform, selector) != NULL;
}

// Offers the words of a name, which are shorter than the name: "xeon" is near to one of "cpu-haswell-Intel(R) Xeon(R)".
// A word has three letters or more; "2.80" and "R" are none. Letters that are not ASCII have several bytes.
static void offer_words(struct guess *guess, const char *name) {
  static const char word_ends[] = " -_,()[]@";
  enum { LETTERS_LEAST = 3 };
  char word[DEVICE_TEXT_SIZE];
  const char *at;
  size_t length;
  while (list_next(&name, word_ends, &at, &length)) {
    size_t letters = 0;
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    for (size_t i = 0; word[i] != '\0'; i++)
      letters += isalpha((unsigned char)word[i]) || (unsigned char)word[i] >= 0xC0;
    if (letters >= LETTERS_LEAST)
      guess_offer(guess, word);
  }
}

// A number says how many devices there are; other words have a suggestion, or the list of all devices.
static int unknown_device(const struct devices *devices, const char *selector) {
  char list[2048] = " give one of:";
  struct guess guess;
  size_t length = strlen(list);
  guess_begin(&guess, is_index(selector) ? NULL : selector);
  for (size_t i = 0; i < devices->count && length < sizeof list - 1; i++) {
    const struct device *device = &devices->list[i];
    snprintf(list + length, sizeof list - length, "%s %zu %s (%s)", i == 0 ? "" : ",", device->index, device->name,
             device->platform);
    length = strlen(list);
    offer_words(&guess, device->name);
    offer_words(&guess, device->platform);
  }
  if (is_index(selector))
    return fail(EXIT_BAD_USE, "--device: no device has the index '%s': there %s %zu device%s;%s", selector,
                devices->count == 1 ? "is" : "are", devices->count, devices->count == 1 ? "" : "s", list);
  return fail(EXIT_BAD_USE, "--device: no device matches '%s';%s", selector, guess_or(&guess, list));
}

int devices_restrict(struct devices *devices, const char *selector) {
  size_t kept = 0;
  if (selector == NULL)
    return EXIT_DONE;
  for (size_t i = 0; i < devices->count; i++)
    kept += is_meant(&devices->list[i], selector);
  if (kept == 0)
    return unknown_device(devices, selector);
  struct devices all = *devices;
  kept = 0;
  for (size_t i = 0; i < all.count; i++)
    if (is_meant(&all.list[i], selector))
      devices->list[kept++] = all.list[i];
  devices->count = kept;
  return EXIT_DONE;
}

static bool is_gpu(const struct device *device) {
  return (device->type & CL_DEVICE_TYPE_GPU) != 0;
}

static int by_preference(const void *left, const void *right) {
  const struct device *a = left, *b = right;
  if (is_gpu(a) != is_gpu(b))
    return is_gpu(a) ? -1 : 1;
  return (a->index > b->index) - (a->index < b->index);
}

void devices_order(struct devices *devices) {
  qsort(devices->list, devices->count, sizeof *devices->list, by_preference);
}

bool device_is_list(const char *selector) {
  return selector != NULL && (strcmp(selector, "all") == 0 || strchr(selector, ',') != NULL);
}

static const struct device *first_meant(const struct devices *all, const char *selector) {
  for (size_t i = 0; i < all->count; i++)
    if (is_meant(&all->list[i], selector))
      return &all->list[i];
  return NULL;
}

static int add_meant(const struct devices *all, const char *list, const char *selector, struct devices *devices) {
  const struct device *device = first_meant(all, selector);
  if (device == NULL)
    return unknown_device(all, selector);
  for (size_t i = 0; i < devices->count; i++)
    if (devices->list[i].index == device->index)
      return fail(EXIT_BAD_USE, "--device %s: device %zu is named twice; name each device once", list, device->index);
  devices->list[devices->count++] = *device;
  return EXIT_DONE;
}

// Replaces all devices by those of the list.
static int pick_list(struct devices *devices, const char *list) {
  struct devices all = *devices;
  char *copy = strdup(list), *next = copy;
  *devices = (struct devices){.list = malloc(all.count * sizeof *all.list)};
  int code = copy == NULL || devices->list == NULL ? fail_memory() : EXIT_DONE;
  while (next != NULL && !code)
    code = add_meant(&all, list, strsep(&next, ","), devices);
  free(copy);
  devices_release(&all);
  return code;
}

// A name may contain a comma.
static int pick(const char *selector, bool takes_lists, struct devices *devices) {
  const bool is_list = takes_lists && device_is_list(selector);
  int code = devices_list(devices);
  if (code || (is_list && strcmp(selector, "all") == 0))
    return code;
  if (is_list && first_meant(devices, selector) == NULL)
    return pick_list(devices, selector);
  code = devices_restrict(devices, selector);
  if (selector == NULL)
    devices_order(devices);
  devices->count = 1;
  return code;
}

int device_pick(const char *selector, struct device *device) {
  struct devices devices;
  int code = pick(selector, false, &devices);
  if (!code)
    *device = devices.list[0];
  devices_release(&devices);
  return code;
}

int devices_pick(const char *selector, struct devices *devices) {
  return pick(selector, true, devices);
}

void device_type_text(cl_device_type type, char text[DEVICE_TEXT_SIZE]) {
  *text = '\0';
  for (size_t i = 0; i < sizeof type_names / sizeof type_names[0]; i++)
    if (type & type_names[i].type) {
      if (*text != '\0')
        strcat(text, "+");
      strcat(text, type_names[i].name);
    }
}
