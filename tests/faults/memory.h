// Allocations of the library and of this program, by the linker's --wrap: counted, and made to fail.
#ifndef FAULTS_MEMORY_H
#define FAULTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

// Call number `at` fails, counted from 1; with `on` all that follow, too. 0: none does.
void memory_arm(long at, bool on);

// How many allocations there were since; whether one failed.
long memory_disarm(bool *failed);

bool memory_has_failed(void);  // since the last arming

// Allocations in between are neither counted nor failed.
void memory_pause(bool paused);

// What is allocated and not freed.
long memory_blocks(void);
size_t memory_bytes(void);

#endif
