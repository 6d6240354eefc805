// layouts: reductions and scans of lines, rows, columns, segments and runs, by every strategy that reads them, for
// operators of the library and of callers and for lists of operators; sums in the order exact; selections and
// histograms; against the oracle or a loop, byte by byte. It
// runs on any OpenCL device (CLREDUCE_TEST_DEVICE), and with the facts of CLREDUCE_TEST_ASSUME. `auto` in a name: the
// strategy that the device takes.

#include <string.h>

#include "program.h"

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

// The lengths of lines; segments and runs have up to the largest number of elements.
static const uint64_t sizes[] = {0,   1,   2,    3,    15,   16,   17,    63,    64,    65,
                                 256, 511, 1025, 2049, 3001, 5003, 40009, 65537, 140000};

static const char pairwise[] = "a part in which every strategy occurs with many kinds of operators (default)";

// ---------------------------------------------------------------- What is computed

#define LIST(...) \
  .list = (const clred_op[]){__VA_ARGS__}, .list_count = sizeof((clred_op[]){__VA_ARGS__}) / sizeof(clred_op)
#define ONE(of) CLRED_OP_##of

// `sample`: an operator of a caller. `scans`: 0, if there is no scan of it, or no result of the size of an element.
static const struct kind {
  clred_problem problem;
  const char *sample;
} kinds[] = {
  {{OP(SUM, FLOAT)}, NULL},
  {{OP(SUM, LONG)}, NULL},
  {{OP(NONE, NONE)}, "affine"},
  {{OP(ARGMIN, FLOAT)}, NULL},
  {{OP(NONE, NONE)}, "matrix"},
  {{OP(MEAN, DOUBLE)}, NULL},
  {{OP(SUM, SHORT), .result_bits = CLRED_RESULT_OWN}, NULL},
  {{OP(NONE, NONE)}, "hash"},
  {{OP(VAR, FLOAT)}, NULL},
  {{.type = CLRED_TYPE_FLOAT, LIST(ONE(SUM), ONE(ARGMIN), ONE(MIN), ONE(STD), ONE(MEAN))}, NULL},
  {{OP(ARGMIN, INT)}, NULL},
  {{OP(NONE, NONE)}, "moments"},
  {{OP(SUM, UCHAR), .result_bits = CLRED_RESULT_32}, NULL},
  {{OP(ARGMINMAX, FLOAT), .nan = CLRED_NAN_IGNORE}, NULL},
  {{OP(DOT, FLOAT)}, NULL},
  {{OP(MAX, UCHAR)}, NULL},
  {{OP(PROD, UINT), .overflow = CLRED_OVERFLOW_DETECT}, NULL},
  {{OP(NONE, NONE)}, "padded"},
  {{OP(SUM, CFLOAT)}, NULL},
  {{OP(NONE, NONE)}, "nested"},
  {{OP(NONE, NONE)}, "blob12"},
  {{OP(SUM, FLOAT), .order = CLRED_ORDER_EXACT}, NULL},
  {{OP(NONE, NONE)}, "exact_double"},
  {{OP(SUM, DOUBLE), .order = CLRED_ORDER_EXACT}, NULL},
  {{OP(NONE, NONE)}, "exact_float"},
  {{OP(NONE, NONE)}, "gcd"},
  {{OP(STATS, INT)}, NULL},
  {{OP(STD, BFLOAT16)}, NULL},
};

// Lists of many operators and of few, over lines.
static const clred_problem lists[] = {
  {.type = CLRED_TYPE_FLOAT,
   LIST(ONE(STATS), ONE(ARGMINMAX), ONE(MINMAX), ONE(ARGMIN), ONE(ARGMAX), ONE(MIN), ONE(MAX), ONE(VAR),
        ONE(VAR_SAMPLE), ONE(STD), ONE(STD_SAMPLE), ONE(MEAN), ONE(COUNT), ONE(SUM), ONE(NORM2), ONE(PROD))},
  {.type = CLRED_TYPE_DOUBLE,
   .nan = CLRED_NAN_IGNORE,
   LIST(ONE(ARGMINMAX), ONE(MINMAX), ONE(ARGMIN), ONE(ARGMAX), ONE(MIN), ONE(MAX), ONE(VAR), ONE(VAR_SAMPLE), ONE(STD),
        ONE(STD_SAMPLE), ONE(MEAN), ONE(COUNT), ONE(ALL))},
  {.type = CLRED_TYPE_HALF, LIST(ONE(MIN), ONE(MAX), ONE(MINMAX), ONE(MEAN), ONE(COUNT), ONE(SUMSQ))},
  {.type = CLRED_TYPE_BFLOAT16, .nan = CLRED_NAN_IGNORE, LIST(ONE(ARGMAX), ONE(MAX), ONE(COUNT), ONE(NORM1))},
  {.type = CLRED_TYPE_INT,
   LIST(ONE(SUM), ONE(MEAN), ONE(COUNT), ONE(AND), ONE(OR), ONE(XOR), ONE(ANY), ONE(COUNT_NONZERO))},
  {.type = CLRED_TYPE_UCHAR, LIST(ONE(SUM), ONE(MIN), ONE(ARGMAX), ONE(MAX), ONE(XOR))},
  {.type = CLRED_TYPE_ULONG,
   LIST(ONE(STATS), ONE(ARGMINMAX), ONE(MINMAX), ONE(ARGMIN), ONE(ARGMAX), ONE(MIN), ONE(MAX), ONE(STD), ONE(MEAN),
        ONE(SUM), ONE(COUNT))},
  {.type = CLRED_TYPE_SHORT, .state = CLRED_TYPE_DOUBLE, LIST(ONE(SUM), ONE(VAR), ONE(MEAN))},
  {.type = CLRED_TYPE_CFLOAT, LIST(ONE(SUM), ONE(PROD), ONE(NORM1), ONE(NORM2), ONE(SUMSQ))},
  {.type = CLRED_TYPE_USHORT, LIST(ONE(MAX))},
  {.type = CLRED_TYPE_FLOAT, .strategy = "chunked", .finish = "host", LIST(ONE(SUM), ONE(ARGMIN), ONE(MEAN))},
  {.type = CLRED_TYPE_FLOAT, .strategy = "host_serial", LIST(ONE(SUM), ONE(ARGMIN), ONE(MEAN))},
  {.type = CLRED_TYPE_FLOAT, .strategy = "top_down", LIST(ONE(SUM), ONE(ARGMIN), ONE(MEAN))},
  {.type = CLRED_TYPE_INT, .strategy = "chunked", .finish = "relaunch", LIST(ONE(SUM), ONE(MIN))},
  {.type = CLRED_TYPE_FLOAT, .strategy = "wide", LIST(ONE(SUM), ONE(MIN), ONE(MAX), ONE(ARGMIN))},
  {.type = CLRED_TYPE_FLOAT, .strategy = "wide", .nan = CLRED_NAN_IGNORE, LIST(ONE(SUM), ONE(ARGMAX), ONE(VAR))},
  {.type = CLRED_TYPE_CHAR, .strategy = "wide", LIST(ONE(SUM), ONE(MIN), ONE(ARGMAX))},
};

// ---------------------------------------------------------------- How

// `each`: of how many kinds one is taken for the part; 0: none. Numbers that are 0 are chosen by the strategy.
static const struct way {
  clred_layout layout;
  bool scans;
  const char *strategy;
  unsigned each;
  uint64_t most;
  unsigned group_size, groups;
} ways[] = {
#define LAYOUTS_OF(of, scans) CLRED_LAYOUT_##of, scans
#define CHUNKS 140000  // more than two chunks
#define LONGEST_LINE 65537
  {LAYOUTS_OF(STRIDED, false), "auto", 3, 0, 0, 0},
  {LAYOUTS_OF(ROWS, false), "rows_chunked", 3, 0, 0, 0},
  {LAYOUTS_OF(ROWS, false), "rows_wide", 4, 0, 0, 0},
  {LAYOUTS_OF(ROWS, false), "auto", 3, 0, 0, 0},
  {LAYOUTS_OF(COLUMNS, false), "columns_chunked", 3, 0, 0, 0},
  {LAYOUTS_OF(COLUMNS, false), "columns_wide", 4, 0, 16, 0},
  {LAYOUTS_OF(COLUMNS, false), "columns_wide", 5, 0, 16, 1},
  {LAYOUTS_OF(COLUMNS, false), "auto", 5, 0, 0, 0},
  {LAYOUTS_OF(SEGMENTS, false), "segments_chunked", 4, CHUNKS, 0, 0},
  {LAYOUTS_OF(SEGMENTS, false), "segments_wide", 6, 40009, 64, 0},
  {LAYOUTS_OF(SEGMENTS, false), "segments_wide", 7, 20011, 8, 0},
  {LAYOUTS_OF(SEGMENTS, false), "auto", 5, 40009, 0, 0},
  {LAYOUTS_OF(HEADS, false), "runs_chunked", 5, CHUNKS, 0, 0},
  {LAYOUTS_OF(HEADS, false), "auto", 7, 40009, 0, 0},
  {LAYOUTS_OF(HEADS, false), "segments_chunked", 9, CHUNKS, 0, 0},
  {LAYOUTS_OF(KEYS, false), "runs_chunked", 5, CHUNKS, 0, 0},
  {LAYOUTS_OF(KEYS, false), "runs_wide", 9, CHUNKS, 64, 32},
  {LAYOUTS_OF(KEYS, false), "segments_wide", 9, 40009, 64, 0},
  {LAYOUTS_OF(KEYS, false), "auto", 5, 40009, 0, 0},
  {LAYOUTS_OF(LINE, true), "scan_wide", 3, 0, 4, 32},
  {LAYOUTS_OF(LINE, true), "scan_chunked", 3, 0, 0, 32},
  {LAYOUTS_OF(LINE, true), "scan_reduce_then_scan", 3, 0, 4, 0},
  {LAYOUTS_OF(LINE, true), "scan_blelloch", 3, 0, 4, 0},
  {LAYOUTS_OF(LINE, true), "scan_blelloch_recursive", 3, 0, 4, 0},
  {LAYOUTS_OF(LINE, true), "scan_host_serial", 3, 0, 0, 0},
  {LAYOUTS_OF(ROWS, true), "scan_rows", 5, 0, 4, 0},
  {LAYOUTS_OF(ROWS, true), "scan_rows", 6, 0, 4, 8},
  {LAYOUTS_OF(ROWS, true), "scan_rows", 7, 0, 1, 32},
  {LAYOUTS_OF(ROWS, true), "scan_rows", 8, 0, 32, 5},
  {LAYOUTS_OF(ROWS, true), "auto", 5, 0, 0, 0},
  {LAYOUTS_OF(COLUMNS, true), "auto", 3, 0, 0, 0},
  {LAYOUTS_OF(SEGMENTS, true), "scan_segments_chunked", 5, CHUNKS, 0, 0},
  {LAYOUTS_OF(SEGMENTS, true), "scan_segments_wide", 7, 40009, 64, 0},
  {LAYOUTS_OF(SEGMENTS, true), "auto", 6, 20011, 0, 0},
  {LAYOUTS_OF(HEADS, true), "scan_runs_chunked", 5, CHUNKS, 0, 0},
  {LAYOUTS_OF(HEADS, true), "auto", 7, 40009, 0, 0},
  {LAYOUTS_OF(HEADS, true), "scan_segments_chunked", 9, CHUNKS, 0, 0},
  {LAYOUTS_OF(KEYS, true), "scan_runs_chunked", 5, CHUNKS, 0, 0},
  {LAYOUTS_OF(KEYS, true), "scan_runs_wide", 9, CHUNKS, 64, 32},
  {LAYOUTS_OF(KEYS, true), "scan_segments_wide", 9, 40009, 64, 0},
  {LAYOUTS_OF(KEYS, true), "auto", 5, 40009, 0, 0},
};

static const clred_type offsets[] = {CLRED_TYPE_UINT, CLRED_TYPE_LONG, CLRED_TYPE_INT, CLRED_TYPE_ULONG};
static const clred_type keys[] = {CLRED_TYPE_ULONG, CLRED_TYPE_FLOAT,  CLRED_TYPE_UCHAR, CLRED_TYPE_INT,
                                  CLRED_TYPE_LONG,  CLRED_TYPE_DOUBLE, CLRED_TYPE_SHORT, CLRED_TYPE_UINT};

static clred_problem problem_of(const struct kind *kind) {
  clred_problem problem = kind->problem;
  problem.custom = kind->sample ? &sample_named(kind->sample)->op : NULL;
  return problem;
}

static bool has_size_of_element(const clred_problem *problem) {
  oracle_result result;
  if (problem->custom)
    return layout_sample(problem)->element == layout_sample(problem)->result;
  oracle_parts(problem, &result);
  return oracle_offset(&result, result.count) == oracle_size(problem->type);
}

// Not every strategy of scans by offsets, flags or keys can go backwards.
static bool goes_backwards(const struct way *way) {
  return !strstr(way->strategy, "runs") && !(way->layout >= CLRED_LAYOUT_HEADS && strcmp(way->strategy, "auto") == 0);
}

// Bits of `how`: exclusive, reversed, in place (if sizes agree); above them the number of the type of offsets or keys.
static void add(struct combinations *all, const struct kind *kind, const struct way *way, unsigned how) {
  clred_problem problem = problem_of(kind);
  problem.layout = way->layout;
  problem.strategy = strcmp(way->strategy, "auto") == 0 ? NULL : way->strategy;
  problem.group_size = way->group_size;
  problem.groups = way->groups;
  problem.count_max = way->most ? way->most : way->layout == CLRED_LAYOUT_LINE ? LONGEST_LINE : 12000;
  if (way->layout == CLRED_LAYOUT_SEGMENTS)
    problem.segment_type = offsets[(how >> 3) % COUNT_OF(offsets)];
  if (way->layout == CLRED_LAYOUT_KEYS)
    problem.segment_type = keys[(how >> 3) % COUNT_OF(keys)];
  if (way->scans) {
    problem.scan = how & 1 ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE;
    problem.reversed = (how >> 1 & 1) && goes_backwards(way);
    problem.in_place = (how >> 2 & 1) && !problem.list && has_size_of_element(&problem) && goes_backwards(way);
  }
  combinations_add(all, &problem);
}

// The grid and the scans have the built-in operators over lines. The oracle takes long for scans that detect overflow.
// Operators without callbacks do not run on the host.
static bool belongs(const struct kind *kind, const struct way *way) {
  const bool on_host = strcmp(way->strategy, "scan_host_serial") == 0;
  return !(way->scans && (kind->problem.list || kind->problem.overflow)) &&
         (way->layout != CLRED_LAYOUT_LINE || kind->sample) &&
         !(on_host && kind->sample && !sample_named(kind->sample)->op.host);
}

static void list_ways(struct combinations *all, bool full) {
  for (unsigned w = 0; w < COUNT_OF(ways); w++)
    for (unsigned k = 0; k < COUNT_OF(kinds); k++)
      for (unsigned how = 0; how < (ways[w].scans ? 8 : 1) && belongs(&kinds[k], &ways[w]); how++)
        if (full || ((k + w) % ways[w].each == 0 && how == (ways[w].scans ? (k + 3 * w) % 8 : 0)))
          add(all, &kinds[k], &ways[w], how | (k + w) << 3);
}

static void list_lists(struct combinations *all) {
  for (size_t i = 0; i < COUNT_OF(lists); i++) {
    clred_problem problem = lists[i];
    problem.count_max = LONGEST_LINE;
    combinations_add(all, &problem);
  }
}

// Strategies for lines may take strides, rows and columns, too.
static void list_others(struct combinations *all, bool full) {
  clred_strategy_info info;
  unsigned turn = 0;
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t f = 0; reduces_lines(&info) && f < finish_count(&info); f++)
      for (unsigned k = 0; k < 3; k++) {
        static const struct kind few[] = {
          {{OP(SUM, INT)}, NULL}, {{OP(ARGMIN, INT)}, NULL}, {{OP(NONE, NONE)}, "affine"}};
        clred_problem problem = problem_of(&few[k]);
        problem.strategy = info.name;
        problem.finish = info.finishes[f];
        problem.count_max = 12000;
        problem.layout = (clred_layout)(CLRED_LAYOUT_STRIDED + (turn + k) % 3);
        if (info.layouts >> problem.layout & 1 && (full || k == turn % 3))
          combinations_add(all, &problem);
        turn += k == 2;
      }
}

// Operators of callers by every strategy for lines, also those that the strategies above do not have: states of 4 to
// 200 bytes, elements of 1 to 256. Of float3, the fourth number has any bits.
static void list_samples(struct combinations *all, bool full) {
  clred_strategy_info info;
  const size_t count = ordered_sample_count + free_sample_count;
  for (size_t s = 0, way = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t f = 0; reduces_lines(&info) && f < finish_count(&info); f++, way++)
      for (size_t k = 0; k < count; k++) {
        const struct sample *of =
          k < ordered_sample_count ? &ordered_samples[k] : &free_samples[k - ordered_sample_count];
        const bool often = f == 0 && (strcmp(info.name, "wide") == 0 || strcmp(info.name, "chunked") == 0);
        const clred_problem problem = {
          .custom = &of->op, .strategy = info.name, .finish = info.finishes[f], .count_max = LONGEST_LINE};
        if (strcmp(of->op.name, "float3") != 0 && (full || (k + way) % (often                      ? 2
                                                                        : k < ordered_sample_count ? 3
                                                                                                   : 7) ==
                                                             0))
          combinations_add(all, &problem);
      }
}

// Sizes that textbooks leave open. Sums of floats show the tree; in an open order only sums of integers are known.
static void add_numbers(struct combinations *all, const char *strategy, clred_problem problem) {
  clred_strategy_info info = {0};
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS && strcmp(info.name, strategy) != 0; s++)
    ;
  for (size_t f = 0; info.finishes[f]; f++) {
    problem.strategy = info.name;
    problem.finish = info.finishes[f];
    problem.count_max = LONGEST_LINE;
    problem.op = CLRED_OP_SUM;
    problem.type = is_open_order(&problem) ? CLRED_TYPE_INT : CLRED_TYPE_FLOAT;
    combinations_add(all, &problem);
  }
}

static void list_numbers(struct combinations *all) {
  static const struct {
    const char *strategy;
    clred_problem problem;
  } numbers[] = {
    {"persistent", {.group_size = 16, .groups = 1}},
    {"persistent", {.group_size = 16, .groups = 7}},
    {"persistent_interleaved", {.group_size = 16, .groups = 1}},
    {"persistent_interleaved", {.group_size = 16, .groups = 7}},
    {"hand_off", {.group_size = 64, .stop_at = 1}},
    {"hand_off", {.group_size = 64, .stop_at = 4}},
    {"hand_off", {.group_size = 64, .stop_at = 32}},
    {"hand_off", {.group_size = 64, .stop_at = 64}},
    {"local_coarsened", {.group_size = 16, .elements = 1}},
    {"local_coarsened", {.group_size = 16, .elements = 3, .stage = CLRED_STAGE_REGISTERS}},
    {"local_coarsened", {.group_size = 16, .elements = 8}},
  };
  static const cl_ulong group_sizes[] = {1, 16, 512};
  clred_strategy_info info;
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
    for (size_t i = 0; reduces_lines(&info) && !info.fixed_order && i < COUNT_OF(group_sizes); i++)
      add_numbers(all, info.name, (clred_problem){.group_size = group_sizes[i]});
  for (size_t i = 0; i < COUNT_OF(numbers); i++)
    add_numbers(all, numbers[i].strategy, numbers[i].problem);
}

// The order exact: the strategies that keep states of bins, of blocks, or for each work-item, and long rows, of which
// several groups take parts.
static void list_exact(struct combinations *all) {
  static const clred_problem numbers[] = {
    {.strategy = "wide"},
    {.strategy = "wide", .group_size = 4},
    {.strategy = "wide", .group_size = 32, .groups = 3},
    {.strategy = "chunked"},
    {.strategy = "chunked", .groups = 1},
    {.strategy = "chunked", .groups = 5},
    {.strategy = "local_sequential", .group_size = 16},
    {.strategy = "hand_off", .group_size = 32},
    PROBLEM(LAYOUT(ROWS), .count_max = CHUNKS),
    PROBLEM(LAYOUT(SEGMENTS), .segment_type = CLRED_TYPE_UINT, .count_max = CHUNKS),
    PROBLEM(SCAN(INCLUSIVE)),
    PROBLEM(SCAN(EXCLUSIVE)),
  };
  for (size_t i = 0; i < COUNT_OF(numbers); i++)
    for (unsigned k = 0; k < 2; k++) {
      clred_problem problem = numbers[i];
      if (!problem.count_max)
        problem.count_max = problem.scan ? 5003 : 40009;
      const bool own = (i + k) % 2;
      if (own)
        problem.custom = &exact_samples[k].op;
      else
        problem.op = CLRED_OP_SUM, problem.type = exact_samples[k].exact, problem.order = CLRED_ORDER_EXACT;
      combinations_add(all, &problem);
    }
}

// Lines by the strategy that the device takes; and lines by groups that hand over states of 1, 4 or 8 words, or places:
// groups of two work-items, each of which folds the partials of many groups.
static void list_auto(struct combinations *all) {
#define PAIRS .strategy = "wide", .finish = "last_group", .group_size = 2, .count_max = CHUNKS
  static const clred_problem problems[] = {
    {OP(SUM, FLOAT), PAIRS},
    {OP(MAX, FLOAT), PAIRS},
    {OP(ARGMINMAX, FLOAT), PAIRS},
    {OP(ARGMIN, INT), PAIRS},
    {OP(ARGMAX, UCHAR), PAIRS},
    {OP(ARGMIN, FLOAT), PAIRS},
    {OP(ARGMAX, DOUBLE), PAIRS},
    {OP(SUM, FLOAT)},
    {OP(SUM, DOUBLE)},
    PROBLEM(OP(SUM, FLOAT), SCAN(INCLUSIVE)),
    PROBLEM(OP(SUM, DOUBLE), SCAN(EXCLUSIVE), .in_place = CL_TRUE),
    PROBLEM(OP(SUM, INT), SCAN(INCLUSIVE), .reversed = CL_TRUE),
  };
  for (size_t i = 0; i < COUNT_OF(problems); i++)
    combinations_add(all, &problems[i]);
}

// ---------------------------------------------------------------- Selections and histograms

// Each strategy has selections whose results go through local memory and, if it allows them, others.
static void list_selections(struct combinations *all, bool full) {
  static const struct {
    clred_problem problem;
    unsigned choices, indices;  // bit i: of choice number i
  } rows[] = {
    {{.strategy = "scan_chunked"}, 0xe6, 0x2},
    {{.strategy = "scan_wide", .group_size = 16, .groups = 32}, 0x32, 0x1},
    {{.strategy = "scan_reduce_then_scan", .group_size = 16, .groups = 8}, 0x9, 0x2},
    {{.strategy = "scan_host_serial"}, 0x2, 0x2},
    {{.strategy = NULL}, 0x2, 0x40},
  };
  for (size_t row = 0; row < COUNT_OF(rows); row++)
    for (size_t i = 0; i < 2 * choice_count; i++) {
      clred_problem problem = rows[row].problem;
      const size_t choice = i / 2;
      const bool on_host = problem.strategy && strcmp(problem.strategy, "scan_host_serial") == 0;
      problem.type = choices[choice].type;
      problem.selection = &choices[choice].selection;
      problem.indices = i % 2;
      problem.count_max = LONGEST_LINE;
      if ((full && (!on_host || problem.selection->host)) ||
          (problem.indices ? rows[row].indices : rows[row].choices) >> choice & 1)
        combinations_add(all, &problem);
    }
}

static void add_histogram(struct combinations *all, clred_problem problem, clred_type type, uint64_t count,
                          enum bins_kind kind) {
  static struct bins made[2000];
  static size_t used;
  if (used == COUNT_OF(made) || !bins_make(&made[used], type, count, kind))
    return;
  problem.type = type;
  problem.histogram = &made[used++].given;
  problem.count_max = 40009;
  combinations_add(all, &problem);
}

// The strategies differ in their loops only, so each has some rows. No local memory holds the counters of 70000 bins,
// and 2048 bytes hold one copy of the counters of 256 bins, but no edges of 400, and a third of those of 1000.
static void list_histograms(struct combinations *all, bool full) {
  static const clred_problem numbers[] = {
    {.strategy = "histogram_atomic"},
    {.strategy = "histogram_local"},
    {.strategy = "histogram_chunked"},
    {.strategy = "histogram_cells"},
    {.strategy = "histogram_local", .group_size = 4, .groups = 3},
    {.strategy = "histogram_chunked", .groups = 5},
    {.strategy = NULL},
  };
  static const struct {
    clred_type type;
    uint64_t bins;
    enum bins_kind kind;
    unsigned numbers;  // bit i: by numbers[i]
  } rows[] = {
    {CLRED_TYPE_UCHAR, 256, BINS_EQUAL, 0x05},  {CLRED_TYPE_CHAR, 1000, BINS_FRACTION, 0x02},
    {CLRED_TYPE_SHORT, 257, BINS_EDGES, 0x04},  {CLRED_TYPE_INT, 255, BINS_EQUAL, 0x02},
    {CLRED_TYPE_ULONG, 1000, BINS_EQUAL, 0x04}, {CLRED_TYPE_LONG, 2, BINS_EDGE_ELEMENTS, 0x03},
    {CLRED_TYPE_FLOAT, 1000, BINS_EQUAL, 0x24}, {CLRED_TYPE_DOUBLE, 256, BINS_EQUAL, 0x02},
    {CLRED_TYPE_HALF, 257, BINS_EQUAL, 0x04},   {CLRED_TYPE_BFLOAT16, 1, BINS_EDGES, 0x02},
    {CLRED_TYPE_INT, 70000, BINS_EQUAL, 0x06},  {CLRED_TYPE_USHORT, 300, BINS_EQUAL, 0x08},
    {CLRED_TYPE_UINT, 300, BINS_EQUAL, 0x10},   {CLRED_TYPE_FLOAT, 512, BINS_EQUAL, 0x06},
    {CLRED_TYPE_FLOAT, 4096, BINS_EQUAL, 0x06}, {CLRED_TYPE_UCHAR, 100, BINS_EQUAL, 0x02},
    {CLRED_TYPE_UCHAR, 256, BINS_EDGES, 0x02},  {CLRED_TYPE_FLOAT, 400, BINS_EQUAL, 0x02},
    {CLRED_TYPE_SHORT, 1000, BINS_EQUAL, 0x02}, {CLRED_TYPE_UINT, 1500, BINS_EDGES, 0x02},
    {CLRED_TYPE_CHAR, 256, BINS_EQUAL, 0x02},   {CLRED_TYPE_FLOAT, 100, BINS_LOW_ELEMENT, 0x20},
  };
  static const uint64_t counts[] = {1, 2, 255, 256, 257, 1000};
  const clred_problem on_host = {.strategy = "histogram_host_serial"};
  for (size_t row = 0; row < COUNT_OF(rows); row++)
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
      if (full || rows[row].numbers >> i & 1)
        add_histogram(all, numbers[i], rows[row].type, rows[row].bins, rows[row].kind);
  for (clred_type type = CLRED_TYPE_CHAR; type <= CLRED_TYPE_BFLOAT16; type++)
    for (int kind = 0; kind < BINS_KINDS; kind++)
      for (size_t i = 0; i < COUNT_OF(counts); i++)
        if (full || (type + (unsigned)kind + i) % 2)
          add_histogram(all, on_host, type, counts[i], (enum bins_kind)kind);
}

static void list(struct combinations *all, bool full) {
  list_ways(all, full);
  list_lists(all);
  list_others(all, full);
  list_samples(all, full);
  list_numbers(all);
  list_exact(all);
  list_auto(all);
  list_selections(all, full);
  list_histograms(all, full);
}

int main(int argc, char **argv) {
  const struct program layouts = {"layouts", pairwise, sizes, COUNT_OF(sizes), false, list};
  return program_main(&layouts, argc, argv);
}
