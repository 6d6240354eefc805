// Source of elements in several files, which are one range in their order. Regular files are opened twice: first for
// their type, shape and count, then one after the other for their elements. So any number of files can be read.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "input/input.h"

// ---- Opening

static int check_type(const struct input *first, const struct input *part) {
  if (part->unsized)
    return fail(EXIT_BAD_USE,
                "%s: elements of %s, whose size only the operator knows, come from one file; join the files",
                input_name(part), part->type.name);
  if (part->type.type == first->type.type)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s: holds %s, but %s holds %s; files that are one range have one type", input_name(part),
              part->type.name, input_name(first), first->type.name);
}

// True if the shapes agree behind axis 0, along which the files are joined.
static bool continues(const struct input *first, const struct input *part) {
  unsigned dimensions = input_dimensions(first);
  bool same = dimensions > 0 && dimensions == input_dimensions(part);
  for (unsigned i = 1; i < dimensions && same; i++)
    same = input_length(first, i) == input_length(part, i);
  return same;
}

// False if the sum is too large.
static bool add(uint64_t *sum, uint64_t more, uint64_t most) {
  bool fits = more <= most && *sum <= most - more;
  *sum += more;
  return fits;
}

static int take_facts(struct input *input, const struct input *part) {
  struct file_list *files = &input->files;
  const struct input *first = files->parts;
  int code = check_type(first, part);
  if (files->odd == NULL && !continues(first, part))
    files->odd = input_name(part);
  files->sequential = files->sequential && input_is_sequential(part);
  files->again = files->again && input_can_read_again(part);
  files->in_files = files->in_files && (input_is_in_file(part) || (part->counted && part->count == 0));
  files->text = files->text || input_is_text(part);
  input->counted = input->counted && part->counted;
  uint64_t length = input_dimensions(part) > 0 ? input_length(part, 0) : 1;
  if (!code &&
      (!add(&input->count, part->count, INT64_MAX / part->type.size) || !add(&input->npy.shape[0], length, INT64_MAX)))
    code = fail(EXIT_WORK_FAILED, "%s: with it the input has 2^63 bytes or more; leave files out", input_name(part));
  return code;
}

static int open_part(struct input *input, size_t index) {
  struct request request = input->request;
  struct input *part = &input->files.parts[index];
  request.name = request.names[index];
  request.name_count = 0;
  request.gaps = &input->gaps;
  int code = input_open(part, &request);
  code = code ? code : take_facts(input, part);
  if (!code && input_can_read_again(part))
    input_close(part);
  return code;
}

static int name_files(struct input *input) {
  const struct request *request = &input->request;
  const char format[] = "%s and %zu more file%s";
  size_t more = request->name_count - 1, room = strlen(request->name) + 64;
  input->member = malloc(room);
  if (input->member == NULL)
    return fail_memory();
  snprintf(input->member, room, format, request->name, more, more == 1 ? "" : "s");
  input->stream.name = input->member;
  return EXIT_DONE;
}

static void settle_shape(struct input *input) {
  const struct input *first = input->files.parts;
  input->npy.dimensions = input->files.odd == NULL ? input_dimensions(first) : 1;
  for (unsigned i = 1; i < input->npy.dimensions; i++)
    input->npy.shape[i] = input_length(first, i);
}

static int open_files(struct input *input) {
  struct file_list *files = &input->files;
  int code = name_files(input);
  files->parts = code ? NULL : calloc(input->request.name_count, sizeof *files->parts);
  if (!code && files->parts == NULL)
    code = fail_memory();
  files->sequential = files->again = files->in_files = input->counted = true;
  for (; files->count < input->request.name_count && !code; files->count++)
    code = open_part(input, files->count);
  if (code)
    return code;
  settle_shape(input);
  input->type = files->parts[0].type;
  return EXIT_DONE;
}

// ---- Reading

// The type that the request names as the default may be gone.
static int reopen(struct input *part) {
  const struct input before = *part;
  struct request request = part->request;
  request.otherwise = request.otherwise != NULL ? &before.type : NULL;
  int code = input_open(part, &request);
  if (code || (part->type.type == before.type.type && part->count == before.count))
    return code;
  return fail(EXIT_WORK_FAILED, "%s: was changed while it was read", input_name(part));
}

static bool is_closed(const struct input *part) {
  return part->stream.descriptor < 0 && part->stream.origin == NULL && part->data == NULL;
}

int input_open_part(struct input *input, size_t index, struct input **part) {
  *part = &input->files.parts[index];
  return is_closed(*part) ? reopen(*part) : EXIT_DONE;
}

// Arrays in Fortran order are loaded whole.
static int read_part(struct input *part, void *to, uint64_t count, uint64_t *got) {
  if (input_is_sequential(part))
    return input_read(part, to, count, got);
  int code = input_load(part, NULL);
  uint64_t left = part->count - part->taken, size = part->type.size;
  *got = count < left ? count : left;
  if (!code && *got > 0)
    memcpy(to, (const char *)part->data + part->taken * size, *got * size);
  part->taken += *got;
  return code;
}

static int read_files(struct input *input, void *to, uint64_t count, uint64_t *got) {
  struct file_list *files = &input->files;
  uint64_t some, size = input->type.size;
  int code = EXIT_DONE;
  for (*got = 0; *got < count && files->at < files->count && !code; *got += some) {
    struct input *part = &files->parts[files->at];
    some = 0;
    if (is_closed(part))
      code = reopen(part);
    code = code ? code : read_part(part, (char *)to + *got * size, count - *got, &some);
    if (*got + some == count)
      continue;
    input_close(part);
    files->at++;
  }
  return code;
}

int input_find(struct input *input, uint64_t element, struct file_place *place) {
  struct file_list *files = &input->files;
  *place = (struct file_place){input, element};
  if (input->source != &source_files)
    return EXIT_DONE;
  while (element - files->before >= files->parts[files->at].count) {
    files->before += files->parts[files->at].count;
    input_close(&files->parts[files->at++]);
  }
  struct input *part = &files->parts[files->at];
  *place = (struct file_place){part, element - files->before};
  return is_closed(part) ? reopen(part) : EXIT_DONE;
}

static int read_held_first(struct input *input, void *to, uint64_t count, uint64_t *got) {
  uint64_t held = input_take_held(input, to, count);
  int code = read_files(input, (char *)to + held * input->type.size, count - held, got);
  *got += held;
  return code;
}

static void close_files(struct input *input) {
  for (size_t i = 0; i < input->files.count; i++)
    input_close(&input->files.parts[i]);
  free(input->files.parts);
  input->files.parts = NULL;
}

const struct source source_files = {
  .open = open_files, .load = growing_load, .read = read_held_first, .hold = growing_hold, .close = close_files};
