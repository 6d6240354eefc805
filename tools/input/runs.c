// Keys and flags read from a file, and the offsets of their runs.

#include "input/runs.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"

bool runs_asked(const struct args *args) {
  return args->by_key != NULL || args->heads != NULL;
}

const char *runs_option(const struct args *args) {
  return args->by_key != NULL ? "--by-key" : "--heads";
}

const char *runs_name(const struct args *args) {
  return args->by_key != NULL ? args->by_key : args->heads;
}

static bool can_be_key(const clred_type_info *type) {
  return !type->is_complex && type->type != CLRED_TYPE_HALF;
}

int runs_open(struct input *tells, const struct args *args) {
  const char *name = runs_name(args), *option = runs_option(args);
  size_t length = strlen(name);
  struct request request = {.name = name};
  if (length < 4 || strcmp(name + length - 4, ".npy") != 0)
    return fail(EXIT_BAD_USE, "%s %s: %s are read from a .npy file", option, name,
                args->by_key != NULL ? "keys" : "flags");
  int code = input_open(tells, &request);
  if (code != EXIT_DONE)
    return code;
  const clred_type_info *type = &tells->type;
  bool good = args->by_key != NULL ? can_be_key(type) : type->size == 1;
  if (good && tells->npy.dimensions == 1)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s %s: %s, not %u of %s", option, name,
              args->by_key != NULL ? "keys are one dimension of integers, float32 or float64"
                                   : "flags are one dimension of bool, uint8 or int8",
              tells->npy.dimensions, type->numpy_name);
}

int runs_check(const struct input *tells, const struct args *args, const struct input *elements) {
  if (tells->count == elements->count)
    return EXIT_DONE;
  return fail(EXIT_BAD_USE, "%s %s: %llu %s, but %s has %llu elements; there must be one for each", runs_option(args),
              runs_name(args), (unsigned long long)tells->count, args->by_key != NULL ? "keys" : "flags",
              elements->request.name != NULL ? elements->request.name : elements->request.generate,
              (unsigned long long)elements->count);
}

// ---- Where they begin

// As == has it: -0 is 0, and a NaN is equal to nothing.
static bool same_key(const clred_type_info *type, const char *a, const char *b) {
  float narrow[2];
  double wide[2];
  if (!type->floating)
    return memcmp(a, b, type->size) == 0;
  if (type->size == sizeof *wide) {
    memcpy(&wide[0], a, sizeof *wide);
    memcpy(&wide[1], b, sizeof *wide);
    return wide[0] == wide[1];
  }
  memcpy(&narrow[0], a, sizeof *narrow);
  memcpy(&narrow[1], b, sizeof *narrow);
  return narrow[0] == narrow[1];
}

static bool is_head(const struct input *tells, bool by_key, uint64_t index) {
  size_t size = tells->type.size;
  const char *at = (const char *)tells->data + index * size;
  if (index == 0)
    return true;
  return by_key ? !same_key(&tells->type, at - size, at) : *at != 0;
}

int runs_find(const struct input *tells, bool by_key, struct input *offsets) {
  uint64_t runs = 0;
  for (uint64_t i = 0; i < tells->count; i++)
    runs += is_head(tells, by_key, i);
  uint64_t *list = malloc((size_t)(runs + 1) * sizeof *list);
  if (list == NULL)
    return fail_memory();
  offsets->data = list;
  offsets->count = runs + 1;
  clred_type_inspect(CLRED_TYPE_ULONG, &offsets->type);
  for (uint64_t i = 0; i < tells->count; i++)
    if (is_head(tells, by_key, i))
      *list++ = i;
  *list = tells->count;
  return EXIT_DONE;
}
