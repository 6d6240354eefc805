// The table of options. args.c reads command lines by it; help.c and man_page.c print from it.
#pragma once

#include <stddef.h>
#include <stdint.h>

// FLAG: bool. TEXT: const char *. TEXTS: struct texts. COUNT: struct count. WHOLES: struct wholes.
enum value_kind { FLAG, TEXT, TEXTS, COUNT, WHOLES };

// The headings of a verb's help, in their order.
enum option_group {
  GROUP_INPUT,
  GROUP_ROWS,
  GROUP_SCAN,
  GROUP_HISTOGRAM,
  GROUP_SORT,
  GROUP_OPERATOR,
  GROUP_OWN_OPERATOR,
  GROUP_DEVICE,
  GROUP_PLAN,
  GROUP_MEASURING,
  GROUP_FILES,
  GROUP_OUTPUT,
  OPTION_GROUPS
};

extern const char *const option_groups[OPTION_GROUPS];

// An option that means something else to another verb has a row for each meaning; each verb takes one of them.
struct option {
  const char *name;  // "" if the option has only a letter
  char letter;
  enum value_kind kind;
  enum option_group group;
  unsigned verbs;     // bits of the verbs that take it
  size_t field;       // offset of the value in struct args
  uint64_t least;     // the smallest value of a count
  const char *value;  // as the help prints it: words of the user in capitals, fixed words in small letters
  const char *summary;
  // Lists of options, as in "axis,order=any": with the value if there is one. What a verb does not take does not count.
  const char *excludes;  // none of these may be given, too; the rows of those do not repeat it
  const char *needs;     // one of these must be given, too
};

// What a reduction in parts excludes. The parts make one result: of one line of elements, in the order fixed.
#define PARTS_EXCLUDE \
  "axis,segments,by-key,group,heads,each,keys-output,verify,repeat,finish,stop-at,stage,elements,order=any"

// The last row has the name NULL.
extern const struct option options[];

// args.c: finds an option by a name of this length, or by a letter if that is not 0. Prefers a row for one of the verbs
// `takers`. NULL if no verb has the option.
const struct option *option_find(const char *name, size_t length, char letter, unsigned takers);
