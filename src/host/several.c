// The operators of a list on the host: each works on its own part of the state.
#include "host/several.h"

#include <string.h>

void clr_part_take(const struct clr_kept_state *kept, const void *state, void *part) {
  for (size_t i = 0; i < kept->member_count; i++)
    memcpy((unsigned char *)part + kept->members[i].inside, (const unsigned char *)state + kept->members[i].at,
           kept->members[i].size);
}

void clr_part_put(const struct clr_kept_state *kept, const void *part, void *state) {
  for (size_t i = 0; i < kept->member_count; i++)
    memcpy((unsigned char *)state + kept->members[i].at, (const unsigned char *)part + kept->members[i].inside,
           kept->members[i].size);
}

void clr_parts_identity(const struct clr_several *several, void *state) {
  union clr_room part;
  for (size_t i = 0; i < several->state_count; i++) {
    several->states[i].owner->host->identity(&part);
    clr_part_put(&several->states[i], &part, state);
  }
}

void clr_parts_combine(const struct clr_several *several, void *a, const void *b) {
  union clr_room left, right;
  for (size_t i = 0; i < several->state_count; i++) {
    const struct clr_kept_state *kept = &several->states[i];
    clr_part_take(kept, a, &left);
    clr_part_take(kept, b, &right);
    kept->owner->host->combine(&left, &right);
    clr_part_put(kept, &left, a);
  }
}

void clr_parts_lower(const struct clr_several *several, const void *state, void *result) {
  union clr_room part, lowered;
  for (size_t i = 0; i < several->listed_count; i++) {
    const struct clr_listed *listed = &several->listed[i];
    clr_part_take(&several->states[listed->state], state, &part);
    clr_listed_lower_on_host(listed, &part, &lowered);
    for (size_t j = 0; j < listed->operation.part_count; j++)
      memcpy((unsigned char *)result + listed->members[j].at, lowered.bytes + listed->members[j].inside,
             listed->members[j].size);
  }
}
