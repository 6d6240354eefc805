// The devices of all platforms, in the order that `query` numbers them, and the one that --device means.

#ifndef CLREDUCE_TOOL_DEVICE_PICK_H
#define CLREDUCE_TOOL_DEVICE_PICK_H

#include <clreduce.h>
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

// Lists every device there is: an exit code, and at least one device if it is 0. Release it with devices_release.
int devices_list(struct devices *devices);
void devices_release(struct devices *devices);

// Leaves only the devices that `selector` names: the one of that index, or all whose name or platform's name contains
// it, whatever the case. NULL leaves all.
int devices_restrict(struct devices *devices, const char *selector);

// The device to work on: the first that `selector` names; without one the first GPU, else the first device.
int device_pick(const char *selector, struct device *device);

// "gpu", "cpu", ... or several of them, joined by "+".
void device_type_text(cl_device_type type, char text[DEVICE_TEXT_SIZE]);

#endif
