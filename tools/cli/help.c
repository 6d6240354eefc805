// The help as text of 80 columns.
#include "cli/help.h"

#include <stdio.h>
#include <string.h>

#include "base/wrap.h"

enum { OPTION_COLUMN = 26, NAME_COLUMN = 13 };

static void print_in_column(const char *name, size_t column, const char *text) {
  size_t length = 2 + strlen(name);
  printf("  %s", name);
  if (length + 2 > column)
    putchar('\n'), length = 0;
  printf("%*s", (int)(column - length), "");
  wrap_print(text, column, column, HELP_WIDTH);
}

static void print_option(const struct option *option) {
  char name[80];
  if (*option->name == '\0')
    snprintf(name, sizeof name, "-%c %s", option->letter, option->value);
  else
    snprintf(name, sizeof name, "--%s%s%s", option->name, *option->value == '\0' ? "" : " ", option->value);
  print_in_column(name, OPTION_COLUMN, option->summary);
}

static void print_group(const struct verb *verb, enum option_group group) {
  bool titled = false;
  for (const struct option *option = options; option->name != NULL; option++)
    if (option->group == group && (option->verbs & verb->bit) != 0) {
      if (!titled)
        printf("\n%s\n", option_groups[group]);
      titled = true;
      print_option(option);
    }
}

void help_print_verb(const struct verb *verb) {
  printf("usage: clreduce %s %s\n\n", verb->name, verb->operands);
  wrap_print(verb->about, 0, 0, HELP_WIDTH);
  for (unsigned group = 0; group < OPTION_GROUPS; group++)
    print_group(verb, (enum option_group)group);
}

void help_print_overview(void) {
  printf("usage: clreduce VERB [operands] [options]\n\n");
  for (const struct verb *verb = verbs; verb->name != NULL; verb++)
    print_in_column(verb->name, NAME_COLUMN, verb->summary);
  putchar('\n');
  print_in_column("OP", NAME_COLUMN, "an operator that 'clreduce list ops' names, or none with --operator FILE");
  print_in_column(
    "INPUT", NAME_COLUMN,
    "FILE.npy, FILE.npz or FILE.csv; or a file of raw elements, with --type; or - (standard input); or --generate "
    "KIND:N[:SEED]. Several files are one range");
  printf("\n'clreduce help VERB' or 'clreduce VERB --help' lists the options of a verb;\n"
         "'man clreduce' has more. 'clreduce --version' or -V prints the version.\n");
}
