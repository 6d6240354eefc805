// The interface of the fault layer for a program that has loaded it: dlsym finds clr_fault_control. While faults are
// injected only one thread may call OpenCL.
#pragma once

#include "fault_table.h"

enum fault_mode {
  FAULT_ONCE,  // one call fails
  FAULT_ON,    // the device has vanished: one call fails and all after it
  FAULT_LATE,  // the call succeeds and its command ends in an error; only in out-of-order queues
  FAULT_MODES
};

// What fails next.
struct fault_plan {
  enum fault_mode mode;
  long at;      // the number of the call that fails, from 1; 0: calls are only listed
  size_t code;  // the index of the code among those of the entry
};

struct fault_seen {
  long calls;              // calls that could have failed
  enum fault_entry entry;  // the first that failed; FAULT_ENTRIES: none
  cl_int code;
  bool too_far;  // nothing failed, because the entry has no code of this index
};

enum fault_kind {
  FAULT_CONTEXTS,
  FAULT_DEVICES,
  FAULT_QUEUES,
  FAULT_BUFFERS,
  FAULT_PROGRAMS,
  FAULT_KERNELS,
  FAULT_EVENTS,
  FAULT_MAPPINGS,
  FAULT_KINDS
};

// What the layer reports instead of the device.
struct fault_pretence {
  size_t kernel_group_size;  // CL_KERNEL_WORK_GROUP_SIZE; 0: the driver's
  bool gpu;                  // CL_DEVICE_TYPE is a GPU
};

struct fault_control {
  void (*arm)(const struct fault_plan *plan);
  void (*disarm)(struct fault_seen *seen);
  bool (*has_fallen)(void);  // a call failed since the last arming
  // While paused, calls are not listed or counted and do not fail.
  void (*pause)(bool paused);
  // Copies the first `room` entries called since the last arming and returns the number of all.
  size_t (*list)(unsigned char *entries, size_t room);
  void (*live)(long counts[FAULT_KINDS]);
  void (*pretend)(const struct fault_pretence *pretence);
  // Keeps built programs, so that a text is built once for thousands of plans.
  void (*keep_programs)(bool keep);
  // Returns how many binaries the driver was given that it had not made itself in this process.
  long (*strange_binaries)(void);
  const char *const *kinds;
};

#define FAULT_CONTROL_SYMBOL "clr_fault_control"
