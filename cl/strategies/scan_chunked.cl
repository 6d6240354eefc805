// scan_chunked: one launch for CPU-like devices. Groups of one work-item take contiguous blocks of `span` lanes (a power of two),
// small enough that the second reading comes from cache: the first folds the block, look-back (look_back.clh) says what
// stands before it, the second writes the results. Launch number `launch` of a call begins at block launch x TILES.

#define BLOCK_DEPTH 32

#if HOLDS
#define HELD_ROWS ROWS
#else
#define HELD_ROWS 1
#endif

// Blocks are tiles here: a whole one's node.
STATE clred_tile_node(struct clred_in in, ulong count, ulong first, ulong lanes)
{
  STATE stack[BLOCK_DEPTH];
  uint depth = 0;
  for (ulong lane = 0; lane < lanes; lane++)
    depth = clred_pairs_push(stack, depth, lane, clred_scan_lane(in, count, first + lane * ROWS, ROWS));
  return clred_pairs_root(stack, depth);
}

STATE clred_rescue(struct clred_board board, uint level, uint index, struct clred_in in, ulong count, ulong launch_first,
                   ulong lanes)
{
  STATE stack[DIGITS + 1], node = clred_identity();
  uint depth = 0, tiles = 1u << FAN_LOG2 * level;
  for (uint i = 0; i < tiles; i++) {
    uint tile = index * tiles + i;
    if (!clred_ask(board, 0, tile, &node)) {
      clred_hesitate();
      STATE computed = clred_tile_node(in, count, launch_first + tile * lanes * ROWS, lanes);
      DEVICE_FENCE();
      if (!clred_ask(board, 0, tile, &node)) {
        node = computed;
        clred_tell(board, 0, tile, node);
      }
    }
    depth = clred_pairs_push(stack, depth, i, node);
  }
#ifdef COUNTS_WAITS
  atomic_inc(board.ticket + 1);
#endif
  node = clred_pairs_root(stack, depth);
  if (level > 0)
    clred_tell(board, level, index, node);
  return node;
}

// nodes[b] becomes the node of the tile's binary digit b, where that is 1: what a stack of adjacent pairs holds. A whole tile,
// whose node is `own`, tells of the nodes that it completes.
void clred_digits(struct clred_board board, uint tile, struct clred_in in, ulong count, ulong launch_first, ulong lanes,
                  uint is_whole, STATE own, STATE *nodes)
{
  for (uint level = 0; level < LEVELS; level++) {
    uint digit = tile >> FAN_LOG2 * level & (FAN - 1), begin = (tile >> FAN_LOG2 * level) - digit, depth = 0;
    STATE stack[FAN_LOG2], node;
    for (uint i = 0; i < digit; i++) {
      if (!clred_wait(board, level, begin + i, &node))
        node = clred_rescue(board, level, begin + i, in, count, launch_first, lanes);
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

#if HOLDS
// A lane's folds in `held`, one a row; returns the last.
STATE clred_hold_lane(struct clred_in in, ulong count, ulong first, uint rows, STATE *held)
{
  STATE state = held[0] = clred_scan_lift(in, count, first);
  if (rows == ROWS) {
#pragma unroll
    for (uint row = 1; row < ROWS; row++)
      held[row] = state = FOLLOWING(state, clred_scan_lift(in, count, first + row));
    return state;
  }
  for (uint row = 1; row < rows; row++)
    held[row] = state = FOLLOWING(state, clred_scan_lift(in, count, first + row));
  return state;
}

void clred_put_held(struct clred_out out, ulong first, uint rows, const STATE *held, struct clred_prefix before, STATE after)
{
#if SCAN == SCAN_EXCLUSIVE
  clred_put(out, first, before);
  for (uint row = 1; row < rows; row++)
    clred_put(out, first + row, clred_after(before, held[row - 1]));
#else
  for (uint row = 0; row < rows && row < ROWS - 1; row++)
    clred_put(out, first + row, clred_after(before, held[row]));
  if (rows == ROWS) {
    before.state = after;
    before.is_there = 1;
    clred_put(out, first + ROWS - 1, before);
  }
#endif
}
#endif

// The results of `present` elements from `first` on, before which stands `before`; `after` stands before the next block, if this
// one is whole. heads[b] is what the binary digits of the lane's number from b upwards name.
void clred_block_put(struct clred_in in, struct clred_out out, ulong first, ulong present, bool is_whole,
                     struct clred_prefix before, STATE after)
{
  STATE nodes[BLOCK_DEPTH];
  struct clred_prefix heads[BLOCK_DEPTH + 1];
  for (uint b = 0; b <= BLOCK_DEPTH; b++)
    heads[b] = before;
  for (ulong lane = 0; lane * ROWS < present; lane++) {
    ulong at = first + lane * ROWS;
    uint rows = (uint)min(present - lane * ROWS, (ulong)ROWS), carried = 0;
    STATE held[HELD_ROWS];
#if HOLDS
    STATE own = clred_hold_lane(in, out.count, at, rows, held);
#else
    STATE own = clred_scan_lane(in, out.count, at, rows);
#endif
    for (; lane >> carried & 1; carried++)
      own = FOLLOWING(nodes[carried], own);
    struct clred_prefix next = clred_after(heads[carried + 1], own);
    if (is_whole && (lane + 1) * ROWS == present)
      next.state = after;
#if HOLDS
    clred_put_held(out, at, rows, held, heads[0], next.state);
#else
    clred_scan_walk(in, out, at, rows, heads[0], next.state);
#endif
    nodes[carried] = own;
    for (uint b = 0; b <= carried; b++)
      heads[b] = next;
  }
}

ENTRY(scan_chunked)(ARGUMENTS)
{
  uint tile = atomic_inc(ticket);
  if (tile == get_num_groups(0) - 1)
    atomic_xchg(ticket, 0u);
  struct clred_board board = {(volatile __global CELL *)scratch, ticket, tag};
  struct clred_in in = SCAN_IN;
  __global STATE *launches = scratch + work;
  ulong block = span * ROWS, launch_first = launch * TILES * block, block_first = launch_first + tile * block;
  ulong present = min(count - block_first, block);
  bool is_whole = present == block;
  // Given to functions even where they do not count: what has no value must not be handed on.
  STATE own = clred_identity(), after = own, nodes[DIGITS];
  if (is_whole) {
    own = clred_tile_node(in, count, block_first, span);
    if (clred_speaks(tile)) {
      clred_tell(board, 0, tile, own);
#if IN_PLACE
      DEVICE_FENCE();
#endif
    }
  }
  for (uint digit = 0; digit < DIGITS; digit++)
    nodes[digit] = own;
  clred_digits(board, tile, in, count, launch_first, span, is_whole, own, nodes);
  struct clred_prefix call_start = START_NOW, launch_start = call_start;
  if (launch > 0) {
    launch_start.state = launches[BEFORE_LAUNCH(launch)];
    launch_start.is_there = 1;
  }
  struct clred_prefix before =
    clred_before_tile(nodes, tile, is_whole, launch_start, own, call_start, launches, launch, &after);
  clred_block_put(in, OUT_NOW, block_first, present, is_whole, before, after);
}
