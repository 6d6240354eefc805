// Help, manual and completions. All of them are made from the tables of verbs and options.
#pragma once

#include "cli/options.h"
#include "cli/verbs.h"

// The list of verbs, and the help of one verb: at most 80 columns.
void help_print_overview(void);
void help_print_verb(const struct verb *verb);

// The manual in roff, and the completion for bash. The build installs their output.
void man_page_print(void);
void completion_print_bash(void);
