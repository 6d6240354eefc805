// Source of generated elements.
#include "base/fail.h"
#include "input/input.h"
#include "input/stream.h"

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

const struct source source_generated = {open_generated, load_generated, read_generated, NULL};
