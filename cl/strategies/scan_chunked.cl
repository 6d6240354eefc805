// scan_chunked: one launch for CPU-like devices. Groups of one work-item scan blocks of `span` lanes (a power of two).
// A group folds its block, gets the block's prefix by look-back (look_back.clh), and reads the block again to write the
// results. The block is small enough to be in the cache then. Launch number `launch` of a call begins at block launch x
// TILES.

#include "scan/look_back.clh"
#if SELECTS
#include "scan/select_run.clh"
#else
#include "scan/run.clh"
#endif
#include "common/kernel.clh"

// Returns the node that the tile completes at this level. It combines the nodes of the level's binary digits, from
// nodes[], and then `last`, the last child. Publishes the result as a node of the next level.
STATE clred_complete(struct clred_board board, SPACE const STATE *nodes, uint tile, uint level, STATE last)
{
  STATE own = last;
  for (uint digit = 0; digit < FAN_LOG2; digit++)
    own = FOLLOWING(nodes[digit], own);
  if (level + 1 < LEVELS && clred_may_publish(tile))
    clred_publish_node(board, level + 1, tile >> FAN_LOG2 * (level + 1), own);
  return own;
}

// nodes[b] becomes the node of the tile's binary digit b, if that digit is 1. (A stack of adjacent pairs holds the same
// nodes.) If the tile is whole, `whole` is its node, and the nodes that it completes are published.
void clred_digits(struct clred_board board, uint tile, struct clred_field field, uint is_whole, STATE whole,
                  SPACE STATE *nodes)
{
  STATE own = whole;
  for (uint level = 0; level < LEVELS; level++) {
    uint digit = DIGIT_OF(tile, level), begin = (tile >> FAN_LOG2 * level) - digit, depth = 0;
    STATE stack[FAN_LOG2], node;
    for (uint i = 0; i < digit; i++) {
      if (!clred_poll_node(board, level, begin + i, &node))
        node = clred_compute_node(board, level, begin + i, field);
      depth = clred_pairs_push(stack, depth, i, node);
    }
    for (uint bit = 0; bit < FAN_LOG2; bit++)
      if (digit >> bit & 1)
        nodes[level * FAN_LOG2 + bit] = stack[--depth];
    is_whole = is_whole && COMPLETES(tile, level);
    if (is_whole)
      own = clred_complete(board, nodes + level * FAN_LOG2, tile, level, own);
  }
}

ENTRY(clred_scan_chunked)(ARGUMENTS)
{
  ONE_ITEM
  uint tile = TAKE_TILE(ticket);
  struct clred_board board = {(volatile __global CELL *)scratch, tag, ticket};
  struct clred_in in = SCAN_IN;
  __global STATE *launches = scratch + work;
  ulong block = span * ROWS, launch_first = launch * TILES * block, block_first = launch_first + tile * block;
  ulong present = min(count - block_first, block);
  bool is_whole = present == block;
  // The tiles of look_back.clh are blocks here.
  const struct clred_field field = {in, count, launch_first, span};
  // Initialized, because arguments of functions must be defined, even if they are not used.
  STATE own = clred_identity(), after = own, nodes[DIGITS];
  if (is_whole) {
    own = clred_tile_node(field, tile);
    if (clred_may_publish(tile)) {
      clred_publish_node(board, 0, tile, own);
#if IN_PLACE
      DEVICE_FENCE();
#endif
    }
  }
  for (uint digit = 0; digit < DIGITS; digit++)
    nodes[digit] = own;
  clred_digits(board, tile, field, is_whole, own, nodes);
  struct clred_prefix call_start = START_NOW, launch_start = call_start;
  if (launch > 0) {
    launch_start.state = launches[BEFORE_LAUNCH(launch)];
    launch_start.has_value = 1;
  }
  struct clred_prefix before = clred_before_tile(nodes, tile, launch_start);
  if (is_whole) {
    uint carried = clred_carry(nodes, tile, &own);
    after = carried == DIGITS ? clred_end_launch(launches, launch, own, call_start)
                              : clred_after(clred_before_tile(nodes, BEFORE_CARRIED(tile), launch_start), own).state;
  }
  clred_run_put(in, OUT_NOW, block_first, present, is_whole, before, after);
}
