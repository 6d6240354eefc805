// Tests what groups of scans keep in local memory, and what groups of reductions hand over. The devices are lists of
// facts (devices.h); no device is opened. Elements of scans go through local memory if they are whole words and fit.
// Results go through it in the smallest number of pieces for which a piece fits beside the elements.

#include "support/suite.h"
#include "unit/shapes.h"

// A tile has the strips of 128 work-items, or of 64 if results are larger than elements. It has up to 36 KiB, with one
// empty word between strips.
static const struct tile {
  size_t element, state, result;
  clred_layout layout;
  cl_ulong group_size, local_mem_size;
  bool exchanges;
  cl_ulong exchange_out, strip_lanes;
} tiles[] = {
  {4, 4, 4, CLRED_LAYOUT_LINE, 0, 0, true, 1, 4},
  {4, 4, 4, CLRED_LAYOUT_STRIDED, 0, 0, false, 0, 1},
  {4, 4, 4, CLRED_LAYOUT_LINE, 8, 0, false, 0, 8},
  {4, 4, 4, CLRED_LAYOUT_LINE, 0, KIB, false, 0, 8},
  // These sizes are no whole words of 16 bytes.
  {12, 4, 4, CLRED_LAYOUT_LINE, 0, 0, false, 0, 1},
  {32, 4, 4, CLRED_LAYOUT_LINE, 0, 0, false, 0, 1},
  {4, 4, 12, CLRED_LAYOUT_LINE, 0, 0, true, 0, 1},
  // Large states leave registers for one lane.
  {4, 24, 4, CLRED_LAYOUT_LINE, 0, 0, true, 1, 1},
  // 4096 results of 8 bytes, next to 4096 elements of 1 byte. The results go through local memory in two chunks; with
  // 16 KiB of local memory in four; with 8 KiB not at all.
  {1, 8, 8, CLRED_LAYOUT_LINE, 0, 0, true, 2, 4},
  {1, 8, 8, CLRED_LAYOUT_LINE, 0, 16 * KIB, true, 4, 4},
  {1, 8, 8, CLRED_LAYOUT_LINE, 0, 8 * KIB, true, 0, 4},
};

TEST_ROWS(scans_exchange_what_fits, tiles) {
  const struct tile *tile = &tiles[_i];
  const clred_operator own = sized(tile->element, tile->state, tile->result);
  const clred_problem given = {
    .custom = &own, .scan = CLRED_SCAN_INCLUSIVE, .layout = tile->layout, .group_size = tile->group_size};
  struct clr_shape shape = shape_of("scan_wide", ON(GPU, tile->local_mem_size), &given);
  cl_ulong elements = shape.group_size * shape.rows * shape.strip.lanes;
  ck_assert_int_eq(shape.strip.exchanges, tile->exchanges);
  ck_assert_uint_eq(shape.strip.exchange_out, tile->exchange_out);
  ck_assert_uint_eq(shape.strip.lanes, tile->strip_lanes);
  if (!tile->exchanges)
    ck_assert_uint_eq(shape.strip.exchange_bytes, 0);
  else
    ck_assert_uint_ge(shape.strip.exchange_bytes -
                        (shape.strip.out_offset ? elements * tile->result / tile->exchange_out : 0),
                      elements * tile->element);
  // Results as large as elements overwrite them. Other results are placed after them.
  ck_assert_int_eq(shape.strip.out_offset > 0, tile->exchange_out > 0 && tile->result != tile->element);
}

// Each level of look-back's tree has 32 times the tiles of the level above. With large states fewer levels fit.
TEST(large_states_look_back_by_fewer_levels) {
  static const struct {
    size_t state;
    cl_ulong levels, tiles;
  } cases[] = {{4, 3, 32768}, {32, 3, 32768}, {64, 2, 1024}, {128, 2, 1024}, {256, 1, 32}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    const clred_operator own = sized(4, cases[i].state, 4);
    struct clr_shape shape =
      shape_of("scan_wide", ON(GPU, 0), &(clred_problem){.custom = &own, .scan = CLRED_SCAN_INCLUSIVE});
    ck_assert_uint_eq(shape.board.levels, cases[i].levels);
    ck_assert_uint_eq(shape.board.tiles, cases[i].tiles);
  }
}

static cl_ulong words_handed_over(const struct clr_facts *facts, size_t state, const char *finish, cl_ulong groups) {
  const clred_operator own = sized(4, state, 4);
  struct clr_shape shape =
    shape_of("wide", facts, &(clred_problem){.custom = &own, .finish = finish, .groups = groups});
  return shape.wide.handover_words / (shape.groups_max ? shape.groups_max : 1);
}

// Partials of one to eight whole words are handed over in cells, one cell for each word, if the device lets groups wait
// for each other.
TEST(partials_are_handed_over_in_cells) {
  const struct clr_facts gpu = facts_of(GPU, 0);
  struct clr_facts facts = gpu;
  ck_assert_uint_eq(words_handed_over(&gpu, 4, NULL, 0), 1);
  ck_assert_uint_eq(words_handed_over(&gpu, 32, NULL, 0), 8);
  ck_assert_uint_eq(words_handed_over(&gpu, 36, NULL, 0), 0);
  ck_assert_uint_eq(words_handed_over(&gpu, 6, NULL, 0), 0);
  ck_assert_uint_eq(words_handed_over(&gpu, 4, "relaunch", 0), 0);
  struct clr_shape places = shape_of("wide", &gpu, &(clred_problem){OF(ARGMINMAX, FLOAT)});
  ck_assert_uint_eq(places.wide.handover_words, 8 * places.groups_max);
  ck_assert_uint_eq(words_handed_over(&gpu, 4, NULL, 65536), 1);
  ck_assert_uint_eq(words_handed_over(&gpu, 4, NULL, 65537), 0);
  facts.forward_progress = 0;
  ck_assert_uint_eq(words_handed_over(&facts, 4, NULL, 0), 0);
  facts = gpu, facts.int64_atomics = 0;
  ck_assert_uint_eq(words_handed_over(&facts, 4, NULL, 0), 0);
  facts = gpu, facts.loop_trips = 1000000;
  ck_assert_uint_eq(words_handed_over(&facts, 4, NULL, 0), 0);
  // 2112 groups need 2112 cells of 8 bytes. A buffer of this device cannot have so many bytes.
  facts = gpu, facts.max_alloc = 16 * KIB;
  ck_assert_uint_eq(words_handed_over(&facts, 4, NULL, 0), 0);
  // Cells need no fence, so finish last_group is possible without one.
  facts = gpu, facts.device_fence = 0;
  ck_assert_uint_eq(words_handed_over(&facts, 4, NULL, 0), 0);
  ck_assert_uint_eq(words_handed_over(&facts, 4, "last_group", 0), 1);
}

// If the bits are the same in any order, each work-item folds its elements before the group combines them. Places are
// counted within the group if 31 bits are enough in any call.
TEST(groups_fold_what_is_exact_by_places) {
  struct clr_facts facts = facts_of(GPU, 0);
  const clred_operator own = sized(4, 4, 4);
#define PLACES(...) SHAPE("wide", &facts, OF(ARGMIN, UCHAR), __VA_ARGS__).wide.counts_places
  ck_assert(SHAPE("wide", &facts, OF(SUM, INT)).fold.exact);
  ck_assert(SHAPE("wide", &facts, OF(ARGMIN, FLOAT)).fold.exact);
  ck_assert(!SHAPE("wide", &facts, OF(SUM, FLOAT)).fold.exact);
  ck_assert(!SHAPE("wide", &facts, .custom = &own).fold.exact);
  facts.global_mem_size = (cl_ulong)1 << 37;
  ck_assert(PLACES(.groups = 0));
  // With 128 groups, the share of one group is 2^30 elements of the device's memory. A group may get up to twice
  // its share.
  ck_assert(!PLACES(.groups = 128));
  ck_assert(PLACES(.groups = 129));
  ck_assert(!PLACES(.layout = CLRED_LAYOUT_STRIDED));
  // A buffer may be larger than the reported memory. Then max_alloc is the bound.
  facts.max_alloc = (cl_ulong)1 << 38;
  ck_assert(!PLACES(.groups = 129));
}

// Exact operators need local memory for one node of each work-item, and one slot in nine stays unused. If that does not
// fit, nodes are folded in order.
TEST(groups_fold_in_order_if_nodes_do_not_fit) {
  static const struct {
    cl_ulong group_size, local_mem_size;
    bool exact;
  } cases[] = {{1024, 36864, false}, {1024, 36864 + 64, true}, {512, 18432 + 63, false}, {512, 18432 + 64, true}};
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    const clred_problem given = {
      .op = CLRED_OP_MIN, .type = CLRED_VECTOR(CLRED_TYPE_DOUBLE, 4), .group_size = cases[i].group_size};
    struct clr_shape shape = shape_of("wide", ON(GPU, cases[i].local_mem_size), &given);
    ck_assert_int_eq(shape.fold.exact, cases[i].exact);
    ck_assert_uint_ge(shape.local_bytes, cases[i].exact ? cases[i].group_size * 9 / 8 * 32 : 0);
  }
}

static bool exchanges(const clred_problem *given, cl_ulong local_mem_size) {
  struct clr_facts facts = facts_of(GPU, local_mem_size);
  facts.max_work_group_size = facts.max_work_item_size = 8192;
  struct clr_shape shape = shape_of("scan_wide", &facts, given);
  ck_assert_int_eq(shape.strip.exchanges, shape.strip.exchange_bytes > 0);
  return shape.strip.exchanges;
}
#define EXCHANGES(local_mem_size, ...) exchanges(&(clred_problem){__VA_ARGS__}, local_mem_size)

TEST(selections_exchange_what_fits) {
  const clred_selection all = {.name = "all", .keep = "1"},
                        of_threes = {.name = "all", .keep = "1", .element = "three", .element_size = 12};
#define FLOATS .type = CLRED_TYPE_FLOAT, .selection = &all
#define BYTES .type = CLRED_TYPE_UCHAR, .selection = &all, .indices = (cl_bool)indices
  ck_assert(EXCHANGES(0, FLOATS));
  ck_assert(!EXCHANGES(2 * KIB, FLOATS));
  ck_assert(!EXCHANGES(0, FLOATS, .group_size = 8));
  ck_assert(!EXCHANGES(0, FLOATS, .layout = CLRED_LAYOUT_STRIDED));
  ck_assert(!EXCHANGES(0, .selection = &of_threes));
  // Places in a tile are ushorts: 4096 work-items have 65536 places, 8192 have more.
  for (int indices = 0; indices < 2; indices++) {
    ck_assert(EXCHANGES(1024 * KIB, BYTES, .group_size = 4096));
    ck_assert(!EXCHANGES(1024 * KIB, BYTES, .group_size = 8192));
  }
}

// Vectors have 64 bytes of states and at most 16 elements. There are none for other layouts than lines, and none for
// large states.
TEST(blocks_of_cpus_are_vectors) {
  const clred_operator large =
    OPERATOR(.name = "own", .element = "float", .state = "{ ulong a; ulong b; ulong c; }", .result = "float",
             .identity = "{0, 0, 0}", .combine = "a", .lower = "0", .elementwise = CL_TRUE);
  const clred_operator bytes = {
    .name = "own", .element = "uchar", .state = "uchar", .identity = "0", .combine = "a + b", .elementwise = CL_TRUE};
  clred_operator singly = bytes;
  singly.elementwise = CL_FALSE;
  const struct {
    clred_problem given;
    cl_ulong vector;
    bool holds;
  } cases[] = {
    {{OF(SUM, FLOAT)}, 16, false},   {{OF(SUM, DOUBLE)}, 8, false},
    {{OF(SUM, CFLOAT)}, 8, false},   {{OF(SUM, FLOAT), .layout = CLRED_LAYOUT_STRIDED}, 1, true},
    {{.custom = &bytes}, 16, false}, {{.custom = &singly}, 1, true},
    {{.custom = &large}, 1, true},
  };
  struct clr_facts cpu = facts_of(CPU, 0), gpu = facts_of(GPU, 0);
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    clred_problem given = cases[i].given;
    given.scan = CLRED_SCAN_INCLUSIVE;
    struct clr_shape shape = shape_of("scan_chunked", &cpu, &given);
    ck_assert_msg(shape.vector == cases[i].vector && shape.scan.keeps_lanes == cases[i].holds, "case %zu: %llu, %d", i,
                  (unsigned long long)shape.vector, shape.scan.keeps_lanes);
    ck_assert_uint_eq(shape_of("scan_chunked", &gpu, &given).vector, 1);
  }
}

TEST(lines_are_held_or_taken_side_by_side) {
  const clred_operator large = sized(4, 64, 4);
  const struct {
    clred_problem given;
    size_t device;
    bool across, holds;
  } cases[] = {
    {{OF(SUM, FLOAT), .layout = CLRED_LAYOUT_COLUMNS}, CPU, true, false},
    {{OF(SUM, FLOAT), .layout = CLRED_LAYOUT_COLUMNS}, GPU, false, false},
    {{OF(SUM, FLOAT), .layout = CLRED_LAYOUT_ROWS}, CPU, false, true},
    // 16 states of 64 bytes do not fit registers.
    {{.custom = &large, .layout = CLRED_LAYOUT_ROWS}, CPU, false, false},
  };
  for (size_t i = 0; i < COUNT_OF(cases); i++) {
    clred_problem given = cases[i].given;
    given.scan = CLRED_SCAN_INCLUSIVE;
    struct clr_shape shape = shape_of("scan_items", ON(cases[i].device, 0), &given);
    ck_assert_msg(shape.scan.across == cases[i].across && shape.scan.keeps_lanes == cases[i].holds, "case %zu", i);
  }
}

// A work-item needs 140 bytes: 17 elements, 17 results and a state. The runs of a group need 320 bytes: 80 states.
TEST(rows_are_scanned_by_groups_that_fit) {
  const clred_problem given = {OF(SUM, FLOAT), .layout = CLRED_LAYOUT_ROWS, .scan = CLRED_SCAN_INCLUSIVE};
  const struct clr_strategy *strategy = clr_strategy_named("scan_rows");
  struct clr_facts facts = facts_of(GPU, 4096);
  ck_assert_uint_eq(shape_of("scan_rows", &facts, &given).group_size, 16);
  facts = facts_of(GPU, 0);
  struct clr_shape shape = shape_of("scan_rows", &facts, &given);
  ck_assert_uint_eq(shape.group_size, 128);
  // 1056 groups are more than the 49 tiles of one row. With enough rows a group takes a whole row, rounded up.
  ck_assert_uint_eq(strategy->elements(&shape, LINE(100000)), 16);
  ck_assert_uint_eq(strategy->elements(&shape, EXTENT(100000, 2000, 1)), 64 * 16);
  ck_assert_uint_eq(strategy->elements(&shape, EXTENT(100000, 0, 1)), 16);
}
