// The sections of the manual that the tables of verbs and options do not hold.

#ifndef CLREDUCE_TOOL_MANUAL_H
#define CLREDUCE_TOOL_MANUAL_H

#include <stdbool.h>

enum { MANUAL_ITEMS_MOST = 20 };

struct manual_item {
  const char *term;  // NULL: the text is a paragraph
  const char *text;
};

struct manual_section {
  const char *title;
  bool verbatim;
  struct manual_item items[MANUAL_ITEMS_MOST];  // ended by a text that is NULL
};

extern const char manual_name[], manual_description[];

// The last row has the title NULL.
extern const struct manual_section manual_sections[];

#endif
