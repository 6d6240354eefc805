// Labels can be read back as text: a name with blanks or quotes is printed as a quoted field.
#define _XOPEN_SOURCE 700  // open_memstream

#include "run/each.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"
#include "base/quote.h"

// Standard input is empty for the second file.
static const char *read_for_each(const struct args *args) {
  const struct {
    const char *option, *name;
  } files[] = {
    {"--segments", args->segments}, {"--by-key", args->by_key}, {"--group", args->group}, {"--heads", args->heads}};
  for (size_t i = 0; i < args->with.count; i++)
    if (strcmp(args->with.list[i], "-") == 0)
      return "--with";
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    if (files[i].name != NULL && strcmp(files[i].name, "-") == 0)
      return files[i].option;
  return NULL;
}

int each_begin(struct each *each, const struct args *args) {
  *each = (struct each){.count = 0};
  if (!args->each)
    return EXIT_DONE;
  const char *option = args->generate != NULL      ? "--generate"
                       : args->output != NULL      ? "--output"
                       : args->keys_output != NULL ? "--keys-output"
                                                   : NULL;
  if (option != NULL)
    return fail(EXIT_BAD_USE, "--each and %s exclude each other; give one", option);
  each->names = args_inputs(args, &each->count);
  option = read_for_each(args);
  if (each->count > 1 && option != NULL)
    return fail(EXIT_BAD_USE, "%s -: standard input can be read once, and --each needs it for every file; give a file",
                option);
  if (args->json)
    each->list = cJSON_CreateArray();
  else
    each->text = open_memstream(&each->bytes, &each->size);
  return each->list == NULL && each->text == NULL ? fail_memory() : EXIT_DONE;
}

static int write_label(struct each *each, const char *name) {
  size_t size;
  FILE *file = open_memstream(&each->label, &size);
  if (file == NULL)
    return fail_memory();
  quote_put(file, name, strlen(name));
  fputc(' ', file);
  return fclose(file) == 0 ? EXIT_DONE : fail_memory();
}

static int write_prefix(struct each *each, const char *name) {
  each->prefix = malloc(strlen(name) + sizeof ": ");
  if (each->prefix == NULL)
    return fail_memory();
  sprintf(each->prefix, "%s: ", name);
  return EXIT_DONE;
}

static void release_names(struct each *each) {
  free(each->label);
  free(each->prefix);
  each->label = each->prefix = NULL;
}

int each_choose(struct each *each, struct request *request) {
  if (each->count == 0)
    return EXIT_DONE;
  request->name = each->names[each->at];
  request->name_count = 1;
  release_names(each);
  int code = write_label(each, request->name);
  return code ? code : write_prefix(each, request->name);
}

bool each_next(struct each *each, int *code) {
  bool more = each->at + 1 < each->count && (*code == EXIT_DONE || *code == EXIT_WRONG);
  each->wrong = each->wrong || *code == EXIT_WRONG;
  if (more)
    *code = EXIT_DONE;
  else if (*code == EXIT_DONE && each->wrong)
    *code = EXIT_WRONG;
  each->at += more;
  return more;
}

static int print_all(struct each *each) {
  cJSON *list = each->list;
  each->list = NULL;
  if (list != NULL)
    return json_print(list);
  if (each->text == NULL)
    return EXIT_DONE;
  if (fflush(each->text) != 0 || ferror(each->text))
    return fail_memory();
  return each_print_lines(each->bytes, each->size);
}

int each_end(struct each *each, int code) {
  int printed = code == EXIT_DONE || code == EXIT_WRONG ? print_all(each) : EXIT_DONE;
  if (each->text != NULL)
    fclose(each->text);
  free(each->bytes);
  release_names(each);
  cJSON_Delete(each->list);
  *each = (struct each){.count = 0};
  return printed ? printed : code;
}

FILE *each_lines(const struct each *each) {
  return each->text != NULL ? each->text : stdout;
}

const char *each_label(const struct each *each) {
  return each->label != NULL ? each->label : "";
}

const char *each_prefix(const struct each *each) {
  return each->prefix != NULL ? each->prefix : "";
}

cJSON *each_object(const struct each *each, const struct input *input) {
  cJSON *object = cJSON_CreateObject();
  const struct request *request = &input->request;
  if (each->count > 0)
    json_add_text(object, "file", request->name);
  else if (request->name_count > 1)
    cJSON_AddItemToObject(object, "files",
                          cJSON_CreateStringArray((const char **)request->names, (int)request->name_count));
  return object;
}

int each_print(const struct each *each, cJSON *object) {
  if (each->list == NULL)
    return json_print(object);
  cJSON_AddItemToArray(each->list, object);
  return object == NULL ? fail_memory() : EXIT_DONE;
}
