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
static const unsigned widths[] = {2, 3, 4, 8, 16};

#define FIRST_OP CLRED_OP_SUM
#define LAST_OP CLRED_OP_STD_SAMPLE
#define LAST_TYPE CLRED_TYPE_CDOUBLE
#define LAST_VECTOR_TYPE CLRED_TYPE_DOUBLE

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

static void add_scalars(struct combinations *all, bool full) {
  for (unsigned op = FIRST_OP; op <= LAST_OP; op++)
    for (unsigned type = CLRED_TYPE_CHAR; type <= LAST_TYPE; type++) {
      const clred_problem problem = {.op = (clred_op)op, .type = (clred_type)type};
      add_problem(all, problem, op + type, full);
    }
}

// All operators over all vector types, if `full`. Otherwise over two vector types each; operators that refuse vectors
// over one.
static void add_vectors(struct combinations *all, bool full) {
  unsigned number = 0;
  for (unsigned op = FIRST_OP; op <= LAST_OP; op++)
    for (unsigned w = 0; w < 5; w++)
      for (unsigned type = CLRED_TYPE_CHAR; type <= LAST_VECTOR_TYPE; type++) {
        const clred_problem problem = {.op = (clred_op)op, .type = CLRED_VECTOR(type, widths[w])};
        const bool is_first = w == op % 5 && type == 1 + (op * 3 + 6) % LAST_VECTOR_TYPE;
        const bool is_second = w == (op + 2) % 5 && type == 1 + (op * 3 + 1) % LAST_VECTOR_TYPE;
        if (full || is_first || (is_second && oracle_defined(&problem)))
          add_problem(all, problem, number++, full);
      }
}

// Detection of overflow: five operators over integers; refused for others.
static void add_detecting(struct combinations *all, bool full) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_NORM1, CLRED_OP_SUMSQ, CLRED_OP_DOT, CLRED_OP_PROD};
  for (unsigned o = 0; o < 5; o++)
    for (unsigned type = CLRED_TYPE_CHAR; type <= CLRED_TYPE_ULONG; type++) {
      const clred_problem problem = {.op = ops[o], .type = (clred_type)type, .overflow = CLRED_OVERFLOW_DETECT};
      if (full || type == CLRED_TYPE_LONG || type == CLRED_TYPE_ULONG || type == 1 + (o * 5 + 1) % 6)
        add_problem(all, problem, o + type, full);
    }
  add_problem(all, (clred_problem){OP(MAX, INT), .overflow = CLRED_OVERFLOW_DETECT}, 0, full);
}

// Widened states.
static void add_states(struct combinations *all, bool full) {
  unsigned number = 0;
  for (unsigned op = FIRST_OP; op <= LAST_OP; op++)
    for (unsigned type = CLRED_TYPE_CHAR; type <= LAST_TYPE; type++) {
      const clred_problem problem = {.op = (clred_op)op, .type = (clred_type)type, .state = CLRED_TYPE_DOUBLE};
      if (full || (type == 1 + op * 5 % CLRED_TYPE_BFLOAT16 && op % 2) || (type == CLRED_TYPE_FLOAT && op % 8 == 2))
        add_problem(all, problem, number++, full);
    }
  add_problem(all, (clred_problem){OP(SUM, DOUBLE), .state = CLRED_TYPE_FLOAT}, 0, full);
  add_problem(all, (clred_problem){OP(MAX, INT), .state = CLRED_TYPE_FLOAT}, 0, full);
  add_problem(all, (clred_problem){OP(STD, HALF), .state = CLRED_TYPE_FLOAT}, 0, full);
}

// Narrow results: the operators that have them over integers, and one refused. If not `full`, one type each, and
// vectors and detection once.
static void add_result_bits(struct combinations *all, bool full) {
  static const clred_op ops[] = {CLRED_OP_SUM, CLRED_OP_PROD,          CLRED_OP_MIN,   CLRED_OP_MAX, CLRED_OP_AND,
                                 CLRED_OP_XOR, CLRED_OP_NORM1,         CLRED_OP_SUMSQ, CLRED_OP_DOT, CLRED_OP_COUNT,
                                 CLRED_OP_OR,  CLRED_OP_COUNT_NONZERO, CLRED_OP_MINMAX};
  for (unsigned o = 0; o < sizeof ops / sizeof *ops; o++)
    for (unsigned type = CLRED_TYPE_CHAR; type <= CLRED_TYPE_ULONG; type++)
      for (unsigned bits = CLRED_RESULT_OWN; bits <= CLRED_RESULT_64; bits++) {
        clred_problem problem = {.op = ops[o], .type = (clred_type)type, .result_bits = (clred_result_bits)bits};
        const bool is_listed = type == 1 + o * 3 % 6 && bits == 1 + o / 2 % 2;
        if (full || is_listed)
          add_problem(all, problem, o, full);
        problem.overflow = CLRED_OVERFLOW_DETECT;
        if (oracle_defined(&problem) && (full || is_listed))
          add_problem(all, problem, o, full);
        problem.overflow = CLRED_OVERFLOW_WRAP;
        problem.type = CLRED_VECTOR(type, widths[o % 5]);
        if (oracle_defined(&problem) && (full || (is_listed && o % 4 == 0)))
          add_problem(all, problem, o, full);
      }
}

// The textbook's strategies over operators whose bits do not depend on the order, and over two that depend on it.
static void add_textbook(struct combinations *all, bool full) {
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
  (void)full;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    combinations_add(all, &rows[i]);
}

static void list(struct combinations *all, bool full) {
  add_scalars(all, full);
  add_vectors(all, full);
  add_detecting(all, full);
  add_states(all, full);
  add_result_bits(all, full);
  add_textbook(all, full);
}

int main(int argc, char **argv) {
  const struct program algebra = {"algebra", pairwise, sizes, sizeof sizes / sizeof *sizes, true, list};
  return program_main(&algebra, argc, argv);
}
