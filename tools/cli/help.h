// Help and manual, made from the tables of verbs and options. completion.bash reads the help.
#pragma once

#include "cli/options.h"
#include "cli/verbs.h"

// The list of verbs, and the help of one verb: at most 80 columns.
void help_print_overview(void);
void help_print_verb(const struct verb *verb);

// The manual in roff. The build installs it.
void man_page_print(void);
