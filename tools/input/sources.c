// Sources of elements without a header: generated data, and the raw elements of a file or of standard input.
#include "base/fail.h"
#include "input/input.h"

// ---- Generated

static int open_generated(struct input *input) {
  const char *spec = input->request.generate;
  int code = input_take_type(input, CLRED_TYPE_FLOAT);
  if (!code && input->type.type == CLRED_TYPE_NONE)
    return fail(EXIT_BAD_USE, "--generate %s: elements of type %s cannot be generated; give --type TYPE", spec,
                input->type.name);
  code = code ? code : generate_parse(spec, &input->type, &input->recipe);
  if (code)
    return code;
  if (input->recipe.count > INT64_MAX / input->type.size)
    return fail(EXIT_BAD_USE, "--generate %s: needs more than 2^63 bytes; give a smaller N", spec);
  input->count = input->recipe.count;
  input->counted = true;
  return EXIT_DONE;
}

static int load_generated(struct input *input, struct progress *progress) {
  input->data = pages_allocate(input_bytes(input));
  if (input->data == NULL)
    return fail(EXIT_WORK_FAILED, "--generate: not enough memory for %llu bytes",
                (unsigned long long)input_bytes(input));
  generate_fill(&input->recipe, input->data, progress);
  return EXIT_DONE;
}

static int read_generated(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t left = input->count - input->taken;
  *got = count < left ? count : left;
  generate_piece(&input->recipe, to, input->taken, *got);
  return EXIT_DONE;
}

const struct source source_generated = {.open = open_generated, .load = load_generated, .read = read_generated};

// ---- Raw

static int count_elements(struct input *input, uint64_t bytes) {
  if (bytes % input->type.size != 0)
    return fail(EXIT_BAD_USE, "%s: %llu bytes are not a multiple of the %zu bytes of a %s", input->stream.name,
                (unsigned long long)bytes, input->type.size, input->type.name);
  input->count = bytes / input->type.size;
  input->counted = true;
  return EXIT_DONE;
}

static int skip(struct input *input, uint64_t size) {
  uint64_t skipped;
  int code = stream_skip(&input->stream, size, &skipped);
  if (!code && skipped < size)
    return fail(EXIT_BAD_USE, "%s: --skip-bytes %llu is past its end; it has %llu bytes", input->stream.name,
                (unsigned long long)size, (unsigned long long)skipped);
  return code;
}

static int open_raw(struct input *input) {
  const struct request *request = &input->request;
  int code = input_take_type(input, CLRED_TYPE_NONE);
  if (!code && request->skip_bytes.given)
    code = skip(input, request->skip_bytes.value);
  if (!code && input->stream.sized)
    code = count_elements(input, input->stream.left);
  return code;
}

// The file may have changed since it was opened, so the bytes read decide the count.
static int load_raw(struct input *input, struct progress *progress) {
  uint64_t bytes;
  int code = stream_read_pages(&input->stream, INT64_MAX, &input->data, &bytes, progress);
  return code ? code : count_elements(input, bytes);
}

static int read_raw(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t size = input->type.size, bytes;
  int code = input_read_bytes(input, to, count * size, &bytes);
  *got = bytes / size;
  return !code && bytes % size != 0 ? count_elements(input, input->taken * size + bytes) : code;
}

const struct source source_raw = {.open = open_raw, .load = load_raw, .read = read_raw, .count = count_elements};
