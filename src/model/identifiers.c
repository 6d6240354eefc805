#include "model/identifiers.h"

#include <ctype.h>
#include <string.h>

#include "base/status.h"

static bool begins_name(char c)
{
  return isalpha((unsigned char)c) || c == '_';
}

static bool is_name(char c)
{
  return isalnum((unsigned char)c) || c == '_';
}

// The end of a comment or string that begins at `at`; `at` itself if none does.
static const char *skip_foreign(const char *at)
{
  if (at[0] == '/' && at[1] == '/')
    return at + strcspn(at, "\n");
  if (at[0] == '/' && at[1] == '*') {
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
  }
  if (*at != '"')
    return at;
  for (at++; *at && *at != '"'; at++)
    if (at[0] == '\\' && at[1])
      at++;
  return at + (*at == '"');
}

static size_t name_length(const char *at)
{
  size_t length = 0;
  while (is_name(at[length]))
    length++;
  return length;
}

static void find_place(const char *text, const char *at, struct clr_place *place)
{
  const char *line = text;
  *place = (struct clr_place){at, name_length(at), 1, 1};
  for (const char *c = text; c < at; c++)
    if (*c == '\n')
      line = c + 1, place->line++;
  place->column = (unsigned)(at - line) + 1;
}

bool clr_find_reserved(const char *text, struct clr_place *place)
{
  const char prefix[] = "clred_";
  for (const char *at = text; *at;) {
    const char *after = skip_foreign(at);
    if (after != at) {
      at = after;
      continue;
    }
    if (begins_name(*at) && strncmp(at, prefix, sizeof prefix - 1) == 0) {
      find_place(text, at, place);
      return true;
    }
    at += is_name(*at) ? name_length(at) : 1;
  }
  return false;
}

bool clr_is_identifier(const char *name)
{
  return begins_name(*name) && name[name_length(name)] == 0;
}

void clr_trim(char *text)
{
  size_t begin = strspn(text, " \t\r\n"), length = strlen(text + begin);
  memmove(text, text + begin, length + 1);
  while (length && isspace((unsigned char)text[length - 1]))
    text[--length] = 0;
}
