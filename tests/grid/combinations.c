// Lists of problems: see combinations.h.

#include "combinations.h"

#include <clreduce_device.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/tree.h"
#include "support/device.h"

#define TYPES_MAX 32

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

static size_t list_types(clred_op op, bool full, clred_type *types) {
  clred_type_info type;
  size_t count = 0;
  for (clred_type t = 1; count < TYPES_MAX && clred_type_inspect(t, &type) == CL_SUCCESS; t++)
    if (full || (is_core(op, t) && oracle_defined(&(clred_problem){.op = op, .type = t})))
      types[count++] = t;
  return count;
}

// ---------------------------------------------------------------- The covering part

enum { STRATEGY, FINISH, OPERATOR, TYPE, FACTORS, VALUES = 64 };

// The factors of a problem as numbers. A name has the number of its place in a table of all names.
static void number(const clred_problem *problem, unsigned numbers[FACTORS]) {
  static const char *known[VALUES] = {"none"};
  const char *const names[] = {problem->strategy, problem->finish ? problem->finish : "none"};
  for (int i = STRATEGY; i <= FINISH; i++) {
    numbers[i] = 0;
    while (known[numbers[i]] && strcmp(known[numbers[i]], names[i]) != 0)
      numbers[i]++;
    known[numbers[i]] = names[i];
  }
  numbers[OPERATOR] = problem->op;
  numbers[TYPE] = problem->type;
}

// The number of pairs of factors that did not occur before. They occur if the problem is taken.
static unsigned new_pairs(const clred_problem *problem, bool takes) {
  static bool seen[FACTORS][FACTORS][VALUES][VALUES];
  unsigned numbers[FACTORS], count = 0;
  number(problem, numbers);
  for (int a = 0; a < FACTORS; a++)
    for (int b = a + 1; b < FACTORS; b++) {
      bool *pair = &seen[a][b][numbers[a]][numbers[b]];
      count += !*pair;
      *pair = *pair || takes;
    }
  return count;
}

static bool shows_the_order(const clred_problem *problem) {
  return (problem->op == CLRED_OP_SUM && problem->type == CLRED_TYPE_FLOAT) ||
         (problem->op == CLRED_OP_PROD && problem->type == CLRED_TYPE_DOUBLE);
}

// Takes the problems that show the order, and then those with the most new pairs.
static void cover(struct combinations *all) {
  bool *taken = oracle_claim(all->count, sizeof *taken);
  size_t count = 0;
  for (size_t i = 0; i < all->count; i++)
    if ((taken[i] = shows_the_order(&all->list[i].problem)))
      new_pairs(&all->list[i].problem, true);
  for (unsigned wanted = 5; wanted > 0; wanted--)
    for (size_t i = 0; i < all->count; i++)
      if (!taken[i] && new_pairs(&all->list[i].problem, false) >= wanted)
        taken[i] = new_pairs(&all->list[i].problem, true);
  for (size_t i = 0; i < all->count; i++)
    if (taken[i])
      all->list[count++] = all->list[i];
  all->count = count;
  free(taken);
}

void combinations_list(struct combinations *all, bool full) {
  clred_strategy_info info;
  clred_type types[TYPES_MAX];
  clred_op_info op;
  for (clred_op o = 1; clred_op_inspect(o, &op) == CL_SUCCESS; o++) {
    const size_t count = list_types(o, full, types);
    for (size_t t = 0; t < count; t++)
      for (size_t s = 0; clred_strategy_at(s, &info) == CL_SUCCESS; s++)
        for (size_t f = 0; reduces_lines(&info) && f < finish_count(&info); f++)
          combinations_add(
            all, &(clred_problem){.op = o, .type = types[t], .strategy = info.name, .finish = info.finishes[f]});
  }
  if (!full)
    cover(all);
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
  size_t kept = 0;
  for (size_t i = index - 1; i < all->count; i += count)
    all->list[kept++] = all->list[i];
  all->count = kept;
}
