// Labels are read back as text is: a name with blanks or quotes is a quoted field.
#define _XOPEN_SOURCE 700  // open_memstream

#include "run/each.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/json.h"

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
  if (args->json)
    each->list = cJSON_CreateArray();
  else
    each->text = open_memstream(&each->bytes, &each->size);
  return each->list == NULL && each->text == NULL ? fail_memory() : EXIT_DONE;
}

// As text files quote a field: a name that is empty or has blanks, control characters or quotes stands in quotes, with
// each quote of its own twice.
static char *quote(const char *name) {
  char *text = malloc(2 * strlen(name) + 4), *at = text;
  bool plain = *name != '\0';
  if (text == NULL)
    return NULL;
  *at++ = '"';
  for (const char *from = name; *from != '\0'; from++) {
    plain = plain && (unsigned char)*from > ' ' && *from != '"';
    if (*from == '"')
      *at++ = '"';
    *at++ = *from;
  }
  strcpy(at, "\" ");
  if (plain)
    sprintf(text, "%s ", name);
  return text;
}

int each_choose(struct each *each, struct request *request) {
  if (each->count == 0)
    return EXIT_DONE;
  request->name = each->names[each->at];
  request->name_count = 1;
  free(each->label);
  each->label = quote(request->name);
  return each->label == NULL ? fail_memory() : EXIT_DONE;
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
  fwrite(each->bytes, 1, each->size, stdout);
  return EXIT_DONE;
}

int each_end(struct each *each, int code) {
  int printed = code == EXIT_DONE || code == EXIT_WRONG ? print_all(each) : EXIT_DONE;
  if (each->text != NULL)
    fclose(each->text);
  free(each->bytes);
  free(each->label);
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
