// Elements that several processes read: a mapped file without a name, which peers inherit as a descriptor. Nothing
// remains after the run, even if a signal ends it.
#pragma once

#include <stdint.h>

struct shared_data {
  int descriptor;
  void *bytes;  // NULL until shared_data_map
  uint64_t size;
};

// Opens an empty file in memory, or in TMPDIR, or in /tmp. Returns an exit code; call shared_data_close in any case.
int shared_data_open(struct shared_data *data);

// How many bytes the file can hold, if memory suffices.
uint64_t shared_data_room(const struct shared_data *data);

// Makes the file at least this large, and maps it again if it was smaller.
int shared_data_map(struct shared_data *data, uint64_t size);

void shared_data_close(struct shared_data *data);
