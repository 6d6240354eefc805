// grid: every strategy with every finish, operator and type, at sizes and offsets that broke reductions before, against
// the oracle, bit for bit. It runs on any OpenCL device (CLREDUCE_TEST_DEVICE), and in slices.

#include "program.h"

static const uint64_t sizes[] = {0, 1, 2, 3, 31, 32, 33, 1000, 8000, 65535, 65536, 65537, 1000003};

static const char pairwise[] = "a part in which every pair of strategy with finish, operator and type occurs (default)";

int main(int argc, char **argv) {
  const struct program grid = {"grid", pairwise, sizes, sizeof sizes / sizeof *sizes, false, combinations_list};
  return program_main(&grid, argc, argv);
}
