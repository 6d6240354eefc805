// Finds names in a caller's text, outside comments and strings.
#include "model/identifiers.h"

#include <ctype.h>
#include <string.h>

#include "base/status.h"

static bool begins_name(char c) {
  return isalpha((unsigned char)c) || c == '_';
}

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

static const char *skip_quoted(const char *at) {
  const char quote = *at++;
  while (*at && *at != quote && *at != '\n')
    at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at == quote ? at + 1 : NULL;
}

// A line that ends in a backslash continues in the next line, also within a comment.
static const char *skip_line(const char *at) {
  const char *end = at + strcspn(at, "\n");
  while (*end && (end[-1] == '\\' || (end[-1] == '\r' && end[-2] == '\\')))
    end += 1 + strcspn(end + 1, "\n");
  return end;
}

const char *clr_skip_foreign(const char *at) {
  if (at[0] == '/' && at[1] == '/')
    return skip_line(at);
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : NULL;
  }
  return *at == '"' || *at == '\'' ? skip_quoted(at) : at;
}

static size_t name_length(const char *at) {
  size_t length = 0;
  while (is_name(at[length]))
    length++;
  return length;
}

void clr_find_place(const char *text, const char *at, struct clr_place *place) {
  const char *line = text;
  *place = (struct clr_place){at, name_length(at), 1, 1};
  for (const char *c = text; c < at; c++)
    if (*c == '\n')
      line = c + 1, place->line++;
  place->column = (unsigned)(at - line) + 1;
}

// Returns the next identifier outside comments and strings; NULL if there is none.
static const char *next_name(const char *at) {
  while (*at) {
    const char *after = clr_skip_foreign(at);
    if (!after || (after == at && begins_name(*at)))
      return after;
    at = after != at ? after : at + (isdigit((unsigned char)*at) ? name_length(at) : 1);
  }
  return NULL;
}

bool clr_find_reserved(const char *text, struct clr_place *place) {
  const char prefix[] = "clred_";
  for (const char *at = text; (at = next_name(at)) != NULL; at += name_length(at))
    if (strncmp(at, prefix, sizeof prefix - 1) == 0) {
      clr_find_place(text, at, place);
      return true;
    }
  return false;
}

static bool has_name(const char *text, const char *name, size_t length) {
  for (const char *at = text; (at = next_name(at)) != NULL; at += name_length(at))
    if (name_length(at) == length && strncmp(at, name, length) == 0)
      return true;
  return false;
}

bool clr_find_macro_of(const char *text, const char *source, struct clr_place *place) {
  const char define[] = "define";
  const size_t length = sizeof define - 1;
  for (const char *at = text; (at = next_name(at)) != NULL; at += name_length(at)) {
    if (name_length(at) != length || strncmp(at, define, length) != 0)
      continue;
    const char *name = at + length + strspn(at + length, " \t");
    if (begins_name(*name) && has_name(source, name, name_length(name))) {
      clr_find_place(text, name, place);
      return true;
    }
  }
  return false;
}

bool clr_is_body(const char *text) {
  const char *at = text, *after;
  do {
    at += strspn(at, " \t\r\n");
    after = clr_skip_foreign(at);
    if (!after || after == at)
      break;
    at = after;
  } while (*at);
  return *at == '{';
}

bool clr_returns(const char *text) {
  const char word[] = "return";
  return has_name(text, word, sizeof word - 1);
}

bool clr_is_identifier(const char *name) {
  return begins_name(*name) && name[name_length(name)] == 0;
}

void clr_trim(char *text) {
  size_t begin = strspn(text, " \t\r\n"), length = strlen(text + begin);
  memmove(text, text + begin, length + 1);
  while (length && isspace((unsigned char)text[length - 1]))
    text[--length] = 0;
}
