// scan_chunked: one launch for CPU-like devices. Groups of one work-item take contiguous blocks of `span` lanes (a power of two),
// small enough that the second reading comes from cache: the first folds the block, look-back (look_back.clh) says what
// stands before it, the second writes the results. Launch number `launch` of a call begins at block launch x TILES.

// Blocks are tiles here: a whole one's node.
STATE clred_tile_node(struct clred_in in, ulong count, ulong first, ulong lanes)
{
  STATE stack[RUN_DEPTH];
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
  clred_run_put(in, OUT_NOW, block_first, present, is_whole, before, after);
}
