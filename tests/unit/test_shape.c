// Tests geometry: every choice stays within the limits of the device, covers every element once, and ends. The devices
// are lists of facts (devices.h); no device is opened.
#include "support/suite.h"
#include "unit/shapes.h"

static struct clr_problem sum_of(clred_type type, cl_ulong count_max) {
  return problem_of(&(clred_problem){.op = CLRED_OP_SUM, .type = type, .count_max = count_max});
}

// A launch over elements reads all n of them. A launch over states reads no state past the end of scratch.
static void assert_passes(const struct device *device, const struct clr_strategy *strategy,
                          const struct clr_shape *shape, cl_ulong n) {
  struct clr_pass pass;
  unsigned passes = 0;
  bool read_elements = n == 0;
  for (; clr_strategy_pass(shape, LINE(n), passes, &pass); passes++) {
    ck_assert_msg(passes < 100, "%s, %s, n = %llu: does not end", device->name, strategy->name, (unsigned long long)n);
    if (pass.kind == CLR_PASS_LAUNCH)
      ck_assert_msg(pass.groups >= 1 && pass.group_size >= 1, "%s, %s: empty launch", device->name, strategy->name);
    bool reads = pass.kind == CLR_PASS_WALK_ON_HOST || pass.kernel == CLR_KERNEL_ELEMENTS;
    if (reads && pass.kind != CLR_PASS_FOLD_ON_HOST) {
      ck_assert_uint_eq(pass.count, n);
      read_elements = true;
    } else if (pass.count) {
      ck_assert_msg(pass.first + pass.count <= shape->scratch, "%s, %s, n = %llu: reads past scratch", device->name,
                    strategy->name, (unsigned long long)n);
    }
  }
  ck_assert_msg(passes > 0 && read_elements, "%s, %s, n = %llu", device->name, strategy->name, (unsigned long long)n);
  ck_assert(!clr_strategy_pass(shape, LINE(n), passes + 1, &pass));
}

TEST_EACH(every_choice_stays_within_the_device, 0, (int)DEVICES) {
  static const cl_ulong counts[] = {0, 1, 2, 3, 31, 32, 33, 1000, 65535, 65536, 65537, 1000003};
  const struct device *device = &devices[_i];
  struct clr_facts facts = facts_of((size_t)_i, 0);
  const struct clr_strategy *strategy;
  unsigned served = 0;
  for (size_t s = 0; (strategy = clr_strategy_at(s)) != NULL; s++) {
    for (int finish = 0; finish < CLR_FINISHES; finish++) {
      struct clr_problem problem = sum_of(CLRED_TYPE_FLOAT, 1000003);
      struct clr_shape shape;
      struct clr_status status = {0};
      if (strategy->reduce.finishes)
        strcpy(problem.finish, clr_finish_name((enum clr_finish)finish));
      if (clr_strategy_fit(strategy, &facts, &problem, &shape, &status)) {
        ck_assert_msg(strlen(status.message) > 10, "%s, %s: refused without a reason", device->name, strategy->name);
        continue;
      }
      served++;
      assert_within(device, &facts, strategy, &shape);
      for (size_t i = 0; i < COUNT_OF(counts); i++)
        assert_passes(device, strategy, &shape, counts[i]);
    }
  }
  ck_assert_msg(served >= 2, "%s: %u strategies serve", device->name, served);
}

// Scratch has room for the table of segments and for the states of all pieces, for any number of elements and segments.
static void assert_room_for_pieces(const struct device *device, const struct clr_strategy *strategy,
                                   const struct clr_shape *shape) {
  static const cl_ulong counts[] = {1, 1000, 65537, 1000003, 1ull << 32, (1ull << 40) + 1};
  const size_t n = COUNT_OF(counts);
  for (size_t i = 0; i < n * n; i++) {
    struct clr_pass pass;
    ck_assert(clr_strategy_pass(shape, EXTENT(counts[i % n], counts[i / n], 1), 0, &pass));
    cl_ulong used = pass.target + shape->chunks.states * pass.work;
    ck_assert_msg(used <= shape->scratch && (2 * pass.work + 1) * sizeof(cl_ulong) <= pass.target * shape->state_size,
                  "%s, %s: %llu chunks of %llu use %llu states of %llu", device->name, strategy->name,
                  (unsigned long long)pass.work, (unsigned long long)pass.span, (unsigned long long)used,
                  (unsigned long long)shape->scratch);
    ck_assert(pass.work * pass.span >= counts[i / n] + counts[i % n]);
  }
}

TEST_EACH(segments_stay_within_the_device, 0, (int)DEVICES) {
  static const clred_type types[] = {CLRED_TYPE_UCHAR, CLRED_TYPE_FLOAT, CLRED_TYPE_DOUBLE,
                                     CLRED_VECTOR(CLRED_TYPE_DOUBLE, 16)};
  const struct device *device = &devices[_i];
  struct clr_facts facts = facts_of((size_t)_i, 0);
  const struct clr_strategy *strategy;
  unsigned served = 0;
  facts.fp64 = 1;
  for (size_t i = 0; (strategy = clr_strategy_at(i / 4)) != NULL; i++) {
    struct clr_problem problem = sum_of(types[i % 4], 0);
    struct clr_shape shape;
    struct clr_status status = {0};
    problem.layout = CLRED_LAYOUT_SEGMENTS;
    problem.scan = strategy->task == CLR_TASK_SCAN ? CLRED_SCAN_INCLUSIVE : CLRED_SCAN_NONE;
    if (clr_strategy_fit(strategy, &facts, &problem, &shape, &status))
      continue;
    served++;
    assert_within(device, &facts, strategy, &shape);
    assert_room_for_pieces(device, strategy, &shape);
  }
  // Strategies for CPUs need no local memory.
  ck_assert_msg(served >= 8, "%s: %u serve", device->name, served);
}

TEST_EACH(group_sizes_are_the_expected_ones, 0, (int)DEVICES) {
  const struct device *device = &devices[_i];
  struct clr_facts facts = facts_of((size_t)_i, 0);
  struct clr_problem problem = sum_of(CLRED_TYPE_FLOAT, 1000);
  struct clr_shape shape;
  struct clr_status status;
  cl_int err = clr_strategy_fit(clr_strategy_named("local_sequential"), &facts, &problem, &shape, &status);
  if (device->group_size)
    ck_assert_msg(!err, "%s: %s", device->name, status.message);
  else
    ck_assert_int_eq(err, CLRED_STRATEGY_REFUSED);
  if (!err)
    ck_assert_uint_eq(shape.group_size, device->group_size);
  problem.count_max = 0;
  ck_assert_uint_eq(fitted(clr_strategy_auto(&facts, &problem)->name, &facts, &problem).group_size,
                    device->fixed_group);
}

TEST(the_tile_is_fixed_by_sizes_alone) {
  static const struct {
    clred_type type;
    cl_ulong lanes;
  } expected[] = {{CLRED_TYPE_FLOAT, 64}, {CLRED_TYPE_DOUBLE, 32}, {CLRED_TYPE_CHAR, 256}, {CLRED_TYPE_LONG, 32}};
  for (size_t d = 0; d < DEVICES; d++) {
    struct clr_facts facts = facts_of(d, 0);
    facts.fp64 = 1;
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
      struct clr_problem problem = sum_of(expected[i].type, 0);
      struct clr_shape shape = fitted(clr_strategy_auto(&facts, &problem)->name, &facts, &problem);
      ck_assert_uint_eq(shape.lanes, expected[i].lanes);
      ck_assert_uint_eq(shape.rows, 16);
    }
  }
}

TEST(huge_counts_do_not_overflow) {
  static const char *const names[] = {"wide", "chunked", "persistent", "persistent_interleaved"};
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    const struct clr_strategy *strategy = clr_strategy_named(names[i]);
    struct clr_shape shape = shape_of(names[i], ON(GPU, 0), &(clred_problem){OF(SUM, UCHAR)});
    struct clr_pass pass;
    for (cl_ulong n = ((cl_ulong)1 << 32) - 1; n <= ((cl_ulong)1 << 62); n *= 3) {
      ck_assert(clr_strategy_pass(&shape, LINE(n), 0, &pass));
      ck_assert_uint_ge(pass.groups, 1);
      ck_assert_uint_le(pass.groups, shape.groups_max);
      if (strategy->fixed_order)
        ck_assert_uint_ge(pass.groups * pass.span, n / (shape.rows * shape.lanes));
    }
  }
}

// Local memory has room for the elements of a tile and for the kept elements, with one unused slot behind each strip. A
// selection of indices exchanges positions within the tile, which must fit a ushort.
static void assert_room(const struct device *device, const struct clr_shape *shape, bool indices) {
  cl_ulong strip = shape->rows * shape->strip.lanes, size = indices ? 2 : shape->element_size;
  cl_ulong apart = size * shape->strip.lanes % 2 ? 0 : size < 4 ? 4 / size : 1;
  if (!shape->strip.exchanges)
    return;
  ck_assert_msg(shape->strip.exchange_bytes >= shape->group_size * (strip + apart) * size,
                "%s: %llu bytes for %llu elements of %llu", device->name,
                (unsigned long long)shape->strip.exchange_bytes, (unsigned long long)(shape->group_size * strip),
                (unsigned long long)size);
  ck_assert_uint_ge(shape->strip.exchange_bytes, shape->group_size * strip * shape->element_size);
  ck_assert(indices || strip * shape->element_size <= 256);
  ck_assert(!indices || shape->group_size * strip <= 65536);
}

TEST_EACH(selections_fit, 0, (int)DEVICES) {
  static const clred_type types[] = {CLRED_TYPE_CHAR,
                                     CLRED_TYPE_HALF,
                                     CLRED_TYPE_FLOAT,
                                     CLRED_TYPE_DOUBLE,
                                     CLRED_VECTOR(CLRED_TYPE_FLOAT, 4),
                                     CLRED_VECTOR(CLRED_TYPE_INT, 8)};
  static const char *const names[] = {"scan_wide", "scan_reduce_then_scan"};
  const clred_selection all = {.name = "all", .keep = "1"};
  const struct device *device = &devices[_i];
  struct clr_facts facts = facts_of((size_t)_i, 0);
  unsigned exchanged = 0;
  for (size_t i = 0; i < 2 * 2 * 6; i++) {
    const clred_problem given = {
      .type = types[i / 4], .selection = &all, .indices = i / 2 % 2, .count_max = i % 3 ? 1000 : 0};
    struct clr_problem problem = problem_of(&given);
    struct clr_shape shape;
    struct clr_status status;
    ck_assert_uint_eq(problem.operation.state_size, given.count_max ? 4 : 8);
    if (!clr_strategy_fit(clr_strategy_named(names[i % 2]), &facts, &problem, &shape, &status)) {
      assert_within(device, &facts, clr_strategy_named(names[i % 2]), &shape);
      assert_room(device, &shape, given.indices);
      exchanged += shape.strip.exchanges;
    }
    clr_problem_release(&problem);
  }
  ck_assert_msg(_i != 0 || exchanged == 20, "%s: %u of 24 go through local memory", device->name, exchanged);
}

// Few elements are spread over all compute units, many elements are taken in long strips. Groups have at least 64
// work-items.
TEST(tiles_follow_the_promised_count) {
  static const char *const names[] = {"scan_wide", "scan_reduce_then_scan"};
  struct clr_facts facts = facts_of(GPU, 0);
  for (size_t i = 0; i < COUNT_OF(names); i++) {
    cl_ulong tiles[2], counts[] = {1 << 20, 1 << 28};
    for (size_t k = 0; k < 2; k++) {
      const clred_problem given = {OF(SUM, FLOAT), .scan = CLRED_SCAN_INCLUSIVE, .count_max = counts[k]};
      struct clr_shape shape = shape_of(names[i], &facts, &given);
      assert_within(&devices[0], &facts, clr_strategy_named(names[i]), &shape);
      ck_assert_uint_ge(shape.group_size, 64);
      tiles[k] = counts[k] / (shape.group_size * shape.strip.lanes * shape.rows);
    }
    ck_assert_uint_ge(tiles[0], 3 * facts.compute_units);
    ck_assert_uint_lt(tiles[1], 256 * tiles[0]);
  }
}

// ---------------------------------------------------------------- Histograms

// Whether counters of 32 bits cannot overflow in a launch: those of a group or work-item, and those in scratch.
static bool counters_hold(const struct clr_shape *shape, const struct clr_pass *pass) {
  const struct clr_counting *counting = &shape->counting;
  bool shared = !counting->in_totals && !counting->has_rows, alone = counting->local_slots || counting->has_rows;
  return (!shared || pass->count < CL_UINT_MAX) && (!alone || pass->count / pass->groups + 65536 < CL_UINT_MAX);
}

// Each iteration counts each slice of the elements once, and the slices cover all elements.
static void assert_counted(const struct device *device, const struct clr_strategy *strategy,
                           const struct clr_shape *shape, cl_ulong n) {
  struct clr_pass pass;
  cl_ulong taken = 0, turns = 0;
  bool delivers = shape->counting.in_totals;
  for (unsigned i = 0; clr_strategy_pass(shape, LINE(n), i, &pass); i++) {
    delivers |= pass.kernel == CLR_KERNEL_DELIVER;
    if (pass.kernel != CLR_KERNEL_ELEMENTS)
      continue;
    ck_assert_msg(counters_hold(shape, &pass), "%s, %s: %llu elements in %llu groups", device->name, strategy->name,
                  (unsigned long long)pass.count, (unsigned long long)pass.groups);
    ck_assert_uint_eq(pass.work, taken);
    ck_assert_uint_eq(pass.span, turns * shape->counting.local_slots);
    turns = (turns + 1) % shape->counting.turns;
    taken += turns == 0 ? pass.count : 0;
  }
  ck_assert_msg(delivers && taken == n, "%s, %s: %llu of %llu", device->name, strategy->name, (unsigned long long)taken,
                (unsigned long long)n);
}

TEST_EACH(histograms_of_any_length, 0, (int)DEVICES) {
  static const char *const names[] = {"histogram_atomic", "histogram_local", "histogram_chunked", "histogram_cells"};
  static const cl_ulong bins[] = {1, 256, 30000, 1000000},
                        lengths[] = {0, 1, 12345, 3000000000u, ((cl_ulong)1 << 40) + 1};
  struct clr_facts facts = facts_of((size_t)_i, 0);
  for (size_t i = 0; i < 16; i++) {
    const clred_histogram histogram = {
      .bins = bins[i / 4], .high = 65536, .weight_type = i % 4 == 3 ? CLRED_TYPE_FLOAT : CLRED_TYPE_NONE};
    const clred_problem given = {.type = CLRED_TYPE_USHORT, .histogram = &histogram};
    const struct clr_strategy *strategy = clr_strategy_named(names[i % 4]);
    struct clr_problem problem = problem_of(&given);
    struct clr_shape shape;
    struct clr_status status;
    cl_int err = clr_strategy_fit(strategy, &facts, &problem, &shape, &status);
    if (!err)
      assert_within(&devices[_i], &facts, strategy, &shape);
    for (size_t j = 0; j < COUNT_OF(lengths) && !err; j++)
      assert_counted(&devices[_i], strategy, &shape, lengths[j]);
    clr_problem_release(&problem);
  }
}
