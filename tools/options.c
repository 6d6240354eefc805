// The table of options, in the order in which the help prints them.

#include "options.h"

#include <string.h>

#include "args.h"

enum {
  TAKES_ELEMENTS = VERB_REDUCE | VERB_SCAN | VERB_PLAN | VERB_LADDER | VERB_SELECT,
  TAKES_RESULTS = VERB_REDUCE | VERB_SCAN | VERB_PLAN | VERB_SELECT,
  TAKES_INPUT = VERB_REDUCE | VERB_SCAN | VERB_PLAN | VERB_LADDER,
  TAKES_DATA = TAKES_ELEMENTS | VERB_HISTOGRAM,
  TAKES_PROBLEM = VERB_REDUCE | VERB_SCAN | VERB_PLAN,
  TAKES_OPERATOR = TAKES_PROBLEM | VERB_CHECK | VERB_TUNE,
  TAKES_TYPE = TAKES_INPUT | VERB_CHECK | VERB_TUNE,
  TAKES_PIECES = TAKES_OPERATOR | VERB_SELECT,
  TAKES_DEVICE = TAKES_TYPE | VERB_SELECT | VERB_HISTOGRAM | VERB_QUERY | VERB_BENCH,
  ALL_VERBS = TAKES_DEVICE | VERB_LIST | VERB_SELFTEST
};

#define TO(field) offsetof(struct args, field)

const struct option options[] = {
  // Input
  {"generate", 0, TEXT, TAKES_DATA, TO(generate), 0, "SPEC",
   "make the input: KIND:N[:SEED] or constant:N:VALUE; KIND is iota, ones, uniform, normal or wide"},
  {"type", 0, TEXT, TAKES_TYPE | VERB_SELECT | VERB_HISTOGRAM | VERB_BENCH, TO(type), 0, "TYPE",
   "element type of raw or generated input, or to check with (float if not given); float4 and such are vectors; tune, "
   "bench: TYPE,..."},
  {"task", 0, TEXT, VERB_BENCH, TO(task), 0, "NAME",
   "what to measure: reduce (the default), or the library beside peers in one process: sum, small, scan, scan-rows, "
   "segments, keys, histogram; or beside its own sum: operators, axes"},
  {"sizes", 0, TEXT, VERB_BENCH, TO(sizes), 0, "N,...",
   "numbers of elements: digits, 2^K, or FIRST..LAST[:FACTOR]; default: 2^10 to what fits, by 4"},
  {"skip-bytes", 0, COUNT, TAKES_DATA, TO(skip_bytes), 0, "N", "leave out the first N bytes of raw input"},
  {"with", 0, TEXTS, TAKES_ELEMENTS, TO(with), 0, "INPUT",
   "the operator's next further input (dot: its second): a file, or generate:SPEC; one --with for each"},
  {"stride", 0, COUNT, TAKES_RESULTS, TO(stride), 1, "N",
   "take every N-th element of the input, beginning with the first"},
  {"layout", 0, TEXT, TAKES_RESULTS, TO(layout), 0, "line|strided",
   "line: neighbouring elements; strided: --stride apart, 1 if it is not given"},
  {"axis", 0, WHOLE, TAKES_PROBLEM, TO(axis), 0, "K",
   "reduce along axis K of the array, counted from 0, or from the end if negative; one result for each place; scan: "
   "every row along it by itself"},
  {"segments", 0, TEXT, TAKES_PROBLEM, TO(segments), 0, "OFFSETS.npy",
   "rows of different lengths: segment i is elements OFFSETS[i] to OFFSETS[i + 1] - 1; one result for each, or each "
   "scanned by itself"},
  {"by-key", 0, TEXT, TAKES_PROBLEM, TO(by_key), 0, "KEYS.npy",
   "runs of equal keys, of which there is one for each element: one result for each run, or each scanned by itself"},
  {"heads", 0, TEXT, TAKES_PROBLEM, TO(heads), 0, "FLAGS.npy",
   "the same with runs that begin where a flag is not 0, and with the first element"},
  {"", 'n', COUNT, VERB_LADDER | VERB_TUNE, TO(n), 0, "N",
   "ladder: as many elements of its own data, which is constant:8000:1000.23; tune: calls of N elements alone"},
  // Scans
  {"scan", 0, FLAG, VERB_PLAN | VERB_LADDER, TO(scan), 0, "", "of scans, not of reductions"},
  {"inclusive", 0, FLAG, VERB_SCAN | VERB_PLAN, TO(inclusive), 0, "",
   "each result has its own element in it, as is the default; plan: with --scan"},
  {"exclusive", 0, FLAG, VERB_SCAN | VERB_PLAN, TO(exclusive), 0, "",
   "each result is of the elements before its own; plan: with --scan"},
  {"reverse", 0, FLAG, VERB_SCAN | VERB_PLAN, TO(reverse), 0, "",
   "from the last element to the first; plan: with --scan"},
  {"initial", 0, TEXT, VERB_SCAN, TO(initial), 0, "VALUE",
   "what stands before the first element, as a value of the state's type"},
  // Selections
  {"indices", 0, FLAG, VERB_SELECT, TO(indices), 0, "", "where kept elements stand, in place of the elements"},
  // Histograms
  {"bins", 0, COUNT, VERB_HISTOGRAM | VERB_BENCH, TO(bins), 1, "N",
   "equal bins between --low and --high; bench: of task histogram, a power of two, default: 256"},
  {"low", 0, TEXT, VERB_HISTOGRAM, TO(low), 0, "VALUE", "the first edge; default: the least element"},
  {"high", 0, TEXT, VERB_HISTOGRAM, TO(high), 0, "VALUE", "the last edge; default: the greatest element"},
  {"edges", 0, TEXT, VERB_HISTOGRAM, TO(edges), 0, "FILE.npy|V,V,...",
   "in their place: the edges of all bins, each above the one before"},
  // Operator
  {"op", 0, TEXT, VERB_LADDER, TO(op), 0, "OP", "operator; default: add"},
  {"nan", 0, TEXT, TAKES_TYPE, TO(nan), 0, "propagate|ignore",
   "propagate: a NaN makes the result NaN; ignore: as if elements that are NaN were not there"},
  {"overflow", 0, TEXT, TAKES_TYPE, TO(overflow), 0, "wrap|detect",
   "of integers, add, norm1, sumsq and dot; detect: exit code 1 if the result does not fit its type"},
  {"state", 0, TEXT, TAKES_TYPE, TO(state), 0, "float|double",
   "compute in this type; with an operator of your own: any type, or a list { float sum; ulong count; }"},
  {"operator", 0, TEXT, TAKES_OPERATOR, TO(operator_file), 0, "FILE",
   "an operator of your own, read from FILE; OP is then left out"},
  {"combine", 0, TEXT, TAKES_OPERATOR, TO(combine), 0, "TEXT",
   "an operator of your own on the command line: OpenCL C in a and b; OP is then left out"},
  {"identity", 0, TEXT, TAKES_OPERATOR, TO(identity), 0, "TEXT", "its identity"},
  {"lift", 0, TEXT, TAKES_OPERATOR, TO(lift), 0, "TEXT",
   "an element as a state: OpenCL C in x, index, inputs and parameters; default: x"},
  {"lower", 0, TEXT, TAKES_OPERATOR, TO(lower), 0, "TEXT", "the last state as the result: OpenCL C in s; default: s"},
  {"element", 0, TEXT, TAKES_OPERATOR, TO(element), 0, "TYPE", "type of its elements; default: the input's"},
  {"result", 0, TEXT, TAKES_OPERATOR, TO(result), 0, "TYPE", "type of its result; default: the state's"},
  {"preamble", 0, TEXT, TAKES_PIECES, TO(preamble), 0, "TEXT", "functions and types that its texts use"},
  {"input", 0, TEXTS, TAKES_PIECES, TO(inputs), 0, "TYPE:NAME",
   "declare a further input of it; --with says where its data is"},
  {"parameter", 0, TEXTS, TAKES_PIECES, TO(parameters), 0, "TYPE:NAME=VALUE", "declare a parameter of it"},
  {"param", 0, TEXTS, TAKES_RESULTS, TO(parameter_values), 0, "NAME=VALUE", "give a parameter of it another value"},
  {"commutative", 0, FLAG, TAKES_OPERATOR, TO(commutative), 0, "", "its elements may be taken out of order"},
  {"elementwise", 0, FLAG, TAKES_OPERATOR, TO(elementwise), 0, "",
   "its lift and combine hold for vectors in place of numbers"},
  {"seed", 0, COUNT, VERB_CHECK, TO(seed), 0, "N", "choose the random elements; default: 0"},
  // Device and plan
  {"device", 0, TEXT, TAKES_DEVICE | VERB_SELFTEST, TO(device), 0, "SEL",
   "index as query prints it, or part of a device's or platform's name; default: the first GPU, else the first device; "
   "bench: SEL,..."},
  {"strategy", 0, TEXT, TAKES_RESULTS | VERB_HISTOGRAM | VERB_TUNE | VERB_BENCH, TO(strategy), 0, "NAME",
   "how to reduce or scan; default: auto; bench: NAME[+FINISH][:ORDER],..."},
  {"peers", 0, TEXT, VERB_BENCH, TO(peers), 0, "all|none|NAME,...",
   "programs to measure beside ours; default: all that were built, or that the folders of CLREDUCE_PEERS have"},
  {"variant", 0, TEXTS, VERB_BENCH, TO(variants), 0, "VARIANT",
   "bench reductions by variants in place of strategies: own, or a FOLDER of kernels, then any of @groups=N "
   "@group_size=N @assume=FACT=VALUE @build=OPTIONS; one --variant for each"},
  {"after", 0, COUNT, VERB_BENCH, TO(after), 1, "N",
   "reductions by the device's clock: read N other elements before each call"},
  {"calls", 0, COUNT, VERB_BENCH, TO(calls), 1, "N",
   "calls of one run by the wall clock; default: as many as take 2 ms; tasks: 10 on a GPU, else 1"},
  {"patience", 0, COUNT, VERB_BENCH, TO(patience), 1, "SECONDS",
   "how long a peer may take for one answer before it is left out; default: 60"},
  {"finish", 0, TEXT, TAKES_INPUT, TO(finish), 0, "NAME",
   "who folds the partials: host, relaunch, atomic or last_group; default: the strategy's own"},
  {"group-size", 0, COUNT, TAKES_DATA | VERB_BENCH, TO(group_size), 1, "N", "work-items a group; default: chosen"},
  {"groups", 0, COUNT, TAKES_DATA | VERB_BENCH, TO(groups), 1, "N", "at most so many groups; default: chosen"},
  {"elements", 0, COUNT, TAKES_INPUT, TO(elements), 1, "N",
   "elements a work-item folds before the tree; default: chosen"},
  {"chunk", 0, COUNT, VERB_REDUCE, TO(chunk), 1, "N",
   "read and fold N elements at a time, at most, whatever the size of the input; default: chosen where the input is "
   "large"},
  {"order", 0, TEXT, TAKES_INPUT, TO(order), 0, "fixed|any",
   "fixed: the same bits on every device; any: whatever is quickest"},
  {"assume", 0, TEXT, TAKES_DEVICE, TO(assume), 0, "FACT=VALUE,...",
   "facts to use in place of the device's own; query prints their names"},
  {"cache", 0, TEXT, TAKES_DEVICE, TO(cache), 0, "FOLDER|off",
   "where compiled programs are kept; default: $CLREDUCE_CACHE_DIR, or clreduce in the user's cache folder; off: "
   "nowhere"},
  {"tuning", 0, TEXT, TAKES_ELEMENTS | VERB_TUNE | VERB_BENCH, TO(tuning), 0, "FILE|off",
   "numbers that tune has measured; default: $CLREDUCE_TUNING, else clreduce/tuning.txt in the cache folder"},
  {"findings", 0, TEXT, TAKES_DEVICE | VERB_SELFTEST, TO(findings), 0, "FILE|off",
   "what selftest has found of devices; default: $CLREDUCE_FINDINGS, else clreduce/findings.txt in the cache folder"},
  {"quick", 0, FLAG, VERB_SELFTEST, TO(quick), 0, "",
   "each strategy that auto may choose, each operator and each type at least once; the default"},
  {"full", 0, FLAG, VERB_SELFTEST, TO(full), 0, "",
   "every strategy with every finish, every operator over every type, longer trials"},
  {"only", 0, TEXT, VERB_SELFTEST | VERB_BENCH, TO(only), 0, "ABOUT,...|TEXT",
   "of the probes those about limits, memory, numbers, atomics, strategies, operators, order, choices; bench: with "
   "--task, what has this text in its name"},
  {"seconds", 0, COUNT, VERB_TUNE, TO(seconds), 1, "S",
   "about how long to measure for each operator and type; default: 20"},
  // Output
  {"output", 0, TEXT, TAKES_RESULTS | VERB_HISTOGRAM, TO(output), 0, "FILE.npy",
   "write the results there, as a NumPy array"},
  {"keys-output", 0, TEXT, VERB_REDUCE, TO(keys_output), 0, "FILE.npy",
   "with --by-key: write the key of each run there"},
  {"verify", 0, FLAG, TAKES_RESULTS | VERB_HISTOGRAM, TO(verify), 0, "",
   "compute the results a second time, on the host, and compare; exit code 3 if one is wrong"},
  {"repeat", 0, COUNT, TAKES_DATA | VERB_BENCH, TO(repeat), 1, "N",
   "run so often and report medians; default: 1 (ladder: 11, bench: 21, fewer where one takes long)"},
  {"clock", 0, TEXT, VERB_BENCH, TO(clock), 0, "wall|device",
   "that plot and comparison go by, of the two that are measured: the host's (default), or the device's own"},
  {"csv", 0, TEXT, VERB_BENCH, TO(csv), 0, "FILE|-",
   "write the rows there as comma-separated values; -: standard output, in place of the table"},
  {"plot", 0, TEXT, VERB_BENCH, TO(plot), 0, "FILE.svg|.png", "draw speed over n, by gnuplot"},
  {"compare", 0, TEXT, VERB_BENCH, TO(compare), 0, "FILE.json",
   "set the rows against those that an earlier --json wrote"},
  {"from", 0, TEXT, VERB_BENCH, TO(from), 0, "FILE.json",
   "report the rows that an earlier --json wrote, and measure nothing"},
  {"fail-below", 0, TEXT, VERB_BENCH, TO(fail_below), 0, "SHARE",
   "with --compare: exit code 3 if a row has less than this share of its earlier speed; default: 0.9 is marked, no "
   "more"},
  {"explain", 0, FLAG, TAKES_DATA | VERB_SELFTEST, TO(explain), 0, "",
   "say what was chosen and why; plan, ladder: count the work of each step of the tree; selftest: name each probe as "
   "it begins"},
  {"json", 0, FLAG, ALL_VERBS, TO(json), 0, "", "print JSON"},
  {"quiet", 0, FLAG, ALL_VERBS, TO(quiet), 0, "", "nothing on standard error but errors"},
  {"help", 'h', FLAG, ALL_VERBS, TO(help), 0, "", "print this"},
  {"version", 0, FLAG, ALL_VERBS, TO(version), 0, "", "print the version"},
  {.name = NULL}};

const struct option *option_find(const char *name, size_t length, char letter) {
  for (const struct option *option = options; option->name != NULL; option++) {
    bool same_name = length > 0 && strlen(option->name) == length && memcmp(option->name, name, length) == 0;
    if (same_name || (letter != 0 && option->letter == letter))
      return option;
  }
  return NULL;
}
