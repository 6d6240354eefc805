// Reductions with every finish, place of the result and way of waiting.
#include "calls.h"

#define SUM SUM_OF_INTS, .count_max = NUMBERS

static const clred_op listed[] = {CLRED_OP_SUM, CLRED_OP_ARGMIN};

static const struct call_row rows[] = {
  ROW(.name = "chunked", .problem = {SUM}, .has = TO_RESULT | BLOCKS),
  ROW(.name = "chunked, an event", .problem = {SUM}, .has = ASKS_EVENT | WAITS),
  ROW(.name = "chunked, no event", .problem = {SUM}),
  ROW(.name = "chunked, read later", .problem = {SUM}, .has = TO_RESULT | ASKS_EVENT),
  ROW(.name = "chunked, out of order", .problem = {SUM}, .has = OUT_OF_ORDER | ASKS_EVENT | WAITS),
  ROW(.name = "chunked, two in flight", .problem = {SUM, .in_flight = 2}, .has = TO_RESULT | BLOCKS | WAITS),
  ROW(.name = "chunked, two queues", .problem = {SUM}, .has = ON_OTHER_QUEUE | ASKS_EVENT),
  ROW(.name = "chunked, two queues and a wait list", .problem = {SUM}, .has = ON_OTHER_QUEUE | ASKS_EVENT | WAITS),
  ROW(.name = "chunked, times", .problem = {SUM}, .has = PROFILES | ASKS_EVENT),
  ROW(.name = "chunked, relaunch", .problem = {SUM, .finish = "relaunch"}, .has = THOROUGH | TO_RESULT | BLOCKS),
  ROW(.name = "chunked, host", .problem = {SUM, .finish = "host"}, .has = ASKS_EVENT | WAITS),
  ROW(.name = "wide", .assume = "cpu=0", .problem = {SUM}, .has = THOROUGH | TO_RESULT | BLOCKS),
  ROW(.name = "wide, relaunch", .assume = "cpu=0", .problem = {SUM, .finish = "relaunch"},
      .has = THOROUGH | ASKS_EVENT),
  ROW(.name = "wide, host", .assume = "cpu=0", .problem = {SUM, .finish = "host"},
      .has = TO_RESULT | BLOCKS | OUT_OF_ORDER | WAITS),
  ROW(.name = "host_serial", .problem = {SUM, .strategy = "host_serial"}, .has = ASKS_EVENT | WAITS),
  ROW(.name = "bottom_up", .problem = {SUM, .strategy = "bottom_up"}, .call = {.count = 40},
      .has = TO_RESULT | BLOCKS | OUT_OF_ORDER),
  ROW(.name = "hand_off", .problem = {SUM, .strategy = "hand_off"}, .has = THOROUGH | TO_RESULT | BLOCKS),
  ROW(.name = "atomic", .problem = {SUM, .strategy = "atomic"}, .has = THOROUGH | ASKS_EVENT),
  ROW(.name = "local_sequential, last_group", .problem = {SUM, .strategy = "local_sequential", .finish = "last_group"},
      .has = THOROUGH | ASKS_EVENT),
  ROW(.name = "a trial", .problem = {SUM, .strategy = "local_sequential", .group_size = 64}, .has = ASKS_EVENT,
      .pretence = {.kernel_group_size = 1}),
  ROW(.name = "a trial that fails", .problem = {SUM, .strategy = "local_sequential"},
      .has = THOROUGH | ASKS_EVENT | TRIES_SIZES, .pretence = {.kernel_group_size = 1}),
  ROW(.name = "dot", .problem = {OP(DOT, INT)}, .has = TO_RESULT | BLOCKS | HAS_INPUT),
  ROW(.name = "overflow is detected", .problem = {SUM, .overflow = CLRED_OVERFLOW_DETECT}, .has = TO_RESULT | BLOCKS),
  ROW(.name = "several operators", .problem = {.type = CLRED_TYPE_INT, .list = listed, .list_count = 2},
      .has = TO_RESULT | BLOCKS),
  ROW(.name = "argmin", .problem = {OP(ARGMIN, INT)}, .has = THOROUGH | ASKS_EVENT),
};

static const clred_operator longest = {
  .name = "longest", .element = "int", .state = "int", .identity = "0", .combine = "max(a, b)"};

static const struct call_row own[] = {
  ROW(.name = "a caller's operator", .problem = {.custom = &weighted}, .call = {.parameters = weighted_parameters},
      .has = TO_RESULT | BLOCKS | HAS_INPUT),
  ROW(.name = "one that does not commute", .problem = {.custom = &longest}, .has = THOROUGH | ASKS_EVENT),
};

void add_reductions(struct scenarios *all) {
  ADD_ROWS(all, rows);
  ADD_ROWS(all, own);
}
