// Lists of problems: see combinations.h.

#include "combinations.h"

#include <clreduce_device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/tree.h"
#include "support/device.h"

#define WAYS_MAX 128
#define OPS_MAX 32
#define TYPES_MAX 32

// A strategy with one of its finishes.
struct way {
  const char *strategy;
  const char *finish;  // NULL if the strategy has none
};

static size_t list_ways(struct way *ways) {
  clred_strategy_info info;
  size_t count = 0;
  for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++) {
    if (!reduces_lines(&info))
      continue;
    for (size_t f = 0; f < finish_count(&info); f++)
      ways[count++] = (struct way){info.name, info.finishes[f]};
    if (count + 5 > WAYS_MAX)
      oracle_fail("too many", "strategies");
  }
  return count;
}

// ---------------------------------------------------------------- Names

static void append(struct combination *one, const char *before, const char *text) {
  const size_t length = strlen(one->name);
  snprintf(one->name + length, sizeof one->name - length, "%s%s", before, text);
}

// The first operators.
static void name_list(struct combination *one) {
  char number[16];
  snprintf(number, sizeof number, " %u", (unsigned)one->problem.list_count);
  append(one, number, "");
  for (size_t i = 0; i < one->problem.list_count && i < 3; i++)
    append(one, " ", op_name(one->problem.list[i]));
}

static void name_number(struct combination *one, const char *before, uint64_t number) {
  char text[32];
  snprintf(text, sizeof text, "%s%u", before, (unsigned)number);
  append(one, "", number ? text : "");
}

// Calls with rows, columns, segments or runs.
static void name_layout(struct combination *one) {
  static const char *const layouts[] = {"line", "strided", "rows", "columns", "segments", "heads", "keys"};
  const clred_problem *problem = &one->problem;
  append(one, " ", layouts[problem->layout]);
  append(one, problem->segment_type ? " of " : "", type_name(problem->segment_type));
}

static const char *name_of_bins(const clred_histogram *bins) {
  return bins->edges ? "edges" : bins->edge_elements ? "edge_elements" : bins->low_element ? "ends" : "bins";
}

static void name_it(struct combination *one) {
  static const char *const bits[] = {[CLRED_RESULT_OWN] = "own", [CLRED_RESULT_32] = "32", [CLRED_RESULT_64] = "64"};
  const clred_problem *problem = &one->problem;
  clred_type_info type = {.name = "(no type)"}, state = type;
  clred_op_info op = {.name = "(no operator)"};
  clred_type_inspect(problem->type, &type);
  clred_type_inspect(problem->state, &state);
  clred_op_inspect(problem->op, &op);
  snprintf(one->name, sizeof one->name, "%s", problem->strategy ? problem->strategy : "auto");
  if (problem->finish)
    append(one, "+", problem->finish);
  append(one, " ",
         problem->custom      ? problem->custom->name
         : problem->list      ? "list of"
         : problem->selection ? "select"
         : problem->histogram ? name_of_bins(problem->histogram)
                              : op.name);
  if (problem->list)
    name_list(one);
  append(one, problem->custom ? "" : " ", problem->custom ? "" : type.name);
  if (problem->state != CLRED_TYPE_NONE)
    append(one, " state ", state.name);
  if (problem->nan == CLRED_NAN_IGNORE)
    append(one, " ", "ignore");
  if (problem->overflow == CLRED_OVERFLOW_DETECT)
    append(one, " ", "detect");
  if (problem->result_bits)
    append(one, " into ", bits[problem->result_bits]);
  append(one, "", problem->order == CLRED_ORDER_EXACT ? " exact" : "");
  append(one, problem->selection ? " " : "", problem->selection ? problem->selection->name : "");
  append(one, "", problem->indices ? " indices" : "");
  name_number(one, " ", problem->histogram ? problem->histogram->bins : 0);
}

static void name_scan(struct combination *one) {
  const clred_problem *problem = &one->problem;
  append(one, " ", problem->scan == CLRED_SCAN_INCLUSIVE ? "inclusive" : "exclusive");
  append(one, "", problem->reversed ? " reversed" : "");
  append(one, "", problem->in_place ? " in_place" : "");
}

void combinations_add(struct combinations *all, const clred_problem *problem) {
  struct combination *longer = realloc(all->list, (all->count + 1) * sizeof *longer);
  if (!longer)
    oracle_fail("out of", "memory");
  all->list = longer;
  longer[all->count].problem = *problem;
  name_it(&longer[all->count]);
  if (problem->scan)
    name_scan(&longer[all->count]);
  if (problem->layout)
    name_layout(&longer[all->count]);
  name_number(&longer[all->count], " G", problem->group_size);
  name_number(&longer[all->count], " K", problem->groups);
  name_number(&longer[all->count], " C", problem->elements);
  name_number(&longer[all->count], " H", problem->stop_at);
  all->count++;
}

// ---------------------------------------------------------------- All strategies

// Operators with a result of one number over scalar types, and one operator for each other kind of state and element.
static bool is_core(clred_op op, clred_type type) {
  static const struct {
    clred_op op;
    clred_type type;
  } others[] = {{CLRED_OP_ARGMAX, CLRED_TYPE_FLOAT},
                {CLRED_OP_MEAN, CLRED_TYPE_DOUBLE},
                {CLRED_OP_STATS, CLRED_TYPE_FLOAT},
                {CLRED_OP_SUM, CLRED_TYPE_HALF},
                {CLRED_OP_SUM, CLRED_TYPE_CFLOAT}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (others[i].op == op && others[i].type == type)
      return true;
  return op <= CLRED_OP_ANY && type <= CLRED_TYPE_DOUBLE;
}

static bool is_listed(const clred_problem *problem, bool whole) {
  return whole || (is_core(problem->op, problem->type) && oracle_defined(problem));
}

void combinations_list(struct combinations *all, bool whole) {
  struct way ways[WAYS_MAX];
  clred_op_info op;
  clred_type_info type;
  memset(all, 0, sizeof *all);
  all->ways = list_ways(ways);
  for (size_t o = 0; o < OPS_MAX && clred_op_inspect((clred_op)(o + 1), &op) == CL_SUCCESS; o++)
    for (size_t t = 0; t < TYPES_MAX && clred_type_inspect((clred_type)(t + 1), &type) == CL_SUCCESS; t++)
      for (size_t w = 0; w < all->ways; w++) {
        const clred_problem problem = {
          .op = op.op, .type = type.type, .strategy = ways[w].strategy, .finish = ways[w].finish};
        if (is_listed(&problem, whole))
          combinations_add(all, &problem);
      }
}

void combinations_release(struct combinations *all) {
  free(all->list);
  memset(all, 0, sizeof *all);
}

void combinations_filter(struct combinations *all, const char *text) {
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++)
    if (strstr(all->list[i].name, text))
      all->list[kept++] = all->list[i];
  all->count = kept;
}

void combinations_slice(struct combinations *all, size_t index, size_t count) {
  const size_t begin = all->count * (index - 1) / count, end = all->count * index / count;
  memmove(all->list, all->list + begin, (end - begin) * sizeof *all->list);
  all->count = end - begin;
}

// ---------------------------------------------------------------- The covering part

// Which pairs of strategy, finish, operator and type occur. Pairs of strategy and finish are left out: these are the
// ways, and all of them occur. For a strategy or finish the index is number_of; for an operator or type the index is
// its value.
struct pairs {
  bool strategy_op[WAYS_MAX][OPS_MAX];
  bool strategy_type[WAYS_MAX][TYPES_MAX];
  bool finish_op[WAYS_MAX][OPS_MAX];
  bool finish_type[WAYS_MAX][TYPES_MAX];
  bool op_type[OPS_MAX][TYPES_MAX];
};

// The number of a way's strategy or finish: the index of the first way with the same one.
static size_t number_of(const struct combination *list, size_t way, bool finish) {
  size_t first = 0;
  const char *name = finish ? list[way].problem.finish : list[way].problem.strategy;
  for (; first < way; first++) {
    const char *other = finish ? list[first].problem.finish : list[first].problem.strategy;
    if (name == other || (name && other && strcmp(name, other) == 0))
      break;
  }
  return first;
}

static bool *pair_at(struct pairs *seen, const struct combination *list, size_t way, const struct combination *one,
                     unsigned kind) {
  const size_t strategy = number_of(list, way, false), finish = number_of(list, way, true);
  const clred_op op = one->problem.op;
  const clred_type type = one->problem.type;
  bool *const places[] = {&seen->strategy_op[strategy][op], &seen->strategy_type[strategy][type],
                          &seen->finish_op[finish][one->problem.op], &seen->finish_type[finish][one->problem.type],
                          &seen->op_type[one->problem.op][one->problem.type]};
  return kind < sizeof places / sizeof *places ? places[kind] : NULL;
}

static unsigned new_pairs(struct pairs *seen, const struct combination *list, size_t ways, size_t index) {
  unsigned count = 0;
  const bool *pair;
  for (unsigned kind = 0; (pair = pair_at(seen, list, index % ways, &list[index], kind)) != NULL; kind++)
    count += !*pair;
  return count;
}

static void take(struct pairs *seen, bool *kept, size_t ways, const struct combination *list, size_t index) {
  bool *pair;
  for (unsigned kind = 0; (pair = pair_at(seen, list, index % ways, &list[index], kind)) != NULL; kind++)
    *pair = true;
  kept[index] = true;
}

static bool shows_the_order(const struct combination *one) {
  const clred_problem *problem = &one->problem;
  return (problem->op == CLRED_OP_SUM && problem->type == CLRED_TYPE_FLOAT) ||
         (problem->op == CLRED_OP_PROD && problem->type == CLRED_TYPE_DOUBLE);
}

// In the whole list, neighbours differ in their way, so the way's number is the index modulo the number of ways.
static void choose(const struct combinations *all, bool *kept) {
  struct pairs seen = {0};
  const size_t ways = all->ways;
  for (size_t i = 0; i < all->count; i++)
    if (shows_the_order(&all->list[i]))
      take(&seen, kept, ways, all->list, i);
  // Problems with the most new pairs come first. Each way starts at another operator, so that ways take different
  // problems.
  for (unsigned wanted = 5; wanted > 0; wanted--)
    for (size_t way = 0; way < ways; way++)
      for (size_t step = 0; step < all->count / ways; step++) {
        const size_t index = (step + way * 7) % (all->count / ways) * ways + way;
        if (!kept[index] && new_pairs(&seen, all->list, ways, index) >= wanted)
          take(&seen, kept, ways, all->list, index);
      }
}

void combinations_cover(struct combinations *all) {
  bool *kept = oracle_claim(all->count, sizeof *kept);
  size_t count = 0;
  memset(kept, 0, all->count * sizeof *kept);
  choose(all, kept);
  for (size_t i = 0; i < all->count; i++)
    if (kept[i])
      all->list[count++] = all->list[i];
  all->count = count;
  free(kept);
}
