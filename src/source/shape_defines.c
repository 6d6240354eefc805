// Writes the numbers of a plan as lines of plan.clh.
#include "source/generated.h"
#include "source/source.h"

// --- Lines ---

void clr_define_text(struct clr_text *text, const char *name, const char *value) {
  clr_text_format(text, "#define %s %s\n", name, value);
}

void clr_define_number(struct clr_text *text, const char *name, unsigned long long value) {
  clr_text_format(text, "#define %s %llu\n", name, value);
}

// --- Reductions, scans and segments ---

// Uses a direct atomic if there is one; otherwise compare-and-swap.
void clr_atomic_defines(const struct clr_operation *operation, struct clr_text *text) {
  bool wide = operation->state_size == 8;
  const char *prefix = wide ? "atom_" : "atomic_";
  const char *direct = clr_operation_direct_atomic(operation);
  if (wide)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
                          "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n");
  if (direct)
    clr_text_format(text, "#define ATOMIC_DIRECT %s%s\n", prefix, direct);
  clr_text_format(text, "#define ATOMIC_COMPARE_EXCHANGE %scmpxchg\n", prefix);
}

void clr_fence_defines(enum clr_fence fence, struct clr_text *text) {
  clr_text_append(text, "#define FENCE_NONE 0\n#define FENCE_C11 1\n#define FENCE_PTX 2\n");
  clr_define_number(text, "FENCE", fence);
}

static void define_tiles(struct clr_text *text, const struct clr_strategy *strategy, const struct clr_shape *shape) {
  clr_define_number(text, "GROUP_SIZE", shape->group_size);
  clr_define_number(text, "LANES_PER_TILE", shape->lanes);
  clr_define_number(text, "ROWS", shape->rows);
  clr_define_number(text, "ROWS_AT_ONCE", shape->loads.rows_at_once);
  clr_define_number(text, "IN_ORDER", shape->in_order);
  clr_define_number(text, "STRIDED", shape->strided);
  clr_define_number(text, "VECTOR", shape->vector);
  clr_define_number(text, "NARROW", shape->loads.narrow && shape->vector > 1);
  clr_define_number(text, "PREFETCHES", shape->loads.prefetches);
  clr_define_number(text, "VECTORS_AT_ONCE", shape->loads.vectors_at_once);
  clr_define_number(text, "SHORT_ROWS", shape->loads.short_rows);
  clr_define_number(text, "ROWS_BESIDE", shape->loads.rows_beside);
  clr_define_number(text, "VECTORS_PER_BLOCK", shape->columns.vectors_per_block);
  clr_define_number(text, "LANE_BATCH", shape->columns.lane_batch);
  clr_define_number(text, "NODES", shape->fold.nodes);
  clr_define_number(text, "RADIX", shape->fold.radix);
  clr_define_number(text, "STACK", CLR_STACK_DEPTH);
  clr_text_append(text, "#define FINISH_HOST 0\n#define FINISH_RELAUNCH 1\n#define FINISH_LAST_GROUP 2\n"
                        "#define FINISH_ATOMIC 3\n");
  clr_define_number(text, "FINISH", shape->finish);
  clr_define_number(text, "PTX_TARGET", shape->ptx_target);
  clr_define_number(text, "KEPT_BYTES", shape->wide.kept_bytes);
  clr_define_number(text, "STAGED", shape->staged.values);
  clr_define_number(text, "EXACT", shape->fold.exact);
  clr_define_number(text, "HAS_BINS", shape->fold.bin_lanes != 0);
  clr_define_number(text, "COUNTS_PLACES", shape->wide.counts_places);
  clr_define_number(text, "USES_CELLS", shape->wide.handover_words != 0);
  clr_define_text(text, "NODE_SPACE", strategy->exec == CLR_EXEC_GROUPS ? "__local" : "__private");
  clr_define_text(text, "PLACES", strategy->tree_in_global ? "__global" : "__local");
  clr_define_text(text, "PLACES_FENCE", strategy->tree_in_global ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE");
}

// The status array in which the groups of a launch publish what they know of their tiles.
static void define_board(struct clr_text *text, const struct clr_board_shape *board) {
  clr_define_number(text, "LEVELS", board->levels);
  clr_define_number(text, "TILES", board->tiles);
  clr_define_number(text, "CELL_BITS", board->cell_bits);
  clr_define_number(text, "PREFETCH_DISTANCE", board->ahead);
  if (board->cell_bits == 64)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
}

// The numbers that the files in cl/runs use.
static void define_runs(struct clr_text *text, const struct clr_shape *shape) {
  clr_define_number(text, "MOST_TILE", shape->runs.tile);
  clr_define_number(text, "PIECE", shape->runs.piece);
  clr_define_number(text, "KEPT_RUNS", shape->runs.kept);
  if (shape->strategy->task != CLR_TASK_SCAN)
    define_board(text, &shape->board);
}

// The numbers that the files in cl/scan use.
static void define_scan(struct clr_text *text, const struct clr_strategy *strategy, const struct clr_shape *shape) {
  clr_text_append(text, "#define SCAN_INCLUSIVE 1\n#define SCAN_EXCLUSIVE 2\n#define START_NONE 0\n"
                        "#define START_VALUE 1\n#define START_PLACE 2\n");
  clr_define_number(text, "SCAN", shape->scan.kind);
  clr_define_number(text, "REVERSED", shape->scan.reversed);
  clr_define_number(text, "IN_PLACE", shape->scan.in_place);
  clr_define_number(text, "KEEPS_LANES", shape->scan.keeps_lanes);
  clr_define_number(text, "USES_COLUMNS", shape->scan.across);
  clr_define_number(text, "STRIP_LANES", shape->strip.lanes);
  clr_define_number(text, "EXCHANGE", shape->strip.exchanges);
  clr_define_number(text, "EXCHANGE_OUT", shape->strip.exchange_out);
  clr_define_number(text, "OUT_BEHIND", shape->strip.out_offset / 16);
  clr_define_number(text, "ROOM", shape->strip.exchange_bytes / 16);
  clr_define_number(text, "SWEEP", shape->strip.sweep_nodes);
  define_board(text, &shape->board);
  clr_define_text(text, "SPACE", strategy->exec == CLR_EXEC_GROUPS ? "__local" : "__private");
}

static void define_outcome(struct clr_text *text, const struct clr_shape *shape) {
  clr_define_number(text, "FAULTS", (shape->outcome & CLR_OUTCOME_FAULT) != 0);
  clr_define_number(text, "LONG_ATOMICS", shape->long_atomics);
}

// The numbers that cl/segments/segments.clh uses.
static void define_segments(struct clr_text *text, const struct clr_shape *shape) {
  clr_define_number(text, "SEGMENTS", shape->segments.offset_type != NULL);
  if (!shape->segments.offset_type)
    return;
  clr_define_text(text, "OFFSET", shape->segments.offset_type->name);
  clr_define_number(text, "SEGMENTS_COUNTED", shape->segments.counted_on_device);
  clr_define_number(text, "KEYED", shape->segments.key_type != NULL);
  if (shape->segments.key_type)
    clr_define_text(text, "SEGMENT_KEY", shape->segments.key_type->name);
  clr_define_number(text, "FINDS_RUNS", shape->strategy->finds_runs);
  if (shape->strategy->finds_runs)
    define_runs(text, shape);
  clr_define_number(text, "SHORTEST_SEGMENT", shape->segments.shortest);
  clr_define_number(text, "RUNS_FIRST_TURN", shape->lists.first_turn);
  clr_define_number(text, "CHUNK_LANES", shape->lists.lanes);
  clr_define_number(text, "STAGED_ELEMENTS", shape->segments.staged);
  clr_define_number(text, "STAGED_OVER", shape->segments.staged_over);
}

void clr_shape_defines(const struct clr_strategy *strategy, const struct clr_shape *shape, struct clr_text *text) {
  define_tiles(text, strategy, shape);
  clr_define_number(text, "SCANS", strategy->task == CLR_TASK_SCAN);
  clr_define_number(text, "INDEXED", shape->scan.indexed);
  clr_define_number(text, "OUTCOMES", shape->outcome != 0);
  if (strategy->task == CLR_TASK_SCAN)
    define_scan(text, strategy, shape);
  define_segments(text, shape);
  if (shape->outcome)
    define_outcome(text, shape);
}

// --- Histograms (cl/histogram/words.clh) ---

// Returns the macro of cl/histogram/words.clh that converts an element's bits to a number.
static const char *number_word(const struct clr_type *type) {
  if (type->class != CLR_FLOATING)
    return "NUMBER_OF_INTEGER";
  if (type->reading == CLR_READING_HALF)
    return "NUMBER_OF_HALF";
  return type->reading == CLR_READING_BFLOAT16 ? "NUMBER_OF_BFLOAT16" : "NUMBER_OF_BITS";
}

static const char *const stored[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong"};

void clr_element_defines(const struct clr_type *type, struct clr_text *text) {
  clr_define_number(text, "ELEMENT_SIZE", type->size);
  clr_define_text(text, "STORED", stored[type->size]);
  clr_define_text(text, "KEY", type->size == 8 ? "ulong" : "uint");
  clr_define_number(text, "IS_SIGNED", type->class == CLR_SIGNED);
  clr_define_number(text, "IS_FLOATING", type->class == CLR_FLOATING);
}

// The type in which bins are guessed.
static void define_real(const struct clr_type *type, struct clr_text *text) {
  bool is_double = type->class == CLR_FLOATING && type->size == 8;
  if (is_double)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n");
  clr_define_text(text, "REAL", is_double ? "double" : "float");
  clr_define_text(text, "NUMBER", number_word(type));
}

static void define_counting(const struct clr_shape *shape, struct clr_text *text) {
  const struct clr_counting *counting = &shape->counting;
  clr_define_number(text, "GROUP_SIZE", shape->group_size);
  clr_define_number(text, "BY_VALUE", counting->by_value);
  if (counting->by_value) {
    clr_define_number(text, "SLOTS", counting->slots);
    clr_define_number(text, "COPIES", counting->copies);
  }
  clr_define_number(text, "GUESSES", counting->guesses);
  clr_define_number(text, "OWN_COUNTERS", counting->own_counters);
  clr_define_number(text, "LOCAL_EDGES", counting->local_edges != 0);
  clr_define_number(text, "IN_TOTALS", counting->in_totals);
  clr_define_number(text, "HAS_ROWS", counting->has_rows);
  if (counting->in_totals)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
}

// What histogram_cells needs to know of the axes and the weights. Weights and results of floating types are read and
// written as bits.
static void define_cells(const struct clr_operation *weights, const struct clr_shape *shape, struct clr_text *text) {
  const struct clr_type *type = weights ? weights->element.row : NULL;
  const bool floating = type && type->class == CLR_FLOATING;
  clr_define_number(text, "CELLS", shape->counting.cells);
  clr_define_number(text, "AXES", shape->counting.axes);
  clr_define_number(text, "AT_ONCE", shape->counting.at_once);
  clr_define_number(text, "LONG_ATOMICS", shape->long_atomics);
  clr_define_number(text, "HAS_WEIGHTS", type != NULL);
  if (type)
    clr_define_text(text, "WEIGHT", floating ? stored[type->size] : type->name);
  if (type)
    clr_define_text(text, "WEIGHT_BITS",
                    type->reading == CLR_READING_HALF       ? "BITS_OF_HALF"
                    : type->reading == CLR_READING_BFLOAT16 ? "BITS_OF_BFLOAT16"
                                                            : "(ulong)");
  if (shape->long_atomics)
    clr_text_append(text, "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n");
}

void clr_histogram_defines(const struct clr_operation *operation, const struct clr_shape *shape,
                           struct clr_text *text) {
  // Files that all programs share, and the kernels' signature, use these macros.
  clr_text_append(text, "#define SCANS 0\n#define INDEXED 0\n#define OUTCOMES 0\n");
  clr_define_text(text, "STATE", shape->counting.cells ? "ulong" : "uint");
  clr_define_text(text, "RESULT", shape->result_size == 8 ? "ulong" : "uint");
  if (shape->counting.cells)
    define_cells(operation->weights, shape, text);
  clr_element_defines(operation->element.row, text);
  define_real(operation->element.row, text);
  define_counting(shape, text);
}
