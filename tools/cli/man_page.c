// The manual in roff: the tables of verbs and options, and the sections of manual.c.

#include <clreduce.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/manual.h"

// Escapes hyphens, so that they can be copied, backslashes, and dots and quotes at the start of a line, which roff
// would read as requests.
static void print_escaped(const char *text) {
  bool line_start = true;
  for (; *text != '\0'; text++) {
    if (line_start && (*text == '.' || *text == '\''))
      printf("\\&");
    printf(*text == '-' ? "\\-" : *text == '\\' ? "\\e" : "%c", *text);
    line_start = *text == '\n';
  }
}

static void print_line(const char *before, const char *text, const char *after) {
  printf("%s", before);
  print_escaped(text);
  printf("%s", after);
}

static void print_verbs(void) {
  printf(".SH SYNOPSIS\n.nf\n");
  for (const struct verb *verb = verbs; verb->name != NULL; verb++) {
    print_line("\\fBclreduce ", verb->name, "\\fR ");
    print_line("", verb->operands, "\n");
  }
  printf(".fi\n.SH DESCRIPTION\n");
  print_escaped(manual_description);
  printf("\n");
  for (const struct verb *verb = verbs; verb->name != NULL; verb++) {
    print_line(".TP\n.B ", verb->name, "\n");
    print_line("", verb->about, "\n");
  }
}

static void print_option_name(const struct option *option) {
  char name[32];
  if (*option->name == '\0')
    snprintf(name, sizeof name, "-%c", option->letter);
  else
    snprintf(name, sizeof name, "--%s", option->name);
  print_line(".TP\n\\fB", name, "\\fR");
  if (*option->value != '\0')
    print_line(" \\fI", option->value, "\\fR");
  printf("\n");
}

static void print_verbs_of(const struct option *option) {
  const char *before = "(";
  bool all = true;
  for (const struct verb *verb = verbs; verb->name != NULL; verb++)
    all = all && (option->verbs & verb->bit) != 0;
  for (const struct verb *verb = verbs; verb->name != NULL && !all; verb++)
    if ((option->verbs & verb->bit) != 0) {
      printf("%s%s", before, verb->name);
      before = ", ";
    }
  printf(all ? "(all verbs)\n" : ")\n");
}

static void print_options(void) {
  printf(".SH OPTIONS\nEach option names in parentheses the verbs that take it.\n");
  for (unsigned group = 0; group < OPTION_GROUPS; group++) {
    printf(".SS %s\n", option_groups[group]);
    for (const struct option *option = options; option->name != NULL; option++)
      if (option->group == group) {
        print_option_name(option);
        print_line("", option->sentence, "\n");
        print_verbs_of(option);
      }
  }
}

static void print_section(const struct manual_section *section) {
  printf(".SH %s\n", section->title);
  for (const struct manual_item *item = section->items; item->text != NULL; item++) {
    if (item->term != NULL)
      print_line(".TP\n.B ", item->term, "\n");
    else
      printf(section->verbatim ? ".nf\n" : ".PP\n");
    print_line("", item->text, "\n");
    if (section->verbatim)
      printf(".fi\n");
  }
}

void man_page_print(void) {
  printf(".TH CLREDUCE 1 \"\" \"clreduce %s\" \"User Commands\"\n.SH NAME\n", clred_version());
  print_line("clreduce \\- ", manual_name, "\n");
  print_verbs();
  print_options();
  for (const struct manual_section *section = manual_sections; section->title != NULL; section++)
    print_section(section);
}
