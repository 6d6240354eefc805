#include "opencl/build_log.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *const pieces[] = {"preamble", "element", "state", "result", "identity", "lift", "combine", "lower"};

struct message {
  const char *piece;
  unsigned long line, column;
  const char *text;
  size_t      length;
};

// "PIECE:LINE:COLUMN: error: TEXT", wherever in the line it begins.
static bool read_message(const char *at, const char *piece, struct message *message)
{
  size_t length = strlen(piece);
  char *end;
  if (strncmp(at, piece, length) != 0 || at[length] != ':' || !isdigit((unsigned char)at[length + 1]))
    return false;
  message->piece = piece;
  message->line = strtoul(at + length + 1, &end, 10);
  message->column = *end == ':' ? strtoul(end + 1, &end, 10) : 0;
  // Some compilers add where a macro was written.
  const char *spelling = *end == ' ' && end[1] == '<' ? strchr(end, '>') : NULL;
  message->text = spelling ? spelling + 1 : end;
  message->text += strspn(message->text, ": ");
  if (strncmp(message->text, "error: ", strlen("error: ")) == 0)
    message->text += strlen("error: ");
  message->length = strcspn(message->text, "\r\n");
  return true;
}

// Whether the line is no error: the word stands before or after the place.
static bool is_warning(const char *log, const char *at)
{
  const char *begin = at;
  while (begin > log && begin[-1] != '\n')
    begin--;
  const char *end = begin + strcspn(begin, "\r\n"), *warning = strstr(begin, "warning: ");
  const char *note = strstr(begin, "note: ");
  return (warning && warning < end) || (note && note < end);
}

static bool begins_word(const char *log, const char *at)
{
  return at == log || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
}

// The piece that the program's line `physical` belongs to, by the #line before it; false if it is the library's own.
static bool find_piece(const char *text, unsigned long physical, struct message *message)
{
  message->piece = NULL;
  for (unsigned long line = 1; *text && line <= physical; line++) {
    if (strncmp(text, "#line 1 \"", strlen("#line 1 \"")) == 0) {
      const char *name = text + strlen("#line 1 \"");
      message->piece = NULL;
      message->line = 0;
      for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        if (strncmp(name, pieces[i], strlen(pieces[i])) == 0 && name[strlen(pieces[i])] == '"')
          message->piece = pieces[i];
    } else {
      message->line++;
    }
    text += strcspn(text, "\n");
    text += *text == '\n';
  }
  return message->piece != NULL;
}

// "<kernel>:LINE:COLUMN: error: TEXT".
static bool read_physical(const char *at, const char *text, struct message *message)
{
  const char anonymous[] = "<kernel>";
  struct message found;
  if (strncmp(at, anonymous, sizeof anonymous - 1) != 0 || !read_message(at, anonymous, &found) ||
      !find_piece(text, found.line, message))
    return false;
  found.piece = message->piece;
  found.line = message->line;
  *message = found;
  return true;
}

static bool read_any(const char *at, const char *text, struct message *message)
{
  for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
    if (read_message(at, pieces[i], message))
      return true;
  return read_physical(at, text, message);
}

bool clr_explain_log(const char *log, const char *text, const char *operator_name, struct clr_status *status)
{
  struct message message;
  for (const char *at = log; *at; at++) {
    if (!begins_word(log, at) || !read_any(at, text, &message) || is_warning(log, at))
      continue;
    clr_fail(status, CLRED_OPERATOR_TEXT, "operator '%.60s': %s, line %lu, column %lu: %.*s", operator_name, message.piece,
             message.line, message.column, (int)(message.length < 240 ? message.length : 240), message.text);
    return true;
  }
  return false;
}
