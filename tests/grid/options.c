// Command lines of the test programs: see options.h.

#include "options.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *value_name(const struct option *option) {
  return option->flag ? "" : option->text ? " TEXT" : option->number ? " N" : " I/N";
}

static bool refuse(const char *program, const struct option *options, size_t count, const char *word) {
  fprintf(stderr, "%s: '%s' is no option, or its value is missing or wrong\nusage: %s [OPTION...]\n", program, word,
          program);
  for (size_t i = 0; i < count; i++)
    fprintf(stderr, "  %s%s\n      %s\n", options[i].name, value_name(&options[i]), options[i].help);
  return false;
}

static bool read_value(const struct option *option, const char *value) {
  char end;
  if (option->text) {
    *option->text = value;
    return true;
  }
  if (option->number)
    return sscanf(value, "%" SCNu64 "%c", option->number, &end) == 1;
  return sscanf(value, "%zu/%zu%c", &option->slice->index, &option->slice->count, &end) == 2 &&
         option->slice->index >= 1 && option->slice->index <= option->slice->count;
}

bool options_read(const char *program, const struct option *options, size_t count, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    size_t found = 0;
    while (found < count && strcmp(options[found].name, argv[i]) != 0)
      found++;
    if (found == count)
      return refuse(program, options, count, argv[i]);
    if (options[found].flag)
      *options[found].flag = true;
    else if (++i == argc || !read_value(&options[found], argv[i]))
      return refuse(program, options, count, options[found].name);
  }
  return true;
}
