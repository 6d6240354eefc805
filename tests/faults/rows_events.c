// Events of the wait list that fail before or after the call, in every kind of queue.
#include "calls.h"

#define SUM SUM_OF_INTS, .count_max = NUMBERS
#define FAILS_LATER .has = EVENT_FAILS_LATER | TO_RESULT | ASKS_EVENT
#define HAS_FAILED .has = EVENT_HAS_FAILED | TO_RESULT | ASKS_EVENT

static const struct call_row rows[] = {
  ROW(.name = "an event that fails later", .problem = {SUM}, FAILS_LATER),
  ROW(.name = "an event that fails later, out of order", .problem = {SUM}, FAILS_LATER | OUT_OF_ORDER),
  ROW(.name = "an event that has failed", .problem = {SUM}, HAS_FAILED | BLOCKS),
  ROW(.name = "an event that has failed, out of order", .problem = {SUM}, HAS_FAILED | OUT_OF_ORDER),
  ROW(.name = "an event that has failed, finish host", .problem = {SUM, .finish = "host"}, HAS_FAILED),
  ROW(.name = "an event that has failed, host_serial", .problem = {SUM, .strategy = "host_serial"}, HAS_FAILED),
  ROW(.name = "an event that has failed, bottom_up", .problem = {SUM, .strategy = "bottom_up"}, HAS_FAILED),
  ROW(.name = "an event that has failed, look_back", .assume = "cpu=0", .problem = {SUM, SCAN(EXCLUSIVE)},
      .has = EVENT_HAS_FAILED | ASKS_EVENT, .results = NUMBERS),
};

void add_events(struct scenarios *all) {
  ADD_ROWS(all, rows);
}
