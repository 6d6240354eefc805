// The choice of the calls that fail: see choice.h.
#include "choice.h"

static bool is_first_or_last(const struct listed *listed, long at, bool last_too) {
  const unsigned char entry = listed->entries[at - 1];
  bool first = true, last = last_too;
  for (long i = 0; i < at - 1 && first; i++)
    first = listed->entries[i] != entry;
  for (long i = at; i < listed->count && i < LISTED_MAX && last; i++)
    last = listed->entries[i] != entry;
  return first || last;
}

bool choice_has(const struct listed *listed, long at, long most, enum choice choice) {
  const long step = most && listed->count > most ? (listed->count + most - 1) / most : 1;
  if (at > listed->count || (at - 1) % step == 0)
    return true;
  return choice != CHOOSE_EVENLY && at <= LISTED_MAX && is_first_or_last(listed, at, choice == CHOOSE_FIRST_AND_LAST);
}
