// scans: every strategy of scans, inclusive and exclusive, from either end, in place and not, with every kind of state,
// at sizes around lanes, tiles, runs of 32 tiles and launches, against the oracle, bit for bit. It runs on any OpenCL
// device (CLREDUCE_TEST_DEVICE), and with the facts of CLREDUCE_TEST_ASSUME.

#include "program.h"

// Groups of 4 have tiles of 64: 32 of them are 2048 elements, 1024 are 65536.
static const uint64_t sizes[] = {0,    1,    2,    3,    5,    15,    16,    17,    31,   33,   48,
                                 63,   64,   65,   127,  128,  129,   241,   1009,  1023, 1024, 1025,
                                 2047, 2048, 2049, 4113, 8209, 16384, 65535, 65537, 70001};

static const char pairwise[] =
  "a part in which every pair of strategy with kind of scan, shape and kind of state occurs (default)";

// ---------------------------------------------------------------- Problems

static const clred_problem kinds[] = {
  // These depend on the order: sums of floats on the order of combination, means on the order of operands.
  {OP(SUM, FLOAT)},
  {OP(VAR, FLOAT)},
  {OP(PROD, DOUBLE)},
  {OP(MEAN, DOUBLE)},
  {OP(SUM, INT)},
  {OP(MIN, FLOAT)},
  {OP(PROD, CFLOAT)},
  {OP(ARGMAX, INT)},
  {OP(XOR, ULONG)},
  {OP(SUM, HALF)},
  {OP(STATS, FLOAT)},
  {OP(DOT, FLOAT)},
  {OP(PROD, UCHAR)},
  {.op = CLRED_OP_SUM, .type = CLRED_VECTOR(CLRED_TYPE_FLOAT, 4)},
  {OP(SUM, LONG)},
  {OP(MAX, DOUBLE), .nan = CLRED_NAN_IGNORE},
  {OP(ALL, CHAR)},
  {OP(NORM2, FLOAT)},
  {OP(SUM, USHORT), .overflow = CLRED_OVERFLOW_DETECT},
  {OP(ARGMIN, FLOAT), .nan = CLRED_NAN_IGNORE},
  {OP(SUM, FLOAT), .state = CLRED_TYPE_DOUBLE},
  {OP(AND, UINT)},
  {.op = CLRED_OP_SUM, .type = CLRED_VECTOR(CLRED_TYPE_INT, 3)},
  {OP(COUNT_NONZERO, BFLOAT16)},
  {OP(SUM, INT), .result_bits = CLRED_RESULT_OWN},
  {OP(SUM, UCHAR), .result_bits = CLRED_RESULT_32},
  {OP(MIN, CHAR), .result_bits = CLRED_RESULT_OWN},
  {OP(SUMSQ, SHORT), .result_bits = CLRED_RESULT_OWN},
  {.op = CLRED_OP_SUM, .type = CLRED_VECTOR(CLRED_TYPE_UCHAR, 4), .result_bits = CLRED_RESULT_OWN},
};

#define KINDS (sizeof kinds / sizeof *kinds)
#define ORDERED_KINDS 4

// ---------------------------------------------------------------- Strategies

// Group sizes and numbers of groups; 0: the strategy chooses.
static const struct way {
  const char *strategy;
  struct {
    unsigned group_size, groups;
  } shapes[4];
} ways[] = {
  {"scan_wide", {{4, 32}, {0, 0}, {8, 1024}, {1, 32}}},
  {"scan_reduce_then_scan", {{4, 3}, {0, 0}, {8, 64}, {1, 7}}},
  {"scan_chunked", {{0, 32}, {0, 0}, {0, 1024}, {0, 32}}},
  {"scan_blelloch", {{4, 0}, {0, 0}, {32, 0}, {1, 0}}},
  {"scan_blelloch_recursive", {{4, 0}, {0, 0}, {32, 0}, {1, 0}}},
  {"scan_host_serial", {{0, 0}, {0, 0}, {0, 0}, {0, 0}}},
};

#define WAYS (sizeof ways / sizeof *ways)

// Bits of `how`: exclusive, reversed, in place (if sizes agree), strided; above them the index of the shape.
static void add(struct combinations *all, const clred_problem *kind, size_t way, unsigned how) {
  clred_problem problem = *kind;
  oracle_result result;
  oracle_parts(kind, &result);
  problem.strategy = ways[way].strategy;
  problem.scan = how & 1 ? CLRED_SCAN_EXCLUSIVE : CLRED_SCAN_INCLUSIVE;
  problem.reversed = how >> 1 & 1;
  problem.in_place = (how >> 2 & 1) && oracle_offset(&result, result.count) == oracle_size(kind->type);
  problem.layout = how >> 3 & 1 ? CLRED_LAYOUT_STRIDED : CLRED_LAYOUT_LINE;
  problem.group_size = ways[way].shapes[how >> 4].group_size;
  problem.groups = ways[way].shapes[how >> 4].groups;
  combinations_add(all, &problem);
}

// Each kind by each way once, and the kinds that depend on the order more often, each time with another of the 64
// `how`.
static void list_some(struct combinations *all) {
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned way = 0; way < WAYS; way++)
      for (unsigned turn = 0; turn < (k < 1 ? 4 : k < ORDERED_KINDS ? 2 : 1); turn++)
        if (k < ORDERED_KINDS || (k + way) % 3 == 0)
          add(all, &kinds[k], way,
              (turn + k + way) % 4 | (turn + k / 2 + way) % 2 << 2 | (unsigned)((turn + k + way) % 4 == 1) << 3 |
                (turn + k / 3 + 3 * way) % 4 << 4);
}

static void list_all(struct combinations *all) {
  for (unsigned op = CLRED_OP_SUM; op <= CLRED_OP_STD_SAMPLE; op++)
    for (unsigned type = CLRED_TYPE_CHAR; type <= CLRED_TYPE_CDOUBLE; type++) {
      const clred_problem problem = {.op = (clred_op)op, .type = (clred_type)type};
      for (unsigned how = 0; how < 64 && oracle_defined(&problem) && op != CLRED_OP_LOGSUMEXP; how++)
        for (unsigned way = 0; way < WAYS; way++)
          add(all, &problem, way, how);
    }
  for (unsigned k = 0; k < KINDS; k++)
    for (unsigned how = 0; how < 64; how++)
      for (unsigned way = 0; way < WAYS; way++)
        add(all, &kinds[k], way, how);
}

static void list(struct combinations *all, bool full) {
  if (full)
    list_all(all);
  else
    list_some(all);
}

int main(int argc, char **argv) {
  const struct program scans = {"scans", pairwise, sizes, sizeof sizes / sizeof *sizes, false, list};
  return program_main(&scans, argc, argv);
}
