// Elements that several programs read: a file without a name, mapped. Peers get it as a descriptor, so that nothing is
// left behind however a run ends.

#ifndef CLREDUCE_TOOL_SHARED_DATA_H
#define CLREDUCE_TOOL_SHARED_DATA_H

#include <stdint.h>

struct shared_data {
  int descriptor;
  void *bytes;  // NULL until shared_data_map
  uint64_t size;
};

// An empty file in memory, or where there is no such thing in TMPDIR, else in /tmp. An exit code; shared_data_close is
// due in any case.
int shared_data_open(struct shared_data *data);

// How much there is room for, beside memory itself.
uint64_t shared_data_room(const struct shared_data *data);

// Makes it at least so large, and maps it anew where it was smaller.
int shared_data_map(struct shared_data *data, uint64_t size);

void shared_data_close(struct shared_data *data);

#endif
