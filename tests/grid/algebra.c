// algebra: every operator over every element type, vectors included, with both policies on NaN, overflow detected or
// not, and widened states, at 30 sizes, against the oracle bit for bit and against exact values within the documented
// bounds.

#include "program.h"

static const uint64_t sizes[] = {0,    1,    2,    3,    5,    7,    15,   16,    17,    31,
                                 32,   33,   63,   64,   65,   127,  255,  256,   257,   1000,
                                 1023, 1024, 1025, 2049, 4096, 5000, 8191, 16385, 65537, 100003};

static const char pairwise[] =
  "every operator and type once, and every pair of strategy, NaN policy and vector width (default)";

static const char *const strategies[] = {"wide", "chunked"};
#define FIRST_OP CLRED_OP_SUM
#define LAST_OP CLRED_OP_STD_SAMPLE

// What all operators over all types are computed with: overflow detected or not, widened states, narrow results,
// vectors. Of `each` pairs of operator and type one is in the part. Undefined ones must be refused.
static const struct variation {
  clred_problem problem;
  unsigned width;  // of vectors; 0: scalars
  unsigned each;
} variations[] = {
#define DETECTED .overflow = CLRED_OVERFLOW_DETECT
#define INTO(bits) .result_bits = CLRED_RESULT_##bits
  {{0}, 0, 1},
  {{0}, 2, 31},
  {{0}, 3, 29},
  {{0}, 4, 23},
  {{0}, 8, 37},
  {{0}, 16, 41},
  {{DETECTED}, 0, 5},
  {{.state = CLRED_TYPE_DOUBLE}, 0, 11},
  {{.state = CLRED_TYPE_FLOAT}, 0, 61},
  {{INTO(OWN)}, 0, 13},
  {{INTO(32)}, 0, 17},
  {{INTO(64)}, 0, 19},
  {{INTO(OWN), DETECTED}, 0, 11},
  {{INTO(32), DETECTED}, 0, 13},
  {{INTO(64), DETECTED}, 0, 17},
  {{INTO(OWN)}, 2, 83},
  {{INTO(32)}, 3, 89},
  {{INTO(64)}, 4, 97},
};

static bool has_nans(clred_type type) {
  const clred_type component = oracle_component(type);
  return oracle_is_floating(component);
}

// The problem by both strategies; floating types also with both policies on NaN.
static void add_all_ways(struct combinations *all, clred_problem problem) {
  for (unsigned way = 0; way < (has_nans(problem.type) ? 4 : 2); way++) {
    problem.strategy = strategies[way & 1];
    problem.nan = way & 2 ? CLRED_NAN_IGNORE : CLRED_NAN_PROPAGATE;
    combinations_add(all, &problem);
  }
}

// The problem by one strategy and one policy. Eight successive numbers have all four pairs. Only every fourth number
// takes wide, which compilers for CPUs build three times as long.
static void add_one_way(struct combinations *all, clred_problem problem, unsigned number) {
  problem.strategy = strategies[number % 4 != 3];
  problem.nan = has_nans(problem.type) && (number >> 1 ^ number >> 2) & 1 ? CLRED_NAN_IGNORE : CLRED_NAN_PROPAGATE;
  combinations_add(all, &problem);
}

static void add_problem(struct combinations *all, clred_problem problem, unsigned number, bool full) {
  problem.strategy = strategies[0];
  if (!oracle_defined(&problem))
    combinations_add(all, &problem);
  else if (full)
    add_all_ways(all, problem);
  else
    add_one_way(all, problem, number);
}

// ---------------------------------------------------------------- The lists

static void add_variation(struct combinations *all, const struct variation *of, bool full) {
  const unsigned last_type = of->width ? CLRED_TYPE_DOUBLE : CLRED_TYPE_CDOUBLE;
  unsigned number = 0;
  for (unsigned op = FIRST_OP; op <= LAST_OP; op++)
    for (unsigned type = CLRED_TYPE_CHAR; type <= last_type; type++) {
      clred_problem problem = of->problem;
      problem.op = (clred_op)op;
      problem.type = of->width ? CLRED_VECTOR(type, of->width) : (clred_type)type;
      if (full || number++ % of->each == of->each / 2)
        add_problem(all, problem, op + type, full);
    }
}

// The textbook's strategies over operators whose bits do not depend on the order, and over two that depend on it.
static void add_textbook(struct combinations *all) {
  static const clred_problem rows[] = {
    {OP(ARGMIN, FLOAT), .strategy = "local_sequential", .finish = "relaunch", .nan = CLRED_NAN_IGNORE},
    {OP(ARGMINMAX, SHORT), .strategy = "local_coarsened", .finish = "last_group"},
    {OP(MINMAX, DOUBLE), .strategy = "hand_off", .finish = "relaunch"},
    {OP(MEAN, LONG), .strategy = "persistent", .finish = "last_group"},
    {OP(COUNT_NONZERO, HALF), .strategy = "global_interleaved", .finish = "host", .nan = CLRED_NAN_IGNORE},
    {OP(SUMSQ, INT), .strategy = "atomic"},
    {OP(ARGMAX, ULONG), .strategy = "bottom_up"},
    {OP(PROD, CFLOAT), .strategy = "top_down_mono"},
    {OP(STATS, DOUBLE), .strategy = "local_interleaved", .finish = "host", .nan = CLRED_NAN_IGNORE},
    {OP(STATS, BFLOAT16), .strategy = "host_serial"},
    {OP(DOT, FLOAT), .strategy = "host_serial", .nan = CLRED_NAN_IGNORE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    combinations_add(all, &rows[i]);
}

static void list(struct combinations *all, bool full) {
  for (size_t i = 0; i < sizeof variations / sizeof *variations; i++)
    add_variation(all, &variations[i], full);
  add_textbook(all);
}

int main(int argc, char **argv) {
  const struct program algebra = {"algebra", pairwise, sizes, sizeof sizes / sizeof *sizes, true, list};
  return program_main(&algebra, argc, argv);
}
