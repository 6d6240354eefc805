// grid: every strategy with every finish, operator and type, at sizes and offsets that broke reductions before, against
// the oracle, bit for bit. It runs on any OpenCL device (CLREDUCE_TEST_DEVICE), and in slices.

#include <stdlib.h>
#include <string.h>

#include "oracle/tree.h"
#include "program.h"

#define TYPES_MAX 32

static const uint64_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 1000, 8000, 65535, 65536, 65537, 1000003};

static const char pairwise[] = "a part in which every pair of strategy with finish, operator and type occurs (default)";

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

// Adds all strategies with all finishes, operators and types, undefined pairs included. If not `full`, adds a part in
// which every pair of strategy, finish, operator and type occurs, of operators and types that cover all kinds of
// states; and with each strategy and finish sums of float and products of double, which show the order of combination.
static void list(struct combinations *all, bool full) {
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

int main(int argc, char **argv) {
  const struct program grid = {"grid", pairwise, sizes, sizeof sizes / sizeof *sizes, false, list};
  return program_main(&grid, argc, argv);
}
