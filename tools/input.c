// Which source an INPUT is, and what all of them share.

#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"

static bool ends_in_npy(const char *name)
{
  size_t length = strlen(name);
  return length >= 4 && strcmp(name + length - 4, ".npy") == 0;
}

static const struct source *choose_source(const struct args *args)
{
  if (args->generate != NULL)
    return &source_generated;
  return ends_in_npy(args_input(args)) ? &source_npy : &source_raw;
}

int input_open(struct input *input, const struct args *args)
{
  const char *name = args_input(args);
  *input = (struct input){.stream = {.descriptor = -1}};
  if (name == NULL && args->generate == NULL)
    return fail(EXIT_BAD_USE, "%s: no INPUT; give FILE.npy, a raw file or - with --type, or --generate KIND:N",
                args->verb->name);
  if (name != NULL && args->generate != NULL)
    return fail(EXIT_BAD_USE, "%s: both the input '%s' and --generate; give one", args->verb->name, name);
  if (args->skip_bytes.given && choose_source(args) != &source_raw)
    return fail(EXIT_BAD_USE, "--skip-bytes is for raw input only");
  input->source = choose_source(args);
  return input->source->open(input, args);
}

int input_load(struct input *input, struct progress *progress)
{
  int code = input->source->load(input, progress);
  stream_close(&input->stream);
  return code;
}

void input_close(struct input *input)
{
  stream_close(&input->stream);
  free(input->data);
  input->data = NULL;
}

uint64_t input_bytes(const struct input *input)
{
  return input->count * input->type.size;
}

static int unknown_type(const char *name)
{
  char            list[256] = "";
  clred_type_info row;
  for (size_t i = 0; clred_type_at(i, &row) == CL_SUCCESS; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), " %s", row.name);
  return fail(EXIT_BAD_USE, "unknown type '%s'; there are%s", name, list);
}

int input_take_type(struct input *input, const struct args *args, clred_type otherwise)
{
  clred_type type = args->type == NULL ? otherwise : clred_type_from_name(args->type);
  if (type == CLRED_TYPE_NONE && args->type != NULL)
    return unknown_type(args->type);
  if (type == CLRED_TYPE_NONE)
    return fail(EXIT_BAD_USE, "%s: raw elements need --type TYPE (or a name that ends in .npy)", args_input(args));
  clred_type_describe(type, &input->type);
  return EXIT_DONE;
}
