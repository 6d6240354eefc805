// Source of elements in a .npy file. npy.c parses the header; here the data is brought into C order and the machine's
// byte order.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/value.h"
#include "input/field.h"
#include "input/input.h"
#include "input/reorder.h"
#include "input/stream.h"

enum { HEADER_MOST = 1 << 24 };

static int malformed(const struct input *input, const char *error) {
  return fail(EXIT_BAD_USE, "%s: %s", input->stream.name, error);
}

// Joins the preamble and the rest of the header for the parser.
static int parse_whole(struct input *input, const unsigned char *preamble, size_t size, const void *rest,
                       uint64_t rest_size) {
  char error[NPY_ERROR_SIZE];
  size_t whole = size + (size_t)rest_size;
  unsigned char *header = malloc(whole);
  if (header == NULL)
    return fail_memory();
  memcpy(header, preamble, size);
  if (rest_size > 0)
    memcpy(header + size, rest, (size_t)rest_size);
  bool good = npy_parse(header, whole, input->request.field, &input->npy, error);
  free(header);
  return good ? EXIT_DONE : malformed(input, error);
}

static int read_header(struct input *input) {
  unsigned char preamble[NPY_PREAMBLE_MOST];
  char error[NPY_ERROR_SIZE];
  uint64_t size, rest_size = 0;
  void *rest = NULL;
  int code = stream_read(&input->stream, preamble, sizeof preamble, &size, NULL);
  if (code)
    return code;
  uint64_t offset = npy_data_offset(preamble, (size_t)size, error);
  if (offset == 0)
    return malformed(input, error);
  if (offset > HEADER_MOST)
    return fail(EXIT_BAD_USE, "%s: its header has %llu bytes; at most %d are read", input->stream.name,
                (unsigned long long)offset, HEADER_MOST);
  if (offset > size)
    code = stream_read_pages(&input->stream, offset - size, &rest, &rest_size, NULL);
  code = code ? code : parse_whole(input, preamble, (size_t)size, rest, rest_size);
  free(rest);
  return code;
}

// A bool becomes a uchar.
static int find_type(struct input *input) {
  const struct npy *npy = &input->npy;
  char name[16];
  snprintf(name, sizeof name, "%c%u", npy->kind == 'b' ? 'u' : npy->kind, npy->size);
  if (type_of_numpy(name, &input->type))
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: has the dtype %s, which clreduce does not support", input->stream.name, name);
}

static int check_type(struct input *input) {
  const struct request *request = &input->request;
  clred_type_info held = input->type;
  if (request->type == NULL && !request->exactly)
    return EXIT_DONE;
  int code = input_take_type(input, held.type);
  if (!code && input->type.type != held.type)
    return fail(EXIT_BAD_USE, "%s: is a .npy file of %s, but %s is %s; the two must agree%s", input->stream.name,
                held.name, request->exactly ? "the first input" : "--type", input->type.name,
                request->exactly ? "" : " (--state says in which type to compute)");
  return code;
}

// `size` is that of an element, or of a whole record if one of its fields is read.
static int too_short(const struct input *input, uint64_t size, uint64_t bytes) {
  return fail(EXIT_BAD_USE, "%s: truncated: its header says %llu elements of %llu bytes, it holds %llu bytes of them",
              input->stream.name, (unsigned long long)input->count, (unsigned long long)size,
              (unsigned long long)bytes);
}

static int open_npy(struct input *input) {
  int code = read_header(input);
  code = code ? code : find_type(input);
  code = code ? code : check_type(input);
  if (code)
    return code;
  const struct npy *npy = &input->npy;
  input->count = npy->count;
  input->counted = true;
  if (input->stream.sized && input->stream.left < npy->count * npy->step)
    return too_short(input, npy->step, input->stream.left);
  return npy->step == npy->size ? EXIT_DONE : stream_take_field(&input->stream, npy->offset, npy->size, npy->step);
}

// As in NumPy, any byte but 0 is true.
static void make_truth(unsigned char *bytes, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    bytes[i] = bytes[i] != 0;
}

// Fortran order is C order with all axes reversed.
static int bring_into_c_order(struct input *input) {
  uint64_t shape[NPY_DIMENSIONS_MOST];
  unsigned order[NPY_DIMENSIONS_MOST], last = input->npy.dimensions - 1;
  for (unsigned i = 0; i <= last; i++) {
    shape[i] = input->npy.shape[last - i];
    order[i] = last - i;
  }
  return input_reorder(input, shape, last + 1, order);
}

static void settle_bytes(const struct input *input, void *data, uint64_t count) {
  if (input->npy.swapped)
    reorder_swap(data, count * input->type.components, input->npy.size / input->type.components);
  if (input->npy.kind == 'b')
    make_truth(data, count);
}

static int load_npy(struct input *input, struct progress *progress) {
  uint64_t bytes;
  int code = stream_read_pages(&input->stream, input_bytes(input), &input->data, &bytes, progress);
  if (!code && bytes < input_bytes(input))
    return too_short(input, input->npy.size, bytes);
  if (code)
    return code;
  settle_bytes(input, input->data, input->count);
  code = stream_finish(&input->stream);
  return !code && input->npy.fortran && input->npy.dimensions > 1 ? bring_into_c_order(input) : code;
}

static int read_npy(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t left = input->count - input->taken, size = input->type.size, bytes;
  *got = count < left ? count : left;
  int code = input_read_bytes(input, to, *got * size, &bytes);
  if (code)
    return code;
  if (bytes < *got * size)
    return too_short(input, size, input->taken * size + bytes);
  settle_bytes(input, to, *got);
  return *got == left ? stream_finish(&input->stream) : EXIT_DONE;
}

const struct source source_npy = {.open = open_npy, .load = load_npy, .read = read_npy};
