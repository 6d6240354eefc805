#include "flags.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "number.h"

static void print_help(const char *program, const struct flag *flags) {
  printf("usage: %s [options]\n", program);
  for (; flags->name; flags++)
    printf("  %-12s %-6s %s\n", flags->name, flags->number ? "N" : "TEXT", flags->sentence);
}

static int take(const char *program, const struct flag *flag, const char *value) {
  uint64_t value_read;

  if (flag->text) {
    *flag->text = value;
    return EXIT_DONE;
  }
  if (!count_parse(value, strlen(value), &value_read) || value_read > UINT32_MAX)
    return fail(EXIT_BAD_USE, "%s: %s needs a number, not '%s'", program, flag->name, value);
  *flag->number = (unsigned)value_read;
  return EXIT_DONE;
}

int flags_parse(const char *program, const struct flag *flags, int argc, char *argv[]) {
  for (int i = 1; i < argc; i += 2) {
    const struct flag *flag = flags;
    if (strcmp(argv[i], "--help") == 0) {
      print_help(program, flags);
      exit(EXIT_DONE);
    }
    while (flag->name && strcmp(flag->name, argv[i]) != 0)
      flag++;
    if (!flag->name || i + 1 == argc)
      return fail(EXIT_BAD_USE, flag->name ? "%s: %s needs a value" : "%s: there is no option %s; see --help", program,
                  argv[i]);
    if (take(program, flag, argv[i + 1]))
      return EXIT_BAD_USE;
  }
  return EXIT_DONE;
}
