// The devices of all platforms in the order of `query`, and the device that --device selects.
#pragma once

#include <clreduce.h>
#include <stdbool.h>
#include <stddef.h>

enum { DEVICE_TEXT_SIZE = 256 };

struct device {
  size_t index;
  cl_platform_id platform_id;
  cl_device_id id;
  cl_device_type type;
  char name[DEVICE_TEXT_SIZE];
  char platform[DEVICE_TEXT_SIZE];
  char vendor[DEVICE_TEXT_SIZE];
  char version[DEVICE_TEXT_SIZE];
  char driver[DEVICE_TEXT_SIZE];
};

struct devices {
  struct device *list;
  size_t count;
};

// Lists all devices. Returns an exit code; on success there is at least one device. devices_release releases the list.
int devices_list(struct devices *devices);
void devices_release(struct devices *devices);

// After devices_list: one message about the platforms that have no device, and one about the drivers that crashed or
// failed and are left out. "" if there are none.
const char *devices_without(void);
const char *devices_broken(void);

// Keeps only the selected devices: the one with this index, or all whose name or platform's name contains the text
// (upper and lower case are equal). NULL keeps all.
int devices_restrict(struct devices *devices, const char *selector);

// Puts the GPUs first: the order in which devices are tried without --device.
void devices_order(struct devices *devices);

// The first selected device. Without a selector: the first GPU, else the first device.
int device_pick(const char *selector, struct device *device);

// True for "all", and for several selectors with commas between them.
bool device_is_list(const char *selector);

// All devices that the selector selects, in its order: those of a list, else the one of device_pick. Refuses a device
// that is named twice. Returns an exit code. devices_release releases the list.
int devices_pick(const char *selector, struct devices *devices);

// "gpu", "cpu", and so on; several are joined by "+".
void device_type_text(cl_device_type type, char text[DEVICE_TEXT_SIZE]);
