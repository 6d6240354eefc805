// bench_variants: reductions by several variants of the library, in turn in one process on the same memory: other
// kernels, read from a folder as CLREDUCE_CL_DIR has it, other numbers of groups, facts or compilers' options. For who
// changes a kernel and wants to know what it is worth before anything else changes. Results are compared with the first
// variant's; what they should be is for tests to say.
//   bench_variants [--ops add,max] [--types float,int] [--log2 20,24,28] [--runs N] [--after LOG2] [--device SEL]
//   VARIANT...
// VARIANT: FOLDER, or own for the kernels in the library, and then any of @groups=N, @group_size=N, @assume=FACT=VALUE,
// @build=OPTIONS.

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "generate.h"
#include "quantile.h"
#include "variants.h"

struct bench {
  const char *ops, *types, *sizes, *selector;
  const char *op, *type;   // that are measured
  cl_ulong runs, largest;  // elements of the largest size
  struct variants variants;
};

static const char usage[] =
  "usage: bench_variants [options] VARIANT...\n"
  "  VARIANT        FOLDER of kernels, or own for those in the library; then any of @groups=N @group_size=N "
  "@assume=FACT=VALUE @build=OPTIONS\n"
  "  --ops LIST     operators (default add,max,argmin)    --types LIST   element types (default float)\n"
  "  --log2 LIST    sizes as powers of two (default 20,24)\n"
  "  --runs N       timed runs of each variant, after 2 to warm up (default 11)    --device SEL   as in clreduce\n"
  "  --after LOG2   a call that is timed by the device's clock comes right after one of the same variant over 2^LOG2 "
  "other elements\n";

// ---- What is asked

static int take_after(struct bench *bench, const char *word) {
  cl_ulong log2_count;
  int code = variants_take_log2(word, &log2_count);
  if (code == EXIT_DONE)
    bench->variants.others = (cl_ulong)1 << log2_count;
  return code;
}

static int take_option(struct bench *bench, int letter, const char *value) {
  switch (letter) {
  case 'o':
    bench->ops = value;
    return EXIT_DONE;
  case 't':
    bench->types = value;
    return EXIT_DONE;
  case 'l':
    bench->sizes = value;
    return EXIT_DONE;
  case 'd':
    bench->selector = value;
    return EXIT_DONE;
  case 'a':
    return take_after(bench, value);
  case 'r':
    return variants_take_count(value, &bench->runs);
  case 'h':
    fputs(usage, stdout);
    exit(EXIT_DONE);
  default:
    return EXIT_BAD_USE;
  }
}

static int parse(struct bench *bench, int argc, char *argv[]) {
  static const struct option options[] = {
    {"ops", required_argument, NULL, 'o'},   {"types", required_argument, NULL, 't'},
    {"log2", required_argument, NULL, 'l'},  {"runs", required_argument, NULL, 'r'},
    {"after", required_argument, NULL, 'a'}, {"device", required_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},        {NULL, 0, NULL, 0}};
  int letter, code = EXIT_DONE;
  while (code == EXIT_DONE && (letter = getopt_long(argc, argv, "", options, NULL)) != -1)
    code = take_option(bench, letter, optarg);
  int count = argc - optind;
  if (code == EXIT_DONE && (count < 1 || count > MOST_VARIANTS || bench->runs == 0 || bench->runs > MOST_RUNS))
    code = fail(EXIT_BAD_USE, "bench_variants: give 1 to %d variants, and 1 to %d runs; see --help", MOST_VARIANTS,
                MOST_RUNS);
  for (; bench->variants.count < (size_t)count && code == EXIT_DONE; bench->variants.count++)
    code = variant_take(&bench->variants.list[bench->variants.count], argv[optind + (int)bench->variants.count]);
  return code;
}

// Microseconds a call, by the wall and (by the device's clock).
static void print_row(struct bench *bench, unsigned log2_count) {
  struct variant *first = &bench->variants.list[0];
  printf("%-10s %-8s 2^%-2u", bench->op, bench->type, log2_count);
  for (size_t i = 0; i < bench->variants.count; i++) {
    struct variant *variant = &bench->variants.list[i];
    bool same = variants_agree(variant, first);
    printf("  %9.2f (%.2f)%s", 1e6 * median(variant->wall, bench->runs), 1e6 * median(variant->device, bench->runs),
           same ? "" : " DIFFERS");
  }
  printf("\n");
  fflush(stdout);
}

// ---- Cases

// In pieces: elements are made on the host and forgotten.
static int upload(struct bench *bench, const clred_type_info *type, cl_mem to, cl_ulong count) {
  enum { PIECE = 1 << 22 };
  struct recipe recipe;
  char spec[64];
  snprintf(spec, sizeof spec, "uniform:%llu", (unsigned long long)count);
  int code = generate_parse(spec, type, &recipe);
  void *piece = malloc(PIECE * type->size);
  cl_int status = CL_SUCCESS;
  if (piece == NULL)
    return fail_memory();
  for (cl_ulong done = 0; done < count && code == EXIT_DONE && status == CL_SUCCESS; done += PIECE) {
    const cl_ulong length = count - done < PIECE ? count - done : PIECE;
    generate_piece(&recipe, piece, done, length);
    status = clEnqueueWriteBuffer(bench->variants.queue, to, CL_TRUE, done * type->size, length * type->size, piece, 0,
                                  NULL, NULL);
  }
  free(piece);
  return status == CL_SUCCESS ? code : fail_opencl("clEnqueueWriteBuffer", status, "the elements");
}

// Does `each` with every word of a list between commas.
static int each_word(struct bench *bench, const char *list, int (*each)(struct bench *bench, const char *word)) {
  char *copy = strdup(list), *rest = NULL;
  int code = copy == NULL ? fail_memory() : EXIT_DONE;
  for (char *word = copy == NULL ? NULL : strtok_r(copy, ",", &rest); word != NULL && code == EXIT_DONE;
       word = strtok_r(NULL, ",", &rest))
    code = each(bench, word);
  free(copy);
  return code;
}

static int take_size(struct bench *bench, const char *word) {
  cl_ulong log2_count;
  int code = variants_take_log2(word, &log2_count);
  if (code == EXIT_DONE && (cl_ulong)1 << log2_count > bench->largest)
    bench->largest = (cl_ulong)1 << log2_count;
  return code;
}

static int measure_size(struct bench *bench, const char *word) {
  const unsigned log2_count = (unsigned)strtoul(word, NULL, 10);
  cl_int status = variants_take_turns(&bench->variants, (cl_ulong)1 << log2_count, bench->runs);
  if (status != CL_SUCCESS)
    return fail_opencl("a reduction", status, bench->op);
  print_row(bench, log2_count);
  return EXIT_DONE;
}

static int measure_op(struct bench *bench, const char *word) {
  clred_op op = clred_op_from_name(word);
  if (op == CLRED_OP_NONE)
    return fail(EXIT_BAD_USE, "bench_variants: there is no operator '%s'", word);
  bench->op = word;
  int code = variants_plan(&bench->variants, op, clred_type_from_name(bench->type));
  if (code == EXIT_DONE)
    code = each_word(bench, bench->sizes, measure_size);
  variants_release_plans(&bench->variants);
  return code;
}

static int measure_type(struct bench *bench, const char *word) {
  clred_type_info info;
  cl_int status;
  if (clred_type_inspect(clred_type_from_name(word), &info) != CL_SUCCESS)
    return fail(EXIT_BAD_USE, "bench_variants: there is no type '%s'", word);
  bench->type = word;
  struct variants *variants = &bench->variants;
  variants->in = clCreateBuffer(variants->session.context, CL_MEM_READ_ONLY, bench->largest * info.size, NULL, &status);
  if (status == CL_SUCCESS && variants->others)
    variants->other =
      clCreateBuffer(variants->session.context, CL_MEM_READ_ONLY, variants->others * info.size, NULL, &status);
  int code = status == CL_SUCCESS ? upload(bench, &info, variants->in, bench->largest)
                                  : fail_opencl("clCreateBuffer", status, "the elements");
  if (code == EXIT_DONE && variants->others)
    code = upload(bench, &info, variants->other, variants->others);
  if (code == EXIT_DONE)
    code = each_word(bench, bench->ops, measure_op);
  variants_release_elements(variants);
  return code;
}

static int measure_all(struct bench *bench) {
  cl_int status;
  bench->variants.queue =
    clCreateCommandQueue(bench->variants.session.context, bench->variants.session.device.id, 0, &status);
  if (status == CL_SUCCESS)
    bench->variants.out =
      clCreateBuffer(bench->variants.session.context, CL_MEM_READ_WRITE, MOST_RESULT, NULL, &status);
  if (status != CL_SUCCESS)
    return fail_opencl("clCreateBuffer", status, "the result");
  printf("%s; microseconds a call, wall (device), medians of %llu runs in turn:", bench->variants.session.device.name,
         (unsigned long long)bench->runs);
  for (size_t i = 0; i < bench->variants.count; i++)
    printf(" %s", bench->variants.list[i].words);
  printf("\n");
  return each_word(bench, bench->types, measure_type);
}

int main(int argc, char *argv[]) {
  struct bench bench = {.ops = "add,max,argmin", .types = "float", .sizes = "20,24", .runs = 11};
  bench.variants.list = calloc(MOST_VARIANTS, sizeof *bench.variants.list);
  if (bench.variants.list == NULL)
    return fail_memory();
  int code = parse(&bench, argc, argv);
  if (code == EXIT_DONE)
    code = each_word(&bench, bench.sizes, take_size);
  if (code == EXIT_DONE)
    code = session_open_picked(&bench.variants.session, bench.selector, NULL);
  if (code == EXIT_DONE) {
    code = measure_all(&bench);
    variants_release(&bench.variants);
  }
  return code;
}
