// The manual in roff: the tables of verbs and options, the prose below, and the examples of docs/tool.md. Lines are
// filled by the reader's program, except in the examples.
#include <clreduce.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"

enum { MANUAL_ITEMS_MAX = 20 };

struct manual_item {
  const char *term;  // NULL: the text is a paragraph
  const char *text;
};

struct manual_section {
  const char *title;
  struct manual_item items[MANUAL_ITEMS_MAX];  // ended by a text that is NULL
};

static const char manual_name[] = "reduce, scan and count arrays of numbers on any OpenCL device";

static const char manual_description[] =
  "clreduce computes a sum, a product, a minimum or maximum and its place, a mean, a variance, a norm, or the result "
  "of your own operator, over an array or over each of its rows. A result has the same bits on every device, unless "
  "--order any is given or the operator is logsumexp.";

static const struct manual_section manual_sections[] = {
  {"INPUT",
   {{"FILE.npy",
     "A NumPy array of format 1, 2 or 3, in C or Fortran order and either byte order. All elements are used; "
     "indices count in C order, or along the axis with --axis. bool is read as uchar, 0 or 1. Of a structured array "
     "save one field: numpy.save(FILE, x['name'])."},
    {"FILE.npz", "The only array of the archive, or the one that --array names."},
    {"FILE.csv, FILE.tsv, FILE.txt",
     "Text: the column that --column names by its header or its number, or the only one. Elements are double, or what "
     "--type says. The delimiter and the header are found. Fields may be quoted. A value that is missing or no number "
     "is refused with its line and column, but see --missing."},
    {"FILE",
     "Raw elements. --type is required. --skip-bytes N skips a header. Lines of numbers need --format text or raw."},
    {"-", "Standard input, which may be any of these. It is text if it begins like nothing known and there is no "
          "--type."},
    {"--generate KIND:N[:SEED]",
     "N elements that have the same bits on every machine. iota: 0, 1, 2, ... ones: 1. uniform: 0 to 1 for floating "
     "types, the whole range for integers. normal: a sum of uniforms. wide: magnitudes over many binades, both signs."},
    {"--generate constant:N:VALUE", "N times the same value."},
    {"INPUT INPUT ...",
     "Several files are one range: their elements in the order of the command line, of one type. Arrays are joined "
     "along axis 0. In JSON, files has their names. With --operator or --combine, the operator's name comes before "
     "them. With --each there is one result for each file instead."},
    {NULL,
     "The first bytes of a file decide. Its name decides only if they are of no known format. Files packed by gzip or "
     "zstd are unpacked while they are read; then the unpacked bytes decide. For a .npy file, --type must be the type "
     "of its elements. --format raw takes all bytes as they are."}}},
  {"TYPES",
   {{NULL,
     "char, uchar, short, ushort, int, uint, long, ulong, half, float, double, bfloat16; the complex types cfloat "
     "and cdouble; and vectors such as float4. NumPy's names (int8 to float64, complex64, complex128; i1 to f8, c8, "
     "c16) are accepted, too. A name that exists in both, such as int8, is NumPy's."}}},
  {"ROWS",
   {{NULL,
     "--axis, --segments, --by-key, --group and --heads divide an array into rows. Indices in results count within the "
     "row, but with --group in the whole input."},
    {"--axis", "With several axes, a row has the elements along all of them in C order, and indices count in it. Axes "
               "that are not adjacent are first brought together on the host. median, quantile, top and bottom take at "
               "most 65536 rows."},
    {"--segments", "OFFSETS.npy has uint32, int32, uint64 or int64 offsets, one more than there are segments. An empty "
                   "segment gives the identity. Elements before the first offset, and from the last one on, are in no "
                   "segment; a scan writes 0 for them."},
    {"--by-key", "KEYS.npy has integers, float32 or float64. column:NAME reads that column of INPUT: numbers if the "
                 "first key is one, else text. double:NAME and text:NAME do not look at the first key. A name alone "
                 "is a column if there is no such file. Two keys are equal if == says so; each NaN is a run by itself. "
                 "A note says if equal keys stand apart. reduce prints each result after its key; with --json the "
                 "member named keys is a list of them, unless --keys-output writes them."},
    {"--group", "Keys as for --by-key. A group has its elements in their order, and the bits that they have alone. "
                "Rows come in the order of the keys: numbers by value, NaN last as one group, text by its bytes. "
                "city,year groups by both keys; there may be four. There are at most 16777216 groups; median, "
                "quantile, top and bottom take 65536. All elements and keys must fit into one buffer each."},
    {"--heads", "FLAGS.npy has bool, uint8 or int8."}}},
  {"NUMBERS",
   {{"var, var_sample, std, std_sample",
     "If the mean is much larger than the deviation, digits are lost: of floats with a mean of 100000 and a deviation "
     "of 1, about 7 are right. --state double keeps all of a float."},
    {"--combine",
     "Your own operator computes in the type of the elements, so that integers wrap. --state names another type."},
    {"PREDICATE, --lift",
     "Constants are those of C. 0.7 is a double, which no float equals: write 0.7f for float elements. 1 / 2 is 0."},
    {"--edges, --low, --high", "Bins of float elements have edges that are rounded to float."},
    {"--missing skip",
     "Places, as of argmin, top:K and select --indices, count all rows. The word index in a text of yours, and places "
     "within runs and segments, count the rows that are left."}}},
  {"LARGE INPUT",
   {{NULL,
     "reduce, scan, select and histogram read an input chunk by chunk if it is larger than one buffer of the device, "
     "or if --chunk is given. reduce and histogram do so for files above 256 MiB and for standard input above 64 MiB, "
     "too, scan and select for all input above 8 MiB. Memory does not grow with the input, and the bits are the same. "
     "With --verify or --repeat only an input that no buffer holds is streamed. Of streams only reductions are "
     "verified."},
    {NULL,
     "A stream takes all elements in the order of the file: no rows, no strides, no arrays in Fortran order. reduce "
     "needs the strategy wide or chunked. scan needs a strategy of fixed order and an operator of the library that "
     "gives one number, and goes from the first element to the last. A predicate of select must not use index. "
     "Anything else must fit into one buffer."},
    {NULL,
     "If histogram takes a range from the data, it reads a streamed file twice. A pipe is read only once: give --low "
     "and --high."},
    {NULL,
     "A file named by --output gets its place after the last chunk. A pipe, or standard output, gets all results after "
     "the last chunk, from a temporary file in $TMPDIR or /tmp."},
    {NULL, "In the JSON of a stream, chunk is the number of elements taken at a time, kernel_seconds the sum over all "
           "chunks, wall_seconds the time from the first byte read to the result, and passes counts all launches."}}},
  {"PARTS",
   {{NULL,
     "reduce --partial FILE writes what join needs to know of a part of an array. --first is the place of the part's "
     "first element in the array; the array's length need not be known. Parts may be reduced on other devices and "
     "machines, and joined in any order, also in several steps. The result has the bits of one run over the whole "
     "array. Indices are places in the array."},
    {NULL, "reduce --device 0,1 or --device all reduces on several devices together, with the bits of one. Input, "
           "which must fit into memory, is cut into equal shares, but up to 128 MiB go to one device. The JSON has "
           "devices: the share of each."},
    {NULL,
     "mpirun -n 8 clreduce-mpi reduce OP INPUT... does the same on ranks of MPI, if it was built. Each rank reads only "
     "its share of the files, which are .npy or raw; rank 0 prints. The JSON has ranks. Options that --partial "
     "excludes are refused, and so are --stride and --chunk."},
    {NULL,
     "Each file has a line of text, which says what it is of, and then bytes. For an operator of your own, give join "
     "the options that define it."}}},
  {"VERIFICATION",
   {{NULL,
     "--verify computes the results again on the host and compares bits. If the order of operations is free, or exp "
     "and log take part, it compares with an error bound instead. For your own operator a single work-item of the "
     "device computes the second result. logsumexp is verified for reductions and for scans of up to 8192 "
     "elements, but not for streams."}}},
  {"ONE RESULT A FILE OR COLUMN",
   {{NULL,
     "With --each, each line begins with the name of its file and has all parts of a result. With several --column of "
     "an operator that has no further input, it begins with the column, as the option has it; the text is read once "
     "for each column, and --missing skip leaves out what this column lacks. A name, or a key of text, that is empty "
     "or has blanks, control characters, quotes or any of , ; | stands in double quotes, with "
     "each quote of its own twice. With --json there is a list of objects, each with the member file or column. Lines "
     "wait until all are done: if one is bad, nothing is printed. Standard input is kept in a temporary file in "
     "$TMPDIR or /tmp if several columns need it again."}}},
  {"FILES",
   {{"clreduce in $XDG_CACHE_HOME or $HOME/.cache",
     "Compiled programs, at most 256 MiB. The directory may be removed at any time. A file that is damaged, of another "
     "version, or not the user's is ignored. --cache names another directory."},
    {"clreduce/tuning.txt in the same place", "What tune measured. --tuning names another file."}}},
  {"ENVIRONMENT",
   {{"CLREDUCE_CACHE_DIR, CLREDUCE_TUNING", "Defaults for --cache and --tuning; off keeps nothing."},
    {"CLREDUCE_TRUST_DRIVER", "If set, and not to 0: as --trust-driver."},
    {"CLREDUCE_TRIAL_SECONDS",
     "How long a driver may take for one step of a trial before it counts as hanging. Default: 600."},
    {"NO_COLOR, TERM", "No colour on a terminal if NO_COLOR is set, or if TERM is dumb or not set."}}},
  {"EXIT STATUS",
   {{"0", "Success."},
    {"1", "The work failed: a file, an OpenCL call, memory, or an overflow that was to be detected."},
    {"2", "Wrong usage, bad input, or a combination that is refused."},
    {"3", "A check found a wrong result. The result is printed all the same."},
    {NULL, "With 1 and 2, one line on standard error says what is wrong, and standard output is empty."}}},
  {.title = NULL}};

extern const char docs_tool_md[];  // docs/tool.md; the build embeds it

// Escapes hyphens, so that they can be copied, backslashes, and dots and quotes at the start of a line, which roff
// would read as requests.
static void print_escaped(const char *text) {
  bool line_start = true;
  for (; *text != '\0'; text++) {
    if (line_start && (*text == '.' || *text == '\''))
      printf("\\&");
    printf(*text == '-' ? "\\-" : *text == '\\' ? "\\e" : "%c", *text);
    line_start = *text == '\n';
  }
}

static void print_line(const char *before, const char *text, const char *after) {
  printf("%s", before);
  print_escaped(text);
  printf("%s", after);
}

static void print_verbs(void) {
  printf(".SH SYNOPSIS\n.nf\n");
  for (const struct verb *verb = verbs; verb->name != NULL; verb++) {
    print_line("\\fBclreduce ", verb->name, "\\fR ");
    print_line("", verb->operands, "\n");
  }
  printf(".fi\n.SH DESCRIPTION\n");
  print_escaped(manual_description);
  printf("\n");
  for (const struct verb *verb = verbs; verb->name != NULL; verb++) {
    print_line(".TP\n.B ", verb->name, "\n");
    print_line("", verb->about, "\n");
  }
}

static void print_option_name(const struct option *option) {
  char name[32];
  if (*option->name == '\0')
    snprintf(name, sizeof name, "-%c", option->letter);
  else
    snprintf(name, sizeof name, "--%s", option->name);
  print_line(".TP\n\\fB", name, "\\fR");
  if (*option->value != '\0')
    print_line(" \\fI", option->value, "\\fR");
  printf("\n");
}

static void print_verbs_of(const struct option *option) {
  const char *before = "(";
  bool all = true;
  for (const struct verb *verb = verbs; verb->name != NULL; verb++)
    all = all && (option->verbs & verb->bit) != 0;
  for (const struct verb *verb = verbs; verb->name != NULL && !all; verb++)
    if ((option->verbs & verb->bit) != 0) {
      printf("%s%s", before, verb->name);
      before = ", ";
    }
  printf(all ? "(all verbs)\n" : ")\n");
}

static void print_options(void) {
  printf(".SH OPTIONS\nEach option names in parentheses the verbs that take it.\n");
  for (unsigned group = 0; group < OPTION_GROUPS; group++) {
    printf(".SS %s\n", option_groups[group]);
    for (const struct option *option = options; option->name != NULL; option++)
      if (option->group == group) {
        print_option_name(option);
        print_line("", option->summary, "\n");
        print_verbs_of(option);
      }
  }
}

static void print_section(const struct manual_section *section) {
  printf(".SH %s\n", section->title);
  for (const struct manual_item *item = section->items; item->text != NULL; item++) {
    if (item->term != NULL)
      print_line(".TP\n.B ", item->term, "\n");
    else
      printf(".PP\n");
    print_line("", item->text, "\n");
  }
}

// ---- Examples

static const char command_mark[] = "    $ ", output_mark[] = "    ", title_mark[] = "### ", page_mark[] = "## ";

static bool begins_with(const char *line, const char *mark) {
  return strncmp(line, mark, strlen(mark)) == 0;
}

// A line up to its end, without its first characters and without the marks of code.
static void print_part(const char *before, const char *line, size_t skipped, char mark) {
  char text[256];
  size_t length = 0;
  for (const char *at = line + skipped; *at != '\n' && *at != '\0' && length < sizeof text - 1; at++)
    if (*at != mark)
      text[length++] = *at;
  text[length] = '\0';
  print_line(before, text, "\n");
}

// Prints the commands and the paragraphs before them, without the output. The examples end where the next page begins.
static void print_examples(void) {
  const char *line = strstr(docs_tool_md, "\n### ") + 1;
  bool in_commands = false, in_text = false;
  printf(".SH EXAMPLES\n");
  for (; *line != '\0' && !begins_with(line, page_mark); line += strcspn(line, "\n"), line += *line != '\0') {
    const bool title = begins_with(line, title_mark), command = begins_with(line, command_mark), blank = *line == '\n';
    const bool text = !title && !blank && !begins_with(line, output_mark);
    if (in_commands && blank)
      printf(".RE\n.fi\n");
    if (title)
      print_part(".SS ", line, strlen(title_mark), '`');
    else if (command)
      print_part(in_commands ? "" : ".nf\n.RS 2\n", line, strlen(command_mark), '\0');
    else if (text)
      print_part(in_text ? "" : ".PP\n", line, 0, '`');
    in_commands = command || (in_commands && !blank);
    in_text = text;
  }
}

void man_page_print(void) {
  printf(".TH CLREDUCE 1 \"\" \"clreduce %s\" \"User Commands\"\n.SH NAME\n", clred_version());
  print_line("clreduce \\- ", manual_name, "\n");
  print_verbs();
  print_options();
  for (const struct manual_section *section = manual_sections; section->title != NULL; section++)
    print_section(section);
  print_examples();
}
