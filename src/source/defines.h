// Lines "#define NAME VALUE" of a program's text.
#ifndef CLR_PLANNING_DEFINES_H
#define CLR_PLANNING_DEFINES_H

#include "base/text.h"

void clr_define_number(struct clr_text *text, const char *name, unsigned long long value);
void clr_define_text(struct clr_text *text, const char *name, const char *value);

#endif
