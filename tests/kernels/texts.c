// texts DIRECTORY [STRATEGY]: writes the programs that plans can make to DIRECTORY, each text once, for test_texts.py.
// Opens no device: the devices are lists of facts. Prints a line for each text: its file, the fence between groups, and
// what it is for.
//
// A problem is a strategy with finish and layout, what is computed, a type, options and a device. It is written if it
// has a pair of these that no problem before had, so each possible pair is in some text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/several.h"
#include "oracle/tree.h"
#include "quantile/quantile.h"
#include "selftest/probe.h"
#include "sort/sort.h"
#include "source/source.h"
#include "strategies/strategies.h"
#include "unit/devices.h"

#define COUNT_OF(table) (sizeof(table) / sizeof *(table))

// ---------------------------------------------------------------- What is computed, instead of a built-in operator

// Each kernel text that an operator of a caller reaches: one state, several, an array of lanes, further inputs,
// parameters, exact sums, and elements of many bytes. All sizes are given: no device is there to compute them.
static const clred_operand mask = {"mask", "uchar", 1}, base = {"base", "ulong", 8}, weight = {"weight", "half", 2};
static const clred_operator own[] = {
  OPERATOR(.name = "scaled", .element = "float", .element_size = 4, .state = "float", .state_size = 4, .result_size = 4,
           .identity = "0", .lift = "x * TO(float, UNIT(ulong, base))", .combine = "a + b", .parameters = &base,
           .parameter_count = 1, .commutative = CL_TRUE, .elementwise = CL_TRUE),
  OPERATOR(.name = "masked_sum", .element = "int", .element_size = 4, .state = "long", .state_size = 8,
           .result_size = 8, .identity = "0",
           .lift = "CHOOSE(long, mask != UNIT(uchar, 0), TO(long, x), UNIT(long, 0))", .combine = "a + b",
           .inputs = &mask, .input_count = 1, .commutative = CL_TRUE, .elementwise = CL_TRUE),
  OPERATOR(.name = "last", .element = "float", .element_size = 4, .state = "{ float value; uint has_value; }",
           .state_size = 8, .result = "float", .result_size = 4, .identity = "{ 0, 0 }", .lift = "MAKE(x, 1)",
           .combine = "b.has_value ? b : a", .lower = "s.value"),
  OPERATOR(.name = "weighted_mean", .element = "bfloat16", .element_size = 2, .state = "{ float sum; float weight; }",
           .state_size = 8, .result = "float", .result_size = 4, .identity = "{ 0, 0 }",
           .lift = "MAKE(x * weight, weight)", .combine = "MAKE(a.sum + b.sum, a.weight + b.weight)",
           .lower = "s.sum / s.weight", .inputs = &weight, .input_count = 1, .commutative = CL_TRUE,
           .elementwise = CL_TRUE),
  OPERATOR(.name = "blocks", .preamble = "typedef struct { float value; float rest[63]; } block;", .element = "block",
           .element_size = 256, .state = "float", .state_size = 4, .result_size = 4, .identity = "0", .lift = "x.value",
           .combine = "a + b", .commutative = CL_TRUE),
  OPERATOR(.name = "greatest_field", .preamble = "typedef struct { int station; float warm; float wet; } reading;",
           .element = "reading", .element_size = 12, .state = "{ float warm; ulong index; }", .state_size = 16,
           .result = "{ ulong index; float warm; }", .result_size = 16, .identity = "{ -INFINITY, ULONG_MAX }",
           .lift = "MAKE(x.warm, index)", .combine = "PICK(b.warm > a.warm, b, a)", .lower = "GIVE(s.index, s.warm)",
           .commutative = CL_TRUE),
  OPERATOR(.name = "exact_sum", .preamble = "#include \"exact/float_sum.clh\"\n", .element = "float", .element_size = 4,
           .state = "exact_float", .state_size = 48, .result = "float", .result_size = 4,
           .identity = "exact_float_empty()", .lift = "exact_float_of(x)", .combine = "exact_float_add(a, b)",
           .lower = "exact_float_value(s)", .commutative = CL_TRUE),
  OPERATOR(.name = "exact_mean", .element = "double", .element_size = 8, .state = "mean_state", .state_size = 304,
           .result = "double", .result_size = 8,
           .preamble = "#include \"exact/double_sum.clh\"\n"
                       "typedef struct { exact_double sum; ulong count; } mean_state;\n"
                       "mean_state one(double x) { mean_state s = { exact_double_of(x), 1 }; return s; }\n",
           .identity = "{ exact_double_empty(), 0 }", .lift = "one(x)",
           .combine = "{ a.sum = exact_double_add(a.sum, b.sum); a.count += b.count; return a; }",
           .lower = "exact_double_mean(s.sum, s.count)", .commutative = CL_TRUE),
};

static const clred_op lists[][5] = {
  {CLRED_OP_SUM, CLRED_OP_MIN, CLRED_OP_MAX, CLRED_OP_MEAN},
  {CLRED_OP_ARGMIN, CLRED_OP_STD, CLRED_OP_NORM2, CLRED_OP_COUNT_NONZERO, CLRED_OP_STATS},
};
static const size_t list_counts[COUNT_OF(lists)] = {4, 5};

static const clred_selection above = {.name = "above",
                                      .keep = "x > limit",
                                      .parameters = (const clred_operand[]){{"limit", "float", 4}},
                                      .parameter_count = 1},
                             every_third = {.name = "every_third",
                                            .keep = "index % 3 == 0 && mask",
                                            .inputs = &mask,
                                            .input_count = 1},
                             heads = {.name = "heads", .keep = "(index == 0) | (x != 0)"},
                             changes = {.name = "changes", .keep = "(index == 0) | (any(x != before) != 0)"};
static const struct {
  const clred_selection *selection;
  cl_bool indices;
  struct clr_keeping keeping;
} selections[] = {
  {&above, CL_FALSE, {.indices = false}},
  {&every_third, CL_TRUE, {.indices = true}},
  {&heads, CL_TRUE, {.indices = true, .ends = true}},
  {&changes, CL_TRUE, {.indices = true, .looks_before = true, .ends = true}},
};

static const double edges[] = {0, 1, 4, 9, 16, 25, 36};
#define SUMMED(type, further) \
  { .bins = 16, .high = 128, .weight_type = CLRED_TYPE_##type, .next = (further) }
static const clred_histogram third = {.bins = 6, .edges = edges}, second = {.bins = 3, .high = 9, .next = &third};
static const clred_histogram histograms[] = {{.bins = 16, .low = 0, .high = 128},
                                             {.bins = 6, .edges = edges},
                                             {.bins = 100000, .low = 0, .high = 64},
                                             SUMMED(FLOAT, NULL),
                                             SUMMED(DOUBLE, &second),
                                             SUMMED(CHAR, &third),
                                             SUMMED(HALF, NULL),
                                             SUMMED(BFLOAT16, &third),
                                             SUMMED(NONE, &second)};

// Operators whose kernels differ from those of another one in a word only. They occur with every type, option, finish
// and device, but not with every strategy.
static const clred_op alike[] = {CLRED_OP_MAX,    CLRED_OP_OR,         CLRED_OP_XOR, CLRED_OP_ANY,
                                 CLRED_OP_ARGMAX, CLRED_OP_VAR_SAMPLE, CLRED_OP_STD, CLRED_OP_STD_SAMPLE,
                                 CLRED_OP_NORM1,  CLRED_OP_SUMSQ};

// ---------------------------------------------------------------- Types, options and devices

static const clred_type types[] = {CLRED_TYPE_FLOAT,  CLRED_TYPE_CHAR,   CLRED_TYPE_UCHAR, CLRED_TYPE_SHORT,
                                   CLRED_TYPE_USHORT, CLRED_TYPE_INT,    CLRED_TYPE_UINT,  CLRED_TYPE_LONG,
                                   CLRED_TYPE_ULONG,  CLRED_TYPE_DOUBLE, CLRED_TYPE_HALF,  CLRED_TYPE_BFLOAT16,
                                   CLRED_TYPE_CFLOAT, CLRED_TYPE_CDOUBLE};
#define VECTORS \
  CLRED_VECTOR(CLRED_TYPE_FLOAT, 4), CLRED_VECTOR(CLRED_TYPE_UCHAR, 3), CLRED_VECTOR(CLRED_TYPE_INT, 16), \
    CLRED_VECTOR(CLRED_TYPE_DOUBLE, 2)
static const clred_type vectors[] = {VECTORS};
#define TYPES (COUNT_OF(types) + COUNT_OF(vectors))

// The first ones are types of keys, and of numbers.
#define KEY_TYPES 10
#define NUMBER_TYPES 12

// Fields that are set in the problem; `in_order` as clr_plan_nodes_operation sets it.
static const struct {
  const char *name;
  clred_problem problem;
  bool in_order;
} settings[] = {
  {.name = ""},
  {.name = "without NaNs", {.nan = CLRED_NAN_IGNORE}},
  {.name = "exact", {.order = CLRED_ORDER_EXACT}},
  {.name = "overflow", {.overflow = CLRED_OVERFLOW_DETECT}},
  {.name = "in 32 bits", {.result_bits = CLRED_RESULT_32}},
  {.name = "own bits", {.result_bits = CLRED_RESULT_OWN}},
  {.name = "in doubles", {.state = CLRED_TYPE_DOUBLE}},
  {.name = "reversed", {.reversed = CL_TRUE}},
  {.name = "in place", {.in_place = CL_TRUE}},
  {.name = "in order", .in_order = true},
  {.name = "in registers", {.stage = CLRED_STAGE_REGISTERS}},
};

// Rows of `devices` with some facts changed. Quantiles are for the first ones.
#define QUANTILE_MACHINES 3
static const struct {
  size_t device;
  const char *assume;
} machines[] = {
  {0, ""},                                         // NVIDIA: inline PTX
  {13, ""},                                        // a CPU with OpenCL 3.0
  {1, ""},                                         // a GPU without fence, 16 KiB
  {0, "device_fence=0,forward_progress=1"},        // groups wait for each other by atomics
  {13, "cpu=0,native_vector_width=16"},            // a GPU with OpenCL 3.0's fence
  {14, "native_vector_width=16"},                  // a CPU with OpenCL 1.2
  {12, "local_mem_size=4096"},                     // no double, no 64-bit atomics, little local memory
  {4, "device_fence=0"},                           // groups of one work-item
  {14, "cpu=0,compute_units=1,loop_trips=65535"},  // loops end early
  {15, "cpu=0"},                                   // the driver reports nothing
};

// ---------------------------------------------------------------- The files

static const char *const fences[] = {[CLR_FENCE_NONE] = "none", [CLR_FENCE_C11] = "c11", [CLR_FENCE_PTX] = "ptx"};

static struct {
  const char *directory;
  char **texts;  // all texts written
  size_t count, room;
  struct clr_kernel_reader reader;
} written;

static bool is_written(const char *text) {
  for (size_t i = 0; i < written.count; i++)
    if (strcmp(written.texts[i], text) == 0)
      return true;
  return false;
}

// Keeps the text in memory for comparisons.
static void keep(const char *text) {
  if (written.count == written.room) {
    written.room = 2 * written.room + 64;
    written.texts = realloc(written.texts, written.room * sizeof *written.texts);
  }
  char *copy = malloc(strlen(text) + 1);
  if (!written.texts || !copy)
    oracle_fail("out of", "memory");
  written.texts[written.count++] = strcpy(copy, text);
}

// The cache keeps no program that has one of these words, because compilers may read other files there.
static void must_be_kept(const char *text, const char *name) {
  static const char *const words[] = {"include", "import", "embed"};
  for (size_t i = 0; i < COUNT_OF(words); i++)
    if (strstr(text, words[i]))
      oracle_fail(name, words[i]);
}

static void write_text(const struct clr_text *text, enum clr_fence fence, const char *name) {
  char path[512];
  must_be_kept(text->bytes, name);
  if (is_written(text->bytes))
    return;
  snprintf(path, sizeof path, "%s/%04zu.cl", written.directory, written.count);
  FILE *file = fopen(path, "w");
  if (!file || fputs(text->bytes, file) < 0 || fclose(file))
    oracle_fail(path, "cannot be written");
  printf("%04zu.cl %s %s\n", written.count, fences[fence], name);
  keep(text->bytes);
}

static void must(cl_int err, const char *name, const struct clr_status *status) {
  if (err)
    oracle_fail(name, status->message);
}

// ---------------------------------------------------------------- The lists

// A strategy with one of its layouts, and a kind of scan.
struct way {
  const struct clr_strategy *strategy;
  clred_layout layout;
  clred_scan scan;
};

// What is computed: built-in operators by number, then the rows of the tables.
enum {
  OWN = 26,
  LISTS = OWN + COUNT_OF(own),
  SELECTIONS = LISTS + COUNT_OF(lists),
  HISTOGRAMS = SELECTIONS + COUNT_OF(selections),
  SUBJECTS = HISTOGRAMS + COUNT_OF(histograms)
};
#define WAYS_MAX 128

// A problem as indexes of six lists. The finish CLR_FINISH_NONE is that of strategies without partials.
enum { WAY, SUBJECT, TYPE, SETTING, FINISH, MACHINE, DIMENSIONS };
struct choice {
  size_t of[DIMENSIONS];
};

static struct way ways[WAYS_MAX];
static size_t sizes[DIMENSIONS] = {0, SUBJECTS, TYPES, COUNT_OF(settings), CLR_FINISHES + 1, COUNT_OF(machines)};
static struct clr_facts facts[COUNT_OF(machines)];

static void list_ways_of(const struct clr_strategy *strategy) {
  const bool scans = strategy->task == CLR_TASK_SCAN;
  for (int layout = 0; layout <= CLRED_LAYOUT_KEYS; layout++)
    for (int scan = scans; scan <= 2 * scans; scan++)
      if (clr_strategy_layouts(strategy) & CLR_LAYOUT_BIT(layout)) {
        if (sizes[WAY] == WAYS_MAX)
          oracle_fail("too many", "strategies");
        ways[sizes[WAY]++] = (struct way){strategy, (clred_layout)layout, (clred_scan)scan};
      }
}

static void list_all(const char *only) {
  const struct clr_strategy *strategy;
  for (size_t i = 0; (strategy = clr_strategy_at(i)) != NULL; i++)
    if (strategy->exec != CLR_EXEC_HOST && (!only || strcmp(strategy->name, only) == 0))
      list_ways_of(strategy);
  for (size_t i = 0; i < COUNT_OF(machines); i++) {
    struct clr_status status = {0};
    facts[i] = devices[machines[i].device].facts;
    clr_facts_make_sane(&facts[i]);
    must(clr_facts_assume(&facts[i], machines[i].assume, &status), machines[i].assume, &status);
  }
}

// ---------------------------------------------------------------- One problem

// False if no plan has this choice, whatever its type, setting and machine are.
static bool may_be(const struct choice *choice) {
  const struct way *way = &ways[choice->of[WAY]];
  const size_t subject = choice->of[SUBJECT];
  const unsigned finishes =
    way->strategy->reduce.finishes ? way->strategy->reduce.finishes : CLR_FINISH_BIT(CLR_FINISH_NONE);
  const bool selects = subject >= SELECTIONS && subject < HISTOGRAMS, counts = subject >= HISTOGRAMS;
  return finishes & CLR_FINISH_BIT(choice->of[FINISH]) && counts == (way->strategy->task == CLR_TASK_COUNT) &&
         (!selects || way->scan == CLRED_SCAN_EXCLUSIVE);
}

// Every operator of a caller has its own type, so the others are left out for it. The texts of selections are for
// numbers, apart from the last one.
static bool has_type(const struct choice *choice) {
  const size_t subject = choice->of[SUBJECT], type = choice->of[TYPE];
  if (subject >= OWN && subject < LISTS)
    return type == subject % TYPES;
  return subject < SELECTIONS || subject >= HISTOGRAMS - 1 || type < NUMBER_TYPES;
}

static void set_subject(size_t subject, clred_problem *problem, struct clr_keeping *keeping) {
  if (subject < OWN) {
    problem->op = (clred_op)(subject + 1);
  } else if (subject < LISTS) {
    problem->custom = &own[subject - OWN];
    problem->type = CLRED_TYPE_NONE;
  } else if (subject < SELECTIONS) {
    problem->list = lists[subject - LISTS];
    problem->list_count = list_counts[subject - LISTS];
  } else if (subject < HISTOGRAMS) {
    problem->selection = selections[subject - SELECTIONS].selection;
    problem->indices = selections[subject - SELECTIONS].indices;
    *keeping = selections[subject - SELECTIONS].keeping;
    problem->scan = CLRED_SCAN_NONE;
  } else {
    problem->histogram = &histograms[subject - HISTOGRAMS];
  }
}

static clred_problem problem_of(const struct choice *choice, struct clr_keeping *keeping) {
  const struct way *way = &ways[choice->of[WAY]];
  const size_t subject = choice->of[SUBJECT], type = choice->of[TYPE];
  clred_problem problem = settings[choice->of[SETTING]].problem;
  problem.type = type < COUNT_OF(types) ? types[type] : vectors[type - COUNT_OF(types)];
  problem.strategy = way->strategy->name;
  problem.finish = clr_finish_name((enum clr_finish)choice->of[FINISH]);
  problem.layout = way->layout;
  problem.scan = way->scan;
  problem.count_max = 100000;
  // Types of offsets and of keys in turn.
  if (way->layout == CLRED_LAYOUT_SEGMENTS)
    problem.segment_type = (subject + type) % 2 ? CLRED_TYPE_UINT : CLRED_TYPE_LONG;
  else if (way->layout == CLRED_LAYOUT_KEYS)
    problem.segment_type = types[(subject + type) % KEY_TYPES];
  set_subject(subject, &problem, keeping);
  return problem;
}

static void name_choice(const struct choice *choice, char *name, size_t size) {
  static const char *const layouts[] = {"line", "strided", "rows", "columns", "segments", "heads", "keys"};
  const clred_problem problem = problem_of(choice, &(struct clr_keeping){.indices = false});
  const struct way *way = &ways[choice->of[WAY]];
  const size_t subject = choice->of[SUBJECT];
  snprintf(name, size, "%s%s%s %s%s %s type %#x%s%s on machine %zu", way->strategy->name, problem.finish ? "+" : "",
           problem.finish ? problem.finish : "", layouts[way->layout],
           way->scan == CLRED_SCAN_EXCLUSIVE ? " exclusive" : "",
           problem.custom      ? problem.custom->name
           : problem.selection ? problem.selection->name
           : subject < OWN     ? clr_ops[subject + 1].name
           : problem.list      ? "list"
                               : "histogram",
           (unsigned)problem.type, *settings[choice->of[SETTING]].name ? " " : "", settings[choice->of[SETTING]].name,
           choice->of[MACHINE]);
}

static void write_program(const struct choice *choice, const struct clr_problem *problem,
                          const struct clr_shape *shape) {
  const enum clr_fence fence = (enum clr_fence)facts[choice->of[MACHINE]].device_fence;
  const struct clr_source_from from = {clr_kernel_read, &written.reader, ""};
  struct clr_status status = {0};
  struct clr_text text = {0};
  char name[256];
  name_choice(choice, name, sizeof name);
  must(clr_source_write(shape->strategy, &problem->operation, shape, clr_strategy_kernels_of(shape->strategy, shape),
                        fence, &from, &text, &status),
       name, &status);
  write_text(&text, fence, name);
  clr_text_release(&text);
}

// Writes the program of a problem. False if the problem is refused.
static bool write_if_possible(const struct choice *choice) {
  struct clr_keeping keeping = {.indices = false};
  const clred_problem given = problem_of(choice, &keeping);
  struct clr_problem problem;
  struct clr_shape shape;
  struct clr_status status = {0};
  bool fits = !clr_problem_make_keeping(&given, keeping, &problem, &status);
  if (fits) {
    problem.operation.commutes &= !settings[choice->of[SETTING]].in_order;
    fits = !clr_strategy_fit(ways[choice->of[WAY]].strategy, &facts[choice->of[MACHINE]], &problem, &shape, &status);
  }
  if (fits)
    write_program(choice, &problem, &shape);
  clr_problem_release(&problem);
  return fits;
}

// ---------------------------------------------------------------- Programs of no strategy

static void write_file(const char *plan, const char *root, enum clr_fence fence, const char *name) {
  const struct clr_operation operation = {.name = "none"};
  const struct clr_source_from from = {clr_kernel_read, &written.reader, ""};
  struct clr_status status = {0};
  struct clr_text text = {0};
  must(clr_source_file(&operation, plan, root, &from, &text, &status), name, &status);
  write_text(&text, fence, name);
  clr_text_release(&text);
}

// As in src/selftest.
static void write_probes(void) {
  write_file("#define LONG 0\n", "probes/atomics.cl", CLR_FENCE_NONE, "atomics");
  write_file("#define LONG 1\n", "probes/atomics.cl", CLR_FENCE_NONE, "atomics of 64 bits");
  write_file("", "probes/limits.cl", CLR_FENCE_NONE, "limits");
  write_file("", "probes/loops.cl", CLR_FENCE_NONE, "loops");
  write_file(clr_probe_single, "probes/numbers.cl", CLR_FENCE_NONE, "numbers");
  write_file("#define REAL double\n#define BITS ulong\n#define REAL_SIZE 8\n#define AS_BITS as_ulong\n",
             "probes/numbers.cl", CLR_FENCE_NONE, "numbers of 64 bits");
  for (int fence = CLR_FENCE_NONE; fence <= CLR_FENCE_PTX; fence++) {
    char plan[256];
    snprintf(plan, sizeof plan,
             "#define FENCE_NONE 0\n#define FENCE_C11 1\n#define FENCE_PTX 2\n#define FENCE %d\n"
             "#define STATE uint4\n#define STATE_SIZE 16\n#define FINISH_ATOMIC 3\n#define FINISH 2\n",
             fence);
    write_file(plan, "probes/handing_on.cl", (enum clr_fence)fence, "handing on");
  }
}

// Programs with an operator alone: its laws, and for a caller's operator the sizes of its types.
static void write_alone(const clred_problem *given, const char *name) {
  const struct clr_source_from from = {clr_kernel_read, &written.reader, ""};
  struct clr_problem problem;
  struct clr_status status = {0};
  if (!clr_problem_make(given, &problem, &status)) {
    struct clr_text laws = {0}, sizes_of = {0};
    must(clr_source_laws(&problem.operation, &from, &laws, &status), name, &status);
    write_text(&laws, CLR_FENCE_NONE, name);
    if (given->custom) {
      must(clr_source_probe(&problem.operation, &from, &sizes_of, &status), name, &status);
      write_text(&sizes_of, CLR_FENCE_NONE, name);
    }
    clr_text_release(&laws);
    clr_text_release(&sizes_of);
  }
  clr_problem_release(&problem);
}

static void write_operators(void) {
  for (size_t i = 0; i < COUNT_OF(own); i++)
    write_alone(&(clred_problem){.custom = &own[i]}, own[i].name);
  for (size_t op = 1; op <= OWN; op++)
    for (size_t type = 0; type < COUNT_OF(types); type++)
      write_alone(&(clred_problem){.op = (clred_op)op, .type = types[type]}, clr_ops[op].name);
}

static void write_quantile(const struct clr_facts *on, const clred_quantile_problem *problem) {
  clred_quantile *quantile = oracle_claim(1, sizeof *quantile);
  struct clr_status status = {0};
  memset(quantile, 0, sizeof *quantile);
  quantile->problem = *problem;
  if (!clr_quantile_resolve(quantile, on, &status)) {
    struct clr_text plan = {0};
    clr_quantile_write_plan(quantile, &plan);
    write_file(plan.bytes, "quantile/quantile.cl", CLR_FENCE_NONE, "quantiles");
    clr_text_release(&plan);
  }
  free(quantile);
}

static void write_sort(const struct clr_facts *on, const clred_sort_problem *problem) {
  clred_runtime *runtime = oracle_claim(1, sizeof *runtime);
  clred_sorter *sorter = oracle_claim(1, sizeof *sorter);
  struct clr_status status = {0};
  memset(runtime, 0, sizeof *runtime);
  memset(sorter, 0, sizeof *sorter);
  runtime->facts = *on;
  sorter->runtime = runtime;
  sorter->problem = *problem;
  sorter->ordering = clr_ordering_make(clr_type_row(problem->type), problem->descending, problem->nans_first);
  if (!clr_sort_resolve(problem, on, &sorter->shape, &status)) {
    struct clr_text plan = {0};
    clr_sort_write_plan(sorter, &plan);
    write_file(plan.bytes, sorter->shape.in_chunks ? "sort/chunked.cl" : "sort/radix.cl",
               (enum clr_fence)on->device_fence, "sorts");
    clr_text_release(&plan);
  }
  free(sorter);
  free(runtime);
}

// Keys, values that move with their keys, values that are copied at the end, and indices of both sizes.
static void write_sorts(void) {
  static const size_t values[] = {0, 1, 8, 3, 12};
  for (size_t machine = 0; machine < COUNT_OF(machines); machine++)
    for (size_t type = 0; type < NUMBER_TYPES; type++) {
      const size_t value = values[(machine + type) % COUNT_OF(values)];
      const cl_ulong most = (cl_ulong)1 << (type % 2 ? 33 : 20);
      write_sort(&facts[machine], &(clred_sort_problem){.type = types[type],
                                                        .form = value ? CLRED_SORT_PAIRS : CLRED_SORT_KEYS,
                                                        .descending = type % 2,
                                                        .nans_first = machine % 2,
                                                        .value_size = value,
                                                        .count_max = most});
      if (machine % 4 == type % 4)
        write_sort(&facts[machine], &(clred_sort_problem){.type = types[type],
                                                          .form = CLRED_SORT_INDICES,
                                                          .begin_bit = type && type <= 8 ? 3 : 0,
                                                          .count_max = most});
    }
}

static void write_quantiles(void) {
  static const double at[20] = {0.5};
  for (size_t machine = 0; machine < QUANTILE_MACHINES; machine++)
    for (size_t type = 0; type < NUMBER_TYPES; type++)
      for (size_t count = 1; count <= COUNT_OF(at); count += COUNT_OF(at) - 1) {
        write_quantile(&facts[machine], &(clred_quantile_problem){.type = types[type], .at = at, .at_count = count});
        write_quantile(&facts[machine], &(clred_quantile_problem){.type = types[type], .top = count});
      }
}

// ---------------------------------------------------------------- All pairs

static unsigned char *pairs[DIMENSIONS][DIMENSIONS];

static unsigned char *pair_of(const struct choice *choice, int a, int b) {
  return &pairs[a][b][choice->of[a] * sizes[b] + choice->of[b]];
}

static void take(const struct choice *choice) {
  for (int a = 0; a < DIMENSIONS; a++)
    for (int b = a + 1; b < DIMENSIONS; b++)
      *pair_of(choice, a, b) = 1;
}

// Finds a problem with this pair: the other indexes in turn, from a place that differs from pair to pair.
static bool complete(struct choice *choice, int a, int b, size_t turn) {
  size_t tries = 1;
  for (int i = 0; i < DIMENSIONS; i++)
    tries *= i == a || i == b ? 1 : sizes[i];
  for (size_t try = 0; try < tries; try++) {
    size_t rest = try;
    for (int i = 0; i < DIMENSIONS; i++)
      if (i != a && i != b) {
        choice->of[i] = (rest + turn * (size_t)(2 * i + 3)) % sizes[i];
        rest /= sizes[i];
      }
    if (may_be(choice) && has_type(choice) && write_if_possible(choice))
      return true;
  }
  return false;
}

static bool is_alike(size_t subject) {
  for (size_t i = 0; i < COUNT_OF(alike); i++)
    if (subject + 1 == (size_t)alike[i])
      return true;
  return false;
}

static void write_pairs(int a, int b) {
  struct choice choice;
  size_t possible = 0;
  for (size_t i = 0; i < sizes[a]; i++)
    for (size_t j = 0; j < sizes[b]; j++) {
      choice.of[a] = i;
      choice.of[b] = j;
      const bool is_due = a != WAY || b != SUBJECT || !is_alike(j);
      if (is_due && !*pair_of(&choice, a, b) && complete(&choice, a, b, i * sizes[b] + j))
        take(&choice);
      choice.of[a] = i;
      choice.of[b] = j;
      possible += *pair_of(&choice, a, b);
    }
  fprintf(stderr, "%d %d: %zu of %zu, %zu texts\n", a, b, possible, sizes[a] * sizes[b], written.count);
}

static void write_all_pairs(void) {
  for (int a = 0; a < DIMENSIONS; a++)
    for (int b = a + 1; b < DIMENSIONS; b++) {
      pairs[a][b] = oracle_claim(sizes[a], sizes[b]);
      memset(pairs[a][b], 0, sizes[a] * sizes[b]);
    }
  for (int a = 0; a < DIMENSIONS; a++)
    for (int b = a + 1; b < DIMENSIONS; b++)
      write_pairs(a, b);
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: texts DIRECTORY [STRATEGY]\n");
    return 2;
  }
  written.directory = argv[1];
  written.reader = clr_kernel_reader_open();
  list_all(argv[2]);
  write_all_pairs();
  if (argc == 2) {
    write_probes();
    write_operators();
    write_quantiles();
    write_sorts();
  }
  clr_kernel_reader_close(&written.reader);
  return 0;
}
