// The verbs in the order of the help.
#include "cli/verbs.h"

#include <string.h>

const struct verb verbs[] = {
  {"query", VERB_QUERY, "[options]", "Show the devices and the facts that decisions depend on",
   "Prints every platform and device, and the facts that decisions depend on.", 0, OPERAND_NONE, false, cmd_query},
  {"list", VERB_LIST, "[ops|types|strategies] [options]", "List the operators, element types and strategies",
   "Prints the operators, the element types and the strategies, or one of these tables.", 1, OPERAND_NONE, false,
   cmd_list},
  {"reduce", VERB_REDUCE, "OP[,OP]... INPUT... [options]", "Reduce an array, or each of its rows, to one result",
   "Prints one result on standard output. A result of several parts has a line 'name value' for each part. "
   "'clreduce list ops' names the operators. Several of them, as in sum,min,argmax, take one reading of the elements; "
   "each result has the bits that its operator alone gives. Several INPUTs are one range, unless --each is given. With "
   "rows (--axis, --segments, --by-key, --group or --heads) there is one result per row. Each row prints its parts in "
   "the order in which a single result prints them. --json and a terminal show their names. OP may also be median or "
   "quantile:Q[,Q...], which may stand among other operators, or top:K or bottom:K alone. top and bottom print the K "
   "largest or smallest elements, each as a line 'index value'. With --group or --axis they print one line for each "
   "row. "
   "With --partial there is no result, but a file for join.",
   OPERANDS_ANY, OPERAND_OP, true, cmd_compute},
  {"join", VERB_JOIN, "PART... [options]", "Reduce an array whose parts were reduced with --partial",
   "Reads the parts of one array, in any order: files that 'reduce --partial FILE' wrote. Prints what reduce prints "
   "for the whole array, with the same bits. Each file records its operator and its place in the array. Options "
   "define an operator of your own, as for reduce. The parts "
   "must follow each other without gaps, from element 0 on. With --partial they may begin later.",
   OPERANDS_ANY, OPERAND_NONE, true, cmd_join},
  {"scan", VERB_SCAN, "OP INPUT... --output FILE.npy [options]", "Write the result of every prefix of an array",
   "Writes an array of the input's shape. Each result covers the elements up to its place, in C order. With rows "
   "(--axis, --segments, --by-key or --heads) each row is scanned by itself.",
   OPERANDS_ANY, OPERAND_OP, true, cmd_compute},
  {"select", VERB_SELECT, "PREDICATE INPUT... [options]", "Keep the elements that fulfil a condition",
   "Prints how many elements fulfil the predicate. With --output it writes them as an array of one dimension. "
   "PREDICATE is an expression in OpenCL C, or the body of a function in braces that returns an int. It may use x, "
   "index, further inputs and parameters.",
   OPERANDS_ANY, OPERAND_PREDICATE, true, cmd_compute},
  {"histogram", VERB_HISTOGRAM, "INPUT... --bins N | --edges EDGES [options]", "Count the elements in bins",
   "Prints one line for each bin: its edges and its count. A bin includes its lower edge; the last bin also includes "
   "its upper edge. Elements outside all bins and NaNs are not counted.",
   OPERANDS_ANY, OPERAND_NONE, true, cmd_histogram},
  {"sort", VERB_SORT, "INPUT [options]", "Put the elements in order",
   "Prints the elements from the smallest to the largest, or writes them with --output. The result has one dimension, "
   "whatever the shape of the input. The sort is stable: equal elements, such as 0 and -0, keep their order, also with "
   "--descending. Complex numbers and vectors have no order.",
   1, OPERAND_NONE, true, cmd_sort},
  {"argsort", VERB_ARGSORT, "INPUT [options]", "Find the indices of the elements in order",
   "Prints the index of each element, in the order in which sort prints the elements, or writes the indices with "
   "--output. Indices count from 0 and are ulong. In arrays of several dimensions they count in C order.",
   1, OPERAND_NONE, true, cmd_sort},
  {"plan", VERB_PLAN, "OP[,OP]... INPUT... [options]", "Show what reduce or scan would run, and why",
   "Prints what reduce would run for the same arguments, or with --scan what scan would run, and why other strategies "
   "were not chosen. It takes the options of reduce, but ignores --output and --verify: it reads no elements and "
   "writes no results.",
   OPERANDS_ANY, OPERAND_OP, true, cmd_plan},
  {"ladder", VERB_LADDER, "[-n N | INPUT] [options]", "Run every strategy on the same data",
   "Prints a row for every strategy. The columns are: result, time of a whole call by the host's clock, time in "
   "kernels, number of launches, error against the exact value, speedup over the first row, efficiency (speedup / "
   "compute units), and the bound of Amdahl's law. The host's loop comes first; it reads host memory. A strategy that "
   "leaves partials has two rows: in one the device finishes them, in the other the host does. With --scan the "
   "table shows the last result of each scan, but all results are checked.",
   1, OPERAND_NONE, true, cmd_ladder},
  {"check", VERB_CHECK, "OP [options]", "Test the laws of an operator on the device",
   "Tests whether an operator fulfils the laws that reductions need: the identity changes nothing, the operator is "
   "associative, and it is commutative if it claims to be.",
   1, OPERAND_OP, false, cmd_check},
  {"tune", VERB_TUNE, "[OP[,OP]...] [options]", "Measure the best sizes of plans and keep them",
   "Measures on the device which number of groups, which group size and which way to read are fastest. It saves the "
   "faster numbers in a file. reduce, scan, select, plan, ladder and bench read this file. The bits of results do not "
   "change. With --textbook it tries the parameters that textbooks leave open instead, such as the size of a group.",
   1, OPERAND_OP, false, cmd_tune},
  {"bench", VERB_BENCH, "[OP,...] [options]", "Measure reductions at many sizes",
   "Measures reductions at many sizes, by each strategy. Their runs alternate, and every result is checked. The table "
   "has the median and the quartiles of the times. Exit code 3 if a result is wrong.",
   1, OPERAND_OP, false, cmd_bench},
  {"selftest", VERB_SELFTEST, "[options]", "Test what plans rely on",
   "Tests limits, memory, arithmetic and atomics of the device. It prints a row for each probe. If plans can avoid "
   "what failed, it prints the option --assume for other verbs, with the facts that hold. Exit code 3 if something is "
   "wrong "
   "that plans cannot avoid. Programs are not tested here: each is tried before its first result.",
   0, OPERAND_NONE, false, cmd_selftest},
  {.name = NULL}};

const struct verb *verb_find(const char *name) {
  for (const struct verb *verb = verbs; verb->name != NULL; verb++)
    if (strcmp(verb->name, name) == 0)
      return verb;
  return NULL;
}
