// Finds brackets, comments and strings of a caller's text that do not end. custom.c checks each text with it.
#include "model/brackets.h"

#include <string.h>

#define DEPTH_MAX 64

struct nest {
  const char *open[DEPTH_MAX];
  size_t depth;
};

static char closing(char open) {
  return open == '(' ? ')' : open == '[' ? ']' : '}';
}

// Pushes or pops one bracket; false if it does not match.
static bool take_bracket(struct nest *nest, const char *at) {
  if (strchr("([{", *at)) {
    if (nest->depth == DEPTH_MAX)
      return false;
    nest->open[nest->depth++] = at;
    return true;
  }
  if (!nest->depth || closing(*nest->open[nest->depth - 1]) != *at)
    return false;
  nest->depth--;
  return true;
}

bool clr_find_unbalanced(const char *text, struct clr_place *place) {
  struct nest nest = {.depth = 0};
  bool fits = true;
  const char *at = text;
  while (*at && fits) {
    const char *after = clr_skip_foreign(at);
    fits = after && (after != at || !strchr("()[]{}", *at) || take_bracket(&nest, at));
    if (fits)
      at = after != at ? after : at + 1;
  }
  if (fits && !nest.depth)
    return false;
  clr_find_place(text, fits ? nest.open[nest.depth - 1] : at, place);
  place->length = place->length ? place->length : 1;
  return true;
}
