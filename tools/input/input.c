// Chooses the source of an input, and does what all sources share.
#include "input/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/guess.h"
#include "base/value.h"
#include "base/wrap.h"
#include "cli/verbs.h"
#include "input/reorder.h"

struct text_options text_options_of(const struct args *args) {
  return (struct text_options){.delimiter = args->delimiter,
                               .missing = args->missing,
                               .missing_values = args->missing_values,
                               .header = args->header,
                               .quote = args->quote,
                               .comment = args->comment,
                               .quiet = args->quiet};
}

int input_check_text_options(const struct args *args, bool text, size_t columns_left) {
  const char *option = args_given(args, "column,delimiter,missing,missing-values,header,quote,comment", 0);
  if (!text && option != NULL)
    return fail(EXIT_BAD_USE, "--%s: the input is not text; leave it out, or give --format text", option);
  if (columns_left > 0)
    return fail(EXIT_BAD_USE, "--column %s: no input is left for it; leave it out",
                args->columns.list[args->columns.count - columns_left]);
  return EXIT_DONE;
}

int input_check_text_alone(const struct args *args, const struct input *input) {
  return input_check_text_options(args, input_is_text(input), args->columns.count > 1 ? args->columns.count - 1 : 0);
}

// True for operators that may stand in a list with others.
static bool is_operator(const char *name) {
  return clred_op_from_name(name) != CLRED_OP_NONE || list_has("median,quantile", ',', name, strcspn(name, ":"));
}

// Someone may give a column or a further operator where further files are expected.
static int check_files(const struct request *request) {
  for (size_t i = 0; i < request->name_count && request->name_count > 1; i++) {
    const char *name = request->names[i];
    if (strpbrk(name, "./") != NULL || strcmp(name, "-") == 0 || access(name, F_OK) == 0)
      continue;
    if (is_operator(name))
      return fail(EXIT_BAD_USE, "%s: is no file; several operators stand in one list, as in sum,%s", name, name);
    return fail(EXIT_WORK_FAILED, "%s: cannot open: %s; for a column of text give --column %s", name, strerror(errno),
                name);
  }
  return EXIT_DONE;
}

int input_choose(const struct args *args, struct request *request) {
  size_t count;
  const char *const *names = args_inputs(args, &count);
  *request = (struct request){.name = args_input(args),
                              .names = names,
                              .name_count = count,
                              .generate = args->generate,
                              .type = args->type,
                              .format = args->format,
                              .array = texts_at(&args->arrays, 0),
                              .field = texts_at(&args->fields, 0),
                              .skip_bytes = args->skip_bytes,
                              .column = texts_at(&args->columns, 0),
                              .text = text_options_of(args)};
  if (request->name == NULL && request->generate == NULL)
    return fail(EXIT_BAD_USE, "%s: INPUT is missing; give a file, - for standard input, or --generate KIND:N",
                args->verb->name);
  if (request->name != NULL && request->generate != NULL)
    return fail(EXIT_BAD_USE, "%s: both the input '%s' and --generate; give one", args->verb->name, request->name);
  return check_files(request);
}

int input_open(struct input *input, const struct request *request) {
  *input = (struct input){.request = *request, .stream = {.descriptor = -1}};
  bool chosen = request->table != NULL || request->name_count > 1;
  int code = chosen ? EXIT_DONE : source_choose(input);
  if (chosen)
    input->source = request->table != NULL ? &source_text : &source_files;
  return code ? code : input->source->open(input);
}

int input_load(struct input *input, struct progress *progress) {
  if (input->data != NULL)
    return EXIT_DONE;
  int code = input->source->load(input, progress);
  stream_close(&input->stream);
  return code;
}

int input_hold(struct input *input, uint64_t most, struct progress *progress) {
  if (input->source->hold != NULL)
    return input->source->hold(input, most, progress);
  int code = stream_read_pages(&input->stream, most, &input->data, &input->held, progress);
  if (code || input->held == most)
    return code;
  stream_close(&input->stream);
  return input->source->count(input, input->held);
}

bool input_is_long_text(const struct input *input, uint64_t bytes) {
  return input->table != NULL && input->stream.sized && input->stream.left > bytes;
}

int input_read_bytes(struct input *input, void *to, uint64_t size, uint64_t *got) {
  uint64_t left = input->held - input->given, held = left < size ? left : size;
  if (held > 0)
    memcpy(to, (const char *)input->data + input->given, (size_t)held);
  input->given += held;
  int code = stream_read(&input->stream, (char *)to + held, size - held, got, NULL);
  *got += held;
  return code;
}

int input_read(struct input *input, void *to, uint64_t count, uint64_t *got) {
  int code = input->source->read(input, to, count, got);
  if (!code)
    input->taken += *got;
  return code;
}

bool input_is_text(const struct input *input) {
  return input->source == &source_text || (input->source == &source_files && input->files.text);
}

bool input_can_read_again(const struct input *input) {
  struct stat status;
  const char *name = input->request.name;
  if (input->source == &source_files)
    return input->files.again;
  return input->source == &source_generated ||
         (name != NULL && strcmp(name, "-") != 0 && stat(name, &status) == 0 && S_ISREG(status.st_mode));
}

bool input_is_sequential(const struct input *input) {
  if (input->source == &source_files)
    return input->files.sequential;
  return input->source != &source_npy || !input->npy.fortran || input->npy.dimensions < 2;
}

const char *input_name(const struct input *input) {
  if (input->source == &source_files)
    return input->member;
  return input->request.name != NULL ? input->request.name : input->request.generate;
}

bool input_is_in_file(const struct input *input) {
  bool as_they_are =
    input->source == &source_raw || (input->source == &source_npy && !input->npy.swapped && input->npy.kind != 'b');
  return as_they_are && input_is_sequential(input) && input->stream.sized && input->counted && input->count > 0;
}

bool input_is_in_files(const struct input *input) {
  return input->source == &source_files ? input->files.in_files && input->count > 0 : input_is_in_file(input);
}

void input_close(struct input *input) {
  stream_close(&input->stream);
  if (input->source != NULL && input->source->close != NULL)
    input->source->close(input);
  free(input->data);
  free(input->member);
  free(input->gaps.list);
  input->gaps = (struct text_gaps){.list = NULL};
  input->data = input->member = NULL;
}

int input_reorder(struct input *input, const uint64_t *shape, unsigned dimensions, const unsigned *order) {
  void *ordered = pages_allocate(input_bytes(input));
  if (ordered == NULL)
    return fail_memory();
  reorder_axes(input->data, ordered, shape, dimensions, order, input->type.size);
  free(input->data);
  input->data = ordered;
  return EXIT_DONE;
}

uint64_t input_bytes(const struct input *input) {
  return input->count * input->type.size;
}

// A line of several files counts its elements, because text is counted late.
static bool has_shape(const struct input *input) {
  return input->source == &source_npy || (input->source == &source_files && input->npy.dimensions > 1);
}

unsigned input_dimensions(const struct input *input) {
  return has_shape(input) ? input->npy.dimensions : 1;
}

uint64_t input_length(const struct input *input, unsigned dimension) {
  return has_shape(input) ? input->npy.shape[dimension] : input->count;
}

clred_type_info input_opaque_type(const char *name) {
  return (clred_type_info){.type = CLRED_TYPE_NONE, .name = name, .size = 1, .components = 1};
}

const char *input_guess_type(struct guess *guess, const char *word) {
  clred_type_info row;
  guess_begin(guess, word);
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &row) == CL_SUCCESS; i++) {
    guess_offer(guess, row.name);
    guess_offer(guess, row.numpy_name);
  }
  return guess->text;
}

static int unknown_type(const char *name) {
  char list[320] = " give one of";
  clred_type_info row;
  struct guess guess;
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &row) == CL_SUCCESS; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), " %s", row.name);
  strcat(list, ", or a vector such as float4");
  input_guess_type(&guess, name);
  return fail(EXIT_BAD_USE, "unknown type '%s';%s", name, guess_or(&guess, list));
}

int input_take_type(struct input *input, clred_type otherwise) {
  const struct request *request = &input->request;
  if (request->type != NULL)
    return type_of_either(request->type, &input->type) ? EXIT_DONE : unknown_type(request->type);
  if (request->otherwise != NULL) {
    input->type = *request->otherwise;
    input->unsized = input->type.type == CLRED_TYPE_NONE;
    return EXIT_DONE;
  }
  if (otherwise == CLRED_TYPE_NONE)
    return fail(EXIT_BAD_USE, "%s: %s; raw elements need --type TYPE%s", request->name,
                request->skip_bytes.given ? "--skip-bytes makes it raw"
                : request->format != NULL ? "--format raw makes it raw"
                                          : "begins like nothing known",
                request->skip_bytes.given || request->format != NULL ? "" : ", text needs --format text");
  clred_type_inspect(otherwise, &input->type);
  return EXIT_DONE;
}

int input_type_named(const char *name, clred_type_info *type) {
  struct input input = {.request = {.type = name}};
  int code = input_take_type(&input, CLRED_TYPE_FLOAT);
  *type = input.type;
  return code;
}
