// Finds equal keys of --by-key that stand apart.
#include <math.h>

#include "base/fail.h"
#include "run/groups.h"

struct run_keys {
  const clred_type_info *type;
  const char *at;
  uint64_t count;
};

static uint64_t bits_at(const struct run_keys *keys, uint64_t index) {
  return number_order(keys->type->type, keys->at + index * keys->type->size);
}

// Each NaN is a run by itself, and equals no other.
static bool is_nan(const struct run_keys *keys, uint64_t index) {
  return keys->type->floating && isnan(number_as_double(keys->type->type, keys->at + index * keys->type->size));
}

// True if the keys ascend or descend. Then equal keys are neighbours.
static bool are_sorted(const struct run_keys *keys) {
  bool up = true, down = true;
  for (uint64_t i = 1; i < keys->count && (up || down); i++) {
    uint64_t before = bits_at(keys, i - 1), bits = bits_at(keys, i);
    up = up && before <= bits;
    down = down && before >= bits;
  }
  return up || down;
}

// True if the key begins a run of keys that are no NaN.
static bool begins_run(const struct run_keys *keys, uint64_t index) {
  return !is_nan(keys, index) && (index == 0 || bits_at(keys, index - 1) != bits_at(keys, index));
}

void groups_note_apart(const struct job *job, const clred_type_info *type, const void *at, uint64_t count) {
  const struct run_keys keys = {type, at, count};
  struct words words = {0};
  bool apart = false, room = true;
  if (job->args->quiet || are_sorted(&keys))
    return;
  for (uint64_t i = 0; i < count && room && !apart && words_fit(&words); i++) {
    uint32_t before = words.count, found;
    bool begins = begins_run(&keys, i);
    room = !begins || groups_number_key(&words, type, keys.at + i * type->size, &found);
    apart = room && begins && words.count == before;
  }
  words_release(&words);
  if (apart)
    note(job->problem.scan
           ? "--by-key: equal keys stand apart, so the scan begins anew at each run of them; sort by key "
             "to join them"
           : "--by-key: equal keys stand apart and have several rows; --group gives one row for each "
             "key");
}
