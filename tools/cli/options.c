// The options of all verbs, in the order of the help.
#include "cli/options.h"

#include "cli/args.h"

enum {
  TAKES_ELEMENTS = VERB_REDUCE | VERB_SCAN | VERB_PLAN | VERB_LADDER | VERB_SELECT,
  TAKES_RESULTS = VERB_REDUCE | VERB_SCAN | VERB_PLAN | VERB_SELECT,
  TAKES_INPUT = VERB_REDUCE | VERB_SCAN | VERB_PLAN | VERB_LADDER,
  SORTS = VERB_SORT | VERB_ARGSORT,
  TAKES_DATA = TAKES_ELEMENTS | VERB_HISTOGRAM | SORTS,
  WRITES_RESULTS = TAKES_RESULTS | VERB_HISTOGRAM | SORTS,
  TAKES_PROBLEM = VERB_REDUCE | VERB_SCAN | VERB_PLAN,
  TAKES_OPERATOR = TAKES_PROBLEM | VERB_CHECK | VERB_TUNE,
  TAKES_TYPE = TAKES_INPUT | VERB_CHECK | VERB_TUNE,
  TAKES_OWN = TAKES_OPERATOR | VERB_JOIN,
  TAKES_PIECES = TAKES_OWN | VERB_SELECT,
  TAKES_DEVICE = TAKES_TYPE | VERB_SELECT | VERB_HISTOGRAM | SORTS | VERB_QUERY | VERB_BENCH,
  OPENS_DEVICE = TAKES_DEVICE | VERB_JOIN,
  ALL_VERBS = OPENS_DEVICE | VERB_LIST | VERB_SELFTEST
};

const char *const option_groups[OPTION_GROUPS] = {
  [GROUP_INPUT] = "Input",      [GROUP_ROWS] = "Rows",         [GROUP_SCAN] = "Scan",
  [GROUP_HISTOGRAM] = "Bins",   [GROUP_OPERATOR] = "Operator", [GROUP_OWN_OPERATOR] = "Your own operator",
  [GROUP_DEVICE] = "Device",    [GROUP_PLAN] = "Plan",         [GROUP_MEASURING] = "Measuring",
  [GROUP_FILES] = "Kept files", [GROUP_OUTPUT] = "Output",     [GROUP_SORT] = "Order",
};

#define TO(field) offsetof(struct args, field)
#define OWN_OPERATOR "operator,combine"

// Most rows leave out the last columns.
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

const struct option options[] = {
  {"generate", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(generate), 0, "SPEC",
   "Generate the input. SPEC is KIND:N[:SEED] or constant:N:VALUE; KIND is iota, ones, uniform, normal or wide "
   "(of very different sizes)."},
  {"type", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(type), 0, "TYPE",
   "Element type of raw, text or generated input, such as float, int or float4. Default: double for text, float if "
   "generated."},
  {"type", 0, TEXT, GROUP_INPUT, VERB_CHECK, TO(type), 0, "TYPE",
   "Element type to check the operator with. Default: float."},
  {"type", 0, TEXT, GROUP_INPUT, VERB_TUNE | VERB_BENCH, TO(type), 0, "TYPE,...",
   "Element types to measure. Default: float."},
  {"sizes", 0, TEXT, GROUP_INPUT, VERB_BENCH, TO(sizes), 0, "N,...",
   "Numbers of elements, each as N, 2^K or FIRST..LAST[:FACTOR]. A range always includes LAST; its factor is 4 if "
   "none is given. Default: from 2^10 to what fits, in factors of 4."},
  {"format", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(format), 0, "raw|npy|text",
   "What the input is. Default: the first bytes decide. If they are of no known format, the input is text if its name "
   "ends in .csv, .tsv or .txt, or if it is standard input without --type. Otherwise it is raw, and refused if it "
   "looks like lines of numbers. gzip and zstd are unpacked first, unless raw is given."},
  {"array", 0, TEXTS, GROUP_INPUT, TAKES_DATA, TO(arrays), 0, "NAME",
   "The array of an .npz archive to read. Not needed if there is only one. For several archives repeat the option in "
   "this order: INPUT, each --with, --segments, --by-key, --group or --heads. Give '' for a file that is no archive."},
  {"skip-bytes", 0, COUNT, GROUP_INPUT, TAKES_DATA, TO(skip_bytes), 0, "N",
   "Read the input as raw elements and skip its first N bytes.", .excludes = "format=npy,format=text"},
  {"column", 0, TEXTS, GROUP_INPUT, TAKES_DATA, TO(columns), 0, "NAME|K",
   "The column of text input, by its name in the header or by its number from 1. The operator count needs no column: "
   "it counts rows. Repeat the option for further inputs of the operator that come from the same file. If the operator "
   "has no further input, reduce and select give one result for each column, in a line that begins with its name."},
  {"delimiter", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(delimiter), 0, "C",
   "What separates the columns of text: a character, tab, or ' ' for any number of blanks. Default: line 1 decides."},
  {"missing", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(missing), 0, "error|skip|nan",
   "Treatment of missing values in text: fields that are empty, NA, N/A, null or NaN. error (the default): refuse "
   "them, but read NaN where numbers have it. skip: leave out the row. nan: read NaN. With skip and nan, rows may lack "
   "their last fields. An index counts rows that are left out, too."},
  {"missing-values", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(missing_values), 0, "WORD,...",
   "Further words or numbers that are missing values in text, as in -,.,None,-999. NaN stands for the NaNs of all "
   "numbers. Letter case does not matter."},
  {"header", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(header), 0, "auto|yes|no",
   "Whether the first line of text has the names of the columns. auto (the default): yes if a column is given by its "
   "name, or if some column has a name there and numbers below. If the line could be both, a note says what it is "
   "taken for."},
  {"quote", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(quote), 0, "double|none",
   "What quotes a field of text. double (the default): \". In a column that is not read, a \" that is not closed is "
   "a plain character. none: nothing."},
  {"comment", 0, TEXT, GROUP_INPUT, TAKES_DATA, TO(comment), 0, "C",
   "Skip lines of text that begin with this character, as with '#'."},
  {"each", 0, FLAG, GROUP_INPUT, VERB_REDUCE | VERB_SELECT, TO(each), 0, "",
   "Give one result for each INPUT, in lines that begin with its name, instead of one result for all of them.",
   .excludes = "generate,output,keys-output"},
  {"with", 0, TEXTS, GROUP_INPUT, TAKES_ELEMENTS, TO(with), 0, "INPUT",
   "A further input of the operator or predicate: a file or generate:SPEC. Repeat it for each, in order. dot has one."},
  {"stride", 0, COUNT, GROUP_INPUT, TAKES_RESULTS, TO(stride), 1, "N",
   "Take every N-th element of the input, starting with the first."},
  {"", 'n', COUNT, GROUP_INPUT, VERB_LADDER, TO(n), 0, "N",
   "Generate N elements instead of an input. Each is 1000.23; 1000 if elements are integers, 100 if they are "
   "integers of 8 bits. Default of N: 8000."},
  {"", 'n', COUNT, GROUP_INPUT, VERB_TUNE, TO(n), 1, "N",
   "Tune only for calls of N elements. Default: several sizes. With --textbook: generate N elements, as ladder does."},

  {"axis", 0, WHOLES, GROUP_ROWS, TAKES_PROBLEM, TO(axes), 0, "K,...",
   "The rows lie along axis K of the array. Axes count from 0, negative ones from the end. With several axes, as in "
   "0,2, a row has the elements along all of them, in C order.",
   .excludes = "stride"},
  {"keepdims", 0, FLAG, GROUP_ROWS, VERB_REDUCE | VERB_PLAN, TO(keepdims), 0, "",
   "With --axis: keep each reduced axis, with length 1, in the shape of the results.", .excludes = "scan",
   .needs = "axis"},
  {"segments", 0, TEXT, GROUP_ROWS, TAKES_PROBLEM, TO(segments), 0, "OFFSETS.npy",
   "The rows are segments. Segment i has the elements OFFSETS[i] to OFFSETS[i + 1] - 1.",
   .excludes = "by-key,group,heads,axis,stride"},
  {"by-key", 0, TEXT, GROUP_ROWS, TAKES_PROBLEM, TO(by_key), 0, "KEYS.npy|COLUMN",
   "The rows are runs of equal keys, one key for each element. COLUMN is the name or the number of a column of text "
   "input, as in city or column:city. If equal keys are not neighbours, each run is a row; --group makes one row of "
   "them.",
   .excludes = "group,heads,axis,stride"},
  {"group", 0, TEXT, GROUP_ROWS, VERB_REDUCE | VERB_PLAN, TO(group), 0, "KEYS.npy|COLUMN,...",
   "One row for each different key, wherever its elements stand, in the order of the keys. Several keys have commas "
   "between them, as in city,year.",
   .excludes = "heads,axis,stride,scan"},
  {"heads", 0, TEXT, GROUP_ROWS, TAKES_PROBLEM, TO(heads), 0, "FLAGS.npy",
   "The rows are runs that start where a flag is not 0, and at the first element. Each element has one flag.",
   .excludes = "axis,stride"},

  {"scan", 0, FLAG, GROUP_SCAN, VERB_PLAN, TO(scan), 0, "", "Plan a scan instead of a reduction."},
  {"scan", 0, FLAG, GROUP_SCAN, VERB_LADDER, TO(scan), 0, "", "Compare scans instead of reductions."},
  {"inclusive", 0, FLAG, GROUP_SCAN, VERB_SCAN | VERB_PLAN, TO(inclusive), 0, "",
   "Each result includes the element at its own place. This is the default for scans.", .needs = "scan"},
  {"exclusive", 0, FLAG, GROUP_SCAN, VERB_SCAN | VERB_PLAN, TO(exclusive), 0, "",
   "Each result covers only the elements before its place.", .excludes = "inclusive", .needs = "scan"},
  {"reverse", 0, FLAG, GROUP_SCAN, VERB_SCAN | VERB_PLAN, TO(reverse), 0, "",
   "Scan from the last element to the first.", .needs = "scan"},
  {"initial", 0, TEXT, GROUP_SCAN, VERB_SCAN, TO(initial), 0, "VALUE",
   "Start the scan with this value. It has the type of the state; for a vector or a complex number give one number for "
   "each component, separated by commas."},

  {"bins", 0, COUNT, GROUP_HISTOGRAM, VERB_HISTOGRAM, TO(bins), 1, "N", "Count in N equal bins from --low to --high."},
  {"low", 0, TEXT, GROUP_HISTOGRAM, VERB_HISTOGRAM, TO(low), 0, "VALUE",
   "The first edge. Default: the smallest element."},
  {"high", 0, TEXT, GROUP_HISTOGRAM, VERB_HISTOGRAM, TO(high), 0, "VALUE",
   "The last edge. Default: the largest element."},
  {"edges", 0, TEXT, GROUP_HISTOGRAM, VERB_HISTOGRAM, TO(edges), 0, "FILE.npy|V,V,...",
   "The edges of all bins, in increasing order. This replaces --bins, --low and --high.", .excludes = "bins,low,high"},

  {"descending", 0, FLAG, GROUP_SORT, SORTS, TO(descending), 0, "", "Sort from the largest element to the smallest."},
  {"nans", 0, TEXT, GROUP_SORT, SORTS, TO(nans), 0, "last|first",
   "Put NaNs behind or before all numbers, also with --descending. Default: last."},
  {"by", 0, TEXT, GROUP_SORT, VERB_SORT, TO(by), 0, "NAME|K",
   "Give whole lines of text, as they are, in the order of the numbers in this column. The header stays first. The "
   "column is given as for --column. Comments, and empty lines between rows, are left out.",
   .excludes = "column,generate,text,json"},

  {"op", 0, TEXT, GROUP_OPERATOR, VERB_LADDER, TO(op), 0, "OP", "The operator. Default: sum."},
  {"nan", 0, TEXT, GROUP_OPERATOR, TAKES_TYPE, TO(nan), 0, "propagate|ignore",
   "Treatment of NaN. propagate: a NaN makes the result NaN. ignore: leave NaNs out."},
  {"interpolation", 0, TEXT, GROUP_OPERATOR, VERB_REDUCE, TO(interpolation), 0, "linear|lower|higher|nearest",
   "The result of median and quantile if its position lies between two elements. linear: a double between both, as in "
   "NumPy. lower, higher, nearest: one of the elements. Default: linear."},
  {"overflow", 0, TEXT, GROUP_OPERATOR, TAKES_TYPE, TO(overflow), 0, "wrap|detect",
   "Treatment of overflow in sums and products of integers. detect: exit code 1 if the result does not fit its type."},
  {"result-type", 0, TEXT, GROUP_OPERATOR, TAKES_TYPE, TO(result_type), 0, "own|32|64",
   "Bits of results over integers. own: as many as the elements have. Narrow results wrap. Default: 64."},
  {"state", 0, TEXT, GROUP_OPERATOR, VERB_LADDER, TO(state), 0, "float|double", "Compute in this type."},
  {"state", 0, TEXT, GROUP_OPERATOR, TAKES_OPERATOR, TO(state), 0, "float|double",
   "Compute in this type. For your own operator: any type, or a list such as { float sum; ulong count; }."},
  {"state", 0, TEXT, GROUP_OPERATOR, VERB_JOIN, TO(state), 0, "TYPE", "The type of the states of your own operator.",
   .needs = OWN_OPERATOR},
  {"seed", 0, COUNT, GROUP_OPERATOR, VERB_CHECK, TO(seed), 0, "N", "Seed of the random elements. Default: 0."},

  {"operator", 0, TEXT, GROUP_OWN_OPERATOR, TAKES_OWN, TO(operator_file), 0, "FILE",
   "Read your own operator from FILE. Leave out OP.", .excludes = "nan,overflow,result-type"},
  {"combine", 0, TEXT, GROUP_OWN_OPERATOR, TAKES_OWN, TO(combine), 0, "TEXT",
   "Combine two states, a and b, in OpenCL C. Leave out OP.", .excludes = "nan,overflow,result-type"},
  {"identity", 0, TEXT, GROUP_OWN_OPERATOR, TAKES_OWN, TO(identity), 0, "TEXT", "The identity of the operator.",
   .needs = OWN_OPERATOR},
  {"lift", 0, TEXT, GROUP_OWN_OPERATOR, TAKES_OWN, TO(lift), 0, "TEXT",
   "Turn an element x into a state, in OpenCL C. The text may also use index, inputs and parameters. Default: x.",
   .needs = OWN_OPERATOR},
  {"lower", 0, TEXT, GROUP_OWN_OPERATOR, TAKES_OWN, TO(lower), 0, "TEXT",
   "Turn the last state s into the result, in OpenCL C. Default: s.", .needs = OWN_OPERATOR},
  {"element", 0, TEXT, GROUP_OWN_OPERATOR, TAKES_OWN, TO(element), 0, "TYPE",
   "Type of the elements. Default: that of the input; for check and tune, --type.", .needs = OWN_OPERATOR},
  {"result", 0, TEXT, GROUP_OWN_OPERATOR, TAKES_OWN, TO(result), 0, "TYPE",
   "Type of the result. Default: that of the state.", .needs = OWN_OPERATOR},
  {"preamble", 0, TEXT, GROUP_OWN_OPERATOR, TAKES_PIECES, TO(preamble), 0, "TEXT",
   "Functions and types that the other texts, or the predicate, use.", .needs = OWN_OPERATOR},
  {"input", 0, TEXTS, GROUP_OWN_OPERATOR, TAKES_PIECES & ~VERB_JOIN, TO(inputs), 0, "TYPE:NAME",
   "Declare a further input. --with gives its data.", .needs = OWN_OPERATOR},
  {"input", 0, TEXTS, GROUP_OWN_OPERATOR, VERB_JOIN, TO(inputs), 0, "TYPE:NAME",
   "Declare a further input, as for the partials.", .needs = OWN_OPERATOR},
  {"parameter", 0, TEXTS, GROUP_OWN_OPERATOR, TAKES_PIECES, TO(parameters), 0, "TYPE:NAME=VALUE",
   "Declare a parameter and its value.", .needs = OWN_OPERATOR},
  {"param", 0, TEXTS, GROUP_OWN_OPERATOR, TAKES_RESULTS, TO(parameter_values), 0, "NAME=VALUE",
   "Change the value of a parameter.", .needs = OWN_OPERATOR},
  {"commutative", 0, FLAG, GROUP_OWN_OPERATOR, TAKES_OWN, TO(commutative), 0, "",
   "Declare that combine(a, b) = combine(b, a). Elements may then be combined in another order.",
   .needs = OWN_OPERATOR},
  {"elementwise", 0, FLAG, GROUP_OWN_OPERATOR, TAKES_OWN, TO(elementwise), 0, "",
   "The texts of lift and combine also work on vectors, component by component.", .needs = OWN_OPERATOR},
  {"unchecked", 0, FLAG, GROUP_OWN_OPERATOR, TAKES_OPERATOR & ~VERB_CHECK, TO(unchecked), 0, "",
   "Use the operator even if a law fails. Some operators fulfil the laws only for certain elements: max with the "
   "identity 0 needs elements that are not negative.",
   .needs = OWN_OPERATOR},

  {"device", 0, TEXT, GROUP_DEVICE, (OPENS_DEVICE | VERB_SELFTEST) & ~(VERB_BENCH | VERB_REDUCE | VERB_SCAN),
   TO(device), 0, "SEL",
   "Index of the device as query prints it, or part of its name or its platform's. Default: the first GPU, else the "
   "first device."},
  {"device", 0, TEXT, GROUP_DEVICE, VERB_REDUCE | VERB_SCAN, TO(device), 0, "SEL,...|all",
   "Index of the device as query prints it, or part of its name or its platform's. Several devices, or all of them, "
   "take shares of the elements; the results have the same bits as on one device. Default: the first GPU, else the "
   "first device."},
  {"weights", 0, WHOLES, GROUP_DEVICE, VERB_REDUCE | VERB_SCAN, TO(weights), 0, "W,...",
   "With several devices: the ratio of their shares, as in 3,1. Default: equal shares."},
  {"device", 0, TEXT, GROUP_DEVICE, VERB_BENCH, TO(device), 0, "SEL,...",
   "The devices, each by its index or part of its name. Default: the first GPU, else the first device."},
  {"assume", 0, TEXT, GROUP_DEVICE, OPENS_DEVICE, TO(assume), 0, "FACT=VALUE,...",
   "Replace facts of the device. query prints their names."},
  {"trust-driver", 0, FLAG, GROUP_DEVICE, OPENS_DEVICE, TO(trust_driver), 0, "",
   "Do not try each newly compiled program on small data against the host."},

  {"strategy", 0, TEXT, GROUP_PLAN, TAKES_RESULTS | VERB_HISTOGRAM, TO(strategy), 0, "STRATEGY",
   "How to do the work. Default: auto; 'clreduce list strategies' has all."},
  {"strategy", 0, TEXT, GROUP_PLAN, VERB_BENCH, TO(strategy), 0, "NAME[+FINISH][:ORDER],...",
   "The strategies to measure. Default: auto."},
  {"strategy", 0, TEXT, GROUP_PLAN, VERB_TUNE, TO(strategy), 0, "STRATEGY,...",
   "The strategy to tune. Default: that of auto. With --textbook: one or more strategies; default: those of textbooks "
   "in which each group leaves a partial."},
  {"finish", 0, TEXT, GROUP_PLAN, TAKES_INPUT, TO(finish), 0, "host|relaunch|atomic|last_group",
   "How the partial results of the groups are combined. Default: depends on the strategy."},
  {"group-size", 0, COUNT, GROUP_PLAN, (TAKES_DATA & ~SORTS) | VERB_BENCH, TO(group_size), 1, "N",
   "Work-items per group. Default: chosen."},
  {"groups", 0, COUNT, GROUP_PLAN, (TAKES_DATA & ~SORTS) | VERB_BENCH, TO(groups), 1, "N",
   "Largest number of groups. Default: chosen."},
  {"elements", 0, COUNT, GROUP_PLAN, TAKES_INPUT, TO(elements), 1, "N",
   "Elements that each work-item combines by itself before the group combines the results. Default: chosen."},
  {"stage", 0, TEXT, GROUP_PLAN, TAKES_INPUT, TO(stage), 0, "local|registers",
   "Where a group of the strategy local_coarsened keeps its elements before it combines them. Default: local."},
  {"stop-at", 0, COUNT, GROUP_PLAN, TAKES_INPUT, TO(stop_at), 1, "N",
   "A group of the strategy hand_off stops its tree when N partials are left: 32, 64, 128, or another power of two. "
   "Default: chosen."},
  {"chunk", 0, COUNT, GROUP_PLAN, VERB_REDUCE | VERB_SCAN | VERB_SELECT | VERB_HISTOGRAM, TO(chunk), 1, "N",
   "Stream the input in chunks of at most N elements. Default: only large input is streamed."},
  {"order", 0, TEXT, GROUP_PLAN, TAKES_INPUT, TO(order), 0, "fixed|any|exact",
   "Order of the operations. fixed: the same bits on every device. any: whatever is fastest. exact: the exact result, "
   "rounded once; for sums, squares, dot, norms, means and variances of floating types."},
  {"order", 0, TEXT, GROUP_PLAN, VERB_BENCH, TO(order), 0, "fixed|any|exact",
   "The order of strategies that name none."},

  {"repeat", 0, COUNT, GROUP_MEASURING, TAKES_DATA & ~VERB_LADDER, TO(repeat), 1, "N",
   "Run N times and report the median. Default: 1."},
  {"repeat", 0, COUNT, GROUP_MEASURING, VERB_LADDER, TO(repeat), 1, "N",
   "Run each strategy N times and report the median. Default: 11, fewer for slow strategies."},
  {"textbook", 0, FLAG, GROUP_MEASURING, VERB_TUNE, TO(textbook), 0, "",
   "Try group sizes, numbers of groups and other parameters of the textbooks' strategies, in all combinations. Print "
   "every trial, and save nothing.",
   .excludes = "seconds,operator,combine"},
  {"try", 0, TEXTS, GROUP_MEASURING, VERB_TUNE, TO(tries), 0, "NAME=N,...",
   "With --textbook: the values of a parameter to try. NAME is group_size, groups, elements or stop_at. Write N as "
   "digits, 2^K or FIRST..LAST[:FACTOR]. Repeat the option for each parameter.",
   .needs = "textbook"},
  {"repeat", 0, COUNT, GROUP_MEASURING, VERB_TUNE, TO(repeat), 1, "N",
   "With --textbook: run each trial N times and report the median. Default: 11, fewer for slow trials.",
   .needs = "textbook"},
  {"repeat", 0, COUNT, GROUP_MEASURING, VERB_BENCH, TO(repeat), 1, "N",
   "Measure each row N times and report the median. Default: 21, fewer for slow rows."},
  {"calls", 0, COUNT, GROUP_MEASURING, VERB_BENCH, TO(calls), 1, "N",
   "Let the host's clock measure N calls as one. Default: as many as take 2 ms."},
  {"seconds", 0, COUNT, GROUP_MEASURING, VERB_TUNE, TO(seconds), 1, "S",
   "Measure each operator and type for about S seconds. Default: 20."},
  {"clock", 0, TEXT, GROUP_MEASURING, VERB_BENCH, TO(clock), 0, "wall|device",
   "The clock for plot and comparison. wall: the host's. device: event profiling. Default: wall."},
  {"only", 0, TEXT, GROUP_MEASURING, VERB_SELFTEST, TO(only), 0, "ABOUT,...",
   "Run only the probes about limits, memory, numbers or atomics."},

  {"cache", 0, TEXT, GROUP_FILES, OPENS_DEVICE, TO(cache), 0, "DIRECTORY|off",
   "Directory for compiled programs. Default: $CLREDUCE_CACHE_DIR, else clreduce in the user's cache directory."},
  {"tuning", 0, TEXT, GROUP_FILES, TAKES_ELEMENTS | VERB_TUNE | VERB_BENCH, TO(tuning), 0, "FILE|off",
   "File with the numbers that 'clreduce tune' measured. Default: $CLREDUCE_TUNING, else clreduce/tuning.txt in the "
   "cache directory."},

  {"indices", 0, FLAG, GROUP_OUTPUT, VERB_SELECT, TO(indices), 0, "",
   "Give the indices of the kept elements instead of the elements."},
  {"output", 0, TEXT, GROUP_OUTPUT, WRITES_RESULTS | VERB_JOIN, TO(output), 0, "FILE.npy",
   "Write the results to this file as a NumPy array. - is standard output."},
  {"text", 0, FLAG, GROUP_OUTPUT, WRITES_RESULTS | VERB_JOIN, TO(text), 0, "",
   "With --output: write text, one result a line behind its key if it has one, instead of a NumPy array. Columns are "
   "separated by commas if the file is a .csv, by tabs if it is a .tsv, else by blanks. --output - does so if standard "
   "output is a terminal.",
   .needs = "output,keys-output"},
  {"keys-output", 0, TEXT, GROUP_OUTPUT, VERB_REDUCE, TO(keys_output), 0, "FILE.npy",
   "With --by-key or --group: write the key of each row to this file; with --text as text. - is standard output.",
   .needs = "by-key,group"},
  {"partial", 0, TEXT, GROUP_OUTPUT, VERB_REDUCE, TO(partial), 0, "FILE",
   "Write a partial to this file instead of a result: what join needs to know of these elements. - is standard "
   "output.",
   .excludes = "output,text," PARTS_EXCLUDE},
  {"partial", 0, TEXT, GROUP_OUTPUT, VERB_JOIN, TO(partial), 0, "FILE",
   "Write the joined partial to this file instead of a result. - is standard output.", .excludes = "output,text"},
  {"first", 0, COUNT, GROUP_OUTPUT, VERB_REDUCE, TO(first), 0, "N",
   "With --partial: the place of the first element in the whole array. Default: 0.", .needs = "partial"},
  {"verify", 0, FLAG, GROUP_OUTPUT, WRITES_RESULTS, TO(verify), 0, "",
   "Compute the results a second time on the host and compare. Exit code 3 if a result is wrong."},
  {"csv", 0, TEXT, GROUP_OUTPUT, VERB_BENCH, TO(csv), 0, "FILE|-",
   "Write the rows to this file as comma-separated values. - is standard output and replaces the table."},
  {"plot", 0, TEXT, GROUP_OUTPUT, VERB_BENCH, TO(plot), 0, "FILE.svg|FILE.png",
   "Plot speed against size. Needs gnuplot."},
  {"plot", 0, TEXT, GROUP_OUTPUT, VERB_LADDER, TO(plot), 0, "FILE.svg|FILE.png",
   "Draw the times as bars. Needs gnuplot."},
  {"plot", 0, TEXT, GROUP_OUTPUT, VERB_TUNE, TO(plot), 0, "FILE.svg|FILE.png",
   "With --textbook: draw the times as a heat map for each strategy. Needs gnuplot.", .needs = "textbook"},
  {"compare", 0, TEXT, GROUP_OUTPUT, VERB_BENCH, TO(compare), 0, "FILE.json",
   "Compare the rows with those of an earlier --json."},
  {"fail-below", 0, TEXT, GROUP_OUTPUT, VERB_BENCH, TO(fail_below), 0, "SHARE",
   "With --compare: exit code 3 if a row has less than this share of its earlier speed. Without it, rows below 0.9 are "
   "only marked.",
   .needs = "compare"},
  {"explain", 0, FLAG, GROUP_OUTPUT, TAKES_DATA & ~(VERB_PLAN | VERB_LADDER), TO(explain), 0, "",
   "Print on standard error what was chosen and why."},
  {"explain", 0, FLAG, GROUP_OUTPUT, VERB_PLAN | VERB_LADDER, TO(explain), 0, "",
   "Add a table that counts the work of each step of the tree."},
  {"source", 0, FLAG, GROUP_OUTPUT, VERB_PLAN, TO(source), 0, "",
   "Print the kernels' source that the plan compiles, and nothing else. Its first line has the build options."},
  {"explain", 0, FLAG, GROUP_OUTPUT, VERB_SELFTEST, TO(explain), 0, "", "Print the name of each probe before it runs."},
  {"json", 0, FLAG, GROUP_OUTPUT, ALL_VERBS, TO(json), 0, "", "Print JSON.",
   .excludes = "output=-,keys-output=-,partial=-,csv=-"},
  {"quiet", 0, FLAG, GROUP_OUTPUT, ALL_VERBS & ~VERB_SELFTEST, TO(quiet), 0, "",
   "Print nothing on standard error but errors."},
  {"quiet", 0, FLAG, GROUP_OUTPUT, VERB_SELFTEST, TO(quiet), 0, "",
   "Print only faults, and nothing on standard error but errors."},
  {"help", 'h', FLAG, GROUP_OUTPUT, ALL_VERBS, TO(help), 0, "", "Print this help. -h does the same."},
  {"version", 'V', FLAG, GROUP_OUTPUT, ALL_VERBS, TO(version), 0, "", "Print the version. -V does the same."},
  {.name = NULL}};
