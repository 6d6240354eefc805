// What the analyses of scan_look_back and scan_chunked share: the ticket, the board, and the launches of a call.
#include "strategies/scan_board.h"

struct clr_tile_launch clr_board_launch(const struct clr_shape *shape, const struct clr_pass *pass, cl_ulong size) {
  cl_ulong first = pass->launch * shape->scan.tiles;
  return (struct clr_tile_launch){.shape = shape,
                                  .pass = pass,
                                  .size = size,
                                  .first = first,
                                  .values = clr_at_most(pass->count - first * size, pass->groups * size),
                                  .turns = 1,
                                  .chained = true};
}

cl_ulong clr_board_ones(cl_ulong end) {
  cl_ulong ones = 0;
  for (cl_ulong bit = 1; bit && bit < end; bit *= 2) {
    cl_ulong rest = end % (2 * bit);
    ones += end / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
  }
  return ones;
}

void clr_board_ticket(const struct clr_tiles *it, cl_ulong number, struct clred_step *step) {
  struct clr_making making = clr_tiles_begin(it, step, 1, "ticket");
  const struct clr_access one = {.groups = 1, .full = 1, .last = 1, .size = sizeof(cl_uint)};
  struct clr_access each = one;
  (void)number;
  each.groups = making.crew.groups;
  clr_step_access(&making, each);
  if (it->shape->strategy->team == CLR_TEAM_GROUPS)
    clr_step_alone(&making, 2 * it->count);
  if (it->is_last)
    clr_step_access(&making, one);
}

// A state is one access, although it may need several cells.
void clr_board_publish(const struct clr_making *making, cl_ulong groups) {
  const struct clr_shape *shape = making->shape;
  cl_ulong cell = shape->scan.cell_bits / 8, cells = clr_ceil_divide(shape->state_size, cell / 2);
  cl_ulong accesses = making->step->global_accesses;
  const struct clr_access each = {.groups = groups, .full = 1, .last = 1, .size = cell};
  for (cl_ulong i = 0; i < cells; i++) {
    making->step->global_accesses = accesses;
    clr_step_access(making, each);
  }
}

void clr_board_launch_prefix(const struct clr_making *making, cl_ulong groups, cl_ulong readers) {
  const struct clr_access each = {.groups = groups, .full = readers, .last = readers};
  if (making->pass->launch)
    clr_step_scratch(making, each, making->pass->work, 0, 0);
}

// The nodes of launches are kept like digits of a binary counter: those of trailing ones are combined.
void clr_board_end_launch(const struct clr_making *making) {
  cl_ulong launch = making->pass->launch, ones = clr_ones(launch), carries = ones - clr_ones(launch & (launch + 1));
  cl_ulong accesses = carries + 1 + (ones - carries + 1) + 1;
  const struct clr_access each = {.groups = 1, .full = 1, .last = 1, .times = accesses};
  clr_step_scratch(making, each, making->pass->work, 0, 0);
  clr_step_combine(making, ones, CLR_UNKNOWN, 1);
}

cl_ulong clr_board_completing(const struct clr_tiles *it, cl_ulong level) {
  cl_ulong shift = CLR_LOOK_DIGIT * (level + 1);
  return it->present == it->size ? ((it->first + it->count) >> shift) - (it->first >> shift) : 0;
}

bool clr_board_waits(cl_ulong first, cl_ulong count, cl_ulong level) {
  cl_ulong low = first >> CLR_LOOK_DIGIT * level, high = (first + count - 1) >> CLR_LOOK_DIGIT * level;
  return low != high || high % CLR_LOOK_FAN > 0;
}
