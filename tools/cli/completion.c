// Prints completions for bash, which zsh reads, too. The words in an option's row decide how its value completes: small
// letters are fixed words; OP, TYPE and STRATEGY are names of the library; SEL is a device, which the tool's query
// names; bash completes anything else as a path.
#include <clreduce_device.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/help.h"

// ---- Words

static void print_op_names(void) {
  clred_op_info op;
  for (size_t i = 0; clred_op_inspect((clred_op)(i + 1), &op) == CL_SUCCESS; i++)
    printf("%s ", op.name);
}

static void print_type_names(void) {
  clred_type_info type;
  for (size_t i = 0; clred_type_inspect((clred_type)(i + 1), &type) == CL_SUCCESS; i++)
    printf("%s ", type.name);
}

static void print_verb_names(void) {
  for (const struct verb *verb = verbs; verb->name != NULL; verb++)
    printf("%s ", verb->name);
}

static void print_strategy_names(void) {
  clred_strategy_info strategy;
  printf("auto ");
  for (size_t i = 0; clred_strategy_at(i, &strategy) == CL_SUCCESS; i++)
    printf("%s ", strategy.name);
}

static const struct {
  const char *word;
  void (*print)(void);
} names[] = {{"OP", print_op_names}, {"TYPE", print_type_names}, {"STRATEGY", print_strategy_names}};

static void print_words_for(const char *word, size_t length) {
  bool fixed = true;
  for (size_t i = 0; i < length; i++)
    fixed = fixed && (islower((unsigned char)word[i]) || word[i] == '_');
  if (fixed)
    printf("%.*s ", (int)length, word);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i].word) == length && memcmp(names[i].word, word, length) == 0)
      names[i].print();
}

// Prints the words that a value may have, each followed by a space. Prints nothing if any value is possible.
static void print_value_words(const char *value) {
  while (*value != '\0') {
    size_t length = strcspn(value, "|,");
    print_words_for(value, length);
    value += length + (value[length] != '\0');
  }
}

static bool is_device(const char *value) {
  return strncmp(value, "SEL", 3) == 0;
}

static void print_operand_words(const struct verb *verb) {
  if (verb->first == OPERAND_OP) {
    print_op_names();
    if (verb->bit == VERB_REDUCE)
      printf("median quantile: top: bottom: ");
  }
  if (verb->first == OPERAND_TABLE)
    printf("ops types strategies ");
}

// An option may have several rows. Its value completes by the first.
static bool is_first_row(const struct option *option) {
  return option_find(option->name, strlen(option->name), *option->name == '\0' ? option->letter : 0, 0) == option;
}

static void print_name(const struct option *option) {
  if (*option->name == '\0')
    printf("-%c", option->letter);
  else
    printf("--%s", option->name);
}

static void print_bash_values(void) {
  for (const struct option *option = options; option->name != NULL; option++) {
    if (option->kind == FLAG || !is_first_row(option))
      continue;
    printf("    *:");
    print_name(option);
    if (is_device(option->value)) {
      printf(") words=$(\"${COMP_WORDS[0]}\" query 2>/dev/null | "
             "sed -n 's/^\\([0-9][0-9]*\\)  \\([^ ]*\\).*/\\1 \\2/p') ;;\n");
      continue;
    }
    printf(") words='");
    print_value_words(option->value);
    printf("' ;;\n");
  }
}

static void print_bash_verb(const struct verb *verb) {
  printf("        %s)\n          options='", verb->name);
  for (const struct option *option = options; option->name != NULL; option++)
    if ((option->verbs & verb->bit) != 0) {
      print_name(option);
      putchar(' ');
    }
  printf("'\n          operands='");
  print_operand_words(verb);
  printf("' ;;\n");
}

void completion_print_bash(void) {
  printf("# Completion of clreduce for bash, made from the table of its options.\n"
         "_clreduce() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]}\n"
         "  local words='' options='' operands=''\n"
         "  case $COMP_CWORD:$before in\n"
         "    1:*) words='");
  print_verb_names();
  printf("help --help --version' ;;\n");
  print_bash_values();
  printf("    *)\n      case $verb in\n");
  for (const struct verb *verb = verbs; verb->name != NULL; verb++)
    print_bash_verb(verb);
  printf("        help) operands='");
  print_verb_names();
  printf("' ;;\n");
  printf("      esac\n"
         "      if [[ $word == -* ]]; then words=$options\n"
         "      elif [ \"$COMP_CWORD\" -eq 2 ]; then words=$operands\n"
         "      fi ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
         "}\n"
         "complete -o bashdefault -o default -F _clreduce clreduce\n");
}
