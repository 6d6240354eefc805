// Counts allocations of the library and of this program, and makes them fail, by the linker's --wrap.
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Allocation number `at`, from 1, fails. With `on`, all later ones fail, too. 0: none fails.
void memory_arm(long at, bool on);

// Returns the number of allocations since memory_arm, and whether one failed.
long memory_disarm(bool *failed);

bool memory_has_failed(void);  // since the last arming

// While paused, allocations are not counted and do not fail.
void memory_pause(bool paused);

// Live allocations.
long memory_blocks(void);
size_t memory_bytes(void);
