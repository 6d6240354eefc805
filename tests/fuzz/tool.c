// Targets that call the tool: see fuzz.h.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/value.h"
#include "bench/bench.h"
#include "cli/verbs.h"
#include "fuzz.h"
#include "input/edges.h"
#include "input/generate.h"
#include "input/input.h"
#include "model/custom.h"
#include "operator/user_operator.h"
#include "run/partial.h"

// ---------------------------------------------------------------- baseline

// The file that bench --compare reads.

// Compares a row that is measured now with the rows of the file.
static void compare(const cJSON *baseline) {
  static struct device device = {.name = "device"};
  static const struct args args;
  const struct bench_request request = {.args = &args, .slower = 0.9};
  struct bench_row row = {.device = &device,
                          .op = "sum",
                          .type = "float",
                          .count = 1024,
                          .bytes = 4096,
                          .name = "auto",
                          .correct = true,
                          .times = {{1e-6, 1e-6, 1e-6, 21}, {1e-6, 1e-6, 1e-6, 21}}};
  const struct bench_report now = {.request = &request, .rows = &row, .count = 1};
  cJSON *document = bench_json(&now);
  bench_compare(&request, document, baseline);
  bench_print_comparison(&request, document);
  cJSON_Delete(document);
}

void target_baseline(const uint8_t *data, size_t size) {
  cJSON *baseline = NULL;
  if (FUZZ_EXIT(bench_baseline_load(fuzz_file(data, size), &baseline)) == EXIT_DONE)
    compare(baseline);
  cJSON_Delete(baseline);
}

// ---------------------------------------------------------------- containers

// A file of any kind, opened as the tool opens it: packed, an archive, an array, or raw.

enum { HELD_MAX = 1 << 20 };

// No more than HELD_MAX bytes are unpacked, however many follow.
static int load(struct input *input, const struct request *request) {
  struct progress progress;
  int code = input_open(input, request);
  if (code)
    return code;
  progress_begin(&progress, true);
  if (!input->counted)
    return input_hold(input, HELD_MAX, &progress);
  return input_bytes(input) > HELD_MAX ? EXIT_DONE : input_load(input, &progress);
}

static void open_as(const struct request *request) {
  struct input input;
  int code = FUZZ_EXIT(load(&input, request));
  PROMISE(code != EXIT_DONE || input.data == NULL || !input.counted || input_bytes(&input) <= HELD_MAX);
  input_close(&input);
}

void target_containers(const uint8_t *data, size_t size) {
  const char *name = fuzz_file(data, size);
  open_as(&(struct request){.name = name, .type = "uchar"});
  open_as(&(struct request){.name = name});
  open_as(&(struct request){.name = name, .array = "a"});
}

// ---------------------------------------------------------------- npy

// A .npy file: its header as bytes, and the whole file through the tool's reader.

static void check(const struct npy *npy) {
  uint64_t count = 1;
  bool empty = false;
  PROMISE(npy->dimensions <= NPY_DIMENSIONS_MAX && npy->size >= 1 && npy->size <= 16);
  PROMISE(npy->count <= (uint64_t)INT64_MAX / npy->size);
  for (unsigned i = 0; i < npy->dimensions; i++)
    empty = empty || npy->shape[i] == 0;
  for (unsigned i = 0; i < npy->dimensions && !empty; i++) {
    PROMISE(count <= UINT64_MAX / npy->shape[i]);
    count *= npy->shape[i];
  }
  PROMISE(npy->count == (empty ? 0 : count));
}

static void parse(const uint8_t *data, size_t size) {
  char error[NPY_ERROR_SIZE] = "";
  struct npy npy;
  if (npy_parse(data, size, &npy, error))
    check(&npy);
  else
    PROMISE(*error != '\0' && memchr(error, '\0', sizeof error) != NULL);
}

static int read_npy(struct input *input, const char *path) {
  struct progress progress;
  progress_begin(&progress, true);
  *input = (struct input){.source = &source_npy, .request = {.name = path}, .stream = {.descriptor = -1}};
  int code = stream_open(&input->stream, path);
  code = code ? code : input->source->open(input);
  return code == EXIT_DONE ? input_load(input, &progress) : code;
}

void target_npy(const uint8_t *data, size_t size) {
  struct input input;
  parse(data, size);
  int code = FUZZ_EXIT(read_npy(&input, fuzz_file(data, size)));
  PROMISE(code != EXIT_DONE || input_bytes(&input) <= size);
  input_close(&input);
}

// ---------------------------------------------------------------- number

// Numbers and values of every type, counts, generated data, lists of edges: the first byte chooses the type, the rest
// is the text.

// A value that can be read is printed so that it reads back to the same bits.
static void read_value(const clred_type_info *type, const char *text) {
  union value value = {{0}}, again = {{0}};
  char written[VALUE_TEXT_SIZE];
  if (!value_parse(type->type, text, value.bytes))
    return;
  value_text(type->type, value.bytes, written);
  for (char *space = written; (space = strchr(space, ' ')) != NULL;)
    *space = ',';
  PROMISE(value_parse(type->type, written, again.bytes));
  PROMISE(value_same(type->type, value.bytes, again.bytes));
}

static void generate(const clred_type_info *type, const char *text) {
  struct recipe recipe;
  union value piece[3];
  if (FUZZ_EXIT(generate_parse(text, type, &recipe)) == EXIT_DONE && recipe.count > 0)
    generate_piece(&recipe, piece, recipe.count - 1, 1, NULL);
}

static void take_edges(const clred_type_info *type, const char *text) {
  const struct args args = {.edges = text};
  struct edges edges;
  FUZZ_EXIT(edges_take(&edges, &args, type));
  edges_release(&edges);
}

void target_number(const uint8_t *data, size_t size) {
  clred_type_info type, row;
  uint64_t count;
  size_t types = 0;
  if (size == 0)
    return;
  while (clred_type_inspect((clred_type)(types + 1), &row) == CL_SUCCESS)
    types++;
  clred_type_inspect((clred_type)(data[0] % types + 1), &row);
  static const cl_uint widths[] = {1, 1, 2, 3, 4, 8, 16};
  if (clred_type_inspect(CLRED_VECTOR(row.type, widths[data[0] / types % 7]), &type) != CL_SUCCESS)
    type = row;
  char *text = fuzz_text(data + 1, size - 1);
  read_value(&type, text);
  count_parse(text, strlen(text), &count);
  generate(&type, text);
  type_of_either(text, &row);
  if (type.components == 1 && !type.is_complex && strstr(text, ".npy") == NULL)
    take_edges(&type, text);
  free(text);
}

// ---------------------------------------------------------------- operator_file

// An operator file: the tool reads it, and the library checks the operator as far as it can without a compiler.

static void offer(struct user_operator *user) {
  struct clr_custom custom;
  struct clr_status status = {0};
  user_operator_resolve(user, "float");
  cl_int err = clr_custom_make(&user->made, &custom, &status);
  PROMISE(err == CL_SUCCESS || status.message[0] != '\0');
  clr_custom_release(&custom);
  if (err != CL_SUCCESS)
    PROMISE(FUZZ_EXIT(user_operator_failed(user, err, status.message)) != EXIT_DONE);
}

void target_operator_file(const uint8_t *data, size_t size) {
  static const struct verb reduce = {.name = "reduce", .bit = VERB_REDUCE};
  const struct args args = {.verb = &reduce, .operator_file = fuzz_file(data, size)};
  struct user_operator user;
  if (FUZZ_EXIT(user_operator_take(&user, &args)) == EXIT_DONE)
    offer(&user);
  user_operator_release(&user);
}

// ---------------------------------------------------------------- partial

// A file of a partial: the tool reads it, and sets the operator and the problem that the file names. It is read
// again with options that define an operator.

static void read_as_file(const uint8_t *data, size_t size, bool own) {
  static const struct verb join = {.name = "join", .bit = VERB_JOIN};
  struct args args = {.verb = &join};
  if (own) {
    args.combine = "a + b";
    args.identity = "0";
    args.inputs = (struct texts){{"float:w"}, 1};
  }
  struct partial_file file;
  struct job job;
  job_begin(&job, &args);
  int code = FUZZ_EXIT(partial_file_read(&file, fuzz_file(data, size)));
  if (!code) {
    PROMISE(file.packed + file.packed_size == (const unsigned char *)file.bytes + size);
    code = FUZZ_EXIT(partial_take_problem(&job, &args, &file));
  }
  PROMISE(code != EXIT_DONE || job.operation.name != NULL);
  job_close(&job);
  partial_file_release(&file);
}

void target_partial(const uint8_t *data, size_t size) {
  read_as_file(data, size, false);
  read_as_file(data, size, true);
}

// ---------------------------------------------------------------- text

// Text of one or two columns, of numbers or words, read as a whole and in pieces. The first byte chooses the options,
// the rest is the text.

enum { MOST = 1 << 12, PIECE = 3 };

static const char *const types[] = {NULL, "float", "half", "long", "uchar"};
static const char *const columns[] = {NULL, "1", "2", "a"};
static const char *const delimiters[] = {NULL, ",", " ", "tab"};
static const char *const missing[] = {NULL, "skip", "nan"};

static struct request request_of(const char *name, unsigned choice) {
  static const clred_type_info numbers = {.type = CLRED_TYPE_UINT, .name = "uint", .size = 4, .components = 1};
  if (choice >= 240)
    return (struct request){
      .name = name, .format = "text", .column = columns[choice % 4], .use = TEXT_WORDS, .otherwise = &numbers};
  return (struct request){.name = name,
                          .format = "text",
                          .type = types[choice % 5],
                          .column = columns[choice / 5 % 4],
                          .text = {.delimiter = delimiters[choice / 20 % 4], .missing = missing[choice / 80 % 3]}};
}

// Reads at most MOST elements, `piece` at a time.
static int read_text(const struct request *request, uint64_t piece, unsigned char *elements, uint64_t *count) {
  struct input input;
  uint64_t got = piece, size = 0;
  *count = 0;
  int code = input_open(&input, request);
  while (!code && got == piece && *count + piece <= MOST) {
    size = input.type.size;
    code = input_read(&input, elements + *count * size, piece, &got);
    PROMISE(got <= piece);
    *count += got;
  }
  input_close(&input);
  *count *= size;
  return code;
}

void target_text(const uint8_t *data, size_t size) {
  static unsigned char whole[8 * MOST], pieces[8 * MOST];
  uint64_t count, again;
  if (size == 0)
    return;
  const struct request request = request_of(fuzz_file(data + 1, size - 1), data[0]);
  int code = FUZZ_EXIT(read_text(&request, MOST, whole, &count));
  int code_again = FUZZ_EXIT(read_text(&request, PIECE, pieces, &again));
  // Pieces may stop before an error that lies behind MOST elements.
  PROMISE(code == code_again || again / 8 + PIECE >= MOST / 8);
  PROMISE(code || code_again || memcmp(whole, pieces, again < count ? again : count) == 0);
}
