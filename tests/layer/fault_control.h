// What a program that has the layer loaded may ask of it. It finds clr_fault_control by dlsym. One thread at a time
// calls OpenCL while faults are injected.
#ifndef FAULT_CONTROL_H
#define FAULT_CONTROL_H

#include "fault_table.h"

enum fault_mode {
  FAULT_ONCE,  // one call fails
  FAULT_ON,    // the device has vanished: that call fails and all that follow
  FAULT_LATE,  // the call succeeds, and its command ends in an error; only on queues without an order
  FAULT_MODES
};

// What fails next.
struct fault_plan {
  enum fault_mode mode;
  long at;      // the call that fails, from 1; 0: none does, calls are only listed
  int entry;    // only calls of this one are counted; -1: of any
  size_t code;  // which of the codes that the entry has, from 0
};

struct fault_seen {
  long calls;              // that could have failed
  enum fault_entry entry;  // that failed first; FAULT_ENTRIES: none
  cl_int code;
  bool too_far;  // the entry has no code of this number, and nothing failed
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

// What the layer says of the device in its place.
struct fault_pretence {
  size_t kernel_group_size;  // CL_KERNEL_WORK_GROUP_SIZE; 0: the driver's
  bool gpu;                  // CL_DEVICE_TYPE is a GPU
};

struct fault_control {
  void (*arm)(const struct fault_plan *plan);
  void (*disarm)(struct fault_seen *seen);
  bool (*has_fallen)(void);  // anything since the last arming
  // Calls in between are not listed, counted or made to fail: the caller's own.
  void (*pause)(bool paused);
  // The entries called since the last arming, at most `room` of them; how many there were.
  size_t (*list)(unsigned char *entries, size_t room);
  void (*live)(long counts[FAULT_KINDS]);
  long (*calls)(enum fault_entry entry);  // since the process began
  void (*pretend)(const struct fault_pretence *pretence);
  // Programs that were built are kept, and a text built once is not built again: so that thousands of plans can be
  // made.
  void (*keep_programs)(bool keep);
  // Binaries that were given to the driver, and that it had not given out itself in this process.
  long (*strange_binaries)(void);
  const struct fault_row *rows;
  const char *const *kinds;
};

#define FAULT_CONTROL_SYMBOL "clr_fault_control"

#endif
