// Counts what kernels do while Oclgrind interprets them: combinations, accesses, requests, barriers. The plugin knows
// nothing of the library and its analysis. It sees each access of each work-item, and compares addresses.
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// What happened between two barriers of a launch, summed over its groups.
struct counted_phase {
  uint64_t operations;            // combinations: loads of one byte, which only the combine of counts.c makes
  uint64_t active_work_items;     // that combined, or accessed a state or an element
  uint64_t sub_groups;            // with an active work-item
  uint64_t divergent_sub_groups;  // with an active and an idle work-item
  uint64_t global_accesses, requests, lines;
  uint64_t local_accesses, bank_conflicts;
};

#define COUNTED_PHASES 4096

struct counted_launch {
  uint64_t groups, group_size;
  uint64_t barriers;  // of the group that passed most of them
  uint64_t least_barriers;
  size_t phase_count;
  struct counted_phase phases[COUNTED_PHASES];  // the later ones are added to the last
};

// Forgets the launches so far. Sub-groups have `width` work-items, lines `line` bytes.
void counting_begin(uint64_t width, uint64_t line);

// Launch `index` since then; NULL past the last.
const struct counted_launch *counting_launch(size_t index);

#ifdef __cplusplus
}
#endif
